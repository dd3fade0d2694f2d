// Tested by exchange/scip_export_test.cpp.
#include "exchange/code_walk.h"

#include <optional>

#include "base/stop_scope.h"
#include "graph/stored/facts_cache_impl.h"
#include "parse/rules/languages.h"

namespace codexmem::exchange {
namespace {

// A resolver keeps what it has found: some hundred bytes an occurrence, other files' included
// that these lead to.
constexpr std::size_t kMaxOccurrences = 100'000;

struct Resolution {
  Resolution(graph::FactsCache& cache, store::CodeReader& reader)
      : resolver(cache.impl(), reader), meanings(resolver, reader) {}
  graph::Resolver resolver;
  graph::CertainMeanings meanings;
};

}  // namespace

Result<WalkedFiles> walk_code(graph::FactsCache& cache, store::CodeReader& reader,
                              const std::function<Result<void>(WalkedFile&)>& visit) {
  WalkedFiles walked;
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  std::optional<Resolution> resolution;
  std::size_t occurrences = 0;
  for (const store::FileRow& row : files->rows()) {
    CODEXMEM_TRY(go_on());
    const parse::Language* language = parse::find_language(row.language);
    if (language == nullptr || !language->has_grammar) {
      ++walked.without_grammar;
      continue;
    }
    if (!resolution || occurrences > kMaxOccurrences) {
      resolution.emplace(cache, reader);
      occurrences = 0;
    }
    const graph::FileModel* model = resolution->resolver.model(row.id);
    CODEXMEM_TRY(resolution->resolver.status());
    if (model == nullptr) {
      ++walked.unread;
      continue;
    }
    ++walked.files;
    occurrences += model->facts.occurrences.size();
    WalkedFile file{row, *model, resolution->resolver, resolution->meanings};
    CODEXMEM_TRY(visit(file));
    CODEXMEM_TRY(resolution->resolver.status());
  }
  return walked;
}

}  // namespace codexmem::exchange
