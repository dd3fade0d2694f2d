#include "mcp/tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <chrono>
#include <filesystem>
#include <regex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mcp/prompts.h"
#include "ask/budget.h"
#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/questions.h"
#include "mcp/tools_fixture.h"

namespace codexmem::mcp::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

// One repository for all tests that change nothing.
ToolsFixture& shared() {
  static ToolsFixture* const kFixture = new ToolsFixture;
  return *kFixture;
}

std::vector<std::string> paths(const Json& items) {
  std::vector<std::string> result;
  for (const Json& item : items) {
    result.push_back(item.contains("file") ? item["file"]["path"] : item["path"]);
  }
  return result;
}

TEST(Tools, AreTheQuestionsOfTheProfileInTheirOrder) {
  for (const std::string profile : {"code", "memory", "decisions"}) {
    const auto table = ToolTable::make(tools(), profile);
    ASSERT_TRUE(table.ok()) << table.error().message();
    std::vector<std::string> names;
    for (const ask::Question* each : ask::questions()) {
      if (ask::is_in_group(each->groups, profile)) names.emplace_back(each->name);
    }
    EXPECT_EQ(table->names(), names) << profile;
  }
}

TEST(Tools, ListingWithoutOutputSchemasStaysUnderSixKilobytes) {
  const auto table = ToolTable::make(tools(), "code");
  ASSERT_TRUE(table.ok());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < table->size(); ++i) {
    Json listing = Json::parse(table->listing(i));
    listing.erase("outputSchema");
    bytes += listing.dump().size() + 1;
  }
  EXPECT_LT(bytes, 6'000U);
  RecordProperty("bytes", static_cast<int>(bytes));
}

TEST(Tools, AllTogetherAreListedInFourteenKilobytes) {
  const auto table = ToolTable::make(tools());
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->size(), tools().size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < table->size(); ++i) {
    Json listing = Json::parse(table->listing(i));
    listing.erase("outputSchema");
    bytes += listing.dump().size() + 1;
  }
  EXPECT_LT(bytes, 14'000U);
  RecordProperty("bytes", static_cast<int>(bytes));
}

// Checks only schemas: a property may be called "type".
void expect_single_types(const Json& schema, const std::string& where) {
  EXPECT_TRUE(!schema.contains("type") || schema["type"].is_string()) << where;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, property] : properties.items()) {
    expect_single_types(property, where + "." + name);
  }
  if (schema.contains("items")) expect_single_types(schema["items"], where + "[]");
  for (const Json& one : schema.value("anyOf", Json::array())) expect_single_types(one, where);
}

// Some clients drop or refuse an array of types.
TEST(Tools, SchemasHaveNoArraysOfTypes) {
  for (const Tool& tool : tools()) {
    expect_single_types(Json::parse(tool.input_schema), std::string(tool.name));
    if (tool.output_schema.empty()) continue;
    expect_single_types(Json::parse(tool.output_schema), std::string(tool.name));
  }
}

