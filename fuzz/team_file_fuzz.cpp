// Any text as a team's file: it is refused with a reason, or what it grants is within its roles.
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "serve/team/team_file.h"
#include "serve/team_file_checks.h"

using namespace codexmem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = serve::parse_team_file(text, "team.json");
  CODEXMEM_CHECK(file.ok() ? testing::is_sound(*file)
                           : file.error().message().starts_with("team.json: "));
  return 0;
}
