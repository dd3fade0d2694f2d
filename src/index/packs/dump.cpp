// Prints the stored rows of each file, by path.
//
// The full-text tables are ordered by term, so they are scanned first, and each posting is added to
// a sum for its file or chunk: a sum of hashes does not depend on the order. Sums without a file or
// chunk are stale.
//
// Tested by index/dump_test.cpp.
#include "index/packs/dump.h"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "text/json.h"
#include "base/symbol_type.h"
#include "store/index_facts.h"

namespace codexmem::index {
namespace {

// Notes that describe the rows. Others concern runs, times or only this store.
constexpr std::string_view kNotes[] = {"index_version", "complete", "vectors_pending"};

std::string in_quotes(std::string_view text) { return dump_json(Json(text)); }

std::string place(const Position& at) { return fmt::format("{}:{}", at.line, at.column); }

// Enough of a SHA-256 to distinguish texts.
std::string text_hash(std::string_view text) { return sha256_hex(text).substr(0, 16); }

// The postings of one document in a full-text table.
struct Postings {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;  // of a hash of each term and its position

  void add(std::uint64_t term_hash, std::uint32_t position) {
    ++count;
    // The finaliser of SplitMix64 (Steele et al., OOPSLA 2014).
    std::uint64_t x = term_hash + (position + 1) * 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    sum += x ^ (x >> 31);
  }

  std::string describe() const { return fmt::format("{} {:016x}", count, sum); }
};

// FNV-1a.
std::uint64_t hash_of(std::string_view term) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : term) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

template <typename Id>
class PostingsTable {
 public:
  void add(std::string_view term, Id document, std::uint32_t position) {
    if (term != term_) {
      term_ = term;
      hash_ = hash_of(term);
    }
    documents_[static_cast<std::int64_t>(document)].add(hash_, position);
  }

  // Removes and returns the postings of `document`.
  Postings take(Id document) {
    const auto found = documents_.find(static_cast<std::int64_t>(document));
    if (found == documents_.end()) return {};
    const Postings postings = found->second;
    documents_.erase(found);
    return postings;
  }

  // The postings that were not taken.
  Postings rest() const {
    Postings sum;
    for (const auto& [id, postings] : documents_) {
      sum.count += postings.count;
      sum.sum += postings.sum;
    }
    return sum;
  }

 private:
  std::string term_;
  std::uint64_t hash_ = 0;
  std::unordered_map<std::int64_t, Postings> documents_;
};

class Dump {
 public:
  Dump(store::StoreReader& reader, const std::function<void(std::string_view)>& print)
      : reader_(reader), print_(print) {}

  Result<void> run() {
    CODEXMEM_TRY(print_notes());
    CODEXMEM_TRY(reader_.visit_identifiers(
        [&](std::string_view name, store::FileId file) { names_.add(name, file, 0); }));
    CODEXMEM_TRY(reader_.visit_chunk_terms(
        [&](std::string_view term, store::ChunkId chunk, std::uint32_t position) {
          terms_.add(term, chunk, position);
        }));
    CODEXMEM_TRY(
        reader_.visit_chunk_lengths(std::nullopt, [&](store::ChunkId chunk, std::uint32_t length) {
          lengths_.emplace(static_cast<std::int64_t>(chunk), length);
        }));
    CODEXMEM_ASSIGN(const auto files, reader_.list_files());
    for (const store::FileRow& file : files) {
      paths_.emplace(static_cast<std::int64_t>(file.id), file.path);
    }
    for (const store::FileRow& file : files) CODEXMEM_TRY(print_file(file));
    CODEXMEM_TRY(print_skipped());
    return print_totals();
  }

 private:
  template <typename... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    print_(fmt::format(format, std::forward<Values>(values)...));
  }

  Result<void> print_notes() {
    CODEXMEM_ASSIGN(const auto version, store::schema_version(reader_.database()));
    line("meta schema {}", version);
    for (const std::string_view key : kNotes) {
      CODEXMEM_ASSIGN(const auto value, reader_.find_meta(key));
      if (value) line("meta {} {}", key, in_quotes(*value));
    }
    // The mark's value contains a process id.
    CODEXMEM_ASSIGN(const auto mark, reader_.find_meta("run"));
    if (mark) line("meta run");
    return {};
  }

