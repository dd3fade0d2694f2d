#include "memory/recall/recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "embed/vector_index.h"
#include "memory/store_fixture.h"

namespace codexmem::memory {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class FailingEmbedder : public embed::Embedder {
 public:
  const std::string& model_id() const override { return id_; }
  std::size_t dimension() const override { return 4; }
  Result<std::vector<float>> embed_query(std::string_view) const override {
    return Error{ErrorCode::kIo, "the endpoint is down"};
  }
  Result<std::vector<float>> embed_documents(std::span<const std::string_view> texts,
                                             std::stop_token) const override {
    if (is_down) return Error{ErrorCode::kIo, "the endpoint is down"};
    std::vector<float> all;
    for (std::size_t i = 0; i < texts.size(); ++i) all.insert(all.end(), {0.5, 0.5, 0.5, 0.5});
    return all;
  }
  bool is_down = true;

 private:
  std::string id_ = "test:failing";
};

class RecallTest : public testing::StoreFixture {
 protected:
  RecallAnswer ask(const RecallRequest& request, RecallOptions options = {}) {
    Recall recall(*store_, *vectors_, clock(), std::move(options));
    auto answer = recall.search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    if (!answer.ok()) return {};
    double last = 1;
    for (const RecallHit& hit : answer->hits) {
      EXPECT_GE(hit.score, 0);
      EXPECT_LE(hit.score, 1);
      if (request.order == RecallOrder::kRelevance) {
        EXPECT_LE(hit.score, last);
      }
      last = hit.score;
    }
    return *std::move(answer);
  }
  RecallAnswer ask(std::string query) {
    RecallRequest request;
    request.query = std::move(query);
    return ask(request);
  }
  static std::vector<std::string> titles(const RecallAnswer& answer) {
    std::vector<std::string> all;
    for (const RecallHit& hit : answer.hits) all.push_back(hit.title);
    return all;
  }
  static std::int64_t number(const RecallAnswer& answer, std::size_t at) {
    return at < answer.hits.size() ? id_of(answer.hits[at].key) : -1;
  }
};

TEST_F(RecallTest, AnEmptyStoreHasNothing) {
  const RecallAnswer answer = ask("anything at all");
  EXPECT_THAT(answer.hits, IsEmpty());
  EXPECT_EQ(answer.total, 0U);
  EXPECT_EQ(answer.degraded, "");
  EXPECT_FALSE(answer.is_hybrid);
}

TEST_F(RecallTest, FindsWordsByTheirStemsAndNamesByTheirPieces) {
  add("Retry policy", "Requests are retried three times with a growing pause.");
  now_ms_ += testing::kDayMs;
  add("Login", "getUserById reads the session_token cookie.");
  now_ms_ += testing::kDayMs;
  add("Unrelated", "The colour of the kettle is blue.");
  EXPECT_THAT(titles(ask("retrying a request")), ElementsAre("Retry policy"));
  EXPECT_THAT(titles(ask("user by id")), ElementsAre("Login"));
  EXPECT_THAT(titles(ask("sessionToken")), ElementsAre("Login"));
  EXPECT_THAT(titles(ask("getuserbyid")), ElementsAre("Login"));
  EXPECT_THAT(titles(ask("nothing like it")), IsEmpty());
}

TEST_F(RecallTest, FindsOtherScripts) {
  add("", "Ошибка в расписании исправлена");
  add("", "Η σύνδεση απέτυχε");
  add("", "修复了登录页面的错误");
  add("", "El diseño de la caché cambió");
  add("", "تم إصلاح الخطأ");
  add("", "로그인 오류를 수정했다");
  for (const auto& [query, id] :
       std::initializer_list<std::pair<const char*, int>>{{"ОШИБКА", 1},
                                                          {"συνδεση", 2},
                                                          {"登录页面", 3},
                                                          {"diseno cache", 4},
                                                          {"اصلاح", 5},
                                                          {"로그인", 6}}) {
    EXPECT_EQ(number(ask(query), 0), id) << query;
  }
}

TEST_F(RecallTest, OfCopiesTheCurrentOneIsShownThoughItIsOlder) {
  add("", "The old wording about teapots");  // 1, superseded by 2
  now_ms_ += testing::kDayMs;
  add("Kettles", "Kettles are descaled every week with lemon juice and hot water.");  // 2, current
  now_ms_ += testing::kDayMs;
  add("Kettles", "Kettles are descaled every week with lemon juice, and HOT water!");  // 3
  execute("INSERT INTO entry_links VALUES (2, 3, 'supersedes', 0), (3, 1, 'supersedes', 0)");
  const RecallAnswer answer = ask("kettles lemon");
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(number(answer, 0), 2);
  EXPECT_EQ(answer.hits[0].folded, 1U);
  EXPECT_FALSE(answer.hits[0].succession.superseded_by);
  EXPECT_EQ(ask("teapots").hits.at(1).succession.superseded_by, EntryId{3});
}

TEST_F(RecallTest, NotesThatSayTheOppositeAreNoCopies) {
  add("", "The retry queue must always be disabled on the staging hosts before a load test begins");
  now_ms_ += testing::kDayMs;
  add("", "The retry queue must always be enabled on the staging hosts before a load test begins");
  const RecallAnswer answer = ask("retry queue disabled");
  ASSERT_EQ(answer.hits.size(), 2U);
  EXPECT_EQ(number(answer, 0), 1);
}

TEST_F(RecallTest, TheSameTextOfAnotherProjectIsShown) {
  testing::EntryRow row;
  row.body = "Kettles are descaled every week";
  add(row);
  row.project = "other";
  add(row);
  EXPECT_EQ(ask("kettles").hits.size(), 2U);
}

TEST_F(RecallTest, WhatWasSupersededComesAfterItsSuccessor) {
  add("Port of the server", "The server listens on port 8080. Port 8080 is the server's port.");
  add("",
      "It listens on another port since the move of last week, which nobody liked at all; ask "
      "the people who run it when it is not reachable from where you are today, please.");
  add("",
      "And the port changed once more, after long talks about firewalls, proxies and people "
      "who had to be asked first, all of which is told elsewhere and needs no second telling.");
  execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0), (3, 2, 'supersedes', 0)");
  const RecallAnswer answer = ask("server port 8080");
  ASSERT_EQ(answer.hits.size(), 3U);
  EXPECT_EQ(number(answer, 0), 3);
  EXPECT_EQ(number(answer, 1), 2);
  EXPECT_EQ(number(answer, 2), 1);
}

