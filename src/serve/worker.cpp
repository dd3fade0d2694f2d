// Start: lock, port, port file, answers; then a thread opens the store, because a migration may
// take time. Stop: the working parts, then the listeners, then the server; entries waiting in the
// queue are processed at the next start.
//
// Tested by serve/worker_test.cpp.
#include "serve/worker.h"

#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

#include "base/file_lock.h"
#include "base/access_token.h"
#include "base/log.h"
#include "text/name_list.h"
#include "store/user/user_store.h"
#include "observe/intake/activity.h"
#include "observe/intake/group_commit.h"
#include "observe/intake/intake.h"
#include "observe/models/memory_use.h"
#include "observe/work/processor.h"
#include "observe/models/provider_choice.h"
#include "observe/intake/queue.h"
#include "serve/edit_guard.h"
#include "serve/observed_code.h"
#include "serve/routes.h"
#include "observe/intake/spool_drain.h"

namespace codexmem::serve {
namespace fs = std::filesystem;

namespace {

// Rules wait a moment as well, so that a hook that waits for its commit does not also wait for the
// previous event's. One connection took 7.6 ms per request (p50) without it and 4.2 ms with it
// (2026-11-22, a busy machine).
constexpr std::chrono::milliseconds kRuleCompany{100};

// Hooks and pages send short requests; a connection left open soon releases its thread.
net::HttpServerOptions http_options(const fs::path& directory) {
  return {.threads = 160,
          .keep_alive_timeout = std::chrono::seconds(2),
          .refuse = refuse_strangers,
          .token = [directory] { return make_access_token(directory); }};
}

// Ports to try after the requested one.
constexpr int kMorePorts = 20;

constexpr int kLockTries = 20;
constexpr std::chrono::milliseconds kLockPause{10};

fs::path lock_path(const fs::path& directory) { return directory / "worker.lock"; }

Result<int> listen(net::HttpServer& server, int port) {
  for (int tried = 0;; ++tried) {
    auto listening = server.listen(port);
    const bool is_taken = !listening.ok() && listening.error().code() == ErrorCode::kBusy;
    if (!is_taken || tried == kMorePorts || port + 1 > 65'535) return listening;
    log_warn("worker: port {} is taken; trying {}", port, port + 1);
    ++port;
  }
}

// A process that looks for a worker holds the lock for a moment; that does not count as a worker.
// One that has published its address does: waiting for its lock would mean replacing it when it is
// stopped.
Result<FileLock> take_lock(const fs::path& directory) {
  for (int tried = 0;; ++tried) {
    auto lock = FileLock::take(lock_path(directory));
    const bool is_busy = !lock.ok() && lock.error().code() == ErrorCode::kBusy;
    if (!is_busy || tried == kLockTries) return lock;
    if (const auto other = read_worker_file(directory); other && is_alive(*other)) return lock;
    std::this_thread::sleep_for(kLockPause);
  }
}

}  // namespace

struct Worker::Impl {
  explicit Impl(WorkerOptions given, FileLock held)
      : options(std::move(given)), lock(std::move(held)), events(memory::system_clock()) {}

  WorkerOptions options;
  FileLock lock;
  WorkerAddress address;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  observe::EventHub events;
  std::atomic<int> listeners = 0;
  observe::Activity activity{memory::system_clock()};
  EditGuard edit_guard{options.repositories};
  std::unique_ptr<net::HttpServer> server;
  std::atomic<bool> is_ready = false;

  std::mutex mutex;  // guards the three members below
  std::condition_variable stopped;
  bool is_stopped = false;
  std::optional<Error> failure;

  // Set when the worker is ready; created in this order, stopped in reverse.
  memory::Memory* memory = nullptr;
  std::unique_ptr<observe::Journal> journal;
  std::unique_ptr<observe::GroupCommit> commits;
  std::unique_ptr<observe::Queue> queue;
  std::unique_ptr<observe::Intake> intake;
  observe::ChosenProvider providers;
  std::unique_ptr<observe::Processor> processor;
  std::unique_ptr<observe::SpoolDrain> spool;

  std::stop_source stopping;
  std::jthread serving, opening;

  std::string setting(const char* name) const {
    return options.setting ? options.setting(name) : std::string();
  }

  observe::IntakeOptions intake_options() const {
    observe::IntakeOptions given;
    if (const std::string tools = setting("CODEXMEM_SKIP_TOOLS"); !tools.empty()) {
      given.skipped_tools = read_comma_list(tools);
    }
    given.excluded_projects = read_comma_list(setting("CODEXMEM_EXCLUDED_PROJECTS"));
    return given;
  }

