#include "mcp/stdio_transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace codexmem::mcp {
namespace {

struct Pipes {
  FileDescriptor to_server;    // the test writes here
  FileDescriptor from_server;  // and reads here
  std::unique_ptr<StdioTransport> transport;
};

Pipes connect(std::size_t max_line_bytes = StdioTransport::kMaxLineBytes,
              Framing framing = Framing::kLines) {
  int in[2];
  int out[2];
  EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  auto made =
      StdioTransport::make(FileDescriptor(in[0]), FileDescriptor(out[1]), max_line_bytes, framing);
  EXPECT_TRUE(made.ok());
  return {FileDescriptor(in[1]), FileDescriptor(out[0]), std::move(made).value()};
}

void write_all(const FileDescriptor& fd, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(fd.get(), text.data(), text.size());
    ASSERT_GT(count, 0);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::vector<std::string> lines_of(StdioTransport& transport) {
  std::vector<std::string> lines;
  for (Incoming next = transport.receive();; next = transport.receive()) {
    if (next.kind == Incoming::Kind::kMessage) {
      lines.push_back(next.text);
    } else if (next.kind == Incoming::Kind::kTooLong) {
      lines.push_back("too long: " + std::to_string(next.size_bytes));
    } else {
      return lines;
    }
  }
}

TEST(StdioTransport, ReadsLinesHoweverTheyAreEndedAndCut) {
  Pipes pipes = connect();
  write_all(pipes.to_server, "one\ntwo\r\n\n  \nthr");
  std::jthread later([&] {
    write_all(pipes.to_server, "ee\nlast");
    pipes.to_server = FileDescriptor();
  });
  EXPECT_EQ(lines_of(*pipes.transport), (std::vector<std::string>{"one", "two", "three", "last"}));
}

TEST(StdioTransport, SkipsALineThatIsTooLongAndReadsOn) {
  Pipes pipes = connect(10);
  write_all(pipes.to_server, "0123456789\n0123456789x\nok\n" + std::string(5000, 'y'));
  pipes.to_server = FileDescriptor();
  EXPECT_EQ(lines_of(*pipes.transport),
            (std::vector<std::string>{"0123456789", "too long: 11", "ok", "too long: 5000"}));
}

TEST(StdioTransport, ReadsTheIdOfALineThatItSkips) {
  Pipes pipes = connect(10);
  write_all(pipes.to_server, R"({"method":"m","params":{"text":")" + std::string(50'000, 'y') +
                                 R"("},"jsonrpc":"2.0","id":41})" + "\n");
  pipes.to_server = FileDescriptor();
  const Incoming skipped = pipes.transport->receive();
  EXPECT_EQ(skipped.kind, Incoming::Kind::kTooLong);
  EXPECT_EQ(skipped.id.json, "41");
}

TEST(StdioTransport, SkipsALongLineOverManyReadsInLittleMemory) {
  Pipes pipes = connect(1000);
  std::jthread writer([&] {
    const std::string block(1 << 20, 'z');
    for (int i = 0; i < 40; ++i) write_all(pipes.to_server, block);
    write_all(pipes.to_server, "\nafter\n");
    pipes.to_server = FileDescriptor();
  });
  EXPECT_EQ(lines_of(*pipes.transport), (std::vector<std::string>{"too long: 41943040", "after"}));
}

TEST(StdioTransport, ReadsAndWritesMessagesBehindHeaders) {
  Pipes pipes = connect(40, Framing::kHeaders);
  std::jthread writer([&] {
    write_all(pipes.to_server, "Content-Length: 5\r\n\r\na\nb\r\ncontent-length:  2\r\nContent-Ty");
    write_all(pipes.to_server, "pe: x\r\n\r\n{}Content-Length: 0\n\n");
    write_all(pipes.to_server,
              "no length\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 3\r\n\r\nend");
    const std::string big = R"({"id":7,"method":")" + std::string(100'000, 'y') + "\"}";
    write_all(pipes.to_server, "Content-Length: " + std::to_string(big.size()) + "\r\n\r\n" + big);
    write_all(pipes.to_server, "Content-Length: 1\r\n\r\nzContent-Length: 9\r\n\r\ncut");
    pipes.to_server = FileDescriptor();
  });
  EXPECT_EQ(lines_of(*pipes.transport), (std::vector<std::string>{"a\nb\r\n", "{}", "", "", "",
                                                                  "end", "too long: 100020", "z"}));
  pipes.transport->send(R"({"a":"ö"})");
  pipes.transport.reset();
  char buffer[100];
  const auto count = ::read(pipes.from_server.get(), buffer, sizeof buffer);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(count)),
            "Content-Length: 10\r\n\r\n{\"a\":\"ö\"}");
}

