// Tested by lsp/requests_test.py and lsp/conformance_test.py.
#include "lsp/server.h"

#include <fmt/format.h>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "lsp/call.h"
#include "lsp/client_traits.h"
#include "mcp/client_requests.h"
#include "mcp/jsonrpc.h"
#include "serve/repository.h"
#include "serve/served_repositories.h"
#include "serve/served_repository.h"

namespace codexmem::lsp {
namespace fs = std::filesystem;

namespace {

using mcp::Message;
using mcp::MessageKind;
using mcp::RpcCode;
using mcp::RpcError;

constexpr std::size_t kMaxWaiting = 4096;       // messages
constexpr std::chrono::seconds kDrainTime{10};  // for requests in flight at the end of the input
// Without a message for so long the editor rests, and so does the server.
constexpr std::chrono::seconds kPause{5};

// Gives memory that is free back to the system.
void trim_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

// MessageType of window/showMessage and window/logMessage.
enum class MessageType : int { kError = 1, kWarning = 2, kInfo = 3, kLog = 4 };

RpcError rpc_error(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kCancelled:
      return {RpcCode::kRequestCancelled, "cancelled", ""};
    case ErrorCode::kInvalidArgument:
      return {RpcCode::kInvalidParams, error.message(), ""};
    default:
      return {RpcCode::kRequestFailed, error.message(), ""};
  }
}

// The folder that the client works in.
std::optional<fs::path> folder_of_client(const JsonValue& params) {
  auto uri = params.member("workspaceFolders").element(0).member("uri").string();
  if (!uri) uri = params.member("rootUri").string();
  if (uri) return path_of_uri(*uri);
  if (const auto path = params.member("rootPath").string()) return fs::path(*path);
  return std::nullopt;
}

}  // namespace

struct Server::Impl {
  Impl(mcp::Transport& to, ServerOptions given) : transport(to), options(std::move(given)) {}

  struct Waiting {
    Message message;
    std::stop_source stop = {};
  };

  // ---- The reading thread.

  bool serve() {
    std::jthread worker([this] { work(); });
    mcp::Incoming incoming = transport.receive();
    for (; !has_exited && (incoming.kind == mcp::Incoming::Kind::kMessage ||
                           incoming.kind == mcp::Incoming::Kind::kTooLong);
         incoming = transport.receive()) {
      if (incoming.kind == mcp::Incoming::Kind::kTooLong) {
        refuse(incoming.id,
               mcp::invalid_request(fmt::format("a message of {} bytes", incoming.size_bytes)));
        continue;
      }
      for (Message& message : mcp::parse_line(incoming.text).messages) take(std::move(message));
      if (has_exited) break;
    }
    // What was asked before the end of the input is answered; after `exit` nobody listens.
    {
      std::unique_lock lock(mutex);
      if (!has_exited && incoming.kind == mcp::Incoming::Kind::kEnd) {
        changed.wait_for(lock, kDrainTime, [&] { return waiting.empty() && !is_running; });
      }
      is_ending = true;
      for (Waiting& each : waiting) each.stop.request_stop();
      running.request_stop();
    }
    changed.notify_all();
    if (!has_exited) transport.stop();
    worker.join();
    repository.reset();
    return is_shut_down;
  }

  void take(Message message) {
    switch (message.kind) {
      case MessageKind::kInvalid:
        return refuse(message.id, message.error);
      case MessageKind::kResponse:
        return client_requests.answer(message);
      case MessageKind::kNotification:
        if (message.method == "$/cancelRequest") return cancel(message.params.member("id"));
        if (message.method == "exit") {
          has_exited = true;
          return;
        }
        if (is_initialized) add(std::move(message));
        return;
      case MessageKind::kRequest:
        if (const auto why = objection_to(message)) return refuse(message.id, *why);
        add(std::move(message));
        return;
    }
  }

  // Why a request cannot be answered in the state of the server.
  std::optional<RpcError> objection_to(const Message& message) {
    const bool is_first = message.method == "initialize";
    if (is_shut_down) return mcp::invalid_request("the server is shut down");
    if (!is_initialized && !is_first) {
      return RpcError{RpcCode::kServerNotInitialized, "the first request is initialize", ""};
    }
    if (is_initialized && is_first) return mcp::invalid_request("initialize comes once");
    is_initialized = true;
    is_shut_down = message.method == "shutdown";
    const std::lock_guard lock(mutex);
    if (!in_flight.insert(message.id).second) {
      return mcp::invalid_request("a request with this id has not been answered yet");
    }
    return std::nullopt;
  }

