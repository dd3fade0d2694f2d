// Runs the built program as a user does, in a small repository of its own.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include "base/file.h"
#include "text/json.h"
#include "support/temporary_directory.h"

namespace codexmem::app {
namespace {
namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out, error;
};

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    // The repository is small on purpose; the program finds no settings of the machine's user.
    directory_.write("repo/src/store.ts",
                     "/** Keeps users by name. */\n"
                     "export class UserStore {\n"
                     "  private users = new Map<string, number>();\n"
                     "  findUser(name: string): number | undefined {\n"
                     "    return this.users.get(name);\n"
                     "  }\n"
                     "}\n");
    directory_.write("repo/src/app.ts",
                     "import { UserStore } from \"./store\";\n"
                     "const store = new UserStore();\n"
                     "export function greet(name: string) {\n"
                     "  return `hello ${store.findUser(name)}`;\n"
                     "}\n");
    directory_.write("repo/tools/report.py",
                     "def render_report(rows):\n"
                     "    \"\"\"Renders rows as a table.\"\"\"\n"
                     "    return rows\n");
    directory_.write("repo/.gitignore", "build/\n");
    directory_.write("repo/build/made.ts", "export const made = 1;\n");
    git("init --quiet");
  }

  const fs::path& base() const { return directory_.path(); }
  fs::path repo() const { return base() / "repo"; }

  Outcome shell(const std::string& line, const fs::path& folder) {
    const std::string command =
        "cd '" + folder.string() + "' && unset CODEXMEM_DATA_DIR && HOME='" + base().string() +
        "/home' GIT_CONFIG_NOSYSTEM=1 PATH=\"" CODEXMEM_PROGRAM_DIR ":$PATH\" " + line + " 2>'" +
        base().string() + "/stderr' </dev/null";
    Outcome run;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return run;
    char bytes[4096];
    for (std::size_t count = 0; (count = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;) {
      run.out.append(bytes, count);
    }
    const int status = ::pclose(pipe);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    if (auto text = read_file(base() / "stderr"); text.ok()) run.error = *std::move(text);
    return run;
  }
  Outcome codexmem(const std::string& arguments) { return shell("codexmem " + arguments, repo()); }
  Outcome git(const std::string& arguments) {
    return shell("git -c user.name=t -c user.email=t@t " + arguments, repo());
  }
  Json json(const std::string& arguments) {
    const Outcome run = codexmem(arguments);
    EXPECT_EQ(run.code, 0) << run.error;
    Json value = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(value.is_discarded()) << run.out;
    return value;
  }

  testing::TemporaryDirectory directory_;
};

// What a question finds nothing of is 1; what a command lacks is an error (docs/guide.md).
TEST_F(CommandLine, WhatIsMissingForACommandIsAnError) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  for (const char* line :
       {"pack -o /nonexistent/x", "pack --trust /nonexistent/key", "memory export /nonexistent/x",
        "memory import /nonexistent/x", "index nope", "status /nonexistent", "fleet status",
        "fleet push", "fleet search x", "search x --fleet", "deps src", "context src",
        "refs greet -f src", "check no/such.py", "open /nonexistent", "debug parse /nonexistent.py",
        "workspace none.json", "init /nonexistent"}) {
    const Outcome run = codexmem(line);
    EXPECT_EQ(run.code, 2) << line << ": " << run.error;
    EXPECT_NE(run.error, "") << line;
  }
  for (const char* line : {"memory get 99", "share 99", "deps no/such.ts", "symbol zzzNoSuchName",
                           "decision show nothing", "status --why no/such.ts"}) {
    EXPECT_EQ(codexmem(line).code, 1) << line;
  }
}

// A source package without git whose .gitignore names all of it.
TEST_F(CommandLine, IgnoredTreesAreIndexedWhenAsked) {
  fs::remove_all(repo() / ".git");
  directory_.write("repo/.gitignore", "*\n");
  const Outcome run = codexmem("index");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.error.find("`codexmem index --no-ignore`"), std::string::npos) << run.error;
  EXPECT_EQ(codexmem("index --no-ignore").code, 0);
  EXPECT_EQ(codexmem("symbol greet").code, 0);
  EXPECT_EQ(codexmem("index --no-ignore --quiet").code, 0);  // the line is there already
  directory_.write("repo/.codexmemignore", "docs/\n");
  const Outcome refused = codexmem("index --no-ignore");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.error.find("add the line !*"), std::string::npos) << refused.error;
}

TEST_F(CommandLine, JsonIsPrintedWhereTextIs) {
  const Outcome none = codexmem("workspace --json");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(Json::parse(none.out).at("repositories"), Json::array()) << none.out;
  git("commit --quiet --allow-empty -m x");
  EXPECT_EQ(json("pack --key --json").count("key"), 1U);
}

TEST_F(CommandLine, MessagesNameCommandsAndOptions) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const struct {
    const char *line, *says;
  } kCases[] = {
      {"change greet", "--add-parameter, --remove or --reorder: give one of them"},
      {"trace", "one of --from and --to must name a function"},
      {"impact greet --staged", "exclude --since and --staged"},
      {"deps src/app.ts --depth 99", "--depth must be"},
      {"memory retention --max-age 0", "--max-age must be"},
      {"search '/[/'", "missing ]"},
  };
  for (const auto& each : kCases) {
    const Outcome run = codexmem(each.line);
    EXPECT_EQ(run.code, 2) << each.line;
    EXPECT_NE(run.error.find(each.says), std::string::npos) << each.line << ": " << run.error;
  }
}

TEST_F(CommandLine, AFileThatIsNotThereIsNamedWhenAMemoryIsSaved) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Outcome run = codexmem("memory save 'about it' --file src/nope.ts --file src/app.ts");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("\nnot in the index: src/nope.ts\n"), std::string::npos) << run.out;
  EXPECT_EQ(codexmem("memory save 'more' --file src/app.ts").out.find("not in the index"),
            std::string::npos);
}

// One letter makes another word of a short name.
TEST_F(CommandLine, AShortNameIsNotNearAConstant) {
  directory_.write("repo/kinds.py", "NONE = 0\n\n\ndef node():\n    pass\n");
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  EXPECT_EQ(codexmem("impact nope").error.find("NONE"), std::string::npos);
  EXPECT_NE(codexmem("impact NOPE").error.find("near: NONE"), std::string::npos);
  EXPECT_NE(codexmem("impact nodf").error.find("near: node"), std::string::npos);
}

TEST_F(CommandLine, SearchFindsExactText) {
  const Outcome phrase = codexmem("search '\"store.findUser\"'");
  EXPECT_EQ(phrase.code, 0) << phrase.error;
  EXPECT_NE(phrase.out.find("src/app.ts:4"), std::string::npos) << phrase.out;
  EXPECT_NE(phrase.out.find("1 matching line in 1 file"), std::string::npos) << phrase.out;
  const Outcome regex = codexmem("search '/USER/i' --path src");
  EXPECT_NE(regex.out.find("matching lines: "), std::string::npos) << regex.out;
  const Outcome lines = codexmem("debug match '/^class|^export class/'");
  EXPECT_NE(lines.out.find("src/store.ts:2\n"), std::string::npos) << lines.out;
  EXPECT_EQ(codexmem("search '\"nowhere to be found\"'").code, 1);
  EXPECT_NE(codexmem("search '/[a-z]/' --limit 1").out.find(" not shown: --limit shows up to 50"),
            std::string::npos);
  EXPECT_EQ(codexmem("search '/foo(/'").code, 2);
}

TEST_F(CommandLine, AQuestionIndexesRepositoriesAlone) {
  directory_.write("plain/a.py", "def something():\n    pass\n");
  for (const char* question : {"search something", "symbol something", "context a.py"}) {
    const Outcome asked = shell(std::string("codexmem ") + question, base() / "plain");
    EXPECT_EQ(asked.code, 1) << asked.error;
    EXPECT_NE(asked.error.find("codexmem index"), std::string::npos) << asked.error;
    EXPECT_FALSE(fs::exists(base() / "plain/.codexmem")) << question;
  }
  ASSERT_EQ(shell("codexmem index -q", base() / "plain").code, 0);
  EXPECT_EQ(shell("codexmem search something", base() / "plain").code, 0);
  EXPECT_EQ(codexmem("search user").code, 0) << "in a repository the first question indexes";
}

TEST_F(CommandLine, ARunThatFindsNoFileSaysWhy) {
  directory_.write("none/.gitignore", "# all of it\n*\n");
  directory_.write("none/a.py", "a = 1\n");
  ASSERT_EQ(shell("git init --quiet", base() / "none").code, 0);
  const Outcome run = shell("codexmem index", base() / "none");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.error.find("no file is indexed"), std::string::npos) << run.error;
  EXPECT_EQ(run.out, "") << "it is not up to date";
  EXPECT_NE(run.error.find(".gitignore:2: *"), std::string::npos) << run.error;
  EXPECT_EQ(shell("codexmem index --quiet", base() / "none").code, 1) << "the second time";
  directory_.write("empty/x.png", "");
  EXPECT_EQ(shell("codexmem index", base() / "empty").code, 1);
}

TEST_F(CommandLine, ContextIsCompletedWithFilesAndSymbols) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Outcome words = codexmem("completion words -- context UserS");
  EXPECT_TRUE(words.out.starts_with("files\n")) << words.out;
  EXPECT_NE(words.out.find("\nUserStore\t"), std::string::npos) << words.out;
  EXPECT_EQ(codexmem("completion words -- context ''").out, "files\n");
}

TEST_F(CommandLine, SearchTakesFilters) {
  const Outcome python = codexmem("search name --threshold 0 --language py,md --json");
  EXPECT_EQ(python.out.find("src/"), std::string::npos) << python.out;
  const Outcome some = codexmem("search name --threshold 0 --path 'src/**,!app.ts' --json");
  EXPECT_NE(some.out.find("src/store.ts"), std::string::npos) << some.out << some.error;
  EXPECT_EQ(some.out.find("src/app.ts"), std::string::npos) << some.out;
  const Outcome classes = codexmem("search name --threshold 0 --kind class --tests exclude");
  EXPECT_NE(classes.out.find("class UserStore"), std::string::npos) << classes.out;
  for (const std::size_t limit : {1U, 2U}) {
    const Outcome few = codexmem(fmt::format("search name --threshold 0 --limit {} --json", limit));
    EXPECT_EQ(Json::parse(few.out).size(), limit) << few.out;
  }
  const Outcome wrong = codexmem("search name --language pythn");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.error.find("did you mean \"python\""), std::string::npos) << wrong.error;
}

TEST_F(CommandLine, AnUnknownCommandNamesTheNearest) {
  const Outcome run = codexmem("serch x");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("codexmem search"), std::string::npos) << run.error;
  EXPECT_EQ(run.out, "");
}

TEST_F(CommandLine, AWrongOptionIsAnErrorThatPointsToTheHelp) {
  const Outcome run = codexmem("status --nonsense");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("codexmem status --help"), std::string::npos) << run.error;
}

