// serve/worker.h - the program that receives hooks' events: its lifetime, and the parts that routes
// use.
//
// One worker serves a data directory: it holds worker.lock there, and worker.json contains its
// address. It answers at once; until the store is open, every route except health routes returns
// 503. Thread-safe. Design: docs/how-it-works.md, "Worker".
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
#include "observe/intake/journal.h"

namespace codexmem::observe {
class Activity;
class Intake;
class Processor;
class Queue;
class SpoolDrain;
struct ChosenProvider;
}  // namespace codexmem::observe

namespace codexmem::serve {

class EditGuard;
class ServedRepositories;

inline constexpr int kDefaultPort = 37'877;

struct WorkerOptions {
  std::filesystem::path directory;  // of the user's store, absolute
  int port = kDefaultPort;          // 0: any; if it is taken, one of the next
  std::string version;
  memory::LazyMemory* memory = nullptr;  // must outlive the worker; opened by its own thread
  ReadSetting setting;
  ServedRepositories* repositories = nullptr;  // must outlive the worker; null: no code is cited
  std::string data_goes_to = {};               // which hosts receive which data, for display
  /// Answers at /mcp, once the worker is ready; may be empty.
  std::function<net::ServedReply(const net::ServedRequest&)> mcp = {};
  /// Called when the worker stops: ends the running calls of `mcp`.
  std::function<void()> stop_mcp = {};
};

using codexmem::WorkerAddress;

/// True while a program holds the worker's lock of `directory`: it runs, starts or stops. Errors:
/// kIo.
Result<bool> is_worker_there(const std::filesystem::path& directory);

class Worker {
 public:
  /// Takes the lock and a port, writes worker.json and starts to answer. Errors: kBusy when a
  /// worker runs in this directory; kIo; as UserStore::open() for the directory itself.
  static Result<std::unique_ptr<Worker>> start(WorkerOptions options);

  /// Stops like stop(), and waits.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Serves until stop(); returns when all running work is done or safely put back. Errors: the
  /// reason why the store could not be opened.
  Result<void> run();

  /// Safe from any thread.
  void stop();

  /// For handlers that work for long: stop() requests it.
  std::stop_token stopping() const;

  const WorkerOptions& options() const;
  const WorkerAddress& address() const;
  std::chrono::seconds uptime() const;
  bool is_ready() const;
  observe::EventHub& events();

  /// Number of listeners to the events.
  std::atomic<int>& listeners();

  /// The activity of hooks since the start.
  observe::Activity& activity();

  /// Without repositories it has nothing to say.
  EditGuard& edit_guard();

  /// The members below exist when the worker is ready.
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
