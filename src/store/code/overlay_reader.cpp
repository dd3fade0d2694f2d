// Each read is the store's without the files that are laid over it, and theirs.
//
// Tested by index/open_texts_test.cpp.
#include "store/code/overlay_reader.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/text.h"

namespace codexmem::store {
namespace {

// Above the generations of stores, which count their changes.
constexpr int kVersionShift = 32;

FileId file_of(FileId id) { return id; }
FileId file_of(const WordFile& file) { return file.id; }
FileId file_of(const SymbolRow& symbol) { return store::file_of(symbol.id); }
FileId file_of(const FileRow& file) { return file.id; }
FileId file_of(const DependencyRow& row) { return row.source; }

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

class OverlayReader final : public CodeReader {
 public:
  OverlayReader(CodeReader& base, std::shared_ptr<const Overlay> overlay)
      : base_(base), overlay_(std::move(overlay)) {}

  Result<ReadMoment> begin_read() override { return base_.begin_read(); }

  Result<std::int64_t> generation() override {
    CODEXMEM_ASSIGN(const std::int64_t own, base_.generation());
    return own + overlaid_generation(overlay_->version);
  }

  // ---- Files

  Result<std::vector<FileRow>> list_files() override {
    return with_files(base_.list_files(), [](const FileRow&) { return true; });
  }

  Result<void> visit_files(const std::function<void(const FileStamp&)>& visit) override {
    CODEXMEM_ASSIGN(const auto files, list_files());
    for (const FileRow& file : files) visit({file.id, file.path, file.generation});
    return {};
  }

  Result<std::vector<FileRow>> list_files_after(std::string_view path, std::size_t limit) override {
    CODEXMEM_ASSIGN(auto files, with_files(base_.list_files_after(path, limit),
                                           [&](const FileRow& file) { return file.path > path; }));
    if (files.size() > limit) files.resize(limit);
    return files;
  }

  Result<std::vector<FileRow>> list_files_in(std::string_view folder) override {
    return with_files(base_.list_files_in(folder),
                      [&](const FileRow& file) { return folder_of(file.path) == folder; });
  }

  Result<std::optional<FileRow>> find_file(std::string_view path) override {
    for (const auto& [id, file] : overlay_->files) {
      if (file->record.file.path == path) return std::optional(file->record.file);
    }
    return base_.find_file(path);
  }

  Result<std::optional<FileRow>> find_file(FileId id) override {
    const OverlaidFile* own = find(id);
    return own != nullptr ? std::optional(own->record.file) : base_.find_file(id);
  }

  Result<std::vector<FileId>> list_files_with_hash(std::string_view hash) override {
    return without_own(base_.list_files_with_hash(hash));
  }

  Result<std::optional<std::string>> find_content(FileId id) override {
    const OverlaidFile* own = find(id);
    return own != nullptr ? std::optional(own->record.content) : base_.find_content(id);
  }

  Result<std::optional<std::string>> find_facts(FileId id) override {
    const OverlaidFile* own = find(id);
    return own != nullptr ? std::optional(own->record.facts) : base_.find_facts(id);
  }

  // (A compiler has not seen a text that is not saved.)
  Result<std::optional<std::string>> find_compiler_uses(FileId id) override {
    if (find(id) != nullptr) return std::optional<std::string>();
    return base_.find_compiler_uses(id);
  }

  Result<void> visit_trigrams(const std::function<void(FileId, std::string_view)>& visit) override {
    CODEXMEM_TRY(base_.visit_trigrams([&](FileId id, std::string_view filter) {
      if (find(id) == nullptr) visit(id, filter);
    }));
    for (const auto& [id, file] : overlay_->files) visit(id, {});
    return {};
  }

  Result<std::vector<FileId>> list_files_with_identifier(std::string_view identifier) override {
    std::string_view longest;
    for (const std::string_view word : split(identifier, ' ')) {
      if (word.size() > longest.size()) longest = word;
    }
    CODEXMEM_ASSIGN(auto files, without_own(base_.list_files_with_identifier(identifier)));
    for (const auto& [id, file] : overlay_->files) {
      if (std::ranges::binary_search(file->identifiers, longest)) files.push_back(id);
    }
    std::ranges::sort(files);
    return files;
  }

