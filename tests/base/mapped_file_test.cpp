#include "base/mapped_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem {
namespace {

TEST(MappedFileTest, HasTheBytesAndKeepsThemWhenTheFileIsReplaced) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  ASSERT_TRUE(replace_file(path, "before").ok());
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  ASSERT_TRUE(replace_file(path, "after it").ok());
  EXPECT_EQ(mapped->bytes(), "before");
  EXPECT_EQ(MappedFile::open(path)->bytes(), "after it");
}

TEST(MappedFileTest, AnEmptyFileHasNoBytes) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  ASSERT_TRUE(replace_file(path, "").ok());
  EXPECT_TRUE(MappedFile::open(path)->bytes().empty());
}

TEST(MappedFileTest, SaysWhyThereIsNone) {
  const TemporaryDirectory directory;
  EXPECT_EQ(MappedFile::open(directory.path() / "none").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(MappedFile::open(directory.path()).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace codexmem
