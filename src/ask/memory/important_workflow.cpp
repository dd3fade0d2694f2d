#include "ask/memory/important_workflow.h"

#include <string>

#include "ask/memory/call.h"

namespace codexmem::ask {
namespace {

constexpr char kWorkflow[] =
    "Memory is read in three steps, each of which costs more than the one before:\n"
    "\n"
    "1. search(query=\"...\") gives an index: ids, titles, types, times; 50-100 tokens a "
    "row.\n"
    "2. timeline(anchor=ID) shows what happened around a row: what led to it, what followed.\n"
    "3. get_observations(ids=[ID, ID, ...]) gives the rows that matter in full; 500-1,000 "
    "tokens each.\n"
    "\n"
    "Filter before you fetch: choose ids from steps 1 and 2, then ask for all of them in one "
    "call of step 3, never one by one and never everything. That saves most of the tokens.\n"
    "\n"
    "Worth keeping? save_memory(text=\"...\"). What was decided, and still holds: "
    "search_decisions.";

struct WorkflowAnswer : Answer {
  Written to_json() const override { return {kWorkflow, {}}; }
};

Result<std::unique_ptr<Answer>> get_workflow(const Question&, const Context&, const JsonValue&) {
  return boxed<WorkflowAnswer>(WorkflowAnswer());
}

}  // namespace

constinit const Question kImportantWorkflow = {.name = "important_workflow",
                                               .title = "Workflow",
                                               .description = "Guide in three steps.",
                                               .groups = "memory",
                                               .is_guide = true,
                                               .fail = memory_failure,
                                               .run = get_workflow};

constinit const Question kImportant = {.name = "__IMPORTANT",
                                       .title = "Workflow",
                                       .description = "Likewise.",
                                       .groups = "memory",
                                       .is_guide = true,
                                       .fail = memory_failure,
                                       .run = get_workflow};

}  // namespace codexmem::ask
