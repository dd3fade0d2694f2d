// Tested by index/open_texts_test.cpp.
#include "index/run/open_texts.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"
#include "graph/stored/stored_declarations.h"
#include "index/discovery/file_reader.h"
#include "index/run/indexer.h"
#include "parse/facts/facts_codec.h"
#include "parse/rules/languages.h"
#include "text/line_index.h"

namespace codexmem::index {
namespace {

// Ignored files that configure tools: imports are resolved by them.
Result<std::vector<std::string>> list_unindexed_configurations(store::StoreReader& reader) {
  std::vector<std::string> paths;
  CODEXMEM_ASSIGN(const auto skipped, reader.list_skipped());
  for (const store::SkippedFile& file : skipped) {
    if (file.reason == skip_reason_name(SkipReason::kIgnored) &&
        graph::is_configuration(file.path)) {
      paths.push_back(file.path);
    }
  }
  return paths;
}

// Overlays of one process have different versions, also those of several objects: a FactsCache that
// they share must not take one for the other.
std::int64_t next_version() {
  static std::atomic<std::int64_t> last = 0;
  return ++last;
}

// The words of FileRecord::identifiers, sorted, each once.
std::vector<std::string> words_of(const std::string& identifiers) {
  std::vector<std::string> words;
  for (const std::string_view word : split(identifiers, ' ')) words.emplace_back(word);
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

std::vector<graph::Declaration> OpenTexts::Declarations::find(std::string_view name) {
  return graph::StoredDeclarations(*reader).find(name);
}

std::string OpenTexts::Declarations::package_of(store::FileId file) {
  return graph::StoredDeclarations(*reader).package_of(file);
}

Result<std::unique_ptr<OpenTexts>> OpenTexts::make(const std::filesystem::path& root) {
  CODEXMEM_ASSIGN(RootDirectory opened, RootDirectory::open(root));
  return std::unique_ptr<OpenTexts>(new OpenTexts(std::move(opened)));
}

OpenTexts::OpenTexts(RootDirectory root)
    : root_(std::move(root)), configurations_(root_, nullptr) {}

void OpenTexts::put(const std::string& path, std::string text) {
  OpenText& open = texts_[path];
  open.text = std::move(text);
  open.generation = -1;
}

Result<std::shared_ptr<const store::Overlay>> OpenTexts::over(store::StoreReader& reader) {
  CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
  auto overlay = std::make_shared<store::Overlay>();
  for (auto& [path, open] : texts_) {
    if (open.generation != generation) {
      CODEXMEM_TRY(go_on());
      CODEXMEM_TRY(read(path, open, reader, generation));
      open.generation = generation;
    }
    if (open.file != nullptr) overlay->files.emplace(open.file->record.file.id, open.file);
  }
  if (overlay->files != overlay_->files) {
    if (!overlay->files.empty()) overlay->version = next_version();
    overlay_ = std::move(overlay);
  }
  return overlay_;
}

// Sets `file`. When the store has changed, the facts of this text stay and its imports are resolved
// again.
Result<void> OpenTexts::read(const std::string& path, OpenText& open, store::StoreReader& reader,
                             std::int64_t generation) {
  const bool is_new_text = open.generation < 0;
  const auto before = std::exchange(open.file, nullptr);
  CODEXMEM_ASSIGN(const auto row, reader.find_file(path));
  if (row) {
    CODEXMEM_ASSIGN(const auto content, reader.find_content(row->id));
    if (content == open.text) return {};
  }
  const parse::Language* language = parse::detect_language(path, open.text);
  if (language == nullptr || open.text.size() > IndexOptions().max_file_bytes ||
      open.text.find('\0') != std::string::npos) {
    return {};
  }

  auto made = std::make_shared<store::OverlaidFile>();
  store::FileRecord& record = made->record;
  if (row) record.file = *row;
  record.file.path = path;
  record.file.language = language->name;
  if (!row) {
    auto [known, is_new] = new_ids_.try_emplace(path, store::kFirstOverlaidId);
    if (is_new) {
      known->second =
          static_cast<store::FileId>(static_cast<std::int64_t>(known->second) + new_files_++);
    }
    record.file.id = known->second;
  }
  const bool is_read =
      !is_new_text && before != nullptr && before->record.file.id == record.file.id;
  parse::FileFacts facts;
  if (is_read) {
    CODEXMEM_ASSIGN(facts, parse::decode_facts(before->record.facts));
  } else {
    CODEXMEM_ASSIGN(facts, extractor_.extract(*language, open.text));
  }
  record.file.flags &= ~(store::kFileTruncated | store::kFileUnparsed);
  if (facts.truncated) record.file.flags |= store::kFileTruncated;
  if (!facts.unparsed.empty()) record.file.flags |= store::kFileUnparsed;
  const LineIndex lines(open.text);
  record.file.line_count = lines.line_count();
  CODEXMEM_ASSIGN(made->dependencies,
                  resolve_imports(reader, record.file, facts, lines, generation));
  record.content = open.text;
  CODEXMEM_ASSIGN(record.facts,
                  is_read ? Result(before->record.facts) : parse::encode_facts(facts));
  record.symbols =
      is_read ? before->record.symbols : make_symbol_rows(record.file.id, path, facts, lines);
  for (store::SymbolRow& symbol : record.symbols) {
    if (symbol.modifiers.empty()) symbol.modifiers = "[]";
    symbol.modifier_set = store::ModifierSet(symbol.modifiers);
  }
  made->identifiers = words_of(join(facts.names, " "));
  record.file.generation = store::overlaid_generation(next_version());
  open.file = std::move(made);
  return {};
}

// As an index run resolves them. Of the imports that the store knows of the file only lines change.
Result<std::vector<store::DependencyRow>> OpenTexts::resolve_imports(store::StoreReader& reader,
                                                                     const store::FileRow& file,
                                                                     const parse::FileFacts& facts,
                                                                     const LineIndex& lines,
                                                                     std::int64_t generation) {
  using Rows = std::vector<store::DependencyRow>;
  if (facts.imports.empty()) return Rows();
  const std::vector<std::uint32_t> import_lines = graph::import_lines(facts, lines);
  CODEXMEM_ASSIGN(const auto packed, reader.find_facts(file.id));
  const auto stored = packed ? parse::decode_facts(*packed) : Result(parse::FileFacts());
  if (stored.ok() && have_same_imports(*stored, facts)) {
    CODEXMEM_ASSIGN(Rows rows, reader.list_dependencies(file.id));
    for (store::DependencyRow& row : rows) {
      if (row.import_index < import_lines.size()) row.line = import_lines[row.import_index];
    }
    return rows;
  }
  declarations_.reader = &reader;
  if (!resolver_ || resolver_generation_ != generation) {
    CODEXMEM_ASSIGN(const auto files, reader.list_files());
    std::vector<graph::ProjectFile> snapshot;
    snapshot.reserve(files.size());
    for (const store::FileRow& each : files) {
      snapshot.push_back({each.id, each.path, graph::family_of(each.language)});
    }
    CODEXMEM_ASSIGN(auto unindexed, list_unindexed_configurations(reader));
    resolver_.emplace(snapshot, configurations_, std::move(unindexed), &declarations_);
    resolver_generation_ = generation;
  }
  return resolver_->make_dependencies({file.id, file.path, graph::family_of(file.language)}, facts,
                                      import_lines);
}

}  // namespace codexmem::index
