#include "index/discovery/ignore.h"

#include <gtest/gtest.h>

#include "index/discovery/root_directory.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using Kind = IgnoreVerdict::Kind;

std::string judge(const TemporaryTree& tree, const std::string& path, bool is_directory = false,
                  const std::filesystem::path& below = "") {
  auto root = RootDirectory::open(tree.root() / below);
  EXPECT_TRUE(root.ok());
  IgnoreTree rules(*root);
  const IgnoreVerdict verdict = rules.judge_from_root(path, is_directory);
  const char* kind = verdict.kind == Kind::kKeep     ? "keep"
                     : verdict.kind == Kind::kIgnore ? "ignore"
                                                     : "tracked only";
  return verdict.rule == nullptr ? kind : std::string(kind) + " " + verdict.explain();
}

TEST(IgnoreList, ReadsLinesAsGitDoes) {
  const IgnoreList list(
      "\xEF\xBB\xBF*.log\r\n"
      "# comment\n"
      "\\#kept\n"
      "\n"
      "spaces   \n"
      "kept\\ \n"
      "!\n"
      "/\n"
      "last",
      "x");
  const auto line = [&](const char* path) {
    const IgnoreRule* rule = list.find_rule(path, false);
    return rule == nullptr ? 0U : rule->line();
  };
  EXPECT_EQ(line("a.log"), 1U);
  EXPECT_EQ(line("# comment"), 0U);
  EXPECT_EQ(line("#kept"), 3U);
  EXPECT_EQ(line("spaces"), 5U);
  EXPECT_EQ(line("kept "), 6U);
  EXPECT_EQ(line("last"), 9U);
}

TEST(IgnoreList, LastMatchingLineWins) {
  const IgnoreList list("*.c\n!keep.c\nkeep.c/\n", "x");
  EXPECT_TRUE(list.find_rule("keep.c", false)->negated());
  EXPECT_FALSE(list.find_rule("keep.c", true)->negated());
  EXPECT_FALSE(list.find_rule("sub/other.c", false)->negated());
}

TEST(IgnoreTree, NeedsNoRepository) {
  const TemporaryTree tree;
  tree.write(".gitignore", "*.log\n/build/\n");
  tree.write("src/.gitignore", "!keep.log\n");
  EXPECT_EQ(judge(tree, "src/a.log"), "ignore .gitignore:1: *.log");
  EXPECT_EQ(judge(tree, "src/keep.log"), "keep src/.gitignore:1: !keep.log");
  EXPECT_EQ(judge(tree, "build", true), "ignore .gitignore:2: /build/");
  EXPECT_EQ(judge(tree, "build"), "keep");
  EXPECT_EQ(judge(tree, "src/build", true), "keep");
}

TEST(IgnoreTree, NothingBelowAnIgnoredFolderComesBack) {
  const TemporaryTree tree;
  tree.write(".gitignore", "out/\n!out/keep.ts\n");
  tree.write("out/.gitignore", "!*\n");
  EXPECT_EQ(judge(tree, "out/keep.ts"), "ignore .gitignore:1: out/");
}

TEST(IgnoreTree, CodexmemignoreComesBeforeGitsRules) {
  const TemporaryTree tree;
  tree.write(".gitignore", "generated/\n*.tmp\n");
  tree.write(".codexmemignore", "!generated/\nsecret.ts\n");
  tree.write("sub/.codexmemignore", "!secret.ts\n");
  EXPECT_EQ(judge(tree, "generated/a.ts"), "keep");
  EXPECT_EQ(judge(tree, "generated", true), "keep .codexmemignore:1: !generated/");
  EXPECT_EQ(judge(tree, "generated/a.tmp"), "ignore .gitignore:2: *.tmp");
  EXPECT_EQ(judge(tree, "secret.ts"), "ignore .codexmemignore:2: secret.ts");
  EXPECT_EQ(judge(tree, "sub/secret.ts"), "keep sub/.codexmemignore:1: !secret.ts");
}

