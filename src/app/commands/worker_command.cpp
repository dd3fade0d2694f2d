// codexmem worker ...: the program that hooks talk to, run in the foreground or looked after.
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <malloc.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/settings/data_destinations.h"
#include "serve/embedding_provider.h"
#include "serve/mcp_mount.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "app/signals.h"
#include "app/worker_client.h"
#include "app/settings/worker_settings.h"
#include "base/file.h"
#include "text/counted.h"
#include "text/json.h"
#include "base/log.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/user_directory.h"
#include "config/worker_file.h"
#include "hook/refusals.h"
#include "memory/clock.h"
#include "memory/times.h"
#include "net/http_client.h"
#include "store/user/user_store.h"
#include "serve/listening.h"
#include "serve/log_file.h"
#include "serve/worker.h"

namespace codexmem::app {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kLookAgain{20};
// What a hook runs is ended by its host after 10 s.
constexpr std::chrono::seconds kQuietPatience{8};
// How long a worker may hold the lock before it reports its address.
constexpr std::chrono::milliseconds kSilence{1'700};

constexpr std::uintmax_t kMaxLogBytes = 1'000'000;

Result<int> read_port(const std::string& given, const Settings& settings) {
  const std::string text = given.empty() ? settings.value("CODEXMEM_WORKER_PORT") : given;
  if (text.empty()) return serve::kDefaultPort;
  if (const auto port = serve::parse_port(text)) return *port;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("the worker's port must be a number from 0 to 65535, got \"{}\"", text)};
}

Result<fs::path> data_directory() {
  fs::path directory = user_directory();
  if (directory.empty() || directory.is_relative()) {
    return Error{ErrorCode::kInvalidArgument,
                 "the memory's folder (CODEXMEM_DATA_DIR, else HOME) must be an absolute path"};
  }
  return directory;
}

// The object that a route answers with; null when it does not.
Json ask_object(const WorkerAddress& address, std::string_view path) {
  const auto answer = ask_worker(address, path);
  if (!answer || answer->status != 200) return nullptr;
  Json body = Json::parse(answer->body, nullptr, false);
  return body.is_object() ? body : Json(nullptr);
}

// A member of an object that another program sent; null if it is missing.
Json member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? Json(nullptr) : *found;
}
std::string text_member(const Json& object, const char* name) {
  const Json value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}
std::int64_t number_member(const Json& object, const char* name) {
  const Json value = member(object, name);
  return value.is_number() ? value.get<std::int64_t>() : 0;
}

fs::path log_path(const fs::path& directory) { return directory / serve::kLogName; }

std::string hint_for(const std::optional<WorkerAddress>& address) {
  return address ? kill_hint(*address) : "another program holds worker.lock in its folder";
}

// "...; rules are used" is said already.
std::string without_consequence(std::string problem) {
  constexpr std::string_view kConsequence = "; rules are used";
  if (problem.ends_with(kConsequence)) problem.resize(problem.size() - kConsequence.size());
  return problem;
}

// Warnings about settings that have no effect: "observations by rules: ...", Chroma unreachable.
std::vector<std::string> warnings_of(const Json& provider, const Json& vectors) {
  std::vector<std::string> lines;
  const std::string problem = text_member(provider, "problem");
  if (!problem.empty()) {
    lines.push_back("observations by rules: " + without_consequence(problem));
  }
  const Json warnings = member(provider, "warnings");
  for (const Json& each : warnings) {
    if (each.is_string() && each != problem)
      lines.push_back("search by words: " + each.get<std::string>());
  }
  const Json chroma = member(vectors, "chroma");
  if (member(chroma, "configured") == true && !text_member(chroma, "problem").empty()) {
    lines.push_back("Chroma: " + text_member(chroma, "problem"));
  }
  return lines;
}

class RunCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("--port", port_, "Default: CODEXMEM_WORKER_PORT, else 37877; 0: any free one");
  }

  ExitCode run(Console& console) override {
    // A log that is kept says when.
    const bool is_kept = ::isatty(STDERR_FILENO) == 0;
    if (is_kept) log_with_times();
    const auto note = [&](const std::string& text) {
      console.note((is_kept ? log_time() : "") + "codexmem: " + text);
    };
    const auto served = serve(note);
    if (served.ok()) return ExitCode::kFound;
    note("error: " + served.error().message());
    return ExitCode::kError;
  }

 private:
  // Serves until the worker is stopped.
  template <typename Note>
  Result<void> serve(const Note& note) const {
    ::mallopt(M_ARENA_MAX, 2);
    ::umask(077);
    serve::allow_files();
    const Settings settings = serve::load_settings({});
    const auto port = read_port(port_, settings);
    if (!port.ok()) return port.error();
    const auto directory = data_directory();
    if (!directory.ok()) return directory.error();
    const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
    if (!provider.problem.empty()) log_warn("{}", provider.problem);
    const auto setup = serve::set_up_memory({.folder = *directory,
                                             .maintains = true,
                                             .is_of_all_projects = true,
                                             .bears_trouble = true},
                                            provider, settings);
    if (!setup.ok()) return setup.error();
    for (const std::string& warning : setup->warnings) log_warn("{}", warning);

    const StopOnSignal signals;
    serve::WorkerOptions options;
    options.directory = *directory;
    options.port = *port;
    options.version = CODEXMEM_VERSION;
    options.memory = setup->memory.get();
    options.setting = settings.reader();
    options.data_goes_to = describe_data_destinations(settings.reader());
    const auto mcp = serve::McpMount::make(*directory, provider, settings);
    if (!mcp.ok()) return mcp.error();
    options.repositories = &(*mcp)->repositories();
    options.mcp = [&mcp](const net::ServedRequest& request) { return (*mcp)->answer(request); };
    options.stop_mcp = [&mcp] { (*mcp)->close(); };
    const auto worker = serve::Worker::start(std::move(options));
    if (!worker.ok()) return worker.error();
    if (const auto written = write_worker_settings(*directory, ::getpid(), settings);
        !written.ok()) {
      log_warn("{}", written.error().message());
    }
    note(fmt::format("the worker listens at {}", url_of((*worker)->address())));
    const std::stop_callback on_signal(signals.token(), [&] { (*worker)->stop(); });
    if (const auto served = (*worker)->run(); !served.ok()) return served.error();
    note("the worker has ended, as asked");
    return {};
  }

  std::string port_;
};

class StartCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("--port", port_, "Default: CODEXMEM_WORKER_PORT, else 37877; 0: any free one");
    arguments.flag("--quiet", quiet_,
                   "Print nothing when all is well, and wait for no worker that hangs");
  }

  ExitCode run(Console& console) override {
    const auto port = read_port(port_, serve::load_settings({}));
    if (!port.ok()) return fail(console, port.error());
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto started = start(*directory, *port, console);
    if (!started.ok()) return fail(console, started.error());
    if (!quiet_ && *started) report(**started, *directory, *port, console);
    return ExitCode::kFound;
  }

 private:
  // Starts one unless there is one, and waits until it is ready. Nothing: it waited for long
  // enough, as a hook may.
  Result<std::optional<WorkerAddress>> start(const fs::path& directory, int port,
                                             Console& console) {
    const auto begun = Clock::now();
    std::optional<Clock::time_point> silent_since;
    bool has_noted = false;
    std::optional<WorkerAddress> address;
    for (;;) {
      CODEXMEM_ASSIGN(const bool is_running, serve::is_worker_there(directory));
      if (!is_running && child_ == 0) {
        CODEXMEM_ASSIGN(child_, launch(directory, port));
        was_started_ = true;
      }
      address = is_running ? find_worker(directory) : std::nullopt;
      const auto asked = Clock::now();
      const WorkerHealth health = address ? health_of(*address) : WorkerHealth::kSilent;
      if (health == WorkerHealth::kReady) return address;
      if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = 0;
        was_started_ = false;
        // Another one may have been quicker.
        CODEXMEM_ASSIGN(const bool is_other, serve::is_worker_there(directory));
        if (!is_other) {
          return Error{ErrorCode::kIo, "the worker ended at once: " + last_line(directory)};
        }
      }
      const auto now = Clock::now();
      // One that this command has just started takes its time.
      const bool is_silent = health == WorkerHealth::kSilent && child_ == 0;
      if (!is_silent) silent_since.reset();
      if (is_silent && !silent_since) silent_since = asked;
      const bool hangs =
          is_silent && now - *silent_since >= (address ? kWorkerAnswerTime : kSilence);
      if (quiet_ && (hangs || now - begun >= kQuietPatience)) {
        console.note(hangs ? fmt::format("codexmem: the worker{} does not answer: {}",
                                         process_of(address), hint_for(address))
                           : std::string("codexmem: the worker is not ready yet"));
        return std::optional<WorkerAddress>();
      }
      if (hangs && !has_noted) {
        has_noted = true;
        console.note(fmt::format("codexmem: the worker{} does not answer; waiting up to {} s",
                                 process_of(address), kWorkerPatience.count()));
      }
      if (now - begun >= kWorkerPatience) {
        return Error{ErrorCode::kBusy,
                     is_silent
                         ? fmt::format("the worker{} does not answer: {}", process_of(address),
                                       hint_for(address))
                         : fmt::format("the worker is not ready after {} s; {} may say why",
                                       kWorkerPatience.count(), log_path(directory).string())};
      }
      std::this_thread::sleep_for(kLookAgain);
    }
  }

  static std::string process_of(const std::optional<WorkerAddress>& address) {
    return address ? fmt::format(" (process {})", address->pid) : std::string();
  }

  // Starts this program again, in a new session, so that it outlives the terminal.
  static Result<pid_t> launch(const fs::path& directory, int port) {
    CODEXMEM_TRY(store::prepare_user_directory(directory));
    CODEXMEM_ASSIGN(const int log, open_log(log_path(directory)));
    const std::string port_text = std::to_string(port);
    const pid_t child = ::fork();
    if (child > 0) {
      ::close(log);
      return child;
    }
    if (child < 0) {
      const int why = errno;
      ::close(log);
      return Error{ErrorCode::kIo, fmt::format("fork: {}", std::strerror(why))};
    }
    ::setsid();
    ::umask(077);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(log, 2);
    // It must not keep a pipe or a lock of the process that started it.
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    [[maybe_unused]] const int moved = ::chdir("/");
    ::execl("/proc/self/exe", "codexmem", "worker", "run", "--port", port_text.c_str(), nullptr);
    ::_exit(127);
  }

  // Opens the log to append to it. A long log is first moved to a second file in the same folder.
  static Result<int> open_log(const fs::path& path) {
    std::error_code failed;
    if (const auto size = fs::file_size(path, failed);
        !failed && size > kMaxLogBytes &&
        fs::symlink_status(path, failed).type() == fs::file_type::regular) {
      fs::rename(path, path.string() + ".1", failed);
    }
    const int log = ::open(
        path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct stat there {};
    if (log >= 0 && ::fstat(log, &there) == 0 && S_ISREG(there.st_mode)) return log;
    const std::string why =
        log < 0 && errno != ELOOP ? std::strerror(errno) : "it is not a regular file";
    if (log >= 0) ::close(log);
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), why)};
  }

  // Why it ended, as it said itself.
  static std::string last_line(const fs::path& directory) {
    const auto text = read_file(log_path(directory));
    if (!text.ok()) return text.error().message();
    std::string_view lines = trim(*text);
    if (const auto at = lines.rfind('\n'); at != std::string_view::npos)
      lines.remove_prefix(at + 1);
    constexpr std::string_view kMark = "codexmem: error: ";
    if (const auto at = lines.find(kMark); at != std::string_view::npos) {
      lines.remove_prefix(at + kMark.size());
    }
    return std::string(lines);
  }

  void report(const WorkerAddress& address, const fs::path& directory, int port,
              Console& console) const {
    console.print_line(fmt::format("the worker {} at {} (process {}); {} shows it",
                                   was_started_ ? "was started" : "runs", url_of(address),
                                   address.pid, viewer_url(address)));
    if (port != 0 && port != address.port && (was_started_ || !port_.empty())) {
      console.print_line(
          was_started_ ? fmt::format("port {} was taken by another program", port)
                       : fmt::format("not at port {}: `codexmem worker stop` ends it first", port));
    }
    for (const std::string& line : warnings_of(ask_object(address, "/api/ops/provider"),
                                               ask_object(address, "/api/ops/index-status"))) {
      console.print_line(line);
    }
    console.print_line(fmt::format("log: {}", log_path(directory).string()));
  }

  std::string port_;
  bool quiet_ = false;
  pid_t child_ = 0;           // 0: none that lives
  bool was_started_ = false;  // by this command
};

class StopCommand : public Command {
 public:
  void declare(Arguments&) override {}

