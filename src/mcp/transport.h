// mcp/transport.h - where messages come from and go to.
//
// A transport carries whole messages and knows nothing of their meaning. Standard input and output
// are one (mcp/stdio_transport.h); an HTTP exchange answers through a MessageSink of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/jsonrpc.h"

namespace codexmem::mcp {

/// Takes the messages of the server for one peer. Implementations are safe to use from many
/// threads; a message is written whole or, once the peer is gone, dropped.
class MessageSink {
 public:
  virtual ~MessageSink() = default;

  /// Sends one message: JSON text without a line break.
  virtual void send(std::string_view message) = 0;

  /// Lets the connection go, where messages outlive it: the peer comes back for the rest.
  virtual void hang_up() {}
};

struct Incoming {
  enum class Kind {
    kMessage,  // text is one message
    kTooLong,  // a message longer than the transport's bound was skipped
    kEnd,      // the peer has closed its end or is gone
    kStopped,  // this side wants to end
  };
  Kind kind = Kind::kEnd;
  std::string text;
  std::size_t size_bytes = 0;  // of the message, also of one that was skipped
  RequestId id = {};           // of one that was skipped, as far as it could be read
};

/// A connection to one peer.
class Transport : public MessageSink {
 public:
  /// Waits for the next message. One thread calls this.
  virtual Incoming receive() = 0;

  /// Ends receive(); from now on send() drops data that the peer is not ready to take. Any thread.
  virtual void stop() noexcept = 0;

  /// False once nothing sent can arrive any more.
  virtual bool peer_listens() const = 0;
};

}  // namespace codexmem::mcp