TEST_F(CommandLine, NoCommandIsAnErrorAndHelpIsNot) {
  EXPECT_EQ(codexmem("").code, 2);
  const std::string all = codexmem("--help").out;
  EXPECT_NE(all.find("\nAsk:\n"), std::string::npos) << all;
  EXPECT_NE(all.find("\nMore: "), std::string::npos) << all;
  EXPECT_EQ(codexmem("help refs").code, 0);
  for (const char* words : {"help", "-h", "help --help", "help -h", "help help", "--help refs"}) {
    const Outcome run = codexmem(words);
    EXPECT_EQ(run.code, 0) << words << ": " << run.error;
    EXPECT_EQ(run.out, all) << words;
  }
  EXPECT_EQ(codexmem("help nothing").code, 2);
}

TEST_F(CommandLine, StatusWithoutAnIndexFindsNothingAndMakesNothing) {
  const Outcome run = codexmem("status");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.error.find("codexmem index"), std::string::npos) << run.error;
  EXPECT_FALSE(fs::exists(repo() / ".codexmem"));
}

TEST_F(CommandLine, IndexThenStatusCountsWhatThereIs) {
  const Outcome run = codexmem("index");
  ASSERT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("4 added"), std::string::npos) << run.out;
  const Json status = json("status --json");
  EXPECT_EQ(status["languages"]["typescript"]["files"], 2);
  EXPECT_EQ(status["languages"]["python"]["files"], 1);
  EXPECT_EQ(status["skippedByReason"]["ignored"], 1);
  EXPECT_TRUE(status["incompleteRun"].is_null());
  EXPECT_GT(status["vectors"]["count"], 0);
}

TEST_F(CommandLine, IndexAsJsonHasTheStatsOfTheContract) {
  const Json report = json("index --json");
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["stats"]["filesProcessed"], 4);
  EXPECT_TRUE(report["stats"]["timeElapsed"].is_string());
  EXPECT_EQ(json("index --json")["stats"]["filesProcessed"], 0) << "a second run has nothing to do";
}

TEST_F(CommandLine, AMistypedPathMakesNoIndexOfItsSurroundings) {
  const Outcome run = codexmem("index scr");
  EXPECT_EQ(run.code, 2);
  EXPECT_FALSE(fs::exists(repo() / ".codexmem"));
}

TEST_F(CommandLine, APathThatIsMissingIsNamed) {
  const Outcome run = codexmem("index /nonexistent/folder");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "codexmem: error: there is no /nonexistent/folder\n");
}

TEST_F(CommandLine, TheFolderToStartInMayFollowTheCommand) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  EXPECT_EQ(shell("codexmem symbol -C repo findUser", base()).code, 0);
  const Outcome run = codexmem("status -C no/such");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error.find("codexmem: error: -C no/such: "), 0U) << run.error;
}

TEST_F(CommandLine, AnInterruptedRunEndsAsTheSignalDoes) {
  // Another run holds the lock, so this one waits until it is stopped.
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Outcome run = shell(
      "bash -c 'exec 9>>.codexmem/lock; flock 9; codexmem index 9>&- & pid=$!;"
      " until grep -q waiting ../stderr; do sleep 0.02; done; kill -TERM $pid; wait $pid'",
      repo());
  EXPECT_EQ(run.code, 128 + 15) << run.error;
  EXPECT_NE(run.error.find("codexmem: stopped; "), std::string::npos) << run.error;
  EXPECT_EQ(run.error.find("error"), std::string::npos) << run.error;
}

TEST_F(CommandLine, AFolderOfARepositoryIsBroughtUpToDateAlone) {
  ASSERT_EQ(codexmem("index src --quiet").code, 0);
  EXPECT_EQ(codexmem("symbol UserStore --no-refresh").code, 0);
  EXPECT_EQ(codexmem("symbol render_report --no-refresh").code, 1);
  EXPECT_FALSE(fs::exists(repo() / "src/.codexmem"));
}

TEST_F(CommandLine, AFileOutsideOfAnyRepositoryMakesNoIndexOfItsFolder) {
  directory_.write("loose/notes.py", "x = 1\n");
  const Outcome run = shell("codexmem index loose/notes.py", base());
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("outside of any repository"), std::string::npos) << run.error;
  EXPECT_FALSE(fs::exists(base() / "loose/.codexmem"));
}

TEST_F(CommandLine, TheReportOfAPartNamesThePart) {
  const Outcome run = codexmem("index src");
  EXPECT_EQ(run.out.find("src in "), 0U) << run.out;
}

TEST_F(CommandLine, VersionNamesTheContracts) {
  EXPECT_EQ(json("version --json")["contracts"]["code_tools"], "1.0.0");
}

TEST_F(CommandLine, DebugShowsExtractedAndStoredData) {
  const Outcome parse = codexmem("debug parse src/store.ts");
  EXPECT_NE(parse.out.find("UserStore.findUser"), std::string::npos) << parse.out << parse.error;
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  for (const char* arguments : {"schema", "stats", "symbol findUser", "edges src/app.ts",
                                "facts src/app.ts", "dump", "dump src"}) {
    const Outcome run = codexmem(std::string("debug ") + arguments);
    EXPECT_EQ(run.code, 0) << arguments << ": " << run.error;
    EXPECT_NE(run.out, "") << arguments;
  }
  EXPECT_EQ(codexmem("debug nonsense").code, 2);
}

TEST_F(CommandLine, ServeAnswersOverStandardInputAndOutput) {
  directory_.write(
      "lines",
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_symbol","arguments":{"symbol":"UserStore"}}})"
      "\n");
  const Outcome run = shell("sh -c 'codexmem serve <../lines'", repo());
  EXPECT_EQ(run.code, 0) << run.error;
  const std::size_t second = run.out.find('\n') + 1;
  const Json answer = Json::parse(run.out.substr(second), nullptr, false);
  ASSERT_TRUE(answer.is_object()) << run.out;
  EXPECT_EQ(answer["result"]["structuredContent"]["results"][0]["file"]["path"], "src/store.ts")
      << "the first index is made before the answer";
}

TEST_F(CommandLine, WhyNamesTheRuleThatIgnoresAFile) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Outcome run = codexmem("status --why build/made.ts");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find(".gitignore:1"), std::string::npos) << run.out;
  EXPECT_EQ(codexmem("status --why no/such.ts").code, 1);
}

TEST_F(CommandLine, AQuestionIndexesFirstWhenThereIsNoIndex) {
  const Outcome run = codexmem("symbol UserStore");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_EQ(run.out.find("src/store.ts:2"), 0U) << run.out;
}

TEST_F(CommandLine, WithoutRefreshAQuestionNeedsAnIndex) {
  const Outcome run = codexmem("symbol UserStore --no-refresh");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.error.find("codexmem index"), std::string::npos) << run.error;
}

TEST_F(CommandLine, AQuestionSeesAnEditMadeSinceTheLastRun) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  directory_.write("repo/src/late.ts", "export function arrivedLate() {}\n");
  EXPECT_EQ(codexmem("symbol arrivedLate --no-refresh").code, 1);
  EXPECT_EQ(codexmem("symbol arrivedLate").code, 0);
}

TEST_F(CommandLine, QuestionsWorkFromAFolderInside) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Outcome run = shell("codexmem deps app.ts", repo() / "src");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("src/store.ts"), std::string::npos) << run.out;
}

TEST_F(CommandLine, ContextTakesAFileASymbolOrBoth) {
  directory_.write("repo/src/other.ts", "export function greet() {}\n");
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  for (const char* place : {"src/store.ts::UserStore.findUser", "UserStore.findUser", "findUser",
                            "src/store.ts --symbol findUser"}) {
    const Json answer = json("context --json " + std::string(place));
    EXPECT_EQ(answer["file"]["path"], "src/store.ts") << place;
    EXPECT_EQ(answer["symbols"][0]["name"], "findUser") << place;
  }
  EXPECT_EQ(shell("codexmem context store.ts::findUser", repo() / "src").code, 0);
  const Outcome two = codexmem("context greet");
  EXPECT_EQ(two.code, 0);
  EXPECT_NE(two.error.find("1 more definition is called greet: src/"), std::string::npos)
      << two.error;
  const Outcome none = codexmem("context findUsr");
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.error.find("no file and no symbol is called 'findUsr'; did you mean: "),
            std::string::npos)
      << none.error;
  const Outcome folder = codexmem("context src");
  EXPECT_EQ(folder.code, 2);
  EXPECT_NE(folder.error.find("'src' is a folder"), std::string::npos) << folder.error;
}

TEST_F(CommandLine, EachQuestionAnswersReadablyAndAsJson) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const struct {
    const char* arguments;
    const char* want;
  } kCases[] = {
      {"search 'render rows as a table'", "tools/report.py:2  function render_report"},
      {"symbol findUser", "src/store.ts:4  method UserStore.findUser"},
      {"refs UserStore", "src/app.ts:2:19"},
      {"deps src/store.ts", "imported by\n  src/app.ts"},
      {"context src/store.ts", "findUser"},
  };
  for (const auto& one : kCases) {
    const Outcome run = codexmem(one.arguments);
    EXPECT_EQ(run.code, 0) << one.arguments << ": " << run.error;
    EXPECT_NE(run.out.find(one.want), std::string::npos) << one.arguments << ":\n" << run.out;
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos) << "no colours into a pipe";
    json(std::string(one.arguments) + " --json");
  }
  EXPECT_EQ(json("symbol UserStore --json")[0]["symbol"]["name"], "UserStore");
}

TEST_F(CommandLine, NothingFoundIsOneAndAWrongArgumentTwo) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  EXPECT_EQ(codexmem("symbol zzzNoSuchName").code, 1);
  EXPECT_EQ(codexmem("refs zzzNoSuchName").code, 1);
  EXPECT_EQ(codexmem("deps no/such.ts").code, 1);
  EXPECT_EQ(codexmem("search ''").code, 2);
  EXPECT_EQ(codexmem("search x --limit 51").code, 2);
  EXPECT_EQ(codexmem("deps ../outside.ts").code, 2);
}

TEST_F(CommandLine, InitShowsThenWritesThenHasNothingToDo) {
  const Outcome dry = codexmem("init --dry-run");
  EXPECT_EQ(dry.code, 0) << dry.error;
  EXPECT_NE(dry.out.find("+++ b/.vscode/mcp.json"), std::string::npos) << dry.out;
  EXPECT_FALSE(fs::exists(repo() / ".vscode"));
  EXPECT_FALSE(fs::exists(repo() / ".git/hooks/pre-commit"));
  ASSERT_EQ(codexmem("init").code, 0);
  const auto settings = read_file(repo() / ".vscode/mcp.json");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(Json::parse(*settings)["servers"]["codexmem"]["args"],
            Json::array({"serve", "--text"}));
  const Outcome again = codexmem("init");
  EXPECT_NE(again.out.find(".vscode/mcp.json                  nothing to do\n"), std::string::npos)
      << again.out;
  EXPECT_NE(again.out.find(".git/hooks/pre-commit             nothing to do\n"), std::string::npos);
  EXPECT_EQ(*read_file(repo() / ".vscode/mcp.json"), *settings);
}

