#include "hook/read_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace codexmem::hook {
namespace {

using std::chrono::milliseconds;

TEST(ValueEnd, IsBehindTheFirstObjectHoweverItIsCut) {
  const struct {
    const char* text;
    int want;  // -1: none
  } rows[] = {
      {R"({"a":1})", 7},
      {R"( {"a":"}"} x)", 10},
      {R"({"a":"\"}"}{})", 11},
      {R"([{"b":[]}] ])", 10},
      {R"({"a":{"b":[1)", -1},
      {"12 {}", -1},
      {"\"{}\"", -1},
      {"", -1},
      {"  \n\t", -1},
      {R"({"a":"\\"})", 10},
      {R"({"a":"\\\"}"}])", 13},
  };
  for (const auto& row : rows) {
    const std::string_view text = row.text;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      ValueEnd end;
      int got = -1;
      if (const auto first = end.take(text.substr(0, cut))) {
        got = static_cast<int>(*first);
      } else if (const auto second = end.take(text.substr(cut))) {
        got = static_cast<int>(cut + *second);
      }
      EXPECT_EQ(got, row.want) << text << " cut at " << cut;
    }
  }
}

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    close_writer();
  }
  int reader() const { return ends_[0]; }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(ends_[1], text.data(), text.size());
      if (count <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(ReadInput, EndsWithTheValueThoughThePipeStaysOpen) {
  const Pipe pipe;
  pipe.write("{\"a\":[1,2]}\n{\"more\":1}");
  EXPECT_EQ(read_input(pipe.reader(), milliseconds(60000)), "{\"a\":[1,2]}");
}

TEST(ReadInput, EndsWithTheFileOrTheTime) {
  Pipe pipe;
  pipe.write("{\"a\":");
  EXPECT_EQ(read_input(pipe.reader(), milliseconds(5)), "{\"a\":");
  EXPECT_EQ(read_input(pipe.reader(), milliseconds(0)), "");
  pipe.write("12");
  pipe.close_writer();
  EXPECT_EQ(read_input(pipe.reader(), milliseconds(60000)), "12");
  EXPECT_EQ(read_input(pipe.reader(), milliseconds(60000)), "");
  EXPECT_EQ(read_input(-1, milliseconds(1)), "");
}

TEST(ReadInput, MoreThanTheMostIsNothing) {
  for (const std::size_t size : {kMaxInput, kMaxInput + 1}) {
    Pipe pipe;
    std::string text = "{\"a\":\"" + std::string(size - 8, 'x') + "\"}";
    std::thread writer([&] {
      pipe.write(text);
      pipe.close_writer();
    });
    const auto read = read_input(pipe.reader(), milliseconds(60000));
    EXPECT_EQ(read.has_value(), size == kMaxInput);
    EXPECT_EQ(read.value_or("").size(), size == kMaxInput ? size : 0);
    // Read the rest of the pipe, so that the writer ends.
    char buffer[65536];
    while (::read(pipe.reader(), buffer, sizeof buffer) > 0) {
    }
    writer.join();
  }
}

}  // namespace
}  // namespace codexmem::hook
