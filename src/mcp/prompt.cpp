#include "mcp/prompt.h"

#include "text/json_value.h"

namespace codexmem::mcp {

PromptMessage text_message(std::string_view text) {
  return {"user", R"({"type":"text","text":)" + json_quote(text) + "}"};
}

}  // namespace codexmem::mcp