TEST(StdioTransport, WhatIsNoHeaderIsDropped) {
  Pipes pipes = connect(40, Framing::kHeaders);
  write_all(pipes.to_server, std::string(5000, 'x') + "\n\r\nContent-Length: 2\r\n\r\nok");
  pipes.to_server = FileDescriptor();
  EXPECT_EQ(lines_of(*pipes.transport), (std::vector<std::string>{"", "ok"}));
}

TEST(StdioTransport, WritesWholeLinesFromManyThreads) {
  Pipes pipes = connect();
  const std::string message(100'000, 'm');  // more than a pipe holds
  std::string read;
  std::jthread reader([&] {
    char buffer[4096];
    for (ssize_t n; (n = ::read(pipes.from_server.get(), buffer, sizeof buffer)) > 0;) {
      read.append(buffer, static_cast<std::size_t>(n));
    }
  });
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&] { pipes.transport->send(message); });
    }
  }
  pipes.transport.reset();
  reader.join();
  std::string want;
  for (int i = 0; i < 4; ++i) want += message + "\n";
  EXPECT_TRUE(read == want);
}

TEST(StdioTransport, SurvivesAReaderThatIsGoneAndEnds) {
  Pipes pipes = connect();
  EXPECT_TRUE(pipes.transport->peer_listens());
  pipes.from_server = FileDescriptor();
  EXPECT_FALSE(pipes.transport->peer_listens());
  pipes.transport->send("nobody reads this");
  EXPECT_EQ(pipes.transport->receive().kind, Incoming::Kind::kEnd);
}

TEST(StdioTransport, StopEndsReceiveThoughNothingComes) {
  Pipes pipes = connect();
  write_all(pipes.to_server, "half a line");
  std::jthread stopper([&] { pipes.transport->stop(); });
  EXPECT_EQ(pipes.transport->receive().kind, Incoming::Kind::kStopped);
  EXPECT_EQ(pipes.transport->receive().kind, Incoming::Kind::kStopped);
}

TEST(StdioTransport, StopFreesAWriterWhoseReaderHasCeasedToRead) {
  for (const bool socket : {false, true}) {  // some clients give their servers sockets
    Pipes pipes = connect();
    if (socket) {
      int ends[2];
      ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
      pipes.from_server = FileDescriptor(ends[1]);
      auto made = StdioTransport::make(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
                                       FileDescriptor(ends[0]));
      ASSERT_TRUE(made.ok());
      pipes.transport = std::move(made).value();
    }
    std::vector<std::jthread> writers;
    for (int i = 0; i < 3; ++i) {
      writers.emplace_back([&] { pipes.transport->send(std::string(std::size_t{4} << 20, 'x')); });
    }
    pipes.transport->stop();
    writers.clear();  // they end
    EXPECT_FALSE(pipes.transport->peer_listens());
  }
}

TEST(StdioTransport, TakesStandardOutputAwayFromOtherCode) {
  int out[2];
  ASSERT_EQ(::pipe(out), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out[1], 1);
    ::close(out[0]);
    ::close(out[1]);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 2);
    auto transport = StdioTransport::take_over();
    if (!transport.ok()) ::_exit(1);
    std::puts("a library prints");
    std::fflush(stdout);
    if (::system("echo a program prints; cat") != 0) ::_exit(1);
    (*transport)->send("protocol");
    ::_exit(0);
  }
  ::close(out[1]);
  std::string read;
  char buffer[4096];
  for (ssize_t n; (n = ::read(out[0], buffer, sizeof buffer)) > 0;) {
    read.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(out[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read, "protocol\n");
}

}  // namespace
}  // namespace codexmem::mcp
