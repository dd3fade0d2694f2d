#include "search/path_facts.h"

#include <gtest/gtest.h>

namespace codexmem::search {
namespace {

TEST(PathPrior, TestsExamplesAndGeneratedFilesRankLower) {
  struct Case {
    const char* path;
    double prior;
  };
  const Case cases[] = {
      {"src/app.py", 1},
      {"src/flask/testing.py", 1},
      {"tests/app.py", 0.4},
      {"src/__tests__/a.ts", 0.4},
      {"src/app.test.ts", 0.4},
      {"src/app_test.py", 0.4},
      {"src/test_app.py", 0.4},
      {"src/AppTest.ts", 0.4},
      {"src/contest.py", 1},
      {"conftest.py", 0.4},
      {"examples/one/main.py", 0.4},
      {"docs/conf.py", 0.4},
      {"tests/examples/a.py", 0.4},
      {"types/index.d.ts", 0.4},
      {"dist/a.min.js", 0.4},
      {"proto/a_pb2.py", 0.4},
      {"vendor/a.js", 0.4},
      {"tests/vendor/a.js", 0.4 * 0.4},
  };
  for (const Case& one : cases) EXPECT_DOUBLE_EQ(path_prior(one.path), one.prior) << one.path;
}

TEST(PathStems, BaseNameAndLastThreeDirectories) {
  EXPECT_EQ(base_name_stems("a/rateLimiter.test.ts"),
            (std::vector<std::string>{"rate", "limit", "test"}));
  EXPECT_EQ(directory_stems("one/two/three/four/a.ts"),
            (std::vector<std::string>{"two", "three", "four"}));
  EXPECT_TRUE(directory_stems("a.ts").empty());
  EXPECT_EQ(base_name_of("x/.eslintrc"), ".eslintrc");
}

TEST(HasExtension, WithOrWithoutDotInAnyCase) {
  EXPECT_TRUE(has_extension("a/B.TS", {"ts"}));
  EXPECT_TRUE(has_extension("a/b.ts", {".py", ".TS"}));
  EXPECT_TRUE(has_extension("a/b.d.ts", {"d.ts"}));
  EXPECT_TRUE(has_extension("a/b.ts", {"*.ts"}));
  EXPECT_FALSE(has_extension("a/bts", {"ts"}));
  EXPECT_FALSE(has_extension("a/b.tsx", {"ts"}));
  EXPECT_TRUE(has_extension("a/b", {}));
}

}  // namespace
}  // namespace codexmem::search
