
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/dump_lines.h"
#include "index/run/indexer.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using store::Workspace;

// The lines that are in one of the lists alone.
std::vector<std::string> changes(const std::vector<std::string>& before,
                                 const std::vector<std::string>& after) {
  std::vector<std::string> out;
  for (const std::string& line : after) {
    if (std::find(before.begin(), before.end(), line) == before.end()) out.push_back(line);
  }
  return out;
}

class Dump : public ::testing::Test {
 protected:
  Dump() {
    tree_.write("a.ts",
                "import { b } from './b';\n/** Says \"a\". */\nexport function a() { b(); }\n");
    tree_.write("b.ts", "export const b = 1;\n");
    tree_.write("c.png", "x");
    workspace_ = Workspace::open(tree_.root()).value();
    EXPECT_TRUE(index_repository(*workspace_).ok());
  }

  // What changes in the dump when `sql` has run.
  std::vector<std::string> after(const std::string& sql) {
    const auto before = dump_lines(*workspace_);
    const auto done = (*workspace_->writer())->execute(sql);
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message());
    return changes(before, dump_lines(*workspace_));
  }

  TemporaryTree tree_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(Dump, HasALineForEachStoredThing) {
  const std::vector<std::string> lines = dump_lines(*workspace_);
  const auto has = [&](std::string_view begin, std::string_view part = "") {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with(begin) && line.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("meta complete \"1\""));
  EXPECT_TRUE(has("file \"a.ts\" ", " typescript 3 lines flags 0 "));
  EXPECT_TRUE(has("symbol \"a.ts\" 0 \"a\" function ", " exported \"export function a()\""));
  EXPECT_TRUE(has("symbol \"a.ts\" 0 ", "\"Says \\\"a\\\".\""));
  EXPECT_TRUE(has("chunk \"a.ts\" 0 bytes 0-"));
  EXPECT_TRUE(has("vector \"a.ts\" 0 "));
  EXPECT_TRUE(has("vector \"a.ts\" file "));
  EXPECT_TRUE(has("import \"a.ts\" 0 line 1 import \"./b\" means \"b.ts\" \"\" [\"b\"]"));
  EXPECT_TRUE(has("facts \"a.ts\" "));
  EXPECT_TRUE(has("names \"a.ts\" 2 "));
  EXPECT_TRUE(has("skipped \"c.png\" binary \"by its name\" 1 bytes"));
  EXPECT_TRUE(has("rows 2 files 2 symbols 2 chunks 4 vectors 1 dependencies 1 skipped"));
  EXPECT_TRUE(has("stale names 0 0000000000000000 terms 0 0000000000000000 lengths 0"));
}

TEST_F(Dump, IsTheSameForTheSameFilesUnderOtherIds) {
  const auto before = dump_lines(*workspace_);
  TemporaryTree other;
  other.write("b.ts", "export const b = 1;\n");
  other.write("d.ts", "export const d = 1;\n");
  const auto workspace = Workspace::open(other.root()).value();
  EXPECT_TRUE(index_repository(*workspace).ok());
  std::filesystem::remove(other.root() / "d.ts");
  other.write("c.png", "x");
  std::filesystem::copy_file(tree_.root() / "a.ts", other.root() / "a.ts");
  EXPECT_TRUE(index_repository(*workspace).ok());
  EXPECT_EQ(before, dump_lines(*workspace));
}

TEST_F(Dump, ShowsMissingAndStaleRows) {
  struct Case {
    const char *sql, *line;
  };
  const Case cases[] = {
      {"DELETE FROM chunk_vectors WHERE id & 1048575 = 0", "vector \"a.ts\" 0 text "},
      {"DELETE FROM file_facts", "facts \"a.ts\" none"},
      {"DELETE FROM file_trigrams", "trigrams \"a.ts\" none"},
      {"INSERT INTO file_names (rowid, names) VALUES (1, 'gone')", "names \"a.ts\" 3 "},
      {"INSERT INTO file_names (rowid, names) VALUES (99, 'gone')", "stale names 1 "},
      {"INSERT INTO chunk_terms (rowid, terms) VALUES (99, 'gone')", "stale names 1 "},
      {"INSERT INTO skipped_files VALUES ('d', 'ignored', '', 0, 0)", "skipped \"d\" ignored "},
      {"UPDATE file_rows SET flags = 8", "file \"a.ts\" "},
  };
  for (const Case& c : cases) {
    const auto changed = after(c.sql);
    EXPECT_TRUE(std::any_of(changed.begin(), changed.end(), [&](const std::string& line) {
      return line.starts_with(c.line);
    })) << c.sql;
  }
}

}  // namespace
}  // namespace codexmem::index
