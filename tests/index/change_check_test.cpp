// tests/git/check_test.py has the cases of broken uses, with the program; this file has the other
// promises of the library.
#include "index/dump_lines.h"
#include "index/changes/change_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "index/run/indexer.h"
#include "index/packs/snapshot.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using store::Workspace;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CommittedRepository : public TemporaryTree {
 public:
  CommittedRepository() {
    git("init -q");
    write("util.ts", "export function keep() {}\nexport function gone() {}\n");
    write("app.ts", "import { keep, gone } from './util';\nkeep();\ngone();\n");
    write("lib/b.ts", "import { gone } from '../util';\ngone();\n");
    git("add -A");
    git("commit -qm first");
  }

  std::unique_ptr<Workspace> index() const {
    auto workspace = *Workspace::open(root());
    const auto report = index_repository(*workspace, run());
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
    return workspace;
  }

  static IndexOptions run() {
    IndexOptions options;
    options.skip_embeddings = true;
    return options;
  }

  Result<ChangeReport> check(Workspace& workspace, bool is_staged,
                             const std::vector<std::string>& paths = {},
                             std::stop_token stop = {}) const {
    auto changes = GitChanges::find(root(), root(), {.since = "", .is_staged = is_staged});
    EXPECT_TRUE(changes.ok());
    return check_changes(workspace, *std::move(changes), paths, {}, std::move(stop));
  }
};

std::vector<std::string> lines(const Result<ChangeReport>& report) {
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
  std::vector<std::string> list;
  for (const ChangeFinding& finding : report->findings) {
    list.push_back(finding.path + ":" + std::to_string(finding.line) + ":" +
                   std::to_string(finding.column) + " " +
                   std::string(finding_kind_name(finding.kind)) + " " + finding.name);
  }
  return list;
}

TEST(ChangeCheck, ReportsPlaceProblemAndReason) {
  const CommittedRepository repository;
  repository.write("util.ts", "export function keep() {}\nexport function other() {}\n");
  const auto workspace = repository.index();
  const auto report = repository.check(*workspace, false);
  EXPECT_THAT(lines(report), ElementsAre("app.ts:1:16 name gone", "lib/b.ts:1:10 name gone"));
  EXPECT_EQ(report->findings[0].message,
            "import of gone from \"./util\": util.ts has no such name; it may be other now");
  EXPECT_EQ(report->findings[0].context, "import { keep, gone } from './util';");
  EXPECT_EQ(report->findings[0].target, "util.ts");
  EXPECT_EQ(report->files_changed, 1U);
  EXPECT_EQ(report->files_checked, 1U);
  EXPECT_TRUE(report->is_complete);
  EXPECT_THAT(lines(repository.check(*workspace, false, {"lib"})),
              ElementsAre("lib/b.ts:1:10 name gone"));
}

// One file's bad facts do not end the check of the others (issue 47).
TEST(ChangeCheck, AFileWhoseFactsCannotBeReadIsNotChecked) {
  const CommittedRepository repository;
  repository.write("util.ts", "export function keep() {}\n");
  repository.write("lib/b.ts", "import { gone } from '../util';\ngone();\ngone();\n");
  const auto workspace = repository.index();
  ASSERT_TRUE((*workspace->writer())
                  ->execute("UPDATE file_facts SET facts = x'00' WHERE file_id ="
                            " (SELECT id FROM files WHERE path = 'lib/b.ts')")
                  .ok());
  const auto report = repository.check(*workspace, false);
  EXPECT_THAT(lines(report), ElementsAre("app.ts:1:16 name gone"));
  ASSERT_EQ(report->unchecked.size(), 1U);
  EXPECT_EQ(report->unchecked[0].path, "lib/b.ts");
  EXPECT_FALSE(report->is_whole());
}

TEST(ChangeCheck, PackagesOfSeveralFilesAreChecked) {
  const CommittedRepository repository;
  repository.write("go.mod", "module m\n");
  repository.write("util/u.go",
                   "package util\n\ntype T struct{}\n\nfunc Gone() {}\nfunc (t T) Left() {}\n");
  repository.write("util/v.go", "package util\n\nfunc Keep() {}\n");
  repository.write("main.go",
                   "package main\n\nimport \"m/util\"\n\nfunc main() {\n\tutil.Keep()\n"
                   "\tutil.Gone()\n\tutil.T{}.Left()\n}\n");
  repository.write("src/a/A.java", "package a;\npublic class A { public void gone() {} }\n");
  repository.write("src/b/B.java",
                   "package b;\nimport a.A;\nclass B { void f(A a) { a.gone(); } }\n");
  repository.git("add -A");
  repository.git("commit -qm packages");
  repository.write("util/u.go", "package util\n\ntype T struct{}\n");
  repository.write("src/a/A.java", "package a;\npublic class A { }\n");
  const auto workspace = repository.index();
  EXPECT_THAT(
      lines(repository.check(*workspace, false)),
      ElementsAre("main.go:7:7 use Gone", "main.go:8:11 use Left", "src/b/B.java:3:27 use gone"));
}

