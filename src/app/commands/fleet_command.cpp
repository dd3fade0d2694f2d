// codexmem fleet ...: an organisation's index on Chroma.
//
// Tested by chroma/fleet_chroma_test.py.
#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/question.h"
#include "app/signals.h"
#include "base/file.h"
#include "base/stop_scope.h"
#include "base/terminal_text.h"
#include "config/known_repositories.h"
#include "config/project.h"
#include "config/user_directory.h"
#include "fleet/content.h"
#include "fleet/fleet.h"
#include "fleet/names.h"
#include "fleet/push.h"
#include "index/git/git_repository.h"
#include "memory/times.h"
#include "serve/embedding_provider.h"
#include "serve/fleet_setup.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kPushPatience{30};  // for one request
constexpr double kUsualWait = 60;                  // seconds for a server to come back
constexpr std::size_t kShownDigits = 12;           // of a commit

// The fleet that the settings name.
Result<std::shared_ptr<fleet::Fleet>> open_fleet(const Settings& settings) {
  CODEXMEM_ASSIGN(auto fleet, serve::set_up_fleet(settings, kPushPatience));
  if (fleet != nullptr) return fleet;
  return Error{ErrorCode::kNotFound,
               "no fleet is set up: `codexmem config set fleetUrl http://...` names its server"};
}

class FleetPushCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "The repository, by any folder in it; else the current one")
        .are_folders();
    arguments.text("--name", name_,
                   "What it is called in the fleet; else by its remote: git.example.com/shop/cart");
    arguments.number("--wait", wait_, "Seconds to wait for a server that is away (default 60)");
    arguments.flag("--no-refresh", no_refresh_, "Push the index as it is");
    arguments.flag("--json", json_, "Print what was done as JSON");
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    const StopScope scope(signals.token());
    const auto done = push(console, signals.token());
    return done.ok() ? *done : fail(console, done.error());
  }

 private:
  Result<ExitCode> push(Console& console, const std::stop_token& stop) {
    const fs::path start = serve::start_directory(path_);
    const Settings settings = serve::load_settings(start);
    CODEXMEM_ASSIGN(const auto fleet, open_fleet(settings));
    const serve::EmbeddingProvider provider = serve::choose_provider(settings.reader());
    CODEXMEM_ASSIGN(auto workspace, open_fresh_index(no_refresh_, provider, start, stop, console));
    const auto git = index::GitRepository::find(workspace->root().string());
    const std::string revision = git != nullptr ? git->head_commit() : std::string();
    const std::string name =
        name_.empty() ? fleet::repository_name(find_project_place(workspace->root())) : name_;
    CODEXMEM_ASSIGN(const fleet::Content content, fleet::Content::read(*workspace, name, revision));
    if (content.model() != fleet->options().embedder->model_id()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the index has vectors of {}, and the fleet those of {}",
                               content.model(), fleet->options().embedder->model_id())};
    }
    fleet::PushOptions options;
    options.patience = std::chrono::milliseconds(
        static_cast<std::int64_t>(1000 * std::max(0.0, wait_.value_or(kUsualWait))));
    if (console.is_terminal() && !json_) {
      options.on_progress = [&](std::size_t done, std::size_t all) {
        console.note(fmt::format("{} of {} files", with_thousands(static_cast<long long>(done)),
                                 with_thousands(static_cast<long long>(all))));
      };
    }
    const auto begun = std::chrono::steady_clock::now();
    const auto reports = fleet::push(fleet->servers(), content, options, stop);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    // Hits there may be opened here.
    auto noted = make_private_folder(user_directory());
    if (noted.ok()) noted = note_opened(user_directory(), workspace->root());
    if (!noted.ok()) console.note("codexmem: warning: " + noted.error().message());
    return report(name, revision, reports, took.count(), console);
  }

  Result<ExitCode> report(const std::string& name, const std::string& revision,
                          const std::vector<fleet::PushReport>& reports, double seconds,
                          Console& console) const {
    std::size_t failed = 0;
    std::vector<JsonText> servers;
    std::string text;
    for (const fleet::PushReport& report : reports) {
      const std::string failure = report.failure ? report.failure->message() : "";
      servers.push_back(json_object("server", report.address, "current", report.was_current,
                                    "filesSent", report.files_sent, "piecesSent",
                                    report.pieces_sent, "filesRemoved", report.files_removed,
                                    "bytesSent", report.bytes_sent, "retries", report.retries,
                                    "failure", json_if(report.failure.has_value(), failure)));
      std::string line = report.was_current ? std::string("is current")
                                            : fmt::format("{} sent ({}), {} removed",
                                                          counted(report.files_sent, "file"),
                                                          counted(report.pieces_sent, "piece"),
                                                          counted(report.files_removed, "file"));
      if (report.failure) {
        ++failed;
        line = console.painted(Paint::kBad, "is behind: " + failure);
      }
      text +=
          fmt::format("{} at {}: {}\n", terminal_line(name), terminal_line(report.address), line);
    }
    if (json_) {
      console.print_json(json_object("repository", name, "revision", revision, "seconds", seconds,
                                     "servers", servers)
                             .text);
    } else {
      console.print(text);
    }
    if (failed == reports.size()) return ExitCode::kError;
    if (failed > 0) console.note("the next push goes on where it is behind");
    return failed > 0 ? ExitCode::kNothingFound : ExitCode::kFound;
  }

  std::string path_, name_;
  std::optional<double> wait_;
  bool no_refresh_ = false, json_ = false;
};

class FleetStatusCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print it as JSON");
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    const Settings settings = serve::load_settings(serve::start_directory({}));
    const auto fleet = open_fleet(settings);
    if (!fleet.ok()) return fail(console, fleet.error());
    const auto state = (*fleet)->refresh(signals.token());
    if (!state.ok()) return fail(console, state.error());
    std::vector<JsonText> repositories;
    std::string text;
    for (const fleet::RepositoryRow& row : (*state)->repositories) {
      if (!(*fleet)->admits(row.name)) continue;
      repositories.push_back(json_object("repository", row.name, "revision", row.revision,
                                         "complete", row.is_complete, "pushed", row.pushed_ms,
                                         "files", row.files, "pieces", row.pieces, "lines",
                                         row.lines, "leftOut", row.left_out));
      text += fmt::format(
          "{}  {}\n      {}, {}, {}, pushed {}{}{}\n",
          console.painted(Paint::kPath, terminal_line(row.name)),
          row.revision.substr(0, kShownDigits),
          counted(static_cast<std::size_t>(row.files), "file"),
          counted(static_cast<std::size_t>(row.pieces), "piece"),
          counted(static_cast<std::size_t>(row.lines), "line"), memory::day_text(row.pushed_ms),
          row.left_out > 0 ? fmt::format(", {} with secrets left out",
                                         counted(static_cast<std::size_t>(row.left_out), "piece"))
                           : "",
          row.is_complete ? "" : ", a push is not complete");
    }
    const bool is_empty = repositories.empty();
    if (json_) {
      const auto write = [](const fleet::ServerState& server) {
        return json_object("server", server.address, "behind", server.behind, "problem",
                           some(server.problem));
      };
      console.print_json(
          json_object("servers", json_list((*state)->servers, write), "repositories", repositories)
              .text);
    } else {
      for (const fleet::ServerState& server : (*state)->servers) {
        text += fmt::format(
            "{}: {}\n", terminal_line(server.address),
            !server.problem.empty() ? console.painted(Paint::kBad, terminal_line(server.problem))
            : server.behind > 0 ? counted(server.behind, "repository", "repositories") + " behind"
                                : std::string("is current"));
      }
      console.print(text);
    }
    return is_empty ? ExitCode::kNothingFound : ExitCode::kFound;
  }

 private:
  bool json_ = false;
};

class FleetRemoveCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("NAME", name_, "The repository, as `codexmem fleet status` names it", true);
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    const auto fleet = open_fleet(serve::load_settings(serve::start_directory({})));
    if (!fleet.ok()) return fail(console, fleet.error());
    std::size_t most = 0;
    std::optional<Error> failure;
    for (const auto& server : (*fleet)->servers().all()) {
      const auto removed = fleet::remove_from(*server, name_, {}, signals.token());
      if (removed.ok()) {
        most = std::max(most, *removed);
      } else {
        failure = removed.error();
      }
    }
    if (failure) return fail(console, *failure);
    console.print_line(fmt::format("{} removed", counted(most, "file")));
    return most > 0 ? ExitCode::kFound : ExitCode::kNothingFound;
  }

 private:
  std::string name_;
};

constexpr CommandRow kFleetCommands[] = {
    {"push", "Bring what the fleet has of a repository up to date",
     "Only files that have changed since the last push are sent, even if another machine made it.\n"
     "Pieces of code that hold a secret are left out.\n"
     "Exit codes: 0 all servers are current, 1 some are behind, 2 error.\n"
     "\n"
     "Examples:\n"
     "  codexmem fleet push\n"
     "  codexmem fleet push ~/src/cart --name shop/cart\n"
     "  codexmem fleet push --wait 600   when a server may be away for a while",
     make_command<FleetPushCommand>},
    {"search", "Find code in all repositories of the fleet",
     "Examples:\n"
     "  codexmem fleet search retry with backoff\n"
     "  codexmem fleet search parse a cron line --repositories 'git.example.com/shop/*'",
     [] { return make_fleet_search_command(); }},
    {"status", "Show which repositories the fleet has, and how its servers are",
     "Examples:\n"
     "  codexmem fleet status\n"
     "  codexmem fleet status --json | jq -r '.repositories[].repository'",
     make_command<FleetStatusCommand>},
    {"remove", "Remove a repository from the fleet",
     "Examples:\n"
     "  codexmem fleet remove git.example.com/shop/cart",
     make_command<FleetRemoveCommand>},
};

}  // namespace

std::span<const CommandRow> fleet_commands() { return kFleetCommands; }

}  // namespace codexmem::app
