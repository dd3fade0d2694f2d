#include "hook/watchdog.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "support/temporary_directory.h"

namespace codexmem::hook {
namespace {

// What a process writes that hangs under a watchdog; its exit code.
std::string output_of_hanging(const std::filesystem::path& directory, bool has_answer, int* code) {
  int output[2];
  EXPECT_EQ(::pipe(output), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RefusalCount count(directory, Refusal::kTooSlow);
    Watchdog watchdog(std::chrono::milliseconds(20), "{}", output[1], &count);
    if (has_answer) watchdog.answer_is_given();
    while (true) ::pause();
  }
  ::close(output[1]);
  std::string text;
  char buffer[64];
  for (ssize_t size = 0; (size = ::read(output[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(output[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return text;
}

// Review of issue 7, 2: a host waited for 30 s.
TEST(Watchdog, AHookThatHangsAnswersAndEnds) {
  const testing::TemporaryDirectory directory;
  int code = -1;
  EXPECT_EQ(output_of_hanging(directory.path(), false, &code), "{}\n");
  EXPECT_EQ(code, 0);
  ASSERT_EQ(list_refusals(directory.path()).size(), 1);
  EXPECT_EQ(list_refusals(directory.path())[0].name, "too_slow");
}

TEST(Watchdog, ItDoesNotAnswerTwice) {
  const testing::TemporaryDirectory directory;
  int code = -1;
  EXPECT_EQ(output_of_hanging(directory.path(), true, &code), "");
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(list_refusals(directory.path()).empty());
}

TEST(Watchdog, EndsWithItsObject) {
  const testing::TemporaryDirectory directory;
  const RefusalCount count(directory.path(), Refusal::kTooSlow);
  { const Watchdog watchdog(std::chrono::milliseconds(5), "{}", STDOUT_FILENO, &count); }
  ::usleep(10'000);
  SUCCEED();
}

}  // namespace
}  // namespace codexmem::hook