  Result<void> print_file(const store::FileRow& file) {
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(file.id));
    const std::string_view text = content ? std::string_view(*content) : std::string_view();
    const std::string path = in_quotes(file.path);
    line("file {} {} {} bytes {} {} lines flags {} text {}", path, file.hash, file.size,
         file.language, file.line_count, file.flags, text_hash(text));
    CODEXMEM_TRY(print_symbols(file.id, path));
    CODEXMEM_TRY(print_chunks(file, path, text));
    CODEXMEM_TRY(print_dependencies(file.id, path));
    CODEXMEM_ASSIGN(const auto facts, reader_.find_facts(file.id));
    line("facts {} {}", path, facts ? text_hash(*facts) : "none");
    CODEXMEM_ASSIGN(const auto trigrams, reader_.find_trigrams(file.id));
    line("trigrams {} {}", path, trigrams ? text_hash(*trigrams) : "none");
    line("names {} {}", path, names_.take(file.id).describe());
    return {};
  }

  Result<void> print_symbols(store::FileId file, const std::string& path) {
    CODEXMEM_ASSIGN(auto symbols, reader_.list_symbols(file));
    CODEXMEM_TRY(reader_.read_texts(symbols));
    for (const store::SymbolRow& symbol : symbols) {
      line("symbol {} {} {} {} {} in {} under {} at {}-{} bytes {}-{} name {} byte {}{} {} {} {}",
           path, store::ordinal_of(symbol.id), in_quotes(symbol.name),
           symbol_type_name(symbol.type), symbol.kind, in_quotes(symbol.container),
           describe(symbol.parent, file), place(symbol.start), place(symbol.end),
           symbol.range.begin, symbol.range.end, place(symbol.name_start), symbol.name_byte,
           symbol.exported ? " exported" : "", in_quotes(symbol.signature),
           in_quotes(symbol.docstring), symbol.modifiers);
    }
    return {};
  }

  // A symbol of `file` by its ordinal.
  static std::string describe(const std::optional<store::SymbolId>& symbol, store::FileId file) {
    if (!symbol) return "-";
    if (store::file_of(*symbol) != file) return "another file's";
    return fmt::format("{}", store::ordinal_of(*symbol));
  }

  Result<void> print_chunks(const store::FileRow& file, const std::string& path,
                            std::string_view text) {
    CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(file.id));
    CODEXMEM_ASSIGN(const auto vectors, reader_.list_vector_keys(file.id));
    auto vector = vectors.begin();
    // Prints the vectors of the chunk `id`; `hash` is the hash of their text.
    const auto print_vectors = [&](store::ChunkId id, std::string_view what,
                                   std::string_view hash) {
      bool any = false;
      for (; vector != vectors.end() && vector->id == id; ++vector, any = true) {
        line("vector {} {} text {} {} {} bytes", path, what, hash, vector->model, vector->bytes);
      }
      if (!any) line("vector {} {} text {} none", path, what, hash);
    };
    for (const store::ChunkRow& chunk : chunks) {
      const std::string ordinal = fmt::format("{}", store::ordinal_of(chunk.id));
      const bool inside = chunk.range.begin <= chunk.range.end && chunk.range.end <= text.size();
      const std::string hash =
          inside ? text_hash(text.substr(chunk.range.begin, chunk.range.size())) : "outside";
      const auto length = lengths_.extract(static_cast<std::int64_t>(chunk.id));
      line("chunk {} {} bytes {}-{} lines {}-{} symbol {} text {} length {} terms {}", path,
           ordinal, chunk.range.begin, chunk.range.end, chunk.start_line, chunk.end_line,
           describe(chunk.symbol, file.id), hash,
           length.empty() ? "none" : fmt::format("{}", length.mapped()),
           terms_.take(chunk.id).describe());
      print_vectors(chunk.id, ordinal, hash);
    }
    const store::ChunkId whole = store::chunk_id(file.id, store::kFileVectorIndex);
    for (; vector != vectors.end() && vector->id != whole; ++vector) {
      line("vector {} {} of no chunk", path, store::ordinal_of(vector->id));
    }
    print_vectors(whole, "file", text_hash(file.path));
    return {};
  }

  Result<void> print_dependencies(store::FileId file, const std::string& path) {
    CODEXMEM_ASSIGN(const auto rows, reader_.list_dependencies(file));
    for (const store::DependencyRow& row : rows) {
      std::string target = row.is_external ? "external" : "nothing";
      if (row.target) {
        const auto found = paths_.find(static_cast<std::int64_t>(*row.target));
        target = found == paths_.end() ? "no file" : in_quotes(found->second);
        if (row.is_external) target += " external";
      }
      line("import {} {} line {} {} {} means {} {} {}", path, row.import_index, row.line,
           row.import_type, in_quotes(row.import_path), target, in_quotes(row.package),
           dump_json(Json(row.symbols)));
    }
    return {};
  }

  Result<void> print_skipped() {
    CODEXMEM_ASSIGN(const auto skipped, reader_.list_skipped());
    for (const store::SkippedFile& file : skipped) {
      line("skipped {} {} {} {} bytes", in_quotes(file.path), file.reason, in_quotes(file.detail),
           file.size);
    }
    return {};
  }

  // The row counts of all tables, so that rows without a file become visible.
  Result<void> print_totals() {
    CODEXMEM_ASSIGN(const store::StoreCounts counts, reader_.counts());
    line("rows {} files {} symbols {} chunks {} vectors {} dependencies {} skipped", counts.files,
         counts.symbols, counts.chunks, counts.vectors, counts.dependencies, counts.skipped);
    CODEXMEM_ASSIGN(const store::StoreReader::TermTotals totals, reader_.term_totals());
    line("terms {} chunks {} terms", totals.chunks, totals.terms);
    line("stale names {} terms {} lengths {}", names_.rest().describe(), terms_.rest().describe(),
         lengths_.size());
    return {};
  }

  store::StoreReader& reader_;
  const std::function<void(std::string_view)>& print_;
  PostingsTable<store::FileId> names_;
  PostingsTable<store::ChunkId> terms_;
  std::unordered_map<std::int64_t, std::uint32_t> lengths_;
  std::unordered_map<std::int64_t, std::string> paths_;
};

}  // namespace

Result<void> dump_index(store::StoreReader& reader,
                        const std::function<void(std::string_view)>& print) {
  CODEXMEM_ASSIGN(const store::Transaction one_moment,
                  store::Transaction::begin_read(reader.database()));
  return Dump(reader, print).run();
}

}  // namespace codexmem::index
