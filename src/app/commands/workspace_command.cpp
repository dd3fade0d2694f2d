// codexmem workspace: which repositories a workspace has, and how their indexes are.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/render/columns.h"
#include "app/open_workspace.h"
#include "app/refresh.h"
#include "app/signals.h"
#include "base/terminal_text.h"
#include "graph/imports/cross_imports.h"
#include "index/discovery/file_origins.h"
#include "index/run/indexer.h"
#include "serve/embedding_provider.h"
#include "serve/memory_setup.h"
#include "serve/repository.h"
#include "store/code/store_directory.h"
#include "store/code/united_reader.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

// The fields shown of a repository.
struct MemberState {
  std::string name, root, revision;
  std::string missing;  // why it cannot be asked; empty: it can
  store::StoreCounts counts;
};

class WorkspaceCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments
        .text("FILE", file_,
              "The workspace file (default: codexmem.workspace.json here or above the repository)")
        .are_files();
    arguments.flag("--index", is_indexing_,
                   "Bring the index of each repository up to date, and make what is missing");
    arguments.flag("--json", json_, "Print the repositories as JSON");
  }

  ExitCode run(Console& console) override {
    const fs::path start = serve::start_directory("");
    auto members = choose_workspace(file_, start);
    if (!members.ok()) return fail(console, members.error());
    if (members->empty() && file_.empty()) {
      members = workspace_around(start);
      if (!members.ok()) return fail(console, members.error());
    }
    if (members->empty()) {
      console.note(
          "no workspace: name its file, or put a codexmem.workspace.json above the repositories");
      if (json_) print_json({}, {}, console);
      return ExitCode::kNothingFound;
    }
    const StopOnSignal stop;
    std::vector<MemberState> states;
    bool is_whole = true;
    for (const serve::WorkspaceMember& member : *members) {
      MemberState state = is_indexing_ ? indexed(member, console, stop.token()) : look(member);
      is_whole = is_whole && state.missing.empty();
      states.push_back(std::move(state));
      if (stop.token().stop_requested()) {
        return fail(console, {ErrorCode::kCancelled, "stopped; what was indexed is kept"});
      }
    }
    const auto uses = find_uses(states, stop.token());
    if (!uses.ok()) return fail(console, uses.error());
    json_ ? print_json(states, *uses, console) : print(states, *uses, console);
    if (is_indexing_) return is_whole ? ExitCode::kFound : ExitCode::kError;
    return ExitCode::kFound;
  }

 private:
  // Makes the member's index what its files are.
  static MemberState indexed(const serve::WorkspaceMember& member, Console& console,
                             const std::stop_token& stop) {
    const auto refresh = [&]() -> Result<void> {
      if (!serve::has_repository(member.root)) {
        return Error{ErrorCode::kNotFound,
                     fmt::format("{} is not a git repository: `codexmem index` there indexes it",
                                 member.root.string())};
      }
      CODEXMEM_ASSIGN(auto workspace, store::Workspace::open(member.root));
      const auto provider = serve::choose_provider(serve::load_settings(member.root).reader());
      index::IndexOptions run;
      provider.apply_to(&run);
      CODEXMEM_TRY(refresh_index(*workspace, run, kFirstIndexPatience, console, stop));
      serve::follow_cited_code(*workspace);
      return {};
    };
    if (!member.missing.empty()) return look(member);
    const auto done = refresh();
    MemberState state = look(member);
    if (!done.ok()) state.missing = done.error().message();
    return state;
  }

  static MemberState look(const serve::WorkspaceMember& member) {
    MemberState state{member.name, member.root.string(), "", member.missing, {}};
    if (!state.missing.empty()) return state;
    state.revision = index::find_head(member.root);
    if (!store::has_index(member.root)) {
      state.missing = "it has no index yet";
      return state;
    }
    const auto count = [&]() -> Result<bool> {
      CODEXMEM_ASSIGN(auto workspace, store::Workspace::open_existing(member.root));
      CODEXMEM_ASSIGN(store::ReaderLease reader, workspace->reader());
      CODEXMEM_ASSIGN(state.counts, reader->counts());
      return index::has_complete_index(*reader);
    };
    if (const auto is_complete = count(); !is_complete.ok()) {
      state.missing = is_complete.error().message();
    } else if (!*is_complete) {
      state.missing = "its first index is not complete";
    }
    return state;
  }

  // What those that can be read import of each other.
  static Result<std::vector<graph::CrossUse>> find_uses(std::vector<MemberState> states,
                                                        const std::stop_token& stop) {
    std::vector<std::unique_ptr<store::Workspace>> workspaces;
    std::vector<store::ReaderLease> readers;
    std::erase_if(states, [](const MemberState& state) { return !state.missing.empty(); });
    store::sort_members(states);
    for (const MemberState& state : states) {
      CODEXMEM_ASSIGN(auto workspace, store::Workspace::open_existing(state.root));
      CODEXMEM_ASSIGN(store::ReaderLease reader, workspace->reader());
      workspaces.push_back(std::move(workspace));
      readers.push_back(std::move(reader));
    }
    std::vector<store::UnitedMember> members;
    for (std::size_t i = 0; i < states.size(); ++i)
      members.push_back({states[i].name, &*readers[i]});
    const auto all = store::UnitedReader::make(std::move(members));
    CODEXMEM_ASSIGN(const auto moment, all->begin_read());
    CODEXMEM_ASSIGN(graph::CrossImports found, graph::link_imports(*all, stop));
    return std::move(found.uses);
  }

  static JsonText use_json(const graph::CrossUse& use) {
    return json_object("repository", use.importer, "uses", use.publisher, "package", use.package,
                       "ecosystem", graph::ecosystem_name(use.ecosystem), "imports", use.imports,
                       "required", some(use.required), "version", some(use.version), "agrees",
                       use.agrees);
  }

  static std::string use_line(const graph::CrossUse& use) {
    std::string line = fmt::format("{} uses {} of {}: {}", use.importer, use.package, use.publisher,
                                   counted(use.imports, "import"));
    if (!use.required.empty()) line += fmt::format(", asks for {}", use.required);
    if (use.agrees && !*use.agrees) line += fmt::format(", which {} is not", use.version);
    return terminal_line(line);
  }

  static void print_json(const std::vector<MemberState>& states,
                         const std::vector<graph::CrossUse>& uses, Console& console) {
    const auto state_json = [](const MemberState& state) {
      return json_object("name", state.name, "root", state.root, "revision", some(state.revision),
                         "files", state.counts.files, "symbols", state.counts.symbols, "missing",
                         some(state.missing));
    };
    console.print_json(json_object("repositories", json_list(states, state_json), "packages",
                                   json_list(uses, use_json))
                           .text);
  }

  static void print(const std::vector<MemberState>& states,
                    const std::vector<graph::CrossUse>& uses, Console& console) {
    std::size_t width = 0;
    for (const MemberState& state : states) {
      width = std::max(width, column_count(terminal_line(state.name)));
    }
    for (const MemberState& state : states) {
      const std::string name = terminal_line(state.name);
      std::string line =
          console.painted(Paint::kPath, name) + std::string(width - column_count(name) + 2, ' ');
      line += state.revision.empty() ? "-           " : state.revision.substr(0, 12);
      line += state.missing.empty()
                  ? fmt::format("  {}, {}",
                                counted(static_cast<std::size_t>(state.counts.files), "file"),
                                counted(static_cast<std::size_t>(state.counts.symbols), "symbol"))
                  : "  " + terminal_line(state.missing);
      console.print_line(line + "  " + terminal_line(state.root));
    }
    for (const graph::CrossUse& use : uses) console.print_line(use_line(use));
  }

  std::string file_;
  bool is_indexing_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_workspace_command() { return std::make_unique<WorkspaceCommand>(); }

}  // namespace codexmem::app