  Result<std::vector<WordFile>> list_files_with_word(std::string_view word) override {
    CODEXMEM_ASSIGN(auto files, without_own(base_.list_files_with_word(word)));
    for (const auto& [id, file] : overlay_->files) {
      if (has_word(file->record.content, word)) files.push_back({id, UINT32_MAX});
    }
    std::ranges::sort(files, {}, &WordFile::id);
    return files;
  }

  Result<std::vector<SkippedFile>> list_skipped() override { return base_.list_skipped(); }
  Result<std::optional<SkippedFile>> find_skipped(std::string_view path) override {
    return base_.find_skipped(path);
  }
  Result<std::size_t> count_skipped() override { return base_.count_skipped(); }
  Result<std::vector<LanguageCount>> count_languages() override { return base_.count_languages(); }
  Result<StoreCounts> counts() override { return base_.counts(); }

  // ---- Symbols

  Result<std::vector<SymbolRow>> list_symbols(FileId file) override {
    const OverlaidFile* own = find(file);
    return own != nullptr ? own->record.symbols : base_.list_symbols(file);
  }

  Result<std::optional<SymbolRow>> find_symbol(SymbolId id) override {
    const OverlaidFile* own = find(store::file_of(id));
    if (own == nullptr) return base_.find_symbol(id);
    const std::uint32_t ordinal = ordinal_of(id);
    if (ordinal >= own->record.symbols.size()) return std::optional<SymbolRow>();
    return std::optional(own->record.symbols[ordinal]);
  }

  Result<std::vector<SymbolRow>> list_symbols_named(std::string_view name) override {
    return with_symbols(base_.list_symbols_named(name),
                        [&](const SymbolRow& symbol) { return symbol.name == name; });
  }

  Result<std::vector<SymbolRow>> list_symbols_named_ignoring_case(std::string_view name) override {
    return with_symbols(base_.list_symbols_named_ignoring_case(name),
                        [&, lower = to_lower_ascii(name)](const SymbolRow& symbol) {
                          return to_lower_ascii(symbol.name) == lower;
                        });
  }

  // (Also the names of the texts below: one that is gone has no symbols.)
  Result<void> visit_symbol_names(const std::function<void(std::string_view)>& visit) override {
    CODEXMEM_TRY(base_.visit_symbol_names(visit));
    each_symbol([&](const SymbolRow& symbol) { visit(symbol.name); });
    return {};
  }

  Result<std::vector<std::string>> list_symbol_names() override {
    CODEXMEM_ASSIGN(auto all, base_.list_symbol_names());
    std::set<std::string> names(std::move_iterator(all.begin()), std::move_iterator(all.end()));
    each_symbol([&](const SymbolRow& symbol) { names.insert(symbol.name); });
    return std::vector<std::string>(names.begin(), names.end());
  }

  Result<std::vector<std::string>> list_symbol_names(std::string_view prefix,
                                                     std::size_t limit) override {
    CODEXMEM_ASSIGN(auto names, base_.list_symbol_names(prefix, limit));
    const std::string wanted = to_lower_ascii(prefix);
    each_symbol([&](const SymbolRow& symbol) {
      const bool is_known = std::ranges::find(names, symbol.name) != names.end();
      if (!is_known && to_lower_ascii(symbol.name).starts_with(wanted)) {
        names.push_back(symbol.name);
      }
    });
    std::ranges::stable_sort(names, {},
                             [](const std::string& name) { return to_lower_ascii(name); });
    if (names.size() > limit) names.resize(limit);
    return names;
  }

  Result<void> visit_definitions(std::optional<FileId> file,
                                 const std::function<void(const DefinitionName&)>& visit) override {
    CODEXMEM_TRY(base_.visit_definitions(file, [&](const DefinitionName& definition) {
      if (find(store::file_of(definition.id)) == nullptr) visit(definition);
    }));
    each_symbol([&](const SymbolRow& symbol) {
      if (file && store::file_of(symbol.id) != *file) return;
      visit({symbol.id, symbol.name, symbol.type, symbol.kind, symbol.range.begin});
    });
    return {};
  }

  Result<void> visit_identifiers(
      const std::function<void(std::string_view, FileId)>& visit) override {
    CODEXMEM_TRY(base_.visit_identifiers([&](std::string_view name, FileId id) {
      if (find(id) == nullptr) visit(name, id);
    }));
    for (const auto& [id, file] : overlay_->files) {
      for (const std::string& name : file->identifiers) visit(name, id);
    }
    return {};
  }

