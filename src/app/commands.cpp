#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/command.h"
#include "app/help/help_text.h"
#include "app/question.h"
#include "app/signals.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

constexpr CommandRow in(CommandGroup group, CommandRow row) {
  row.group = group;
  return row;
}

constexpr CommandRow kCommands[] = {
    in(kAsk, {"overview", "Show what a repository is: folders, entry points, tests, commands",
              "Examples:\n"
              "  codexmem overview\n"
              "  codexmem overview --depth 3     folders within folders\n"
              "  codexmem overview --json | jq -r .runTests[]",
              [] { return make_question_command("repository_overview"); }}),
    in(kAsk, {"routes", "List web routes, commands and tasks, with their handlers",
              "Of the frameworks that docs/web-routes.md lists. Unknown parts of a path are "
              "marked.\n"
              "\n"
              "Examples:\n"
              "  codexmem routes\n"
              "  codexmem routes --path /api/users\n"
              "  codexmem routes --json | jq -r '.routes[].path'",
              [] { return make_question_command("list_routes"); }}),
    in(kAsk, {"search", "Find code by what it does, or by half-remembered names",
              "Examples:\n"
              "  codexmem search parse a cron line\n"
              "  codexmem search \"retry with backoff\" --ext .ts,.tsx --limit 5\n"
              "  codexmem search '/^class \\w+Error/' --language py   lines that match, as grep "
              "finds them\n"
              "  codexmem search token refresh --explain   the parts of each score",
              [] { return make_question_command("search_code"); }}),
    in(kAsk, {"locate", "Find the functions that an issue, traceback or log is about",
              "Examples:\n"
              "  codexmem locate issue.md\n"
              "  gh issue view 1234 | codexmem locate -\n"
              "  pytest 2>&1 | tail -60 | codexmem locate - --limit 5",
              [] { return make_question_command("locate"); }}),
    in(kAsk, {"symbol", "Find where a name is defined",
              "Examples:\n"
              "  codexmem symbol UserService\n"
              "  codexmem symbol UserService.findById --type method\n"
              "  codexmem symbol main --file src/app.ts --json",
              [] { return make_question_command("find_symbol"); }}),
    in(kAsk, {"refs", "Find who uses a symbol, through imports, scopes and types",
              "Examples:\n"
              "  codexmem refs UserService\n"
              "  codexmem refs UserService.findById --file src/users.ts\n"
              "  codexmem refs render --limit 0   all of a long list\n"
              "  codexmem refs render --min-confidence name   everything that has the name",
              make_references_command}),
    in(kAsk, {"deps", "Show what a file imports, and what imports it",
              "Examples:\n"
              "  codexmem deps src/app.ts\n"
              "  codexmem deps src/app.ts --depth 1 --external",
              [] { return make_question_command("analyze_dependencies"); }}),
    in(kAsk, {"context", "Show what to know before an edit: code, callers, tests, memories",
              "Examples:\n"
              "  codexmem context src/users.ts\n"
              "  codexmem context UserService.findById\n"
              "  codexmem context src/users.ts::findById --size 10",
              make_context_command}),
    in(kAsk, {"trace", "Show how one function comes to call another",
              "Examples:\n"
              "  codexmem trace --from main --to parse_header\n"
              "  codexmem trace --to parse_header   who calls it, and who calls these\n"
              "  codexmem trace --from main --depth 2",
              [] { return make_question_command("trace_calls"); }}),
    in(kAsk, {"history", "Show the commits in which a symbol changed, moved or was renamed",
              "Follows it through renames and from file to file.\n"
              "\n"
              "Examples:\n"
              "  codexmem history UserService.findById\n"
              "  codexmem history src/users.ts::findById --limit 5",
              [] { return make_question_command("symbol_history"); }}),
    in(kChange,
       {"impact", "Show what a change touches, and which tests to run",
        "Without a symbol the change is what git sees: the work tree against the last commit.\n"
        "What it breaks: `codexmem check`.\n"
        "\n"
        "Examples:\n"
        "  codexmem impact                    before a commit\n"
        "  codexmem impact --since main       everything that a branch changes\n"
        "  codexmem impact UserService.findById   before you change it\n"
        "  codexmem impact --json | jq -r .run[]",
        [] { return make_question_command("analyze_change"); }}),
    in(kChange,
       {"check", "Find what a change breaks, before it is committed",
        "The project's decisions give the rules: codexmem decision record ... --check RULE.\n"
        "Exit codes: 0 nothing was found, 1 something is broken, 2 error, or with --strict also "
        "when\n"
        "something was not checked. Standard error says what was not checked, in every format.\n"
        "Whom else it touches, and which tests to run: `codexmem impact`.\n"
        "\n"
        "Examples:\n"
        "  codexmem check               the work tree against the last commit\n"
        "  codexmem check --staged      what would be committed\n"
        "  codexmem check --since main  everything that a branch changes\n"
        "  codexmem check --strict --since origin/main   for CI\n"
        "  codexmem check --since origin/main --format sarif > codexmem.sarif",
        make_check_command}),
    in(kChange, {"rename", "Show the edits that rename a symbol everywhere, or write them",
                 "Writes nothing without --apply, and then all files or none: it refuses if a "
                 "place needs a\n"
                 "person, and undoes everything if `codexmem check` then finds something new.\n"
                 "Exit codes: 0 printed or applied, 1 refused, 2 error.\n"
                 "\n"
                 "Examples:\n"
                 "  codexmem rename UserService AccountService\n"
                 "  codexmem rename src/users.ts::findById findOne --apply\n"
                 "  codexmem rename parse_header read_header --strings",
                 make_rename_command}),
    in(kChange,
       {"change", "Show the edits that change a function's parameters, or write them",
        "Adds, removes or reorders parameters in all declarations that must agree, and in all "
        "calls.\n"
        "Writes nothing without --apply, and then all files or none, as `codexmem rename` does.\n"
        "Exit codes: 0 printed or applied, 1 refused, 2 error.\n"
        "\n"
        "Examples:\n"
        "  codexmem change load --add-parameter \"mode: str\" --value \"'r'\"\n"
        "  codexmem change Store.find --remove limit\n"
        "  codexmem change src/draw.c::draw_line --reorder 2,1,3 --apply",
        make_change_command}),
    in(kChange,
       {"unused", "Find definitions that nothing reaches",
        "Each is shown with how certain that is, and why something might reach it after all.\n"
        "Exit codes: 0 something was found, 1 nothing, 2 error.\n"
        "\n"
        "Examples:\n"
        "  codexmem unused\n"
        "  codexmem unused src/net --certainty certain\n"
        "  codexmem unused --json --limit 0 | jq -r '.unused[].symbol'",
        [] { return make_question_command("unused_code"); }}),
    in(kRemember, {"memory", "Save and find memories of all projects",
                   "Examples:\n"
                   "  codexmem memory save \"The API needs an X-API-Key header\" --title Auth\n"
                   "  codexmem memory search which header the API needs\n"
                   "  codexmem memory timeline 12      what happened around it\n"
                   "  codexmem memory get 12 S3        in full\n"
                   "  git log -1 --format=%B | codexmem memory save - --type change",
                   nullptr, memory_commands}),
    in(kRemember, {"decision", "Record, replace and look up decisions",
                   "Writing needs a secret, which `codexmem init --decisions` makes once.\n"
                   "\n"
                   "Examples:\n"
                   "  codexmem decision search which database\n"
                   "  codexmem decision record \"Use SQLite\" --target database \\\n"
                   "    --rationale \"One file, no server\"\n"
                   "  codexmem decision list --status draft",
                   nullptr, decision_commands}),
    in(kRemember,
       {"share", "Share memories and decisions as files in the repository",
        "The files travel with git and are reviewed like code. Files of others, and records in "
        "docs/adr\n"
        "and the like, are read after --on, or after you have shared something yourself.\n"
        "Exit codes: 0 done, or something is shared here, 1 nothing is, 2 error.\n"
        "\n"
        "Examples:\n"
        "  codexmem share               the shared files, their authors, and which are not read\n"
        "  codexmem share 12 decision_20260102_030405_678901_0123abcd\n"
        "  codexmem share --on          read what the team shares in this repository\n"
        "  codexmem share --remove 12   remove its file",
        make_share_command}),
    in(kSetUp, {"index", "Index a repository, or bring its index up to date",
                "Examples:\n"
                "  codexmem index               the repository around the current directory\n"
                "  codexmem index ~/src/app --skip-embeddings\n"
                "  codexmem index --explain     say why each file was read or skipped\n"
                "  codexmem index --staged --quiet   what a pre-commit hook runs\n"
                "  codexmem index --pack codexmem.pack   with what another machine has learned",
                make_index_command}),
    in(kSetUp, {"status", "Show the indexed and the skipped files, the reasons, and the disk use",
                "Whether editors, hooks and settings are in order: `codexmem doctor`.\n"
                "\n"
                "Examples:\n"
                "  codexmem status\n"
                "  codexmem status --why src/big.ts   why a file is indexed, or is not\n"
                "  codexmem status --json | jq .files",
                make_status_command}),
    in(kSetUp, {"init", "Set up editors, coding agents and git: configuration and hooks",
                "Asks nothing, and keeps comments, order and your own entries in each file. The "
                "server goes\n"
                "into the repository's files; hooks and Codex's server go into your own.\n"
                "\n"
                "Examples:\n"
                "  codexmem init --dry-run      show what would be written, as a diff\n"
                "  codexmem init\n"
                "  codexmem init --client claude-code,codex\n"
                "  codexmem init --no-hooks --no-git-hook   only the MCP server\n"
                "  codexmem init --tools memory             only the memory's tools\n"
                "  codexmem init --decisions                and agents may record decisions",
                make_init_command}),
    in(kSetUp,
       {"open", "Show a repository in the browser: map, dependencies, memories",
        "Brings the index up to date, starts the worker in the background if none runs, and prints "
        "the\n"
        "address. The browser is BROWSER, or xdg-open if there is a display.\n"
        "\n"
        "Examples:\n"
        "  codexmem open                 the repository around the current folder\n"
        "  codexmem open src/app.ts:120\n"
        "  codexmem open --print         only print the address",
        make_open_command}),
    in(kSetUp,
       {"serve", "Serve the tools over MCP, on standard input and output or HTTP",
        "Keeps the index up to date while it runs. --tools, or CODEXMEM_TOOLS, offers fewer "
        "tools.\n"
        "Editors and agents start this themselves: see codexmem init.\n"
        "\n"
        "Examples:\n"
        "  codexmem serve\n"
        "  codexmem serve ~/src/app\n"
        "  codexmem serve --http               one server for several clients\n"
        "  codexmem serve --http --team FILE   several repositories, for callers with tokens\n"
        "  codexmem serve --tools memory       needs no repository",
        make_serve_command}),
    in(kSetUp, {"doctor", "Find problems with the setup, and say how to fix them",
                "Changes nothing. Exit codes: 0 all is well, 1 only warnings, 2 a problem.\n"
                "The state of the index: `codexmem status`.\n"
                "\n"
                "Examples:\n"
                "  codexmem doctor\n"
                "  codexmem doctor --all   also list the checks that found nothing wrong\n"
                "  codexmem doctor --json | jq '.checks[] | select(.state != \"ok\")'",
                make_doctor_command}),
    {"pack", "Write the index into one file, for codexmem index --pack elsewhere",
     "Files that differ from git's version are left out. What a pack contains: docs/packs.md.\n"
     "Exit codes: 0 written, 1 there is nothing to pack, 2 error.\n"
     "\n"
     "Examples:\n"
     "  codexmem pack -o codexmem.pack\n"
     "  codexmem pack --key     what a cache of CI should keep it under",
     make_pack_command},
    {"export", "Write the index for other programs: SCIP, ctags, Graphviz, GraphML",
     "Uses and calls are written where they are certain; standard error says how many are not.\n"
     "docs/export.md says what each file holds.\n"
     "\n"
     "Examples:\n"
     "  codexmem export --scip index.scip\n"
     "  codexmem export --ctags tags\n"
     "  codexmem export --dot - --by folder | dot -Tsvg > map.svg\n"
     "  codexmem export --graphml calls.graphml --of calls --by symbol",
     make_export_command},
    {"fleet", "Search an organisation's repositories, from an index on Chroma",
     "CODEXMEM_FLEET_URL names the server, or several, separated by commas: each has everything.\n"
     "Repositories on this machine, asked about together: `codexmem workspace`.\n"
     "\n"
     "Examples:\n"
     "  codexmem fleet push                       from the repository here, or in CI\n"
     "  codexmem fleet search retry with backoff\n"
     "  codexmem fleet status",
     nullptr, fleet_commands},
    {"workspace", "Show the repositories of a workspace, or index them all",
     "Repositories on this machine. Repositories of an organisation, on a server: `codexmem "
     "fleet`.\n"
     "A workspace file names repositories that questions are asked about together:\n"
     "{\"repositories\": [\"zod\", {\"path\": \"../trpc\", \"name\": \"trpc\"}]}\n"
     "\n"
     "Examples:\n"
     "  codexmem workspace\n"
     "  codexmem workspace --index\n"
     "  codexmem symbol ZodType --workspace ~/src/codexmem.workspace.json",
     make_workspace_command},
    {"worktrees", "Show what each worktree of the repository changes, and where two meet",
     "For several people or agents, each in a worktree and branch of its own. A worktree's "
     "changes\n"
     "are all since its branch left the default branch, not yet committed ones too. Below them "
     "stand\n"
     "definitions that two worktrees change, and those that one renames, moves, removes or gives\n"
     "another signature while another one names them in a new place.\n"
     "\n"
     "Examples:\n"
     "  git worktree add ../app-login -b login\n"
     "  codexmem worktrees\n"
     "  codexmem worktrees --json",
     make_worktrees_command},
    {"lsp", "Serve editors as a language server: definitions, uses, renames",
     "On standard input and output. Editors start this themselves: docs/lsp.md says how. Where a\n"
     "language has a server of its own, that one is better.\n"
     "\n"
     "Examples:\n"
     "  codexmem lsp            the repository of the folder that the editor opens\n"
     "  codexmem lsp ~/src/app",
     make_lsp_command},
    {"worker", "Run the worker, which takes events from hooks and serves the page",
     "It listens only on this machine, by default at http://127.0.0.1:37877 "
     "(CODEXMEM_WORKER_PORT);\n"
     "/viewer there shows what it does.\n"
     "\n"
     "Examples:\n"
     "  codexmem worker start     in the background, if none runs yet\n"
     "  codexmem worker status\n"
     "  codexmem worker stop",
     nullptr, worker_commands},
    {"hook", "Pass an event of a coding tool to the worker; for the tool's hooks",
     "Reads the event as JSON from standard input, and leaves it in a spool when no worker runs.\n"
     "codexmem-hook does the same and starts faster. The exit code is 0 whatever happens to the\n"
     "event, even if it is unknown; 1 for a wrong command line or platform.\n"
     "\n"
     "Examples:\n"
     "  codexmem hook claude-code observation\n"
     "  codexmem-hook codex session-init",
     make_hook_command, nullptr, ExitCode::kNothingFound},
    {"uninit", "Remove what codexmem init wrote, and stop the worker",
     "A file that nobody has changed since is restored byte for byte; from any other, only the\n"
     "entries of codexmem are removed. Entries that you have edited are left, and named. The\n"
     "worker is stopped when no hooks are left. The secret of `init --decisions` stays.\n"
     "\n"
     "Examples:\n"
     "  codexmem uninit --dry-run\n"
     "  codexmem uninit --project   keep hooks and servers that other repositories use\n"
     "  codexmem uninit --client codex",
     make_uninit_command},
    {"config", "Show and change settings",
     "The environment overrides the repository's codexmem.json, which overrides the user's\n"
     "settings.json, which overrides the default.\n"
     "\n"
     "Examples:\n"
     "  codexmem config list --origin\n"
     "  codexmem config get workerPort",
     nullptr, config_commands},
    {"languages", "List the known languages, and how accurate each is",
     "Examples:\n"
     "  codexmem languages\n"
     "  codexmem languages --json | jq -r '.languages[] | select(.knownBy == \"reference\").name'",
     make_languages_command},
    {"debug", "Show stored and extracted data: parse, symbol, edges, schema",
     "Examples:\n"
     "  codexmem debug parse src/app.ts    what is extracted from a file, indexed or not\n"
     "  codexmem debug symbol UserService  the stored rows of a name\n"
     "  codexmem debug edges src/app.ts    the stored imports of a file, both ways\n"
     "  codexmem debug facts src/app.ts    the stored scopes, bindings and occurrences\n"
     "  codexmem debug match '/foo\\d+/'   each line that a phrase or expression matches\n"
     "  codexmem debug schema              the tables, views and indexes of the store\n"
     "  codexmem debug stats               rows and bytes of each table\n"
     "  codexmem debug copy /tmp/copy.db   the store for an SQLite shell",
     make_debug_command},
    {"completion", "Print the completions for bash, zsh or fish",
     "The Debian package installs them. Otherwise:\n"
     "\n"
     "Examples:\n"
     "  source <(codexmem completion bash)   in ~/.bashrc\n"
     "  source <(codexmem completion zsh)    in ~/.zshrc, after compinit\n"
     "  codexmem completion fish > ~/.config/fish/completions/codexmem.fish",
     make_completion_command},
    {"version", "Print the version of the program and of the contracts it keeps",
     "Examples:\n"
     "  codexmem version\n"
     "  codexmem version --json    with libraries, grammars, model and schemas",
     make_version_command},
};