class Hosts : public CommandLine {
 protected:
  // What people have: comments, odd layouts, files of their own in every place.
  void write_configurations() {
    directory_.write("home/.claude/settings.json",
                     "{\n    // mine\n    \"env\": { \"A\": \"b\" },\n    \"hooks\": {\n"
                     "        \"Stop\": [\n            { \"hooks\": [ { \"type\": \"command\", "
                     "\"command\": \"say done\" } ] },\n        ],\n    },\n}\n");
    directory_.write("home/.codex/config.toml",
                     "# my model\r\nmodel = \"gpt-5.5\" # good\r\n\r\n[mcp_servers.other]\r\n"
                     "command = 'x'\r\n[projects.\"/a.b\"]\r\ntrust_level = \"trusted\"");
    directory_.write("home/.codex/hooks.json", "{\"hooks\":{}}");
    directory_.write("home/.cursor/hooks.json", "");
    directory_.write("repo/.mcp.json", "{ \"mcpServers\": { \"a\": { \"command\": \"x\" } } }");
    directory_.write("repo/.vscode/mcp.json",
                     "\xEF\xBB\xBF{\r\n\t\"servers\": {\r\n\t},\r\n\t\"inputs\": []\r\n}\r\n");
    directory_.write("repo/.cursor/mcp.json", "{}");
    directory_.write("repo/.gemini/settings.json", "{\n  // none yet\n}\n");
    directory_.write("repo/.git/hooks/pre-commit", "#!/bin/sh\nnpm test");
    fs::permissions(repo() / ".git/hooks/pre-commit", fs::perms::owner_all);
    fs::permissions(base() / "home/.claude/settings.json",
                    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  }

  // Every file and folder of home and repository except our own, with its bytes and mode.
  std::map<std::string, std::string> everything() {
    std::map<std::string, std::string> out;
    for (const char* top : {"home", "repo"}) {
      for (auto at = fs::recursive_directory_iterator(base() / top); at != fs::end(at); ++at) {
        const std::string name = at->path().lexically_relative(base()).string();
        if (at->path().filename() == ".codexmem") at.disable_recursion_pending();
        if (name.find(".codexmem") != name.npos || name.ends_with(".sample")) continue;
        const auto mode = static_cast<unsigned>(at->status().permissions());
        out[name] = fmt::format("{:o} ", mode);
        if (at->is_regular_file()) out[name] += *read_file(at->path());
      }
    }
    return out;
  }
};

TEST_F(Hosts, InitOfEveryClientIsUndoneToTheByte) {
  for (const std::string scope : {"", "--project", "--user"}) {
    write_configurations();
    const auto before = everything();
    const Outcome dry = codexmem("init --client all --dry-run " + scope);
    EXPECT_EQ(dry.code, 0) << dry.error;
    EXPECT_EQ(everything(), before) << "--dry-run writes nothing";
    const Outcome run = codexmem("init --client all " + scope);
    ASSERT_EQ(run.code, 0) << run.error;
    const auto configured = everything();
    EXPECT_NE(configured, before);
    const Outcome again = codexmem("init --client all " + scope);
    EXPECT_EQ(again.out.find("changed"), std::string::npos) << again.out;
    EXPECT_EQ(again.out.find("written"), std::string::npos) << again.out;
    EXPECT_EQ(everything(), configured);
    const Outcome undo = codexmem("uninit");
    EXPECT_EQ(undo.code, 0) << undo.error;
    EXPECT_EQ(everything(), before) << scope;
    EXPECT_EQ(codexmem("uninit").out, "") << "a second time there is nothing";
  }
}

TEST_F(Hosts, WhatWasChangedSinceLosesCodexmemAlone) {
  directory_.write("repo/.mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {} // one\n  }\n}\n");
  directory_.write("home/.codex/config.toml", "model = \"a\"\n");
  ASSERT_EQ(codexmem("init --client claude-code,codex,gemini").code, 0);
  const std::string server = *read_file(repo() / ".mcp.json");
  directory_.write("repo/.mcp.json", "// mine\n" + server);
  const std::string codex = *read_file(base() / "home/.codex/config.toml");
  directory_.write("home/.codex/config.toml", codex + "\n[projects.x]\na = 1\n");
  ASSERT_EQ(codexmem("uninit").code, 0);
  EXPECT_EQ(*read_file(repo() / ".mcp.json"),
            "// mine\n{\n  \"mcpServers\": {\n    \"a\": {} // one\n  }\n}\n");
  EXPECT_EQ(*read_file(base() / "home/.codex/config.toml"),
            "model = \"a\"\n\n[projects.x]\na = 1\n");
  EXPECT_FALSE(fs::exists(repo() / ".gemini"));
  EXPECT_FALSE(fs::exists(base() / "home/.claude"));
}

TEST_F(Hosts, WhatTheUserEditedIsLeftAndSaid) {
  directory_.write(
      "repo/.mcp.json",
      "{\"mcpServers\": {\"codexmem\": {\"command\": \"codexmem\", \"args\": [\"serve\"], "
      "\"env\": {\"CODEXMEM_TOOLS\": \"find_symbol\"}}}}");
  const std::string before = *read_file(repo() / ".mcp.json");
  const Outcome run = codexmem("init --client claude-code --no-hooks --no-git-hook");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.error.find("is your own"), std::string::npos) << run.error;
  const Outcome undo = codexmem("uninit");
  EXPECT_EQ(undo.code, 0);
  EXPECT_NE(undo.error.find("by hand"), std::string::npos) << undo.error;
  EXPECT_EQ(*read_file(repo() / ".mcp.json"), before);
}

TEST_F(Hosts, LinksStayLinksAndDeadOnesAreLeft) {
  const fs::path real = directory_.write("dotfiles/settings.json", "{\n}\n");
  fs::create_directories(base() / "home/.claude");
  fs::create_symlink(real, base() / "home/.claude/settings.json");
  fs::create_symlink(base() / "gone.json", repo() / ".mcp.json");
  const Outcome run = codexmem("init --client claude-code");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("a link that leads nowhere"), std::string::npos) << run.error;
  EXPECT_TRUE(fs::is_symlink(base() / "home/.claude/settings.json"));
  EXPECT_NE(read_file(real)->find("codexmem-hook"), std::string::npos);
  ASSERT_EQ(codexmem("uninit --client claude-code --user").code, 0);
  EXPECT_EQ(*read_file(real), "{\n}\n");
}

TEST_F(Hosts, ALinkOfTheRepositoryThatLeadsOutIsNotFollowed) {
  const fs::path outside = directory_.write("outside/settings.json", "{\n}\n");
  fs::create_symlink(outside.parent_path(), repo() / ".gemini");
  fs::create_symlink(outside, repo() / ".mcp.json");
  const Outcome run = codexmem("init --client claude-code,gemini --no-hooks");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("leads out of the repository"), std::string::npos) << run.error;
  EXPECT_EQ(*read_file(outside), "{\n}\n");
}

TEST_F(Hosts, HooksThatAreInTheRepositoryAreNotDoubledAtHome) {
  ASSERT_EQ(codexmem("init --client claude-code --project").code, 0);
  ASSERT_TRUE(fs::exists(repo() / ".claude/settings.json"));
  const Outcome run = codexmem("init --client claude-code");
  EXPECT_NE(run.error.find("the hooks are in"), std::string::npos) << run.error;
  EXPECT_FALSE(fs::exists(base() / "home/.claude/settings.json"));
}

TEST_F(Hosts, AClientIsConfiguredWhereThereIsASignOfIt) {
  fs::create_directories(base() / "home/.gemini");
  const Json shown = json("init --dry-run --json");
  ASSERT_EQ(shown["files"].size(), 3U) << shown.dump();
  EXPECT_EQ(shown["files"][0]["file"], ".gemini/settings.json");
  EXPECT_EQ(shown["files"][1]["file"], ".agents/skills/codexmem/SKILL.md");
  EXPECT_NE(shown["files"][0]["diff"].get<std::string>().find("+    \"codexmem\": {"),
            std::string::npos);
  EXPECT_EQ(codexmem("init --client emacs").code, 2);
  EXPECT_EQ(codexmem("init --user --project").code, 2);
}

TEST_F(Hosts, TheSkillIsWrittenOnceForAllUnlessItIsSomebodysOwn) {
  const fs::path shared = repo() / ".agents/skills/codexmem/SKILL.md";
  const fs::path claude = repo() / ".claude/skills/codexmem/SKILL.md";
  ASSERT_EQ(codexmem("init --client all").code, 0);
  const std::string text = *read_file(shared);
  EXPECT_TRUE(text.starts_with("---\nname: codexmem\ndescription: ")) << text;
  EXPECT_EQ(*read_file(claude), text);
  // Other clients read it.
  ASSERT_EQ(codexmem("uninit --client gemini").code, 0);
  EXPECT_TRUE(fs::exists(shared));
  directory_.write("repo/.agents/skills/codexmem/SKILL.md",
                   text + "\nAn old release wrote this.\n");
  directory_.write("repo/.claude/skills/codexmem/SKILL.md", "---\nname: codexmem\n---\nmine\n");
  const Outcome again = codexmem("init --client all");
  EXPECT_NE(again.error.find("init did not write it"), std::string::npos) << again.error;
  EXPECT_EQ(*read_file(shared), text);
  ASSERT_EQ(codexmem("init --client all --no-skill").code, 0);
  EXPECT_FALSE(fs::exists(shared.parent_path()));
  EXPECT_EQ(*read_file(claude), "---\nname: codexmem\n---\nmine\n");
  ASSERT_EQ(codexmem("init --client codex --tools memory").code, 0);
  EXPECT_FALSE(fs::exists(base() / "home/.agents")) << "it is about the code's tools";
  const Outcome gone = codexmem("uninit");
  ASSERT_EQ(gone.code, 0);
  EXPECT_NE((gone.out + gone.error).find("it is kept, for init did not write it"),
            std::string::npos)
      << gone.out << gone.error;
  EXPECT_TRUE(fs::exists(claude));
}

TEST_F(Hosts, WithoutAProgramInPathTheFilesNameItsPathAndSaySo) {
  const std::string program = CODEXMEM_PROGRAM_DIR "/codexmem";
  const fs::path tools = base() / "tools";  // without a codexmem that somebody installed
  fs::create_directory(tools);
  for (const std::string tool : {"git", "sh"}) fs::create_symlink("/usr/bin/" + tool, tools / tool);
  const Outcome run =
      shell("PATH='" + tools.string() + "' " + program + " init --client claude-code", repo());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.error.find("no codexmem in PATH, so the files"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("where the pre-commit hook looks"), std::string::npos) << run.error;
  EXPECT_EQ(Json::parse(*read_file(repo() / ".mcp.json"))["mcpServers"]["codexmem"]["command"],
            program);
  EXPECT_NE(read_file(base() / "home/.claude/settings.json")->find(program + "-hook claude-code"),
            std::string::npos);
  ASSERT_EQ(codexmem("uninit").code, 0);
  EXPECT_FALSE(fs::exists(repo() / ".mcp.json"));
}

