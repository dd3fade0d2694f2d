// A workspace file: it is refused, or what it names are few absolute folders, each once.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "base/result.h"
#include "config/workspace_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = codexmem::parse_workspace(text, "/work/ws/codexmem.workspace.json");
  if (!file.ok()) return 0;
  CODEXMEM_CHECK(file->repositories.size() <= codexmem::kMaxWorkspaceRepositories);
  std::set<std::filesystem::path> roots;
  for (const codexmem::WorkspaceRepository& each : file->repositories) {
    CODEXMEM_CHECK(each.root.is_absolute());
    CODEXMEM_CHECK(each.root.native().find('\0') == std::string::npos);
    CODEXMEM_CHECK(each.name.find_first_of("/:\n") == std::string::npos);
    CODEXMEM_CHECK(roots.insert(each.root).second);
  }
  return 0;
}