// Name, description and input schema of each tool are what hosts put before a model.
TEST(Tools, CostAModelAtMostTenKilobytes) {
  for (const auto offered : {tools(), tools_of_viewer(false), tools_of_viewer(true)}) {
    std::size_t bytes = 0;
    const auto table = ToolTable::make(offered);
    ASSERT_TRUE(table.ok());
    for (std::size_t i = 0; i < table->size(); ++i) {
      const Json listing = Json::parse(table->listing(i));
      Json shown;
      for (const char* part : {"name", "description", "inputSchema"}) shown[part] = listing[part];
      bytes += shown.dump().size() + 1;
    }
    EXPECT_LE(bytes, 10'000U);
  }
}

TEST(Tools, DescribeEveryArgumentThatTheyList) {
  for (const auto offered : {tools(), tools_of_viewer(false), tools_of_viewer(true)}) {
    for (const Tool& tool : offered) {
      const Json properties = Json::parse(tool.input_schema).value("properties", Json::object());
      for (const auto& [name, property] : properties.items()) {
        EXPECT_FALSE(property.value("description", "").empty()) << tool.name << "." << name;
      }
    }
  }
  EXPECT_THAT(
      std::string(shared().table().find("search_code")->input_schema),
      HasSubstr(R"("format":{"type":"string","enum":["json"],"description":"Adds matches")"));
}

TEST(Tools, TakeWhatTheyDoNotList) {
  EXPECT_THAT(std::string(shared().table().find("search_code")->input_schema),
              Not(HasSubstr("explain")));
  const Json answer = shared().call("search_code", {{"query", "x"}, {"explain", 3}});
  EXPECT_EQ(answer["message"], "explain must be true or false, got 3");
  const Json narrow = shared().call("find_symbol", {{"symbol", "x"}, {"max_tokens", 1}});
  EXPECT_EQ(narrow["message"], "max_tokens must be a whole number from 200 to 25000, got 1");
}

TEST(Tools, TakeNumbersAndTruthValuesThatAreTexts) {
  const Json two = shared().call(
      "search_code",
      {{"query", "invoice total"}, {"limit", "2"}, {"threshold", "0"}, {"explain", "true"}});
  EXPECT_EQ(two,
            shared().call(
                "search_code",
                {{"query", "invoice total"}, {"limit", 2}, {"threshold", 0}, {"explain", true}}));
  ASSERT_EQ(two["results"].size(), 2U);
  EXPECT_TRUE(two["results"][0].contains("why"));
  const Json wrong = shared().call("search_code", {{"query", "x"}, {"limit", "51"}});
  EXPECT_EQ(wrong["message"], "limit must be a whole number from 1 to 50, got 51");
  const Json text = shared().call("search_code", {{"query", "x"}, {"limit", "many"}});
  EXPECT_EQ(text["message"], "limit must be a whole number from 1 to 50, got \"many\"");
  EXPECT_TRUE(shared().call("find_symbol", {{"symbol", "5"}}).contains("results"))
      << "a text stays one";
}

TEST(Tools, CarryEveryBoundOfTheContract) {
  const auto property = [](const char* tool, const char* name) {
    const Json listing = Json::parse(shared().table().find(tool)->input_schema);
    return listing["properties"][name];
  };
  const Json limit = property("search_code", "limit");
  EXPECT_EQ(limit["type"], "number");
  EXPECT_EQ(limit["minimum"], 1);
  EXPECT_EQ(limit["maximum"], 50);
  EXPECT_EQ(limit["default"], 10);
  EXPECT_EQ(property("search_code", "query")["maxLength"], 1000);
  EXPECT_EQ(property("search_code", "threshold")["default"], 0.7);
  EXPECT_EQ(property("find_symbol", "symbol")["maxLength"], 100);
  EXPECT_EQ(property("find_symbol", "type")["enum"].size(), 7U);
  EXPECT_EQ(property("get_references", "include_definitions")["default"], true);
  EXPECT_EQ(property("analyze_dependencies", "depth")["maximum"], 10);
  EXPECT_EQ(property("analyze_dependencies", "include_external")["default"], false);
  EXPECT_EQ(property("get_context", "context_size")["maximum"], 20);
  EXPECT_EQ(property("index_repository", "skip_embeddings")["default"], false);
}

TEST(Tools, InstructionsStayUnderOneKilobyte) {
  const ServerOptions options = server_options("1", *ToolTable::make(tools()));
  EXPECT_LT(options.instructions.size(), 1024U);
  const std::set<std::string_view> rare = {"index_repository",  "get_entries", "ingest_docs",
                                           "retention_dry_run", "__IMPORTANT", "important_workflow",
                                           "accept_proposal"};
  for (const Tool& tool : tools()) {
    if (rare.contains(tool.name)) continue;
    EXPECT_THAT(options.instructions, HasSubstr(tool.name));
  }
}

TEST(Tools, WhereNoDecisionCanBeWrittenInstructionsDoNotAskForIt) {
  for (const bool has_secret : {false, true}) {
    const auto table = ToolTable::make(tools_of_viewer(has_secret));
    ASSERT_TRUE(table.ok());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < table->size(); ++i) {
      Json listing = Json::parse(table->listing(i));
      listing.erase("outputSchema");
      bytes += listing.dump().size() + 1;
    }
    EXPECT_LT(bytes, 14'000U);
    const std::string text = server_options("1", *table).instructions;
    for (const char* name : {"record_decision", "supersede_decision", "accept_proposal"}) {
      EXPECT_THAT(text, Not(HasSubstr(name)));
      EXPECT_THAT(std::string(table->find(name)->description),
                  HasSubstr(has_secret ? "Fails: the role is viewer."
                                       : "Fails: AGENT_MEMORY_SECRET is not set"));
    }
    EXPECT_THAT(text, HasSubstr("search_decisions"));
    EXPECT_EQ(table->find("search_decisions")->description,
              shared().table().find("search_decisions")->description);
    std::size_t remember = 0;
    for (const Prompt& prompt : prompts_for(*table)) remember += prompt.name == "remember" ? 1 : 0;
    EXPECT_EQ(remember, 1U);
  }
}

TEST(Tools, TheFirstLineOfTheInstructionsSaysWhatTheServerKnows) {
  const auto first_line = [](const char* selection) {
    const std::string text = server_options("1", *ToolTable::make(tools(), selection)).instructions;
    return text.substr(0, text.find('\n'));
  };
  const std::string all = first_line("all");
  EXPECT_LT(all.size(), 237U) << all;  // as much as a client shows that loads tools when needed
  for (const char* what :
       {"definitions", "references", "dependencies", "by meaning", "instead of grep", "decided"}) {
    EXPECT_THAT(all, HasSubstr(what));
  }
  EXPECT_THAT(first_line("code"), Not(HasSubstr("sessions")));
  EXPECT_THAT(first_line("memory"), Not(HasSubstr("definitions")));
}

TEST(Tools, InstructionsNameNoToolThatIsNotOffered) {
  for (const char* selection :
       {"code", "memory", "decisions", "find_symbol,save_memory", "search", "get_entries", "all"}) {
    const auto table = ToolTable::make(tools(), selection);
    const std::string text = server_options("1", *table).instructions;
    const auto says = [&](std::string_view name) {
      return std::regex_search(text, std::regex("\\b" + std::string(name) + "\\b"));
    };
    for (const Tool& tool : tools()) {
      if (table->find(tool.name) != nullptr) continue;
      EXPECT_FALSE(says(tool.name)) << selection << " " << tool.name;
    }
    EXPECT_EQ(says("repository"),
              std::string_view(selection) == "all" ||
                  ask::is_in_group(table->find(table->names()[0])->groups, "code"))
        << selection;
  }
}

TEST(Tools, OfTheMemoryMentionArgumentsThatTheyDoNotKnow) {
  codexmem::testing::TemporaryDirectory directory;
  memory::LazyMemory memory(directory.path() / "data", [&] {
    memory::MemoryOptions options;
    options.caller = {memory::Role::kAgent, false};
    options.directory = directory.path() / "data";
    return memory::Memory::open(std::move(options));
  });
  ask::Services services{.memory = &memory};
  const auto table = ToolTable::make(tools());
  const auto ask = [&](const char* tool, const char* arguments) {
    CallContext context;
    context.services = &services;
    return table->call(*table->find(tool), *JsonValue::parse(arguments), context);
  };
  EXPECT_EQ(ask("search", R"({"qurey":"x"})").text,
            "INVALID_ARGUMENT: Either query or filters required for search (unknown argument "
            "\"qurey\": did you mean \"query\"?)");
  const ToolResult colour = ask("save_memory", R"({"colour":"x"})");
  EXPECT_THAT(colour.text, HasSubstr("unknown argument \"colour\": known are text, title, "));
  EXPECT_THAT(colour.structured, HasSubstr("known are text, title, "));
  const ToolResult decision =
      ask("record_decision", R"({"title":"t","target":"x","rational":"because","project":"p"})");
  EXPECT_THAT(decision.text, HasSubstr("did you mean \\\"rationale\\\"?"));
  EXPECT_EQ(decision.text, decision.structured);
  EXPECT_THAT(ask("record_decision", R"({"title":"t","target":"x","project":"p"})").text,
              Not(HasSubstr("unknown")));
  EXPECT_FALSE(ask("save_memory", R"({"text":"x","txet":"y"})").is_error);
}

TEST(SearchCode, FindsByPlainWords) {
  const Json answer =
      shared().call("search_code", {{"query", "total of an invoice"}, {"format", "json"}});
  ASSERT_FALSE(answer["results"].empty()) << answer;
  const Json& best = answer["results"][0];
  EXPECT_EQ(best["file"]["path"], "py/app/billing.py");
  EXPECT_EQ(best["file"]["language"], "python");
  EXPECT_EQ(best["symbol"]["name"], "compute_invoice_total");
  EXPECT_EQ(best["symbol"]["type"], "function");
  EXPECT_LE(best["startLine"], best["line"]);
  ASSERT_FALSE(best["matches"].empty());
  for (const Json& match : best["matches"]) {
    const std::string snippet = best["snippet"];
    const std::size_t start = match["start"];
    const std::size_t end = match["end"];
    EXPECT_EQ(snippet.substr(start, end - start + 1), match["text"]);
  }
}

TEST(SearchCode, SaysWhereTheWordsAreOnRequest) {
  const Json answer = shared().call("search_code", {{"query", "total of an invoice"}});
  ASSERT_FALSE(answer["results"].empty()) << answer;
  for (const Json& hit : answer["results"]) EXPECT_FALSE(hit.contains("matches")) << hit;
}

TEST(SearchCode, TextIsTheBareArray) {
  const ToolResult result = shared().call_raw("search_code", {{"query", "user service"}});
  EXPECT_EQ(Json::parse(result.text), Json::parse(result.structured)["results"]);
}

TEST(SearchCode, FiltersByExtension) {
  const Json answer = shared().call(
      "search_code",
      {{"query", "round"}, {"threshold", 0}, {"file_extensions", Json::array({".ts"})}});
  for (const std::string& path : paths(answer["results"])) EXPECT_TRUE(path.ends_with(".ts"));
}

TEST(SearchCode, FiltersByLanguagePathKindAndTests) {
  const auto found = [](Json arguments) {
    arguments["query"] = "load user total";
    arguments["threshold"] = 0;
    return shared().call("search_code", arguments);
  };
  const std::vector<Json> narrowing = {
      {{"language", "py"}}, {{"path", Json::array({"py/**"})}}, {{"path", "!web"}}};
  for (const Json& arguments : narrowing) {
    const Json answer = found(arguments);
    ASSERT_FALSE(answer["results"].empty()) << arguments << answer;
    for (const std::string& path : paths(answer["results"])) {
      EXPECT_THAT(path, Not(HasSubstr("web"))) << arguments;
    }
  }
  const Json classes = found({{"kind", "class"}});
  ASSERT_FALSE(classes["results"].empty());
  for (const Json& hit : classes["results"]) EXPECT_EQ(hit["symbol"]["type"], "class");
  for (const std::string& path : paths(found({{"tests", "only"}})["results"])) {
    EXPECT_THAT(path, HasSubstr("test"));
  }
}

TEST(SearchCode, HonoursPhrasesAndExpressionsExactly) {
  const Json phrase =
      shared().call("search_code", {{"query", "\"class UserService\""}, {"format", "json"}});
  ASSERT_EQ(phrase["results"].size(), 1U) << phrase;
  EXPECT_EQ(phrase["matchedFiles"], 1);
  EXPECT_EQ(phrase["matchedLines"], 1);
  const Json& hit = phrase["results"][0];
  EXPECT_EQ(hit["file"]["path"], "web/src/services/UserService.ts");
  EXPECT_EQ(hit["matchCount"], 1);
  EXPECT_EQ(hit["matchLines"], Json::array({hit["line"]}));
  EXPECT_EQ(hit["matches"][0]["text"], "class UserService");

  const Json regex =
      shared().call("search_code", {{"query", "/^def \\w+_total\\(/"}, {"format", "json"}});
  ASSERT_FALSE(regex["results"].empty()) << regex;
  EXPECT_THAT(regex["results"][0]["matches"][0]["text"].get<std::string>(), StartsWith("def "));
  EXPECT_FALSE(regex.contains("belowThreshold"));

  const Json none = shared().call("search_code", {{"query", "\"no such words here\""}});
  EXPECT_TRUE(none["results"].empty());
  EXPECT_THAT(none["note"].get<std::string>(), HasSubstr("without the quotes or slashes"));
  const Json wrong = shared().call("search_code", {{"query", "/foo(/"}});
  EXPECT_EQ(wrong["type"], "ValidationError");
  EXPECT_THAT(wrong["message"].get<std::string>(), HasSubstr("missing ): foo("));
}

TEST(SearchCode, RefusesFiltersThatNameNothing) {
  const struct {
    Json arguments;
    const char* want;
  } cases[] = {{{{"language", "pythn"}}, "did you mean \"python\""},
               {{{"kind", Json::array({"clas"})}}, "did you mean \"class\""},
               {{{"path", "!"}}, "path must hold globs"},
               {{{"tests", "no"}}, "tests must be one of"},
               {{{"language", 3}}, "language must be an array"}};
  for (const auto& c : cases) {
    Json arguments = c.arguments;
    arguments["query"] = "user";
    const Json answer = shared().call("search_code", arguments);
    EXPECT_EQ(answer["type"], "ValidationError") << answer;
    EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr(c.want));
  }
}

