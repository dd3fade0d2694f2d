#include "mcp/server.h"

#include <utility>

#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// How often a server that waits for its last calls looks whether anybody still reads.
constexpr std::chrono::milliseconds kDrainStep{50};

}  // namespace

struct Server::Impl {
  ServerCore core;
  WorkerPool workers;

  Impl(Offer offer, Services* services, ServerOptions options)
      : core{std::move(offer), services, std::move(options), nullptr},
        workers(core.options.workers) {
    core.workers = &workers;
  }
};

Server::Server(Offer offer, Services* services, ServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(offer), services, std::move(options))) {}

Server::~Server() = default;

std::shared_ptr<Session> Server::open_session() { return std::make_shared<Session>(impl_->core); }

void Server::serve(Transport& transport) {
  // Calls hold the sink no longer than they run, and none runs when this returns.
  const Session::Sink sink(&transport, [](MessageSink*) {});
  const auto session = std::make_shared<Session>(impl_->core);
  Incoming incoming = transport.receive();
  for (; incoming.kind == Incoming::Kind::kMessage || incoming.kind == Incoming::Kind::kTooLong;
       incoming = transport.receive()) {
    if (incoming.kind == Incoming::Kind::kTooLong) {
      session->refuse_oversized(incoming.size_bytes, *sink);
    } else {
      session->handle(incoming.text, sink);
    }
  }
  if (incoming.kind == Incoming::Kind::kEnd) {
    const auto deadline = std::chrono::steady_clock::now() + impl_->core.options.drain_time;
    while (!session->wait_idle(kDrainStep) && transport.peer_listens() &&
           std::chrono::steady_clock::now() < deadline) {
    }
  }
  // Who has stopped reading must not hold up the end.
  transport.stop();
  session->cancel_all();
  while (!session->wait_idle(std::chrono::hours(1))) {
  }
}

}  // namespace codexmem::mcp
