#include "config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/temporary_directory.h"

namespace codexmem {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SettingsTest : public ::testing::Test {
 protected:
  Settings load(const std::string& project, const std::string& user,
                const std::map<std::string, std::string>& environment = {}) {
    if (!project.empty()) directory_.write("repo/codexmem.json", project);
    if (!user.empty()) directory_.write("home/settings.json", user);
    return Settings::load(
        {directory_.path() / "repo/codexmem.json", directory_.path() / "home/settings.json"},
        [&](const char* name) {
          const auto found = environment.find(name);
          return found == environment.end() ? std::string() : found->second;
        });
  }

  // All problems as one text, for those that have one.
  static std::string problems_of(const Settings& settings) {
    std::string text;
    for (const SettingProblem& each : settings.problems()) text += each.text() + "\n";
    return text;
  }

  testing::TemporaryDirectory directory_;
};

TEST(SettingTable, NamesAndKeysAreUniqueAndSaidToPeople) {
  std::set<std::string_view> seen;
  for (const SettingRow& row : setting_rows()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.key.empty() || seen.insert(row.key).second) << row.key;
    EXPECT_FALSE(row.summary.empty() || row.summary.ends_with('.')) << row.name;
    EXPECT_LE(row.summary.size(), 90U) << row.name;
    EXPECT_EQ(row.kind == SettingKind::kChoice, !row.choices.empty()) << row.name;
    EXPECT_EQ(row.project == ProjectRule::kChoices, !row.project_choices.empty()) << row.name;
    EXPECT_EQ(find_setting(row.name), &row);
    if (!row.usual.empty() && !row.usual.starts_with('~')) {
      EXPECT_TRUE(read_setting_text(row, row.usual).ok()) << row.name;
    }
  }
  EXPECT_EQ(find_setting(""), nullptr);
  EXPECT_EQ(find_setting("CODEXMEM_TOOL"), nullptr);
}

// A repository may not send code, keys or memories anywhere, name a program or a folder, or let
// out what its user holds back.
TEST(SettingTable, WhatIsDangerousIsNotOfAProject) {
  for (const SettingRow& row : setting_rows()) {
    const bool is_dangerous = row.kind == SettingKind::kUrl || row.kind == SettingKind::kSecret ||
                              row.kind == SettingKind::kPath;
    EXPECT_TRUE(!is_dangerous || row.project == ProjectRule::kNever) << row.name;
  }
  std::set<std::string_view> allowed;
  for (const SettingRow& row : setting_rows()) {
    if (row.project != ProjectRule::kNever) allowed.insert(row.key);
  }
  EXPECT_EQ(allowed, (std::set<std::string_view>{"tools", "project", "scope", "memoryBranches",
                                                 "watches", "embeddingProvider", "role",
                                                 "skipTools", "excludedProjects"}));
}

TEST_F(SettingsTest, WithoutFilesAndEnvironmentAllIsDefault) {
  const Settings settings = load("", "");
  for (const SettingRow& row : setting_rows()) {
    EXPECT_EQ(settings.value(row.name), "");
    EXPECT_EQ(settings.origin(row.name), SettingOrigin::kDefault);
  }
  EXPECT_EQ(problems_of(settings), "");
}

TEST_F(SettingsTest, EnvironmentThenProjectThenUser) {
  const std::string user = R"({"tools": "all", "project": "u", "workerPort": 1234, "log": "info"})";
  const std::string project = R"({"tools": ["find_symbol", " get_references "], "project": "p"})";
  const Settings settings = load(project, user, {{"CODEXMEM_PROJECT", "e"}});
  EXPECT_EQ(settings.value("CODEXMEM_PROJECT"), "e");
  EXPECT_EQ(settings.origin("CODEXMEM_PROJECT"), SettingOrigin::kEnvironment);
  EXPECT_EQ(settings.value("CODEXMEM_TOOLS"), "find_symbol,get_references");
  EXPECT_EQ(settings.origin("CODEXMEM_TOOLS"), SettingOrigin::kProject);
  EXPECT_EQ(settings.value("CODEXMEM_WORKER_PORT"), "1234");
  EXPECT_EQ(settings.origin("CODEXMEM_WORKER_PORT"), SettingOrigin::kUser);
  EXPECT_EQ(settings.reader()("CODEXMEM_LOG"), "info");
  EXPECT_EQ(settings.of_user().value("CODEXMEM_TOOLS"), "all");
  EXPECT_EQ(settings.of_user().value("CODEXMEM_PROJECT"), "e");
  EXPECT_EQ(problems_of(settings), "");
}

