// StoreReader::match_chunks: from the tokens of the full-text index to how often each term occurs
// in a chunk.
//
// A count is the sum of its bits (chunk_terms.h): each bit of each term is a list of rows. The
// first query asks for the bits up to 8, and for the token that says that there is more; a second
// one for the higher bits of the terms that have it. The lists of a term are merged into one, then
// the terms.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "store/code/chunk_terms.h"
#include "store/code/store_reader.h"
#include "store/full_text.h"
#include "store/query.h"
#include "text/words.h"

namespace codexmem::store {
namespace {

struct Count {
  std::int64_t chunk = 0;
  std::uint32_t count = 0;
};

struct Token {
  std::size_t term = 0;
  int bit = 0;
};

// Adds the counts of `more` to `counts`; both by chunk.
void merge_counts(std::vector<Count>* counts, std::vector<Count> more) {
  if (counts->empty()) {
    *counts = std::move(more);
    return;
  }
  std::vector<Count> merged;
  merged.reserve(counts->size() + more.size());
  auto a = counts->begin();
  for (const Count& b : more) {
    while (a != counts->end() && a->chunk < b.chunk) merged.push_back(*a++);
    merged.push_back(b);
    if (a != counts->end() && a->chunk == b.chunk) merged.back().count += (a++)->count;
  }
  merged.insert(merged.end(), a, counts->end());
  *counts = std::move(merged);
}

// Adds what the index has of `tokens`, except in `parked` files, to the counts of their terms, and
// sets `has_more` of those that have the token of kManyBits.
Result<void> add_counts(Database& database, std::span<const FileId> parked,
                        std::span<const std::string> terms, std::span<const Token> tokens,
                        std::vector<std::vector<Count>>* counts, std::vector<bool>* has_more) {
  std::string expression;
  for (const Token& token : tokens) {
    if (!expression.empty()) expression += " OR ";
    expression += fts_phrase(term_token(terms[token.term], token.bit));
  }
  CODEXMEM_ASSIGN(Statement query,
                  database.statement("SELECT posting_rows(chunk_terms) FROM chunk_terms"
                                     " WHERE chunk_terms MATCH ?1 LIMIT 1"));
  query.bind(1, expression);
  CODEXMEM_ASSIGN(const bool any, query.step());
  if (!any) return {};
  const std::string_view bytes = query.blob(0);
  std::vector<Count> list;
  std::size_t now = 0;  // which token `list` is of
  FileId file{};        // of the last posting
  bool is_parked = false;
  const auto finish = [&]() {
    if (list.empty()) return;
    const Token& token = tokens[now];
    if (token.bit == kManyBits) {
      (*has_more)[token.term] = true;
    } else {
      // Rows of high chunks come last, whatever their file.
      const auto by_chunk = [](const Count& a, const Count& b) { return a.chunk < b.chunk; };
      if (!std::is_sorted(list.begin(), list.end(), by_chunk)) {
        std::sort(list.begin(), list.end(), by_chunk);
      }
      merge_counts(&(*counts)[token.term], std::exchange(list, {}));
    }
    list.clear();
  };
  for (std::size_t at = 0; at + sizeof(Posting) <= bytes.size(); at += sizeof(Posting)) {
    Posting one;
    std::memcpy(&one, bytes.data() + at, sizeof(one));
    if (one.phrase >= tokens.size()) {
      return Error{ErrorCode::kCorrupt, "the full-text index answered for another number of terms"};
    }
    if (one.phrase != now) {
      finish();
      now = one.phrase;
    }
    const int bit = tokens[now].bit;
    const ChunkId chunk = chunk_of_term_row(one.row);
    if (file_of(chunk) != file) {
      file = file_of(chunk);
      is_parked = std::ranges::binary_search(parked, file);
    }
    if (is_parked) continue;
    list.push_back(
        {static_cast<std::int64_t>(chunk), bit == kManyBits ? 0 : std::uint32_t{1} << bit});
  }
  finish();
  return {};
}

}  // namespace

Result<void> StoreReader::match_chunks(std::span<const std::string> terms,
                                       const std::function<bool(const ChunkMatch&)>& visit) {
  std::vector<Token> tokens;
  for (std::size_t term = 0; term < terms.size(); ++term) {
    // A space would make it two terms, and a control character is in none.
    const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    if (terms[term].empty() || std::ranges::any_of(terms[term], is_foreign)) continue;
    for (int bit = 0; bit < kFewBits; ++bit) tokens.push_back({term, bit});
    tokens.push_back({term, kManyBits});
  }
  if (tokens.empty()) return {};
  std::vector<std::vector<Count>> lists(terms.size());
  std::vector<bool> has_more(terms.size());
  CODEXMEM_ASSIGN(const std::vector<FileId> parked, list_parked_ids());
  CODEXMEM_TRY(add_counts(database_, parked, terms, tokens, &lists, &has_more));
  tokens.clear();
  for (std::size_t term = 0; term < terms.size(); ++term) {
    for (int bit = kFewBits; has_more[term] && bit < kManyBits; ++bit) {
      tokens.push_back({term, bit});
    }
  }
  if (!tokens.empty())
    CODEXMEM_TRY(add_counts(database_, parked, terms, tokens, &lists, &has_more));

  std::vector<std::size_t> places(terms.size());
  std::vector<std::uint32_t> counts(terms.size());
  constexpr auto kNoChunk = std::numeric_limits<std::int64_t>::max();
  for (;;) {
    std::int64_t chunk = kNoChunk;
    for (std::size_t term = 0; term < terms.size(); ++term) {
      if (places[term] < lists[term].size()) {
        chunk = std::min(chunk, lists[term][places[term]].chunk);
      }
    }
    if (chunk == kNoChunk) return {};
    for (std::size_t term = 0; term < terms.size(); ++term) {
      std::size_t& place = places[term];
      const bool is_here = place < lists[term].size() && lists[term][place].chunk == chunk;
      counts[term] = is_here ? lists[term][place++].count : 0;
    }
    if (!visit({ChunkId{chunk}, counts})) return {};
  }
}

// The runs of the word stand in the text as they are. A run of several pieces is known by its
// compound, which few files have; the stems of its pieces say no more.
Result<std::vector<WordFile>> StoreReader::list_files_with_word(std::string_view word) {
  struct Piece {
    std::string term;
    std::uint32_t begin = 0;
  };
  std::vector<Piece> pieces;
  for_each_term(word, [&](const Term& term) {
    if (term.is_compound) {
      std::erase_if(pieces, [&](const Piece& piece) { return piece.begin >= term.begin; });
    }
    pieces.push_back({std::string(term.text), term.begin});
  });
  std::vector<std::string> terms;
  for (Piece& piece : pieces) terms.push_back(std::move(piece.term));
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());

  std::vector<WordFile> files;
  // Of signs alone (_, $) the index knows nothing.
  if (terms.empty()) {
    CODEXMEM_TRY(visit_files([&](const FileStamp& file) {
      files.push_back({file.id, UINT32_MAX});
    }));
    return files;
  }
  std::vector<std::uint32_t> counts(terms.size());  // in the last of `files`
  const auto drop_partial = [&] {
    if (files.empty()) return;
    files.back().most = *std::ranges::min_element(counts);
    if (files.back().most == 0) files.pop_back();
  };
  CODEXMEM_TRY(match_chunks(terms, [&](const ChunkMatch& match) {
    if (files.empty() || files.back().id != file_of(match.id)) {
      drop_partial();
      files.push_back({file_of(match.id), 0});
      std::ranges::fill(counts, 0U);
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += match.counts[i];
    return true;
  }));
  drop_partial();
  return files;
}

}  // namespace codexmem::store
