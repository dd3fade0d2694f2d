// The rows of the contract: carriers, limits, filters, texts, failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/json.h"
#include "base/text.h"
#include "ask/memory/get_records.h"
#include "ask/memory/index_rows.h"
#include "ask/memory/ingest_docs.h"
#include "ask/memory/record_decision.h"
#include "ask/memory/retention_dry_run.h"
#include "ask/memory/save_memory.h"
#include "ask/memory/search.h"
#include "ask/memory/search_decisions.h"
#include "ask/memory/timeline.h"
#include "ask/questions.h"
#include "memory/memory.h"
#include "support/temporary_directory.h"

namespace codexmem::ask {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t kDay = 1'767'312'000'000;  // 2026-01-02, midnight UTC

// An answer or a failure, as it is carried.
struct Said {
  bool is_error = false;
  std::string text, structured;
};

template <typename Params>
const Question& question_with() {
  for (const Question* each : questions()) {
    if (each->run == run_memory_question<Params>) return *each;
  }
  std::abort();
}

template <typename Params>
Said say(const MemoryCall& call, const Json& arguments) {
  const auto answer =
      answer_to<Params>(question_with<Params>(), call, *ToolArguments::parse(arguments.dump()));
  if (answer.ok()) {
    Written written = answer->to_json();
    return {false, std::move(written.text), std::move(written.structured)};
  }
  const bool is_decision =
      std::is_same_v<Params, RecordDecisionParams> || std::is_same_v<Params, SearchDecisionsParams>;
  Failure failure = is_decision ? decision_failure(answer.error()) : memory_failure(answer.error());
  return {true, std::move(failure.text), std::move(failure.structured)};
}

class Answers : public ::testing::Test {
 protected:
  Answers() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    open({});
  }

  void open(memory::MemoryOptions options) {
    memory_.reset();
    options.directory = directory_.path() / "data";
    options.clock = [this] { return now_; };
    if (options.project == "default") options.project = "here";
    auto opened = memory::Memory::open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    memory_ = *std::move(opened);
  }

  template <typename Params>
  Json ask(const Json& arguments) {
    last_ = say<Params>({.memory = *memory_}, arguments);
    return Json::parse(last_.structured);
  }
  Json save(const Json& arguments) { return ask<SaveMemoryParams>(arguments); }
  Json search(const Json& arguments) { return ask<SearchParams>(arguments); }
  Json timeline(const Json& arguments) { return ask<TimelineParams>(arguments); }
  std::vector<std::string> ids(const Json& answer) {
    std::vector<std::string> found;
    for (const Json& item : answer["items"]) found.push_back(item["id"]);
    return found;
  }
  // A session with a prompt and a summary.
  void add_session() {
    ASSERT_TRUE(memory_->sessions().start("s1", "here", "raw").ok());
    ASSERT_TRUE(memory_->sessions().add_prompt("s1", "why does the gateway retry").ok());
    memory::Summary summary;
    summary.session = "s1";
    summary.request = "Look into gateway retries";
    ASSERT_TRUE(memory_->sessions().add_summary(summary).ok());
  }

  codexmem::testing::TemporaryDirectory directory_;
  std::int64_t now_ = kDay + 9 * 3'600'000;
  std::unique_ptr<memory::Memory> memory_;
  Said last_;
};