  Result<std::vector<ChunkRow>> list_chunks(FileId file) override {
    const OverlaidFile* own = find(file);
    return own != nullptr ? own->record.chunks : base_.list_chunks(file);
  }

  // ---- Dependencies

  Result<std::vector<DependencyRow>> list_dependencies(FileId source) override {
    const OverlaidFile* own = find(source);
    return own != nullptr ? own->dependencies : base_.list_dependencies(source);
  }

  Result<std::size_t> count_unresolved_imports(FileId source) override {
    const OverlaidFile* own = find(source);
    if (own == nullptr) return base_.count_unresolved_imports(source);
    return static_cast<std::size_t>(std::ranges::count_if(
        own->dependencies,
        [](const DependencyRow& row) { return !row.target && !row.is_external; }));
  }

  Result<std::vector<DependencyRow>> list_dependents(FileId target) override {
    return with_dependencies(base_.list_dependents(target),
                             [&](const DependencyRow& row) { return row.target == target; });
  }

  Result<std::vector<DependencyRow>> list_all_dependencies() override {
    return with_dependencies(base_.list_all_dependencies(),
                             [](const DependencyRow&) { return true; });
  }

  Result<void> visit_imports(const std::function<void(FileId, FileId)>& visit) override {
    CODEXMEM_TRY(base_.visit_imports([&](FileId source, FileId target) {
      if (find(source) == nullptr) visit(source, target);
    }));
    std::set<std::pair<FileId, FileId>> pairs;
    for (const auto& [id, file] : overlay_->files) {
      for (const DependencyRow& row : file->dependencies) {
        if (row.target && *row.target != id) pairs.emplace(id, *row.target);
      }
    }
    for (const auto& [source, target] : pairs) visit(source, target);
    return {};
  }

 private:
  const OverlaidFile* find(FileId id) const {
    const auto found = overlay_->files.find(id);
    return found == overlay_->files.end() ? nullptr : found->second.get();
  }

  template <typename Visit>
  void each_symbol(Visit visit) const {
    for (const auto& [id, file] : overlay_->files) {
      for (const SymbolRow& symbol : file->record.symbols) visit(symbol);
    }
  }

  // `rows` of the store, without the overlaid files' rows.
  template <typename Row>
  Result<std::vector<Row>> without_own(Result<std::vector<Row>> rows) const {
    if (rows.ok()) std::erase_if(*rows, [&](const Row& row) { return find(file_of(row)); });
    return rows;
  }

  template <typename Wanted>
  Result<std::vector<FileRow>> with_files(Result<std::vector<FileRow>> rows, Wanted wanted) const {
    CODEXMEM_ASSIGN(auto files, without_own(std::move(rows)));
    for (const auto& [id, file] : overlay_->files) {
      if (wanted(file->record.file)) files.push_back(file->record.file);
    }
    std::ranges::sort(files, {}, &FileRow::path);
    return files;
  }

  template <typename Wanted>
  Result<std::vector<SymbolRow>> with_symbols(Result<std::vector<SymbolRow>> rows,
                                              Wanted wanted) const {
    CODEXMEM_ASSIGN(auto symbols, without_own(std::move(rows)));
    each_symbol([&](const SymbolRow& symbol) {
      if (wanted(symbol)) symbols.push_back(symbol);
    });
    std::ranges::sort(symbols, {}, &SymbolRow::id);
    return symbols;
  }

  template <typename Wanted>
  Result<std::vector<DependencyRow>> with_dependencies(Result<std::vector<DependencyRow>> rows,
                                                       Wanted wanted) const {
    CODEXMEM_ASSIGN(auto all, without_own(std::move(rows)));
    for (const auto& [id, file] : overlay_->files) {
      std::ranges::copy_if(file->dependencies, std::back_inserter(all), wanted);
    }
    std::ranges::stable_sort(
        all, {}, [](const DependencyRow& row) { return std::pair(row.source, row.import_index); });
    return all;
  }

  CodeReader& base_;
  const std::shared_ptr<const Overlay> overlay_;
};

}  // namespace

std::int64_t overlaid_generation(std::int64_t version) { return version << kVersionShift; }

std::unique_ptr<CodeReader> make_overlay_reader(CodeReader& base,
                                                std::shared_ptr<const Overlay> overlay) {
  return std::make_unique<OverlayReader>(base, std::move(overlay));
}

}  // namespace codexmem::store