// In the order of --help.
constexpr std::pair<CommandGroup, std::string_view> kGroupTitles[] = {
    {kAsk, "Ask"}, {kChange, "Change"}, {kRemember, "Remember"}, {kSetUp, "Set up"}};

constexpr std::string_view kExitCodes =
    "Exit codes: 0 found or done, 1 nothing found, 2 error, 130 Ctrl-C.";

std::string list_of(std::span<const CommandRow> commands) {
  std::vector<HelpRow> rows;
  for (const CommandRow& row : commands) {
    rows.push_back({std::string(row.name), std::string(row.summary)});
  }
  return two_columns(rows);
}

// The commands of each group, a line each; of those that few people call, the names.
std::string grouped_commands() {
  std::string text;
  for (const auto& [group, title] : kGroupTitles) {
    std::vector<HelpRow> rows;
    for (const CommandRow& row : kCommands) {
      if (row.group == group) rows.push_back({std::string(row.name), std::string(row.summary)});
    }
    text += fmt::format("{}:\n{}\n", title, two_columns(rows));
  }
  std::vector<std::string_view> more;
  for (const CommandRow& row : kCommands) {
    if (row.group == kMore) more.push_back(row.name);
  }
  return text + fitted(fmt::format("More: {}\n", fmt::join(more, ", ")));
}

