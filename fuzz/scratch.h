// A folder in memory for the files of one fuzz target, gone when the process ends well.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/result.h"

namespace codexmem::fuzz {

class Scratch {
 public:
  Scratch() {
    std::string name = "/dev/shm/codexmem-fuzz-XXXXXX";
    CODEXMEM_CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void overwrite(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  CODEXMEM_CHECK(out.good());
}

}  // namespace codexmem::fuzz
