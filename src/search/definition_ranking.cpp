// Tested by search/engine_test.cpp.
#include "search/definition_ranking.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "embed/vector_math.h"
#include "search/definition.h"
#include "search/definition_texts.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kFilesWithDefinitions = 6;
constexpr std::size_t kDefinitionsEmbedded = 24;
constexpr std::size_t kEmbeddedBytes = 2000;  // of a definition

struct Candidate {
  RankedDefinition ranked;
  std::string text;  // to embed
  double dense = 0;
};

double weight_of(DefinitionPart part) { return kDefinitionWeights[static_cast<std::size_t>(part)]; }

bool is_ranked_kind(const store::SymbolRow& row) {
  return row.kind != "macro" && counts_for_centrality(row.type, row.kind);
}

double chunk_value(const RankedChunk& chunk) {
  return weight_of(DefinitionPart::kChunk) * chunk.lex +
         weight_of(DefinitionPart::kDense) * chunk.cosine +
         weight_of(DefinitionPart::kCoverage) * chunk.coverage;
}

class DefinitionRanker {
 public:
  DefinitionRanker(store::StoreReader& reader, const Snapshot& snapshot, const Query& query,
                   const Ranking& ranking)
      : counter_(reader, snapshot, query), query_(query), ranking_(ranking) {}

  Result<std::vector<RankedDefinition>> run(const embed::Embedder* embedder) {
    const std::size_t files = std::min(kFilesWithDefinitions, ranking_.files.size());
    for (std::size_t i = 0; i < files; ++i) CODEXMEM_TRY(add_file(i));
    const auto by_value = [](const Candidate& a, const Candidate& b) {
      return a.ranked.value > b.ranked.value;
    };
    std::ranges::stable_sort(candidates_, by_value);
    if (embedder != nullptr) {
      CODEXMEM_TRY(add_meaning(*embedder));
      std::ranges::stable_sort(candidates_, by_value);
    }
    std::vector<RankedDefinition> ranked;
    ranked.reserve(candidates_.size());
    for (const Candidate& one : candidates_) ranked.push_back(one.ranked);
    return ranked;
  }

 private:
  Result<void> add_file(std::size_t index) {
    const RankedFile& file = ranking_.files[index];
    CODEXMEM_ASSIGN(const DefinitionTexts read, counter_.read(file.file, &file, is_ranked_kind));
    double best = 0;
    for (const DefinitionText& one : read.definitions) best = std::max(best, chunk_value(one.best));
    if (chunk_value(read.outside) > best) return {};
    for (const DefinitionText& one : read.definitions) {
      const bool is_type =
          one.row.type != SymbolType::kFunction && one.row.type != SymbolType::kMethod;
      const std::string_view container = one.row.container;
      Candidate made;
      made.dense = one.best.cosine;
      made.ranked = {index, store::ordinal_of(one.row.id), 0, one.row.range,
                     chunk_value(one.best) > 0};
      double& value = made.ranked.value;
      value = chunk_value(one.best);
      value += weight_of(DefinitionPart::kFile) * file.score / ranking_.files.front().score;
      value += weight_of(DefinitionPart::kFileRank) * rank_share(index);
      value += weight_of(DefinitionPart::kName) * counter_.name_share(one.row.name);
      value += weight_of(DefinitionPart::kHolder) *
               counter_.name_share(container.substr(container.rfind('.') + 1));
      value += weight_of(DefinitionPart::kLength) * length_share(one.length);
      // Its own vector is about as near as its best chunk's.
      value += weight_of(DefinitionPart::kMeaning) * made.dense;
      if (is_type) value += weight_of(DefinitionPart::kType);
      made.text =
          one.row.name + " " +
          read.text.substr(one.text.begin, std::min<std::size_t>(one.text.size(), kEmbeddedBytes));
      candidates_.push_back(std::move(made));
    }
    return {};
  }

  Result<void> add_meaning(const embed::Embedder& embedder) {
    CODEXMEM_ASSIGN(const std::vector<float> asked, embedder.embed_query(query_.text));
    const std::size_t count = std::min(kDefinitionsEmbedded, candidates_.size());
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(candidates_[i].text);
    CODEXMEM_ASSIGN(const std::vector<float> vectors, embedder.embed_documents(texts));
    for (std::size_t i = 0; i < count; ++i) {
      const std::span own = std::span(vectors).subspan(i * asked.size(), asked.size());
      const double cosine = embed::inner_product(asked, own);
      candidates_[i].ranked.value +=
          weight_of(DefinitionPart::kMeaning) * (cosine - candidates_[i].dense);
    }
    return {};
  }

  DefinitionCounter counter_;
  const Query& query_;
  const Ranking& ranking_;
  std::vector<Candidate> candidates_;
};

}  // namespace

Result<std::vector<RankedDefinition>> rank_definitions(store::StoreReader& reader,
                                                       const Snapshot& snapshot, const Query& query,
                                                       const Ranking& ranking,
                                                       const embed::Embedder* embedder) {
  if (ranking.files.empty()) return std::vector<RankedDefinition>();
  return DefinitionRanker(reader, snapshot, query, ranking).run(embedder);
}

}  // namespace codexmem::search
