// Tested by fleet/content_test.cpp.
#include "fleet/content.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/stop_scope.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "parse/text/leading_lines.h"
#include "privacy/policy.h"
#include "search/path_facts.h"
#include "search/snapshot.h"
#include "store/code_vectors.h"
#include "text/words.h"

namespace codexmem::fleet {
namespace {

// The data of a file, read in one transaction of the store.
struct StoredFile {
  std::string text;
  std::vector<store::ChunkRow> chunks;
  std::vector<store::SymbolRow> symbols;
  std::vector<bool> is_secret;  // by chunk
};

constexpr std::string_view kPathField = "path";
constexpr std::size_t kMaxImports = 100;

// A secret in the path makes the whole file secret.
std::vector<bool> find_secret_chunks(const std::string& path, const StoredFile& file) {
  std::vector<bool> is_secret(file.chunks.size());
  const std::array<privacy::Field, 2> fields = {{{kPathField, path}, {"text", file.text}}};
  for (const privacy::Finding& found : privacy::find_secrets(fields)) {
    if (found.field == kPathField) is_secret.assign(file.chunks.size(), true);
    if (found.field == kPathField) break;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
      const ByteRange range = file.chunks[i].range;
      if (found.begin < range.end && found.end > range.begin) is_secret[i] = true;
    }
  }
  return is_secret;
}

Result<std::optional<StoredFile>> read_stored(store::StoreReader& reader,
                                              const SourceFile& source) {
  CODEXMEM_ASSIGN(const auto row, reader.find_file(source.id));
  if (!row || row->hash != source.blob || row->path != source.path) {
    return std::optional<StoredFile>();
  }
  StoredFile file;
  CODEXMEM_ASSIGN(auto text, reader.find_content(source.id));
  file.text = std::move(text).value_or("");
  CODEXMEM_ASSIGN(file.chunks, reader.list_chunks(source.id));
  CODEXMEM_ASSIGN(file.symbols, reader.list_symbols(source.id));
  for (const store::ChunkRow& chunk : file.chunks) {
    if (chunk.range.begin > chunk.range.end || chunk.range.end > file.text.size()) {
      return Error{ErrorCode::kCorrupt, fmt::format("a piece of {} is not in it", source.path)};
    }
  }
  file.is_secret = find_secret_chunks(source.path, file);
  return std::optional(std::move(file));
}

std::string_view text_of(const StoredFile& file, const store::ChunkRow& chunk) {
  return std::string_view(file.text).substr(chunk.range.begin, chunk.range.size());
}

// The chunk that contains byte `at`, or the last one before it.
std::size_t chunk_of(const StoredFile& file, std::uint32_t at) {
  const auto after = std::ranges::upper_bound(
      file.chunks, at, {}, [](const store::ChunkRow& chunk) { return chunk.range.begin; });
  return after == file.chunks.begin() ? 0
                                      : static_cast<std::size_t>(after - file.chunks.begin()) - 1;
}

// The innermost definition at the chunk's start, or else the first one that begins in it.
const store::SymbolRow* symbol_of(const StoredFile& file, std::size_t chunk) {
  const ByteRange range = file.chunks[chunk].range;
  const std::uint32_t at = parse::skip_leading_lines(file.text, range.begin);
  const store::SymbolRow* found = nullptr;
  for (const store::SymbolRow& symbol : file.symbols) {
    if (symbol.range.begin <= at && at < symbol.range.end) found = &symbol;
  }
  if (found != nullptr) return found;
  for (const store::SymbolRow& symbol : file.symbols) {
    if (symbol.range.begin >= range.begin && symbol.range.begin < range.end) {
      return &symbol;
    }
  }
  return nullptr;
}

Result<std::vector<std::string>> imports_of(store::StoreReader& reader, store::FileId file) {
  CODEXMEM_ASSIGN(const auto rows, reader.list_dependencies(file));
  std::set<store::FileId> targets;
  for (const store::DependencyRow& row : rows) {
    if (row.target && *row.target != file) targets.insert(*row.target);
    if (targets.size() == kMaxImports) break;
  }
  std::vector<std::string> imports;
  for (const store::FileId target : targets) {
    CODEXMEM_ASSIGN(const auto row, reader.find_file(target));
    if (row) imports.push_back(path_number(row->path));
  }
  return imports;
}

// The distinct terms in the pushed parts of a file, and their total number.
struct Terms {
  std::set<std::string, std::less<>> distinct;
  std::uint32_t count = 0;

  void add(std::string_view text) {
    for_each_term(text, [&](const Term& term) {
      if (!term.is_compound) ++count;
      if (!distinct.contains(term.text)) distinct.emplace(term.text);
    });
  }
  void add_path(std::string_view path) {
    for (auto& stem : search::base_name_stems(path)) distinct.insert(std::move(stem));
    for (auto& stem : search::directory_stems(path)) distinct.insert(std::move(stem));
  }
};

Terms terms_of(const std::string& path, const StoredFile& file) {
  Terms terms;
  for (std::size_t i = 0; i < file.chunks.size(); ++i) {
    if (!file.is_secret[i]) terms.add(text_of(file, file.chunks[i]));
  }
  terms.add_path(path);
  return terms;
}

}  // namespace

