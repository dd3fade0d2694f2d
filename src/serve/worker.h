// serve/worker.h - the program that hooks talk to: its life, and the parts that its routes use.
//
// One worker serves a data directory: it holds worker.lock there, and worker.json tells where it
// listens. It answers at once; until the store is open every route but those of its health says
// 503. Thread-safe. Design: docs/design/worker.md.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "config/settings.h"
#include "config/worker_file.h"
#include "memory/memory.h"
#include "net/http_server.h"
#include "observe/events.h"
#include "observe/journal.h"

namespace codexmem::observe {
class Activity;
class Intake;
class Processor;
class Queue;
class SpoolDrain;
struct ChosenProvider;
}  // namespace codexmem::observe

namespace codexmem::serve {

class ServedRepositories;

inline constexpr int kDefaultPort = 37'877;

struct WorkerOptions {
  std::filesystem::path directory;  // of the user's store, absolute
  int port = kDefaultPort;          // 0: any; when it is taken one of the next
  std::string version;
  memory::LazyMemory* memory = nullptr;  // outlives the worker; opened by a thread of its own
  ReadSetting setting;
  ServedRepositories* repositories = nullptr;  // outlive the worker; null: no code is cited
  std::string data_goes_to = {};               // which hosts are sent what, for people
  /// Answers at /mcp, once the worker is ready; empty: there is nothing.
  std::function<net::ServedReply(const net::ServedRequest&)> mcp = {};
  /// Called when the worker stops: ends what `mcp` has under way.
  std::function<void()> stop_mcp = {};
};

using codexmem::WorkerAddress;

/// True while a program holds the worker's lock of `directory`: one that runs, begins or ends.
/// Errors: kIo.
Result<bool> is_worker_there(const std::filesystem::path& directory);

class Worker {
 public:
  /// Takes the lock and a port, writes worker.json and begins to answer. Errors: kBusy when a
  /// worker runs in this directory; kIo; those of UserStore::open() for the directory itself.
  static Result<std::unique_ptr<Worker>> start(WorkerOptions options);

  /// Stops as stop() does, and waits.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Serves until stop(); returns when all that was under way is done or safely put back. Errors:
  /// what kept the store from being opened.
  Result<void> run();

  /// From any thread.
  void stop();

  /// For handlers that work for long: stop() requests it.
  std::stop_token stopping() const;

  const WorkerOptions& options() const;
  const WorkerAddress& address() const;
  std::chrono::seconds uptime() const;
  bool is_ready() const;
  observe::EventHub& events();

  /// How many listen to the events.
  std::atomic<int>& listeners();

  /// What hooks told since the start.
  observe::Activity& activity();

  /// The rest is there when the worker is ready.
  memory::Memory& memory();
  observe::Queue& queue();
  observe::Intake& intake();
  observe::Processor& processor();
  observe::SpoolDrain& spool();
  observe::Journal& journal();
  const observe::ChosenProvider& providers();

 private:
  struct Impl;
  explicit Worker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
