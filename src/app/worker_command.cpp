// codexmem worker ...: the program that hooks talk to, run in the foreground or looked after.
#include <fcntl.h>
#include <fmt/core.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "app/command.h"
#include "app/embedding_provider.h"
#include "app/memory_setup.h"
#include "app/observed_code.h"
#include "app/signals.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "base/user_directory.h"
#include "net/http_client.h"
#include "store/user_store.h"
#include "worker/worker.h"

namespace codexmem::app {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

// How long `start` waits for a worker to answer, and `stop` for it to go.
constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kLookAgain{20};

Result<int> read_port(const std::string& given) {
  const std::string text = given.empty() ? setting_of_environment("CODEXMEM_WORKER_PORT") : given;
  if (text.empty()) return worker::kDefaultPort;
  int port = -1;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, port).ptr != end || port < 0 || port > 65'535) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("the worker's port must be a number from 0 to 65535, got \"{}\"", text)};
  }
  return port;
}

Result<fs::path> data_directory() {
  fs::path directory = user_directory();
  if (directory.empty() || directory.is_relative()) {
    return Error{ErrorCode::kInvalidArgument,
                 "the memory's folder (CODEXMEM_DATA_DIR, else HOME) must be an absolute path"};
  }
  return directory;
}

std::string url_of(const worker::WorkerAddress& address) {
  return fmt::format("http://127.0.0.1:{}", address.port);
}

// The answer of a worker to GET `path`; nothing when it gives none.
std::optional<net::HttpAnswer> ask(const worker::WorkerAddress& address, std::string_view path) {
  net::HttpClient client;
  net::HttpRequest request;
  request.url = url_of(address) + std::string(path);
  request.timeout = std::chrono::seconds(2);
  auto answer = client.send(request);
  if (!answer.ok()) return std::nullopt;
  return *std::move(answer);
}

bool is_ready(const worker::WorkerAddress& address) {
  const auto answer = ask(address, "/api/readiness");
  return answer && answer->status == 200;
}

class RunCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("--port", port_, "Default: CODEXMEM_WORKER_PORT, else 37877; 0: any free one");
  }

  ExitCode run(Console& console) override {
    ::mallopt(M_ARENA_MAX, 2);
    ::umask(077);
    // A connection is a descriptor, and so is each of SQLite's.
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
      files.rlim_cur = files.rlim_max < 4'096 ? files.rlim_max : 4'096;
      ::setrlimit(RLIMIT_NOFILE, &files);
    }
    const auto port = read_port(port_);
    if (!port.ok()) return fail(console, port.error());
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const EmbeddingProvider provider = choose_provider();
    if (!provider.problem.empty()) log_warn("{}", provider.problem);
    const auto setup = set_up_memory(
        {.folder = *directory, .maintains = true, .is_of_all_projects = true}, provider);
    if (!setup.ok()) return fail(console, setup.error());

    const StopOnSignal signals;
    worker::WorkerOptions options;
    options.directory = *directory;
    options.port = *port;
    options.version = CODEXMEM_VERSION;
    options.memory = setup->memory.get();
    options.setting = [](const char* name) { return setting_of_environment(name); };
    ObservedCode code;
    options.code_around = [&code](const fs::path& folder, std::stop_token stop) {
      return code.around(folder, std::move(stop));
    };
    const auto worker = worker::Worker::start(std::move(options));
    if (!worker.ok()) return fail(console, worker.error());
    console.note(fmt::format("codexmem: the worker listens at {}", url_of((*worker)->address())));
    const std::stop_callback on_signal(signals.token(), [&] { (*worker)->stop(); });
    if (const auto served = (*worker)->run(); !served.ok()) return fail(console, served.error());
    return ExitCode::kFound;
  }

 private:
  std::string port_;
};

class StartCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("--port", port_, "Default: CODEXMEM_WORKER_PORT, else 37877; 0: any free one");
    arguments.flag("--quiet", quiet_, "Print nothing when all is well");
  }

  ExitCode run(Console& console) override {
    const auto port = read_port(port_);
    if (!port.ok()) return fail(console, port.error());
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto there = worker::find_worker(*directory);
    if (!there.ok()) return fail(console, there.error());
    const bool was_there = there->has_value();
    pid_t child = 0;
    if (!was_there) {
      const auto launched = launch(*directory, *port);
      if (!launched.ok()) return fail(console, launched.error());
      child = *launched;
    }
    const auto address = await_ready(*directory, child);
    if (!address.ok()) return fail(console, address.error());
    if (!quiet_) {
      console.print_line(fmt::format("the worker {} at {} (process {}); {}/viewer shows it",
                                     was_there ? "runs" : "was started", url_of(*address),
                                     address->pid, url_of(*address)));
    }
    return ExitCode::kFound;
  }

 private:
  // Starts this program anew, in a session of its own: it outlives the terminal.
  static Result<pid_t> launch(const fs::path& directory, int port) {
    CODEXMEM_TRY(store::prepare_user_directory(directory));
    const fs::path log = directory / "worker.log";
    const std::string port_text = std::to_string(port);
    const pid_t child = ::fork();
    if (child < 0) return Error{ErrorCode::kIo, fmt::format("fork: {}", std::strerror(errno))};
    if (child > 0) return child;
    ::setsid();
    ::umask(077);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(out < 0 ? nothing : out, 2);
    [[maybe_unused]] const int moved = ::chdir("/");
    ::execl("/proc/self/exe", "codexmem", "worker", "run", "--port", port_text.c_str(), nullptr);
    ::_exit(127);
  }

  // Why it ended, as it said itself.
  static std::string last_line(const fs::path& log) {
    const auto text = read_file(log);
    if (!text.ok()) return text.error().message();
    std::string_view lines = trim(*text);
    if (const auto at = lines.rfind('\n'); at != std::string_view::npos)
      lines.remove_prefix(at + 1);
    constexpr std::string_view kMark = "codexmem: error: ";
    if (lines.starts_with(kMark)) lines.remove_prefix(kMark.size());
    return std::string(lines);
  }

  static Result<worker::WorkerAddress> await_ready(const fs::path& directory, pid_t child) {
    const auto until = Clock::now() + kPatience;
    while (Clock::now() < until) {
      CODEXMEM_ASSIGN(const auto address, worker::find_worker(directory));
      if (address && is_ready(*address)) return *address;
      if (child > 0 && ::waitpid(child, nullptr, WNOHANG) == child) {
        // Another one may have been quicker.
        CODEXMEM_ASSIGN(const auto other, worker::find_worker(directory));
        if (!other) {
          return Error{ErrorCode::kIo,
                       "the worker ended at once: " + last_line(directory / "worker.log")};
        }
        child = 0;
      }
      std::this_thread::sleep_for(kLookAgain);
    }
    return Error{ErrorCode::kBusy,
                 fmt::format("the worker is not ready after {} s; {} may say why",
                             kPatience.count(), (directory / "worker.log").string())};
  }

  std::string port_;
  bool quiet_ = false;
};

class StopCommand : public Command {
 public:
  void declare(Arguments&) override {}

  ExitCode run(Console& console) override {
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto address = worker::find_worker(*directory);
    if (!address.ok()) return fail(console, address.error());
    if (!*address) {
      console.print_line("no worker runs");
      return ExitCode::kNothingFound;
    }
    ::kill((*address)->pid, SIGTERM);
    const auto until = Clock::now() + kPatience;
    while (Clock::now() < until) {
      const auto there = worker::find_worker(*directory);
      if (!there.ok()) return fail(console, there.error());
      if (!*there || (*there)->pid != (*address)->pid) {
        console.print_line("the worker was stopped");
        return ExitCode::kFound;
      }
      std::this_thread::sleep_for(kLookAgain);
    }
    return fail(console, {ErrorCode::kBusy, fmt::format("process {} has not ended after {} s",
                                                        (*address)->pid, kPatience.count())});
  }
};

class StatusCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print it as JSON");
  }

  ExitCode run(Console& console) override {
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto address = worker::find_worker(*directory);
    if (!address.ok()) return fail(console, address.error());
    if (!*address) {
      console.print_line(json_ ? R"({"running":false})" : "no worker runs");
      return ExitCode::kNothingFound;
    }
    Json told = {{"running", true},          {"pid", (*address)->pid},
                 {"port", (*address)->port}, {"version", (*address)->version},
                 {"url", url_of(**address)}, {"ready", is_ready(**address)}};
    for (const char* name : {"stats", "processing-status"}) {
      const auto answer = ask(**address, std::string("/api/") + name);
      if (!answer || answer->status != 200) continue;
      const Json body = Json::parse(answer->body, nullptr, false);
      if (body.is_object()) told.update(body);
    }
    if (json_) {
      console.print_line(dump_json(told));
      return ExitCode::kFound;
    }
    console.print_line(fmt::format("the worker runs at {} (process {}, version {})",
                                   url_of(**address), (*address)->pid,
                                   printable((*address)->version)));
    if (!told["ready"].get<bool>()) console.print_line("it is not ready yet");
    if (const auto depth = told.find("queueDepth"); depth != told.end() && depth->is_number()) {
      console.print_line(fmt::format("{} messages wait in its queue", depth->get<std::int64_t>()));
    }
    return ExitCode::kFound;
  }

 private:
  bool json_ = false;
};

constexpr CommandRow kWorkerCommands[] = {
    {"start", "Start one in the background, if none runs yet, and wait until it is ready",
     "Examples:\n"
     "  codexmem worker start\n"
     "  codexmem worker start --quiet   what a session's first hook runs",
     []() -> std::unique_ptr<Command> { return std::make_unique<StartCommand>(); }},
    {"stop", "Stop the one that runs; what waits in its queue stays for the next",
     "Examples:\n"
     "  codexmem worker stop",
     []() -> std::unique_ptr<Command> { return std::make_unique<StopCommand>(); }},
    {"status", "Where one runs, and whether it has work",
     "Examples:\n"
     "  codexmem worker status\n"
     "  codexmem worker status --json",
     []() -> std::unique_ptr<Command> { return std::make_unique<StatusCommand>(); }},
    {"run", "Run one in the foreground until Ctrl-C or SIGTERM",
     "Examples:\n"
     "  codexmem worker run\n"
     "  CODEXMEM_LOG=info codexmem worker run --port 0",
     []() -> std::unique_ptr<Command> { return std::make_unique<RunCommand>(); }},
};

}  // namespace

std::span<const CommandRow> worker_commands() { return kWorkerCommands; }

}  // namespace codexmem::app