TEST(Ids, AreReadInEveryForm) {
  for (const char* text : {"12", "#12", " 12 "}) {
    EXPECT_EQ(read_id(text), memory::document_key(memory::EntryId{12})) << text;
  }
  EXPECT_EQ(read_id("S12"), memory::document_key(memory::SummaryId{12}));
  EXPECT_EQ(read_id("#s12"), memory::document_key(memory::SummaryId{12}));
  EXPECT_EQ(read_id("P12"), memory::document_key(memory::PromptId{12}));
  for (const char* text : {"", "#", "S", "0", "-1", "12a", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(read_id(text)) << text;
  }
}

TEST(Lists, AreArraysOrTextsWithCommas) {
  const auto read = [](const Json& value) {
    return *ToolArguments::parse(Json{{"files", value}}.dump())->texts("files");
  };
  EXPECT_THAT(read("a.ts, b.ts,,"), ElementsAre("a.ts", "b.ts"));
  EXPECT_THAT(read({"a,b.ts", " c.ts ", ""}), ElementsAre("a,b.ts", "c.ts"));
  EXPECT_THAT(read(nullptr), ElementsAre());
}

TEST_F(Answers, SaveAnswersWithItsKeysAndSavesTheSameOnce) {
  const Json saved = save({{"text", "API needs X-API-Key"}, {"title", "Auth"}});
  EXPECT_EQ(saved.dump(),
            R"({"status":"saved","id":"1","created_at":"2026-01-02T09:00:00.000Z","success":true,)"
            R"("title":"Auth","project":"here","type":"discovery",)"
            R"("message":"Memory saved as observation #1","observation_id":1})");
  EXPECT_EQ(last_.text, last_.structured);
  now_ += 1000;
  EXPECT_EQ(save({{"text", "API needs X-API-Key"}, {"title", "Auth"}})["duplicate"], true);
  EXPECT_EQ(save({{"text", "API needs X-API-Key"}, {"title", "Auth"}, {"project", "b"}})["id"],
            "2");
  for (const Json& bad : {Json::object(), Json{{"text", " "}}, Json{{"text", 7}},
                          Json{{"text", "<private>all</private>"}}}) {
    EXPECT_EQ(save(bad)["message"], "text is required and must be non-empty") << bad;
    EXPECT_EQ(last_.text, "INVALID_ARGUMENT: text is required and must be non-empty");
  }
  EXPECT_EQ(save({{"text", "a"}, {"type", "No Type"}})["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(save({{"text", "a"}, {"metadata", 1}})["code"], "INVALID_ARGUMENT");
}

TEST_F(Answers, SaveReportsItsCitationsAndOmissions) {
  CodeAround code;
  code.cite = [](const memory::Mentions& mentions) -> Result<std::vector<memory::Citation>> {
    std::vector<memory::Citation> cited;
    for (const std::string& file : mentions.files) {
      memory::Citation one;
      one.path = file;
      one.is_explicit = true;
      if (file == "src/a.ts") one.body_hash = std::string(64, 'a');
      cited.push_back(one);
    }
    memory::Citation recognised;
    recognised.path = "src/b.ts";
    recognised.symbol = "B.run";
    recognised.body_hash = std::string(16, 'b');
    cited.push_back(recognised);
    cited.resize(std::min<std::size_t>(cited.size(), 3));
    return cited;
  };
  const Json arguments = {{"text", "B.run retries <private>key</private> twice"},
                          {"title", "Retries"},
                          {"files", {"src/a.ts", "src/gone.ts"}}};
  const auto answer = say<SaveMemoryParams>({.memory = *memory_, .code = code}, arguments);
  Json saved = Json::parse(answer.structured);
  EXPECT_EQ(saved["cites"], Json({"src/a.ts", "src/b.ts::B.run"}));
  EXPECT_EQ(saved["not_found"], Json({"src/gone.ts"}));
  EXPECT_EQ(saved["private_removed"], Json({"text"}));
  EXPECT_FALSE(saved.contains("cites_omitted"));
  const Json many = {{"text", "many"}, {"files", {"src/a.ts", "x", "y", "z", "zz"}}};
  saved = Json::parse(say<SaveMemoryParams>({.memory = *memory_, .code = code}, many).structured);
  EXPECT_EQ(saved["cites_omitted"], 2);
  // Without an index nothing is known to be missing.
  saved = save({{"text", "no index"}, {"files", {"src/gone.ts"}}});
  EXPECT_EQ(saved["cites"], Json({"src/gone.ts"}));
  EXPECT_FALSE(saved.contains("not_found"));
}

TEST_F(Answers, UnknownIdsOfObservationsAreNamed) {
  save({{"text", "one"}});
  save({{"text", "two"}, {"type", "bugfix"}});
  const Json answer = ask<GetObservationsParams>({{"ids", {1, 7, 2, 9, 7}}});
  EXPECT_EQ(answer["results"].size(), 2U);
  EXPECT_EQ(answer["missing"], Json({7, 9}));
  EXPECT_FALSE(ask<GetObservationsParams>({{"ids", {1, 2}}}).contains("missing"));
  // What a filter keeps out is there.
  const Json filtered = ask<GetObservationsParams>({{"ids", {1, 2, 3}}, {"type", "bugfix"}});
  EXPECT_EQ(filtered["missing"], Json({3}));
}

TEST_F(Answers, AllPagesOfASearchAreEveryMatchOnce) {
  for (int i = 0; i < 700; ++i) {
    std::string text = "needle fact " + std::to_string(i);
    for (int k = 0; k < i % 17; ++k) text += " filler words";
    save({{"text", text}, {"project", i % 3 == 0 ? "there" : "here"}});
    now_ += 60'000;
  }
  for (const std::size_t tokens : {1000, 2048}) {
    std::vector<std::string> found;
    Json arguments = {{"query", "needle"}, {"limit", 100}, {"max_tokens", tokens}};
    double last = 1;
    for (int page = 0; page < 300; ++page) {
      const Json answer = search(arguments);
      EXPECT_LE(last_.structured.size(), tokens * 7 / 2);
      EXPECT_EQ(answer["total"], 700);
      for (const Json& item : answer["items"]) {
        found.push_back(item["id"]);
        EXPECT_LE(item["score"].get<double>(), last);
        last = item["score"];
      }
      if (!answer.contains("nextOffset")) break;
      arguments["offset"] = answer["nextOffset"];
    }
    EXPECT_EQ(found.size(), 700U);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(std::unique(found.begin(), found.end()), found.end());
  }
}

TEST_F(Answers, UnknownEntriesMakeAShortFailure) {
  Json ids = Json::array();
  for (int i = 0; i < 199; ++i) ids.push_back(std::string(3000, 'x') + std::to_string(i));
  const Json answer = ask<GetEntriesParams>({{"ids", ids}, {"max_tokens", 1000}});
  EXPECT_EQ(answer["code"], "ENTRY_NOT_FOUND");
  EXPECT_LE(last_.structured.size(), 4000U);
}

TEST_F(Answers, RetentionGoesOnByOffset) {
  for (int i = 0; i < 4; ++i) save({{"text", "old " + std::to_string(i)}});
  now_ += std::int64_t{200} * 86'400'000;
  EXPECT_EQ(ask<RetentionParams>(Json::object())["candidate_ids"].size(), 4U);
  const Json rest = ask<RetentionParams>({{"offset", 3}});
  EXPECT_EQ(rest["candidate_ids"], Json({"4"}));
  EXPECT_EQ(rest["total_candidates"], 4);
}

TEST(IndexItems, ShowSupersededEntries) {
  IndexRow row;
  row.key = memory::document_key(memory::EntryId{1});
  EXPECT_FALSE(Json::parse(index_item_json(row)).contains("superseded"));
  row.succession = {memory::EntryId{7}, {memory::EntryId{2}, memory::EntryId{3}}};
  EXPECT_EQ(Json::parse(index_item_json(row))["superseded"], true);
  EXPECT_EQ(Json::parse(index_item_json(row))["superseded_by"], "7");
  EXPECT_EQ(Json::parse(index_item_json(row))["supersedes"], Json::array({"2", "3"}));
  EXPECT_THAT(search_table(std::vector<IndexRow>{row}, "here"), HasSubstr("(superseded by #7)"));
}

TEST_F(Answers, SearchIsATableADayAndAFile) {
  save({{"text", "gateway retries back off"},
        {"title", "Back off"},
        {"type", "bugfix"},
        {"files", {"src/a.ts"}}});
  save({{"text", "gateway retries | five"}, {"title", "Five | retries"}, {"files", {"src/a.ts"}}});
  now_ += 86'400'000;
  save({{"text", "gateway timeouts"}, {"title", "Timeouts"}});
  add_session();
  search({{"project", "here"}, {"orderBy", "date_asc"}, {"type", "observations"}});
  EXPECT_EQ(last_.text,
            "Found 3 result(s) matching \"(filters only)\" (3 obs, 0 sessions, 0 prompts)\n\n"
            "### Jan 2, 2026\n\n**src/a.ts**\n| ID | Time | T | Title | Read |\n"
            "|----|------|---|-------|------|\n| #1 | 9:00 AM | 🔴 | Back off | ~9 |\n"
            "| #2 | ″ | 🔵 | Five \\| retries | ~10 |\n\n"
            "### Jan 3, 2026\n\n**General**\n| ID | Time | T | Title | Read |\n"
            "|----|------|---|-------|------|\n| #3 | 9:00 AM | 🔵 | Timeouts | ~7 |");
  search({{"query", "gateway"}});
  EXPECT_THAT(last_.text, StartsWith("Found 5 result(s) matching \"gateway\" (3 obs, 1 sessions, "
                                     "1 prompts)"));
  EXPECT_THAT(last_.text, HasSubstr("| #S1 |"));
  EXPECT_THAT(last_.text, HasSubstr("| #P1 |"));
  const Json whole = search({{"query", "gateway"}, {"format", "json"}});
  EXPECT_EQ(last_.text, last_.structured);
  EXPECT_EQ(whole["observations"].size(), 3U);
  EXPECT_EQ(whole["sessions"][0]["request"], "Look into gateway retries");
  EXPECT_EQ(whole["prompts"][0]["prompt_text"], "why does the gateway retry");
  EXPECT_EQ(whole["totalResults"], 5);
}

TEST_F(Answers, TypeNamesCategoriesAndTypesAnyOfWhichMatch) {
  save({{"text", "one"}, {"type", "bugfix"}});
  save({{"text", "two"}, {"type", "feature"}});
  add_session();
  const auto found = [&](Json filters) {
    filters["project"] = "here";
    auto all = ids(search(filters));
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_THAT(found({{"type", "bugfix"}}), ElementsAre("1"));
  EXPECT_THAT(found({{"type", "bugfix, feature"}}), ElementsAre("1", "2"));
  EXPECT_THAT(found({{"type", {"sessions", "feature"}}}), ElementsAre("2", "S1"));
  EXPECT_THAT(found({{"type", {"prompts", "sessions"}}}), ElementsAre("P1", "S1"));
  EXPECT_THAT(found({{"type", "observations"}, {"obs_type", "feature"}}), ElementsAre("2"));
  EXPECT_THAT(found({{"type", "bugfix"}, {"obs_type", "feature"}}), ElementsAre());
  EXPECT_THAT(found({{"dateStart", "2026-01-02"}, {"dateEnd", "2026-01-02"}, {"type", "bugfix"}}),
              ElementsAre("1"));
  EXPECT_THAT(found({{"dateEnd", 1'767'311'999}}), ElementsAre());
}

TEST_F(Answers, EveryShapeOfARecordNamesWhatSupersededIt) {
  for (const char* text : {"uploads above eight megabytes are refused", "any size will do"}) {
    save({{"text", text}, {"type", "ingestion"}});
  }
  {
    auto writer = memory_->store().writer();
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0)").ok());
  }
  // Each shape: the older one, then the newer.
  std::vector<Json> older, newer;
  const auto add = [&](const Json& rows) {
    for (const Json& row : rows) {
      const bool is_first = row["id"] == 1 || row["id"] == "1";
      (is_first ? older : newer).push_back(row);
    }
  };
  add(search({{"query", "uploads eight"}})["items"]);
  EXPECT_THAT(last_.text, HasSubstr("(superseded by #2)"));
  add(timeline({{"anchor", "1"}})["items"]);
  add(ask<GetEntriesParams>({{"ids", {"1", "2"}}})["items"]);
  ASSERT_EQ(older.size(), 3U);
  ASSERT_EQ(newer.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(older[i]["superseded_by"], "2") << older[i];
    EXPECT_FALSE(older[i].contains("supersedes"));
    EXPECT_EQ(newer[i]["supersedes"], Json::array({"1"})) << newer[i];
    EXPECT_FALSE(newer[i].contains("superseded_by"));
  }
  older.clear();
  newer.clear();
  add(ask<GetObservationsParams>({{"ids", {1, 2}}})["results"]);
  add(search({{"query", "uploads eight"}, {"format", "json"}})["observations"]);
  ASSERT_EQ(older.size(), 2U);
  ASSERT_EQ(newer.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(older[i]["superseded_by"], 2) << older[i];
    EXPECT_EQ(newer[i]["supersedes"], Json::array({1})) << newer[i];
  }
}

TEST_F(Answers, ADayOfAFilterIsADayThatIsShown) {
  ::setenv("TZ", "America/New_York", 1);
  ::tzset();
  now_ = kDay + 3 * 3'600'000;  // the evening before, there
  save({{"text", "the gateway retries"}});
  now_ += 3 * 3'600'000;
  save({{"text", "the gateway gave up"}});
  const Json first =
      search({{"query", "gateway"}, {"dateStart", "2026-01-01"}, {"dateEnd", "2026-01-01"}});
  EXPECT_THAT(ids(first), ElementsAre("1"));
  EXPECT_THAT(last_.text, HasSubstr("### Jan 1, 2026"));
  EXPECT_THAT(last_.text, HasSubstr("10:00 PM"));
  EXPECT_THAT(ids(search({{"dateStart", "2026-01-02"}, {"dateEnd", "2026-01-02"}})),
              ElementsAre("2"));
  EXPECT_THAT(ids(search({{"dateEnd", "2026-01-01T22:00"}})), ElementsAre("1"));
  EXPECT_THAT(ids(timeline({{"anchor", "2026-01-02"}, {"depth_after", 0}})), ElementsAre("1"));
  ::unsetenv("TZ");
  ::tzset();
}

TEST_F(Answers, EachSearchLeavesATrace) {
  save({{"text", "the gateway retries"}});
  // Query, project, mode, hits and returned rows.
  const auto traces = [&] {
    EXPECT_TRUE(memory_->searches().write_pending());
    auto reader = memory_->store().reader();
    EXPECT_TRUE(reader.ok());
    auto list = (*reader)->statement(
        "SELECT query, project, lexical_hits, returned FROM search_traces ORDER BY id");
    EXPECT_TRUE(list.ok());
    std::vector<std::string> rows;
    while (*list->step()) {
      rows.push_back(std::string(list->text(0)) + "|" + std::string(list->text(1)) + "|" +
                     std::to_string(list->integer(2)) + "|" + std::to_string(list->integer(3)));
    }
    return rows;
  };
  search({{"query", "gateway"}});
  search({{"query", "nothing of the kind"}, {"project", "here"}});
  search({{"type", "bugfix"}});
  search({{"query", "gateway"}, {"type", "sessions,discovery"}});
  timeline({{"query", "gateway"}});
  timeline({{"anchor", "1"}});
  search({{"limit", 0}});  // refused
  const std::string secret = std::string("ghp") + "_" + "K7dQ2xVb9LmT4wZr8HsJ" + "1cNf6PyG3aRe5UoE";
  search({{"query", "<private>my illness</private> gateway " + secret}});
  EXPECT_THAT(traces(),
              ElementsAre("gateway||1|1", "nothing of the kind|here|0|0", "||0|0", "gateway||1|1",
                          "gateway||1|1", HasSubstr("gateway [REDACTED")));
  EXPECT_THAT(traces().back(), Not(HasSubstr("illness")));
  EXPECT_THAT(traces().back(), Not(HasSubstr("K7dQ")));
}

TEST_F(Answers, ASearchWaitsForNoTrace) {
  save({{"text", "the gateway retries"}});
  {
    // Another program writes for long.
    auto other = store::Database::open(memory_->store().directory() / "memory.db");
    ASSERT_TRUE(other.ok());
    const auto writing = store::Transaction::begin(*other);
    ASSERT_TRUE(writing.ok());
    EXPECT_THAT(ids(search({{"query", "gateway"}})), ElementsAre("1"));
    EXPECT_FALSE(memory_->searches().write_pending());
  }
  EXPECT_TRUE(memory_->searches().write_pending());
  auto reader = memory_->store().reader();
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->find_integer("SELECT count(*) FROM search_traces")->value_or(0), 1);
}

TEST_F(Answers, SearchesInExcludedProjectsAndOfViewersLeaveNoTrace) {
  for (const bool is_viewer : {true, false}) {
    memory::MemoryOptions options;
    options.directory = directory_.path() / (is_viewer ? "viewer" : "excluded");
    options.leaves_traces = !is_viewer;
    options.excluded_projects = {"client-*"};
    const auto memory = *memory::Memory::open(std::move(options));
    const MemoryCall call{*memory};
    say<SearchParams>(call, Json::parse(R"({"query":"gateway","project":"client-x"})"));
    say<SearchParams>(call, Json::parse(R"({"query":"gateway","project":"here"})"));
    EXPECT_TRUE(memory->searches().write_pending());
    auto reader = memory->store().reader();
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ((*reader)->find_integer("SELECT count(*) FROM search_traces")->value_or(-1),
              is_viewer ? 0 : 1);
  }
}

TEST_F(Answers, CopiesAreCountedOnceSoThatNoPageIsEmpty) {
  for (int i = 0; i < 10; ++i) {
    save({{"text", "gateway story number " + std::to_string(i)}});
    save({{"text", "Gateway story, number " + std::to_string(i) + "!"}});
  }
  const Json all = search({{"query", "gateway"}, {"limit", 10}});
  EXPECT_EQ(all["items"].size(), 10U);
  EXPECT_EQ(all["total"], 10);
  EXPECT_EQ(all["counts"]["observations"], 10);
  EXPECT_FALSE(all.contains("nextOffset"));
}

TEST_F(Answers, SearchClampsLargeNumbersAndRefusesInvalidOnes) {
  for (int i = 0; i < 60; ++i) {
    save({{"text", "gateway story number " + std::to_string(i) + std::string(200, 'x')}});
  }
  const Json all = search({{"query", "gateway"}, {"limit", 1000}});
  EXPECT_EQ(all["limit"], 100);
  EXPECT_LE(last_.structured.size(), kShortAnswerBytes);
  EXPECT_LE(last_.text.size(), kShortAnswerBytes);
  EXPECT_EQ(all["items"].size() + all["omitted"].get<std::size_t>(), all["total"]);
  EXPECT_EQ(all["nextOffset"], all["items"].size());
  EXPECT_THAT(last_.text, HasSubstr("offset="));
  EXPECT_EQ(search({{"query", "gateway"}})["items"].size(), 20U) << "a page is never cut";
  EXPECT_EQ(search({{"query", "gateway"}, {"offset", 55}})["items"].size(), 5U);
  EXPECT_EQ(search(Json::object())["message"], "Either query or filters required for search");
  for (const Json& limit : {Json(0), Json(-1), Json("0"), Json(2.5), Json("2.5"), Json("many")}) {
    EXPECT_EQ(search({{"query", "a"}, {"limit", limit}})["code"], "INVALID_ARGUMENT") << limit;
  }
  EXPECT_EQ(search({{"query", "gateway"}, {"limit", "7"}})["items"].size(), 7U)
      << "models write numbers as texts";
  EXPECT_EQ(search({{"query", "a"}, {"dateStart", "soon"}})["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(search({{"query", "a"}, {"orderBy", "name"}})["code"], "INVALID_ARGUMENT");
  EXPECT_FALSE(search({{"query", "a"}, {"no_such_argument", 1}}).contains("code"));
}

TEST_F(Answers, SearchWithoutTheModelThatIsWantedSaysSo) {
  memory::MemoryOptions options;
  options.recall.missing_model = "OPENAI_API_KEY is not set";
  open(std::move(options));
  save({{"text", "gateway"}});
  const Json found = search({{"query", "gateway"}});
  EXPECT_EQ(found["items"].size(), 1U);
  EXPECT_EQ(found["degraded"], true);
  EXPECT_THAT(last_.text, EndsWith("\nsemantic search unavailable: OPENAI_API_KEY is not set"));
}

TEST_F(Answers, TimelineMarksItsAnchor) {
  for (int i = 1; i <= 9; ++i) {
    now_ += 60'000;
    save({{"text", "story " + std::to_string(i)}});
  }
  const Json compact = timeline({{"anchor_id", "#5"}});
  EXPECT_EQ(last_.text, last_.structured);
  EXPECT_EQ(compact["anchor_id"], "5");
  EXPECT_THAT(ids(compact), ElementsAre("2", "3", "4", "5", "6", "7", "8"));
  EXPECT_EQ(compact["items"][3]["is_anchor"], true);
  EXPECT_FALSE(compact["items"][2].contains("is_anchor"));
  timeline({{"anchor", 5}, {"query", "story 1"}, {"depth_before", 1}, {"depth_after", 0}});
  EXPECT_EQ(last_.text,
            "# Timeline around anchor: 5\n**Window:** 1 records before → 0 records after | "
            "**Items:** 2\n\n### Jan 2, 2026\n\n**General**\n| ID | Time | T | Title | Tokens |\n"
            "|----|------|---|-------|------|\n| #4 | 9:04 AM | 🔵 | story 4 | ~4 |\n"
            "| #5 | 9:05 AM | 🔵 | story 5 ← **ANCHOR** | ~4 |");
  EXPECT_EQ(timeline({{"anchor", 5}, {"depth_before", 1000}})["depth_before"], 20);
  EXPECT_EQ(timeline({{"anchor", "2026-01-02T09:03:30Z"}})["items"].size(), 6U);
  EXPECT_EQ(timeline({{"anchor", 99}})["code"], "ENTRY_NOT_FOUND");
  EXPECT_EQ(last_.text, "ENTRY_NOT_FOUND: Observation #99 not found");
  EXPECT_EQ(timeline({{"anchor", "zzz"}})["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(timeline(Json::object())["code"], "INVALID_ARGUMENT");
  timeline({{"query", "nothing of the kind"}});
  EXPECT_FALSE(last_.is_error);
  EXPECT_THAT(last_.text, StartsWith("No observations found matching \"nothing of the kind\""));
}

TEST_F(Answers, ObservationsComeInTheirShapeAndEntriesInTheirs) {
  save({{"text", "one"}, {"type", "bugfix"}, {"concepts", "gotcha"}, {"files", {"src/a.ts"}}});
  now_ += 1000;
  save({{"text", "two"}});
  const auto observations = [&](const Json& arguments) {
    return ask<GetObservationsParams>(arguments);
  };
  EXPECT_EQ(observations({{"ids", {"1"}}})["code"], "INVALID_ARGUMENT") << "not of these";
  const Json one = observations({{"ids", {1, 2}}, {"limit", 1}});
  EXPECT_EQ(one["omitted"], 1) << "what a limit cuts is counted";
  EXPECT_EQ(one["nextOffset"], 1);
  const Json both = observations({{"ids", {1, 2, 77}}});
  EXPECT_EQ(both["results"].size(), 2U);
  EXPECT_EQ(both["results"][0]["id"], 2) << "newest first";
  EXPECT_EQ(Json::parse(last_.text), both["results"]);
  const Json row = observations({{"ids", {1}}})["results"][0];
  EXPECT_EQ(row["concepts"], R"(["gotcha"])");
  EXPECT_EQ(row["concepts_list"], Json({"gotcha"}));
  EXPECT_EQ(row["files_read"], R"(["src/a.ts"])");
  EXPECT_EQ(observations({{"ids", {1, 2}}, {"type", "bugfix"}})["results"].size(), 1U);
  EXPECT_EQ(observations({{"ids", {1, 2}}, {"files", "A.TS"}})["results"].size(), 1U);
  EXPECT_EQ(observations({{"ids", {1, 2}}, {"limit", 1}})["results"][0]["id"], 2);
  observations({{"ids", Json::array()}});
  EXPECT_EQ(last_.text, "[]");
  EXPECT_EQ(observations(Json::object())["message"], "ids must be an array of numbers");
  EXPECT_EQ(observations({{"ids", {1.5}}})["message"], "All ids must be integers, got 1.5");
  EXPECT_EQ(observations({{"ids", {"#12"}}})["message"],
            "All ids must be integers, got \"#12\"; get_entries takes \"#12\", \"S3\", \"P4\"");
  EXPECT_EQ(observations({{"ids", std::vector<int>(501, 1)}})["code"], "INVALID_ARGUMENT");

  add_session();
  const Json entries = ask<GetEntriesParams>({{"ids", {"2", "S1", "#1", 9, "P1"}}});
  EXPECT_THAT(ids(entries), ElementsAre("2", "S1", "1", "P1"));
  EXPECT_EQ(entries["missing"], Json({"9"}));
  EXPECT_EQ(entries["items"][0]["session_id"], nullptr);
  EXPECT_EQ(entries["items"][1]["session_id"], "s1");
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", Json::array()}})["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", std::vector<std::string>(201, "1")}})["code"],
            "INVALID_ARGUMENT");
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {"77"}}})["code"], "ENTRY_NOT_FOUND");
}

TEST_F(Answers, NulIsDroppedAndNumbersAreShownAsPeopleWriteThem) {
  save({{"text", std::string("a\0b of it", 8)}});
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {1}}})["items"][0]["body"], "ab of i");
  EXPECT_EQ(save({{"text", std::string("\0 ", 2)}})["message"],
            "text is required and must be non-empty");
  EXPECT_EQ(search({{"query", "x"}, {"limit", 0.0}})["message"],
            "limit must be a whole number of at least 1, got 0");
  EXPECT_EQ(ask<RetentionParams>({{"max_age_days", -1.0}})["message"],
            "max_age_days must be a number above 0, got -1");
  EXPECT_EQ(ask<RetentionParams>({{"max_age_days", -0.5}})["message"],
            "max_age_days must be a number above 0, got -0.5");
}

TEST_F(Answers, MarkdownNamesOtherProjects) {
  save({{"text", "gateway retries"}, {"files", {"src/a.ts"}}});
  save({{"text", "gateway timeouts"}, {"files", {"src/a.ts"}}, {"project", "other"}});
  search({{"query", "gateway"}});
  EXPECT_THAT(last_.text, HasSubstr("**src/a.ts**\n"));
  EXPECT_THAT(last_.text, HasSubstr("**src/a.ts** in other\n"));
  timeline({{"anchor", 1}});
  EXPECT_THAT(last_.text, HasSubstr("**src/a.ts**\n"));
  EXPECT_THAT(last_.text, HasSubstr("**src/a.ts** in other\n"));
}

TEST_F(Answers, ALargeRecordIsShownInParts) {
  std::string body;
  while (body.size() < 680'000)
    body += "Ä long \"story\" of 線 " + std::to_string(body.size()) + "\n";
  body.pop_back();
  save({{"text", body}, {"metadata", {{"notes", std::string(20'000, 'm')}}}});
  save({{"text", "a short story"}});
  const std::size_t length = code_point_count(body);
  for (const int tokens : {200, 2'000, 25'000}) {
    const std::size_t most = static_cast<std::size_t>(tokens) * 7 / 2;
    const auto fits = [&] { return std::max(last_.text.size(), last_.structured.size()) <= most; };
    for (const char* id : {"1", "2"}) {
      const Json entries = ask<GetEntriesParams>({{"ids", {id, "2"}}, {"max_tokens", tokens}});
      EXPECT_TRUE(fits()) << tokens;
      EXPECT_EQ(entries.value("omitted", 0) + static_cast<int>(entries["items"].size()), 2);
    }
    const Json rows = ask<GetObservationsParams>({{"ids", {1, 2}},
                                                  {"max_tokens", tokens},
                                                  {"limit", 1},
                                                  {"orderBy", "date_asc"}})["results"];
    EXPECT_TRUE(fits()) << tokens;
    EXPECT_EQ(rows[0]["truncated"], true);
    EXPECT_EQ(rows[0]["body_length"], length);
    EXPECT_EQ(rows[0]["text"], rows[0]["narrative"]);
    EXPECT_TRUE(body.starts_with(rows[0]["text"].get<std::string>()));
    EXPECT_GT(rows[0]["text"].get<std::string>().size(), most / 20);
    for (const Json& more : {Json{{"query", "story"}}, Json{{"query", body.substr(0, 5'001)}}}) {
      Json arguments = more;
      arguments["max_tokens"] = tokens;
      const Json compact = search(arguments);
      EXPECT_TRUE(fits()) << tokens << " " << last_.structured.size();
      arguments["format"] = "json";
      const Json found = search(arguments);
      EXPECT_TRUE(fits()) << tokens << " " << last_.structured.size();
      EXPECT_EQ(found["items"].size() + found.value("omitted", 0U), 2U);
      timeline(arguments);
      EXPECT_TRUE(fits()) << tokens << " " << last_.structured.size();
    }
  }
  std::string read;
  for (Json at = 0; !at.is_null();) {
    const Json item = ask<GetEntriesParams>(
        {{"ids", {1}}, {"body_offset", at}, {"max_tokens", 20'000}})["items"][0];
    read += item["body"];
    EXPECT_EQ(item.value("truncated", false), item.contains("next_body_offset"));
    at = item.value("next_body_offset", Json());
  }
  EXPECT_EQ(read, body);
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {1}}, {"body_offset", length}})["items"][0]["body"], "");
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {1}}, {"body_offset", -1}})["code"], "INVALID_ARGUMENT");
}

TEST_F(Answers, WhateverARecordHasItFits) {
  const std::vector<std::string> many(200, "concepts/of/some/length");
  save({{"text", std::string(50'000, 't')},
        {"title", std::string(1'900, '"')},
        {"project", std::string(90, 'p')},
        {"source_ref", std::string(3'000, 's')},
        {"concepts", many},
        {"files", many},
        {"metadata", {{"a", std::string(30'000, 'a')}, {"b", 1}}}});
  for (const int tokens : {200, 500, 5'000}) {
    const std::size_t most = static_cast<std::size_t>(tokens) * 7 / 2;
    const auto entry =
        ask<GetEntriesParams>({{"ids", {1, "zzz"}}, {"max_tokens", tokens}})["items"][0];
    EXPECT_LE(last_.structured.size(), most);
    EXPECT_EQ(entry["metadata"], Json::object());
    EXPECT_FALSE(entry["body"].get<std::string>().empty());
    EXPECT_THAT(entry["left_out"].dump(), HasSubstr("metadata"));
    ask<GetObservationsParams>({{"ids", {1}}, {"max_tokens", tokens}});
    EXPECT_LE(last_.structured.size(), most);
    search({{"query", "concepts"},
            {"project", std::string(90, 'p')},
            {"format", "json"},
            {"max_tokens", tokens}});
    EXPECT_LE(last_.structured.size(), most);
  }
}

TEST_F(Answers, AnIsolatedProjectSeesNoOther) {
  save({{"text", "gateway of another"}, {"project", "other"}});
  memory::MemoryOptions options;
  options.is_isolated = true;
  open(std::move(options));
  save({{"text", "gateway of ours"}});
  EXPECT_THAT(ids(search({{"query", "gateway"}})), ElementsAre("2"));
  EXPECT_THAT(ids(search({{"query", "gateway"}, {"project", "other"}})), ElementsAre());
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {"1"}}})["code"], "ENTRY_NOT_FOUND");
  EXPECT_EQ(ask<GetObservationsParams>({{"ids", {1}}})["results"].size(), 0U);
  EXPECT_EQ(timeline({{"anchor", 1}})["code"], "ENTRY_NOT_FOUND");
  const Json elsewhere = {{"text", "t"}, {"project", "other"}};
  for (const Json& refused : {ask<SaveMemoryParams>(elsewhere), ask<IngestDocsParams>(elsewhere),
                              ask<RecordDecisionParams>(elsewhere)}) {
    EXPECT_THAT(refused["message"].get<std::string>(), HasSubstr("CODEXMEM_SCOPE"));
  }
  EXPECT_EQ(save({{"text", "t"}, {"project", " here "}})["status"], "saved");
}

TEST_F(Answers, DecisionsAreFoundWithTheirReasons) {
  memory::Caller admin{memory::Role::kAdmin, true};
  std::string why = "One file and no server. ";
  while (why.size() < 5'000) why += "Füße of reasons, and many more of them. ";
  for (const char* target : {"database", "cache"}) {
    const Said recorded = say<RecordDecisionParams>(
        {.memory = *memory_, .caller = admin}, {{"title", "Use SQLite"},
                                                {"target", target},
                                                {"rationale", why},
                                                {"consequences", Json::array({"one writer"})}});
    ASSERT_FALSE(recorded.is_error) << recorded.text;
    now_ += 5'000;
    open({});  // the cooldown is a process's
  }
  for (const int tokens : {500, 2'048, 10'000}) {
    const Json results =
        ask<SearchDecisionsParams>({{"query", "SQLite"}, {"max_tokens", tokens}})["results"];
    EXPECT_LE(last_.text.size(), static_cast<std::size_t>(tokens) * 7 / 2);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].value("truncated", false), tokens == 500);
    EXPECT_TRUE(results[0].contains("rationale"));
    EXPECT_EQ(results[1].contains("rationale"), tokens == 10'000);
    EXPECT_EQ(results[0].contains("consequences"), true);
  }
}

TEST_F(Answers, DecisionsThatDoNotFitAreCountedAndReached) {
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    const Json arguments = {{"title", "Use SQLite " + std::string(150, 'a')},
                            {"target", "database " + number},
                            {"rationale", "One file, no server, number " + number}};
    const MemoryCall call{.memory = *memory_, .caller = memory::Caller{memory::Role::kAdmin, true}};
    ASSERT_FALSE(say<RecordDecisionParams>(call, arguments).is_error);
    now_ += 5'000;
    open({});  // the cooldown is a process's
  }
  std::vector<std::string> found;
  Json arguments = {{"query", "SQLite"}, {"limit", 20}, {"max_tokens", 400}};
  for (int page = 0; page < 8; ++page) {
    const Json answer = ask<SearchDecisionsParams>(arguments);
    EXPECT_LE(last_.text.size(), 1'600U);
    for (const Json& result : answer["results"]) found.push_back(result["id"]);
    if (!answer.contains("nextOffset")) break;
    EXPECT_EQ(answer["omitted"].get<std::size_t>() + found.size(), 8U);
    arguments["offset"] = answer["nextOffset"];
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found.size(), 8U);
  EXPECT_EQ(std::unique(found.begin(), found.end()), found.end());
}

TEST_F(Answers, RetentionReportsAndRemovesNothing) {
  save({{"text", "old"}});
  now_ += 200LL * 86'400'000;
  save({{"text", "new"}});
  const Json plan = ask<RetentionParams>(Json::object());
  EXPECT_EQ(plan["mode"], "dry-run");
  EXPECT_EQ(plan["candidate_ids"], Json({"1"}));
  EXPECT_EQ(plan["by_reason"]["age"], 1);
  EXPECT_EQ(ask<GetEntriesParams>({{"ids", {"1"}}})["items"].size(), 1U);
  EXPECT_EQ(ask<RetentionParams>({{"max_age_days", 0}})["code"], "INVALID_ARGUMENT");
}

TEST_F(Answers, TwelveThreadsAskAndSaveAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 10; ++j) {
        const MemoryCall call{.memory = *memory_};
        const Json text = {{"text", "story " + std::to_string(i) + " " + std::to_string(j)}};
        failures += say<SaveMemoryParams>(call, text).is_error;
        failures += say<SearchParams>(call, Json::parse(R"({"query":"story"})")).is_error;
        failures += say<TimelineParams>(call, Json::parse(R"({"query":"story"})")).is_error;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(search({{"query", "story"}})["total"], 120);
}

TEST(LazyMemoryOpens, FailuresAreTheStores) {
  memory::LazyMemory without({}, [] { return memory::Memory::open({}); });
  ASSERT_FALSE(without.get().ok());
  EXPECT_THAT(memory_failure(without.get().error()).text, StartsWith("STORAGE_FAILURE: "));
  ASSERT_TRUE(without.find().ok());
  EXPECT_EQ(*without.find(), nullptr);
  EXPECT_THAT(memory_failure({ErrorCode::kUnsupported, "newer"}).text,
              StartsWith("MIGRATION_FAILURE: "));
  EXPECT_THAT(memory_failure({ErrorCode::kIo, "migration 2: disk full"}).text,
              StartsWith("MIGRATION_FAILURE: "));
}

}  // namespace
}  // namespace codexmem::ask
