// codexmem open: shows a repository's page in the browser, and starts what that needs.
#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "app/command.h"
#include "app/question.h"
#include "app/signals.h"
#include "app/worker_client.h"
#include "base/path.h"
#include "base/percent.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "config/known_repositories.h"
#include "config/user_directory.h"
#include "config/worker_file.h"
#include "serve/embedding_provider.h"
#include "serve/repository.h"

namespace codexmem::app {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

// How long to wait for a worker that opens its store, in addition to the wait of `worker start`.
constexpr std::chrono::seconds kReadyPatience{30};
constexpr std::chrono::milliseconds kReadyPause{50};

// The page to show.
struct PagePlace {
  fs::path folder;         // to look for the repository from
  fs::path file = {};      // absolute; empty: the map
  std::uint32_t line = 0;  // 0: none
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Splits "src/app.ts:12" when no file has that name but one has the name without ":12". A second
// number, the column in compiler messages, is ignored.
std::optional<std::pair<std::string, std::uint32_t>> split_line(std::string_view typed) {
  std::uint32_t line = 0;
  for (int parts = 0; parts < 2; ++parts) {
    const std::size_t colon = typed.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == typed.size()) break;
    std::uint32_t number = 0;
    const char* const end = typed.data() + typed.size();
    const auto [read_to, problem] = std::from_chars(typed.data() + colon + 1, end, number);
    if (problem != std::errc() || read_to != end) break;
    line = number;
    typed = typed.substr(0, colon);
  }
  if (line == 0) return std::nullopt;
  return std::pair(std::string(typed), line);
}

Result<PagePlace> find_place(const std::string& typed) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (typed.empty()) return PagePlace{here};
  const auto as_place = [&](const fs::path& path, std::uint32_t line) -> std::optional<PagePlace> {
    std::error_code gone;
    if (fs::is_directory(path, gone)) return PagePlace{path};
    if (!fs::exists(path, gone)) return std::nullopt;
    return PagePlace{path.parent_path(), path, line};
  };
  if (auto place = as_place(here / typed, 0)) return *std::move(place);
  if (const auto with_line = split_line(typed)) {
    if (auto place = as_place(here / with_line->first, with_line->second)) {
      return *std::move(place);
    }
  }
  return Error{ErrorCode::kNotFound, fmt::format("there is no file or folder {}", typed)};
}

// `text` as the value of a parameter in an address. Slashes stay readable.
std::string encoded(std::string_view text) { return percent_encoded(text, "-._~/"); }

class OpenCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments
        .text("PATH", path_, "A folder, a file or FILE:LINE (default: the map of the repository)")
        .are_files();
    arguments.flag("--print", only_print_, "Print the address and open no browser");
  }

  ExitCode run(Console& console) override {
    const auto opened = open(console);
    if (!opened.ok()) return fail(console, opened.error());
    console.print_line(*opened);
    console.note("`codexmem worker stop` stops the program behind this page");
    if (!only_print_ && !show(*opened)) {
      console.note("no browser was found: open the address above yourself");
    }
    return ExitCode::kFound;
  }

 private:
  // The address of the page, which answers.
  Result<std::string> open(Console& console) const {
    const StopOnSignal signals;
    const StopScope scope(signals.token());
    CODEXMEM_ASSIGN(const PagePlace place, find_place(path_));
    const fs::path directory = user_directory();
    if (directory.empty() || directory.is_relative()) {
      return Error{ErrorCode::kInvalidArgument,
                   "the memory's folder (CODEXMEM_DATA_DIR, else HOME) must be an absolute path"};
    }
    const Settings settings = serve::load_settings(place.folder);
    const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
    CODEXMEM_ASSIGN(const auto workspace,
                    open_fresh_index(false, provider, place.folder, signals.token(), console));
    CODEXMEM_ASSIGN(const WorkerAddress worker, start_worker(directory, console));
    CODEXMEM_TRY(note_opened(directory, workspace->root()));
    std::string address = viewer_url(worker) + "#/map?repo=" + encoded(workspace->root().string());
    if (place.file.empty()) return address;
    const auto inside = path_below(workspace->root(), fs::absolute(place.file));
    if (!inside) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} leads out of the repository {}", place.file.string(),
                               workspace->root().string())};
    }
    address = viewer_url(worker) + "#/file?repo=" + encoded(workspace->root().string()) +
              "&path=" + encoded(*inside);
    if (place.line > 0) address += fmt::format("&line={}", place.line);
    return address;
  }

  // Has `worker start` start one unless one runs, and waits until it is ready.
  static Result<WorkerAddress> start_worker(const fs::path& directory, Console& console) {
    const CommandRow& row = *find_row(worker_commands(), "start");
    const std::unique_ptr<Command> start = row.make();
    Arguments arguments(row.name, row.summary, row.examples);
    start->declare(arguments);
    arguments.parse({"--quiet"});
    if (start->run(console) != ExitCode::kFound) {
      return Error{ErrorCode::kIo, "the page needs the worker, which could not be started"};
    }
    for (const auto until = Clock::now() + kReadyPatience;;) {
      const auto worker = find_worker(directory);
      if (worker && health_of(*worker) == WorkerHealth::kReady) {
        CODEXMEM_TRY(check_page(*worker));
        return *worker;
      }
      CODEXMEM_TRY(go_on());
      if (Clock::now() >= until) {
        return Error{ErrorCode::kBusy,
                     "the worker is not ready: `codexmem worker status` may say why"};
      }
      std::this_thread::sleep_for(kReadyPause);
    }
  }

  // One that was started before an update may know no code.
  static Result<void> check_page(const WorkerAddress& worker) {
    const auto answer = ask_worker(worker, "/api/code/repositories", kReadyPatience);
    if (answer && answer->status == 404) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("the worker that runs (version {}) has no page of code: `codexmem "
                               "worker stop`, then try again",
                               worker.version)};
    }
    return {};
  }

  // Starts the browser, which keeps running; false if there is no browser. Without a display only a
  // browser that the user has named is started, as in an editor's terminal on another machine.
  static bool show(const std::string& address) {
    const bool has_display = !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
    const std::string own = variable("BROWSER");
    if (!own.empty()) {
      for (const std::string_view program : split(own, ':')) {
        if (!trim(program).empty() && start(program, address)) return true;
      }
    }
    return has_display && start("xdg-open", address);
  }

  // `command` is words with blanks between; "%s" among them is the address, which is else the last.
  static bool start(std::string_view command, const std::string& address) {
    std::vector<std::string> words;
    bool is_placed = false;
    for (const std::string_view word : split(trim(command), ' ')) {
      if (word.empty()) continue;
      is_placed = is_placed || word == "%s";
      words.push_back(word == "%s" ? address : std::string(word));
    }
    if (words.empty()) return false;
    if (!is_placed) words.push_back(address);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    ::posix_spawn_file_actions_init(&files);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ::posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    }
    pid_t child = 0;
    const int failed =
        ::posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
    return failed == 0;
  }

  std::string path_;
  bool only_print_ = false;
};

}  // namespace

std::unique_ptr<Command> make_open_command() { return std::make_unique<OpenCommand>(); }

}  // namespace codexmem::app
