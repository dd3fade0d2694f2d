// Reads one file: bytes, hash, text, language, facts, rows.
//
// Each step may end the work: an equal hash means unchanged, no text means binary, and an unknown
// language means not indexed. Facts become rows here, on the reader's thread, so that the single
// writing thread only binds and steps.
//
// Tested by index/indexer_test.cpp.
#include "index/discovery/file_reader.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <string_view>

#include "base/hash.h"
#include "text/json.h"
#include "text/line_index.h"
#include "base/log.h"
#include "base/text.h"
#include "text/trigrams.h"
#include "graph/imports/import_resolver.h"
#include "index/discovery/decode.h"
#include "index/discovery/embedded_text.h"
#include "index/discovery/other_indexes.h"
#include "index/discovery/tree_record.h"
#include "index/packs/pack_make.h"
#include "parse/components/component_script.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/rules/languages.h"
#include "parse/text/leading_lines.h"
#include "store/code/chunk_terms.h"

namespace codexmem::index {
namespace {

store::SymbolRow to_row(store::FileId file, const parse::Symbol& symbol, std::uint32_t ordinal,
                        std::string_view path, const LineIndex& lines) {
  store::SymbolRow row;
  row.id = store::symbol_id(file, ordinal);
  row.name = parse::asked_name(symbol, path);
  row.type = symbol.type;
  row.kind = symbol.kind;
  // "a.b.name": the part before the name. The name itself may contain dots.
  const std::string& qualified = symbol.qualified_name;
  if (qualified.size() > symbol.name.size() + 1 && qualified.ends_with(symbol.name)) {
    row.container = qualified.substr(0, qualified.size() - symbol.name.size() - 1);
  }
  if (symbol.parent != parse::kNoIndex) {
    row.parent = store::symbol_id(file, symbol.parent);
  }
  row.range = symbol.range;
  row.start = lines.position_of(symbol.range.begin);
  row.end = lines.position_of(symbol.range.end);
  row.name_byte = symbol.name_range.begin;
  row.name_start = lines.position_of(symbol.name_range.begin);
  row.signature_range = symbol.signature;
  row.docstring_range = symbol.docstring;
  if (!symbol.modifiers.empty()) row.modifiers = dump_json(Json(symbol.modifiers));
  row.exported = symbol.exported;
  return row;
}

// Returns the innermost symbol at each of many places, in source order. A single sweep, because
// symbols may be nested a hundred thousand levels deep.
class SymbolSweep {
 public:
  /// `symbols` must be sorted by begin, enclosing ones first.
  explicit SymbolSweep(const std::vector<parse::Symbol>& symbols) : symbols_(symbols) {}

  /// The innermost symbol that contains byte `offset`; offsets must not decrease between calls.
  std::optional<store::SymbolId> at(std::uint32_t offset) {
    while (next_ < symbols_.size() && symbols_[next_].range.begin <= offset) {
      open_.push_back(next_++);
    }
    while (!open_.empty() && !symbols_[open_.back()].range.contains(offset)) open_.pop_back();
    if (open_.empty()) return std::nullopt;
    return store::symbol_id(store::FileId{0}, open_.back());
  }

 private:
  const std::vector<parse::Symbol>& symbols_;
  std::vector<std::uint32_t> open_;
  std::uint32_t next_ = 0;
};

}  // namespace

std::vector<store::SymbolRow> make_symbol_rows(store::FileId file, std::string_view path,
                                               const parse::FileFacts& facts,
                                               const LineIndex& lines) {
  std::vector<store::SymbolRow> rows;
  rows.reserve(facts.symbols.size());
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    rows.push_back(to_row(file, facts.symbols[i], i, path, lines));
  }
  return rows;
}

bool have_same_imports(const parse::FileFacts& a, const parse::FileFacts& b) {
  const auto name = [](const parse::FileFacts& facts, parse::NameId id) {
    return id < facts.names.size() ? std::string_view(facts.names[id]) : std::string_view();
  };
  const auto is_same_name = [&](const parse::ImportedName& x, const parse::ImportedName& y) {
    return name(a, x.imported) == name(b, y.imported) && name(a, x.local) == name(b, y.local) &&
           (x.local == parse::kNoIndex) == (y.local == parse::kNoIndex) &&
           x.type_only == y.type_only;
  };
  return a.package == b.package &&
         std::ranges::equal(a.imports, b.imports, [&](const auto& x, const auto& y) {
           return x.scope == 0 && y.scope == 0 && x.path == y.path && x.kind == y.kind &&
                  x.type_only == y.type_only && x.conditional == y.conditional &&
                  x.from_import == y.from_import && x.binds_top_package == y.binds_top_package &&
                  std::ranges::equal(x.names, y.names, is_same_name);
         });
}