std::string overall_help() {
  return "codexmem - an index of a code base that answers people and coding agents\n\n"
         "Usage: codexmem COMMAND [OPTIONS]    (-C DIR: the repository around DIR)\n\n" +
         grouped_commands() +
         "`codexmem COMMAND --help` shows options and examples, `man codexmem` everything.\n" +
         std::string(kExitCodes) + "\n";
}

// The help of a group of commands.
std::string group_help(const CommandRow& group) {
  std::string text = fmt::format("{}\n\nUsage: codexmem {} COMMAND [OPTIONS]\n\nCommands:\n",
                                 group.summary, group.name);
  text += list_of(group.subcommands());
  text += fmt::format("\n`codexmem {} COMMAND --help` shows a command's options and examples.\n\n",
                      group.name);
  return text + fitted(group.examples) + fmt::format("\n{}\n", kExitCodes);
}

// True when this process may open the files that a command needs, in a terminal's usual limit or a
// small one: databases, their logs, folders, a server's connections.
bool may_open_files() {
  constexpr std::size_t kNeeded = 32;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 4 * kNeeded) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4 * kNeeded);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  // Others may be open already, which the limit does not say.
  std::vector<int> opened;
  while (opened.size() < kNeeded) {
    const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0) break;
    opened.push_back(file);
  }
  const bool is_refused = opened.size() < kNeeded && (errno == EMFILE || errno == ENFILE);
  for (const int file : opened) ::close(file);
  return !is_refused;
}

