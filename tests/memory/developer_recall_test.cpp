// What developers remember, asked as they ask: short titles, identifiers, files, error messages.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "memory/recall/recall.h"
#include "memory/store_fixture.h"

namespace codexmem::memory {
namespace {

class DeveloperRecall : public testing::StoreFixture {
 protected:
  static std::vector<std::string> parts_of(const std::string& line) {
    std::vector<std::string> parts;
    for (std::size_t begin = 2; begin <= line.size();) {
      std::size_t end = line.find(" | ", begin);
      if (end == std::string::npos) end = line.size();
      parts.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
    return parts;
  }

  // Of how many queries an answer is among the first three, and how many there are.
  std::pair<int, int> count_found() {
    std::ifstream file(CODEXMEM_SOURCE_DIR "/testdata/memory/developer.txt");
    std::map<std::int64_t, std::string> names;
    int queries = 0, found = 0;
    for (std::string line; std::getline(file, line);) {
      const auto parts = parts_of(line);
      if (line.starts_with("+ ")) {
        testing::EntryRow row;
        row.title = parts.at(1);
        row.body = parts.at(2);
        if (row.body.ends_with(" |")) row.body.resize(row.body.size() - 2);
        if (parts.size() > 3) row.files_modified = "[\"" + parts[3] + "\"]";
        now_ms_ += 7 * testing::kHourMs;
        names[static_cast<std::int64_t>(add(row))] = parts.at(0);
      } else if (line.starts_with("? ")) {
        RecallRequest request;
        request.query = parts.at(0);
        request.limit = 3;
        Recall recall(*store_, *vectors_, clock());
        const auto answer = recall.search(request);
        EXPECT_TRUE(answer.ok());
        bool is_found = false;
        std::string shown;
        for (const RecallHit& hit : answer->hits) {
          const std::string& name = names[id_of(hit.key)];
          shown += " " + name;
          is_found |= (" " + parts.at(1) + " ").find(" " + name + " ") != std::string::npos;
        }
        ++queries;
        found += is_found ? 1 : 0;
        if (!is_found) std::printf("not found: %s:%s\n", parts[0].c_str(), shown.c_str());
      }
    }
    return {found, queries};
  }
};

TEST_F(DeveloperRecall, WordsAloneAnswer) {
  const auto [found, queries] = count_found();
  EXPECT_EQ(queries, 40);
  EXPECT_GE(found, 39);
}

TEST_F(DeveloperRecall, VectorsDoNotMakeItWorse) {
  use_vectors();
  const auto [found, queries] = count_found();
  EXPECT_EQ(queries, 40);
  EXPECT_GE(found, 39);
}

}  // namespace
}  // namespace codexmem::memory
