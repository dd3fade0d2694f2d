#include "base/result.h"

#include <cstdio>
#include <cstdlib>

namespace codexmem {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kIo:
      return "I/O error";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kBusy:
      return "busy";
    case ErrorCode::kBlocked:
      return "blocked";
  }
  return "unknown";
}

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "codexmem: internal error: %s at %s:%d\n", expression, file, line);
  std::abort();
}

}  // namespace codexmem
