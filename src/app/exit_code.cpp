#include "app/exit_code.h"

namespace codexmem::app {

ExitCode exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return ExitCode::kNothingFound;
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
    case ErrorCode::kUnsupported:
    case ErrorCode::kCancelled:
    case ErrorCode::kBusy:
    case ErrorCode::kBlocked:
      return ExitCode::kError;
  }
  return ExitCode::kError;
}

}  // namespace codexmem::app
