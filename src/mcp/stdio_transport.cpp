// Reading waits in poll for three things: input, stop() through an eventfd, and the loss of the
// output's reader (POLLERR on a pipe), after which answers could reach nobody and waiting for more
// requests would leave a process behind when its editor has died. Writing waits for the output and
// for stop(): a peer that has ceased to read must not keep the process from ending. The buffer
// grows to one line at most; a search for the line break starts where the last one ended, so a line
// costs O(its length) however many reads it comes in.
//
// Tested by mcp/stdio_transport_test.cpp.
#include "mcp/stdio_transport.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/terminal_text.h"
#include "base/text.h"
#include "mcp/request_id.h"

namespace codexmem::mcp {

namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

// As much as a pipe or socket that is ready takes without blocking.
constexpr std::size_t kWriteBytes = 4096;

constexpr std::size_t kMaxHeaderBytes = 4096;

// Of the header that `text` begins with, its empty line included; more than `text` has when that
// has not come, but kMaxHeaderBytes at most.
std::size_t header_size(std::string_view text) {
  const std::size_t full = text.find("\n\r\n"), plain = text.find("\n\n");
  if (full < plain) return full + 3;
  if (plain != std::string_view::npos) return plain + 2;
  return kMaxHeaderBytes;
}

// What the lines of a header say; nothing when none does.
std::optional<std::size_t> content_length(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  for (const std::string_view line : split(header, '\n')) {
    if (!to_lower_ascii(line.substr(0, kName.size())).starts_with(kName)) continue;
    const std::string_view digits = trim(line.substr(kName.size()));
    std::size_t length = 0;
    const char* const end = digits.data() + digits.size();
    const auto [read_to, failed] = std::from_chars(digits.data(), end, length);
    if (failed == std::errc() && read_to == end) return length;
  }
  return std::nullopt;
}

Error io_error(std::string what) {
  return Error{ErrorCode::kIo, std::move(what) + ": " + std::strerror(errno)};
}

}  // namespace

Result<std::unique_ptr<StdioTransport>> StdioTransport::take_over(Framing framing) {
  std::fflush(stdout);
  // From 3 upwards and not inherited by programs that are started.
  FileDescriptor input(::fcntl(0, F_DUPFD_CLOEXEC, 3));
  if (input.get() < 0) return io_error("standard input");
  FileDescriptor output(::fcntl(1, F_DUPFD_CLOEXEC, 3));
  if (output.get() < 0) return io_error("standard output");
  FileDescriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (null.get() < 0) return io_error("/dev/null");
  if (::dup2(null.get(), 0) < 0) return io_error("redirecting standard input");
  const int elsewhere = ::fcntl(2, F_GETFD) < 0 ? null.get() : 2;
  if (::dup2(elsewhere, 1) < 0) return io_error("redirecting standard output");
  return make(std::move(input), std::move(output), kMaxLineBytes, framing);
}

Result<std::unique_ptr<StdioTransport>> StdioTransport::make(FileDescriptor input,
                                                             FileDescriptor output,
                                                             std::size_t max_line_bytes,
                                                             Framing framing) {
  FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (wake.get() < 0) return io_error("eventfd");
  ::signal(SIGPIPE, SIG_IGN);
  return std::unique_ptr<StdioTransport>(new StdioTransport(
      std::move(input), std::move(output), std::move(wake), max_line_bytes, framing));
}

StdioTransport::StdioTransport(FileDescriptor input, FileDescriptor output, FileDescriptor wake,
                               std::size_t max_line_bytes, Framing framing)
    : input_(std::move(input)),
      output_(std::move(output)),
      wake_(std::move(wake)),
      is_terminal_(::isatty(output_.get()) == 1),
      max_line_bytes_(max_line_bytes),
      framing_(framing) {}

void StdioTransport::stop() noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then it is readable already.
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
}

