// ask/memory/workflow.h - how to use the memory's tools in turn, for models.
#pragma once

#include <string_view>

namespace codexmem::ask {

/// What the tools __IMPORTANT and important_workflow answer.
std::string_view workflow_text();

}  // namespace codexmem::ask