  void add(Message message) {
    std::unique_lock lock(mutex);
    taken.wait(lock, [&] { return waiting.size() < kMaxWaiting; });
    waiting.push_back({std::move(message)});
    lock.unlock();
    changed.notify_all();
  }

  void cancel(const JsonValue& id) {
    if (!id.is_string() && !id.is_number()) return;
    const mcp::RequestId wanted{id.dump_id()};
    const std::lock_guard lock(mutex);
    for (Waiting& each : waiting) {
      if (each.message.kind == MessageKind::kRequest && each.message.id == wanted) {
        each.stop.request_stop();
      }
    }
    if (running_id == wanted) running.request_stop();
  }

  // ---- The working thread.

  void work() noexcept {
    while (true) {
      Waiting next;
      {
        std::unique_lock lock(mutex);
        running_id.reset();
        is_running = false;
        changed.notify_all();
        const auto has_work = [&] { return is_ending || !waiting.empty(); };
        if (!changed.wait_for(lock, kPause, has_work)) {
          lock.unlock();
          rest();
          lock.lock();
          changed.wait(lock, has_work);
        }
        if (waiting.empty()) return;
        next = std::move(waiting.front());
        waiting.pop_front();
        running = next.stop;
        is_running = true;
        if (next.message.kind == MessageKind::kRequest) running_id = next.message.id;
      }
      taken.notify_all();
      try {
        carry_out(next);
      } catch (const std::exception& error) {
        log_error("{}: {}", next.message.method, error.what());
        if (next.message.kind == MessageKind::kRequest) {
          fail(next.message.id, mcp::internal_error(error.what()));
        }
      }
    }
  }

  // Keeps only what the next request is likely to need.
  void rest() {
    if (repository != nullptr) repository->rest();
    trim_memory();
  }

  void carry_out(const Waiting& next) {
    const Message& message = next.message;
    if (message.kind == MessageKind::kNotification) return on_notification(message);
    Result<std::string> answer = Error{ErrorCode::kCancelled, ""};
    const StopScope scope(next.stop.get_token());
    if (message.method == "initialize") {
      answer = initialize(message.params);
    } else if (message.method == "shutdown") {
      answer = std::string("null");
    } else if (const Handler handler = find_handler(message.method); handler == nullptr) {
      return fail(message.id, mcp::method_not_found(message.method));
    } else if (!next.stop.stop_requested()) {
      answer = ask(handler, message, next.stop.get_token());
    }
    if (next.stop.stop_requested()) answer = Error{ErrorCode::kCancelled, ""};
    if (answer.ok()) {
      forget(message.id);
      transport.send(mcp::make_result(message.id, *answer));
    } else {
      fail(message.id, rpc_error(answer.error()));
    }
  }

  Result<std::string> ask(Handler handler, const Message& message, const std::stop_token& stop) {
    if (repository == nullptr || !repository->is_ready()) {
      if (!std::exchange(has_warned, true)) {
        log_message(MessageType::kInfo,
                    why_not_ready.empty()
                        ? "codexmem: the index is being made; answers are empty until "
                          "it is there"
                        : why_not_ready);
      }
      return std::string("null");
    }
    CODEXMEM_ASSIGN(const auto moment, repository->look(documents, stop));
    Call call(message.params, client, roots, *repository, documents, *moment);
    std::string missing;
    call.report = [&](std::string text) { missing = std::move(text); };
    auto answer = handler(call);
    if (!missing.empty()) report_missing(message, missing);
    return answer;
  }

  void on_notification(const Message& message) {
    const JsonValue document = message.params.member("textDocument");
    const auto uri = document.member("uri").string();
    if (!uri) return;
    if (message.method == "textDocument/didOpen") {
      documents.open(*uri, {.path = roots.path_of(*uri).value_or(""),
                            .text = document.member("text").string().value_or(""),
                            .version = document.member("version").integer()});
    } else if (message.method == "textDocument/didChange") {
      const auto done = documents.change(*uri, message.params.member("contentChanges"),
                                         document.member("version").integer(), client.encoding);
      if (!done.ok()) log_message(MessageType::kWarning, done.error().message());
    } else if (message.method == "textDocument/didClose") {
      documents.close(*uri);
    }
  }

