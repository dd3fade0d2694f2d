// codexmem index: brings the index of a repository up to the files on disk.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "app/command.h"
#include "app/detached.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/pack_source.h"
#include "app/render/progress_bar.h"
#include "app/refresh.h"
#include "serve/repository.h"
#include "exchange/scip_import.h"
#include "app/signals.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "config/known_repositories.h"
#include "config/user_directory.h"
#include "index/run/indexer.h"
#include "index/packs/remote_vectors.h"
#include "index/packs/store_check.h"
#include "ask/code/index_repository.h"
#include "store/code/store_directory.h"
#include "store/user/user_store.h"
#include "text/counted.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// How long a run after a commit waits for the end of git, which may have opened an editor.
constexpr std::chrono::minutes kLongestCommit{1};

class IndexCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "The repository, or one folder or file of it to bring up to date")
        .are_files();
    arguments.flag("--force", options_.force, "Read every file again, changed or not");
    arguments.flag("--skip-embeddings", options_.skip_embeddings,
                   "Make no vectors: faster, but search goes by words and names only");
    arguments
        .texts("--pack", packs_,
               "Take what a pack knows of these files from it: a file or an https address",
               /*required=*/false, /*has_commas=*/true)
        .are_files();
    arguments.number("--check-pack", check_pack_,
                     "How many files to parse all the same and compare with the packs (1%, at "
                     "least 20)");
    arguments.flag("--staged", staged_, "Only the files staged in git");
    arguments.flag(
        "--detach", detach_,
        "Work in the background; with --staged on all files, as the list of staged files "
        "may be gone by then");
    arguments.number("--after", after_,
                     "With --detach: begin when this process has ended (in a hook, git)");
    arguments
        .text("--scip", scip_,
              "Then take in this SCIP index of a compiler: its files' names are certain")
        .are_files();
    arguments.flag("--no-ignore", no_ignore_,
                   "Index what git ignores too, from now on: writes .codexmemignore");
    arguments.flag("--explain", explain_, "Say why each file was read or skipped");
    arguments.flag("--json", json_, "Print the report as JSON");
    arguments.flag("-q,--quiet", quiet_, "Print nothing but errors");
  }

  ExitCode run(Console& console) override {
    provider_ = serve::choose_provider(serve::load_settings(folder_of_path()).reader());
    if (provider_.is_unknown) {
      console.error(provider_.problem);
      return ExitCode::kError;
    }
    const fs::path start = serve::start_directory("");
    const fs::path folder = folder_of_path();
    std::error_code ignored;
    if (!path_.empty() && !fs::exists(path_, ignored) && !serve::open_index(folder).ok()) {
      // A mistyped path must not index the folder around it.
      console.error(fmt::format("there is no {}", path_));
      return ExitCode::kError;
    }
    auto root = staged_ ? serve::find_index_around(folder) : serve::find_root_to_index(folder);
    if (!root.ok()) return fail(console, root.error());
    if (is_stray_file(*root)) {
      console.error(
          fmt::format("{} is a file outside of any repository: give the folder to index", path_));
      return ExitCode::kError;
    }
    if (!path_.empty()) {
      const std::string below = serve::relative_to_root(*root, start, path_);
      if (below != ".") options_.path = below;
    }
    if (staged_) {
      if (!store::has_index(*root)) {
        if (!quiet_) console.note("there is no index here yet; `codexmem index` makes it");
        return ExitCode::kFound;
      }
      if (!detach_) {
        auto staged = index::list_staged_files(*root, folder);
        if (!staged.ok()) return fail(console, staged.error());
        if (staged->empty()) {
          if (!quiet_) console.note("nothing is staged");
          return ExitCode::kFound;
        }
        options_.only = *std::move(staged);
      }
    }
    if (detach_) {
      if (!detach()) return ExitCode::kFound;
      if (staged_) {
        // One run indexes all commits of a minute. If another process already waits for its turn,
        // this one need not wait: the run that has yet to begin will see these changes as well.
        auto turn = FileLock::take_folder(store::locate_store(*root).path);
        if (!turn.ok()) return ExitCode::kFound;
        turn_.emplace(*std::move(turn));
      }
      if (after_) wait_for_end(static_cast<pid_t>(*after_), kLongestCommit);
      if (staged_ && !store::has_index(*root)) return ExitCode::kFound;  // gone meanwhile
    }
    if (no_ignore_) {
      if (const auto done = stop_ignoring(*root, console); !done.ok()) {
        return fail(console, done.error());
      }
    }
    // A pack that cannot be used as asked for is an error before anything is written.
    if (auto opened = open_packs({}, /*of_the_web=*/false); !opened.ok()) {
      fail(console, opened.error());
      return ExitCode::kError;
    }
    auto workspace = store::Workspace::open(*root);
    if (!workspace.ok()) return fail(console, workspace.error());
    if (auto opened = open_packs((*workspace)->directory(), /*of_the_web=*/true); !opened.ok()) {
      fail(console, opened.error());
      return ExitCode::kError;
    }
    open_usual_pack((*workspace)->directory(), console);
    if (detach_ && staged_) {
      // If the user interrupted the first run, the next commit must not continue it.
      auto reader = (*workspace)->reader();
      const auto is_complete = reader.ok() ? index::has_complete_index(**reader) : reader.error();
      if (is_complete.ok() && !*is_complete) return ExitCode::kFound;
    }
    if (!quiet_) report_if_in_cache(**workspace, console);
    note_for_page((*workspace)->root());
    return index(**workspace, console);
  }

 private:
  // Puts the line into the root's .codexmemignore that indexes what git ignores.
  Result<void> stop_ignoring(const fs::path& root, Console& console) const {
    constexpr std::string_view kKeepAll = "!*";
    const fs::path path = root / ".codexmemignore";
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(path, failed))) {
      CODEXMEM_ASSIGN(auto file, FileReplacement::begin(path, 0666));
      CODEXMEM_TRY(file.write(std::string(kKeepAll) + "\n"));
      CODEXMEM_TRY(file.commit());
      if (!quiet_) {
        console.note(
            fmt::format("codexmem: {} now says that ignored files are indexed too", path.string()));
      }
      return {};
    }
    CODEXMEM_ASSIGN(const std::string text, read_file(path));
    if (std::ranges::count(split(text, '\n'), kKeepAll) > 0) return {};
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} is there: add the line {} at its beginning", path.string(), kKeepAll)};
  }

  // The page lists it from now on. An index can do without.
  static void note_for_page(const fs::path& root) {
    const fs::path directory = user_directory();
    auto noted = store::prepare_user_directory(directory);
    if (noted.ok()) noted = note_indexed(directory, root);
    if (!noted.ok()) log_debug("the page's list: {}", noted.error().message());
  }

  Result<void> open_packs(const fs::path& folder, bool of_the_web) {
    if (check_pack_) options_.pack_sample = static_cast<std::size_t>(std::max(*check_pack_, 0.0));
    const StopOnSignal stop;
    for (const std::string& source : packs_) {
      if (serve::is_pack_address(source) != of_the_web) continue;
      CODEXMEM_ASSIGN(auto pack, serve::open_pack(source, folder, stop.token()));
      options_.packs.push_back(std::move(pack));
    }
    return {};
  }

  // The one that the user, never the repository, has set. It need not be there.
  void open_usual_pack(const fs::path& folder, Console& console) {
    if (!packs_.empty()) return;
    const std::string source = serve::load_settings(folder_of_path()).reader()("CODEXMEM_PACK");
    if (source.empty()) return;
    const StopOnSignal stop;
    auto pack = serve::open_pack(source, folder, stop.token());
    if (pack.ok()) {
      options_.packs.push_back(*std::move(pack));
    } else if (!quiet_) {
      console.note("codexmem: warning: no pack is used: " + pack.error().message());
    }
  }

  // PATH or, when it is a file or is gone, the folder that holds it.
  fs::path folder_of_path() const {
    if (path_.empty()) return serve::start_directory("");
    std::error_code ignored;
    const fs::path path = fs::absolute(path_, ignored);
    return fs::is_directory(path, ignored) ? path : path.parent_path();
  }

  // True when PATH is a file and `root` is only the folder that holds it: the user hardly wanted to
  // index everything in that folder.
  bool is_stray_file(const fs::path& root) const {
    std::error_code ignored;
    return !path_.empty() && fs::exists(path_, ignored) && !fs::is_directory(path_, ignored) &&
           !fs::exists(root / ".git", ignored) && !store::has_index(root);
  }

  // Files that an earlier run took from a pack are compared a few at a time.
  static void compare_some(store::Workspace& workspace, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kTime{100};
    const auto done = index::check_some_facts(workspace, kTime, stop);
    if (!done.ok()) log_debug("packs: {}", done.error().message());
  }

  ExitCode index(store::Workspace& workspace, Console& console) {
    if (!quiet_) report_broken_rename(workspace, console);
    std::int64_t generation = 0;
    if (auto reader = workspace.reader(); explain_ && reader.ok()) {
      generation = (*reader)->generation().ok() ? *(*reader)->generation() : 0;
    }
    const StopOnSignal stop;
    ProgressBar bar(console);
    bool waiting = false;
    const index::ProgressCallback progress = [&](const index::IndexProgress& now) {
      // What changes from here on may not be seen by this run.
      if (now.phase != index::IndexPhase::kWaiting) turn_.reset();
      if (quiet_) return;
      if (now.phase == index::IndexPhase::kWaiting && !std::exchange(waiting, true)) {
        console.note("codexmem: waiting for another index run in this repository");
      }
      bar.update(now);
    };
    const auto stopped = [&console] {
      console.note(
          "codexmem: stopped; what was indexed is kept, and the next `codexmem index` goes on from "
          "there");
      return ExitCode::kError;
    };
    const bool with_vectors = !options_.skip_embeddings;
    provider_.apply_to(&options_);
    auto report = index::index_repository(workspace, options_, progress, stop.token());
    if (!report.ok()) {
      bar.clear();
      return report.error().code() == ErrorCode::kCancelled ? stopped()
                                                            : fail(console, report.error());
    }
    serve::follow_cited_code(workspace);
    if (!report->packs || report->packs->taken == 0) compare_some(workspace, stop.token());
    const auto taken =
        serve::take_in_team(workspace, provider_, serve::load_settings(folder_of_path()));
    if (with_vectors && provider_.embedder != nullptr) {
      const auto made = index::update_remote_vectors(workspace, *provider_.embedder, progress,
                                                     stop.token(), options_.packs);
      if (made.ok()) {
        report->embeddings_generated += made->vectors_written;
        report->elapsed += made->elapsed;
      } else if (made.error().code() == ErrorCode::kCancelled) {
        bar.clear();
        return stopped();
      } else {
        report->warnings.push_back(made.error().message() +
                                   ": search answers by words and names until the next "
                                   "`codexmem index` has made the vectors");
      }
    } else if (with_vectors && !provider_.problem.empty()) {
      report->warnings.push_back(provider_.problem);
    }
    bar.clear();
    if (taken && !taken->is_on && taken->shared > 0) {
      report->warnings.push_back(
          "the team shares memories in this repository, which are not read yet: "
          "`codexmem share --on` reads them, `codexmem share --off` never");
    }
    std::optional<exchange::ScipImportReport> scip;
    if (!scip_.empty()) {
      auto taken_in = exchange::import_scip(workspace, scip_, stop.token());
      if (!taken_in.ok()) return fail(console, taken_in.error());
      scip = *std::move(taken_in);
      warn_of_refused(*scip, report->warnings);
    }
    for (const std::string& warning : report->warnings) {
      console.note("codexmem: warning: " + warning);
    }
    if (explain_) {
      if (auto explained = explain(workspace, generation, console); !explained.ok()) {
        return fail(console, explained.error());
      }
    }
    if (json_) {
      ask::IndexRepositoryAnswer answer;
      answer.root = workspace.root().string();
      answer.path = options_.path;
      answer.report = *report;
      if (with_vectors) {
        if (auto added = ask::add_embedding_state(workspace, provider_.status(), &answer);
            !added.ok()) {
          return fail(console, added.error());
        }
      }
      console.print_line(answer.to_json().text);
    } else if (!quiet_) {
      print_summary(workspace, *report, console);
      if (scip) {
        console.print_line(fmt::format("  compiler {:>9}  files, {} uses, by {}",
                                       with_thousands(static_cast<long long>(scip->files)),
                                       with_thousands(static_cast<long long>(scip->uses)),
                                       terminal_line(scip->tool)));
      }
    }
    const bool is_everything = options_.path.empty() && !staged_;
    const auto files = report->added + report->changed + report->renamed + report->unchanged;
    return is_everything && files == 0 ? ExitCode::kNothingFound : ExitCode::kFound;
  }

  // Documents of a SCIP index that say nothing of the files as they are.
  static void warn_of_refused(const exchange::ScipImportReport& scip,
                              std::vector<std::string>& warnings) {
    std::map<std::string, std::pair<std::size_t, std::string>> reasons;  // how many, the first
    for (const auto& [path, reason] : scip.refused) {
      auto& [count, first] = reasons[reason];
      if (count++ == 0) first = path;
    }
    for (const auto& [reason, files] : reasons) {
      const auto& [count, first] = files;
      warnings.push_back(fmt::format("the SCIP index is not used for {}{}: {}", first,
                                     count == 1 ? "" : fmt::format(" and {} more", count - 1),
                                     reason));
    }
  }

  void print_summary(store::Workspace& workspace, const index::IndexReport& report,
                     Console& console) {
    store::StoreCounts counts;
    if (auto reader = workspace.reader(); reader.ok()) {
      if (auto read = (*reader)->counts(); read.ok()) counts = *read;
    }
    const auto count = [](std::uint64_t number) {
      return with_thousands(static_cast<long long>(number));
    };
    // A warning says why.
    if (counts.files + report.deleted == 0 && options_.path.empty() && !staged_) return;
    if (report.added + report.changed + report.deleted + report.renamed == 0 &&
        report.embeddings_generated == 0) {
      console.print_line(fmt::format("{} up to date: {} files, {} symbols, {} vectors ({})",
                                     console.painted(Paint::kPath, workspace.root().string()),
                                     with_thousands(counts.files), with_thousands(counts.symbols),
                                     with_thousands(counts.vectors),
                                     index::format_elapsed(report.elapsed)));
      return;
    }
    const std::string part = options_.path.empty() ? std::string() : options_.path + " in ";
    console.print_line(fmt::format("{}{} indexed in {}", part,
                                   console.painted(Paint::kPath, workspace.root().string()),
                                   index::format_elapsed(report.elapsed)));
    const double spent = std::chrono::duration<double>(report.elapsed).count();
    std::vector<std::string> changes;
    const auto change = [&](std::uint64_t files, const char* word) {
      if (files > 0) changes.push_back(fmt::format("{} {}", count(files), word));
    };
    change(report.added, "added");
    change(report.changed, "changed");
    change(report.renamed, "renamed");
    change(report.deleted, "deleted");
    change(report.unchanged, "unchanged");
    console.print_line(
        fmt::format("  files    {:>10}  ({})", with_thousands(counts.files), join(changes, ", ")));
    console.print_line(fmt::format("  symbols  {:>10}", with_thousands(counts.symbols)));
    console.print_line(fmt::format("  vectors  {:>10}  ({} new)", with_thousands(counts.vectors),
                                   count(report.embeddings_generated)));
    if (spent > 0 && report.bytes_processed > 0) {
      console.print_line(fmt::format("  read     {:>10}  ({}/s)",
                                     readable_bytes(static_cast<long long>(report.bytes_processed)),
                                     readable_bytes(static_cast<long long>(
                                         static_cast<double>(report.bytes_processed) / spent))));
    }
    if (report.files_revived > 0) {
      console.print_line(fmt::format("  kept     {:>10}  files that were here before, not parsed",
                                     count(report.files_revived)));
    }
    if (report.packs) print_packs(*report.packs, console);
    std::vector<std::string> skipped;
    for (const auto& [reason, files] : report.skipped) {
      skipped.push_back(fmt::format("{} {}", count(files), reason));
    }
    if (!skipped.empty()) console.print_line("  skipped  " + join(skipped, ", "));
  }

  static void print_packs(const index::PackUse& use, Console& console) {
    std::vector<std::string> parts;
    const auto part = [&](std::uint64_t files, const char* words) {
      if (files > 0) {
        parts.push_back(fmt::format("{} {}", with_thousands(static_cast<long long>(files)), words));
      }
    };
    part(use.made, "not in it");
    part(use.other_version, "made by another version");
    part(use.refused, "refused");
    part(use.compared, "compared first");
    console.print_line(
        fmt::format("  packs    {:>10}  files{}", with_thousands(static_cast<long long>(use.taken)),
                    parts.empty() ? std::string() : "  (" + join(parts, ", ") + ")"));
  }

  // Every file that was read in this run, and everything that was skipped.
  Result<void> explain(store::Workspace& workspace, std::int64_t generation, Console& console) {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
    CODEXMEM_ASSIGN(const std::vector<store::FileRow> files, reader->list_files());
    CODEXMEM_ASSIGN(const std::vector<store::SkippedFile> skipped, reader->list_skipped());
    std::uint64_t unchanged = 0;
    for (const store::FileRow& file : files) {
      if (file.generation <= generation) {
        ++unchanged;
        continue;
      }
      console.note(fmt::format("read     {} ({}): {}", file.path, file.language,
                               options_.force ? "--force" : "new, or its content changed"));
    }
    if (unchanged > 0) console.note(fmt::format("kept     {} files: unchanged", unchanged));
    for (const store::SkippedFile& file : skipped) {
      console.note(fmt::format("skipped  {}: {}{}{}", file.path, file.reason,
                               file.detail.empty() ? "" : ", ", file.detail));
    }
    return {};
  }

  serve::EmbeddingProvider provider_;
  std::string path_, scip_;
  index::IndexOptions options_;
  std::vector<std::string> packs_;
  std::optional<double> after_, check_pack_;
  std::optional<FileLock> turn_;  // of the store's folder
  bool staged_ = false, detach_ = false, explain_ = false, no_ignore_ = false, json_ = false,
       quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_index_command() { return std::make_unique<IndexCommand>(); }

}  // namespace codexmem::app
