// A body of a hook's event: it is read or refused with a reason, and what is kept of its texts is
// bounded and stays JSON.
#include <cstdint>
#include <string>
#include <variant>

#include "text/json.h"
#include "base/result.h"
#include "base/text.h"
#include "privacy/captured_text.h"
#include "observe/intake/intake.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"/api/sessions/init", "/api/sessions/observations",
                           "/api/sessions/summarize", "/api/sessions/complete"}) {
    const auto request = observe::read_intake(path, text);
    if (!request.ok()) {
      CODEXMEM_CHECK(!request.error().message().empty());
    } else if (const auto* tool = std::get_if<observe::ObservationRequest>(&*request)) {
      CODEXMEM_CHECK(Json::accept(tool->tool_input) && Json::accept(tool->tool_response));
    }
  }
  const std::string json = privacy::captured_json(text);
  CODEXMEM_CHECK(Json::accept(json));
  CODEXMEM_CHECK(json.size() <= privacy::kMaxCapturedJson);
  CODEXMEM_CHECK(is_valid_utf8(privacy::captured_text(text)));
  return 0;
}
