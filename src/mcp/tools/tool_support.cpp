#include "mcp/tools/tool_support.h"

#include "base/text.h"

namespace codexmem::mcp {

ToolResult fail_with(const Error& error, std::string_view store_type, std::string_view other_type) {
  if (is_of_indexing(error)) {
    return make_failure("IndexingError", error.message());
  }
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
      return make_failure("ValidationError", error.message());
    case ErrorCode::kNotFound:
      return make_failure("FileNotFoundError", error.message());
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kBusy:
      return make_failure(store_type, error.message());
    default:
      return make_failure(other_type, error.message());
  }
}

std::string beside_list(std::string_view array, std::string_view structured) {
  constexpr std::string_view kList = "{\"results\":";
  if (!array.starts_with('[') || !structured.starts_with(kList)) return {};
  const std::string_view rest =
      structured.substr(std::min(structured.size(), kList.size() + array.size()));
  return rest.starts_with(',') ? "{" + std::string(rest.substr(1)) : std::string();
}

ToolResult list_result(const std::vector<std::string>& items, std::string_view siblings) {
  const std::string array = "[" + join(items, ",") + "]";
  std::string structured = "{\"results\":" + array;
  structured += siblings.size() > 2 ? "," + std::string(siblings.substr(1)) : "}";
  return {false, array, structured, beside_list(array, structured)};
}

ToolResult object_result(std::string object) { return {false, object, object}; }

}  // namespace codexmem::mcp
