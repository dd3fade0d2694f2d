// A member's rows are asked for with its own ids and paths, and given out with united ones. Members
// are in the order of their folders, and their numbers too, so lists by path and by id are one
// member's after another's.
//
// Tested by store/united_reader_test.cpp.
#include "store/code/united_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"

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

UnitedReader::UnitedReader(std::vector<UnitedMember> members,
                           std::shared_ptr<const CrossLinks> links)
    : members_(std::move(members)), links_(std::move(links)) {
  CODEXMEM_CHECK(members_.size() <= kMostMembers);
}

CodeReader* UnitedReader::reader_of(FileId id) const {
  const std::size_t member = member_of(id);
  return member < members_.size() ? members_[member].reader : nullptr;
}

template <typename Read>
Result<void> UnitedReader::each(Read read) const {
  for (std::size_t member = 0; member < members_.size(); ++member) {
    if (members_[member].reader == nullptr) continue;
    Result<void> done = read(*members_[member].reader, member);
    if (!done.ok()) return std::move(done).error().with_context(members_[member].name);
  }
  return {};
}

template <typename Row, typename List>
Result<std::vector<Row>> UnitedReader::join_lists(List list) const {
  std::vector<Row> all;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    CODEXMEM_ASSIGN(auto rows, list(reader));
    all.reserve(all.size() + rows.size());
    for (auto& row : rows) all.push_back(united(member, std::move(row)));
    return {};
  }));
  return all;
}

FileRow UnitedReader::united(std::size_t member, FileRow row) const {
  row.id = united_id(member, row.id);
  row.path = united_path(members_[member].name, row.path);
  return row;
}

SkippedFile UnitedReader::united(std::size_t member, SkippedFile file) const {
  file.path = united_path(members_[member].name, file.path);
  return file;
}

FileId UnitedReader::united(std::size_t member, FileId id) const { return united_id(member, id); }

SymbolRow UnitedReader::united(std::size_t member, SymbolRow row) const {
  row.id = united_id(member, row.id);
  if (row.parent) row.parent = united_id(member, *row.parent);
  return row;
}

ChunkRow UnitedReader::united(std::size_t member, ChunkRow row) const {
  row.id = united_id(member, row.id);
  if (row.symbol) row.symbol = united_id(member, *row.symbol);
  return row;
}

DependencyRow UnitedReader::united(std::size_t member, DependencyRow row) const {
  row.source = united_id(member, row.source);
  if (!row.target) return row;
  row.target = united_id(member, *row.target);
  // A folder of the repository (graph/packages.h); "./" is its root.
  if (row.package.ends_with('/')) {
    row.package = united_path(members_[member].name, row.package == "./" ? "" : row.package);
    if (!row.package.ends_with('/')) row.package += '/';
  }
  return row;
}

Result<ReadMoment> UnitedReader::begin_read() {
  ReadMoment all;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
    CODEXMEM_ASSIGN(ReadMoment moment, reader.begin_read());
    all.hold(std::move(moment));
    return {};
  }));
  return all;
}

Result<std::int64_t> UnitedReader::generation() {
  constexpr std::uint64_t kFactor = 1'000'003;
  std::uint64_t mixed = links_ == nullptr ? 0 : 1;
  std::size_t next = 0;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    CODEXMEM_ASSIGN(const std::int64_t own, reader.generation());
    for (; next < member; ++next) mixed *= kFactor;  // those that cannot be read
    mixed = mixed * kFactor + static_cast<std::uint64_t>(own) + 1;
    next = member + 1;
    return {};
  }));
  return static_cast<std::int64_t>(mixed & INT64_MAX);
}

Result<std::vector<FileRow>> UnitedReader::list_files() {
  return join_lists<FileRow>([](CodeReader& reader) { return reader.list_files(); });
}

Result<void> UnitedReader::visit_files(const std::function<void(const FileStamp&)>& visit) {
  return each([&](CodeReader& reader, std::size_t member) {
    return reader.visit_files([&](const FileStamp& file) {
      const std::string path = united_path(members_[member].name, file.path);
      visit({united_id(member, file.id), path, file.generation});
    });
  });
}

Result<std::vector<FileRow>> UnitedReader::list_files_after(std::string_view path,
                                                            std::size_t limit) {
  std::vector<FileRow> all;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    const std::string root = member_folder(members_[member].name) + "/";
    if (all.size() == limit || (path > root && !path.starts_with(root))) return {};
    const std::string_view after = path > root ? path.substr(root.size()) : "";
    CODEXMEM_ASSIGN(auto rows, reader.list_files_after(after, limit - all.size()));
    for (FileRow& row : rows) all.push_back(united(member, std::move(row)));
    return {};
  }));
  return all;
}