TEST(SearchCode, ExplainsItsScores) {
  const Json answer =
      shared().call("search_code", {{"query", "load a value by key"}, {"explain", true}});
  ASSERT_FALSE(answer["results"].empty());
  EXPECT_TRUE(answer["results"][0]["why"][0].contains("weight"));
}

TEST(SearchCode, FitsItsAnswerIntoMaxTokensAndCountsWhatItCut) {
  const Json wide = {{"query", "user store service total"}, {"threshold", 0}, {"limit", 50}};
  Json narrow = wide;
  narrow["max_tokens"] = 300;
  const ToolResult result = shared().call_raw("search_code", narrow);
  EXPECT_LE(result.structured.size(), 300U * 4);
  const Json answer = Json::parse(result.structured);
  const Json whole = shared().call("search_code", wide);
  ASSERT_GT(whole["results"].size(), answer["results"].size());
  EXPECT_EQ(answer["results"].size() + answer["omitted"].get<std::size_t>(),
            whole["results"].size());
}

TEST(SearchCode, RefusesAQueryOfPunctuation) {
  const Json answer = shared().call("search_code", {{"query", "?!"}});
  EXPECT_EQ(answer["type"], "ValidationError");
}

TEST(FindSymbol, GivesTheDeclarationAndItsDocs) {
  const Json answer = shared().call("find_symbol", {{"symbol", "UserService"}});
  ASSERT_EQ(answer["results"].size(), 1U);
  const Json& found = answer["results"][0];
  EXPECT_EQ(found["file"]["path"], "web/src/services/UserService.ts");
  EXPECT_EQ(found["score"], 1.0);
  EXPECT_EQ(found["match"], "exact");
  const Json& symbol = found["symbol"];
  EXPECT_EQ(symbol["type"], "class");
  EXPECT_EQ(symbol["startLine"], 5);
  EXPECT_EQ(symbol["endLine"], 12);
  EXPECT_EQ(symbol["nameLine"], 5);
  EXPECT_EQ(symbol["nameColumn"], 14);
  EXPECT_THAT(symbol["definition"].get<std::string>(), StartsWith("export class UserService {"));
  EXPECT_EQ(symbol["docstring"], "Service for user management operations.");
}

TEST(FindSymbol, TakesQualifiedNamesTypesAndFiles) {
  EXPECT_EQ(shared().call("find_symbol", {{"symbol", "UserService.findUser"}})["total"], 1);
  EXPECT_EQ(shared().call("find_symbol", {{"symbol", "Store"}, {"type", "function"}})["total"], 0);
  EXPECT_EQ(shared().call("find_symbol", {{"symbol", "Store"},
                                          {"file_path", "./web/src/../src/store.ts"}})["total"],
            1);
}

TEST(FindSymbol, SuggestsNearNamesForUnknownOnes) {
  const Json answer = shared().call("find_symbol", {{"symbol", "UserServce"}});
  EXPECT_FALSE(answer.contains("is_error"));
  EXPECT_THAT(answer["suggestions"].dump(), HasSubstr("UserService"));
}

// The fixture's repository with what can hide a definition or an import.
ToolsFixture& with_gaps() {
  static ToolsFixture* const kFixture = [] {
    auto* const fixture = new ToolsFixture;
    fixture->write("web/src/broken.ts", "export const whole = 1;\nexport class { ??? (\n");
    fixture->write("web/src/plugins.ts",
                   "import './nowhere';\n"
                   "import { helper } from 'somewhere';\n"
                   "export const load = (name: string) => import(name).then(helper);\n"
                   "export const first = (all: string[], at: number) => all[at];\n");
    fixture->write("web/src/picture.bin", std::string("\0\1\2", 3));
    EXPECT_TRUE(fixture->services().index({}, {}, {}).ok());
    return fixture;
  }();
  return *kFixture;
}

TEST(FindSymbol, SaysWhereItLookedAndWhatItDidNotSee) {
  const Json found = with_gaps().call("find_symbol", {{"symbol", "UserService"}});
  // 9 files of code; the notes have no definitions.
  const Json coverage = {
      {"filesSearched", 9}, {"filesSkipped", 1}, {"filesUnparsed", 1}, {"stale", false}};
  EXPECT_EQ(found["coverage"], coverage);
  EXPECT_FALSE(found.contains("note"));

  const Json in_file =
      with_gaps().call("find_symbol", {{"symbol", "whole"}, {"file_path", "web/src/broken.ts"}});
  EXPECT_EQ(in_file["coverage"]["filesSearched"], 1);
  EXPECT_EQ(in_file["coverage"]["filesUnparsed"], 1);
}

TEST(FindSymbol, InVainSaysWhatWasSearched) {
  const ToolResult result = with_gaps().call_raw("find_symbol", {{"symbol", "Lib.helper"}});
  const Json answer = Json::parse(result.structured);
  EXPECT_TRUE(answer["results"].empty());
  EXPECT_EQ(answer["coverage"]["filesWithName"], 1);
  const std::string note =
      "No definition of \"Lib.helper\" is indexed: 9 files searched; 1 file was not parsed whole, "
      "1 path is not indexed. The name occurs in 1 file: it may be a library's, or made at run "
      "time.";
  EXPECT_EQ(answer["note"], note);
  EXPECT_EQ(Json::parse(result.siblings)["note"], note);
  // As do references.
  const Json references = with_gaps().call("get_references", {{"symbol", "Lib.helper"}});
  EXPECT_EQ(references["note"], note);
  EXPECT_EQ(references["coverage"]["filesSearched"], 9);
  EXPECT_EQ(references["coverage"]["filesWithName"], 1);
}

TEST(FindSymbol, NearNamesAreNotTakenForTheOneAskedFor) {
  const Json near = shared().call("find_symbol", {{"symbol", "UserServ"}});
  EXPECT_FALSE(near["results"].empty());
  EXPECT_THAT(near["note"].get<std::string>(),
              AllOf(StartsWith("No definition of \"UserServ\" is indexed"),
                    HasSubstr("The results have names like it")));
  EXPECT_EQ(near["coverage"]["filesWithName"], 0);
  // The name exists, with another type.
  const Json other = shared().call("find_symbol", {{"symbol", "Store"}, {"type", "function"}});
  EXPECT_TRUE(other["coverage"].contains("filesSearched"));
  EXPECT_FALSE(other.contains("note"));
}

