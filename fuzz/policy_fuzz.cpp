// Any text that is to be remembered: what is stripped and redacted stays so, what is found lies in
// the text, and JSON stays JSON.
#include <cstdint>
#include <string>

#include "text/json.h"
#include "base/result.h"
#include "privacy/policy.h"
#include "privacy/private_text.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CODEXMEM_CHECK(privacy::strip_private(text).size() <= text.size());

  const privacy::Field field{"text", text};
  std::size_t end = 0;
  for (const privacy::Finding& finding : privacy::find_secrets({&field, 1})) {
    CODEXMEM_CHECK(finding.begin >= end && finding.begin < finding.end);
    end = finding.end;
  }
  CODEXMEM_CHECK(end <= text.size());
  privacy::explain_secrets(text);

  const std::string redacted = privacy::redact(text);
  const privacy::Field clean{"text", redacted};
  CODEXMEM_CHECK(privacy::check_fields({&clean, 1}).ok());
  CODEXMEM_CHECK(privacy::redact(redacted) == redacted);

  const bool is_json = Json::accept(text);
  CODEXMEM_CHECK(!is_json || Json::accept(privacy::redact_json(text)));
  CODEXMEM_CHECK(!is_json || Json::accept(privacy::strip_private_json(text)));
  return 0;
}