TEST_F(Hosts, AHookThatIsALinkIsCalledAndItsScriptIsNotTouched) {
  for (const std::string script : {"#!/bin/sh\necho ran >> ran.txt\n",
                                   "#!/usr/bin/awk -f\nBEGIN { print \"ran\" >> \"ran.txt\" }\n"}) {
    const fs::path tracked = directory_.write("repo/scripts/pre-commit", script);
    fs::permissions(tracked, fs::perms::owner_all);
    const fs::path hook = repo() / ".git/hooks/pre-commit";
    fs::create_symlink("../../scripts/pre-commit", hook);
    ASSERT_EQ(codexmem("init --client vscode").code, 0);
    EXPECT_EQ(*read_file(tracked), script);
    EXPECT_FALSE(fs::is_symlink(hook));
    EXPECT_NE(read_file(hook)->find("codexmem"), std::string::npos);
    EXPECT_EQ(codexmem("init --client vscode").out.find("changed"), std::string::npos);
    git("add src");
    EXPECT_EQ(git("commit --quiet --allow-empty --message=one").code, 0);
    EXPECT_EQ(*read_file(repo() / "ran.txt"), "ran\n") << "the hook still runs";
    EXPECT_EQ(codexmem("index --quiet").code, 0);  // the run that the commit has begun is over
    ASSERT_EQ(codexmem("uninit").code, 0);
    EXPECT_EQ(fs::read_symlink(hook), "../../scripts/pre-commit");
    EXPECT_FALSE(fs::exists(fs::symlink_status(repo() / ".git/hooks/pre-commit.before-codexmem")));
    fs::remove(hook);
    fs::remove(repo() / "ran.txt");
  }
}

TEST_F(Hosts, TheGitHookGoesWithAllClientsAndStaysWithOne) {
  ASSERT_EQ(codexmem("init --client all").code, 0);
  const Outcome one = codexmem("uninit --client gemini");
  EXPECT_NE(one.error.find("--no-git-hook"), std::string::npos) << one.error;
  EXPECT_TRUE(fs::exists(repo() / ".git/hooks/pre-commit"));
  ASSERT_EQ(codexmem("uninit --client all").code, 0);
  EXPECT_FALSE(fs::exists(repo() / ".git/hooks/pre-commit"));
}

TEST_F(Hosts, WhatPreCommitRunsAlreadyIsNotRunTwice) {
  directory_.write("repo/.pre-commit-config.yaml", "hooks:\n- id: codexmem-index\n");
  const Outcome run = codexmem("init --client vscode");
  EXPECT_NE(run.error.find("codexmem-index already"), std::string::npos) << run.error;
  EXPECT_FALSE(fs::exists(repo() / ".git/hooks/pre-commit"));
}

TEST_F(Hosts, AFileOfTheRepositoryDoesNotSteerTheTerminal) {
  directory_.write("repo/.vscode/mcp.json", "{\n  // \x1b]0;mine\x07\n}\n");
  const Outcome run = codexmem("init --client vscode --dry-run");
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("]0;mine"), std::string::npos) << run.out;
}

TEST_F(Hosts, TheHomeIsNoRepository) {
  fs::create_directories(base() / "home");
  const Outcome run = shell("codexmem init", base() / "home");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("take --user"), std::string::npos) << run.error;
  EXPECT_TRUE(fs::is_empty(base() / "home"));
  EXPECT_EQ(shell("codexmem init --user --client codex", base() / "home").code, 0);
  EXPECT_EQ(shell("codexmem uninit --user", base() / "home").code, 0);
  EXPECT_FALSE(fs::exists(base() / "home/.codex"));
}

TEST_F(Hosts, WithoutAFileInTheRepositoryThereIsNothingToApprove) {
  const Outcome run = codexmem("init --client claude-code --user");
  EXPECT_EQ(run.out.find(".mcp.json"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("start a new session"), std::string::npos) << run.out;
}

TEST_F(Hosts, HuskysHooksNeedNotBeExecutable) {
  directory_.write("repo/.husky/_/h", "#!/bin/sh\n");
  directory_.write("repo/.husky/pre-commit", "npm test\n");
  git("config core.hooksPath .husky/_");
  ASSERT_EQ(codexmem("init --client vscode").code, 0);
  EXPECT_NE(read_file(repo() / ".husky/pre-commit")->find("codexmem"), std::string::npos);
  ASSERT_EQ(codexmem("uninit").code, 0);
  EXPECT_EQ(*read_file(repo() / ".husky/pre-commit"), "npm test\n");
}

TEST_F(Hosts, BytesThatAreNoUtf8ComeBackToo) {
  const std::string mine =
      "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [], // \xe9t\xe9\n"
      "    // \xff\n    \"stop\": []\n  }\n}\n";
  directory_.write("home/.cursor/hooks.json", mine);
  directory_.write("repo/.git/hooks/pre-commit", "# \xe9t\xe9\nexit 0 # \xff");
  fs::permissions(repo() / ".git/hooks/pre-commit", fs::perms::owner_all);
  ASSERT_EQ(codexmem("init --client cursor").code, 0);
  ASSERT_NE(*read_file(base() / "home/.cursor/hooks.json"), mine);
  ASSERT_EQ(codexmem("uninit").code, 0);
  EXPECT_EQ(*read_file(base() / "home/.cursor/hooks.json"), mine);
  EXPECT_EQ(*read_file(repo() / ".git/hooks/pre-commit"), "# \xe9t\xe9\nexit 0 # \xff");
}

TEST_F(Hosts, AHookThatIsSwitchedOffIsNotSwitchedOn) {
  directory_.write("repo/.git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
  const Outcome run = codexmem("init");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.error.find("not executable"), std::string::npos) << run.error;
  EXPECT_EQ(*read_file(repo() / ".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n");
}

TEST_F(CommandLine, InitLeavesSettingsItCannotMergeAndSaysWhatToAdd) {
  directory_.write("repo/.vscode/mcp.json", "{ \"servers\": { }; }");
  const Outcome run = codexmem("init");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("\"command\": \"codexmem\""), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("line 1 is not the JSON"), std::string::npos) << run.error;
  EXPECT_EQ(*read_file(repo() / ".vscode/mcp.json"), "{ \"servers\": { }; }");
}

TEST_F(CommandLine, InitChainsAHookOfAnotherLanguageAndGivesItBack) {
  const fs::path hook = directory_.write("repo/.git/hooks/pre-commit", "#!/usr/bin/awk -f\n");
  fs::permissions(hook, fs::perms::owner_all);
  ASSERT_EQ(codexmem("init").code, 0);
  EXPECT_EQ(*read_file(repo() / ".git/hooks/pre-commit.before-codexmem"), "#!/usr/bin/awk -f\n");
  ASSERT_EQ(codexmem("init --no-git-hook").code, 0);
  EXPECT_EQ(*read_file(hook), "#!/usr/bin/awk -f\n");
  EXPECT_FALSE(fs::exists(repo() / ".git/hooks/pre-commit.before-codexmem"));
}

TEST_F(CommandLine, InitLeavesHooksThatServeOtherRepositoriesAlone) {
  git("config core.hooksPath '" + (base() / "shared").string() + "'");
  const Outcome run = codexmem("init");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.error.find("other repositories"), std::string::npos) << run.error;
  EXPECT_FALSE(fs::exists(base() / "shared"));
}

TEST_F(CommandLine, TheHookOfALinkedWorktreeIsTheRepositorys) {
  git("add .");
  ASSERT_EQ(git("commit --quiet --message=one").code, 0);
  ASSERT_EQ(git("worktree add --quiet ../linked").code, 0);
  ASSERT_EQ(shell("codexmem init", base() / "linked").code, 0);
  EXPECT_TRUE(fs::exists(repo() / ".git/hooks/pre-commit"));
  EXPECT_TRUE(fs::exists(base() / "linked/.vscode/mcp.json"));
}

TEST_F(CommandLine, ACommitRefreshesTheIndexInTheBackground) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  ASSERT_EQ(codexmem("init").code, 0);
  directory_.write("repo/src/committed.ts", "export function madeByCommit() {}\n");
  git("add src");
  ASSERT_EQ(git("commit --quiet --message=one").code, 0);
  // The refresh goes on in the background.
  bool found = false;
  for (int tries = 0; tries < 1000 && !found; ++tries) {
    found = codexmem("symbol madeByCommit --no-refresh").code == 0;
  }
  EXPECT_TRUE(found);
  // Waits for the end of the run in the background, which would write into a folder that goes.
  EXPECT_EQ(codexmem("index --quiet").code, 0);
}

TEST_F(CommandLine, AHookThatCannotRefreshStopsNoCommit) {
  ASSERT_EQ(codexmem("init").code, 0);
  directory_.write("repo/.codexmem", "in the way");
  git("add src");
  EXPECT_EQ(git("commit --quiet --message=one").code, 0);
}

TEST_F(CommandLine, AnOptionThatThereIsNotNamesTheNearOne) {
  const Outcome run = codexmem("index --forse");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("there is no option --forse; did you mean --force?"), std::string::npos)
      << run.error;
  EXPECT_NE(codexmem("search a --limt=5").error.find("did you mean --limit?"), std::string::npos);
}

TEST_F(CommandLine, ExitCodesAreSaidOnce) {
  for (const std::string command : {"index", "check", "doctor"}) {
    const std::string help = codexmem(command + " --help").out;
    const std::size_t first = help.find("Exit codes: 0 ");
    ASSERT_NE(first, std::string::npos) << help;
    EXPECT_EQ(help.find("Exit codes", first + 1), std::string::npos) << help;
  }
}

TEST_F(CommandLine, AnUnknownPathNamesTheNearestOne) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const auto message = [&](const std::string& path) { return codexmem("deps " + path).error; };
  EXPECT_NE(message("lib/server/stor.ts").find("the nearest is 'src/store.ts'"), std::string::npos);
  EXPECT_NE(message("a/b/c/report.js").find("'tools/report.py'"), std::string::npos);
  EXPECT_NE(message("src").find("'src' is a folder"), std::string::npos);
}

TEST_F(CommandLine, StatusCountsPiecesAndFilesApart) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Json status = json("status --json");
  EXPECT_EQ(status["vectors"]["ofFiles"], status["files"]);
  EXPECT_EQ(status["vectors"]["ofPieces"], status["chunks"]);
}

TEST_F(CommandLine, StatusAndCheckNameTheKindOfVectorIndex) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Json vectors = json("status --json")["vectors"];
  EXPECT_EQ(vectors["index"], "IDMap,SQ8 (flat, inner product)");
  EXPECT_EQ(vectors["indexed"], vectors["count"]);
  const std::string count = vectors["count"].dump();
  const Outcome status = codexmem("status");
  EXPECT_NE(status.out.find("FAISS IDMap,SQ8 (flat, inner product), " + count + " vectors of 128"),
            std::string::npos)
      << status.out;
  const Outcome checked = codexmem("debug check");
  EXPECT_NE(checked.out.find("FAISS finds the same in IDMap,SQ8 (flat, inner product): " + count +
                             " vectors of 128"),
            std::string::npos)
      << checked.out;
}

