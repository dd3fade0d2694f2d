#include "config/known_repositories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(KnownRepositories, TheOneOpenedLastIsFirstAndEachIsThereOnce) {
  const testing::TemporaryDirectory directory;
  EXPECT_THAT(list_known_repositories(directory.path()), IsEmpty());
  for (const char* root : {"/a", "/b", "/a"}) {
    ASSERT_TRUE(note_opened(directory.path(), root).ok());
  }
  directory.write("projects.jsonl",
                  "{\"name\":\"c\",\"path\":\"/c\"}\nbroken\n{\"name\":\"b\",\"path\":\"/b\"}\n"
                  "{\"name\":\"d\",\"path\":\"/d\"}\n");
  EXPECT_THAT(list_known_repositories(directory.path()), ElementsAre("/a", "/b", "/d", "/c"));
  EXPECT_EQ(last_opened(directory.path()), "/a");
}

TEST(KnownRepositories, OneThatWasOnlyIndexedIsLast) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(note_indexed(directory.path(), "/a").ok());
  EXPECT_EQ(last_opened(directory.path()), "/a");
  ASSERT_TRUE(note_opened(directory.path(), "/b").ok());
  ASSERT_TRUE(note_indexed(directory.path(), "/c").ok());
  ASSERT_TRUE(note_indexed(directory.path(), "/b").ok());
  EXPECT_THAT(list_known_repositories(directory.path()), ElementsAre("/b", "/a", "/c"));
}

TEST(KnownRepositories, ADamagedListIsIgnored) {
  const testing::TemporaryDirectory directory;
  for (const char* text : {"", "[1]", "{\"opened\":3}", "{\"opened\":[1,\"relative\"]}"}) {
    directory.write("repositories.json", text);
    EXPECT_THAT(list_known_repositories(directory.path()), IsEmpty()) << text;
  }
  EXPECT_FALSE(note_opened(directory.path(), "relative").ok());
}

}  // namespace
}  // namespace codexmem