Result<Content> Content::read(store::Workspace& workspace, std::string name, std::string revision) {
  Content content;
  content.workspace_ = &workspace;
  content.name_ = std::move(name);
  content.revision_ = std::move(revision);
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(auto model, reader->find_meta(store::kVectorsModelKey));
  if (!model) {
    CODEXMEM_ASSIGN(const auto built_in, embed::StaticModel::built_in());
    model = built_in->id();
  }
  content.model_ = *model;
  CODEXMEM_ASSIGN(const auto stored, reader->find_model(content.model_));
  if (!stored) {
    return Error{ErrorCode::kNotFound,
                 "the index has no vectors of " + content.model_ + ": index the repository first"};
  }
  content.model_id_ = stored->id;
  content.dimension_ = stored->dimension;
  CODEXMEM_ASSIGN(const auto pending, reader->list_files_without_vectors(stored->id));
  if (!pending.empty()) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{} files have no vectors yet: index the repository first", pending.size())};
  }
  CODEXMEM_ASSIGN(const auto rows, reader->list_files());
  CODEXMEM_ASSIGN(const auto snapshot,
                  search::Snapshot::build(*reader, workspace.ranking_path(), nullptr));
  std::string listing = content.name_ + "\n" + content.model_ + "\n";
  for (const store::FileRow& row : rows) {
    if ((row.flags & store::kFileGenerated) != 0) continue;
    content.files_.push_back({row.id, row.path, row.language, row.hash, row.line_count,
                              file_id(content.name_, row.path, row.hash)});
    if (const auto number = snapshot->find_file(row.id)) {
      content.files_.back().centrality = snapshot->centrality(*number);
    }
    listing += content.files_.back().row_id;
  }
  content.digest_ = sha256_hex(listing);
  return content;
}

Result<std::optional<FileRows>> Content::rows_of(const SourceFile& source,
                                                 std::int64_t now_ms) const {
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_->reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto stored, read_stored(*reader, source));
  // For a file that is entirely secret, not even its path is sent.
  if (!stored || std::ranges::count(stored->is_secret, false) == 0) {
    return std::optional<FileRows>();
  }
  const auto vector_of = [&](std::uint32_t index) -> Result<std::vector<float>> {
    CODEXMEM_ASSIGN(const auto codes,
                    reader->find_vector(model_id_, store::chunk_id(source.id, index)));
    if (!codes || codes->size() != dimension_) return std::vector<float>();
    return embed::decode_vectors(*codes, dimension_);
  };
  FileRows rows;
  FileRow file{.id = source.row_id,
               .repository = name_,
               .path = source.path,
               .language = source.language,
               .blob = source.blob,
               .revision = revision_,
               .pushed_ms = now_ms,
               .lines = source.lines};
  file.centrality = source.centrality;
  CODEXMEM_ASSIGN(file.imports, imports_of(*reader, source.id));
  std::vector<std::vector<NamedPlace>> definitions(stored->chunks.size());
  std::map<std::string, std::uint32_t> names;  // with the first piece of each
  for (const store::SymbolRow& symbol : stored->symbols) {
    if (stored->chunks.empty()) break;
    const std::size_t chunk = chunk_of(*stored, symbol.range.begin);
    if (stored->is_secret[chunk]) continue;
    if (can_be_listed(symbol.name)) {
      const auto [at, is_new] = names.emplace(symbol.name, static_cast<std::uint32_t>(chunk));
      if (!is_new) at->second = std::min(at->second, static_cast<std::uint32_t>(chunk));
    }
    definitions[chunk].push_back({symbol.name, std::string(symbol_type_name(symbol.type)),
                                  symbol.kind, symbol.start.line, symbol.end.line});
  }
  for (std::uint32_t i = 0; i < stored->chunks.size(); ++i) {
    if (stored->is_secret[i]) continue;
    CODEXMEM_ASSIGN(std::vector<float> vector, vector_of(i));
    if (vector.empty()) continue;
    const store::ChunkRow& chunk = stored->chunks[i];
    PieceRow piece{.repository = name_,
                   .path = source.path,
                   .file = source.row_id,
                   .index = i,
                   .language = source.language,
                   .revision = revision_,
                   .start_line = chunk.start_line,
                   .end_line = chunk.end_line,
                   .definitions = std::move(definitions[i]),
                   .text = std::string(text_of(*stored, chunk))};
    if (const store::SymbolRow* const symbol = symbol_of(*stored, i)) {
      piece.symbol = symbol->qualified_name();
      piece.symbol_type = symbol_type_name(symbol->type);
    }
    rows.pieces.push_back(to_row(piece, std::move(vector)));
  }
  Terms terms = terms_of(source.path, *stored);
  file.pieces = static_cast<std::uint32_t>(stored->chunks.size());
  file.terms = terms.count;
  for (const auto& [name, piece] : names) {
    file.names.push_back(name);
    file.name_pieces.push_back(piece);
  }
  file.words.assign(terms.distinct.begin(), terms.distinct.end());
  CODEXMEM_ASSIGN(std::vector<float> vector, vector_of(store::kFileVectorIndex));
  if (vector.empty()) return std::optional<FileRows>();
  rows.file = to_row(file, std::move(vector));
  return std::optional(std::move(rows));
}

Result<RepositoryRow> Content::summarize() const {
  RepositoryRow repository{.name = name_, .revision = revision_, .digest = digest_};
  for (const SourceFile& source : files_) {
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_->reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(const auto stored, read_stored(*reader, source));
    if (!stored) continue;
    const Terms terms = terms_of(source.path, *stored);
    for (const std::string& term : terms.distinct) ++repository.frequencies[term];
    repository.files += 1;
    repository.lines += source.lines;
    repository.terms += terms.count;
    const auto left_out = std::ranges::count(stored->is_secret, true);
    repository.left_out += left_out;
    repository.pieces += static_cast<std::int64_t>(stored->chunks.size()) - left_out;
  }
  // A term in only one file is treated the same as an uncounted one.
  std::erase_if(repository.frequencies, [](const auto& each) { return each.second < 2; });
  return repository;
}

}  // namespace codexmem::fleet
