// tests/support/temporary_directory.h - a directory of its own for a test, gone at the end of it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace codexmem::testing {

/// Removes a folder in which other threads add and delete files: a file that came or went meanwhile
/// makes remove_all() give up, so it is called until the folder is gone, at most 1000 times.
inline void remove_in_use(const std::filesystem::path& folder) {
  std::error_code error;
  for (int i = 0; i < 1000; ++i) {
    std::filesystem::remove_all(folder, error);
    if (!error) return;
  }
  ADD_FAILURE() << folder << ": " << error.message();
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "codexmem-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = std::filesystem::canonical(name);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file below the directory, making the folders on the way.
  std::filesystem::path write(const std::filesystem::path& relative, std::string_view bytes) const {
    const std::filesystem::path path = path_ / relative;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace codexmem::testing