bool StdioTransport::fill() {
  if (ending_ != Incoming::Kind::kMessage) return false;
  while (true) {
    pollfd fds[] = {{input_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}, {output_.get(), 0, 0}};
    if (::poll(fds, 3, -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (fds[1].revents != 0) {
      // The partial line is dropped: the rest of it will never come.
      buffer_.clear();
      consumed_ = 0;
      ending_ = Incoming::Kind::kStopped;
      return false;
    }
    if (fds[0].revents == 0) {
      if (fds[2].revents != 0) break;  // the output has no reader, and no input waits
      continue;
    }
    const std::size_t size = buffer_.size();
    buffer_.resize(size + kReadBytes);
    const ssize_t count = ::read(input_.get(), buffer_.data() + size, kReadBytes);
    const int error = errno;
    buffer_.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count > 0) return true;
    if (count < 0 && (error == EINTR || error == EAGAIN)) continue;
    break;
  }
  ending_ = Incoming::Kind::kEnd;
  return false;
}

Incoming StdioTransport::receive_line() {
  std::size_t searched = 0;  // bytes of the line that hold no line break
  std::size_t skipped = 0;   // bytes of an overlong line that were thrown away
  RequestIdReader ids;       // has read these
  while (true) {
    const std::size_t found = buffer_.find('\n', consumed_ + searched);
    const bool complete = found != std::string::npos;
    if (!complete) {
      buffer_.erase(0, std::exchange(consumed_, 0));
      if (skipped + buffer_.size() > max_line_bytes_) {
        skipped += buffer_.size();
        ids.feed(buffer_);
        buffer_.clear();
      }
      searched = buffer_.size();
      if (fill()) continue;
    }
    const std::size_t end = complete ? found : buffer_.size();
    std::string line = buffer_.substr(consumed_, end - consumed_);
    consumed_ = complete ? end + 1 : end;
    searched = 0;
    if (skipped + line.size() > max_line_bytes_) {
      ids.feed(line);
      return {Incoming::Kind::kTooLong, "", skipped + line.size(), ids.id()};
    }
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      if (line.back() == '\r') line.pop_back();
      const std::size_t size_bytes = line.size();
      return {Incoming::Kind::kMessage, std::move(line), size_bytes, {}};
    }
    if (!complete) return {ending_, "", 0, {}};
  }
}

std::optional<std::string> StdioTransport::receive_header() {
  while (true) {
    const std::string_view there = std::string_view(buffer_).substr(consumed_);
    const std::size_t size = header_size(there);
    if (size <= there.size()) {
      consumed_ += size;
      return std::string(there.substr(0, size));
    }
    buffer_.erase(0, std::exchange(consumed_, 0));
    if (!fill()) return std::nullopt;
  }
}

Incoming StdioTransport::receive_body() {
  const auto header = receive_header();
  if (!header) return {ending_, "", 0, {}};
  const auto length = content_length(*header);
  if (!length) return {Incoming::Kind::kMessage, "", 0, {}};
  RequestIdReader ids;
  const bool is_too_long = *length > max_line_bytes_;
  std::string body;
  for (std::size_t rest = *length; rest > 0;) {
    if (consumed_ == buffer_.size()) {
      buffer_.clear();
      consumed_ = 0;
      if (!fill()) return {ending_, "", 0, {}};
    }
    const auto part = std::string_view(buffer_).substr(consumed_, rest);
    is_too_long ? ids.feed(part) : static_cast<void>(body += part);
    consumed_ += part.size();
    rest -= part.size();
  }
  if (is_too_long) return {Incoming::Kind::kTooLong, "", *length, ids.id()};
  return {Incoming::Kind::kMessage, std::move(body), *length, {}};
}

void StdioTransport::send(std::string_view message) {
  std::string line = is_terminal_ ? terminal_json(message) : std::string(message);
  if (framing_ == Framing::kLines) {
    line.push_back('\n');
  } else {
    line.insert(0, fmt::format("Content-Length: {}\r\n\r\n", line.size()));
  }
  const std::lock_guard lock(write_mutex_);
  std::string_view rest = line;
  while (!rest.empty() && !write_failed_) {
    pollfd fds[] = {{output_.get(), POLLOUT, 0}, {wake_.get(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0 && errno == EINTR) continue;
    if (fds[0].revents == 0) {
      write_failed_ = true;  // stop() while the peer does not read
      break;
    }
    const ssize_t count = ::write(output_.get(), rest.data(), std::min(rest.size(), kWriteBytes));
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      write_failed_ = true;
    }
  }
}

bool StdioTransport::peer_listens() const {
  if (write_failed_) return false;
  pollfd fd = {output_.get(), 0, 0};
  return ::poll(&fd, 1, 0) <= 0 || (fd.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

}  // namespace codexmem::mcp