TEST(ChangeCheck, StagedFilesCountAndTheStoreIsUnchanged) {
  const CommittedRepository repository;
  repository.write("util.ts", "export function keep() {}\n");
  repository.git("add -A");
  repository.write("util.ts", "export function keep() {}\nexport function gone() {}\n");
  const auto workspace = repository.index();
  const auto before = dump_lines(*workspace);
  EXPECT_THAT(lines(repository.check(*workspace, true)),
              ElementsAre("app.ts:1:16 name gone", "lib/b.ts:1:10 name gone"));
  EXPECT_THAT(lines(repository.check(*workspace, false)), IsEmpty());
  EXPECT_EQ(dump_lines(*workspace), before);
}

TEST(ChangeCheck, ManyChangedFilesAreReadOnManyThreads) {
  const CommittedRepository repository;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "f" + std::to_string(i);
    repository.write("many/" + name + ".ts", "export function " + name + "() {}\n");
    repository.write("uses/" + name + ".ts",
                     "import { " + name + " } from '../many/" + name + "';\n" + name + "();\n");
  }
  repository.git("add -A");
  repository.git("commit -qm many");
  std::vector<std::string> want;
  for (int i = 0; i < 60; ++i) {
    repository.write("many/f" + std::to_string(i) + ".ts", "export const x = 1, y = 2;\n");
    want.push_back("uses/f" + std::to_string(i) + ".ts:1:10 name f" + std::to_string(i));
  }
  std::sort(want.begin(), want.end());
  const auto workspace = repository.index();
  EXPECT_EQ(lines(repository.check(*workspace, false)), want);
}

TEST(ChangeCheck, OtherLanguagesAreCountedAndNotChecked) {
  const CommittedRepository repository;
  repository.write("a.lua", "function a() end\n");
  const auto workspace = repository.index();
  const auto report = repository.check(*workspace, false);
  EXPECT_EQ(report->files_checked, 0U);
  EXPECT_THAT(report->other, ElementsAre(::testing::Pair("lua", 1U)));
}

TEST(ChangeCheck, CanBeCancelled) {
  const CommittedRepository repository;
  repository.write("util.ts", "export function keep() {}\n");
  const auto workspace = repository.index();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(repository.check(*workspace, false, {}, stop.get_token()).error().code(),
            ErrorCode::kCancelled);
}

TEST(Snapshot, HoldsGivenBytesNextToTheExistingFiles) {
  const CommittedRepository repository;
  const auto workspace = repository.index();
  std::filesystem::path folder;
  {
    const auto snapshot = Snapshot::make(
        *workspace,
        {{.path = "util.ts", .read = {}},
         {.path = "new.ts",
          .read = [] { return Result(std::optional<std::string>("export const n = 1;\n")); }},
         {.path = "../outside.ts",
          .read = [] { return Result(std::optional<std::string>("export const o = 1;\n")); }}},
        [](const std::string&) { return std::nullopt; }, {});
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message();
    folder = (*snapshot)->workspace().root();
    auto reader = (*snapshot)->workspace().reader();
    std::vector<std::string> paths;
    const auto files = (*reader)->list_files();
    for (const store::FileRow& file : *files) paths.push_back(file.path);
    EXPECT_THAT(paths, ::testing::UnorderedElementsAre("app.ts", "lib/b.ts", "new.ts"));
    const auto app = (*reader)->find_file("app.ts");
    const auto imports = (*reader)->list_dependencies((*app)->id);
    EXPECT_FALSE(imports->at(0).target) << "its module is gone";
    EXPECT_FALSE(std::filesystem::exists(folder.parent_path() / "outside.ts"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
  auto reader = workspace->reader();
  EXPECT_EQ((*reader)->list_files()->size(), 3U);
}

}  // namespace
}  // namespace codexmem::index
