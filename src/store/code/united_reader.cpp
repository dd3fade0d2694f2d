// A member is read with its own ids and paths, and its rows are returned with united ones. Members
// are in the order of their folders, and so are their numbers: a list by path or by id is the lists
// of the members, one after the other.
//
// Tested by store/united_reader_test.cpp.
#include "store/code/united_reader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "store/code/file_counts.h"

namespace codexmem::store {
namespace {

constexpr int kMemberShift = 32;  // of a file's id; symbols and chunks carry their file's
constexpr int kMemberRowShift = kMemberShift + kFileShift;

template <typename Id>
Id shifted(std::size_t member, Id own, int shift) {
  return static_cast<Id>(static_cast<std::int64_t>(own) +
                         (static_cast<std::int64_t>(member) << shift));
}

bool comes_before(const DependencyRow& a, const DependencyRow& b) {
  return std::tie(a.source, a.import_index) < std::tie(b.source, b.import_index);
}

// `rows` with `links`, both of some sources and in order, in the place of those that they replace.
std::vector<DependencyRow> with_links(std::vector<DependencyRow> rows,
                                      std::span<const DependencyRow> links) {
  if (links.empty()) return rows;
  std::vector<DependencyRow> all;
  all.reserve(rows.size() + links.size());
  auto link = links.begin();
  for (DependencyRow& row : rows) {
    while (link != links.end() && comes_before(*link, row)) all.push_back(*link++);
    const bool is_linked = link != links.end() && !comes_before(row, *link);
    if (!is_linked || row.target) all.push_back(std::move(row));
  }
  all.insert(all.end(), link, links.end());
  return all;
}

}  // namespace

FileId united_id(std::size_t member, FileId own) { return shifted(member, own, kMemberShift); }
SymbolId united_id(std::size_t member, SymbolId own) {
  return shifted(member, own, kMemberRowShift);
}
ChunkId united_id(std::size_t member, ChunkId own) { return shifted(member, own, kMemberRowShift); }

std::size_t member_of(FileId united) {
  return static_cast<std::size_t>(static_cast<std::uint64_t>(united) >> kMemberShift);
}
FileId own_id(FileId united) {
  return static_cast<FileId>(static_cast<std::int64_t>(united) &
                             ((std::int64_t{1} << kMemberShift) - 1));
}
SymbolId own_id(SymbolId united) {
  return static_cast<SymbolId>(static_cast<std::int64_t>(united) &
                               ((std::int64_t{1} << kMemberRowShift) - 1));
}

bool is_member_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c != '/' && c != ':' && byte >= 0x20 && byte != 0x7F;
  };
  return !name.empty() && name != "." && name != ".." && is_valid_utf8(name) &&
         std::ranges::all_of(name, is_allowed);
}

std::string member_folder(std::string_view name) { return std::string(name) + ":"; }

std::string united_path(std::string_view name, std::string_view path) {
  std::string united = member_folder(name);
  if (!path.empty()) united.append("/").append(path);
  return united;
}

std::optional<MemberPath> split_united_path(std::string_view path) {
  const std::size_t slash = path.find('/');
  const std::string_view folder = path.substr(0, slash);
  if (!folder.ends_with(':') || !is_member_name(folder.substr(0, folder.size() - 1))) {
    return std::nullopt;
  }
  return MemberPath{folder.substr(0, folder.size() - 1),
                    slash == std::string_view::npos ? "" : path.substr(slash + 1)};
}