// The words of the query are only in the old text: the current text is shown all the same.
TEST_F(RecallTest, WhatSupersededAHitIsFoundWithIt) {
  add("Limits", "Uploads are refused above eight megabytes");                  // 1
  add("Limits", "Files larger than twenty may not be sent");                   // 2
  add("Limits", "There is no restriction any more");                           // 3
  add("Tea", "A note on megabytes of tea leaves, which nobody uploads ever");  // 4
  execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0), (3, 2, 'supersedes', 0)");
  RecallRequest request;
  request.query = "uploads eight megabytes";
  const RecallAnswer answer = ask(request);
  ASSERT_EQ(answer.hits.size(), 3U);
  EXPECT_EQ(answer.total, 3U);
  EXPECT_EQ(answer.counts[0], 3U);
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < answer.hits.size(); ++i) order.push_back(number(answer, i));
  EXPECT_THAT(order, AnyOf(ElementsAre(3, 1, 4), ElementsAre(4, 3, 1)));
  for (const RecallHit& hit : answer.hits) {
    if (hit.key == document_key(EntryId{3})) {
      EXPECT_FALSE(hit.succession.superseded_by);
      EXPECT_THAT(hit.succession.supersedes, ElementsAre(EntryId{2}));
    } else if (hit.key == document_key(EntryId{1})) {
      EXPECT_EQ(hit.succession.superseded_by, EntryId{2});
    }
  }
  // Pages are cut out of the same list.
  request.limit = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    request.offset = i;
    EXPECT_EQ(number(ask(request), 0), order[i]);
  }
  // One that a filter keeps out does not come in by its predecessor.
  request.limit = 20;
  request.offset = 0;
  request.types = {"bugfix"};
  execute("UPDATE entries SET entry_type = 'bugfix' WHERE id = 1");
  const RecallAnswer filtered = ask(request);
  ASSERT_EQ(filtered.hits.size(), 1U);
  EXPECT_EQ(filtered.hits[0].succession.superseded_by, EntryId{2});
}

// Successors come in without a word of the query in common: they are compared all the same.
TEST_F(RecallTest, SuccessorsThatDifferAreNotFolded) {
  add("", "Uploads above eight megabytes are refused");  // 1
  add("", "Downloads above eight megabytes are slow");   // 2
  add("", "There is no restriction any more");           // 3
  add("", "Everything is streamed");                     // 4
  execute("INSERT INTO entry_links VALUES (3, 1, 'supersedes', 0), (4, 2, 'supersedes', 0)");
  const RecallAnswer answer = ask("eight megabytes");
  EXPECT_EQ(answer.hits.size(), 4U);
  EXPECT_EQ(answer.folded, 0U);
}

// An old text that answers well is not drawn down to one that answers badly: both stand where the
// old one alone would.
TEST_F(RecallTest, ASuccessorIsAsGoodAsWhatItSuperseded) {
  add("Deploy", "Deploys go out on Friday evening with the blue script");  // 1
  now_ms_ += testing::kDayMs;
  add("Tuesdays", "It was agreed that deploys have to wait for Tuesday from now on");  // 2
  const auto score = [&](std::int64_t id) {
    const RecallAnswer answer = ask("deploys Friday evening blue script");
    for (std::size_t i = 0; i < answer.hits.size(); ++i) {
      if (number(answer, i) == id) return answer.hits[i].score;
    }
    return 0.0;
  };
  const double before = score(1);
  ASSERT_LT(score(2), 0.4 * before);
  execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0)");
  EXPECT_GT(score(1), 0.4 * before);
  EXPECT_GT(score(2), score(1));
}