TEST(IgnoreTree, TrackedFilesAreNotIgnoredByGitsRules) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".gitignore", "*.gen.ts\nvendor/\n");
  tree.write("a.gen.ts", "");
  tree.write("b.gen.ts", "");
  tree.write("vendor/deep/in.ts", "");
  tree.write("vendor/deep/out.ts", "");
  tree.write("vendor/other/out.ts", "");
  tree.git("add -f .gitignore a.gen.ts vendor/deep/in.ts");
  EXPECT_EQ(judge(tree, "a.gen.ts"), "keep");
  EXPECT_EQ(judge(tree, "b.gen.ts"), "ignore .gitignore:1: *.gen.ts");
  EXPECT_EQ(judge(tree, "vendor", true), "tracked only .gitignore:2: vendor/");
  EXPECT_EQ(judge(tree, "vendor/deep/in.ts"), "keep");
  EXPECT_EQ(judge(tree, "vendor/deep/out.ts"), "ignore .gitignore:2: vendor/");
  EXPECT_EQ(judge(tree, "vendor/other/out.ts"), "ignore .gitignore:2: vendor/");
  tree.write(".codexmemignore", "a.gen.ts\nvendor/deep/*\n");
  EXPECT_EQ(judge(tree, "a.gen.ts"), "ignore .codexmemignore:1: a.gen.ts");
  EXPECT_EQ(judge(tree, "vendor/deep/in.ts"), "ignore .codexmemignore:2: vendor/deep/*");
}

TEST(IgnoreTree, ReadsExcludeFilesOfTheRepository) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".git/info/exclude", "*.mine\n!shared.glob\n");
  tree.write("global", "*.glob\n*.mine\n");
  tree.git("config core.excludesFile " + (tree.root() / "global").string());
  EXPECT_EQ(judge(tree, "x/a.mine"), "ignore .git/info/exclude:1: *.mine");
  EXPECT_EQ(judge(tree, "a.glob"), "ignore global:1: *.glob");
  EXPECT_EQ(judge(tree, "shared.glob"), "keep .git/info/exclude:2: !shared.glob");
  tree.git("config core.ignoreCase true");
  EXPECT_EQ(judge(tree, "A.MINE"), "ignore .git/info/exclude:1: *.mine");
}

TEST(IgnoreTree, RulesAboveTheRootCount) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".gitignore", "*.log\n/packages/app/dist/\n/packages/gen/\n");
  tree.write("packages/.gitignore", "app/tmp\n");
  tree.write("packages/app/x.ts", "");
  tree.write("packages/gen/x.ts", "");
  tree.git("add .");
  const std::string top = tree.root().string();
  EXPECT_EQ(judge(tree, "a.log", false, "packages/app"), "ignore " + top + "/.gitignore:1: *.log");
  EXPECT_EQ(judge(tree, "dist", true, "packages/app"),
            "ignore " + top + "/.gitignore:2: /packages/app/dist/");
  EXPECT_EQ(judge(tree, "tmp", false, "packages/app"),
            "ignore " + top + "/packages/.gitignore:1: app/tmp");
  EXPECT_EQ(judge(tree, "x.ts", false, "packages/app"), "keep");
  // The root itself is ignored, but was asked for.
  EXPECT_EQ(judge(tree, "x.ts", false, "packages/gen"), "keep");
}

TEST(IgnoreTree, ARepositoryInsideBringsItsOwnRules) {
  const TemporaryTree tree;
  tree.git("init -q");
  tree.write(".gitignore", "*.log\n");
  tree.write(".codexmemignore", "*.skip\n");
  tree.write("inner/.gitignore", "*.tmp\n");
  tree.git("init -q", "inner");
  EXPECT_EQ(judge(tree, "inner/a.log"), "keep");
  EXPECT_EQ(judge(tree, "inner/a.tmp"), "ignore inner/.gitignore:1: *.tmp");
  EXPECT_EQ(judge(tree, "inner/a.skip"), "ignore .codexmemignore:1: *.skip");
}

TEST(IgnoreTree, LinkedWorktreesAndSubmodulesUseTheirOwnGitFolder) {
  const TemporaryTree tree;
  tree.git("init -q main");
  tree.write("main/a.ts", "");
  tree.git("add . && git -c user.name=t -c user.email=t@example.org commit -qm a", "main");
  tree.write("main/.git/info/exclude", "*.mine\n");
  tree.git("worktree add -q ../linked", "main");
  EXPECT_EQ(judge(tree, "a.mine", false, "linked"),
            "ignore " + tree.root().string() + "/main/.git/info/exclude:1: *.mine");
  tree.git("init -q outer");
  tree.git("submodule add -q ../main sub", "outer");
  ASSERT_TRUE(std::filesystem::exists(tree.root() / "outer/sub/a.ts"));
  tree.write("outer/.gitignore", "*.ts\nsub\n");
  tree.write("outer/.git/modules/sub/info/exclude", "*.theirs\n");
  EXPECT_EQ(judge(tree, "sub", true, "outer"), "keep");
  EXPECT_EQ(judge(tree, "sub/b.ts", false, "outer"), "keep");
  EXPECT_EQ(judge(tree, "sub/x.theirs", false, "outer"),
            "ignore .git/modules/sub/info/exclude:1: *.theirs");
}

}  // namespace
}  // namespace codexmem::index
