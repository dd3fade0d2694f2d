#include "mcp/server.h"

#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// How often a server that waits for its last calls looks whether anybody still reads.
constexpr std::chrono::milliseconds kDrainStep{50};

}  // namespace

struct Server::Impl {
  ServerCore core;
  std::mutex mutex;         // guards the two below
  std::set<Change> unsent;  // that a worker will send
  bool is_sending = false;
  WorkerPool workers;  // ends first: its tasks use the other members

  Impl(Offer offer, ask::Services* services, ServerOptions options)
      : core{.offer = std::move(offer),
             .services = services,
             .options = std::move(options),
             .workers = nullptr},
        workers(core.options.workers) {
    core.workers = &workers;
  }

  void notify(Change change) {
    {
      const std::lock_guard lock(mutex);
      unsent.insert(std::move(change));
      if (std::exchange(is_sending, true)) return;
    }
    workers.submit([this] { send_all(); }, sizeof(Change));
  }

  // Each is kept, so that it does not end meanwhile.
  std::vector<std::shared_ptr<Session>> there_are() {
    std::vector<std::shared_ptr<Session>> sessions;
    const std::lock_guard lock(core.mutex);
    for (const auto& [address, each] : core.sessions) {
      if (auto session = each.lock()) sessions.push_back(std::move(session));
    }
    return sessions;
  }

  void send_all() {
    while (true) {
      std::set<Change> changes;
      {
        const std::lock_guard lock(mutex);
        changes = std::exchange(unsent, {});
        is_sending = !changes.empty();
        if (!is_sending) return;
      }
      const auto sessions = there_are();
      LookCache cache;
      for (const auto& session : sessions) {
        for (const Change& change : changes) session->notify(change, cache);
      }
    }
  }
};

Server::Server(Offer offer, ask::Services* services, ServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(offer), services, std::move(options))) {}

Server::~Server() = default;

const Offer& Server::offer() const { return impl_->core.offer; }

std::shared_ptr<Session> Server::open_session() {
  const auto session = std::make_shared<Session>(impl_->core);
  bool is_closed = false;
  {
    const std::lock_guard lock(impl_->core.mutex);
    impl_->core.sessions.emplace(session.get(), session);
    is_closed = impl_->core.is_closed;
  }
  if (is_closed) session->cancel_all();
  return session;
}

void Server::close() {
  {
    const std::lock_guard lock(impl_->core.mutex);
    impl_->core.is_closed = true;
  }
  const auto sessions = impl_->there_are();
  for (const auto& session : sessions) session->cancel_all();
  for (const auto& session : sessions) {
    while (!session->wait_idle(std::chrono::hours(1))) {
    }
  }
}

void Server::resource_changed(std::string_view uri) {
  impl_->notify({Changed::kResource, std::string(uri)});
}
void Server::resources_changed() { impl_->notify({Changed::kResources}); }
void Server::tools_changed() { impl_->notify({Changed::kTools}); }
void Server::prompts_changed() { impl_->notify({Changed::kPrompts}); }
void Server::look_at_resources() { impl_->notify({Changed::kMaybe}); }

void Server::serve(Transport& transport) {
  // Calls keep the sink only while they run, and none runs when this returns.
  const Session::Sink sink(&transport, [](MessageSink*) {});
  const auto session = open_session();
  session->set_peer(sink);
  Incoming incoming = transport.receive();
  for (; incoming.kind == Incoming::Kind::kMessage || incoming.kind == Incoming::Kind::kTooLong;
       incoming = transport.receive()) {
    if (incoming.kind == Incoming::Kind::kTooLong) {
      session->refuse_oversized(incoming.id, incoming.size_bytes, *sink);
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
  // A peer that has stopped reading must not delay the end.
  transport.stop();
  session->cancel_all();
  while (!session->wait_idle(std::chrono::hours(1))) {
  }
  session->set_peer(nullptr);
}

}  // namespace codexmem::mcp