TEST_F(RecallTest, WhatWasSavedComesBeforeASectionThatSaysTheSame) {
  testing::EntryRow section;
  section.source = "ingest";
  section.type = "ingestion";
  section.title = "Changes > Version 8.2";
  section.body =
      "The pager is chosen from PAGER. The pager gets its text through a pipe. Colours are kept. ";
  for (int i = 0; i < 40; ++i) section.body += "Option " + std::to_string(i) + " was mended. ";
  add(section);
  section.title = "Utilities > Pager";
  section.body = "A pager shows long texts, one page after another.";
  add(section);
  add("The pager uses less -R by default", "When PAGER is not set, less keeps the colours.");
  for (int i = 0; i < 20; ++i) {
    now_ms_ += testing::kDayMs;
    add("Tea", "Kettle number " + std::to_string(i));
  }
  EXPECT_EQ(number(ask("pager"), 0), 3);
}

TEST_F(RecallTest, ANeighbourWithoutAWordIsNotShown) {
  add("", "The frobnicator is broken");
  add("", "Kettles are descaled every week");
  add("", "Windows were cleaned");
  const RecallAnswer answer = ask("frobnicator");
  EXPECT_EQ(number(answer, 0), 1);
  EXPECT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.total, 1U);
}

TEST_F(RecallTest, FilesOfADocumentAreItsSourceAndItsCitations) {
  testing::EntryRow row;
  row.body = "the section on kettles";
  row.source = "ingest";
  const auto section = static_cast<std::int64_t>(add(row));
  execute("UPDATE entries SET source_ref = 'docs/README.md#kettles'");
  row.source = "manual";
  row.body = "kettles are made in code";
  const auto citing = static_cast<std::int64_t>(add(row));
  row.body = "other kettles";
  add(row);
  execute("UPDATE entries SET source_ref = 'README.md' WHERE id = 3");
  execute("INSERT INTO citations (document, workspace, path, is_given, cited_at_ms) VALUES (" +
          std::to_string(citing << 2) + ", '/w', 'src/Kettle.cpp', 0, 0)");
  RecallRequest request;
  request.query = "kettles";
  request.files = {"readme.MD"};
  EXPECT_EQ(number(ask(request), 0), section);
  EXPECT_EQ(ask(request).total, 1U);
  request.files = {"kettle.cpp"};
  EXPECT_EQ(number(ask(request), 0), citing);
  EXPECT_EQ(ask(request).total, 1U);
  request.files = {"#kettles"};
  EXPECT_EQ(ask(request).total, 0U);
}

TEST_F(RecallTest, FewerDocumentsWithAWordMakeItWeighMore) {
  for (int i = 0; i < 8; ++i)
    add("", "The build failed again, run " + std::to_string(i) + " of it");
  add("", "The linker ran out of memory once");
  EXPECT_EQ(number(ask("build failed linker"), 0), 9);
}

TEST_F(RecallTest, EachFilterKeepsWhatItNamesAndCounts) {
  testing::EntryRow row;
  row.body = "the parser was rewritten";
  add(row);  // 1
  row.body = "the parser got slower";
  row.project = "other";
  row.type = "bugfix";
  row.concepts = R"(["gotcha","pattern"])";
  row.files_read = R"(["src/Parse/lexer.cpp"])";
  row.files_modified = R"(["docs/parser.md"])";
  row.created_at_ms = testing::kNoon - 40 * testing::kDayMs;
  add(row);  // 2
  const auto only = [&](auto&& change) {
    std::vector<std::int64_t> found;
    for (const char* query : {"parser", ""}) {
      RecallRequest request;
      request.query = query;
      change(request);
      const RecallAnswer answer = ask(request);
      EXPECT_EQ(answer.total, answer.hits.size());
      std::vector<std::int64_t> ids;
      for (const RecallHit& hit : answer.hits) ids.push_back(id_of(hit.key));
      std::sort(ids.begin(), ids.end());
      if (*query != '\0') {
        found = ids;
      } else {
        EXPECT_EQ(ids, found) << "without a query";
      }
    }
    return found;
  };
  EXPECT_THAT(only([](RecallRequest&) {}), ElementsAre(1, 2));
  EXPECT_THAT(only([](RecallRequest& r) { r.projects = {"other"}; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.projects = {"other", "demo"}; }), ElementsAre(1, 2));
  EXPECT_THAT(only([](RecallRequest& r) { r.projects = {"unknown"}; }), IsEmpty());
  EXPECT_THAT(only([](RecallRequest& r) { r.types = {"bugfix"}; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.types = {"unknown"}; }), IsEmpty());
  EXPECT_THAT(only([](RecallRequest& r) { r.concepts = {"gotcha", "trade-off"}; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.concepts = {"gotch"}; }), IsEmpty());
  EXPECT_THAT(only([](RecallRequest& r) { r.files = {"parse/lex"}; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.files = {"docs/"}; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.from_ms = testing::kNoon; }), ElementsAre(1));
  EXPECT_THAT(only([](RecallRequest& r) { r.to_ms = testing::kNoon - 1; }), ElementsAre(2));
  EXPECT_THAT(only([](RecallRequest& r) { r.kinds = {DocumentKind::kPrompt}; }), IsEmpty());
  EXPECT_THAT(only([](RecallRequest& r) {
                r.projects = {"other"};
                r.types = {"discovery"};
              }),
              IsEmpty());
}