TEST_F(SettingsTest, CommentsTrailingCommasAndTheSchemaAreTaken) {
  const Settings settings = load(
      "\xEF\xBB\xBF// ours\r\n{\r\n  \"$schema\": \"https://x/y.json\","
      "\r\n  /* few */ \"tools\": [\"code\",],\r\n}\r\n",
      "");
  EXPECT_EQ(settings.value("CODEXMEM_TOOLS"), "code");
  EXPECT_EQ(problems_of(settings), "");
}

struct WrongValue {
  const char *member, *problems_of;
};

TEST_F(SettingsTest, AWrongValueIsReportedAndTheRestApplies) {
  for (const auto& [member, why] : std::initializer_list<WrongValue>{
           {R"("workerPort": 70000)", "workerPort: must be a whole number from 0 to 65535"},
           {R"("workerPort": 1.5)", "must be a whole number"},
           {R"("workerPort": true)", "must be a number"},
           {R"("workerPort": "x")", "must be a whole number from 0 to 65535"},
           {R"("tokenBudget": -1)", "must be a whole number from 0 on"},
           {R"("scope": "mine")", "must be all or project"},
           {R"("provider": 7)", "must be a string"},
           {R"("vectorBackend": "faiss")", "must be sqlite, chroma or hybrid"},
           {R"("skipTools": {"a": 1})", "must be a list of strings"},
           {R"("skipTools": ["a", 1])", "must be a list of strings"},
           {R"("skipTools": ["a,b"])", "no comma"},
           {R"("chromaUrl": "ftp://x")", "must be an http:// or https:// address"},
           {R"("chromaUrl": "https:///x")", "must be an http:// or https:// address"},
           {R"("decisionsDir": "here")", "must be an absolute path"},
           {R"("openaiModel": "a\u0000b")", "must hold no control characters"},
           {R"("tool": "code")", R"(tool: there is no such setting; did you mean "tools"?)"},
           {R"("colour": "red")", "colour: there is no such setting\n"},
           {R"("CODEXMEM_TOOLS": "code")",
            R"(is the name in the environment; in a file it is "tools")"},
           {R"("OPENAI_API_KEY": "k")", "can be set only in the environment"},
           {R"("dataDir": "/x")", "there is no such setting"}}) {
    const Settings settings =
        load("", std::string("{\"log\": \"off\", ") + member + ", \"project\": \"p\"}");
    EXPECT_THAT(problems_of(settings), HasSubstr(why)) << member;
    EXPECT_EQ(settings.problems().size(), 1U) << member;
    EXPECT_EQ(settings.value("CODEXMEM_LOG"), "off");
    EXPECT_EQ(settings.value("CODEXMEM_PROJECT"), "p");
    EXPECT_EQ(settings.value("CODEXMEM_WORKER_PORT"), "");
  }
}

TEST_F(SettingsTest, ADamagedFileIsReportedByLineAndTheOtherApplies) {
  const Settings settings =
      load("{\n  \"tools\": \"code\",\n  \"scope\": \n}\n", R"({"log": "off"})");
  EXPECT_THAT(problems_of(settings), HasSubstr("codexmem.json: is not JSON: line 4"));
  EXPECT_EQ(settings.value("CODEXMEM_TOOLS"), "");
  EXPECT_EQ(settings.value("CODEXMEM_LOG"), "off");
  EXPECT_THAT(problems_of(load("[1]", "")), HasSubstr("must be a JSON object"));
  EXPECT_THAT(problems_of(load("\xFF\xFE{}", "")), HasSubstr("is not JSON"));
  EXPECT_THAT(problems_of(load("{\"tools\": \"" + std::string(70'000, 'x') + "\"}", "")),
              HasSubstr("of at most 64 KB"));
  EXPECT_THAT(problems_of(load(std::string(60'000, '['), "")), HasSubstr("is not JSON"));
  EXPECT_EQ(problems_of(load("  // nothing\n", "")), "");
  for (const char* number : {"1e999", "-1e999", "99999999999999999999999999", "1e18", "-0"}) {
    const std::string text = std::string("{\"watches\": ") + number + "}";
    EXPECT_EQ(load(text, text).value("CODEXMEM_WATCHES"),
              *number == '-' && number[1] == '0' ? "0" : "")
        << number;
  }
  EXPECT_THAT(problems_of(load("{\"watches\": 1e999}", "")),
              HasSubstr("a number that is too large"));
}

// What holds back is not taken for unset because it cannot be read.
TEST_F(SettingsTest, ItIsKnownWhatCannotBeKnown) {
  const auto why = [&](const std::string& project, const std::string& user,
                       const std::map<std::string, std::string>& environment = {}) {
    return load(project, user, environment).why_unknown("CODEXMEM_SCOPE");
  };
  EXPECT_EQ(why("{}", R"({"scope": "project", "role": "none"})"), "");
  EXPECT_THAT(why("{}", R"({"scope": "projct"})"),
              HasSubstr("settings.json: scope: must be all or"));
  EXPECT_THAT(why(R"({"scope": 1})", "{}"), HasSubstr("codexmem.json: scope: must be a string"));
  EXPECT_THAT(why("{}", "{\"scope\": \"project\""), HasSubstr("settings.json: is not JSON"));
  EXPECT_EQ(why("{}", "{\"scope\":", {{"CODEXMEM_SCOPE", "all"}}), "") << "it says what holds";
  EXPECT_EQ(why(R"({"scope": "all", "chromaUrl": 5})", R"({"scope": "project"})"), "")
      << "what may not stand there was not to hold";
}

TEST_F(SettingsTest, AProjectsFileThatIsALinkIsNotFollowed) {
  directory_.write("elsewhere.json", R"({"tools": "code", "s3cret": 1})");
  fs::create_directories(directory_.path() / "repo");
  fs::create_symlink(directory_.path() / "elsewhere.json",
                     directory_.path() / "repo/codexmem.json");
  const Settings settings = load("", "");
  EXPECT_THAT(problems_of(settings), HasSubstr("symbolic link"));
  EXPECT_THAT(problems_of(settings), Not(HasSubstr("s3cret")));
  EXPECT_EQ(settings.value("CODEXMEM_TOOLS"), "");
}

TEST_F(SettingsTest, OfAHostileRepositoryNothingForbiddenHolds) {
  const std::string user = R"({"openaiBaseUrl": "https://mine.example/v1",
      "excludedProjects": ["client-*"], "skipTools": "Bash", "watches": 10})";
  const Settings before = load("", user);
  const auto hostile = [](const SettingRow& row) -> std::string {
    switch (row.kind) {
      case SettingKind::kNumber:
        return "77";
      case SettingKind::kChoice:
        return '"' + std::string(row.choices.substr(row.choices.rfind('|') + 1)) + '"';
      case SettingKind::kUrl:
        return "\"https://thief.example/v1\"";
      case SettingKind::kPath:
        return "\"/tmp/thief\"";
      default:
        return "\"thief\"";
    }
  };
  for (const SettingRow& row : setting_rows()) {
    if (row.key.empty() || row.project != ProjectRule::kNever) continue;
    SCOPED_TRACE(row.key);
    const Settings settings =
        load("{\"" + std::string(row.key) + "\": " + hostile(row) + "}", user);
    EXPECT_EQ(settings.value(row.name), before.value(row.name));
    EXPECT_NE(settings.origin(row.name), SettingOrigin::kProject);
    EXPECT_EQ(settings.project_value(row.name), "");
    EXPECT_THAT(problems_of(settings), HasSubstr("may not be set by a repository"));
    EXPECT_THAT(problems_of(settings), Not(HasSubstr("thief")));
  }
}

TEST_F(SettingsTest, AProjectMayOnlyHoldBackMore) {
  struct Case {
    const char *project, *user, *name, *want;
    SettingOrigin origin;
  };
  constexpr auto kUser = SettingOrigin::kUser;
  constexpr auto kProject = SettingOrigin::kProject;
  for (const Case& each :
       {Case{R"({"scope": "all"})", R"({"scope": "project"})", "CODEXMEM_SCOPE", "project", kUser},
        Case{R"({"scope": "project"})", R"({"scope": "all"})", "CODEXMEM_SCOPE", "project",
             kProject},
        Case{R"({"role": "admin"})", R"({"role": "agent"})", "CODEXMEM_ROLE", "agent", kUser},
        Case{R"({"role": "viewer"})", R"({"role": "agent"})", "CODEXMEM_ROLE", "viewer", kProject},
        Case{R"({"embeddingProvider": "openai"})", R"({"embeddingProvider": "builtin"})",
             "CODEXMEM_EMBEDDING_PROVIDER", "builtin", kUser},
        Case{R"({"embeddingProvider": "none"})", R"({"embeddingProvider": "openai"})",
             "CODEXMEM_EMBEDDING_PROVIDER", "none", kProject},
        Case{R"({"watches": 20})", R"({"watches": 10})", "CODEXMEM_WATCHES", "10", kUser},
        Case{R"({"watches": 5})", R"({"watches": 10})", "CODEXMEM_WATCHES", "5", kProject},
        Case{R"({"watches": 5})", "{}", "CODEXMEM_WATCHES", "5", kProject},
        Case{R"({"excludedProjects": ["*"]})", R"({"excludedProjects": "client-*"})",
             "CODEXMEM_EXCLUDED_PROJECTS", "client-*,*", kProject},
        Case{R"({"excludedProjects": []})", R"({"excludedProjects": "client-*"})",
             "CODEXMEM_EXCLUDED_PROJECTS", "client-*", kUser},
        Case{R"({"skipTools": "Bash,Read"})", R"({"skipTools": "Bash"})", "CODEXMEM_SKIP_TOOLS",
             "Bash,Read", kProject}}) {
    const Settings settings = load(each.project, each.user);
    EXPECT_EQ(settings.value(each.name), each.want) << each.project;
    EXPECT_EQ(settings.origin(each.name), each.origin) << each.project;
  }
  // Without a list of the user's it is the default that a repository adds to.
  EXPECT_THAT(load(R"({"skipTools": "Bash"})", "{}").value("CODEXMEM_SKIP_TOOLS"),
              HasSubstr("TodoWrite,AskUserQuestion,update_plan,Bash"));
  EXPECT_EQ(load(R"({"excludedProjects": "b"})", R"({"excludedProjects": "a"})",
                 {{"CODEXMEM_EXCLUDED_PROJECTS", "e"}})
                .value("CODEXMEM_EXCLUDED_PROJECTS"),
            "e,b");
}

TEST_F(SettingsTest, WhoIsolatesProjectsDoesNotLetThemNameThemselves) {
  for (const bool by_environment : {false, true}) {
    const Settings settings =
        load(R"({"project": "bank"})", by_environment ? "{}" : R"({"scope": "project"})",
             by_environment ? std::map<std::string, std::string>{{"CODEXMEM_SCOPE", "project"}}
                            : std::map<std::string, std::string>{});
    EXPECT_EQ(settings.value("CODEXMEM_PROJECT"), "");
    EXPECT_THAT(problems_of(settings), HasSubstr("project: may not be set by a repository while"));
  }
  EXPECT_EQ(load(R"({"project": "bank", "scope": "project"})", "{}").value("CODEXMEM_PROJECT"),
            "bank");
}

TEST_F(SettingsTest, SecretsAndPasswordsInAddressesAreNotShown) {
  EXPECT_EQ(shown_setting(*find_setting("openaiApiKey"), "k"), "set");
  EXPECT_EQ(shown_setting(*find_setting("openaiApiKey"), ""), "");
  EXPECT_EQ(shown_setting(*find_setting("chromaUrl"), "http://u:p@host:1/a@b"),
            "http://...@host:1/a@b");
  EXPECT_EQ(shown_setting(*find_setting("chromaUrl"), "http://host/a@b"), "http://host/a@b");
  EXPECT_EQ(shown_setting(*find_setting("fleetUrl"), "http://u:p@one,https://two,http://x@three"),
            "http://...@one,https://two,http://...@three");
  EXPECT_EQ(shown_setting(*find_setting("tools"), "code"), "code");
}

TEST_F(SettingsTest, AWrongVariableIsReportedAndLeftToItsReader) {
  const Settings settings = load("", "", {{"CODEXMEM_WORKER_PORT", "http"}});
  EXPECT_EQ(problems_of(settings),
            "the environment: CODEXMEM_WORKER_PORT: must be a whole number from 0 to 65535\n");
  EXPECT_EQ(settings.value("CODEXMEM_WORKER_PORT"), "http");
}

TEST_F(SettingsTest, PathsOfTheUserMayBeginAtHome) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) GTEST_SKIP();
  EXPECT_EQ(load("", R"({"decisionsDir": "~/notes"})").value("CODEXMEM_DECISIONS_DIR"),
            std::string(home) + "/notes");
}

}  // namespace
}  // namespace codexmem
