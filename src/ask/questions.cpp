#include "ask/questions.h"

#include <algorithm>

#include "ask/code/analyze_dependencies.h"
#include "ask/code/find_symbol.h"
#include "ask/code/get_context.h"
#include "ask/code/get_references.h"
#include "ask/code/index_repository.h"
#include "ask/code/search_code.h"
#include "base/result.h"

namespace codexmem::ask {

namespace {

// In the order of tools/list.
constexpr const Question* kQuestions[] = {
    &kSearchCode,          &kFindSymbol, &kGetReferences,
    &kAnalyzeDependencies, &kGetContext, &kIndexRepository,
};

}  // namespace

std::span<const Question* const> questions() { return kQuestions; }

const Question& get_question(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                         [&](const Question* each) { return each->name == name; });
  CODEXMEM_CHECK(found != std::end(kQuestions));
  return **found;
}

}  // namespace codexmem::ask