  ExitCode run(Console& console) override {
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto address = find_worker(*directory);
    if (!address) {
      console.print_line("no worker runs");
      return ExitCode::kNothingFound;
    }
    if (const auto stopped = stop_worker(*directory, *address); !stopped.ok()) {
      return fail(console, stopped.error());
    }
    console.print_line("the worker was stopped");
    return ExitCode::kFound;
  }
};

class WorkerStatusCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print it as JSON");
  }

  ExitCode run(Console& console) override {
    const auto directory = data_directory();
    if (!directory.ok()) return fail(console, directory.error());
    const auto address = find_worker(*directory);
    Json status = {{"running", address.has_value()}};
    const WorkerHealth health = address ? health_of(*address) : WorkerHealth::kSilent;
    if (address) {
      status.update(Json{{"pid", address->pid},
                         {"port", address->port},
                         {"version", address->version},
                         {"url", url_of(*address)},
                         {"answers", health != WorkerHealth::kSilent},
                         {"ready", health == WorkerHealth::kReady}});
    }
    if (health == WorkerHealth::kReady) {
      for (const char* name : {"stats", "processing-status", "ops/status"}) {
        const Json body = ask_object(*address, std::string("/api/") + name);
        if (body.is_object()) status.update(body);
      }
      status["provider"] = ask_object(*address, "/api/ops/provider");
      status["vectors"] = ask_object(*address, "/api/ops/index-status");
    }
    if (address) status["changedSettings"] = list_changed_settings(*directory, *address);
    status["spool"] = spool_of(*directory);
    status["store"] = (*directory / "memory.db").string();
    status["log"] = log_path(*directory).string();
    if (json_) {
      console.print_json(dump_json(status));
    } else {
      print(status, address, health, console);
    }
    if (!address) return ExitCode::kNothingFound;
    return health == WorkerHealth::kSilent ? ExitCode::kError : ExitCode::kFound;
  }

 private:
  // What waits for a worker, and what hooks could not use, by their reason.
  static Json spool_of(const fs::path& directory) {
    Json spool = {{"waiting", 0}, {"refused", Json::object()}};
    std::int64_t waiting = 0;
    std::error_code failed;
    for (fs::directory_iterator file(directory / "spool", failed), end; !failed && file != end;
         file.increment(failed)) {
      if (file->path().extension() == ".json") ++waiting;
    }
    spool["waiting"] = waiting;
    std::int64_t last_at_ms = 0;
    for (const hook::Refused& each : hook::list_refusals(directory)) {
      spool["refused"][each.name] = each.count;
      last_at_ms = std::max(last_at_ms, each.last_at_ms);
    }
    if (last_at_ms > 0) spool["lastRefusedAt"] = memory::iso_time(last_at_ms);
    return spool;
  }

  // "3 not_active, 1 private"
  static std::string counts(const Json& counted) {
    std::vector<std::string> parts;
    if (!counted.is_object()) return {};
    for (const auto& [name, count] : counted.items()) {
      if (count.is_number()) {
        parts.push_back(fmt::format("{} {}", with_thousands(count.get<std::int64_t>()), name));
      }
    }
    return join(parts, ", ");
  }

  static std::string ago(const std::string& time) {
    const auto ms = memory::read_time(time);
    if (!ms) return time;
    const double seconds = static_cast<double>(memory::system_clock()() - *ms) / 1'000;
    return readable_duration(seconds < 0 ? 0 : seconds) + " ago";
  }

  static std::string provider_line(const Json& provider) {
    const std::string model = text_member(provider, "model");
    if (text_member(provider, "provider") != "openai") {
      const std::string problem = text_member(provider, "problem");
      return problem.empty() ? "by rules" : "by rules: " + without_consequence(problem);
    }
    std::string line = fmt::format("by {}; {} tokens in {} calls today", model,
                                   with_thousands(number_member(provider, "tokensToday")),
                                   with_thousands(number_member(provider, "callsToday")));
    if (const auto limit = number_member(provider, "tokenBudget"); limit > 0) {
      line += fmt::format(" of {}", with_thousands(limit));
    }
    return line;
  }

  static void print(const Json& status, const std::optional<WorkerAddress>& address,
                    WorkerHealth health, Console& console) {
    constexpr std::size_t kLabel = 14;
    const auto row = [&](std::string_view label, const std::string& text) {
      if (text.empty()) return;
      std::string lines = wrapped(terminal_line(text), kLabel, console.width() - kLabel);
      lines.replace(0, std::min(lines.size(), kLabel), fmt::format("{:<{}}", label, kLabel));
      console.print(lines);
    };
    if (address) {
      console.print_line(fmt::format("the worker runs at {} (process {}, version {})",
                                     url_of(*address), address->pid, address->version));
      if (health == WorkerHealth::kSilent) {
        console.print(wrapped("it does not answer: " + hint_for(address), 0, console.width()) +
                      "\n");
      }
      if (health == WorkerHealth::kInitializing) console.print_line("it is not ready yet");
    } else {
      console.print_line("no worker runs");
    }
    if (health == WorkerHealth::kReady) {
      const Json provider = member(status, "provider");
      row("observations", provider_line(provider));
      row("data goes to", text_member(provider, "dataGoesTo"));
      row("", text_member(provider, "hint"));
      for (const std::string& line : warnings_of(provider, member(status, "vectors"))) {
        if (!line.starts_with("observations by rules")) row("vectors", line);
      }
      const Json queue = member(status, "queue");
      row("queue", fmt::format("{} wait, {} in work, {} failed",
                               with_thousands(number_member(queue, "pending")),
                               with_thousands(number_member(queue, "processing")),
                               with_thousands(number_member(queue, "failed"))));
      if (const Json failure = member(status, "lastFailure"); failure.is_object()) {
        row("last failure",
            fmt::format("{}, {}: {} ({})", ago(text_member(failure, "at")),
                        text_member(failure, "errorClass"), text_member(failure, "message"),
                        text_member(failure, "outcome")));
      }
      const Json last = member(status, "lastEvent");
      std::string event = "none yet; it was started " + ago(text_member(status, "startedAt"));
      if (last.is_object()) {
        event = ago(text_member(last, "at")) + ": " + text_member(last, "kind");
        for (const char* name : {"tool", "platform"}) {
          if (const std::string text = text_member(last, name); !text.empty()) event += ", " + text;
        }
      }
      row("last event", event);
      const Json events = member(status, "events");
      row("events",
          fmt::format("{} taken since the start", with_thousands(number_member(events, "taken"))));
      row("left out", counts(member(events, "skipped")));
      row("refused", counts(member(events, "refused")));
    }
    if (const Json changed = member(status, "changedSettings"); !changed.empty()) {
      row("settings", fmt::format("{} changed since it was started: `codexmem worker stop`, then "
                                  "`start`",
                                  join(changed.get<std::vector<std::string>>(), ", ")));
    }
    const Json spool = member(status, "spool");
    if (const auto waiting = number_member(spool, "waiting"); waiting > 0) {
      row("spool", fmt::format("{} events wait in files", with_thousands(waiting)));
    }
    if (const std::string refused = counts(member(spool, "refused")); !refused.empty()) {
      row("hooks refused",
          fmt::format("{}; the last {}", refused, ago(text_member(spool, "lastRefusedAt"))));
    }
    if (!address) return;
    row("store", text_member(status, "store"));
    row("log", text_member(status, "log"));
  }

  bool json_ = false;
};

