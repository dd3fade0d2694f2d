#include "text/path_globs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace codexmem {
namespace {

TEST(PathGlobs, MeanWhatTheyMeanInAGitignore) {
  const struct Case {
    std::vector<std::string> globs;
    std::string path;
    bool want;
  } cases[] = {
      {{}, "a.py", true},
      {{"*.py"}, "a.py", true},
      {{"*.py"}, "src/deep/a.py", true},
      {{"*.py"}, "a.pyi", false},
      {{"src"}, "src/deep/a.py", true},
      {{"deep"}, "src/deep/a.py", true},
      {{"src/"}, "src/a.py", true},
      {{"a.py/"}, "a.py", false},
      {{"/a.py"}, "src/a.py", false},
      {{"/a.py"}, "a.py", true},
      {{"src/deep"}, "src/deep/a.py", true},
      {{"src/*.py"}, "src/deep/a.py", false},
      {{"src/**/*.py"}, "src/deep/a.py", true},
      {{"./src/*.py"}, "src/a.py", true},
      {{"src", "lib"}, "lib/a.py", true},
      {{"!*.md"}, "a.py", true},
      {{"!*.md"}, "docs/a.md", false},
      {{"!docs/", "*.md"}, "docs/a.md", false},
      {{"*.md", "!docs/"}, "docs/a.md", false},
      {{"*.md", "!docs/"}, "a.md", true},
      {{"[a"}, "[a", false},
  };
  for (const Case& c : cases) {
    const auto globs = PathGlobs::make(c.globs);
    ASSERT_TRUE(globs.ok());
    EXPECT_EQ(globs->keeps(c.path), c.want) << c.path << (c.globs.empty() ? "" : c.globs[0]);
  }
}

TEST(PathGlobs, AGlobThatNamesNothingIsRefused) {
  for (const char* glob : {"", " ", "!", "/", "./", "!/"}) {
    const auto globs = PathGlobs::make({glob});
    ASSERT_FALSE(globs.ok()) << glob;
    EXPECT_EQ(globs.error().code(), ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace codexmem