namespace {

std::vector<std::string> distinct(std::vector<std::string> names) {
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Each read goes one of four ways: to the repository of an id, to the one of a path, to all of them
// one after the other, or to a sum. What comes back passes through unite().
class Union final : public UnitedReader {
  using FindFile = Result<std::optional<FileRow>> (CodeReader::*)(FileId);

  // Calls `read` with each member that can be read and its number.
  template <typename Read>
  Result<void> each(Read read) const {
    for (std::size_t member = 0; member < members_.size(); ++member) {
      if (members_[member].reader == nullptr) continue;
      Result<void> done = read(*members_[member].reader, member);
      if (!done.ok()) return std::move(done).error().with_context(members_[member].name);
    }
    return {};
  }

  // The lists that `read` returns of each member, united, in the order of the members.
  template <typename Read, typename... Values>
  auto of_all(Read read, const Values&... values) const
      -> std::invoke_result_t<Read, CodeReader&, Values...> {
    auto all = value_of<Read, Values...>();
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
      CODEXMEM_ASSIGN(auto rows, std::invoke(read, reader, values...));
      append(member, std::move(rows), all);
      return {};
    }));
    return all;
  }

  // What `read` returns of the file `id`, united; an empty value for an unknown one.
  template <typename Read>
  auto of_file(FileId id, Read read) const {
    return of_member(member_of(id), read, own_id(id));
  }

  // What `read` returns of the path, united.
  template <typename Read>
  auto of_path(std::string_view path, Read read) const {
    const auto split = split_united_path(path);
    const auto at = std::ranges::find_if(
        members_, [&](const UnitedMember& member) { return split && member.name == split->name; });
    return of_member(static_cast<std::size_t>(at - members_.begin()), read,
                     split ? split->path : std::string_view());
  }

  template <typename Read, typename Own>
  auto of_member(std::size_t member, Read read, Own own) const
      -> std::invoke_result_t<Read, CodeReader&, Own> {
    if (member >= members_.size() || members_[member].reader == nullptr) {
      return value_of<Read, Own>();
    }
    auto found = std::invoke(read, *members_[member].reader, own);
    if (!found.ok()) return std::move(found).error().with_context(members_[member].name);
    unite(member, *found);
    return found;
  }

  template <typename Read, typename... Values>
  static auto value_of() {
    using Found = std::invoke_result_t<Read, CodeReader&, Values...>;
    return std::decay_t<decltype(std::declval<Found>().value())>();
  }

  template <typename Row>
  void append(std::size_t member, std::vector<Row> rows, std::vector<Row>& all) const {
    unite(member, rows);
    all.insert(all.end(), std::move_iterator(rows.begin()), std::move_iterator(rows.end()));
  }

  // Gives the ids and paths of a row their united form.
  template <typename Row>
  void unite(std::size_t member, std::vector<Row>& rows) const {
    for (Row& row : rows) unite(member, row);
  }
  template <typename Row>
  void unite(std::size_t member, std::optional<Row>& row) const {
    if (row) unite(member, *row);
  }
  void unite(std::size_t, std::string&) const {}
  void unite(std::size_t, std::size_t&) const {}
  void unite(std::size_t member, FileId& id) const { id = united_id(member, id); }
  void unite(std::size_t member, SymbolId& id) const { id = united_id(member, id); }
  void unite(std::size_t member, ChunkId& id) const { id = united_id(member, id); }
  void unite(std::size_t member, WordFile& file) const { unite(member, file.id); }
  void unite(std::size_t member, SkippedFile& file) const {
    file.path = united_path(members_[member].name, file.path);
  }
  void unite(std::size_t member, FileRow& row) const {
    unite(member, row.id);
    row.path = united_path(members_[member].name, row.path);
  }
  void unite(std::size_t member, SymbolRow& row) const {
    unite(member, row.id);
    unite(member, row.parent);
  }
  void unite(std::size_t member, ChunkRow& row) const {
    unite(member, row.id);
    unite(member, row.symbol);
  }
  void unite(std::size_t member, DependencyRow& row) const {
    unite(member, row.source);
    if (!row.target) return;
    unite(member, row.target);
    // A folder of the repository (graph/imports/packages.h); "./" is its root.
    if (row.package.ends_with('/')) {
      row.package = united_path(members_[member].name, row.package == "./" ? "" : row.package);
      if (!row.package.ends_with('/')) row.package += '/';
    }
  }

 public:
  Union(std::vector<UnitedMember> members, std::shared_ptr<const CrossLinks> links)
      : UnitedReader(std::move(members), std::move(links)) {}

  Result<ReadMoment> begin_read() override {
    ReadMoment all;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
      CODEXMEM_ASSIGN(ReadMoment moment, reader.begin_read());
      all.hold(std::move(moment));
      return {};
    }));
    return all;
  }

  // Changes with the generation of a member, and when a member comes or goes.
  Result<std::int64_t> generation() override {
    constexpr std::uint64_t kFactor = 1'000'003;
    std::uint64_t mixed = links_ == nullptr ? 0 : 1;
    std::size_t next = 0;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
      CODEXMEM_ASSIGN(const std::int64_t own, reader.generation());
      for (; next < member; ++next) mixed *= kFactor;  // members that cannot be read
      mixed = mixed * kFactor + static_cast<std::uint64_t>(own) + 1;
      next = member + 1;
      return {};
    }));
    return static_cast<std::int64_t>(mixed & INT64_MAX);
  }

  // ---- Files

  Result<std::vector<FileRow>> list_files() override { return of_all(&CodeReader::list_files); }

  Result<void> visit_files(const std::function<void(const FileStamp&)>& visit) override {
    return each([&](CodeReader& reader, std::size_t member) {
      return reader.visit_files([&](const FileStamp& file) {
        const std::string path = united_path(members_[member].name, file.path);
        visit({united_id(member, file.id), path, file.generation});
      });
    });
  }

  Result<std::vector<FileRow>> list_files_after(std::string_view path, std::size_t limit) override {
    std::vector<FileRow> all;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
      const std::string root = member_folder(members_[member].name) + "/";
      if (all.size() == limit || (path > root && !path.starts_with(root))) return {};
      const std::string_view after = path > root ? path.substr(root.size()) : "";
      CODEXMEM_ASSIGN(auto rows, reader.list_files_after(after, limit - all.size()));
      append(member, std::move(rows), all);
      return {};
    }));
    return all;
  }

  Result<std::vector<FileRow>> list_files_in(std::string_view folder) override {
    return of_path(folder, &CodeReader::list_files_in);
  }

  Result<std::optional<FileRow>> find_file(std::string_view path) override {
    return of_path(path,
                   [](CodeReader& reader, std::string_view own) { return reader.find_file(own); });
  }

  Result<std::optional<FileRow>> find_file(FileId id) override {
    return of_file(id, static_cast<FindFile>(&CodeReader::find_file));
  }

  Result<std::vector<FileId>> list_files_with_hash(std::string_view hash) override {
    return of_all(&CodeReader::list_files_with_hash, hash);
  }

  Result<std::optional<std::string>> find_content(FileId id) override {
    return of_file(id, &CodeReader::find_content);
  }

  Result<std::optional<std::string>> find_facts(FileId id) override {
    return of_file(id, &CodeReader::find_facts);
  }

  // (Its targets are steps between ids, which are the same here.)
  Result<std::optional<std::string>> find_compiler_uses(FileId id) override {
    return of_file(id, &CodeReader::find_compiler_uses);
  }

  Result<void> visit_trigrams(const std::function<void(FileId, std::string_view)>& visit) override {
    return each([&](CodeReader& reader, std::size_t member) {
      return reader.visit_trigrams(
          [&](FileId id, std::string_view filter) { visit(united_id(member, id), filter); });
    });
  }

  Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier) override {
    return of_all(&CodeReader::list_files_with_identifier, identifier);
  }

  Result<std::vector<WordFile>> list_files_with_word(std::string_view word) override {
    return of_all(&CodeReader::list_files_with_word, word);
  }

  Result<std::vector<SkippedFile>> list_skipped() override {
    return of_all(&CodeReader::list_skipped);
  }

  Result<std::optional<SkippedFile>> find_skipped(std::string_view path) override {
    return of_path(path, &CodeReader::find_skipped);
  }

  Result<std::size_t> count_skipped() override {
    std::size_t all = 0;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
      CODEXMEM_ASSIGN(const std::size_t count, reader.count_skipped());
      all += count;
      return {};
    }));
    return all;
  }

  Result<std::vector<LanguageCount>> count_languages() override {
    std::map<std::string, LanguageCount> all;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
      CODEXMEM_ASSIGN(const auto counts, reader.count_languages());
      for (const LanguageCount& count : counts) {
        LanguageCount& sum = all[count.language];
        sum.language = count.language;
        sum.files += count.files;
        sum.files_unparsed += count.files_unparsed;
      }
      return {};
    }));
    std::vector<LanguageCount> counts;
    for (auto& [language, count] : all) counts.push_back(std::move(count));
    return counts;
  }

  Result<StoreCounts> counts() override {
    StoreCounts all;
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
      CODEXMEM_ASSIGN(const StoreCounts own, reader.counts());
      for (const auto member : kTotals) all.*member += own.*member;
      return {};
    }));
    return all;
  }

  // ---- Symbols

  Result<std::vector<SymbolRow>> list_symbols(FileId file) override {
    return of_file(file, &CodeReader::list_symbols);
  }

  Result<std::optional<SymbolRow>> find_symbol(SymbolId id) override {
    return of_file(file_of(id),
                   [&](CodeReader& reader, FileId) { return reader.find_symbol(own_id(id)); });
  }

  Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name) override {
    return of_all(&CodeReader::list_symbols_named, name);
  }

  Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(std::string_view name) override {
    return of_all(&CodeReader::list_symbols_named_ignoring_case, name);
  }

  Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit) override {
    return each([&](CodeReader& reader, std::size_t) { return reader.visit_symbol_names(visit); });
  }

  Result<std::vector<std::string>> list_symbol_names() override {
    CODEXMEM_ASSIGN(auto names,
                    of_all([](CodeReader& reader) { return reader.list_symbol_names(); }));
    std::ranges::sort(names);
    return distinct(std::move(names));
  }

  Result<std::vector<std::string>> list_symbol_names(std::string_view prefix,
                                                     std::size_t limit) override {
    CODEXMEM_ASSIGN(auto names, of_all([&](CodeReader& reader) {
                      return reader.list_symbol_names(prefix, limit);
                    }));
    std::ranges::sort(
        names, {}, [](const std::string& name) { return std::pair(to_lower_ascii(name), name); });
    names = distinct(std::move(names));
    names.resize(std::min(names.size(), limit));
    return names;
  }

  Result<void> visit_definitions(std::optional<FileId> file,
                                 const std::function<void(const DefinitionName&)>& visit) override {
    return each([&](CodeReader& reader, std::size_t member) -> Result<void> {
      if (file && member_of(*file) != member) return {};
      return reader.visit_definitions(file ? std::optional(own_id(*file)) : std::nullopt,
                                      [&](const DefinitionName& own) {
                                        DefinitionName definition = own;
                                        definition.id = united_id(member, own.id);
                                        visit(definition);
                                      });
    });
  }

  Result<void> visit_identifiers(
      const std::function<void(std::string_view, FileId)>& visit) override {
    return each([&](CodeReader& reader, std::size_t member) {
      return reader.visit_identifiers(
          [&](std::string_view name, FileId id) { visit(name, united_id(member, id)); });
    });
  }

  Result<std::vector<ChunkRow>> list_chunks(FileId file) override {
    return of_file(file, &CodeReader::list_chunks);
  }

  // ---- Dependencies

  Result<std::vector<DependencyRow>> list_dependencies(FileId source) override {
    CODEXMEM_ASSIGN(auto rows, of_file(source, &CodeReader::list_dependencies));
    return links_ == nullptr ? rows : with_links(std::move(rows), links_->from(source));
  }

  Result<std::size_t> count_unresolved_imports(FileId source) override {
    if (links_ == nullptr || links_->from(source).empty()) {
      return of_file(source, &CodeReader::count_unresolved_imports);
    }
    CODEXMEM_ASSIGN(const auto rows, list_dependencies(source));
    return static_cast<std::size_t>(std::ranges::count_if(
        rows, [](const DependencyRow& row) { return !row.target && !row.is_external; }));
  }

  Result<std::vector<DependencyRow>> list_dependents(FileId target) override {
    CODEXMEM_ASSIGN(auto rows, of_file(target, &CodeReader::list_dependents));
    if (links_ == nullptr) return rows;
    for (DependencyRow& link : links_->to(target)) rows.push_back(std::move(link));
    std::ranges::stable_sort(rows, comes_before);
    return rows;
  }

  Result<std::vector<DependencyRow>> list_all_dependencies() override {
    CODEXMEM_ASSIGN(auto rows, of_all(&CodeReader::list_all_dependencies));
    return links_ == nullptr ? rows : with_links(std::move(rows), links_->all());
  }

  Result<void> visit_imports(const std::function<void(FileId, FileId)>& visit) override {
    CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) {
      return reader.visit_imports([&](FileId source, FileId target) {
        visit(united_id(member, source), united_id(member, target));
      });
    }));
    if (links_ == nullptr) return {};
    std::set<std::pair<FileId, FileId>> pairs;
    for (const DependencyRow& link : links_->all()) pairs.emplace(link.source, *link.target);
    for (const auto& [source, target] : pairs) visit(source, target);
    return {};
  }
};

}  // namespace

UnitedReader::UnitedReader(std::vector<UnitedMember> members,
                           std::shared_ptr<const CrossLinks> links)
    : members_(std::move(members)), links_(std::move(links)) {
  CODEXMEM_CHECK(members_.size() <= kMaxMembers);
}

std::unique_ptr<UnitedReader> UnitedReader::make(std::vector<UnitedMember> members,
                                                 std::shared_ptr<const CrossLinks> links) {
  return std::make_unique<Union>(std::move(members), std::move(links));
}

}  // namespace codexmem::store
