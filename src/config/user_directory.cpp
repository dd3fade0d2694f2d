#include "config/user_directory.h"

#include <cstdlib>

namespace codexmem {
namespace fs = std::filesystem;

fs::path user_directory() {
  if (const char* given = std::getenv("CODEXMEM_DATA_DIR"); given != nullptr && *given != '\0') {
    return given;
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fs::path(home) / ".codexmem" : fs::path();
}

}  // namespace codexmem