Result<std::vector<FileRow>> UnitedReader::list_files_in(std::string_view folder) {
  std::vector<FileRow> all;
  const auto split = split_united_path(folder);
  if (!split) return all;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    if (members_[member].name != split->name) return {};
    CODEXMEM_ASSIGN(auto rows, reader.list_files_in(split->path));
    for (FileRow& row : rows) all.push_back(united(member, std::move(row)));
    return {};
  }));
  return all;
}

Result<std::optional<FileRow>> UnitedReader::find_file(std::string_view path) {
  std::optional<FileRow> found;
  const auto split = split_united_path(path);
  if (!split) return found;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    if (members_[member].name != split->name) return {};
    CODEXMEM_ASSIGN(auto row, reader.find_file(split->path));
    if (row) found = united(member, *std::move(row));
    return {};
  }));
  return found;
}

Result<std::optional<FileRow>> UnitedReader::find_file(FileId id) {
  CodeReader* const reader = reader_of(id);
  if (reader == nullptr) return std::optional<FileRow>();
  CODEXMEM_ASSIGN(auto row, reader->find_file(own_id(id)));
  if (row) row = united(member_of(id), *std::move(row));
  return row;
}

Result<std::vector<FileId>> UnitedReader::list_files_with_hash(std::string_view hash) {
  return join_lists<FileId>([&](CodeReader& reader) { return reader.list_files_with_hash(hash); });
}

Result<std::optional<std::string>> UnitedReader::find_content(FileId id) {
  CodeReader* const reader = reader_of(id);
  if (reader == nullptr) return std::optional<std::string>();
  return reader->find_content(own_id(id));
}

Result<std::optional<std::string>> UnitedReader::find_facts(FileId id) {
  CodeReader* const reader = reader_of(id);
  if (reader == nullptr) return std::optional<std::string>();
  return reader->find_facts(own_id(id));
}

Result<void> UnitedReader::visit_trigrams(
    const std::function<void(FileId, std::string_view)>& visit) {
  return each([&](CodeReader& reader, std::size_t member) {
    return reader.visit_trigrams(
        [&](FileId id, std::string_view filter) { visit(united_id(member, id), filter); });
  });
}

Result<std::vector<FileId>> UnitedReader::list_files_with_identifier(std::string_view identifier) {
  return join_lists<FileId>(
      [&](CodeReader& reader) { return reader.list_files_with_identifier(identifier); });
}

Result<std::vector<SkippedFile>> UnitedReader::list_skipped() {
  return join_lists<SkippedFile>([](CodeReader& reader) { return reader.list_skipped(); });
}

Result<std::optional<SkippedFile>> UnitedReader::find_skipped(std::string_view path) {
  std::optional<SkippedFile> found;
  const auto split = split_united_path(path);
  if (!split) return found;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t member) -> Result<void> {
    if (members_[member].name != split->name) return {};
    CODEXMEM_ASSIGN(auto file, reader.find_skipped(split->path));
    if (file) found = united(member, *std::move(file));
    return {};
  }));
  return found;
}

Result<std::size_t> UnitedReader::count_skipped() {
  std::size_t all = 0;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
    CODEXMEM_ASSIGN(const std::size_t count, reader.count_skipped());
    all += count;
    return {};
  }));
  return all;
}