// What -C does: false, and says why, when it cannot.
bool go_into(const std::string& folder, Console& console) {
  std::error_code failed;
  std::filesystem::current_path(folder, failed);
  if (failed) console.error(fmt::format("-C {}: {}", folder, failed.message()));
  return !failed;
}

// "there is no command "serch"; did you mean "codexmem search"?"
std::string no_such_command(std::span<const CommandRow> rows, const std::string& group,
                            const std::string& name) {
  std::vector<std::string> names;
  for (const CommandRow& known : rows) names.emplace_back(known.name);
  const auto near = nearest(name, names);
  return fmt::format("there is no command \"{}{}\"{}", group, name,
                     near ? fmt::format("; did you mean \"codexmem {}{}\"?", group, *near)
                          : fmt::format("; codexmem {}--help lists them", group));
}

}  // namespace

std::span<const CommandRow> commands() { return kCommands; }

const CommandRow* find_row(std::span<const CommandRow> rows, std::string_view name) {
  for (const CommandRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

ExitCode fail(Console& console, const Error& error) {
  if (error.code() == ErrorCode::kCancelled && caught_signal() != 0) {
    console.note("codexmem: " + error.message());  // as was asked for
  } else {
    console.error(error.message());
  }
  return ExitCode::kError;
}

ExitCode fail_to_find(Console& console, const Error& error) {
  const ExitCode code = fail(console, error);
  return error.code() == ErrorCode::kNotFound ? ExitCode::kNothingFound : code;
}

int run_command_line(const std::vector<std::string>& words, Console& console) {
  const auto exit_with = [](ExitCode code) { return static_cast<int>(code); };
  std::vector<std::string> rest = words;
  while (rest.size() >= 2 && rest.front() == "-C") {
    if (!go_into(rest[1], console)) return exit_with(ExitCode::kError);
    rest.erase(rest.begin(), rest.begin() + 2);
  }
  if (rest.empty()) {
    console.note_lines(overall_help());
    return exit_with(ExitCode::kError);
  }
  if (rest.front() == "--version" || rest.front() == "-V") rest.front() = "version";
  if (rest.front() == "help" || rest.front() == "--help" || rest.front() == "-h") {
    // The help of help is this list as well.
    const bool is_of_help =
        rest.size() > 1 && (rest[1] == "--help" || rest[1] == "-h" || rest[1] == "help");
    if (rest.size() == 1 || rest.front() != "help" || is_of_help) {
      console.print(overall_help());
      return exit_with(ExitCode::kFound);
    }
    rest.erase(rest.begin());
    rest.emplace_back("--help");
  }
  std::span<const CommandRow> rows = kCommands;
  std::string name;  // "memory save"
  const CommandRow* row = nullptr;
  while (true) {
    row = find_row(rows, rest.front());
    if (row == nullptr) {
      console.error(no_such_command(rows, name, rest.front()));
      return exit_with(ExitCode::kError);
    }
    name += row->name;
    rest.erase(rest.begin());
    if (row->subcommands == nullptr) break;
    if (rest.empty() || rest.front() == "--help" || rest.front() == "-h") {
      if (rest.empty()) {
        console.note_lines(group_help(*row));
        return exit_with(ExitCode::kError);
      }
      console.print(group_help(*row));
      return exit_with(ExitCode::kFound);
    }
    rows = row->subcommands();
    name += ' ';
  }
  const std::unique_ptr<Command> command = row->make();
  std::string ending(row->examples);
  // A command with its own exit codes lists them in its examples.
  const bool has_own_codes = row->examples.find("xit code") != std::string_view::npos;
  if (!has_own_codes) ending += fmt::format("\n\n{}", kExitCodes);
  Arguments arguments(name, row->summary, ending);
  command->declare(arguments);
  std::optional<std::string> folder;
  arguments.text("-C", folder, "Start in this folder").are_folders();
  const Arguments::Parsed parsed = arguments.parse(std::move(rest));
  switch (parsed.outcome) {
    case Arguments::Outcome::kHelp:
      console.print(parsed.message);
      return exit_with(ExitCode::kFound);
    case Arguments::Outcome::kWrong:
      console.error(fmt::format("{} (codexmem {} --help shows its usage)", parsed.message, name));
      return exit_with(row->misuse);
    case Arguments::Outcome::kRun:
      if (folder && !go_into(*folder, console)) return exit_with(ExitCode::kError);
      break;
  }
  if (command->opens_many_files() && !may_open_files()) {
    return exit_with(fail(console, {ErrorCode::kIo,
                                    "too few file descriptors may be opened: `ulimit -n 256` or "
                                    "more is enough"}));
  }
  const ExitCode code = command->run(console);
  // As of a program that ends by the signal.
  if (code == ExitCode::kError && caught_signal() != 0) return 128 + caught_signal();
  return exit_with(code);
}

}  // namespace codexmem::app
