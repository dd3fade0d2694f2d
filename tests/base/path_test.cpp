#include "base/path.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

namespace fs = std::filesystem;

TEST(PathBelow, IsRelativeWithSlashesAndWithoutDots) {
  const struct {
    const char* given;
    std::optional<std::string> want;
  } rows[] = {
      {"src/a.ts", "src/a.ts"},
      {"./src//a.ts", "src/a.ts"},
      {"src/", "src"},
      {"src/../b.ts", "b.ts"},
      {".", ""},
      {"", ""},
      {"src/..", ""},
      {"..", std::nullopt},
      {"../repo2/a.ts", std::nullopt},
      {"src/../../a.ts", std::nullopt},
      {"/nowhere/repo/src/a.ts", "src/a.ts"},
      {"/nowhere/repo/", ""},
      {"/nowhere/repo2/a.ts", std::nullopt},
      {"/", std::nullopt},
      {"...", "..."},
      {"..a/b", "..a/b"},
      {"-rf", "-rf"},
      {"new\nline", "new\nline"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(path_below("/nowhere/repo", row.given), row.want) << row.given;
  EXPECT_EQ(path_below("/nowhere/repo", fs::path(std::string("a\0b", 3))), std::nullopt);
  EXPECT_EQ(path_below("/", "/etc/x"), "etc/x");
}

TEST(PathBelow, AnAbsolutePathMayComeThroughALinkAndEndInOne) {
  const testing::TemporaryDirectory folder;
  const fs::path root = folder.path() / "repo";
  folder.write("repo/src/a.ts", "");
  fs::create_symlink(root, folder.path() / "alias");
  fs::create_symlink("/etc", root / "out");
  EXPECT_EQ(path_below(root, folder.path() / "alias/src/a.ts"), "src/a.ts");
  EXPECT_EQ(path_below(root, folder.path() / "alias/not/there"), "not/there");
  EXPECT_EQ(path_below(root, folder.path() / "alias"), "");
  EXPECT_EQ(path_below(root, folder.path() / "alias/out"), "out");
  EXPECT_EQ(path_below(root, folder.path() / "other"), std::nullopt);
}

TEST(FileName, AndItsStem) {
  EXPECT_EQ(file_name("src/app.test.ts"), "app.test.ts");
  EXPECT_EQ(file_name("app.ts"), "app.ts");
  EXPECT_EQ(file_stem("src/app.test.ts"), "app.test");
  EXPECT_EQ(file_stem("x/.eslintrc"), ".eslintrc");
}

}  // namespace
}  // namespace codexmem