constexpr CommandRow kWorkerCommands[] = {
    {"start", "Start the worker in the background, if none runs yet, and wait until it is ready",
     "Examples:\n"
     "  codexmem worker start\n"
     "  codexmem worker start --quiet   what a session's first hook runs",
     []() -> std::unique_ptr<Command> { return std::make_unique<StartCommand>(); }},
    {"stop", "Stop the worker; what waits in its queue stays for the next one",
     "Examples:\n"
     "  codexmem worker stop",
     []() -> std::unique_ptr<Command> { return std::make_unique<StopCommand>(); }},
    {"status",
     "Show where the worker runs, what makes observations, what waits or failed, and its log",
     "Examples:\n"
     "  codexmem worker status\n"
     "  codexmem worker status --json",
     []() -> std::unique_ptr<Command> { return std::make_unique<WorkerStatusCommand>(); }},
    {"run", "Run the worker in the foreground until Ctrl-C or SIGTERM",
     "Examples:\n"
     "  codexmem worker run\n"
     "  CODEXMEM_LOG=info codexmem worker run --port 0",
     []() -> std::unique_ptr<Command> { return std::make_unique<RunCommand>(); }},
};

}  // namespace

std::span<const CommandRow> worker_commands() { return kWorkerCommands; }

}  // namespace codexmem::app