Result<std::vector<LanguageCount>> UnitedReader::count_languages() {
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

Result<StoreCounts> UnitedReader::counts() {
  StoreCounts all;
  CODEXMEM_TRY(each([&](CodeReader& reader, std::size_t) -> Result<void> {
    CODEXMEM_ASSIGN(const StoreCounts own, reader.counts());
    all.files += own.files;
    all.symbols += own.symbols;
    all.chunks += own.chunks;
    all.vectors += own.vectors;
    all.dependencies += own.dependencies;
    all.skipped += own.skipped;
    all.source_bytes += own.source_bytes;
    all.lines += own.lines;
    return {};
  }));
  return all;
}

Result<std::vector<SymbolRow>> UnitedReader::list_symbols(FileId file) {
  std::vector<SymbolRow> all;
  CodeReader* const reader = reader_of(file);
  if (reader == nullptr) return all;
  CODEXMEM_ASSIGN(all, reader->list_symbols(own_id(file)));
  for (SymbolRow& row : all) row = united(member_of(file), std::move(row));
  return all;
}

Result<std::optional<SymbolRow>> UnitedReader::find_symbol(SymbolId id) {
  CodeReader* const reader = reader_of(file_of(id));
  if (reader == nullptr) return std::optional<SymbolRow>();
  CODEXMEM_ASSIGN(auto row, reader->find_symbol(own_id(id)));
  if (row) row = united(member_of(file_of(id)), *std::move(row));
  return row;
}

Result<std::vector<SymbolRow>> UnitedReader::list_symbols_named(std::string_view name) {
  return join_lists<SymbolRow>([&](CodeReader& reader) { return reader.list_symbols_named(name); });
}

Result<std::vector<SymbolRow>> UnitedReader::list_symbols_named_ignoring_case(
    std::string_view name) {
  return join_lists<SymbolRow>(
      [&](CodeReader& reader) { return reader.list_symbols_named_ignoring_case(name); });
}

Result<void> UnitedReader::visit_symbol_names(const std::function<void(std::string_view)>& visit) {
  return each([&](CodeReader& reader, std::size_t) { return reader.visit_symbol_names(visit); });
}

Result<std::vector<std::string>> UnitedReader::list_symbol_names() {
  CODEXMEM_ASSIGN(auto names, join_lists<std::string>(
                                  [](CodeReader& reader) { return reader.list_symbol_names(); }));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::vector<std::string>> UnitedReader::list_symbol_names(std::string_view prefix,
                                                                 std::size_t limit) {
  CODEXMEM_ASSIGN(auto names, join_lists<std::string>([&](CodeReader& reader) {
                    return reader.list_symbol_names(prefix, limit);
                  }));
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    const std::string lower_a = to_lower_ascii(a), lower_b = to_lower_ascii(b);
    return std::tie(lower_a, a) < std::tie(lower_b, b);
  });
  names.erase(std::unique(names.begin(), names.end()), names.end());
  names.resize(std::min(names.size(), limit));
  return names;
}

Result<void> UnitedReader::visit_definitions(
    std::optional<FileId> file, const std::function<void(const DefinitionName&)>& visit) {
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

Result<void> UnitedReader::visit_identifiers(
    const std::function<void(std::string_view, FileId)>& visit) {
  return each([&](CodeReader& reader, std::size_t member) {
    return reader.visit_identifiers(
        [&](std::string_view name, FileId id) { visit(name, united_id(member, id)); });
  });
}

Result<std::vector<ChunkRow>> UnitedReader::list_chunks(FileId file) {
  std::vector<ChunkRow> all;
  CodeReader* const reader = reader_of(file);
  if (reader == nullptr) return all;
  CODEXMEM_ASSIGN(all, reader->list_chunks(own_id(file)));
  for (ChunkRow& row : all) row = united(member_of(file), row);
  return all;
}

Result<std::vector<DependencyRow>> UnitedReader::list_dependencies(FileId source) {
  std::vector<DependencyRow> rows;
  CodeReader* const reader = reader_of(source);
  if (reader == nullptr) return rows;
  CODEXMEM_ASSIGN(rows, reader->list_dependencies(own_id(source)));
  for (DependencyRow& row : rows) row = united(member_of(source), std::move(row));
  if (links_ == nullptr) return rows;
  return with_links(std::move(rows), links_->from(source));
}

Result<std::size_t> UnitedReader::count_unresolved_imports(FileId source) {
  CodeReader* const reader = reader_of(source);
  if (reader == nullptr) return std::size_t{0};
  if (links_ == nullptr || links_->from(source).empty()) {
    return reader->count_unresolved_imports(own_id(source));
  }
  CODEXMEM_ASSIGN(const auto rows, list_dependencies(source));
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [](const DependencyRow& row) { return !row.target && !row.is_external; }));
}

Result<std::vector<DependencyRow>> UnitedReader::list_dependents(FileId target) {
  std::vector<DependencyRow> rows;
  CodeReader* const reader = reader_of(target);
  if (reader == nullptr) return rows;
  CODEXMEM_ASSIGN(rows, reader->list_dependents(own_id(target)));
  for (DependencyRow& row : rows) row = united(member_of(target), std::move(row));
  if (links_ == nullptr) return rows;
  for (DependencyRow& link : links_->to(target)) rows.push_back(std::move(link));
  std::ranges::stable_sort(rows, comes_before);
  return rows;
}

Result<std::vector<DependencyRow>> UnitedReader::list_all_dependencies() {
  CODEXMEM_ASSIGN(auto rows, join_lists<DependencyRow>([](CodeReader& reader) {
                    return reader.list_all_dependencies();
                  }));
  if (links_ == nullptr) return rows;
  return with_links(std::move(rows), links_->all());
}

Result<void> UnitedReader::visit_imports(const std::function<void(FileId, FileId)>& visit) {
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

}  // namespace codexmem::store
