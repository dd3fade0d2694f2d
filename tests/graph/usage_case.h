// tests/graph/usage_case.h - small repositories, and which uses of a name in them mean a
// definition.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/uses/references.h"
#include "support/code_fixture.h"

namespace codexmem::graph {

struct UsageCase {
  std::string name;
  std::map<std::string, std::string> files;
  std::string symbol, file;
  std::vector<std::string> want;  // "path:line:column", its confidence behind unless resolved
  std::uint32_t line = 0;         // with a file: only the definition there
  // Without it, possible uses are left out, except matches by name.
  std::optional<Confidence> min_confidence = std::nullopt;
};

// A use that is only possible, in a language whose names are resolved.
inline bool is_doubtful(const ReferenceItem& item) {
  return item.confidence == Confidence::kPossible && item.doubt != Doubt::kByName;
}

class UsageTest : public ::testing::TestWithParam<UsageCase> {
 protected:
  void check() {
    const UsageCase& c = GetParam();
    testing::CodeFixture fixture(c.files);
    FactsCache cache;
    auto lease = fixture.workspace().reader();
    ASSERT_TRUE(lease.ok());
    ReferenceQuery query;
    query.symbol = c.symbol;
    if (!c.file.empty()) query.file_path = c.file;
    if (c.line > 0) query.line = c.line;
    query.min_confidence = c.min_confidence.value_or(Confidence::kPossible);
    auto answer = find_references(cache, **lease, query);
    ASSERT_TRUE(answer.ok());
    std::vector<std::string> found;
    for (const ReferenceItem& item : answer->items) {
      if (item.is_definition || (!c.min_confidence && is_doubtful(item))) continue;
      std::string text = item.path + ":" + std::to_string(item.position.line) + ":" +
                         std::to_string(item.position.column);
      if (item.confidence != Confidence::kResolved) {
        text += " " + std::string(confidence_name(item.confidence));
      }
      found.push_back(std::move(text));
    }
    EXPECT_EQ(found, c.want);
  }
};

inline std::string usage_case_name(const ::testing::TestParamInfo<UsageCase>& info) {
  return info.param.name;
}

}  // namespace codexmem::graph
