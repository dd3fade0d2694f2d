#include "base/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {

TEST(FileLock, OneAtATimeInOneProcessToo) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "lock";
  {
    const auto first = FileLock::take(path);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(FileLock::take(path).error().code(), ErrorCode::kBusy);
  }
  EXPECT_TRUE(FileLock::take(path).ok());
}

TEST(FileLock, IsMadeForItsUserOnly) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "lock";
  const auto lock = FileLock::take(path);
  ASSERT_TRUE(lock.ok());
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST(FileLock, WaitingEndsWithTheOtherOrWithAStop) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "lock";
  auto taken = FileLock::take(path);
  ASSERT_TRUE(taken.ok());
  std::optional<FileLock> other(*std::move(taken));
  std::stop_source stop;
  const auto stopped = FileLock::wait_for(
      path, [&] { stop.request_stop(); }, stop.get_token());
  EXPECT_EQ(stopped.error().code(), ErrorCode::kCancelled);
  EXPECT_TRUE(FileLock::wait_for(path, [&] { other.reset(); }, {}).ok());
}

TEST(FileLock, AFolderIsLockedItself) {
  const testing::TemporaryDirectory directory;
  const auto lock = FileLock::take_folder(directory.path());
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(FileLock::take_folder(directory.path()).error().code(), ErrorCode::kBusy);
  EXPECT_EQ(FileLock::take_folder(directory.path() / "none").error().code(), ErrorCode::kIo);
}

TEST(LockOpenFile, LastsUntilTheFileIsClosed) {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_TRUE(lock_open_file(fd, std::chrono::milliseconds(0)));
  EXPECT_EQ(FileLock::take(path).error().code(), ErrorCode::kBusy);
  ::close(fd);
  EXPECT_TRUE(FileLock::take(path).ok());
}

}  // namespace
}  // namespace codexmem
