#include "base/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/crc32.h"
#include "base/file.h"
#include "support/temporary_directory.h"

namespace codexmem {
namespace {

TEST(MappedFileTest, HasTheBytesAndKeepsThemWhenTheFileIsReplaced) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  ASSERT_TRUE(replace_file(path, "before").ok());
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  ASSERT_TRUE(replace_file(path, "after it").ok());
  EXPECT_EQ(mapped->bytes(), "before");
  EXPECT_EQ(MappedFile::open(path)->bytes(), "after it");
}

TEST(MappedFileTest, ItsChecksumIsThatOfItsBytes) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  std::string bytes(9'000'001, 'x');
  for (std::size_t i = 0; i < bytes.size(); i += 997) bytes[i] = static_cast<char>(i);
  ASSERT_TRUE(replace_file(path, bytes).ok());
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, bytes.size(), bytes.size() + 9}) {
    EXPECT_EQ(mapped->checksum(size), crc32(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_EQ(mapped->bytes(), bytes);
}

TEST(MappedFileTest, SaysWhenItWasCut) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  ASSERT_TRUE(replace_file(path, "some bytes").ok());
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.ok());
  EXPECT_TRUE(mapped->is_whole());
  std::filesystem::resize_file(path, 9);
  EXPECT_FALSE(mapped->is_whole());
}

TEST(MappedFileTest, AnEmptyFileHasNoBytes) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "file";
  ASSERT_TRUE(replace_file(path, "").ok());
  EXPECT_TRUE(MappedFile::open(path)->bytes().empty());
}

TEST(MappedFileTest, SaysWhyItIsMissing) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(MappedFile::open(directory.path() / "none").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(MappedFile::open(directory.path()).error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace codexmem
