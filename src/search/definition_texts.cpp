// Tested by search/locate_test.cpp and search/engine_test.cpp.
#include "search/definition_texts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/words.h"

namespace codexmem::search {
namespace {

void keep_best(const RankedChunk& chunk, RankedChunk* best) {
  best->lex = std::max(best->lex, chunk.lex);
  best->cosine = std::max(best->cosine, chunk.cosine);
  best->coverage = std::max(best->coverage, chunk.coverage);
}

constexpr std::size_t kMaxFileBytes = 2 << 20;  // a larger file is data
constexpr std::size_t kMaxBytesOfAll = 24 << 20;
constexpr double kNameHalf = 4.0;  // sum of idf at which a name counts half
constexpr double kRankShare = 0.15;
constexpr double kLongDefinition = 8;  // ln of its words

}  // namespace

double rank_share(std::size_t rank) { return 1 / (1 + kRankShare * static_cast<double>(rank)); }

double length_share(std::size_t words) {
  return std::min(1.0, std::log1p(static_cast<double>(words)) / kLongDefinition);
}

DefinitionCounter::DefinitionCounter(store::StoreReader& reader, const Snapshot& snapshot,
                                     const Query& query)
    : reader_(reader), snapshot_(snapshot), query_(query) {
  for (std::size_t i = 0; i < query.terms.size(); ++i) numbers_.emplace(query.terms[i].text, i);
}

Result<DefinitionTexts> DefinitionCounter::read(
    FileNumber file, const RankedFile* ranked,
    const std::function<bool(const store::SymbolRow&)>& accepts) {
  DefinitionTexts read;
  const store::FileId id = snapshot_.id(file);
  CODEXMEM_ASSIGN(auto text, reader_.find_content(id));
  if (!text || text->size() > std::min(kMaxFileBytes, kMaxBytesOfAll - bytes_)) return read;
  bytes_ += text->size();
  CODEXMEM_ASSIGN(std::vector<store::SymbolRow> rows, reader_.list_symbols(id));
  for (store::SymbolRow& row : rows) {
    if (row.range.empty() || row.range.end > text->size() || !accepts(row)) continue;
    DefinitionText one;
    one.row = std::move(row);
    one.text = one.row.range;
    const ByteRange& doc = one.row.docstring_range;
    if (!doc.empty() && doc.begin < one.text.begin) one.text.begin = doc.begin;
    one.counts.resize(query_.terms.size());
    read.definitions.push_back(std::move(one));
  }
  if (read.definitions.empty()) return read;
  std::ranges::sort(read.definitions, {}, &DefinitionText::text);
  read.text = *std::move(text);
  count_terms(&read);
  if (ranked != nullptr) CODEXMEM_TRY(add_chunks(file, *ranked, &read));
  return read;
}

void DefinitionCounter::count_terms(DefinitionTexts* read) const {
  std::vector<DefinitionText>& all = read->definitions;
  std::vector<std::size_t> open;  // definitions around the term, outermost first
  std::size_t next = 0;
  TermReader reader(read->text);
  Term term;
  while (reader.next(&term)) {
    std::erase_if(open, [&](std::size_t i) { return all[i].text.end <= term.begin; });
    while (next < all.size() && all[next].text.begin <= term.begin) {
      if (all[next].text.end > term.begin) open.push_back(next);
      ++next;
    }
    if (open.empty()) continue;
    const auto number = numbers_.find(term.text);
    for (const std::size_t i : open) {
      if (!term.is_compound) ++all[i].length;
      if (number != numbers_.end()) ++all[i].counts[number->second];
    }
  }
}

// A chunk is usually one definition; a long function has several.
Result<void> DefinitionCounter::add_chunks(FileNumber file, const RankedFile& ranked,
                                           DefinitionTexts* read) const {
  if (ranked.chunks.empty()) return {};
  CODEXMEM_ASSIGN(const auto chunks, reader_.list_chunks(snapshot_.id(file)));
  for (const RankedChunk& chunk : ranked.chunks) {
    if (chunk.index >= chunks.size()) continue;
    const ByteRange& range = chunks[chunk.index].range;
    bool is_outside = true;
    for (DefinitionText& one : read->definitions) {
      if (one.text.begin >= range.end) break;
      if (one.text.end <= range.begin) continue;
      is_outside = false;
      keep_best(chunk, &one.best);
    }
    if (is_outside) keep_best(chunk, &read->outside);
  }
  return {};
}

double DefinitionCounter::name_share(std::string_view name) const {
  double all = 0, had = 0;
  const auto files = static_cast<double>(snapshot_.file_count());
  for_each_word(name, [&](const Word& word) {
    const std::string own = stem(word.text);
    const double idf = name_idf(files, snapshot_.stem_frequency(own));
    all += idf;
    const auto at = numbers_.find(own);
    if (at == numbers_.end()) return;
    had += idf * std::min(1.0, 1.5 * query_.terms[at->second].weight);
  });
  return all > 0 ? had / all * had / (had + kNameHalf) : 0;
}

}  // namespace codexmem::search