TEST(FindSymbol, GoesOnAtAnOffset) {
  const Json all = shared().call("find_symbol", {{"symbol", "Store"}});
  const Json rest = shared().call("find_symbol", {{"symbol", "Store"}, {"offset", 1}});
  EXPECT_EQ(rest["total"], all["total"]);
  EXPECT_EQ(rest["results"].size() + 1, all["results"].size());
  EXPECT_TRUE(
      shared().call("find_symbol", {{"symbol", "Store"}, {"offset", 1e15}})["results"].empty());
}

TEST(FindSymbol, ReachesEveryResultByOffset) {
  ToolsFixture fixture;
  std::string text;
  for (int i = 0; i < 1'100; ++i) text += "class Box" + std::to_string(i) + " { open() {} }\n";
  fixture.write("web/src/boxes.ts", text);
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
  for (const auto& [name, total] : {std::pair("open", 1'100U), std::pair("ope", 1'100U)}) {
    std::set<std::string> seen;
    Json page = fixture.call("find_symbol", {{"symbol", name}});
    for (;;) {
      EXPECT_EQ(page["total"], total) << name;
      for (const Json& item : page["results"]) seen.insert(item["symbol"]["container"]);
      EXPECT_EQ(seen.size() + page.value("omitted", std::size_t{0}), total) << name;
      if (!page.contains("nextOffset")) break;
      page = fixture.call("find_symbol", {{"symbol", name}, {"offset", page["nextOffset"]}});
    }
    EXPECT_EQ(seen.size(), total) << name;
  }
}

TEST(GetReferences, GivesDefinitionsThenUsagesInOrder) {
  const Json answer = shared().call("get_references", {{"symbol", "UserService"}});
  const Json& results = answer["results"];
  ASSERT_GE(results.size(), 5U) << answer;
  EXPECT_EQ(results[0]["type"], "definition");
  EXPECT_EQ(results[0]["file"]["path"], "web/src/services/UserService.ts");
  EXPECT_EQ(results[0]["line"], 5);
  EXPECT_EQ(results[0]["column"], 1);
  EXPECT_EQ(results[0]["nameColumn"], 14);
  EXPECT_EQ(results[1]["file"]["path"], "web/src/controllers/UserController.ts");
  EXPECT_EQ(results[1]["line"], 1);
  EXPECT_EQ(results[1]["column"], 10);
  EXPECT_EQ(results[1]["kind"], "import");
  EXPECT_EQ(results[2]["context"], "const service = new UserService(new Store());");
  EXPECT_EQ(results[2]["container"], "showUser");
  EXPECT_EQ(results[2]["confidence"], "resolved");
  EXPECT_EQ(answer["definitions"][0]["name"], "UserService");
  EXPECT_TRUE(answer["coverage"].contains("filesSearched"));
  EXPECT_EQ(answer["coverage"]["stale"], false);
  EXPECT_FALSE(answer.contains("note"));
  EXPECT_EQ(answer["total"], results.size());
}

TEST(GetReferences, DamagedFactsAreMadeAgainBeforeTheAnswer) {
  ToolsFixture fixture;
  const Json before = fixture.call("get_references", {{"symbol", "Store"}});
  const auto damage = [&] {
    ASSERT_TRUE(
        (*fixture.services().workspace.writer())
            ->execute("UPDATE file_facts SET facts = x'00' WHERE file_id IN (SELECT id FROM"
                      " files WHERE path LIKE 'web/src/%'); UPDATE file_rows SET generation ="
                      " generation + 1000; UPDATE meta SET value = value + 1000 WHERE key ="
                      " 'generation'")
            .ok());
  };
  damage();
  EXPECT_EQ(fixture.call("get_references", {{"symbol", "Store"}})["results"], before["results"]);
  // Where they cannot be made, the answer says that it has not seen all.
  fixture.services().index = [](const auto&, const auto&, auto) -> Result<index::IndexReport> {
    return Error{ErrorCode::kIo, "read-only"};
  };
  damage();
  const Json partial = fixture.call("get_references", {{"symbol", "Store"}});
  EXPECT_FALSE(partial.contains("is_error")) << partial;
  EXPECT_GT(partial["coverage"]["filesUnparsed"], 0) << partial;
}

TEST(GetReferences, LeavesDefinitionsOutOnRequest) {
  const Json answer =
      shared().call("get_references", {{"symbol", "round_amount"}, {"include_definitions", false}});
  ASSERT_FALSE(answer["results"].empty());
  for (const Json& item : answer["results"]) EXPECT_EQ(item["type"], "usage");
}

TEST(GetReferences, CutsToMaxTokensAndGoesOn) {
  const Json all = shared().call("get_references", {{"symbol", "Store"}});
  Json page = shared().call("get_references", {{"symbol", "Store"}, {"max_tokens", 250}});
  std::vector<std::string> collected;
  for (const Json& item : page["results"]) collected.push_back(item.dump());
  ASSERT_LT(collected.size(), all["results"].size());
  while (page.contains("nextOffset")) {
    page =
        shared().call("get_references",
                      {{"symbol", "Store"}, {"max_tokens", 250}, {"offset", page["nextOffset"]}});
    for (const Json& item : page["results"]) collected.push_back(item.dump());
  }
  std::vector<std::string> want;
  for (const Json& item : all["results"]) want.push_back(item.dump());
  EXPECT_EQ(collected, want);
}

TEST(GetReferences, LineNeedsAFile) {
  const Json answer = shared().call("get_references", {{"symbol", "Store"}, {"line", 2}});
  EXPECT_EQ(answer["type"], "ValidationError");
  EXPECT_EQ(
      shared().call("get_references", {{"symbol", "Store"},
                                       {"line", 2},
                                       {"file_path", "web/src/store.ts"}})["results"][0]["line"],
      2);
}

TEST(GetReferences, GivesOnlyTheDefinitionsThatItsItemsReferTo) {
  ToolsFixture fixture;
  for (int i = 0; i < 100; ++i) {
    fixture.write("many/part" + std::to_string(i) + ".ts", "export function main() {}\nmain();\n");
  }
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
  Json arguments = {{"symbol", "main"}, {"max_tokens", 400}};
  std::size_t seen = 0;
  for (Json page; seen == 0 || page.contains("nextOffset");) {
    if (seen > 0) arguments["offset"] = page["nextOffset"];
    const ToolResult result = fixture.call_raw("get_references", arguments);
    EXPECT_LE(result.structured.size(), 400U * 4);
    page = Json::parse(result.structured);
    ASSERT_FALSE(page["results"].empty());
    seen += page["results"].size();
    const Json& definitions = page["definitions"];
    EXPECT_EQ(definitions.size() + page["definitionsOmitted"].get<std::size_t>(), 100U);
    std::set<std::size_t> used;
    for (const Json& item : page["results"]) {
      const std::size_t definition = item["definition"];
      used.insert(definition);
      EXPECT_EQ(definitions.at(definition)["file"], item["file"]);
    }
    EXPECT_EQ(used.size(), definitions.size());
  }
  EXPECT_EQ(seen, 200U);
}

TEST(GetReferences, OfAnUnusedSymbolNamesItsDefinition) {
  const Json answer = shared().call(
      "get_references", {{"symbol", "compute_invoice_total"}, {"include_definitions", false}});
  EXPECT_TRUE(answer["results"].empty());
  EXPECT_EQ(answer["definitions"][0]["file"]["path"], "py/app/billing.py");
  // Nothing found is worth as much as what was searched.
  const std::string note =
      "No use found of 1 definition of \"compute_invoice_total\" in 1 file with that name.";
  EXPECT_EQ(answer["note"], note);
  const ToolResult raw = shared().call_raw("get_references", {{"symbol", "compute_invoice_total"}});
  EXPECT_EQ(Json::parse(raw.siblings)["note"], note);
  const Json unknown = shared().call("get_references", {{"symbol", "no_such_thing"}});
  EXPECT_TRUE(unknown["note"].get<std::string>().starts_with(
      "No definition of \"no_such_thing\" is indexed"));
}

TEST(GetReferences, ShowsTheHierarchyOnRequest) {
  ToolsFixture fixture;
  fixture.write(
      "web/src/shapes.ts",
      "export interface Shape { area(): number }\n"
      "export class Box implements Shape {\n  area() { return side(); }\n}\n"
      "export class Cube extends Box {\n  area() { return 6; }\n}\n"
      "function side() { return 1; }\nexport function total(b: Box) { return b.area(); }\n");
  const auto names = [](const Json& list) {
    std::vector<std::string> found;
    for (const Json& item : list) found.push_back(item["name"]);
    return found;
  };
  Json arguments = {{"symbol", "Box.area"}, {"file_path", "web/src/shapes.ts"}};
  EXPECT_FALSE(fixture.call("get_references", arguments).contains("hierarchy"));
  arguments["include_hierarchy"] = true;
  const Json member = fixture.call("get_references", arguments);
  ASSERT_TRUE(member.contains("hierarchy")) << member;
  ASSERT_EQ(member["hierarchy"].size(), 1U) << member;
  const Json& around = member["hierarchy"][0];
  EXPECT_EQ(around["of"]["name"], "Box.area");
  EXPECT_THAT(names(around["callers"]), ElementsAre("total"));
  EXPECT_THAT(names(around["callees"]), ElementsAre("side"));
  EXPECT_THAT(names(around["overrides"]), ElementsAre("Shape.area"));
  EXPECT_THAT(names(around["overriddenBy"]), ElementsAre("Cube.area"));
  EXPECT_FALSE(around.contains("supertypes"));

  fixture.write(
      "web/src/overloads.ts",
      "export function pick(a: string): string;\nexport function pick(a: number): number;\n"
      "export function pick(a: any) { return a; }\nexport const one = () => pick(1);\n");
  const Json overloaded = fixture.call(
      "get_references",
      {{"symbol", "pick"}, {"file_path", "web/src/overloads.ts"}, {"include_hierarchy", true}});
  EXPECT_EQ(overloaded["hierarchy"].size(), 1U) << overloaded["hierarchy"];

  const Json context =
      fixture.call("get_context", {{"file_path", "web/src/shapes.ts"}, {"symbol", "Cube"}});
  EXPECT_THAT(names(context["supertypes"]), ElementsAre("Box", "Shape"));
  EXPECT_EQ(context["supertypes"][1]["depth"], 2);
  EXPECT_FALSE(context.contains("subtypes"));
}

TEST(AnalyzeDependencies, CutsCyclesAndUnresolvedImportsToo) {
  ToolsFixture fixture;
  std::string text;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "neighbour" + std::to_string(i);
    text += "import './" + name + "';\nimport './gone" + std::to_string(i) + "';\n";
    fixture.write("ring/" + name + ".ts", "import './centre';\n");
  }
  fixture.write("ring/centre.ts", text);
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
  const ToolResult result = fixture.call_raw(
      "analyze_dependencies", {{"file_path", "ring/centre.ts"}, {"max_tokens", 250}});
  EXPECT_LE(result.structured.size(), 250U * 4);
  const Json answer = Json::parse(result.structured);
  EXPECT_EQ(answer["unresolved"].size() + answer["unresolvedOmitted"].get<std::size_t>(), 100U);
  EXPECT_EQ(answer["cycles"].size() + answer["cyclesOmitted"].get<std::size_t>(), 100U);
  EXPECT_FALSE(answer["cycles"].empty());

  std::set<std::string> dependencies, dependents;
  std::size_t offset = 0, pages = 0;
  for (;; ++pages) {
    const ToolResult part = fixture.call_raw(
        "analyze_dependencies",
        {{"file_path", "ring/centre.ts"}, {"max_tokens", 250}, {"offset", offset}});
    EXPECT_LE(part.structured.size(), 250U * 4);
    const Json page = Json::parse(part.structured);
    EXPECT_EQ(page["total"], 200);
    for (const std::string& path : paths(page["dependencies"])) {
      EXPECT_TRUE(dependencies.insert(path).second);
    }
    for (const std::string& path : paths(page["dependents"])) {
      EXPECT_TRUE(dependents.insert(path).second);
    }
    if (!page.contains("nextOffset")) break;
    EXPECT_EQ(page["omitted"].get<std::size_t>() + page["nextOffset"].get<std::size_t>(), 200U);
    ASSERT_GT(page["nextOffset"].get<std::size_t>(), offset);
    offset = page["nextOffset"];
  }
  EXPECT_GT(pages, 5U);
  EXPECT_EQ(dependencies.size(), 100U);
  EXPECT_EQ(dependents.size(), 100U);
}

