// mcp/stdio_transport.h - messages on a pair of file descriptors: one a line, or each behind a
// header that says its length (the language server protocol).
//
// Reading holds at most one message of max_line_bytes; a longer one is skipped in constant memory.
// Writing goes through one mutex, whole messages only. receive() is for one thread, everything else
// for any. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "mcp/transport.h"

namespace codexmem::mcp {

/// How messages are kept apart.
enum class Framing : std::uint8_t {
  kLines,    // by line breaks, as MCP has it
  kHeaders,  // "Content-Length: N", an empty line, and N bytes, as LSP has it
};

class StdioTransport : public Transport {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

  /// Takes standard input and output for the protocol.
  ///
  /// Afterwards descriptor 1 is standard error and descriptor 0 the null device, so that nothing
  /// else in this process, and no program it starts, can write into the protocol or read from it.
  /// SIGPIPE is ignored from here on: a peer that is gone shows as an error of write. Errors: kIo.
  static Result<std::unique_ptr<StdioTransport>> take_over(Framing framing = Framing::kLines);

  /// Speaks over `input` and `output`, for tests. Errors: kIo.
  static Result<std::unique_ptr<StdioTransport>> make(FileDescriptor input, FileDescriptor output,
                                                      std::size_t max_line_bytes = kMaxLineBytes,
                                                      Framing framing = Framing::kLines);

  /// The next line without its "\n" or "\r\n"; empty lines are passed over. The last line may lack
  /// its line break. With headers: the bytes behind the next one; an empty text for a header that
  /// says no length.
  Incoming receive() override {
    return framing_ == Framing::kLines ? receive_line() : receive_body();
  }

  void send(std::string_view message) override;

  /// Looks at the output: false when its reader has closed it or a write has failed.
  bool peer_listens() const override;

  /// Makes receive() return kStopped, now and ever after. May be called from a signal handler.
  void stop() noexcept override;

 private:
  StdioTransport(FileDescriptor input, FileDescriptor output, FileDescriptor wake,
                 std::size_t max_line_bytes, Framing framing);

  Incoming receive_line();
  Incoming receive_body();
  std::optional<std::string> receive_header();  // without the empty line; nothing at the end

  bool fill();  // reads more into buffer_; false after stop() and at the end of input

  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor wake_;  // an eventfd: readable once stop() was called
  bool is_terminal_;     // that a person reads
  std::size_t max_line_bytes_;
  Framing framing_;

  std::string buffer_;                                // bytes that were read; of receive() alone
  std::size_t consumed_ = 0;                          // of buffer_
  Incoming::Kind ending_ = Incoming::Kind::kMessage;  // kEnd or kStopped once that has come

  std::mutex write_mutex_;  // one line at a time on output_
  std::atomic<bool> write_failed_{false};
};

}  // namespace codexmem::mcp