TEST_F(RecallTest, AllKindsAreFoundAndPrivatePromptsNever) {
  const std::int64_t session = session_id("s", "demo");
  const std::string s = std::to_string(session);
  add("The walrus", "An entry about the walrus.");
  execute(
      "INSERT INTO summaries (session_id, project_id, request, learned, created_at_ms) VALUES (" +
      s + ", 1, 'Feed the walrus', 'It likes clams', 5)");
  execute(
      "INSERT INTO prompts (session_id, project_id, prompt_number, prompt_text, is_private, "
      "created_at_ms) "
      "VALUES (" +
      s + ", 1, 1, 'please wash the walrus', 0, 6), (" + s +
      ", 1, 2, 'a walrus in private', 1, 7)");
  execute(
      "INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, rationale,"
      " source, created_at_ms) VALUES ('d', 'decision', 1, 'One walrus', 't', 't', 'active',"
      " 'Two are too many', 'human', 8)");
  for (const char* query : {"walrus", ""}) {
    RecallRequest request;
    request.query = query;
    const RecallAnswer answer = ask(request);
    EXPECT_THAT(titles(answer),
                UnorderedElementsAre("The walrus", "Feed the walrus", "please wash the walrus"));
    EXPECT_THAT(answer.counts, ElementsAre(1, 1, 1, 0));
  }
  RecallRequest request;
  request.query = "walrus";
  request.kinds = {DocumentKind::kDecision};
  EXPECT_THAT(titles(ask(request)), ElementsAre("One walrus"));
  request.kinds = {DocumentKind::kSummary};
  const RecallAnswer summaries = ask(request);
  ASSERT_EQ(summaries.hits.size(), 1U);
  EXPECT_EQ(summaries.hits[0].type, "session");
}

TEST_F(RecallTest, OrdersByTimeAndPages) {
  for (int i = 0; i < 7; ++i) {
    testing::EntryRow row;
    row.title = std::to_string(i);
    row.body = "the same subject, seen from side number " + std::to_string(i);
    row.created_at_ms = testing::kNoon - (i * 5 % 7) * testing::kDayMs;
    add(row);
  }
  RecallRequest request;
  request.query = "subject";
  request.limit = 3;
  request.order = RecallOrder::kNewest;
  EXPECT_THAT(titles(ask(request)), ElementsAre("0", "3", "6"));
  EXPECT_EQ(ask(request).total, 7U);
  request.offset = 6;
  EXPECT_THAT(titles(ask(request)), ElementsAre("4"));
  request.offset = 0;
  request.order = RecallOrder::kOldest;
  EXPECT_THAT(titles(ask(request)), ElementsAre("4", "1", "5"));
  request.query = "";
  EXPECT_THAT(titles(ask(request)), ElementsAre("4", "1", "5"));
  request.order = RecallOrder::kRelevance;
  EXPECT_THAT(titles(ask(request)), ElementsAre("0", "3", "6"));
  request.query = "subject";
  std::vector<std::string> all;
  for (request.offset = 0; request.offset < 9; request.offset += 3) {
    for (const std::string& title : titles(ask(request))) all.push_back(title);
  }
  EXPECT_THAT(all, UnorderedElementsAre("0", "1", "2", "3", "4", "5", "6"));
  request.offset = 100;
  EXPECT_THAT(titles(ask(request)), IsEmpty());
}

TEST_F(RecallTest, NeighboursLendTheirWords) {
  testing::EntryRow row;
  row.session = "a";
  for (const char* body :
       {"Where does the adapter keep its certificates?", "In the folder beside the settings.",
        "Thank you, I found them there."}) {
    row.body = body;
    add(row);
    now_ms_ += testing::kMinuteMs;
  }
  row.session = "b";
  row.body = "In the folder beside the pictures.";
  add(row);
  const RecallAnswer answer = ask("folder of the adapter certificates");
  ASSERT_GE(answer.hits.size(), 3U);
  EXPECT_EQ(number(answer, 1), 2);  // not 4: its neighbour does not speak of certificates
  EXPECT_GT(answer.hits[1].parts.neighbours, 0);
  RecallOptions without;
  without.weights.before = without.weights.after = 0;
  RecallRequest request;
  request.query = "folder of the adapter certificates";
  EXPECT_EQ(ask(request, without).total, 3U);
}