TEST(AnalyzeDependencies, FilesThatAreNotModulesAreSeparate) {
  ToolsFixture fixture;
  fixture.write("page/view.ts",
                "import logo from './logo.png';\nimport './view.css';\n"
                "import data from './data.json';\nimport { a } from './a';\n");
  fixture.write("page/a.ts", "export const a = 1;\n");
  fixture.write("page/view.css", "a { color: red }\n");
  fixture.write("page/logo.png", std::string("\x89PNG\0", 5));
  fixture.write("page/data.json", "{}\n");
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
  const Json answer = fixture.call("analyze_dependencies", {{"file_path", "page/view.ts"}});
  EXPECT_THAT(paths(answer["dependencies"]), ElementsAre("page/a.ts"));
  EXPECT_THAT(paths(answer["resources"]),
              ElementsAre("page/logo.png", "page/view.css", "page/data.json"));
  EXPECT_EQ(answer["resources"][0]["notIndexed"], "binary");
  EXPECT_FALSE(answer.contains("unresolved"));
  const Json data = fixture.call("analyze_dependencies", {{"file_path", "page/data.json"}});
  EXPECT_THAT(paths(data["dependents"]), ElementsAre("page/view.ts"));
}

TEST(AnalyzeDependencies, FollowsBothDirections) {
  const Json answer =
      shared().call("analyze_dependencies", {{"file_path", "web/src/services/UserService.ts"}});
  EXPECT_EQ(answer["file"]["path"], "web/src/services/UserService.ts");
  ASSERT_EQ(answer["dependencies"].size(), 1U) << answer;
  EXPECT_EQ(answer["dependencies"][0]["file"]["path"], "web/src/store.ts");
  EXPECT_EQ(answer["dependencies"][0]["importPath"], "../store");
  EXPECT_EQ(answer["dependencies"][0]["symbols"], Json::array({"Store"}));
  EXPECT_EQ(answer["dependencies"][0]["isExternal"], false);
  EXPECT_EQ(answer["externalOmitted"], 1);
  EXPECT_THAT(paths(answer["dependents"]), Contains("web/src/controllers/UserController.ts"));
}

TEST(AnalyzeDependencies, SaysWhatCouldHideAnImport) {
  const Json answer =
      with_gaps().call("analyze_dependencies", {{"file_path", "web/src/plugins.ts"}});
  const Json& coverage = answer["coverage"];
  EXPECT_EQ(coverage["filesSearched"], 9);
  EXPECT_EQ(coverage["filesSkipped"], 1);
  EXPECT_EQ(coverage["filesUnparsed"], 1);
  EXPECT_EQ(coverage["unparsedRanges"], 0);
  EXPECT_EQ(coverage["unresolvedImports"], 1);
  EXPECT_EQ(coverage["dynamicConstructs"], 1) << "a[b] imports nothing";
  EXPECT_EQ(coverage["dynamicKinds"]["computedImport"], 1);
  EXPECT_EQ(coverage["stale"], false);
  EXPECT_EQ(answer["note"],
            "No file is known to import web/src/plugins.ts: 9 files searched; 1 file was not "
            "parsed whole, 1 path is not indexed.");
  const Json broken =
      with_gaps().call("analyze_dependencies", {{"file_path", "web/src/broken.ts"}});
  EXPECT_GT(broken["coverage"]["unparsedRanges"], 0);
  const Json used = with_gaps().call("analyze_dependencies", {{"file_path", "web/src/store.ts"}});
  EXPECT_FALSE(used.contains("note"));
}