TEST_F(CommandLine, StatusAndIndexCountVectorsAndShowTimesAlike) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const std::string count = json("status --json")["vectors"]["count"].dump();
  const Outcome again = codexmem("index");
  EXPECT_NE(again.out.find(" " + count + " vectors ("), std::string::npos) << again.out;
  const Outcome status = codexmem("status");
  EXPECT_NE(status.out.find("vectors       " + count + ": "), std::string::npos) << status.out;
  const Outcome dated = shell("TZ=UTC codexmem status", repo());
  const std::regex moment("[A-Z][a-z]{2} [0-9]+, 2[0-9]{3} [0-9]+:[0-9]{2} [AP]M");
  EXPECT_TRUE(std::regex_search(dated.out, moment)) << dated.out;
  const Outcome why = codexmem("status --why src/store.ts");
  EXPECT_TRUE(std::regex_search(why.out, moment)) << why.out;
}

TEST_F(CommandLine, ARepositoryInsideAnotherIsOneOfItsOwn) {
  directory_.write("repo/inner/only.py", "def only_here(): pass\n");
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  ASSERT_EQ(shell("git init --quiet", repo() / "inner").code, 0);
  const Outcome run = shell("codexmem status", repo() / "inner");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.error.find("repo/inner is not indexed yet"), std::string::npos) << run.error;
  EXPECT_EQ(shell("codexmem symbol findUser --no-refresh", repo() / "src").code, 0);
}

TEST_F(CommandLine, ACommitInARepositoryInsideAnotherRefreshesTheIndexThatHoldsIt) {
  directory_.write("repo/inner/only.py", "def only_here(): pass\n");
  ASSERT_EQ(shell("git init --quiet", repo() / "inner").code, 0);
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  directory_.write("repo/inner/.git/hooks/pre-commit", "#!/bin/sh\ncodexmem index --staged -q\n");
  fs::permissions(repo() / "inner/.git/hooks/pre-commit", fs::perms::owner_all);
  directory_.write("repo/inner/only.py", "def committed_here(): pass\n");
  directory_.write("repo/inner/loose.py", "def loose_here(): pass\n");
  directory_.write("repo/src/staged.ts", "export function stagedElsewhere() {}\n");
  git("add src");
  ASSERT_EQ(shell("git add only.py", repo() / "inner").code, 0);
  const Outcome commit =
      shell("git -c user.name=t -c user.email=t@t commit --quiet -m inner", repo() / "inner");
  ASSERT_EQ(commit.code, 0) << commit.error;
  EXPECT_FALSE(fs::exists(repo() / "inner/.codexmem"));
  EXPECT_EQ(codexmem("symbol committed_here --no-refresh").code, 0);
  EXPECT_EQ(codexmem("symbol loose_here --no-refresh").code, 1);
  EXPECT_EQ(codexmem("symbol stagedElsewhere --no-refresh").code, 1);
}

TEST_F(CommandLine, NeverIndexedPathsAreNotCalledMissing) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  for (const char* path : {".git", ".git/config", ".codexmem", ".codexmem/index.db"}) {
    const Outcome run = codexmem(std::string("status --why ") + path);
    EXPECT_EQ(run.code, 0) << path;
    EXPECT_NE(run.out.find("skipped, own_data: "), std::string::npos) << run.out;
  }
  EXPECT_EQ(codexmem("status --why .github").code, 1);
}

TEST_F(CommandLine, StagedReadsNothingElse) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  directory_.write("repo/src/staged.ts", "export function isStaged() {}\n");
  directory_.write("repo/src/loose.ts", "export function isLoose() {}\n");
  git("add src/staged.ts");
  ASSERT_EQ(codexmem("index --staged --quiet").code, 0);
  EXPECT_EQ(codexmem("symbol isStaged --no-refresh").code, 0);
  EXPECT_EQ(codexmem("symbol isLoose --no-refresh").code, 1);
}

TEST_F(CommandLine, MemoryIsSavedFoundAndShown) {
  const Outcome saved = codexmem(
      "memory save 'greet() asks the store for each name' --title 'How greeting works' "
      "--type discovery --file src/app.ts");
  EXPECT_EQ(saved.code, 0) << saved.error;
  EXPECT_EQ(saved.out, "saved as #1  How greeting works in repo\n");
  EXPECT_EQ(shell("sh -c \"echo from a pipe | codexmem memory save - --type change\"", repo()).code,
            0);
  const Json again = json("memory save 'from a pipe' --type change --json");
  EXPECT_EQ(again["id"], "2");
  EXPECT_EQ(again["duplicate"], true);

  const Outcome found = codexmem("memory search who greets by name");
  EXPECT_EQ(found.code, 0) << found.error;
  EXPECT_NE(found.out.find("#1"), std::string::npos) << found.out;
  EXPECT_EQ(found.out.find('\x1b'), std::string::npos);
  EXPECT_NE(codexmem("memory search greeting --json").out.find(R"("project":"repo")"),
            std::string::npos);
  // The piece that answers, with the words of the query in colour.
  const Outcome colours = codexmem("memory search greets --color always");
  EXPECT_NE(colours.out.find("\x1b[1;31m"), std::string::npos) << colours.out;
  EXPECT_EQ(codexmem("memory search zebra").code, 1);
  for (const char* newest : {"memory search", "memory list"}) {
    const Outcome listed = codexmem(newest);
    EXPECT_EQ(listed.code, 0) << listed.error;
    EXPECT_LT(listed.out.find("#2"), listed.out.find("#1")) << listed.out;
  }
  EXPECT_NE(codexmem("memory timeline '#2'").out.find(">    #2"), std::string::npos);
  EXPECT_EQ(codexmem("memory timeline 99").code, 1);
  const Outcome whole = codexmem("memory get 1 99");
  EXPECT_NE(whole.out.find("greet() asks the store"), std::string::npos) << whole.out;
  EXPECT_NE(whole.out.find("there is no: 99"), std::string::npos) << whole.out;
  EXPECT_EQ(codexmem("memory get 99").code, 1);
}

TEST_F(CommandLine, MemoryReportsChangesOfTheCodeThatItCites) {
  EXPECT_EQ(codexmem("index --quiet").code, 0);
  EXPECT_EQ(codexmem("memory save 'report is made by render_report()'").code, 0);
  EXPECT_NE(codexmem("memory get 1").out.find("render_report unchanged"), std::string::npos);
  directory_.write("repo/tools/report.py",
                   "def draw_report(rows):\n"
                   "    \"\"\"Renders rows as a table.\"\"\"\n"
                   "    return rows\n");
  const Outcome renamed = codexmem("memory get 1");
  EXPECT_NE(renamed.out.find("unchanged, now tools/report.py draw_report"), std::string::npos)
      << renamed.out;
  directory_.write("repo/tools/report.py", "def render_report(rows):\n    return sorted(rows)\n");
  EXPECT_NE(codexmem("memory search report").out.find("code has changed"), std::string::npos);
}

TEST_F(CommandLine, MemoryIsCheckedTrimmedAndMoved) {
  const std::string secret = std::string("gh") + "p_Zk3Vq8Lm1Wd7Rt5Xy9Bn2Hc4Jf6Gs0Pa7Ue1";
  const Outcome blocked = codexmem("memory check 'token " + secret + "'");
  EXPECT_EQ(blocked.code, 2);
  EXPECT_NE(blocked.out.find("1:7"), std::string::npos) << blocked.out;
  EXPECT_EQ(blocked.out.find("Zk3Vq8Lm"), std::string::npos) << "the value is never shown";
  EXPECT_EQ(codexmem("memory save 'token " + secret + "'").code, 2);
  EXPECT_EQ(codexmem("memory check 'a harmless text'").code, 0);

  EXPECT_EQ(codexmem("memory save 'an old story'").code, 0);
  EXPECT_EQ(codexmem("memory export out.jsonl").code, 0);
  EXPECT_EQ(codexmem("memory export out.jsonl").code, 0);
  EXPECT_EQ(codexmem("memory export /dev/null").code, 2);
  EXPECT_EQ(fs::status(repo() / "out.jsonl").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(codexmem("memory retention").code, 1);
  const Outcome plan = codexmem("memory retention --max-age 0.00000001");
  EXPECT_NE(plan.out.find("#1      just now  an old story\n"), std::string::npos) << plan.out;
  EXPECT_EQ(json("memory retention --max-age 0.00000001 --json")["mode"], "dry-run");
  EXPECT_EQ(codexmem("memory get 1").code, 0) << "a plan removes nothing";
  const Json done = json("memory retention --max-age 0.00000001 --yes --json");
  EXPECT_EQ(done["mode"], "executed");
  EXPECT_EQ(done["removed"], 1);
  EXPECT_EQ(done["candidate_ids"], Json::array({"1"}));
  EXPECT_EQ(codexmem("memory get 1").code, 1);
  EXPECT_EQ(codexmem("memory import out.jsonl").code, 0);
  EXPECT_EQ(codexmem("memory search old story").code, 0);
}

TEST_F(CommandLine, MemoryIsForgottenById) {
  for (const char* text : {"one", "two", "three"}) {
    ASSERT_EQ(codexmem(std::string("memory save ") + text + (*text == 'o' ? " --pin" : "")).code,
              0);
  }
  const Outcome shown = codexmem("memory forget '#1,3'");
  EXPECT_EQ(shown.code, 0) << shown.error;
  EXPECT_NE(shown.out.find("#1      just now  (pinned) one\n"), std::string::npos) << shown.out;
  EXPECT_NE(shown.error.find("--yes"), std::string::npos) << shown.error;
  EXPECT_EQ(codexmem("memory get 1,3").code, 0) << "nothing was removed";
  const Json done = json("memory forget 1 3 3 99 --yes --json");
  EXPECT_EQ(done["removed"], 2);
  EXPECT_EQ(codexmem("memory get 1,3").code, 1);
  EXPECT_EQ(codexmem("memory get 2").code, 0);
  EXPECT_EQ(codexmem("memory forget 1 --yes").code, 1);
  EXPECT_EQ(codexmem("memory forget S1 --yes").code, 1);
  EXPECT_EQ(codexmem("memory forget decision_1.md --yes").code, 2);
}

TEST_F(CommandLine, PagesAndPinsAreReported) {
  for (int i = 1; i <= 5; ++i) {
    ASSERT_EQ(
        codexmem(fmt::format("memory save 'pager number {}' --pin --metadata '{{\"n\":{}}}'", i, i))
            .code,
        0);
  }
  const Outcome page = codexmem("memory search pager --limit 2 --offset 2");
  EXPECT_NE(page.out.find("3-4 of 5, --offset 4 goes on"), std::string::npos) << page.out;
  const Outcome last = codexmem("memory search pager --limit 2 --offset 4");
  EXPECT_NE(last.out.find("5-5 of 5\n"), std::string::npos) << last.out;
  const Outcome whole = codexmem("memory get 1");
  EXPECT_NE(whole.out.find("pinned"), std::string::npos) << whole.out;
  EXPECT_NE(whole.out.find("metadata: {\"n\":1}"), std::string::npos) << whole.out;
  EXPECT_EQ(codexmem("memory retention --max-age 0.00000001").code, 1);
}

TEST_F(CommandLine, TimesAtTheShellAreLocal) {
  ASSERT_EQ(codexmem("memory save 'a story of today'").code, 0);
  for (const char* since : {"today", "yesterday", "7d", "12h", "monday"}) {
    EXPECT_EQ(codexmem(std::string("memory list --from ") + since).code, 0) << since;
  }
  EXPECT_EQ(codexmem("memory list --to yesterday").code, 1);
  EXPECT_EQ(codexmem("memory timeline today").code, 0);
  // The same moment, typed in two zones.
  const std::string utc = shell("date -u +%Y-%m-%dT%H:%M", repo()).out;
  const std::string minute = utc.substr(0, utc.size() - 1);
  EXPECT_EQ(shell("TZ=UTC+5 codexmem memory list --from " + minute, repo()).code, 1);
  EXPECT_EQ(shell("TZ=UTC-5 codexmem memory list --from " + minute, repo()).code, 0);
  const Outcome wrong = codexmem("memory list --from someday");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.error.find("--from must be a date"), std::string::npos) << wrong.error;
}

