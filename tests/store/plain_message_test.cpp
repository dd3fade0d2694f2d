#include "store/plain_message.h"

#include <gtest/gtest.h>

namespace codexmem::store {
namespace {

TEST(PlainMessage, HasNeitherThePathNorTheSqlOfAStatement) {
  const struct {
    const char* message;
    const char* want;
  } kRows[] = {
      {"/home/me/.codexmem/memory.db: SELECT id FROM entries WHERE title = ?1: database is locked",
       "the store: database is locked"},
      {"/home/me/.codexmem/memory.db: INSERT INTO entries: UNIQUE constraint failed: entries.id",
       "the store: UNIQUE constraint failed: entries.id"},
      {"/srv/data/code.db: PRAGMA user_version: disk I/O error", "the store: disk I/O error"},
      {"there is no room for /srv/data/code.db to grow (No space left on device): what it holds is "
       "whole; free some",
       "there is no room for /srv/data/code.db to grow (No space left on device): what it holds is "
       "whole; free some"},
      {"/srv/data/code.db: it is damaged", "/srv/data/code.db: it is damaged"},
      {"migration 3 (links): /a/b.db: CREATE TABLE x (a TEXT): table x already exists",
       "migration 3 (links): the store: table x already exists"},
      {"no indexed file is called 'src/a.ts'", "no indexed file is called 'src/a.ts'"},
      {"file_path must be a path in the repository /repo, got \"/x/y.py\"",
       "file_path must be a path in the repository /repo, got \"/x/y.py\""},
      {"", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(plain_message(row.message), row.want);
}

}  // namespace
}  // namespace codexmem::store
