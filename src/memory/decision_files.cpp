#include "memory/decisions.h"

namespace codexmem::memory {

void Decisions::write_files(const std::vector<std::string>&) {}

Result<std::size_t> Decisions::export_files(const std::filesystem::path&) {
  return Error{ErrorCode::kUnsupported, "decisions cannot be exported yet"};
}

Result<Reflection> Decisions::reflect(std::string_view) { return Reflection{}; }

}  // namespace codexmem::memory