TEST_F(CommandLine, AWrongCommandLineIsReportedInItsOwnWords) {
  EXPECT_NE(codexmem("memory list --limit x").error.find("--limit must be a number, got \"x\""),
            std::string::npos);
  EXPECT_NE(codexmem("memory list --limit").error.find("--limit needs a value"), std::string::npos);
  EXPECT_NE(codexmem("memory list words").error.find("\"words\" is a word too many"),
            std::string::npos);
  const Outcome dash = codexmem("memory search less -R");
  EXPECT_EQ(dash.code, 2);
  EXPECT_NE(dash.error.find("behind --"), std::string::npos) << dash.error;
  EXPECT_EQ(codexmem("memory save 'less -R keeps colours'").code, 0);
  EXPECT_EQ(codexmem("memory search -- less -R").code, 0);
  EXPECT_EQ(codexmem("memory search 'less -R'").code, 0);
  const Outcome relative = shell("CODEXMEM_DATA_DIR=here codexmem memory list", repo());
  EXPECT_EQ(relative.code, 2);
  EXPECT_NE(relative.error.find("must be an absolute path"), std::string::npos) << relative.error;
  EXPECT_FALSE(fs::exists(repo() / "here"));
}

TEST_F(CommandLine, DecisionsNeedASecretAndAreAPersons) {
  const std::string record =
      "decision record 'Use SQLite' --target database --rationale 'One file and no server' --json";
  const Outcome refused = codexmem(record);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.error.find("Permission Denied"), std::string::npos) << refused.error;
  EXPECT_NE(refused.error.find("AGENT_MEMORY_SECRET to be set"), std::string::npos);
  EXPECT_NE(refused.error.find("`codexmem init --decisions`"), std::string::npos) << refused.error;
  const Outcome viewer =
      shell("AGENT_MEMORY_SECRET=s codexmem " + record + " --role viewer", repo());
  EXPECT_NE(viewer.error.find("the role viewer was asked for"), std::string::npos) << viewer.error;
  const Outcome wrong =
      shell("AGENT_MEMORY_SECRET=s AGENT_MEMORY_SECRET_SHA256=00 codexmem " + record, repo());
  EXPECT_NE(wrong.error.find("SHA256 asks for)"), std::string::npos) << wrong.error;
  const auto with_secret = [&](const std::string& words) {
    return shell("AGENT_MEMORY_SECRET=s codexmem " + words, repo());
  };
  const Json recorded = Json::parse(with_secret(record).out, nullptr, false);
  ASSERT_TRUE(recorded.is_object());
  const std::string id = recorded["decision_id"];
  EXPECT_NE(codexmem("decision search database").out.find("by human"), std::string::npos);
  EXPECT_NE(codexmem("decision show " + id).out.find("One file and no server"), std::string::npos);
  const Outcome taken = with_secret(
      "decision record 'Use files' --target database --rationale "
      "'Because they are there'");
  EXPECT_EQ(taken.code, 2);
  EXPECT_NE(taken.error.find("codexmem decision supersede ... --old " + id), std::string::npos)
      << taken.error;
  EXPECT_EQ(with_secret("decision supersede 'Use Postgres' --target database --rationale "
                        "'Many writers at once' --old " +
                        id)
                .code,
            0);
  EXPECT_EQ(json("decision list --status superseded --json")[0]["id"], id);
  EXPECT_EQ(codexmem("decision list --status superseded").out,
            id.substr(0, id.size() - 3) + "  superseded  database: Use SQLite\n");
  EXPECT_NE(codexmem("decision log").out.find("Permission Denied"), std::string::npos);
  EXPECT_EQ(codexmem("decision show nothing").code, 1);
}

TEST_F(CommandLine, AGroupOfCommandsHasItsOwnHelp) {
  const Outcome help = codexmem("memory --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("retention"), std::string::npos) << help.out;
  EXPECT_EQ(codexmem("memory").code, 2);
  EXPECT_NE(codexmem("memory serch").error.find("codexmem memory search"), std::string::npos);
  EXPECT_NE(codexmem("help decision record").out.find("--rationale"), std::string::npos);
}

TEST_F(CommandLine, AServerInTheHomeDirectoryWaitsForRoots) {
  directory_.write(
      "home/in.jsonl",
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
      "\n"
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"save_memory",)"
      R"("arguments":{"text":"at home"}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"find_symbol",)"
      R"("arguments":{"symbol":"a"}}})"
      "\n");
  const Outcome run = shell("sh -c 'codexmem serve < in.jsonl'", base() / "home");
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("Memory saved as observation #1"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\"find_symbol\""), std::string::npos);
  EXPECT_NE(run.out.find("no repository is known yet"), std::string::npos) << run.out;
  EXPECT_NE(run.error.find("code tools wait for a client that names its roots"), std::string::npos)
      << run.error;
  EXPECT_EQ(codexmem("index '" + (base() / "home").string() + "'").code, 2);
}

TEST_F(CommandLine, AWorkerIsStartedFoundAndStopped) {
  const Outcome none = codexmem("worker status");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "no worker runs\n");
  EXPECT_EQ(codexmem("worker stop").code, 1);
  EXPECT_EQ(codexmem("worker start --port many").code, 2);

  const Outcome started = codexmem("worker start --port 0");
  ASSERT_EQ(started.code, 0) << started.error;
  EXPECT_NE(started.out.find("was started at http://127.0.0.1:"), std::string::npos) << started.out;
  const Outcome again = codexmem("worker start --port 0");
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_NE(again.out.find("runs at http://127.0.0.1:"), std::string::npos) << again.out;
  const Outcome second = codexmem("worker run --port 0");
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.error.find("a worker runs already"), std::string::npos) << second.error;
  const Json status = json("worker status --json");
  EXPECT_TRUE(status["running"].get<bool>());
  EXPECT_TRUE(status["ready"].get<bool>());

  const Outcome stopped = codexmem("worker stop");
  EXPECT_EQ(stopped.code, 0) << stopped.error;
  EXPECT_EQ(codexmem("worker status").code, 1);
  EXPECT_FALSE(fs::exists(base() / "home/.codexmem/worker.json"));
}

TEST_F(CommandLine, UninitStopsTheWorkerOnceNoHookIsLeft) {
  ASSERT_EQ(codexmem("init --client claude-code,codex").code, 0);
  ASSERT_EQ(codexmem("worker start --port 0").code, 0);
  const Outcome one = codexmem("uninit --client codex");
  EXPECT_NE(one.out.find("still runs for the hooks that are left"), std::string::npos) << one.out;
  EXPECT_NE(codexmem("uninit --dry-run").out.find("is stopped"), std::string::npos);
  EXPECT_EQ(codexmem("worker status").code, 0);
  const Outcome all = codexmem("uninit");
  EXPECT_NE(all.out.find("stopped"), std::string::npos) << all.out;
  EXPECT_EQ(codexmem("worker status").code, 1);
  EXPECT_EQ(codexmem("uninit").out, "");
}

TEST_F(CommandLine, InitChoosesTheToolsOfTheServer) {
  EXPECT_EQ(codexmem("init --client claude-code --tools some").code, 2);
  const Outcome shown = codexmem("init --client claude-code --tools memory --dry-run");
  EXPECT_NE(shown.out.find("\"CODEXMEM_TOOLS\": \"memory\""), std::string::npos) << shown.out;
  ASSERT_EQ(codexmem("init --client claude-code --tools code").code, 0);
  const fs::path file = repo() / ".mcp.json";
  EXPECT_NE(read_file(file)->find("\"CODEXMEM_TOOLS\": \"code\""), std::string::npos);
  ASSERT_EQ(codexmem("init --client claude-code").code, 0);
  EXPECT_NE(read_file(file)->find("CODEXMEM_TOOLS"), std::string::npos) << "it stays";
  ASSERT_EQ(codexmem("init --client claude-code --tools all").code, 0);
  EXPECT_EQ(read_file(file)->find("CODEXMEM_TOOLS"), std::string::npos);
}

TEST_F(CommandLine, InitSaysWhereTheMemoryIsInTheUsersFilesAlone) {
  const std::string data = (base() / "data").string();
  const Outcome run =
      shell("CODEXMEM_DATA_DIR='" + data + "' codexmem init --client codex,claude-code", repo());
  ASSERT_EQ(run.code, 0) << run.error;
  const auto holds = [&](const fs::path& path) {
    const auto text = read_file(path);
    return text.ok() && text->find(data) != std::string::npos;
  };
  EXPECT_TRUE(holds(base() / "home/.codex/config.toml"));
  EXPECT_TRUE(holds(base() / "home/.codex/hooks.json"));
  // Server and hooks of Claude Code have it from Claude Code, or neither has.
  EXPECT_FALSE(holds(repo() / ".mcp.json"));
  EXPECT_FALSE(holds(base() / "home/.claude/settings.json"));
  EXPECT_NE(run.out.find("start it with"), std::string::npos) << run.out;
  const std::string before = *read_file(base() / "home/.codex/config.toml");
  const Outcome again = codexmem("init --client codex");
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(*read_file(base() / "home/.codex/config.toml"), before) << "a shell without it";
  ASSERT_EQ(codexmem("uninit").code, 0);
  EXPECT_FALSE(holds(base() / "home/.codex/config.toml"));
}