TEST(AnalyzeDependencies, NamesPackagesOnRequest) {
  const Json answer =
      shared().call("analyze_dependencies",
                    {{"file_path", (shared().root() / "web/src/services/UserService.ts").string()},
                     {"include_external", true},
                     {"depth", 1}});
  const Json& last = answer["dependencies"].back();
  EXPECT_EQ(last["isExternal"], true);
  EXPECT_EQ(last["package"], "lodash");
  EXPECT_FALSE(last.contains("file"));
}

TEST(GetContext, OfAFileHasAllItsParts) {
  const Json answer =
      shared().call("get_context", {{"file_path", "web/src/services/UserService.ts"}});
  EXPECT_EQ(answer["file"]["language"], "typescript");
  EXPECT_EQ(answer["symbols"][0]["name"], "UserService");
  EXPECT_THAT(paths(answer["relatedFiles"]), Contains("web/src/store.ts"));
  EXPECT_THAT(paths(answer["relatedFiles"]), Contains("web/src/controllers/UserController.ts"));
  EXPECT_EQ(answer["dependencies"].size(), 2U);
  ASSERT_FALSE(answer["relevantCode"].empty());
  EXPECT_EQ(answer["relevantCode"][0]["startLine"], 1);
  EXPECT_EQ(answer["relevantCode"][0]["score"], 1.0);
  EXPECT_EQ(answer["relevantCode"][0]["content"].get<std::string>() + "\n",
            sample_files().at("web/src/services/UserService.ts"));
}

TEST(GetContext, OfASymbolBringsItsCodeItsCallersAndItsCallees) {
  const Json answer = shared().call(
      "get_context", {{"file_path", "py/app/billing.py"}, {"symbol", "compute_invoice_total"}});
  ASSERT_EQ(answer["symbols"].size(), 1U);
  EXPECT_EQ(answer["symbols"][0]["docstring"], "Adds amounts up and rounds the total to cents.");
  EXPECT_THAT(answer["relevantCode"][0]["content"].get<std::string>(),
              StartsWith("def compute_invoice_total"));
  EXPECT_THAT(answer["callees"].dump(), HasSubstr("round_amount"));
  EXPECT_THAT(paths(answer["relevantCode"]), Contains("py/app/money.py"));
  const Json callee =
      shared().call("get_context", {{"file_path", "py/app/money.py"}, {"symbol", "round_amount"}});
  EXPECT_THAT(callee["callers"].dump(), HasSubstr("compute_invoice_total"));
}

TEST(GetContext, HasWhatChangedTogether) {
  ToolsFixture fixture;
  const auto git = [&](const std::string& arguments) {
    const std::string command = "cd '" + fixture.root().string() +
                                "' && HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 git -c user.name=t "
                                "-c user.email=t@example.org " +
                                arguments + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << arguments;  // NOLINT: no other thread
  };
  git("init -q");
  git("add web/src/store.ts notes.md");
  git("commit -qm one");
  fixture.write("web/src/store.ts", sample_files().at("web/src/store.ts") + "\n");
  fixture.write("notes.md", "# Notes\n");
  git("commit -qam two");
  fixture.write("web/src/store.ts", sample_files().at("web/src/store.ts"));
  fixture.write("gone.ts", "export const gone = 1;\n");
  git("add -A");
  git("commit -qm three");
  fixture.remove("gone.ts");
  const Json context = fixture.call("get_context", {{"file_path", "web/src/store.ts"}});
  ASSERT_FALSE(context["changedTogether"].empty()) << context.dump(1);
  EXPECT_EQ(context["changedTogether"][0], Json({{"path", "notes.md"}, {"commits", 2}}));
  for (const Json& file : context["changedTogether"]) EXPECT_NE(file["path"], "gone.ts");
  EXPECT_EQ(context["history"], Json({{"commits", 3}, {"lookedAt", 3}}));
  const Json& related = context["relatedFiles"];
  EXPECT_TRUE(std::any_of(related.begin(), related.end(), [](const Json& file) {
    return file["path"] == "notes.md" && file["reason"] == "changes with it";
  })) << related.dump(1);
}

TEST(GetContext, ListsTheRepositorysOwnModulesFirst) {
  ToolsFixture fixture;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "import module_of_somebody_else_" + std::to_string(i) + "\n";
  fixture.write("py/app/shop.py", text +
                                      "from .money import round_amount\n\n\n"
                                      "def sell(price):\n    return round_amount(price)\n");
  fixture.write("py/app/billing.py", sample_files().at("py/app/billing.py"));
  const Json context =
      fixture.call("get_context", {{"file_path", "py/app/shop.py"}, {"symbol", "sell"}});
  ASSERT_FALSE(context["dependencies"].empty()) << context.dump(1);
  EXPECT_EQ(context["dependencies"][0]["file"]["path"], "py/app/money.py") << context.dump(1);
}

TEST(GetContext, HasTypesAndTests) {
  ToolsFixture fixture;
  fixture.write("web/src/item.ts",
                "export interface Item {\n  name: string;\n}\n\n"
                "export interface Money {\n  cents: number;\n}\n");
  fixture.write("web/src/cart.ts",
                "import { Item, Money } from './item';\n\n"
                "export function total(items: Item[]): Money {\n"
                "  return { cents: items.length };\n}\n");
  fixture.write("web/src/page.ts",
                "import { total } from './cart';\n\n"
                "export function page() {\n  return total([]);\n}\n");
  fixture.write("web/tests/cart.test.ts",
                "import { total } from '../src/cart';\n\n"
                "it('adds up', () => {\n  expect(total([])).toBe(0);\n});\n");
  ASSERT_TRUE(fixture.services().index({}, {}, {}).ok());
  const Json answer = fixture.call(
      "get_context", {{"file_path", "web/src/cart.ts"}, {"symbol", "total"}, {"context_size", 10}});
  ASSERT_EQ(answer["types"].size(), 2U) << answer.dump();
  EXPECT_EQ(answer["types"][0]["name"], "Item");
  ASSERT_EQ(answer["tests"].size(), 1U);
  EXPECT_EQ(answer["tests"][0]["path"], "web/tests/cart.test.ts");
  EXPECT_EQ(answer["tests"][0]["line"], 4);
  ASSERT_EQ(answer["callers"].size(), 1U) << "a test is no caller";
  EXPECT_EQ(answer["callers"][0]["name"], "page");
  std::set<std::string> reasons;
  for (const Json& piece : answer["relevantCode"]) reasons.insert(piece["reason"]);
  EXPECT_THAT(reasons, IsSupersetOf({"asked for", "caller", "type used here", "test"}));
}

TEST(GetContext, HoldsContextSizeAndMaxTokens) {
  const Json one =
      shared().call("get_context", {{"file_path", "web/src/store.ts"}, {"context_size", 1}});
  EXPECT_EQ(one["relevantCode"].size(), 1U);
  EXPECT_LE(one["relatedFiles"].size(), 1U);
  EXPECT_GT(one["omitted"]["relevantCode"], 0);
  for (const int tokens : {200, 300, 500, 1000, 2048}) {
    const ToolResult result = shared().call_raw(
        "get_context",
        {{"file_path", "web/src/store.ts"}, {"context_size", 20}, {"max_tokens", tokens}});
    EXPECT_LE(result.structured.size(), static_cast<std::size_t>(tokens) * 7 / 2);
    const Json answer = Json::parse(result.structured);
    EXPECT_NEAR(answer["token_estimate"].get<double>(),
                static_cast<double>(result.structured.size()) / 3.5, 8);
  }
}

TEST(GetContext, RepeatsNoCode) {
  const Json answer = shared().call(
      "get_context",
      {{"file_path", "web/src/store.ts"}, {"context_size", 20}, {"max_tokens", 25000}});
  std::set<std::string> seen;
  for (const Json& piece : answer["relevantCode"]) {
    EXPECT_TRUE(
        seen.insert(piece["file"]["path"].get<std::string>() + ":" + piece["startLine"].dump())
            .second);
  }
}

