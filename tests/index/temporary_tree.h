// A folder of files that a test makes up; removed at the end. tests/index only.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "support/temporary_directory.h"

namespace codexmem::index {

class TemporaryTree {
 public:
  const std::filesystem::path& root() const { return directory_.path(); }

  /// Writes a file, and the folders above it.
  void write(const std::filesystem::path& path, std::string_view bytes) const {
    std::filesystem::create_directories((root() / path).parent_path());
    std::ofstream out(root() / path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    EXPECT_TRUE(out.good()) << path;
  }

  /// Runs `git ARGUMENTS` in `folder` with no configuration but the repository's; its standard
  /// output.
  std::string git(const std::string& arguments, const std::filesystem::path& folder = "") const {
    const std::string command = "cd '" + (root() / folder).string() +
                                "' && HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent "
                                "GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null git "
                                "-c user.name=t -c user.email=t@example.org "
                                "-c protocol.file.allow=always -c init.defaultBranch=main " +
                                arguments + " 2>/dev/null";
    std::string out;
    FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    for (std::size_t got = 0; (got = ::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
      out.append(buffer, got);
    }
    ::pclose(pipe);
    return out;
  }

 private:
  testing::TemporaryDirectory directory_;
};

}  // namespace codexmem::index