TEST_F(CommandLine, InitOffersTheSecretThatDecisionsNeed) {
  const std::string serve =
      "printf '%s\n' "
      R"('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' )"
      R"('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"record_decision","arguments":{"title":"Tabs","target":"style","rationale":"Tabs are narrower"}}}' )"
      "| codexmem serve";
  const fs::path settings = base() / "home/.codexmem/settings.json";
  const Outcome offered = codexmem("init --client vscode");
  EXPECT_NE(offered.out.find("codexmem init --decisions"), std::string::npos) << offered.out;
  EXPECT_FALSE(fs::exists(settings));
  directory_.write("repo/ask.sh", serve + "\n");
  const Outcome refused = shell("sh ask.sh", repo());
  EXPECT_EQ(refused.out.find("or supersede_decision"), std::string::npos) << refused.out;
  EXPECT_NE(refused.out.find("Permission Denied"), std::string::npos) << refused.out;

  EXPECT_EQ(codexmem("init --client vscode --decisions --dry-run").code, 0);
  EXPECT_FALSE(fs::exists(settings));
  const Outcome made = codexmem("init --client vscode --decisions");
  ASSERT_EQ(made.code, 0) << made.error;
  EXPECT_EQ(fs::status(settings).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto text = read_file(settings);
  ASSERT_TRUE(text.ok());
  const std::string secret = Json::parse(*text)["agentMemorySecret"];
  EXPECT_EQ(secret.size(), 64U);
  EXPECT_EQ((made.out + made.error).find(secret), std::string::npos);
  EXPECT_EQ(made.out.find("codexmem init --decisions"), std::string::npos) << made.out;
  const Outcome recorded = shell("sh ask.sh", repo());
  EXPECT_NE(recorded.out.find("or supersede_decision"), std::string::npos) << recorded.out;
  EXPECT_NE(recorded.out.find("\"status\":\"success\""), std::string::npos) << recorded.out;
  EXPECT_EQ(codexmem("init --client vscode --decisions").code, 0);
  EXPECT_EQ(*read_file(settings), *text) << "one that is there stays";
}

TEST_F(CommandLine, InitSaysWhichKeyIsNotUsedAndWhatItWouldCost) {
  const Outcome run = shell("OPENAI_API_KEY=x codexmem init --client vscode", repo());
  EXPECT_NE(run.out.find("OPENAI_API_KEY was found"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("charges"), std::string::npos) << run.out;
  EXPECT_EQ(codexmem("init --client vscode").out.find("OPENAI_API_KEY"), std::string::npos);
}

TEST_F(CommandLine, StatusSaysInJsonWhereDataGoes) {
  ASSERT_EQ(codexmem("index --quiet").code, 0);
  const Json status = json("status --json");
  EXPECT_EQ(status["project"], "repo");
  EXPECT_EQ(status["dataGoesTo"], "nowhere: rules on this machine");
  EXPECT_TRUE(status["hint"].is_null());
  const Outcome found = shell("OPENAI_API_KEY=x codexmem status --json", repo());
  EXPECT_NE(found.out.find("OPENAI_API_KEY was found"), std::string::npos) << found.out;
}

// New user 7, 17: nobody could see why nothing was recorded.
TEST_F(CommandLine, WhatHooksRefusedIsInTheWorkersStatus) {
  fs::create_directories(base() / "home/.codexmem");
  const Outcome refused = shell("codexmem hook codex observe </dev/null", base());
  EXPECT_EQ(refused.code, 0);
  EXPECT_NE(refused.error.find("no event \"observe\""), std::string::npos) << refused.error;
  const Json spool = Json::parse(codexmem("worker status --json").out)["spool"];
  EXPECT_EQ(spool["refused"]["unknown_event"], 1);
  EXPECT_TRUE(spool["lastRefusedAt"].is_string());
}

// Hooks of several sessions start it at once.
TEST_F(CommandLine, WorkersThatAreStartedAtOnceAreOne) {
  const Outcome all = shell(
      "sh -c 'for i in 1 2 3 4 5; do (codexmem worker start --port 0 >/dev/null 2>&1; echo $?) & "
      "done; wait'",
      base());
  EXPECT_EQ(all.out, "0\n0\n0\n0\n0\n");
  const Outcome elsewhere = codexmem("worker start --port 1");
  EXPECT_EQ(elsewhere.code, 0);
  EXPECT_NE(elsewhere.out.find("not at port 1"), std::string::npos) << elsewhere.out;
  EXPECT_EQ(codexmem("worker stop").code, 0);
}

TEST_F(CommandLine, AHangingWorkerDelaysNothing) {
  ASSERT_EQ(codexmem("worker start --port 0").code, 0);
  const Json shown = json("worker status --json");
  EXPECT_EQ(shown["provider"]["provider"], "rule-based");
  const std::string pid = std::to_string(shown["pid"].get<int>());
  shell("kill -STOP " + pid, base());
  const Outcome quiet = codexmem("worker start --quiet");
  const Outcome status = codexmem("worker status");
  shell("kill -CONT " + pid, base());
  EXPECT_EQ(quiet.code, 0);
  EXPECT_NE(quiet.error.find("kill -9 " + pid), std::string::npos) << quiet.error;
  EXPECT_EQ(status.code, 2);
  EXPECT_NE(status.out.find("does not answer"), std::string::npos) << status.out;
  EXPECT_EQ(codexmem("worker stop").code, 0);
}

TEST_F(CommandLine, TheLogHasTimesAndIsKept) {
  const Outcome started = shell(
      "env CODEXMEM_OPENAI_BASE_URL=http://localhost:9 codexmem worker start --port 0", base());
  EXPECT_NE(started.out.find("observations by rules: CODEXMEM_OPENAI_MODEL is not set"),
            std::string::npos)
      << started.out;
  const fs::path log = base() / "home/.codexmem/worker.log";
  EXPECT_NE(started.out.find(log.string()), std::string::npos) << started.out;
  // A descriptor of whoever starts it is not the worker's.
  EXPECT_EQ(codexmem("worker stop").code, 0);
  EXPECT_EQ(shell("sh -c 'exec 7</dev/zero; codexmem worker start --port 0'", base()).code, 0);
  const int pid = json("worker status --json")["pid"].get<int>();
  std::error_code failed;
  for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    EXPECT_NE(fs::read_symlink(file.path(), failed), "/dev/zero");
  }
  EXPECT_EQ(codexmem("worker stop").code, 0);
  const auto text = read_file(log);
  ASSERT_TRUE(text.ok());
  std::size_t starts = 0;
  for (std::size_t at = 0;
       (at = text->find("Z codexmem: the worker listens", at)) != std::string::npos; ++at) {
    ++starts;
  }
  EXPECT_EQ(starts, 2U) << *text;
  fs::remove(log);
  fs::create_symlink(base() / "elsewhere", log);
  EXPECT_EQ(codexmem("worker start --port 0").code, 2);
  EXPECT_FALSE(fs::exists(base() / "elsewhere"));
}

TEST_F(CommandLine, AnOptionThatIsAWordIsReported) {
  const Outcome run =
      codexmem("decision record --title x --target y --rationale 'because of reasons'");
  EXPECT_NE(run.error.find("TITLE stands as a word"), std::string::npos) << run.error;
}

TEST_F(CommandLine, AWorkerThatCannotStartSaysWhy) {
  directory_.write("home/.codexmem/memory.db", "this is no database, but a text of some length");
  const Outcome started = codexmem("worker start --port 0");
  EXPECT_EQ(started.code, 2);
  EXPECT_NE(started.error.find("memory.db"), std::string::npos) << started.error;
}

TEST_F(CommandLine, SettingsOfTheUserAndTheRepositoryHold) {
  directory_.write("home/.codexmem/settings.json",
                   "{\n  // mine\n  \"log\": \"error\", \"openaiApiKey\": \"k-123\",\n"
                   "  \"chromaUrl\": \"http://me:hush@chroma.example\",\n}\n");
  directory_.write("repo/codexmem.json",
                   R"({"project": "shop", "tools": ["code"], "workerPort": 1, "scpe": "project"})");
  const Outcome list = codexmem("config list --origin");
  EXPECT_EQ(list.code, 0) << list.error;
  EXPECT_NE(list.out.find("user         http://...@chroma.example\n"), std::string::npos)
      << list.out;
  EXPECT_NE(list.out.find("project      shop\n"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("user         set\n"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("default      37877\n"), std::string::npos) << list.out;
  EXPECT_EQ((list.out + list.error).find("k-123"), std::string::npos);
  EXPECT_EQ((list.out + list.error).find("hush"), std::string::npos);
  EXPECT_NE(list.error.find("workerPort: may not be set by a repository"), std::string::npos);
  EXPECT_NE(list.error.find("did you mean \"scope\"?"), std::string::npos) << list.error;
  const Json shown = json("config list --json");
  EXPECT_EQ(shown["problems"].size(), 2U);
  EXPECT_EQ(shown["settings"][1]["key"], "project");
  EXPECT_EQ(shown["settings"][1]["value"], "shop");
  EXPECT_EQ(shown["settings"][1]["origin"], "project");
  EXPECT_EQ(shown["settings"][1]["file"], (repo() / "codexmem.json").string());

  EXPECT_EQ(codexmem("config get CODEXMEM_PROJECT").out, "shop\n");
  EXPECT_EQ(shell("CODEXMEM_PROJECT=mine codexmem config get project --origin", repo()).out,
            "mine\nenvironment\n");
  EXPECT_EQ(codexmem("config get openaiApiKey").out, "set\n");
  EXPECT_EQ(codexmem("config get openaiModel").code, 1);
  const Outcome unknown = codexmem("config get tool");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.error.find("did you mean \"tools\"?"), std::string::npos) << unknown.error;
  EXPECT_EQ(codexmem("config path").out, (repo() / "codexmem.json").string() + "\n" +
                                             (base() / "home/.codexmem/settings.json").string() +
                                             "\n");
  EXPECT_EQ(json("config schema --project")["properties"].contains("openaiApiKey"), false);

  // A saved entry belongs to the project; readers of the settings report problems, at the level
  // that they set.
  const Outcome saved = codexmem("memory save 'the total is in cents' --json");
  EXPECT_EQ(Json::parse(saved.out, nullptr, false)["project"], "shop") << saved.out << saved.error;
  EXPECT_EQ(saved.error.find("workerPort"), std::string::npos) << saved.error;
}

TEST_F(CommandLine, SettingsAreSetAndUnsetAndCommentsStay) {
  const fs::path user = base() / "home/.codexmem/settings.json";
  EXPECT_EQ(codexmem("config unset workerPort").code, 1);
  EXPECT_FALSE(fs::exists(user));
  EXPECT_EQ(codexmem("config set workerPort 40000").code, 0);
  EXPECT_EQ(*read_file(user), "{\n  \"workerPort\": 40000\n}\n");
  EXPECT_EQ(fs::status(user).permissions(), fs::perms(0600));
  EXPECT_EQ(codexmem("config get workerPort").out, "40000\n");
  EXPECT_EQ(shell("sh -c 'echo k-123 | codexmem config set openaiApiKey -'", repo()).code, 0);
  const Outcome over = shell("CODEXMEM_WORKER_PORT=7 codexmem config set workerPort 8", repo());
  EXPECT_NE(over.error.find("the environment (CODEXMEM_WORKER_PORT)"), std::string::npos)
      << over.error;
  EXPECT_EQ(codexmem("config unset openaiApiKey").code, 0);
  EXPECT_EQ(*read_file(user), "{\n  \"workerPort\": 8\n}\n");
  fs::permissions(user, fs::perms(0644));
  EXPECT_EQ(codexmem("config set workerPort 9").code, 0);
  EXPECT_EQ(fs::status(user).permissions(), fs::perms(0600));  // what codexmem writes
  EXPECT_EQ(codexmem("config set chromaToken k-9").code, 0);
  EXPECT_EQ(fs::status(user).permissions(), fs::perms(0600));
  EXPECT_EQ(codexmem("config unset chromaToken").code, 0);
  const Outcome last = codexmem("config unset workerPort");
  EXPECT_EQ(last.code, 0);
  EXPECT_NE(last.out.find("was removed"), std::string::npos) << last.out;
  EXPECT_FALSE(fs::exists(user));
  EXPECT_EQ(codexmem("config set log off").code, 0);
  EXPECT_EQ(*read_file(user), "{\n  \"log\": \"off\"\n}\n");

  directory_.write("repo/codexmem.json", "{\n  // ours\n  \"scope\": \"project\", // why\n}\n");
  EXPECT_EQ(codexmem("config set tools 'code, memory' --project").code, 0);
  const std::string both = *read_file(repo() / "codexmem.json");
  EXPECT_NE(both.find("// ours\n  \"scope\": \"project\", // why\n"), std::string::npos) << both;
  EXPECT_EQ(codexmem("config get tools").out, "code,memory\n");
  for (const char* wrong :
       {"config set workerPort 70000", "config set workerPort ''", "config set scope all --project",
        "config set nothing 1", "config set openaiApiKey k --project",
        "config set CODEXMEM_DATA_DIR /x", "config set tools code --project --user"}) {
    const Outcome run = codexmem(wrong);
    EXPECT_EQ(run.code, 2) << wrong << run.out;
    EXPECT_NE(run.error, "") << wrong;
  }
  EXPECT_EQ(*read_file(repo() / "codexmem.json"), both);

  // A file in which nothing is left is removed; with a comment, or as a link, it stays.
  EXPECT_EQ(codexmem("config unset tools --project").code, 0);
  EXPECT_EQ(codexmem("config unset scope --project").code, 0);
  EXPECT_NE(read_file(repo() / "codexmem.json")->find("// ours"), std::string::npos);
  directory_.write("repo/codexmem.json", "{\"$schema\": \"x\", \"tools\": \"code\"}\n");
  EXPECT_EQ(codexmem("config unset tools --project").code, 0);
  EXPECT_EQ(*read_file(repo() / "codexmem.json"), "{\"$schema\": \"x\"}\n");
  directory_.write("repo/codexmem.json", "{\"tools\": \"code\"}\n");
  EXPECT_EQ(codexmem("config unset tools --project").code, 0);
  EXPECT_FALSE(fs::exists(repo() / "codexmem.json"));
  fs::rename(user, base() / "dotfile.json");
  fs::create_symlink(base() / "dotfile.json", user);
  EXPECT_EQ(codexmem("config unset log").out.find("was removed"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(user));
  EXPECT_EQ(*read_file(base() / "dotfile.json"), "{\n}\n");

  directory_.write("repo/codexmem.json", "{ broken");
  EXPECT_EQ(codexmem("config set tools code --project").code, 2);
  EXPECT_EQ(*read_file(repo() / "codexmem.json"), "{ broken");
}

TEST_F(CommandLine, ARepositoryCanTurnItsVectorsOffButNotSendItsCodeAnywhere) {
  directory_.write("repo/codexmem.json", R"({"embeddingProvider": "none"})");
  EXPECT_EQ(codexmem("index --quiet").code, 0);
  EXPECT_EQ(json("status --json")["vectors"]["provider"], "none");
  directory_.write("repo/codexmem.json",
                   R"({"embeddingProvider": "openai", "openaiEmbeddingModel": "m",
                       "openaiEmbeddingBaseUrl": "http://127.0.0.1:9/v1"})");
  const Outcome status = codexmem("status --json");
  EXPECT_EQ(Json::parse(status.out, nullptr, false)["vectors"]["provider"], "builtin");
  EXPECT_NE(status.error.find("embeddingProvider: may be set only to builtin or none"),
            std::string::npos)
      << status.error;
}

// The memory does not belong to the repository: its vectors come from the user's provider.
TEST_F(CommandLine, ARepositoryHasNoSayInTheVectorsOfTheMemory) {
  directory_.write("repo/codexmem.json", R"({"embeddingProvider": "none"})");
  EXPECT_EQ(codexmem("memory save 'the total is kept in cents'").code, 0);
  const Outcome found = codexmem("memory search 'sums of money' --json");
  EXPECT_EQ(found.out.find("semantic search"), std::string::npos) << found.out << found.error;
  EXPECT_EQ(found.error.find("semantic search"), std::string::npos) << found.error;
  const Outcome off =
      shell("CODEXMEM_EMBEDDING_PROVIDER=none codexmem memory search cents --json", repo());
  EXPECT_EQ(off.code, 0) << off.error;
}

TEST_F(CommandLine, ARepositoryOffersNoToolThatItsUserDoesNot) {
  directory_.write("in", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
                         R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                         R"("clientInfo":{"name":"t","version":"1"}}})"
                         "\n"
                         R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
                         "\n");
  const auto tools = [this] {
    const Outcome run = shell("sh -c 'codexmem serve < ../in'", repo());
    return run.out + run.error;
  };
  directory_.write("repo/codexmem.json", R"({"tools": ["find_symbol", "save_memory"]})");
  std::string shown = tools();
  EXPECT_NE(shown.find("\"find_symbol\""), std::string::npos) << shown;
  EXPECT_NE(shown.find("\"save_memory\""), std::string::npos) << shown;
  EXPECT_EQ(shown.find("\"search_code\""), std::string::npos) << shown;
  directory_.write("home/.codexmem/settings.json", R"({"tools": "code"})");
  shown = tools();
  EXPECT_NE(shown.find("\"find_symbol\""), std::string::npos) << shown;
  EXPECT_EQ(shown.find("\"save_memory\""), std::string::npos) << shown;
  directory_.write("repo/codexmem.json", R"({"tools": "memory"})");
  shown = tools();
  EXPECT_NE(shown.find("the user offers none of them"), std::string::npos) << shown;
  const Outcome list = codexmem("config list --origin");
  EXPECT_NE(list.out.find("tools                    user         code\n"), std::string::npos)
      << list.out;
  EXPECT_NE(list.error.find("the user offers none of them"), std::string::npos) << list.error;
  EXPECT_NE(shown.find("\"search_code\""), std::string::npos) << shown;
  EXPECT_EQ(shown.find("\"save_memory\""), std::string::npos) << shown;
}

TEST_F(CommandLine, NoIndexIsBegunAboveTheHome) {
  directory_.write("home/note.md", "# one\n");
  for (const char* line : {"codexmem search one", "codexmem index", "codexmem symbol one"}) {
    for (const fs::path& folder : {base(), base() / "home"}) {
      const Outcome run = shell(line, folder);
      EXPECT_EQ(run.code, 2) << line;
      EXPECT_NE(run.error.find("is not a repository"), std::string::npos) << run.error;
    }
  }
  EXPECT_FALSE(fs::exists(base() / ".codexmem"));
  EXPECT_FALSE(fs::exists(base() / "home/.codexmem/index.db"));
}

TEST_F(CommandLine, AToolThatThereIsNotEndsNothing) {
  const Outcome refused = codexmem("config set tools code,bananas");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.error.find("bananas"), std::string::npos) << refused.error;
  EXPECT_FALSE(fs::exists(base() / "home/.codexmem/settings.json"));
  directory_.write("home/.codexmem/settings.json", R"({"tools": ["bananas", "memory"]})");
  const Outcome served = shell("sh -c 'codexmem serve </dev/null'", repo());
  EXPECT_EQ(served.code, 0) << served.error;
  EXPECT_NE(served.error.find("bananas"), std::string::npos) << served.error;
  EXPECT_EQ(codexmem("config get tools").out, "memory\n");
  const Outcome wrong = shell("CODEXMEM_TOOLS=bananas sh -c 'codexmem serve </dev/null'", repo());
  EXPECT_EQ(wrong.code, 0) << wrong.error;
  EXPECT_NE(wrong.error.find("bananas"), std::string::npos) << wrong.error;
}

TEST_F(CommandLine, AnInvalidDataDirectoryIsReported) {
  const Outcome run = shell("CODEXMEM_DATA_DIR=relative codexmem config path", repo());
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.error.find("absolute path"), std::string::npos) << run.error;
}

