#include "config/workspace_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shown(std::string_view text) {
  const auto file = parse_workspace(text, "/work/ws/codexmem.workspace.json");
  std::vector<std::string> lines;
  if (!file.ok()) return {file.error().message()};
  for (const WorkspaceRepository& each : file->repositories) {
    lines.push_back(each.name + " " + each.root.string());
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(WorkspaceFile, NamesFoldersFromItsOwn) {
  EXPECT_EQ(shown(R"({
    // of the team
    "repositories": ["zod", "../trpc/", {"path": "/srv/app", "name": "the app"}, "./zod",],
  })"),
            (Lines{" /work/ws/zod", " /work/trpc", "the app /srv/app"}));
  EXPECT_EQ(shown(R"({"folders": [{"path": "."}, {"name": "a/b", "path": "web"},
                      {"uri": "vscode-remote://host/x"}, {"uri": "file:///srv/lib"}],
                      "settings": {}})"),
            (Lines{" /work/ws", " /work/ws/web", " /srv/lib"}));
}

TEST(WorkspaceFile, ProblemsAreReported) {
  for (const char* text : {"", "[]", "{}", "{\"repositories\": 1}", "{\"repositories\": [1]}",
                           "{\"repositories\": [{\"name\": \"a\"}]}", "{\"repositories\": [\"\"]}",
                           "{\"repositories\": [\"a\\u0000b\"]}",
                           "{\"repositories\": [{\"path\": \"a\", \"name\": \"a:b\"}]}",
                           "{\"repositories\": [\"a\"]"}) {
    const auto file = parse_workspace(text, "/w/codexmem.workspace.json");
    ASSERT_FALSE(file.ok()) << text;
    EXPECT_EQ(file.error().code(), ErrorCode::kInvalidArgument) << text;
    EXPECT_TRUE(file.error().message().starts_with("/w/codexmem.workspace.json: ")) << text;
  }
  std::string many = "{\"repositories\": [\"a\"";
  for (std::size_t i = 0; i < kMaxWorkspaceRepositories; ++i)
    many += ",\"b" + std::to_string(i) + "\"";
  EXPECT_FALSE(parse_workspace(many + "]}", "/w/x").ok());
}

TEST(WorkspaceFile, OneAboveIsFoundUnlessItComesWithARepository) {
  const testing::TemporaryDirectory directory;
  const fs::path base = directory.path();
  directory.write("ws/app/.git/HEAD", "");
  const fs::path root = base / "ws/app";
  EXPECT_EQ(find_workspace_file(root), std::nullopt);
  // In the repository itself, it came with it.
  directory.write("ws/app/codexmem.workspace.json", "{}");
  EXPECT_EQ(find_workspace_file(root), std::nullopt);
  directory.write("codexmem.workspace.json", "{}");
  EXPECT_EQ(find_workspace_file(root), base / "codexmem.workspace.json");
  directory.write("ws/codexmem.workspace.json", "{}");
  EXPECT_EQ(find_workspace_file(root), base / "ws/codexmem.workspace.json");
  // A repository around both: a submodule's parent may be anybody's.
  directory.write("ws/.git/HEAD", "");
  EXPECT_EQ(find_workspace_file(root), base / "codexmem.workspace.json");
  // A link may lead to what somebody else writes.
  fs::remove(base / "codexmem.workspace.json");
  fs::create_symlink(base / "ws/codexmem.workspace.json", base / "codexmem.workspace.json");
  EXPECT_EQ(find_workspace_file(root), std::nullopt);
}

}  // namespace
}  // namespace codexmem
