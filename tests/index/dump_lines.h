// index/dump_lines.h - everything that a store says, without ids and times, for tests to compare.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "index/packs/dump.h"
#include "store/code/workspace.h"

namespace codexmem::index {

inline std::vector<std::string> dump_lines(store::Workspace& workspace) {
  auto lease = workspace.reader();
  EXPECT_TRUE(lease.ok());
  std::vector<std::string> lines;
  const auto done = dump_index(**lease, [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message());
  return lines;
}

}  // namespace codexmem::index