namespace {

// The packed facts, if a reader of the store will take them and the rows made of them.
Result<std::string> pack(const Result<parse::FileFacts>& facts, std::size_t text_bytes) {
  if (!facts.ok()) return facts.error();
  const auto is_outside = [&](const auto& row) {
    return row.range.begin > row.range.end || row.range.end > text_bytes;
  };
  if (std::ranges::any_of(facts->symbols, is_outside) ||
      std::ranges::any_of(facts->chunks, is_outside)) {
    return Error{ErrorCode::kUnsupported, "its facts lie outside it, which is a fault of codexmem"};
  }
  return parse::encode_facts(*facts);
}

}  // namespace

parse::FileFacts reduce_to_imports(const parse::FileFacts& facts) {
  parse::FileFacts reduced;
  reduced.imports = facts.imports;
  // Imports inside namespaces also need the namespaces' names.
  const bool are_inside = std::ranges::any_of(
      facts.imports, [](const parse::Import& import) { return import.scope != 0; });
  if (are_inside) {
    reduced.scopes = facts.scopes;
    for (parse::Scope& scope : reduced.scopes) {
      if (scope.kind != parse::ScopeKind::kNamespace || scope.symbol == parse::kNoIndex) continue;
      parse::Symbol named;
      named.name = facts.symbols[scope.symbol].name;
      named.qualified_name = facts.symbols[scope.symbol].qualified_name;
      scope.symbol = static_cast<std::uint32_t>(reduced.symbols.size());
      reduced.symbols.push_back(std::move(named));
    }
  }
  std::vector<parse::NameId> used;
  for (const parse::Import& import : facts.imports) {
    for (const parse::ImportedName& name : import.names) {
      used.push_back(name.imported);
      if (name.local != parse::kNoIndex) used.push_back(name.local);
    }
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto renumber = [&](parse::NameId& id) {
    id = static_cast<parse::NameId>(std::lower_bound(used.begin(), used.end(), id) - used.begin());
  };
  for (const parse::NameId id : used) reduced.names.push_back(facts.names[id]);
  for (parse::Import& import : reduced.imports) {
    for (parse::ImportedName& name : import.names) {
      renumber(name.imported);
      if (name.local != parse::kNoIndex) renumber(name.local);
    }
  }
  return reduced;
}

struct FileReader::Impl {
  explicit Impl(const FileReaderContext& shared) : context(shared) {}

  const FileReaderContext& context;
  parse::Extractor extractor;
  TrigramFilterMaker trigrams;
  store::ChunkTermsMaker terms;
  std::optional<store::ReaderLease> lease;
  std::optional<OtherIndexes> others;

  Result<store::StoreReader*> reader() {
    if (!lease) {
      CODEXMEM_ASSIGN(store::ReaderLease lent, context.workspace.reader());
      lease.emplace(std::move(lent));
    }
    return &**lease;
  }

  FileOutcome skip(const FileJob& job, SkipReason reason, std::string detail) const {
    FileOutcome outcome;
    outcome.kind = FileOutcome::Kind::kSkip;
    outcome.skipped = {job.found.path, reason, std::move(detail), job.found.size,
                       time_to_store(job.found.mtime_ns)};
    return outcome;
  }

  // An error that is not caused by the file: the store, memory, a stop.
  FileOutcome fail(const FileJob& job, Error error) const {
    FileOutcome outcome = skip(job, SkipReason::kUnreadable, error.message());
    outcome.kind = FileOutcome::Kind::kFailed;
    outcome.failure = std::move(error);
    return outcome;
  }

  FileOutcome read(const FileJob& job);
  Result<FileOutcome> rename(const FileJob& job, std::int64_t mtime_ns);
  // The outcome if the rows of these bytes are parked; nothing if they are not, or not as this run
  // would write them.
  Result<std::optional<FileOutcome>> revive(const FileJob& job, const store::FileRow& file,
                                            const parse::Language& language, std::string_view text,
                                            std::optional<store::FileId>* parked);
  // Sets what the outcome says of imports.
  Result<void> take_imports(const FileJob& job, const store::FileRow& file,
                            const parse::Language& language, const parse::FileFacts& facts,
                            const LineIndex& lines, FileOutcome& outcome);
  // Sets ImportFacts::rows.
  Result<void> compare_with_known(const FileJob& job, const parse::Language& language,
                                  const parse::FileFacts& facts, FileOutcome& outcome);
  // The facts from a pack or another worktree's index, or else from parsing.
  Result<parse::FileFacts> learn(const store::FileRow& file, const parse::Language& language,
                                 std::string_view text);
  Result<FileOutcome> extract(const FileJob& job, store::FileRow file,
                              const parse::Language& language, DecodedText decoded,
                              std::string_view generated);
};

FileOutcome FileReader::Impl::read(const FileJob& job) {
  const std::string& path = job.found.path;
  if (has_binary_extension(path)) return skip(job, SkipReason::kBinary, "by its name");
  FileStat stat;
  auto bytes = context.root.read(path, context.max_file_bytes, &stat);
  if (!bytes.ok()) {
    if (bytes.error().code() == ErrorCode::kNotFound) return {};
    const bool grew =
        stat.kind == EntryKind::kFile && bytes.error().code() == ErrorCode::kUnsupported;
    return skip(job, grew ? SkipReason::kTooLarge : SkipReason::kUnreadable,
                bytes.error().message());
  }
  store::FileRow file;
  file.path = path;
  file.size = static_cast<std::int64_t>(bytes->size());
  file.mtime_ns = time_to_store(stat.mtime_ns);
  file.hash = sha256_hex(*bytes);
  const bool same_bytes = job.known && job.known->hash == file.hash && !context.force;
  if (same_bytes && job.known->path == path) {
    FileOutcome outcome;
    outcome.kind = FileOutcome::Kind::kTouch;
    outcome.record.file = std::move(file);
    return outcome;
  }

  std::optional<DecodedText> decoded = decode_text(*std::move(bytes));
  if (!decoded) return skip(job, SkipReason::kBinary, "it holds NUL bytes");
  const std::string_view text = decoded->text;
  const parse::Language* language = parse::detect_language(path, text);
  if (language == nullptr) {
    return skip(job, SkipReason::kUnknownType, "no language is known by its name or first line");
  }
  file.language = language->name;
  const std::string_view generated = generated_kind(path, text, language->is_prose);
  if (!generated.empty()) file.flags |= store::kFileGenerated;
  if (decoded->repaired || decoded->encoding != TextEncoding::kUtf8) {
    file.flags |= store::kFileRepaired;
  }
  const bool moved =
      same_bytes && job.known->language == file.language &&
      (job.known->flags & store::kFileGenerated) == (file.flags & store::kFileGenerated);
  std::optional<store::FileId> parked;
  if (!moved) {
    auto revived = revive(job, file, *language, text, &parked);
    if (!revived.ok()) return fail(job, std::move(revived).error());
    if (*revived) return **std::move(revived);
  }
  auto outcome = moved ? rename(job, file.mtime_ns)
                       : extract(job, std::move(file), *language, *std::move(decoded), generated);
  if (outcome.ok()) {
    outcome->parked = parked;
    return *std::move(outcome);
  }
  return fail(job, std::move(outcome).error());
}

Result<FileOutcome> FileReader::Impl::rename(const FileJob& job, std::int64_t mtime_ns) {
  FileOutcome outcome;
  outcome.kind = FileOutcome::Kind::kRename;
  outcome.record.file.path = job.found.path;
  outcome.record.file.mtime_ns = mtime_ns;
  if (context.embedder != nullptr && (job.known->flags & store::kFileGenerated) == 0) {
    // The words of the new path must be indexed.
    CODEXMEM_ASSIGN(store::StoreReader * stored, reader());
    CODEXMEM_ASSIGN(const auto texts, read_embedded_texts(*stored, job.known->id, job.found.path));
    CODEXMEM_ASSIGN(outcome.vectors, make_vectors(*context.embedder, texts, context.stop));
  }
  return outcome;
}

Result<std::optional<FileOutcome>> FileReader::Impl::revive(const FileJob& job,
                                                            const store::FileRow& file,
                                                            const parse::Language& language,
                                                            std::string_view text,
                                                            std::optional<store::FileId>* parked) {
  if (!context.has_parked || context.force) return std::optional<FileOutcome>();
  CODEXMEM_ASSIGN(store::StoreReader * stored, reader());
  CODEXMEM_ASSIGN(const auto row, stored->find_parked(file.path, file.hash));
  if (!row) return std::optional<FileOutcome>();
  *parked = row->id;
  constexpr std::uint32_t kOfText = store::kFileGenerated | store::kFileRepaired;
  if (row->language != file.language || (row->flags & kOfText) != file.flags) {
    return std::optional<FileOutcome>();
  }
  if (context.embedder != nullptr && (file.flags & store::kFileGenerated) == 0) {
    CODEXMEM_ASSIGN(
        const auto vector,
        stored->find_vector(context.model, store::chunk_id(row->id, store::kFileVectorIndex)));
    if (!vector) return std::optional<FileOutcome>();
  }
  const auto content = stored->find_content(row->id);
  if (!content.ok() || *content != text) return std::optional<FileOutcome>();
  CODEXMEM_ASSIGN(const auto facts, read_whole_facts(*stored, row->id));
  if (!facts) return std::optional<FileOutcome>();
  FileOutcome outcome;
  outcome.kind = FileOutcome::Kind::kRevive;
  outcome.parked = row->id;
  CODEXMEM_TRY(take_imports(job, file, language, *facts, LineIndex(text), outcome));
  outcome.record.file = file;
  return std::optional(std::move(outcome));
}

Result<void> FileReader::Impl::take_imports(const FileJob& job, const store::FileRow& file,
                                            const parse::Language& language,
                                            const parse::FileFacts& facts, const LineIndex& lines,
                                            FileOutcome& outcome) {
  if (!facts.imports.empty()) {
    outcome.imports.facts = reduce_to_imports(facts);
    outcome.imports.lines = graph::import_lines(facts, lines);
  }
  if (!job.known || context.force || job.known->path != job.found.path ||
      job.known->language != file.language) {
    return {};
  }
  return compare_with_known(job, language, facts, outcome);
}

Result<void> FileReader::Impl::compare_with_known(const FileJob& job,
                                                  const parse::Language& language,
                                                  const parse::FileFacts& facts,
                                                  FileOutcome& outcome) {
  ImportFacts& imports = outcome.imports;
  CODEXMEM_ASSIGN(store::StoreReader * stored, reader());
  CODEXMEM_ASSIGN(const auto packed, stored->find_facts(job.known->id));
  if (!packed) return {};
  auto before = parse::decode_facts(*packed);
  if (before.ok()) {
    // A symbol's parent and kind are in its row.
    CODEXMEM_ASSIGN(const auto rows, stored->list_symbols(job.known->id));
    for (const store::SymbolRow& row : rows) {
      const std::uint32_t ordinal = store::ordinal_of(row.id);
      if (ordinal >= before->symbols.size()) continue;
      before->symbols[ordinal].kind = row.kind;
      before->symbols[ordinal].qualified_name =
          row.kind == parse::kComponentKind ? before->symbols[ordinal].name : row.qualified_name();
    }
  }
  outcome.changed_names = graph::changed_declarations(
      parse::family_of(language), before.ok() ? *before : parse::FileFacts(), facts);
  if (!before.ok() || facts.imports.empty() || !have_same_imports(*before, facts)) return {};
  CODEXMEM_ASSIGN(auto rows, stored->list_dependencies(job.known->id));
  for (store::DependencyRow& row : rows) {
    if (row.import_index >= imports.lines.size()) return {};
    row.line = imports.lines[row.import_index];
  }
  imports.rows = std::move(rows);
  return {};
}

Result<parse::FileFacts> FileReader::Impl::learn(const store::FileRow& file,
                                                 const parse::Language& language,
                                                 std::string_view text) {
  if (context.packs != nullptr) {
    if (auto taken = context.packs->take(file.hash, language, text)) return *std::move(taken);
  }
  if (context.parks && language.has_grammar) {
    if (!others) others.emplace(context.workspace.root());
    if (auto found = others->find(file, text)) return *std::move(found);
  }
  return extractor.extract(language, text, {}, context.stop);
}

Result<FileOutcome> FileReader::Impl::extract(const FileJob& job, store::FileRow file,
                                              const parse::Language& language, DecodedText decoded,
                                              std::string_view generated) {
  FileOutcome outcome;
  outcome.kind = FileOutcome::Kind::kWrite;
  const std::string& text = decoded.text;
  auto extracted = learn(file, language, text);
  auto packed = pack(extracted, text.size());
  if (!packed.ok() && packed.error().code() != ErrorCode::kCancelled) {
    // The text is still worth indexing.
    outcome.warning = job.found.path + ": indexed as text: " + packed.error().message();
    extracted = extractor.extract(language, text, {.chunks_only = true}, context.stop);
    packed = pack(extracted, text.size());
    file.flags |= store::kFileUnparsed;
  }
  if (!packed.ok()) return std::move(packed).error();
  const parse::FileFacts& facts = *extracted;
  if (facts.truncated) file.flags |= store::kFileTruncated;
  if (!facts.unparsed.empty()) file.flags |= store::kFileUnparsed;

  const LineIndex lines(text);
  file.line_count = lines.line_count();
  store::FileRecord& record = outcome.record;
  record.symbols = make_symbol_rows(store::FileId{0}, job.found.path, facts, lines);
  record.chunks.reserve(facts.chunks.size());
  SymbolSweep symbols(facts.symbols), behind_comments(facts.symbols);
  const bool has_blocks = parse::has_block_comments(text);
  for (std::uint32_t i = 0; i < facts.chunks.size(); ++i) {
    const parse::Chunk& chunk = facts.chunks[i];
    auto symbol = symbols.at(chunk.range.begin);
    // A comment or decorator before a definition belongs to it.
    const std::uint32_t code = parse::skip_leading_lines(text, chunk.range.begin, has_blocks);
    if (const auto next = behind_comments.at(code);
        next && facts.symbols[store::ordinal_of(*next)].range.begin > chunk.range.begin) {
      symbol = next;
    }
    record.chunks.push_back({store::chunk_id(store::FileId{0}, i), chunk.range, chunk.start_line,
                             chunk.end_line, symbol});
    outcome.prepared.terms.push_back(
        terms.make(std::string_view(text).substr(chunk.range.begin, chunk.range.size())));
  }
  record.facts = *std::move(packed);
  record.identifiers = join(facts.names, " ");
  record.trigrams = trigrams.make(text);
  CODEXMEM_TRY(take_imports(job, file, language, facts, lines, outcome));
  if (context.embedder != nullptr && generated.empty()) {
    const auto texts =
        embedded_texts(store::FileId{0}, job.found.path, text, record.chunks, record.symbols);
    CODEXMEM_ASSIGN(outcome.vectors, make_vectors(*context.embedder, texts, context.stop));
  }
  if (job.known && !context.parks) {
    CODEXMEM_ASSIGN(store::StoreReader * stored, reader());
    CODEXMEM_ASSIGN(outcome.old_identifiers, context.stored_names.find(*stored, job.known->id));
  }
  if (context.book != nullptr) {
    // Texts without phrases are stored as they are: tables of random bytes.
    if (auto codes = context.book->book->encode(text); codes && codes->size() < text.size()) {
      outcome.prepared.codes = *std::move(codes);
      outcome.prepared.book = static_cast<std::int64_t>(context.book->id);
    }
  }
  record.file = std::move(file);
  record.content = std::move(decoded.text);
  return outcome;
}

FileReader::FileReader(const FileReaderContext& context) : impl_(std::make_unique<Impl>(context)) {}
FileReader::~FileReader() = default;

FileOutcome FileReader::read(const FileJob& job) {
  try {
    return impl_->read(job);
  } catch (const std::exception& error) {  // out of memory: this file is too large, others are not
    return impl_->fail(job, Error{ErrorCode::kIo, error.what()});
  }
}

Result<std::string> StoredNames::find(store::StoreReader& reader, store::FileId id) {
  CODEXMEM_ASSIGN(const auto blob, reader.find_facts(id));
  if (blob) {
    const auto facts = parse::decode_facts(*blob);
    if (facts.ok()) return join(facts->names, " ");
    log_info("facts are replaced: {}", facts.error().message());
  }
  const std::lock_guard lock(mutex_);
  if (!scanned_) CODEXMEM_TRY(scan(reader));
  scanned_ = true;
  const auto found = by_file_.find(static_cast<std::int64_t>(id));
  return found == by_file_.end() ? std::string() : found->second;
}

Result<void> StoredNames::scan(store::StoreReader& reader) {
  by_file_.clear();
  return reader.visit_all_identifiers([&](std::string_view name, store::FileId file) {
    std::string& names = by_file_[static_cast<std::int64_t>(file)];
    if (!names.empty()) names += ' ';
    names += name;
  });
}

}  // namespace codexmem::index
