// codexmem status: what the index holds, what it left out, and whether the last run was completed.
#include <fmt/core.h>

#include <filesystem>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/settings/data_destinations.h"
#include "app/refresh.h"
#include "serve/embedding_provider.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "base/terminal_text.h"
#include "text/json.h"
#include "text/json_object.h"
#include "config/project.h"
#include "config/user_directory.h"
#include "index/run/indexer.h"
#include "index/repository_status.h"
#include "memory/times.h"
#include "observe/models/provider_choice.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

void print_row(Console& console, std::string_view name, std::string_view value) {
  console.print_line(fmt::format("{:<14}{}", name, value));
}

// A time of the store, which is in UTC, as the other commands show times: "Nov 22, 2026 3:10 PM".
std::string moment_text(const std::string& stored) {
  const auto ms = memory::read_time(stored);
  return ms ? memory::day_text(*ms) + " " + memory::clock_text(*ms) : stored;
}

void print_status(const index::RepositoryStatus& status, Console& console) {
  const auto& counts = status.counts;
  print_row(console, "repository", console.painted(Paint::kPath, status.root.string()));
  print_row(console, "files",
            fmt::format("{} ({} lines, {})", with_thousands(counts.files),
                        with_thousands(counts.lines), readable_bytes(counts.source_bytes)));
  print_row(console, "symbols", with_thousands(counts.symbols));
  print_row(console, "imports", with_thousands(counts.dependencies));
  print_row(console, "vectors",
            status.vectors_model.empty()
                ? std::string("none: search uses only words and names")
                : fmt::format("{}: {} of {} pieces, {} of {} files", with_thousands(counts.vectors),
                              with_thousands(status.piece_vectors), with_thousands(counts.chunks),
                              with_thousands(counts.vectors - status.piece_vectors),
                              with_thousands(counts.files)));
  if (!status.vectors_model.empty()) {
    print_row(console, "model",
              fmt::format("{} ({} dimensions)", status.vectors_model, status.vectors_dimension));
  }
  if (const auto& file = status.vector_file) {
    print_row(console, "vector index",
              fmt::format("FAISS {}, {} vectors of {}", file->type(),
                          with_thousands(static_cast<long long>(file->vectors)), file->dimension));
  }
  std::string provider = status.provider.name;
  if (status.files_pending > 0) {
    provider += fmt::format(", {}: {} files have no vectors of it yet", status.provider.model,
                            with_thousands(status.files_pending));
  }
  if (!status.provider.problem.empty()) {
    provider += (status.provider.model.empty() ? ": " : "; the last attempt failed: ") +
                status.provider.problem;
  }
  print_row(console, "provider",
            status.provider.problem.empty() ? provider : console.painted(Paint::kBad, provider));
  const double ratio = counts.source_bytes > 0 ? static_cast<double>(status.stored_bytes) /
                                                     static_cast<double>(counts.source_bytes)
                                               : 0.0;
  print_row(console, "on disk",
            fmt::format("{} ({:.2f} x the sources)", readable_bytes(status.stored_bytes), ratio));
  if (!status.why_in_cache.empty()) {
    print_row(console, "kept in",
              fmt::format("{} ({})", status.directory.string(), status.why_in_cache));
  }
  const Json last_run = Json::parse(status.last_run, nullptr, /*allow_exceptions=*/false);
  if (!status.incomplete_run.empty()) {
    print_row(
        console, "last run",
        console.painted(Paint::kBad,
                        "not completed: it is under way, or `codexmem index` goes on with it"));
  } else if (last_run.is_object()) {
    print_row(console, "last run",
              fmt::format("{}, took {}", moment_text(last_run.value("finished_at", "")),
                          last_run.value("timeElapsed", "")));
  } else {
    print_row(console, "last run",
              console.painted(Paint::kBad, "none was completed: run `codexmem index`"));
  }
  if (const Json packs = Json::parse(status.packs, nullptr, /*allow_exceptions=*/false);
      packs.is_object()) {
    const auto number = [&](const char* name) {
      const auto found = packs.find(name);
      return found != packs.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    const std::int64_t files = number("files"), compared = number("compared");
    const auto from = packs.find("from");
    print_row(
        console, "packs",
        fmt::format(
            "{} files of {}; {}", with_thousands(files),
            terminal_line(from != packs.end() && from->is_string() ? from->get<std::string>() : ""),
            compared < files
                ? fmt::format("{} compared, {} left (`codexmem debug verify` "
                              "compares all)",
                              with_thousands(compared), with_thousands(files - compared))
                : std::string("all compared")));
  }
  for (const store::LanguageCount& tool : status.compilers) {
    print_row(console, "compiler",
              fmt::format("{} files as {} has read them",
                          with_thousands(static_cast<long long>(tool.files)),
                          terminal_line(tool.language)));
  }
  console.print_line("");
  for (const auto& [name, count] : status.languages) {
    console.print_line(fmt::format("  {:<14}{:>9} {:<5} {:>12} lines {:>10}", name,
                                   with_thousands(count.files), count.files == 1 ? "file" : "files",
                                   with_thousands(count.lines), readable_bytes(count.bytes)));
  }
  const auto note = [&](std::int64_t files, std::string_view what) {
    if (files > 0) console.print_line(fmt::format("  {:>9} {}", with_thousands(files), what));
  };
  if (!status.skipped.empty()) {
    console.print("\nskipped (`codexmem status --why PATH` shows the rule)\n");
    for (const auto& [reason, files] : status.skipped) note(files, reason);
  }
  if (status.files_unparsed + status.files_generated + status.files_repaired +
          status.files_truncated >
      0) {
    console.print("\nindexed, with a note\n");
    note(status.files_unparsed, "with parts that do not parse");
    note(status.files_generated, "generated or minified: names, no vectors");
    note(status.files_repaired, "with text that was not UTF-8");
    note(status.files_truncated, "not parsed to the end: it took too long or too much memory");
  }
}

// The lines about the memory, which follow those about the index.
struct MemoryStatus {
  std::string project, data_goes_to;
  std::string hint;  // of a key that was found and is not used: this is where somebody looks first
};

MemoryStatus read_memory_status(const fs::path& root) {
  const ReadSetting setting = serve::load_settings(root).reader();
  MemoryStatus status{setting("CODEXMEM_PROJECT"), describe_data_destinations(setting), {}};
  if (status.project.empty()) {
    status.project = find_project(find_project_place(root), user_directory());
  }
  if (observe::choose_model(setting).has_unused_key) status.hint = observe::kUnusedKeyHint;
  return status;
}

void print_memory_status(const MemoryStatus& status, Console& console) {
  console.print_line("");
  print_row(console, "project", status.project);
  print_row(console, "data goes to", status.data_goes_to);
  if (!status.hint.empty()) console.print(wrapped(status.hint, 0, console.width()) + "\n");
}

class StatusCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)")
        .are_folders();
    arguments.flag("--json", json_, "Print the status as JSON");
    arguments.text("--why", why_, "Say why this file or folder is indexed or not").are_files();
  }

  ExitCode run(Console& console) override {
    const fs::path start = serve::start_directory(path_);
    auto workspace = serve::open_index(start);
    if (!workspace.ok()) return fail_to_find(console, workspace.error());
    if (why_) return tell_why(**workspace, start, console);
    const auto status = index::read_repository_status(
        **workspace,
        serve::choose_provider(serve::load_settings((*workspace)->root()).reader()).status());
    if (!status.ok()) return fail_to_find(console, status.error());
    const MemoryStatus memory = read_memory_status((*workspace)->root());
    if (json_) {
      const JsonText of_memory =
          json_object("project", memory.project, "dataGoesTo", memory.data_goes_to, "hint",
                      json_or_null(memory.hint));
      console.print_json(json_joined({index::repository_status_json(*status)}, of_memory).text);
    } else {
      print_status(*status, console);
      print_memory_status(memory, console);
    }
    report_broken_rename(**workspace, console);
    return ExitCode::kFound;
  }

 private:
  ExitCode tell_why(store::Workspace& workspace, const fs::path& start, Console& console) {
    using State = index::PathExplanation::State;
    const auto why =
        index::explain_path(workspace, serve::relative_to_root(workspace.root(), start, *why_));
    if (!why.ok()) return fail_to_find(console, why.error());
    const ExitCode code =
        why->state == State::kMissing ? ExitCode::kNothingFound : ExitCode::kFound;
    if (json_) {
      console.print_json(json_object("path", why->path, "state", index::path_state_name(why->state),
                                     "language", why->language, "reason", why->reason, "detail",
                                     why->detail, "size", why->size, "files", why->files,
                                     "indexedAt", why->indexed_at, "notes", why->notes)
                             .text);
      return code;
    }
    std::string line = fmt::format("{}: {}", console.painted(Paint::kPath, why->path),
                                   index::path_state_name(why->state));
    if (!why->reason.empty()) line += fmt::format(", {}", why->reason);
    if (!why->detail.empty()) line += fmt::format(": {}", why->detail);
    if (!why->language.empty()) {
      line +=
          fmt::format(", {}, {}", why->language, readable_bytes(static_cast<long long>(why->size)));
    }
    if (!why->indexed_at.empty()) {
      line += fmt::format(", last indexed {}", moment_text(why->indexed_at));
    }
    if (why->state == State::kFolder) {
      line += fmt::format(", {} indexed files", with_thousands(static_cast<long long>(why->files)));
    }
    console.print_line(line);
    for (const std::string& note : why->notes) console.print_line("  " + note);
    return code;
  }

  std::string path_;
  bool json_ = false;
  std::optional<std::string> why_;
};

}  // namespace

std::unique_ptr<Command> make_status_command() { return std::make_unique<StatusCommand>(); }

}  // namespace codexmem::app