TEST_F(RecallTest, NeighboursWithoutASessionAreMinutesApart) {
  testing::EntryRow row;
  row.body = "The adapter keeps certificates";
  add(row);
  now_ms_ += testing::kHourMs;
  row.body = "Lunch was late, says the adapter";
  add(row);
  EXPECT_EQ(ask("adapter certificates").hits.at(1).parts.neighbours, 0);
  now_ms_ += testing::kMinuteMs;
  row.body = "Soup, of certificates nothing";
  add(row);
  const RecallAnswer answer = ask("adapter certificates");
  ASSERT_EQ(answer.hits.size(), 3U);
  for (const RecallHit& hit : answer.hits) {
    EXPECT_EQ(hit.parts.neighbours > 0, id_of(hit.key) != 1) << id_of(hit.key);
  }
}

TEST_F(RecallTest, WhatANamedPersonSaidComesFirst) {
  testing::EntryRow row;
  row.body = "Ann: the release is planned for the autumn";
  add(row);
  now_ms_ += testing::kDayMs;
  row.body = "Bob: the release is planned for the spring";
  add(row);
  EXPECT_EQ(number(ask("when did Ann plan the release"), 0), 1);
  EXPECT_EQ(number(ask("when did Bob plan the release"), 0), 2);
  now_ms_ += testing::kDayMs;
  row.body = "the release is planned for the winter";
  const EntryId carol = add(row);
  execute("INSERT INTO entry_metadata VALUES (" + std::to_string(static_cast<int>(carol)) +
          ", 'author', '\"Carol\"')");
  EXPECT_EQ(number(ask("release planned carol"), 0), 3);
  EXPECT_EQ(ask("release planned carol").hits.size(), 3U);  // none is hidden
}

TEST_F(RecallTest, DatesPreferTheirTime) {
  testing::EntryRow row;
  row.body = "the deployment went wrong in the morning";
  row.created_at_ms = testing::kNoon - 8 * testing::kDayMs;  // Tuesday a week ago
  add(row);
  row.body = "the deployment went wrong in the evening";
  row.created_at_ms = testing::kNoon - testing::kDayMs;
  add(row);
  EXPECT_EQ(number(ask("which deployment went wrong last week"), 0), 1);
  EXPECT_EQ(number(ask("which deployment went wrong yesterday"), 0), 2);
  EXPECT_EQ(number(ask("which deployment went wrong on 2026-03-10"), 0), 1);
  EXPECT_EQ(ask("which deployment went wrong yesterday").hits.size(), 2U);
}

TEST_F(RecallTest, QuotedWordsAreLookedForInTheirOrder) {
  add("", "the cache of the index is cold, and later warm");
  add("", "an index cache, always an index cache and a cache for each index");
  EXPECT_EQ(number(ask("\"cache of the index\""), 0), 1);
  EXPECT_EQ(number(ask("index cache"), 0), 2);
}

TEST_F(RecallTest, FilesThatAreNamedCount) {
  testing::EntryRow row;
  row.body = "why the lookup is slow";
  row.files_modified = R"(["src/store/lookup_table.cpp"])";
  add(row);
  row.body = "why the lookup is slow at night, lookup_table again";
  row.files_modified = R"(["src/other.cpp"])";
  add(row);
  EXPECT_EQ(number(ask("slow lookup in store/lookup_table.cpp"), 0), 1);
}

TEST_F(RecallTest, NewerAndCurrentComeFirstAmongEquals) {
  testing::EntryRow row;
  row.body = "the queue is drained at shutdown";
  row.created_at_ms = testing::kNoon - 200 * testing::kDayMs;
  add(row);
  row.body = "the queue is drained at startup";
  row.created_at_ms = testing::kNoon;
  add(row);
  row.body = "the queue is drained at noon";
  row.project = "other";
  add(row);
  EXPECT_EQ(number(ask("queue drained"), 2), 1);
  RecallRequest request;
  request.query = "queue drained";
  request.current_project = "other";
  EXPECT_EQ(number(ask(request), 0), 3);
  request.current_project = "demo";
  EXPECT_EQ(number(ask(request), 0), 2);
  EXPECT_EQ(ask(request).hits.size(), 3U);
}

TEST_F(RecallTest, SupersededEntriesComeAfterTheirReplacements) {
  add("", "the limit of uploads is ten, the limit of uploads");
  now_ms_ += testing::kDayMs;
  add("", "uploads have a limit of twenty nowadays");
  EXPECT_EQ(number(ask("limit of uploads"), 0), 1);
  execute("INSERT INTO entry_links VALUES (2, 1, 'supersedes', 0)");
  const RecallAnswer answer = ask("limit of uploads");
  EXPECT_EQ(number(answer, 0), 2);
  EXPECT_EQ(number(answer, 1), 1);
}

