// ask/memory/important_workflow.h - how to use memory step by step, for models.
#pragma once

#include "ask/question.h"

namespace codexmem::ask {

/// important_workflow, and the same as __IMPORTANT: some clients do not take a name that begins
/// with an underscore.
extern const Question kImportantWorkflow;
extern const Question kImportant;

}  // namespace codexmem::ask