  Result<void> open_parts() {
    CODEXMEM_ASSIGN(memory, options.memory->get());
    store::UserStore& store = memory->store();
    journal = std::make_unique<observe::Journal>(store, memory->clock(), &memory->searches());
    commits = std::make_unique<observe::GroupCommit>(store);
    queue = std::make_unique<observe::Queue>(store, *commits, memory->clock());
    intake = std::make_unique<observe::Intake>(*memory, *queue, *commits, intake_options());
    providers = observe::choose_provider([this](const char* name) { return setting(name); }, store,
                                         memory->clock());
    if (!providers.problem.empty()) log_warn("{}", providers.problem);
    observe::ProcessorOptions processing;
    processing.falls_back = providers.falls_back;
    processing.rule_limits.company = kRuleCompany;
    if (options.repositories != nullptr) {
      processing.cite = [code = ObservedCode(*options.repositories)](
                            const fs::path& folder, const memory::Mentions& mentions,
                            const std::stop_token& stop) {
        return code.cite(folder, mentions, stop);
      };
    }
    processor =
        std::make_unique<observe::Processor>(*memory, *queue, *commits, events, *providers.provider,
                                             *providers.rules, std::move(processing));
    intake->set_listener(
        [this](const observe::IntakeRequest& request, const observe::IntakeOutcome& outcome) {
          activity.note(request, outcome);
          processor->note_intake(request, outcome);
        });
    CODEXMEM_TRY(processor->start());
    spool = std::make_unique<observe::SpoolDrain>(
        options.directory, [this](std::vector<observe::IntakeRequest> requests) -> Result<void> {
          for (const observe::IntakeRequest& each : requests) edit_guard.note(each);
          CODEXMEM_TRY(intake->take_all(std::move(requests)));
          return {};
        });
    spool->watch();
    return {};
  }

  void open() {
    auto opened = open_parts();
    if (opened.ok()) {
      is_ready = true;
      return;
    }
    const std::lock_guard guard(mutex);
    failure = std::move(opened).error();
    is_stopped = true;
    stopped.notify_all();
  }

  void shut_down() {
    if (opening.joinable()) opening.join();
    if (spool != nullptr) spool->stop();
    if (processor != nullptr) processor->stop();
    events.close();
    if (options.stop_mcp) options.stop_mcp();
    server->stop();
    if (serving.joinable()) serving.join();
    is_ready = false;
    std::error_code ignored;
    fs::remove(worker_file(options.directory), ignored);
  }
};

Result<bool> is_worker_there(const fs::path& directory) {
  if (!fs::exists(lock_path(directory))) return false;
  const auto lock = FileLock::take(lock_path(directory));
  if (lock.ok()) return false;
  if (lock.error().code() != ErrorCode::kBusy) return lock.error();
  return true;
}

Result<std::unique_ptr<Worker>> Worker::start(WorkerOptions options) {
  if (options.directory.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "there is no folder for the memory: set HOME or CODEXMEM_DATA_DIR"};
  }
  observe::keep_large_blocks_apart();
  CODEXMEM_TRY(store::prepare_user_directory(options.directory));
  auto lock = take_lock(options.directory);
  if (!lock.ok()) {
    if (lock.error().code() != ErrorCode::kBusy) return std::move(lock).error();
    const auto other = read_worker_file(options.directory);
    return Error{ErrorCode::kBusy,
                 other ? fmt::format("a worker runs already: process {}, http://127.0.0.1:{}",
                                     other->pid, other->port)
                       : std::string("a worker is being started or stopped already")};
  }
  std::unique_ptr<Worker> worker(
      new Worker(std::make_unique<Impl>(std::move(options), *std::move(lock))));
  Impl& impl = *worker->impl_;
  impl.server = std::make_unique<net::HttpServer>(
      [worker = worker.get()](const net::ServedRequest& request) {
        return answer_request(*worker, request);
      },
      http_options(impl.options.directory));
  CODEXMEM_ASSIGN(const int port, listen(*impl.server, impl.options.port));
  impl.address = {.pid = ::getpid(),
                  .port = port,
                  .version = impl.options.version,
                  .started_at_ms = memory::system_clock()(),
                  .process_start = process_start(::getpid())};
  if (impl.server->asks_for_token()) {
    CODEXMEM_ASSIGN(impl.address.token, make_access_token(impl.options.directory));
  }
  CODEXMEM_TRY(write_worker_file(impl.options.directory, impl.address));
  impl.serving = std::jthread([&impl] { impl.server->serve(); });
  impl.opening = std::jthread([&impl] { impl.open(); });
  return worker;
}

Worker::Worker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Worker::~Worker() {
  impl_->stopping.request_stop();
  if (impl_->server != nullptr) impl_->shut_down();
}

Result<void> Worker::run() {
  std::unique_lock lock(impl_->mutex);
  impl_->stopped.wait(lock, [this] { return impl_->is_stopped; });
  auto failure = std::exchange(impl_->failure, std::nullopt);
  lock.unlock();
  impl_->shut_down();
  if (failure) return *std::move(failure);
  return {};
}

void Worker::stop() {
  impl_->stopping.request_stop();
  const std::lock_guard lock(impl_->mutex);
  impl_->is_stopped = true;
  impl_->stopped.notify_all();
}

std::stop_token Worker::stopping() const { return impl_->stopping.get_token(); }
const WorkerOptions& Worker::options() const { return impl_->options; }
const WorkerAddress& Worker::address() const { return impl_->address; }
std::chrono::seconds Worker::uptime() const {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                          impl_->begun);
}
bool Worker::is_ready() const { return impl_->is_ready; }
observe::EventHub& Worker::events() { return impl_->events; }
std::atomic<int>& Worker::listeners() { return impl_->listeners; }
observe::Activity& Worker::activity() { return impl_->activity; }
EditGuard& Worker::edit_guard() { return impl_->edit_guard; }
memory::Memory& Worker::memory() { return *impl_->memory; }
observe::Queue& Worker::queue() { return *impl_->queue; }
observe::Intake& Worker::intake() { return *impl_->intake; }
observe::Processor& Worker::processor() { return *impl_->processor; }
observe::SpoolDrain& Worker::spool() { return *impl_->spool; }
observe::Journal& Worker::journal() { return *impl_->journal; }
const observe::ChosenProvider& Worker::providers() { return impl_->providers; }

}  // namespace codexmem::serve
