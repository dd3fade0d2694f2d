// codexmem pack: what an index knows, in one file for others.
//
// Tested by git/pack_test.py.
#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <utility>

#include "app/command.h"
#include "app/render/progress_bar.h"
#include "app/signals.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "index/run/indexer.h"
#include "index/packs/pack_make.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/pack_signature.h"
#include "serve/repository.h"
#include "store/code/workspace.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

class PackCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "The repository").are_folders();
    arguments.text("-o,--output", output_, "The file to write (codexmem.pack)").are_files();
    arguments.flag("--all", all_, "Also files that git does not have, or has otherwise");
    arguments.flag("--key", key_, "Only print what a cache of CI should keep the pack under");
    arguments.text("--sign", sign_, "Sign it with this SSH key: writes a file .sig next to it")
        .are_files();
    arguments.text("--trust", trust_, "Only trust the maker with this public SSH key, from now on")
        .are_files();
    arguments.flag("--json", json_, "Print the report as JSON");
    arguments.flag("-q,--quiet", quiet_, "Print nothing but errors");
  }

  ExitCode run(Console& console) override {
    if (!trust_.empty()) {
      const auto name = serve::trust_pack_signer(trust_);
      if (!name.ok()) return fail(console, name.error());
      console.print_line(
          fmt::format("packs signed by {} are used, others that nobody whom you "
                      "trust signed no longer",
                      terminal_line(*name)));
      return ExitCode::kFound;
    }
    const fs::path start = serve::start_directory(path_);
    const auto root = serve::find_root_to_index(start);
    if (!root.ok()) return fail(console, root.error());
    if (key_) {
      const auto key = index::pack_key(*root);
      if (!key.ok()) return fail(console, key.error());
      json_ ? console.print_json(json_object("key", *key).text) : console.print_line(*key);
      return ExitCode::kFound;
    }
    const auto provider = serve::choose_provider(serve::load_settings(start).reader());
    if (provider.is_unknown) {
      console.error(provider.problem);
      return ExitCode::kError;
    }
    auto workspace = store::Workspace::open(*root);
    if (!workspace.ok()) return fail(console, workspace.error());
    const StopOnSignal stop;
    ProgressBar bar(console);
    index::IndexOptions options;
    provider.apply_to(&options);
    const auto indexed = index::index_repository(
        **workspace, options,
        [&](const index::IndexProgress& now) {
          if (!quiet_) bar.update(now);
        },
        stop.token());
    bar.clear();
    if (!indexed.ok()) return fail(console, indexed.error());
    const auto report = index::make_pack(
        **workspace, output_,
        {.program = fmt::format("codexmem {}", CODEXMEM_VERSION), .all = all_}, stop.token());
    if (!report.ok()) return fail(console, report.error());
    if (!sign_.empty()) {
      if (const auto done = serve::sign_pack(output_, sign_); !done.ok()) {
        return fail(console, done.error());
      }
    }
    print(provider, *report, console);
    return report->files == 0 ? ExitCode::kNothingFound : ExitCode::kFound;
  }

 private:
  void print(const serve::EmbeddingProvider& provider, const index::PackReport& report,
             Console& console) {
    if (json_) {
      console.print_json(json_object("file", output_, "bytes", report.bytes, "files", report.files,
                                     "leftOut", report.left_out, "unfinished", report.unfinished,
                                     "vectors", report.vectors, "tree", json_or_null(report.tree))
                             .text);
      return;
    }
    if (quiet_) return;
    const auto count = [](std::uint64_t number) {
      return with_thousands(static_cast<long long>(number));
    };
    console.print_line(fmt::format("{}: {} of {} files", output_,
                                   readable_bytes(static_cast<long long>(report.bytes)),
                                   count(report.files)));
    if (report.vectors > 0) {
      console.print_line(fmt::format("  with {} vectors", count(report.vectors)));
    } else if (provider.embedder != nullptr) {
      console.note("vectors are not in it: `codexmem index` makes those that are missing first");
    }
    if (report.left_out > 0) {
      console.note(
          fmt::format("left out: {} that are not in git as they are now; --all includes them",
                      counted(report.left_out, "file")));
    }
    if (report.unfinished > 0) {
      console.note(fmt::format("left out: {} whose parse was cut short",
                               counted(report.unfinished, "file")));
    }
  }

  std::string path_, output_ = "codexmem.pack", sign_, trust_;
  bool all_ = false, key_ = false, json_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_pack_command() { return std::make_unique<PackCommand>(); }

}  // namespace codexmem::app
