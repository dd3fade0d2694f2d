// mcp/tools/tool_support.h - the carriers of tools that are not questions of src/ask yet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ask/arguments.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "base/result.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

using namespace ask;  // NOLINT(google-build-using-namespace): until they have moved there

template <typename Object>
void put_rest(Object& answer, std::size_t end, std::size_t total) {
  Rest::after(end, total).put_into(answer);
}

ToolResult fail_with(const Error& error, std::string_view store_type, std::string_view other_type);
std::string beside_list(std::string_view array, std::string_view structured);
ToolResult list_result(const std::vector<std::string>& items, std::string_view siblings);
ToolResult object_result(std::string object);

template <typename Answer>
ToolResult question_result(const CallContext& context, Result<Answer> answer) {
  if (!answer.ok()) return fail_with(answer.error(), "DatabaseError", "SearchError");
  answer->is_stale = context.staleness != nullptr && !context.staleness->empty();
  return to_result(*answer);
}

}  // namespace codexmem::mcp