TEST_F(RecallTest, CopiesShowOnceTheNewest) {
  for (int i = 0; i < 3; ++i) {
    add("", i == 1 ? "The nightly job failed: disk full!" : "the nightly job failed, disk full");
    now_ms_ += testing::kDayMs;
  }
  add("", "the nightly job failed, disk full 3 times");  // another number is another fact
  const RecallAnswer answer = ask("nightly job disk");
  EXPECT_EQ(answer.hits.size(), 2U);
  EXPECT_EQ(answer.total, 2U);
  EXPECT_EQ(answer.counts[0], 2U);
  EXPECT_EQ(answer.folded, 2U);
  const auto copy = std::find_if(answer.hits.begin(), answer.hits.end(),
                                 [](const RecallHit& hit) { return hit.folded == 2; });
  ASSERT_NE(copy, answer.hits.end());
  EXPECT_EQ(id_of(copy->key), 3);
}

TEST_F(RecallTest, AnyTextIsAQuery) {
  add("", "an entry of words");
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "w" + std::to_string(i) + " ";
  for (const std::string& query :
       {all, many, std::string(100'000, 'a'), std::string("\"\"\"\""),
        std::string("\"unclosed words"), std::string("NEAR(words entry, 2) AND NOT *"),
        std::string("words*"), std::string("entry OR"), std::string("title:words"),
        std::string("-words ^entry {a b}:c"), std::string("' OR 1=1 --"),
        std::string("words\0entry", 11), std::string("\xff\xfe words"), std::string("of the and"),
        std::string("   "), std::string("🎉")}) {
    Recall recall(*store_, *vectors_, clock());
    RecallRequest request;
    request.query = query;
    const auto answer = recall.search(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
  }
  EXPECT_EQ(ask("words*").hits.size(), 1U);
  EXPECT_EQ(ask(std::string("words\0entry", 11)).hits.size(), 1U);
  EXPECT_THAT(ask("🎉").hits, IsEmpty());
}

TEST_F(RecallTest, VectorsFindWhatWordsDoNot) {
  use_vectors();
  add("", "delete the file from the directory");
  add("", "the colour of the kettle");
  const RecallAnswer answer = ask("remove folder");
  EXPECT_TRUE(answer.is_hybrid);
  EXPECT_GE(answer.vector_hits, 1U);
  ASSERT_FALSE(answer.hits.empty());
  EXPECT_EQ(number(answer, 0), 1);
  EXPECT_GT(answer.hits[0].parts.meaning, 0.2);
}

TEST_F(RecallTest, TextsThatTheBuiltInModelDoesNotKnowAreNoFailure) {
  use_vectors();
  add("", "Ошибка в расписании исправлена");
  const RecallAnswer answer = ask("ошибка");
  EXPECT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.degraded, "");
}

TEST_F(RecallTest, VectorsKeepTheProject) {
  use_vectors();
  testing::EntryRow row;
  for (int i = 0; i < 300; ++i) {
    row.body = "delete the file from the directory, case " + std::to_string(i);
    add(row);
  }
  row.project = "small";
  row.body = "delete the file from the directory";
  add(row);
  RecallRequest request;
  request.query = "remove folder";
  request.projects = {"small"};
  EXPECT_EQ(number(ask(request), 0), 301);
}

TEST_F(RecallTest, CatchesUpWithAnotherProcess) {
  use_vectors();
  const auto other = open();
  Recall recall(*other, *vectors_, clock());
  RecallRequest request;
  request.query = "delete a file";
  EXPECT_TRUE(recall.search(request)->hits.empty());
  add("First", "delete the file");
  EXPECT_THAT(titles(*recall.search(request)), ElementsAre("First"));
  now_ms_ += testing::kDayMs;
  add("Second", "delete this file at once");
  EXPECT_EQ(recall.search(request)->hits.size(), 2U);
  EXPECT_EQ(recall.search(request)->vector_hits, 2U);
  execute("DELETE FROM entries WHERE id = 1");
  EXPECT_THAT(titles(*recall.search(request)), ElementsAre("Second"));
  EXPECT_EQ(recall.search(request)->vector_hits, 1U);
  request.query = "";
  EXPECT_EQ(recall.search(request)->total, 1U);
}

TEST_F(RecallTest, AnotherStoreInThePlaceIsReadAgain) {
  use_vectors();
  add("Old", "delete the file");
  add("Older", "delete the file again and again");
  Recall recall(*store_, *vectors_, clock());
  RecallRequest request;
  request.query = "delete file";
  EXPECT_EQ(recall.search(request)->hits.size(), 2U);
  std::filesystem::rename(directory_.path() / "data", directory_.path() / "away");
  add("New", "delete the file");
  EXPECT_THAT(titles(*recall.search(request)), ElementsAre("New"));
}

TEST_F(RecallTest, TheFileOfVectorsIsOnlyAShortCut) {
  use_vectors();
  for (int i = 0; i < 6; ++i) add("", "delete the file number " + std::to_string(i));
  execute("UPDATE sqlite_sequence SET seq = 10000 WHERE name = 'vectors'");  // many changes
  ASSERT_TRUE(Recall(*store_, *vectors_, clock()).maintain().ok());
  ASSERT_TRUE(std::filesystem::exists(store_->vectors_path()));
  EXPECT_EQ(std::filesystem::status(store_->vectors_path()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_TRUE(
      embed::VectorIndex::load(store_->vectors_path()).value()->agrees_with_faiss().value());
  now_ms_ += testing::kDayMs;
  add("", "delete the file number 7");
  const std::size_t want = ask("delete file").vector_hits;
  EXPECT_EQ(want, 7U);
  for (const char* damage : {"CXVI and nothing else", "", "another kind of file"}) {
    std::ofstream(store_->vectors_path(), std::ios::binary) << damage;
    EXPECT_EQ(ask("delete file").vector_hits, want) << damage;
  }
  std::filesystem::remove(store_->vectors_path());
  EXPECT_EQ(ask("delete file").vector_hits, want);
}

TEST_F(RecallTest, AModelThatFailsDegradesAndWordsFind) {
  vectors_ = std::make_unique<DocumentVectors>(std::make_shared<FailingEmbedder>(), false);
  add("Kept", "delete the file");
  RecallAnswer answer = ask("delete");
  EXPECT_THAT(titles(answer), ElementsAre("Kept"));
  EXPECT_THAT(answer.degraded, HasSubstr("no document has a vector of test:failing yet"));
  auto works = std::make_shared<FailingEmbedder>();
  works->is_down = false;
  vectors_ = std::make_unique<DocumentVectors>(works, false);
  Recall recall(*store_, *vectors_, clock());
  ASSERT_TRUE(recall.maintain().ok());
  EXPECT_EQ(find_number("SELECT count(*) FROM vectors"), 1);
  answer = ask("delete");
  EXPECT_EQ(answer.degraded, "the endpoint is down");
  EXPECT_FALSE(answer.is_hybrid);
  EXPECT_THAT(titles(answer), ElementsAre("Kept"));
  RecallOptions options;
  options.missing_model = "no key";
  vectors_ = std::make_unique<DocumentVectors>(nullptr, false);
  RecallRequest request;
  request.query = "delete";
  EXPECT_EQ(ask(request, options).degraded, "no key");
}

TEST_F(RecallTest, DocumentsWithoutVectorsGetThemLater) {
  add("", "delete the file");
  use_vectors();
  add("", "remove the folder");
  EXPECT_EQ(find_number("SELECT count(*) FROM vectors"), 1);
  Recall recall(*store_, *vectors_, clock());
  ASSERT_TRUE(recall.maintain().ok());
  EXPECT_EQ(find_number("SELECT count(*) FROM vectors"), 2);
  ASSERT_TRUE(recall.maintain().ok());
  EXPECT_EQ(find_number("SELECT max(id) FROM vectors"), 2);
}

// Notes of a small team; the query shares hardly a word with the note that answers it.
TEST_F(RecallTest, APlainQuestionInOtherWordsFindsTheNote) {
  use_vectors();
  for (const char* body :
       {"We picked Postgres for persistence because of its extensions",
        "The homepage must load under two seconds on 3G", "Passwords are hashed with argon2id",
        "Invoices are sent on the first working day of the month",
        "Feature flags live in config/flags.yaml and are read once at start",
        "The nightly backup is copied to a second region", "Tabs are two spaces in all languages",
        "Retry failed webhooks with exponential backoff, five times at most"}) {
    add("", body);
    now_ms_ += testing::kHourMs;
  }
  const auto best = [&](const char* query) { return number(ask(query), 0); };
  EXPECT_EQ(best("which database do we use"), 1);
  EXPECT_EQ(best("how do we store user credentials"), 3);
  EXPECT_EQ(best("when do customers get their bill"), 4);
  EXPECT_FALSE(ask("extensions of the database").is_weak);
}

TEST_F(RecallTest, AQuestionAboutNothingIsAnsweredByNoneOrSaysSo) {
  use_vectors();
  for (const char* body :
       {"We picked Postgres for persistence because of its extensions",
        "Passwords are hashed with argon2id", "Invoices are sent on the first working day"}) {
    add("", body);
  }
  for (const char* query : {"how do bees find their way home", "symptoms of a broken ankle",
                            "which spices go into garam masala"}) {
    const RecallAnswer answer = ask(query);
    EXPECT_TRUE(answer.is_weak || answer.hits.empty()) << query;
  }
  EXPECT_FALSE(ask("argon2id passwords").is_weak);
  vectors_ = std::make_unique<DocumentVectors>(nullptr, false);
  EXPECT_FALSE(ask("argon2id bees").is_weak) << "words alone say nothing of it";
}

TEST_F(RecallTest, ATurnThatAsksComesAfterOneThatTells) {
  testing::EntryRow row;
  for (const char* body : {"Ann: Which colour has the new kettle?",
                           "Ben: The new kettle has a red colour.", "Ann: Nice."}) {
    row.body = body;
    add(row);
  }
  const RecallAnswer answer = ask("colour of the new kettle");
  EXPECT_EQ(number(answer, 0), 2);
  EXPECT_TRUE(answer.hits[0].parts.is_turn);
  EXPECT_TRUE(answer.hits[1].parts.asks);
  now_ms_ += testing::kHourMs;
  row.body = "Decision: the new kettle gets another colour";
  add(row);
  for (const RecallHit& hit : ask("another colour of the kettle").hits) {
    EXPECT_EQ(hit.parts.is_turn, id_of(hit.key) != 4) << id_of(hit.key);
  }
}

TEST_F(RecallTest, VectorsOfAnotherReleasesModelAreMadeAgainAndMeanwhileItIsSaid) {
  use_vectors();
  add("Kept", "delete the file");
  add("", "the colour of the kettle");
  execute("UPDATE embedding_models SET name = 'code-static-128d-0badcafe'");
  RecallAnswer answer = ask("delete");
  EXPECT_THAT(titles(answer), ElementsAre("Kept"));
  EXPECT_THAT(answer.degraded, HasSubstr("another built-in model"));
  EXPECT_EQ(answer.vector_hits, 0U);
  add("New", "remove the folder");
  EXPECT_THAT(ask("delete").degraded, HasSubstr("until its vectors are made again"));
  Recall recall(*store_, *vectors_, clock());
  ASSERT_TRUE(recall.renew_vectors().ok());
  answer = ask("delete a file");
  EXPECT_EQ(answer.degraded, "");
  EXPECT_GE(answer.vector_hits, 1U);
  EXPECT_EQ(find_number("SELECT count(*) FROM vectors"), 3);
  EXPECT_EQ(find_number("SELECT count(*) FROM embedding_models"), 1);
  EXPECT_EQ(find_number("SELECT count(*) FROM removed_vectors"), 0);
}

TEST_F(RecallTest, VectorsOfARemoteModelAreKeptWithTheBuiltInOnes) {
  use_vectors();
  add("Kept", "delete the file");
  execute("UPDATE embedding_models SET name = 'openai:example.com#m'");
  EXPECT_EQ(ask("delete").degraded, "");
  Recall recall(*store_, *vectors_, clock());
  ASSERT_TRUE(recall.maintain().ok());
  EXPECT_EQ(find_number("SELECT count(*) FROM vectors"), 2);
}

TEST_F(RecallTest, AStopEndsASearch) {
  for (int i = 0; i < 10; ++i) add("", "words of all kinds " + std::to_string(i));
  std::stop_source stop;
  stop.request_stop();
  Recall recall(*store_, *vectors_, clock());
  RecallRequest request;
  request.query = "words";
  EXPECT_EQ(recall.search(request, stop.get_token()).error().code(), ErrorCode::kCancelled);
}

TEST_F(RecallTest, CandidatesAreOfTheirKindAndBetweenZeroAndOne) {
  add("", "delete the file from the directory");
  add("", "the colour of the kettle");
  execute(
      "INSERT INTO decisions (id, kind, project_id, title, target, target_key, status, rationale,"
      " source, created_at_ms) VALUES ('d', 'decision', 1, 'Delete files', 't', 't', 'active',"
      " 'at night', 'human', 8)");
  Recall recall(*store_, *vectors_, clock());
  const auto found = recall.candidates("delete files", DocumentKind::kDecision, 5);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(kind_of((*found)[0].key), DocumentKind::kDecision);
  EXPECT_GT((*found)[0].similarity, 0.5);
  EXPECT_LE((*found)[0].similarity, 1);
}

TEST_F(RecallTest, AHitHasWhatAListShows) {
  testing::EntryRow row;
  row.body = "A body of thirty characters or";
  row.type = "bugfix";
  row.files_read = R"(["a.cpp"])";
  row.files_modified = R"(["b.cpp","c.cpp"])";
  add(row);
  const RecallAnswer answer = ask("body");
  ASSERT_EQ(answer.hits.size(), 1U);
  const RecallHit& hit = answer.hits[0];
  EXPECT_EQ(hit.project, "demo");
  EXPECT_EQ(hit.type, "bugfix");
  EXPECT_EQ(hit.file, "b.cpp");
  EXPECT_EQ(hit.created_at_ms, testing::kNoon);
  EXPECT_GE(hit.text_chars, 30U);
  EXPECT_EQ(answer.lexical_hits, 1U);
  EXPECT_GE(answer.total_ms, answer.lexical_ms);
}

}  // namespace
}  // namespace codexmem::memory