TEST_F(CommandLine, ADoctorSuggestsFixes) {
  const Outcome run = codexmem("doctor");
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_NE(run.out.find("index               warning: there is no index yet"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("\n                    > codexmem init\n"), std::string::npos) << run.out;
  EXPECT_FALSE(fs::exists(repo() / ".codexmem"));
  EXPECT_FALSE(fs::exists(base() / "home/.codexmem"));
  // Problems come first; everything that works takes one line.
  EXPECT_TRUE(run.out.starts_with("index ")) << run.out;
  EXPECT_EQ(run.out.find("\nlocale "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" of 32 checks are fine (--all lists them)\n"), std::string::npos)
      << run.out;
  EXPECT_NE(codexmem("doctor --all").out.find("\nlocale "), std::string::npos);
  EXPECT_EQ(run.out.find("0 troubles"), std::string::npos) << run.out;
  const Outcome shown = shell("CODEXMEM_SCOPE=mine codexmem doctor --json", repo());
  EXPECT_EQ(shown.code, 2) << shown.out;
  const Json findings = Json::parse(shown.out, nullptr, false);
  EXPECT_EQ(findings["troubles"], 1) << shown.out;
  for (const Json& each : findings["checks"]) {
    EXPECT_EQ(each["state"] == "ok", each["cure"] == "") << each.dump();
  }
}

// Hosts refuse the prompt when a hook ends with 2.
TEST_F(CommandLine, AHookNeverEndsWithTwo) {
  const Outcome shown = shell(
      "sh -c 'echo \"{\\\"session_id\\\":\\\"s\\\",\\\"prompt\\\":\\\"p\\\"}\" | "
      "codexmem hook codex session-init'",
      base());
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.out, "{\"continue\":true}\n");
  EXPECT_TRUE(fs::exists(base() / "home/.codexmem/spool"));
  EXPECT_EQ(shell("codexmem hook codex an-event-of-tomorrow", base()).code, 0);
  for (const char* line : {"codexmem hook", "codexmem hook codex", "codexmem hook emacs summarize",
                           "codexmem hook codex summarize more", "codexmem hook --what"}) {
    EXPECT_EQ(shell(line, base()).code, 1) << line;
  }
}

}  // namespace
}  // namespace codexmem::app
