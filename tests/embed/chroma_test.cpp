#include "embed/chroma.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "text/json.h"
#include "support/http_test_server.h"

namespace codexmem::embed {
namespace {

using namespace std::chrono_literals;
using testing::HttpTestServer;
using testing::reply;
using testing::TestReply;
using testing::TestRequest;

constexpr char kHit[] =
    R"({"ids":[["obs_7_text"]],"distances":[[0.25]],"metadatas":[[{"sqlite_id":7,"doc_type":"observation","weight":0.5}]]})";

// The first line of a request: "POST /api/v2/... HTTP/1.1".
std::string line_of(const TestRequest& request) {
  return request.head.substr(0, request.head.find("\r\n"));
}

ChromaOptions options_of(const HttpTestServer& server) {
  ChromaOptions options;
  options.url = server.url() + "/";
  options.query_timeout = 200ms;
  return options;
}

Result<std::vector<ChromaRecord>> ask(Chroma& chroma, std::vector<ChromaCondition> conditions = {},
                                      std::stop_token stop = {}) {
  return chroma.near("uuid", std::vector<float>{1, 0}, 5, {.conditions = std::move(conditions)}, {},
                     1s, std::move(stop));
}

TEST(Chroma, AListThatWasAskedForAndIsMissingIsNoAnswer) {
  std::string answer;
  HttpTestServer server([&](const TestRequest&) { return reply(200, answer); });
  Chroma chroma(options_of(server));
  const auto list = [&](const char* text, ChromaParts parts) {
    answer = text;
    return chroma.list("uuid", {.limit = 2, .parts = parts}, 1s);
  };
  for (const char* text : {R"({"ids":["a"]})", R"({"ids":["a"],"metadatas":null})",
                           R"({"ids":["a"],"metadatas":[]})", R"({"metadatas":[{}]})"}) {
    EXPECT_EQ(list(text, {}).error().code(), ErrorCode::kCorrupt) << text;
  }
  const ChromaParts vectors{.metadata = false, .vectors = true};
  EXPECT_EQ(list(R"({"ids":["a"]})", vectors).error().code(), ErrorCode::kCorrupt);
  // A vector with an element that is not a number is dropped; rows beyond the wanted number are
  // cut.
  const auto rows =
      list(R"({"ids":["a","b","c"],"embeddings":[[1e39,1],[0.5,null],[1,2]],"metadatas":null})",
           vectors);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_TRUE(rows->front().vector.empty());
  EXPECT_TRUE(rows->back().vector.empty());
  answer = R"({"ids":[["a"]],"distances":[[0.5]]})";
  EXPECT_EQ(ask(chroma).error().code(), ErrorCode::kCorrupt);
}

TEST(Chroma, AsksForTheNearestWithAllConditions) {
  TestRequest seen;
  HttpTestServer server([&](const TestRequest& request) {
    seen = request;
    return reply(200, kHit);
  });
  ChromaOptions options = options_of(server);
  options.token = "a-token";
  Chroma chroma(options);
  const auto hits = ask(chroma, {{.key = "project", .any_of = {std::string("a"), std::string("b")}},
                                 {.key = "created_at_epoch", .at_least = 5}});
  ASSERT_TRUE(hits.ok()) << hits.error().message();
  ASSERT_EQ(hits->size(), 1U);
  EXPECT_EQ(hits->front().id, "obs_7_text");
  EXPECT_FLOAT_EQ(hits->front().similarity, 0.75F);
  EXPECT_EQ(std::get<std::int64_t>(hits->front().metadata.at("sqlite_id")), 7);
  EXPECT_FALSE(hits->front().metadata.contains("weight"));
  EXPECT_EQ(line_of(seen),
            "POST /api/v2/tenants/default_tenant/databases/default_database/collections/uuid/query "
            "HTTP/1.1");
  EXPECT_NE(seen.head.find("x-chroma-token: a-token"), std::string::npos);
  const Json body = Json::parse(seen.body);
  EXPECT_EQ(body["query_embeddings"].dump(), "[[1.0,0.0]]");
  EXPECT_EQ(body["n_results"], 5);
  EXPECT_EQ(body["where"].dump(),
            R"({"$and":[{"project":{"$in":["a","b"]}},{"created_at_epoch":{"$gte":5}}]})");
}

TEST(Chroma, OneConditionStandsAlone) {
  TestRequest seen;
  HttpTestServer server([&](const TestRequest& request) {
    seen = request;
    return reply(200, kHit);
  });
  Chroma chroma(options_of(server));
  ASSERT_TRUE(ask(chroma, {{.key = "project", .any_of = {std::string("a")}}}).ok());
  EXPECT_EQ(Json::parse(seen.body)["where"].dump(), R"({"project":"a"})");
  ASSERT_TRUE(ask(chroma).ok());
  EXPECT_FALSE(Json::parse(seen.body).contains("where"));
}

TEST(Chroma, ErrorsSayWhatToDo) {
  struct Case {
    const char* name;
    TestReply answer;
    ErrorCode want;
  };
  const Case cases[] = {
      {"unknown", reply(404, R"({"error":"NotFoundError","message":"no such"})"),
       ErrorCode::kNotFound},
      {"dimension",
       reply(400, R"({"error":"InvalidArgumentError","message":"dimension of 128, got 2"})"),
       ErrorCode::kInvalidArgument},
      {"key", reply(403, "no"), ErrorCode::kInvalidArgument},
      {"version", reply(410, R"({"error":"Gone"})"), ErrorCode::kInvalidArgument},
      {"busy", reply(429, ""), ErrorCode::kIo},
      {"broken", reply(500, "<html>"), ErrorCode::kIo},
      {"no JSON", reply(200, "hello"), ErrorCode::kCorrupt},
      {"another shape", reply(200, R"({"ids":[]})"), ErrorCode::kCorrupt},
      {"uneven", reply(200, R"({"ids":[["a"]],"distances":[[]],"metadatas":[[{}]]})"),
       ErrorCode::kCorrupt},
      {"no HTTP", {"hello\r\n\r\n"}, ErrorCode::kCorrupt},
      {"cut", {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"}, ErrorCode::kIo},
      {"silent", {"", true}, ErrorCode::kIo},
  };
  for (const Case& one : cases) {
    HttpTestServer server([&](const TestRequest&) { return one.answer; });
    Chroma chroma(options_of(server));
    const auto begin = std::chrono::steady_clock::now();
    const auto hits = ask(chroma);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s) << one.name;
    ASSERT_FALSE(hits.ok()) << one.name;
    EXPECT_EQ(hits.error().code(), one.want) << one.name << ": " << hits.error().message();
  }
}

TEST(Chroma, ADeepAnswerIsNoTrouble) {
  const std::string opens(1'000'000, '['), closes(opens.size(), ']');
  for (const std::string& answer : {opens, opens + closes, R"({"ids":)" + opens + closes + "}"}) {
    HttpTestServer server([&](const TestRequest&) { return reply(200, answer); });
    ChromaOptions options = options_of(server);
    options.query_timeout = 20s;
    Chroma chroma(options);
    EXPECT_EQ(chroma.near("uuid", std::vector<float>{1, 0}, 5, {}, {}, 20s).error().code(),
              ErrorCode::kCorrupt);
  }
}

TEST(Chroma, AfterNoAnswerQuestionsAreRefusedUntilSomethingSucceeds) {
  std::atomic<bool> is_well = false;
  HttpTestServer server([&](const TestRequest& request) {
    if (!is_well) return TestReply{};  // hangs up
    return request.head.find("heartbeat") != std::string::npos ? reply(200, "{}")
                                                               : reply(200, kHit);
  });
  ChromaOptions options = options_of(server);
  options.rest_after_failure = 1h;
  Chroma chroma(options);
  EXPECT_FALSE(ask(chroma).ok());
  is_well = true;
  EXPECT_FALSE(ask(chroma).ok());
  EXPECT_EQ(server.requests(), 1);
  EXPECT_TRUE(chroma.heartbeat().ok());
  EXPECT_TRUE(ask(chroma).ok());
}

TEST(Chroma, AServerThatAnswersIsAskedAgain) {
  HttpTestServer server([](const TestRequest&) { return reply(500, "{}"); });
  ChromaOptions options = options_of(server);
  options.rest_after_failure = 1h;
  Chroma chroma(options);
  EXPECT_FALSE(ask(chroma).ok());
  EXPECT_FALSE(ask(chroma).ok());
  EXPECT_EQ(server.requests(), 2);
}

TEST(Chroma, AStopEndsTheWaitAtOnce) {
  HttpTestServer server([](const TestRequest&) { return TestReply{"", true}; });
  ChromaOptions options = options_of(server);
  options.query_timeout = 60s;
  Chroma chroma(options);
  std::stop_source stop;
  std::jthread stopper([&] {
    while (server.requests() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  EXPECT_EQ(
      chroma.near("uuid", std::vector<float>{1}, 1, {}, {}, 60s, stop.get_token()).error().code(),
      ErrorCode::kCancelled);
}

TEST(Chroma, MessagesHoldNoSecret) {
  HttpTestServer server([](const TestRequest&) { return reply(500, ""); });
  ChromaOptions options = options_of(server);
  const std::string password = std::string("hunter") + "two";
  options.url = "http://ann:" + password + "@" + server.url().substr(7);
  options.token = "the-token";
  Chroma chroma(options);
  const std::string shown = ask(chroma).error().message() + chroma.address();
  EXPECT_EQ(shown.find(password), std::string::npos) << shown;
  EXPECT_EQ(shown.find("ann"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("the-token"), std::string::npos) << shown;
}

TEST(Chroma, RowsGoInBatches) {
  std::mutex mutex;
  std::vector<std::size_t> sizes;
  Json first;
  HttpTestServer server([&](const TestRequest& request) {
    const std::lock_guard lock(mutex);
    const Json body = Json::parse(request.body);
    if (sizes.empty()) first = body;
    sizes.push_back(body["ids"].size());
    return reply(200, "{}");
  });
  Chroma chroma(options_of(server));
  std::vector<ChromaRow> rows(201);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {"prompt_" + std::to_string(i),
               "a text with a bad byte \xff",
               {{"sqlite_id", static_cast<std::int64_t>(i)}, {"project", std::string("p")}},
               {0.1234567F, -1}};
  }
  const auto done = chroma.upsert("uuid", rows);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(sizes, (std::vector<std::size_t>{100, 100, 1}));
  EXPECT_EQ(first["embeddings"][0].dump(), "[0.123457,-1.0]");
  EXPECT_EQ(first["metadatas"][0].dump(), R"({"project":"p","sqlite_id":0})");
}

TEST(Chroma, ACollectionThatIsMadeMeanwhileIsFound) {
  HttpTestServer server([](const TestRequest& request) {
    if (request.head.starts_with("POST")) return reply(409, R"({"error":"ChromaError"})");
    return reply(200, R"({"id":"u","metadata":{"embedding_model":"m"},"dimension":128,)"
                      R"("configuration_json":{"hnsw":{"space":"cosine"}}})");
  });
  Chroma chroma(options_of(server));
  const auto collection = chroma.get_or_create("cm__x", "m");
  ASSERT_TRUE(collection.ok()) << collection.error().message();
  EXPECT_EQ(collection->id, "u");
  EXPECT_EQ(collection->model, "m");
  EXPECT_TRUE(collection->is_cosine);
  EXPECT_TRUE(collection->has_rows);
}

TEST(Chroma, NamesOfCollections) {
  const std::pair<std::string, std::string> cases[] = {
      {"demo", "cm__demo"},       {"my app!", "cm__my_app"},
      {"a.b-c_d", "cm__a.b-c_d"}, {"", "cm__unknown"},
      {"проект", "cm__unknown"},  {"проект 7", "cm_________7"},
      {"../../x", "cm__.._.._x"}, {std::string(600, 'a'), "cm__" + std::string(500, 'a')}};
  for (const auto& [project, want] : cases) EXPECT_EQ(chroma_collection_name(project), want);
}

}  // namespace
}  // namespace codexmem::embed