TEST(GetContext, LeavesDependenciesOutOnRequest) {
  const Json answer = shared().call(
      "get_context", {{"file_path", "py/app/billing.py"}, {"include_dependencies", false}});
  EXPECT_EQ(answer["dependencies"], Json::array());
}

TEST(GetContext, RefusesASymbolThatTheFileDoesNotDefine) {
  const Json answer =
      shared().call("get_context", {{"file_path", "py/app/money.py"}, {"symbol", "round_amout"}});
  EXPECT_EQ(answer["type"], "ValidationError");
  EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr("did you mean \"round_amount\"?"));
}

TEST(Arguments, ThatHoldNothingAreNamedWithTheirLimitAndValue) {
  const auto message = [](const char* tool, const Json& arguments) -> std::string {
    const Json answer = shared().call(tool, arguments);
    EXPECT_EQ(answer["type"], "ValidationError") << answer;
    return answer["message"];
  };
  EXPECT_EQ(message("search_code", {{"query", "   "}}),
            "query must hold a letter, a digit or an emoji, got \"   \"");
  for (const char* tool : {"find_symbol", "get_references"}) {
    EXPECT_EQ(message(tool, {{"symbol", " "}}), "symbol must hold a name, got \" \"");
  }
  for (const char* empty : {"", " ", "*", "."}) {
    EXPECT_EQ(
        message("search_code",
                {{"query", "store"}, {"file_extensions", Json::array({".ts", empty})}}),
        std::string("file_extensions must hold extensions such as .ts, got \"") + empty + "\"");
  }
}

struct BadPath {
  const char* path;
  const char* type;
  const char* message;
};

TEST(Paths, AreRefusedOutsideAndMissedInside) {
  const BadPath bad[] = {
      {"../secret.ts", "ValidationError", "leads out of it"},
      {"web/../../secret.ts", "ValidationError", "leads out of it"},
      {"/etc/passwd", "ValidationError", "leads out of it"},
      {".", "ValidationError", "the repository itself"},
      {"web/src/stores.ts", "FileNotFoundError", "web/src/store.ts"},
      {"stores.ts", "FileNotFoundError", "web/src/store.ts"},
  };
  for (const BadPath& each : bad) {
    for (const char* tool : {"analyze_dependencies", "get_context"}) {
      const Json answer = shared().call(tool, {{"file_path", each.path}});
      EXPECT_EQ(answer["type"], each.type) << tool << " " << each.path;
      EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr(each.message));
    }
    const Json answer =
        shared().call("find_symbol", {{"symbol", "Store"}, {"file_path", each.path}});
    EXPECT_EQ(answer["type"], each.type) << each.path;
  }
}

TEST(Paths, MayBeTheLastNamesOfOneFile) {
  const Json answer = shared().call("get_context", {{"file_path", "store.ts"}});
  EXPECT_EQ(answer["file"]["path"], "web/src/store.ts");
  EXPECT_EQ(answer["note"], "file_path \"store.ts\" was read as \"web/src/store.ts\".");
}

TEST(Paths, MayComeByASymbolicLink) {
  codexmem::testing::TemporaryDirectory elsewhere;
  std::filesystem::create_directory_symlink(shared().root(), elsewhere.path() / "link");
  const auto path = ask::repository_path(shared().services().workspace, "file_path",
                                         (elsewhere.path() / "link/web/src/store.ts").string());
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(*path, "web/src/store.ts");
}

TEST(Freshness, AnswersDescribeFilesAsTheyAreNow) {
  ToolsFixture fixture;
  fixture.write("py/app/money.py",
                "# A new first line.\n\ndef round_amount(value, digits=3):\n    return value\n");
  const Json moved = fixture.call("find_symbol", {{"symbol", "round_amount"}});
  EXPECT_EQ(moved["results"][0]["symbol"]["startLine"], 3);

  fixture.write("py/app/money.py", "def other(value):\n    return value\n");
  EXPECT_EQ(fixture.call("find_symbol", {{"symbol", "round_amount"}})["results"].size(), 0U);

  fixture.remove("web/tests/UserService.test.ts");
  const Json references = fixture.call("get_references", {{"symbol", "UserService"}});
  EXPECT_THAT(paths(references["results"]), Not(Contains("web/tests/UserService.test.ts")));
}

TEST(Freshness, AFileThatIsNamedIsIndexedWhenItIsNew) {
  ToolsFixture fixture;
  fixture.write("py/app/fresh.py", "from .money import round_amount\n");
  const Json answer = fixture.call("analyze_dependencies", {{"file_path", "py/app/fresh.py"}});
  ASSERT_FALSE(answer.contains("is_error")) << answer;
  EXPECT_EQ(answer["dependencies"][0]["file"]["path"], "py/app/money.py");
}

TEST(Freshness, AFileThatIsWrittenAllTheTimeDoesNotHoldUpTheAnswer) {
  ToolsFixture fixture;
  int runs = 0;
  fixture.services().index = [&](const auto&, const auto&, auto) -> Result<index::IndexReport> {
    ++runs;
    return index::IndexReport{};
  };
  fixture.write("py/app/money.py", "def round_amount():\n    pass\n# changed\n");
  const ToolResult answer = fixture.call_raw("find_symbol", {{"symbol", "round_amount"}});
  EXPECT_EQ(runs, 2);
  const Json structured = Json::parse(answer.structured);
  EXPECT_EQ(structured["results"].size(), 1U);
  EXPECT_EQ(structured["stale"]["files"], Json::array({"py/app/money.py"})) << "and says so";
  EXPECT_THAT(answer.note, HasSubstr("py/app/money.py")) << "also beside the bare array";
}

TEST(Freshness, AFileOfTomorrowIsNotStaleForEver) {
  ToolsFixture fixture;
  fixture.write("py/app/money.py", "def round_amount():\n    return 1\n");
  const auto path = fixture.services().workspace.root() / "py/app/money.py";
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(24));
  for (int question = 0; question < 2; ++question) {
    const ToolResult answer = fixture.call_raw("find_symbol", {{"symbol", "round_amount"}});
    EXPECT_EQ(Json::parse(answer.structured)["results"].size(), 1U);
    EXPECT_FALSE(Json::parse(answer.structured).contains("stale")) << answer.structured;
  }
}

TEST(Freshness, EveryAnswerSaysWhyTheIndexIsBehind) {
  ToolsFixture fixture;
  fixture.services().await_ready = [](const ask::Context&, auto) -> Result<std::string> {
    return std::string("indexing failed: disk full");
  };
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, Json>>{
           {"search_code", {{"query", "store"}}},
           {"find_symbol", {{"symbol", "Store"}}},
           {"get_references", {{"symbol", "Store"}}},
           {"analyze_dependencies", {{"file_path", "web/src/store.ts"}}},
           {"get_context", {{"file_path", "web/src/store.ts"}}},
           {"get_context", {{"file_path", "web/src/nowhere.ts"}}}}) {
    const ToolResult answer = fixture.call_raw(tool, arguments);
    const Json structured = Json::parse(answer.structured);
    EXPECT_EQ(structured["stale"]["why"], "indexing failed: disk full") << tool;
    if (structured.contains("coverage")) {
      EXPECT_EQ(structured["coverage"]["stale"], true) << tool;
    }
    EXPECT_THAT(answer.note, HasSubstr("disk full")) << tool;
  }
}

