#include "ask/questions.h"

#include <algorithm>

#include "ask/code/analyze_change.h"
#include "ask/code/analyze_dependencies.h"
#include "ask/code/find_symbol.h"
#include "ask/code/get_context.h"
#include "ask/code/get_references.h"
#include "ask/code/index_repository.h"
#include "ask/code/list_routes.h"
#include "ask/code/locate.h"
#include "ask/code/plan_rename.h"
#include "ask/code/repository_overview.h"
#include "ask/code/search_code.h"
#include "ask/code/symbol_history.h"
#include "ask/code/trace_calls.h"
#include "ask/code/unused_code.h"
#include "ask/memory/get_records.h"
#include "ask/memory/important_workflow.h"
#include "ask/memory/ingest_docs.h"
#include "ask/memory/record_decision.h"
#include "ask/memory/retention_dry_run.h"
#include "ask/memory/save_memory.h"
#include "ask/memory/search.h"
#include "ask/memory/search_decisions.h"
#include "ask/memory/timeline.h"
#include "base/result.h"

namespace codexmem::ask {

namespace {

// In the order of tools/list.
constexpr const Question* kQuestions[] = {
    &kRepositoryOverview,
    &kSearchCode,
    &kLocate,
    &kFindSymbol,
    &kGetReferences,
    &kAnalyzeDependencies,
    &kTraceCalls,
    &kSymbolHistory,
    &kAnalyzeChange,
    &kPlanRename,
    &kGetContext,
    &kIndexRepository,
    &kSearch,
    &kTimeline,
    &kGetObservations,
    &kSaveMemory,
    &kGetEntries,
    &kIngestDocs,
    &kRetentionDryRun,
    &kRecordDecision,
    &kSupersedeDecision,
    &kSearchDecisions,
    &kAcceptProposal,
    &kProposeDecision,
    &kImportantWorkflow,
    &kImportant,
    &kUnusedCode,
    &kListRoutes,
    &kPlanChange,
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
