// base/running_hash.h - the SHA-256 of bytes that arrive in pieces. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace codexmem {

class RunningHash {
 public:
  RunningHash();
  RunningHash(RunningHash&&) noexcept;
  RunningHash& operator=(RunningHash&&) noexcept;
  ~RunningHash();

  void add(std::string_view bytes);

  /// The 32 bytes of the hash of all added bytes; add nothing afterwards.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace codexmem
