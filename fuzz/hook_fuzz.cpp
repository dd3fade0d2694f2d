// What a host writes to a hook, by each platform's names, in one piece and in two.
#include <cstdint>
#include <string>
#include <string_view>

#include "text/json.h"
#include "text/json_text.h"
#include "base/result.h"
#include "base/text.h"
#include "hook/host_input.h"
#include "hook/read_input.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string repaired = repair_json(text);
  CODEXMEM_CHECK(is_valid_utf8(repaired));
  CODEXMEM_CHECK(!Json::accept(text) || Json::accept(repaired));

  hook::ValueEnd whole, parts;
  const auto end = whole.take(text);
  const auto first = parts.take(text.substr(0, size / 2));
  const auto second = first ? first : parts.take(text.substr(size / 2));
  CODEXMEM_CHECK(end.has_value() == second.has_value());
  CODEXMEM_CHECK(!end || *end == (first ? *first : size / 2 + *second));

  for (const hook::Platform platform : {hook::Platform::kClaudeCode, hook::Platform::kCursor,
                                        hook::Platform::kRaw, hook::Platform::kCodex}) {
    const auto input = hook::read_host_input(platform, text);
    if (!input) continue;
    CODEXMEM_CHECK(Json::accept(input->tool_input) && Json::accept(input->tool_response));
    CODEXMEM_CHECK(is_valid_utf8(input->session_id + input->prompt + input->cwd));
    CODEXMEM_CHECK(Json::accept(hook::context_output(platform, *input, input->prompt)));
  }
  return 0;
}