TEST(Freshness, WithoutAnyEventNoToolDescribesAFileAsItWas) {
  ToolsFixture fixture;  // nothing watches
  const std::string moved = "\n\n\n" + sample_files().at("web/src/store.ts");
  const auto lines = [&](const char* tool, const Json& arguments, const char* pointer) {
    const Json answer = fixture.call(tool, arguments);
    const Json::json_pointer at(pointer);
    return answer.contains(at) ? answer[at] : answer;
  };
  fixture.write("web/src/store.ts", moved);
  EXPECT_EQ(lines("search_code", {{"query", "keeps values by key"}}, "/results/0/startLine"), 4);
  fixture.write("web/src/store.ts", "\n" + moved);
  EXPECT_EQ(lines("find_symbol", {{"symbol", "Store"}}, "/results/0/symbol/startLine"), 6);
  fixture.write("web/src/store.ts", "\n\n" + moved);
  EXPECT_EQ(lines("get_references", {{"symbol", "Store"}}, "/results/0/line"), 7);
  // Of another file, which is named as a caller and as an importer.
  const std::string controller = sample_files().at("web/src/controllers/UserController.ts");
  fixture.write("web/src/controllers/UserController.ts", "\n\n" + controller);
  EXPECT_EQ(
      lines("get_context",
            {{"file_path", "web/src/services/UserService.ts"}, {"symbol", "UserService.findUser"}},
            "/callers/0/line"),
      6);
  fixture.write("web/src/controllers/UserController.ts", "\n\n\n" + controller);
  const Json edges =
      fixture.call("analyze_dependencies", {{"file_path", "web/src/store.ts"}})["dependents"];
  for (const Json& edge : edges) {
    if (edge["file"]["path"] != "web/src/controllers/UserController.ts") continue;
    EXPECT_EQ(edge["line"], 5);
  }
}

TEST(Freshness, WhatCannotBeIndexedFailsTheQuestionAsAnIndexingError) {
  ToolsFixture fixture;
  fixture.services().index = [](const auto&, const auto&, auto) -> Result<index::IndexReport> {
    return Error{ErrorCode::kIo, "disk full"};
  };
  fixture.write("web/src/store.ts", "export class Store {}\n");
  const Json answer = fixture.call("find_symbol", {{"symbol", "Store"}});
  EXPECT_EQ(answer["type"], "IndexingError");
  EXPECT_EQ(answer["message"], "bringing the index up to date: disk full");

  fixture.services().await_ready = [](const ask::Context&, auto) -> Result<std::string> {
    return Error{ErrorCode::kNotFound, "gone"};
  };
  EXPECT_EQ(fixture.call("search_code", {{"query", "store"}})["type"], "IndexingError");
}

TEST(Freshness, AQuestionWaitsForAnotherRunForAWhileOnly) {
  ToolsFixture fixture;
  std::stop_source client;
  bool cancels = false;
  fixture.services().index = [&](const auto&, const auto& progress,
                                 std::stop_token stop) -> Result<index::IndexReport> {
    index::IndexProgress waiting;
    waiting.phase = index::IndexPhase::kWaiting;
    while (!stop.stop_requested()) {
      if (cancels) client.request_stop();
      progress(waiting);
    }
    return Error{ErrorCode::kCancelled, "indexing was cancelled"};
  };
  fixture.services().patience = std::chrono::milliseconds(20);
  // What was waited for before counts.
  fixture.services().await_ready = [&](const ask::Context&, auto deadline) -> Result<std::string> {
    EXPECT_LE(deadline, std::chrono::steady_clock::now() + fixture.services().patience);
    return std::string();
  };
  fixture.write("web/src/store.ts", "export class Store {}\n");
  const Json answer = fixture.call("find_symbol", {{"symbol", "Store"}});
  EXPECT_EQ(answer["type"], "IndexingError");
  EXPECT_THAT(answer["message"].get<std::string>(),
              AllOf(HasSubstr("web/src/store.ts has changed"), HasSubstr("ask again")));

  cancels = true;
  CallContext context;
  context.stop = client.get_token();
  EXPECT_EQ(fixture.call("find_symbol", {{"symbol", "Store"}}, &context)["message"],
            "indexing was cancelled");
}

TEST(Concurrency, TenQuestionsAtOnceAreAnsweredAsOneAfterTheOther) {
  ToolsFixture fixture;
  const std::vector<std::pair<std::string, Json>> questions = {
      {"search_code", {{"query", "total of an invoice"}}},
      {"find_symbol", {{"symbol", "Store"}}},
      {"get_references", {{"symbol", "UserService"}}},
      {"analyze_dependencies", {{"file_path", "web/src/store.ts"}}},
      {"get_context", {{"file_path", "web/src/services/UserService.ts"}}},
  };
  std::vector<std::string> want;
  for (const auto& [tool, arguments] : questions) {
    want.push_back(fixture.call_raw(tool, arguments).structured);
  }
  std::vector<std::string> got(10);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < got.size(); ++i) {
      threads.emplace_back([&, i] {
        const auto& [tool, arguments] = questions[i % questions.size()];
        got[i] = fixture.call_raw(tool, arguments).structured;
      });
    }
  }
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], want[i % want.size()]);
}

TEST(Concurrency, QuestionsAboutAFileThatHasChangedAllSeeItAsItIs) {
  ToolsFixture fixture;
  fixture.write("py/app/money.py", "\n\n\ndef round_amount(value):\n    return value\n");
  std::vector<int> lines(10);
  {
    std::vector<std::jthread> threads;
    for (int& line : lines) {
      threads.emplace_back([&] {
        const Json answer = fixture.call("find_symbol", {{"symbol", "round_amount"}});
        line = answer["results"][0]["symbol"]["startLine"];
      });
    }
  }
  EXPECT_THAT(lines, ::testing::Each(4));
}

TEST(IndexRepository, ReportsWhatItDidWithRisingProgress) {
  ToolsFixture fixture;
  fixture.write("py/app/more.py", "def more():\n    pass\n");
  std::vector<double> done;
  CallContext context;
  context.on_progress = [&](const ask::Progress& progress) { done.push_back(progress.done); };
  const Json answer = fixture.call("index_repository", Json::object(), &context);
  EXPECT_EQ(answer["status"], "completed");
  EXPECT_EQ(answer["message"], "Repository indexing completed for: " + fixture.root().string());
  EXPECT_EQ(answer["stats"]["filesProcessed"], 1);
  EXPECT_EQ(answer["stats"]["symbolsExtracted"], 1);
  EXPECT_TRUE(answer["stats"]["timeElapsed"].is_string());
  ASSERT_FALSE(done.empty());
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 100);
}

TEST(IndexRepository, ForcesAndNarrows) {
  ToolsFixture fixture;
  const Json forced = fixture.call("index_repository", {{"force", true}, {"path", "py"}});
  EXPECT_EQ(forced["stats"]["filesProcessed"], 3);
  EXPECT_EQ(fixture.call("index_repository", {{"path", "."}})["stats"]["filesProcessed"], 0);
  EXPECT_EQ(fixture.call("index_repository", {{"path", "../x"}})["type"], "ValidationError");
  EXPECT_EQ(fixture.call("index_repository", {{"path", "no/such"}})["type"], "FileNotFoundError");
}

TEST(IndexRepository, StopsWhenItIsCancelled) {
  ToolsFixture fixture;
  std::stop_source source;
  source.request_stop();
  CallContext context;
  context.stop = source.get_token();
  const Json answer = fixture.call("index_repository", {{"force", true}}, &context);
  EXPECT_EQ(answer["type"], "IndexingError");
}

TEST(Failures, OfTheEnginesHaveTheContractsTypes) {
  EXPECT_EQ(ask::code_failure({ErrorCode::kInvalidArgument, "m"}, "O").text,
            "Error: ValidationError - m");
  EXPECT_EQ(ask::code_failure({ErrorCode::kNotFound, "m"}, "O").text,
            "Error: FileNotFoundError - m");
  EXPECT_EQ(ask::code_failure({ErrorCode::kCorrupt, "m"}, "O").text, "Error: DatabaseError - m");
  EXPECT_EQ(ask::code_failure({ErrorCode::kBusy, "m"}, "O").text, "Error: DatabaseError - m");
  EXPECT_EQ(ask::code_failure({ErrorCode::kCancelled, "m"}, "O").text, "Error: O - m");
}

}  // namespace
}  // namespace codexmem::mcp::testing
