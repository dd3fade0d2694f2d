#include "search/path_facts.h"

#include <gtest/gtest.h>

#include "text/words.h"

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
      {"etc/completion/delta.zsh", 0.4},
      {"completions/git", 0.4},
      {"src/completion.ts", 1},
  };
  for (const Case& one : cases) {
    double prior = 1;
    for (const PathCut& cut : path_cuts(one.path)) prior *= cut.factor;
    EXPECT_DOUBLE_EQ(prior, one.prior) << one.path;
  }
}

TEST(PathCuts, WhoAsksForExamplesOrLegacyCodeGetsThem) {
  const auto undone_by = [](std::string_view path) {
    std::vector<std::string> stems;
    for (const PathCut& cut : path_cuts(path)) stems.push_back(cut.undone_by);
    return stems;
  };
  using Stems = std::vector<std::string>;
  EXPECT_EQ(undone_by("examples/one/main.py"), Stems{"exampl"});
  EXPECT_EQ(undone_by("src/legacy/a.ts"), Stems{"legaci"});
  EXPECT_EQ(undone_by("tests/examples/a.py"), Stems{""}) << "a test stays a test";
  EXPECT_EQ(undone_by("dist/a.min.js"), Stems{""});
  EXPECT_EQ(undone_by("shell/completion.bash"), Stems{stem("completions")});
#if defined(__linux__)
  EXPECT_EQ(undone_by("src/win/tcp.c"), Stems{"win"});
  EXPECT_EQ(undone_by("src/unix/tcp.c"), Stems{});
#endif
}

TEST(VersionFolders, AFolderNextToANewerVersionIsCut) {
  VersionFolders versions;
  for (const char* path : {"src/v3/a.ts", "src/v4/core/a.ts", "lib/v1/b.py", "v10x/c.py", "d.py"}) {
    versions.add(path);
  }
  EXPECT_DOUBLE_EQ(versions.cut_of("src/v3/a.ts").factor, 0.5);
  EXPECT_EQ(versions.cut_of("src/v3/a.ts").undone_by, "v3");
  EXPECT_EQ(versions.cut_of("src/v4/core/a.ts").factor, 1);
  EXPECT_EQ(versions.cut_of("lib/v1/b.py").factor, 1) << "nothing newer beside it";
  EXPECT_EQ(versions.cut_of("v10x/c.py").factor, 1);
  EXPECT_EQ(versions.cut_of("d.py").factor, 1);
}

TEST(PathStems, BaseNameAndLastThreeDirectories) {
  EXPECT_EQ(base_name_stems("a/rateLimiter.test.ts"),
            (std::vector<std::string>{"rate", "limit", "test"}));
  EXPECT_EQ(directory_stems("one/two/three/four/a.ts"),
            (std::vector<std::string>{"two", "three", "four"}));
  EXPECT_TRUE(directory_stems("a.ts").empty());
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