  Result<std::string> initialize(const JsonValue& params) {
    client = read_client(params.member("capabilities"));
    open_repository(folder_of_client(params));
    return std::string(json_object("capabilities", server_capabilities(client), "serverInfo",
                                   json_object("name", "codexmem", "version", options.version)));
  }

  void open_repository(const std::optional<fs::path>& named) {
    const fs::path start = !options.root.empty() ? options.root
                           : named               ? *named
                                                 : fs::current_path();
    const auto root = serve::find_root(start);
    if (!root.ok()) return give_up(root.error().message());
    if (const std::string why = serve::why_no_repository(*root); !why.empty()) return give_up(why);
    const auto watches = serve::most_watches(serve::load_settings(*root));
    auto opened = Repository::open(
        *root, {.watches = watches.ok() ? *watches : SIZE_MAX,
                .on_first_index = [this](const index::IndexProgress& now) { report(now); }});
    if (!opened.ok()) return give_up(opened.error().message());
    repository = *std::move(opened);
    roots = Roots(repository->workspace().root(), named.value_or(start));
  }

  void give_up(const std::string& why) {
    why_not_ready = "codexmem: " + why;
    log_message(MessageType::kWarning, why_not_ready);
  }

  // ---- Any thread.

  void forget(const mcp::RequestId& id) {
    const std::lock_guard lock(mutex);
    in_flight.erase(id);
  }

  void refuse(const mcp::RequestId& id, const RpcError& error) {
    transport.send(mcp::make_error(id, error));
  }

  void fail(const mcp::RequestId& id, const RpcError& error) {
    forget(id);
    refuse(id, error);
  }

  void notify(std::string_view method, const JsonText& params) {
    transport.send(mcp::make_notification(method, params.text));
  }

  void log_message(MessageType type, const std::string& text) {
    notify("window/logMessage", json_object("type", static_cast<int>(type), "message", text));
  }

  // What an answer lacks: in the progress that the client wants of the request, else in its log.
  void report_missing(const Message& message, const std::string& text) {
    const JsonValue token = message.params.member("workDoneToken");
    if (token.is_absent() || token.is_null()) return log_message(MessageType::kInfo, text);
    const JsonText written{token.dump_id()};
    notify("$/progress", json_object("token", written, "value",
                                     json_object("kind", "begin", "title", "codexmem")));
    notify("$/progress",
           json_object("token", written, "value", json_object("kind", "end", "message", text)));
  }

  // The first index, on the thread that waits for it.
  void report(const index::IndexProgress& now) {
    constexpr std::string_view kToken = "codexmem/index";
    const bool is_done = now.phase == index::IndexPhase::kDone;
    if (is_done) trim_memory();
    if (!client.takes_progress) return;
    if (!std::exchange(has_begun, true)) {
      transport.send(mcp::make_request(client_requests.expect([](Result<JsonValue>) {}),
                                       "window/workDoneProgress/create",
                                       json_object("token", kToken).text));
      notify("$/progress", json_object("token", kToken, "value",
                                       json_object("kind", "begin", "title", "codexmem: indexing",
                                                   "percentage", 0)));
    }
    const std::uint64_t percent = now.files_total == 0 ? 0 : now.files_done * 100 / now.files_total;
    const std::string message = fmt::format("{} {} of {} files", index_phase_name(now.phase),
                                            now.files_done, now.files_total);
    notify("$/progress", json_object("token", kToken, "value",
                                     is_done ? json_object("kind", "end")
                                             : json_object("kind", "report", "message", message,
                                                           "percentage", percent)));
  }

  mcp::Transport& transport;
  const ServerOptions options;
  mcp::ClientRequests client_requests;

  // Of the reading thread.
  bool is_initialized = false, is_shut_down = false, has_exited = false;

  std::mutex mutex;  // guards the eight below
  std::condition_variable changed, taken;
  std::deque<Waiting> waiting;
  std::set<mcp::RequestId> in_flight;  // requests that are not answered
  bool is_ending = false, is_running = false;
  std::optional<mcp::RequestId> running_id;
  std::stop_source running;

  // Of the working thread.
  ClientTraits client;
  Documents documents;
  Roots roots;
  std::string why_not_ready;
  bool has_warned = false;
  bool has_begun = false;  // of the thread that waits for the first index
  std::unique_ptr<Repository> repository;
};

Server::Server(mcp::Transport& transport, ServerOptions options)
    : impl_(std::make_unique<Impl>(transport, std::move(options))) {}
Server::~Server() = default;

bool Server::serve() { return impl_->serve(); }

}  // namespace codexmem::lsp
