#include "embed/openai_embedder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "text/json.h"
#include "base/text.h"
#include "support/http_test_server.h"

namespace codexmem::embed {
namespace {

using namespace std::chrono_literals;
using testing::HttpTestServer;
using testing::reply;
using testing::TestReply;
using testing::TestRequest;
using Strings = std::vector<std::string>;

constexpr std::size_t kReplyDimension = 16;

// A word sets one component.
std::vector<float> vector_of(const std::string& text) {
  std::vector<float> vector(kReplyDimension);
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    std::uint32_t hash = 2166136261U;
    for (const char w : word) hash = (hash ^ static_cast<unsigned char>(w)) * 16777619U;
    if (!word.empty()) vector[hash % kReplyDimension] += 3;
    word.clear();
  }
  return vector;
}

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

Json encoded(const std::vector<float>& vector) {
  std::string bytes(vector.size() * 4, '\0');
  std::memcpy(bytes.data(), vector.data(), bytes.size());
  return base64(bytes);
}

Strings texts_of(const TestRequest& request) {
  return Json::parse(request.body)["input"].get<Strings>();
}

Json answer_of(const Strings& texts, bool as_floats = false) {
  Json data = Json::array();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto vector = vector_of(texts[i]);
    data.push_back({{"object", "embedding"},
                    {"index", i},
                    {"embedding", as_floats ? Json(vector) : encoded(vector)}});
  }
  return {{"object", "list"}, {"data", data}};
}

TestReply good(const TestRequest& request) {
  return reply(200, answer_of(texts_of(request)).dump());
}

OpenAiOptions quick(const HttpTestServer& server) {
  OpenAiOptions options;
  options.base_url = server.url() + "/v1/";
  options.model = "m1";
  options.timeout = 2s;
  options.first_delay = 1ms;
  options.max_delay = 20ms;
  options.query_timeout = 300ms;
  return options;
}

Result<std::vector<float>> documents(const Embedder& embedder, const Strings& texts,
                                     std::stop_token stop = {}) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return embedder.embed_documents(views, stop);
}

void expect_vectors(const std::vector<float>& got, const Strings& texts) {
  ASSERT_EQ(got.size(), texts.size() * kReplyDimension);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto want = vector_of(texts[i]);
    double sum = 0;
    for (const float v : want) sum += static_cast<double>(v) * static_cast<double>(v);
    for (std::size_t c = 0; c < kReplyDimension; ++c) {
      EXPECT_NEAR(got[i * kReplyDimension + c], static_cast<double>(want[c]) / std::sqrt(sum), 1e-6)
          << texts[i];
    }
  }
}

TEST(OpenAiEmbedder, AsksOnceForABatchAndScalesToLengthOne) {
  TestRequest seen;
  HttpTestServer server([&](const TestRequest& request) {
    seen = request;
    return good(request);
  });
  OpenAiOptions options = quick(server);
  options.api_key = "sk-1";
  const auto embedder = make_openai_embedder(options);
  EXPECT_EQ("http://" + embedder->model_id().substr(7), server.url() + "/v1#m1");
  EXPECT_EQ(embedder->dimension(), 0U);
  const Strings texts = {"one two two", "three", "caf\xC3\xA9 one"};
  const auto vectors = documents(*embedder, texts);
  ASSERT_TRUE(vectors.ok()) << vectors.error().message();
  expect_vectors(*vectors, texts);
  EXPECT_EQ(embedder->dimension(), kReplyDimension);
  EXPECT_EQ(server.requests(), 1);
  EXPECT_TRUE(seen.head.starts_with("POST /v1/embeddings ")) << seen.head;
  EXPECT_NE(seen.head.find("Authorization: Bearer sk-1"), std::string::npos);
  const Json body = Json::parse(seen.body);
  EXPECT_EQ(body["model"], "m1");
  EXPECT_EQ(body["encoding_format"], "base64");
  EXPECT_EQ(body.size(), 3U);
}

TEST(OpenAiEmbedder, AModelIsIdentifiedByItsWholeAddress) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://API.Example.com/v1", "api.example.com/v1"},
      {"https://api.example.com:443/v1//", "api.example.com/v1"},
      {"https://api.example.com/v1/embeddings", "api.example.com/v1"},
      {"https://user:secret@api.example.com/v1?key=secret", "api.example.com/v1"},
      {"https://user:8080@api.example.com", "api.example.com"},
      {"http://localhost:80/Team/A", "localhost/Team/A"},
      {"http://localhost:11434/v1", "localhost:11434/v1"},
      {"http://[::1]:8080/v1", "[::1]:8080/v1"},
      {"http://[::1]/v1", "[::1]/v1"},
  };
  for (const auto& [url, want] : cases) {
    OpenAiOptions options;
    options.base_url = url;
    options.model = "m";
    EXPECT_EQ(make_openai_embedder(options)->model_id(), std::string("openai:") + want + "#m");
  }
}

TEST(OpenAiEmbedder, ReadsNumbersAndAnyOrder) {
  HttpTestServer server([](const TestRequest& request) {
    Json answer = answer_of(texts_of(request), true);
    std::reverse(answer["data"].begin(), answer["data"].end());
    return reply(200, answer.dump());
  });
  const Strings texts = {"one", "two", "three four"};
  const auto vectors = documents(*make_openai_embedder(quick(server)), texts);
  ASSERT_TRUE(vectors.ok()) << vectors.error().message();
  expect_vectors(*vectors, texts);
}

TEST(OpenAiEmbedder, BatchesByCountAndBytesAndCutsLongTexts) {
  std::vector<std::size_t> counts, bytes;
  std::size_t longest = 0;
  HttpTestServer server([&](const TestRequest& request) {
    std::size_t sum = 0;
    for (const std::string& text : texts_of(request)) {
      sum += text.size();
      longest = std::max(longest, text.size());
      EXPECT_TRUE(is_valid_utf8(text));
    }
    counts.push_back(texts_of(request).size());
    bytes.push_back(sum);
    return good(request);
  });
  OpenAiOptions options = quick(server);
  options.max_texts = 4;
  options.max_batch_bytes = 100;
  options.max_text_bytes = 51;
  Strings texts(6, "ab");
  for (int i = 0; i < 3; ++i) {
    std::string wide;
    while (wide.size() < 80) wide += "\xC3\xA9";
    texts.push_back(wide);
  }
  const auto vectors = documents(*make_openai_embedder(options), texts);
  ASSERT_TRUE(vectors.ok()) << vectors.error().message();
  EXPECT_EQ(vectors->size(), 9 * kReplyDimension);
  EXPECT_EQ(counts, (std::vector<std::size_t>{4, 3, 2}));
  EXPECT_EQ(bytes, (std::vector<std::size_t>{8, 54, 100}));
  EXPECT_EQ(longest, 50U);
}

TEST(OpenAiEmbedder, TriesAgainWhatMayGoBetter) {
  int count = 0;
  HttpTestServer server([&](const TestRequest& request) {
    switch (++count) {
      case 1:
        return reply(429, R"({"error":{"message":"slow down"}})", "Retry-After: 1000\r\n");
      case 2:
        return reply(503, "");
      case 3:
        return TestReply{};  // closed without an answer
      case 4:
        return TestReply{"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":[", false};
      default:
        return good(request);
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto vectors = documents(*make_openai_embedder(quick(server)), {"one"});
  ASSERT_TRUE(vectors.ok()) << vectors.error().message();
  EXPECT_EQ(server.requests(), 5);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);  // the wish to wait is capped
}

TEST(OpenAiEmbedder, HonoursRetryAfter) {
  std::vector<std::chrono::steady_clock::time_point> times;
  HttpTestServer server([&](const TestRequest& request) {
    times.push_back(std::chrono::steady_clock::now());
    return times.size() == 1 ? reply(429, "", "Retry-After: 1\r\n") : good(request);
  });
  OpenAiOptions options = quick(server);
  options.max_delay = 3s;
  ASSERT_TRUE(documents(*make_openai_embedder(options), {"one"}).ok());
  ASSERT_EQ(times.size(), 2U);
  EXPECT_GE(times[1] - times[0], 1s);
}

TEST(OpenAiEmbedder, GivesUpInTheEndAndSaysWhy) {
  HttpTestServer server(
      [](const TestRequest&) { return reply(429, R"({"error":{"message":"quota\n used"}})"); });
  OpenAiOptions options = quick(server);
  options.attempts = 3;
  const auto failed = documents(*make_openai_embedder(options), {"one", "two"});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kIo);
  EXPECT_EQ(failed.error().message(), "embeddings: 127.0.0.1 answers 429: quota used");
  EXPECT_EQ(server.requests(), 3);
}

TEST(OpenAiEmbedder, DoesNotRetryPermanentFailuresNorShowTheKey) {
  for (const int status : {401, 403, 404}) {
    HttpTestServer server([&](const TestRequest&) {
      return reply(status, R"({"error":{"message":"wrong: sk-secret"}})");
    });
    OpenAiOptions options = quick(server);
    options.api_key = "sk-secret";
    const auto failed = documents(*make_openai_embedder(options), {"one", "two"});
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(failed.error().message().find("sk-secret"), std::string::npos);
    EXPECT_NE(failed.error().message().find(std::to_string(status)), std::string::npos);
    EXPECT_EQ(server.requests(), 1);
  }
}

TEST(OpenAiEmbedder, ARefusalOfEverythingCostsFewRequests) {
  HttpTestServer server(
      [&](const TestRequest&) { return reply(400, R"({"error":"no model m1"})"); });
  const auto failed =
      documents(*make_openai_embedder(quick(server)), Strings(96, std::string(4000, 'x')));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message(), "embeddings: 127.0.0.1 answers 400: no model m1");
  EXPECT_LE(server.requests(), 14);
}

TEST(OpenAiEmbedder, FindsTheTextThatIsTooLongAndCutsIt) {
  for (const int status : {400, 413, 500}) {
    std::size_t longest = 0;
    HttpTestServer server([&](const TestRequest& request) {
      for (const std::string& text : texts_of(request)) {
        if (text.size() > 1000) return reply(status, R"({"error":{"message":"too long"}})");
        longest = std::max(longest, text.size());
      }
      return good(request);
    });
    Strings texts;
    for (int i = 0; i < 40; ++i) texts.push_back("text" + std::to_string(i));
    texts[17] = std::string(3000, 'a');
    OpenAiOptions options = quick(server);
    options.attempts = 2;
    const auto vectors = documents(*make_openai_embedder(options), texts);
    ASSERT_TRUE(vectors.ok()) << vectors.error().message();
    EXPECT_EQ(longest, 750U);
    texts[17] = std::string(750, 'a');
    expect_vectors(*vectors, texts);
    EXPECT_LT(server.requests(), 20);
  }
}

TEST(OpenAiEmbedder, AMomentsTroubleCutsNoText) {
  for (const bool with_nan : {false, true}) {
    int troubles = 1;
    std::set<std::size_t> taken;
    HttpTestServer server([&](const TestRequest& request) {
      const Strings texts = texts_of(request);
      Json answer = answer_of(texts, true);
      if (troubles-- > 0) {
        if (!with_nan) return reply(500, R"({"error":{"message":"out of memory"}})");
        answer["data"][0]["embedding"][3] = nullptr;
      }
      for (const std::string& text : texts) taken.insert(text.size());
      return reply(200, answer.dump());
    });
    OpenAiOptions options = quick(server);
    options.attempts = 1;
    const std::string text(3000, 'a');
    const auto vectors = documents(*make_openai_embedder(options), {text});
    ASSERT_TRUE(vectors.ok()) << vectors.error().message();
    expect_vectors(*vectors, {text});
    EXPECT_EQ(taken.count(1500), 0U);
    EXPECT_EQ(server.requests(), 3);
  }
}

TEST(OpenAiEmbedder, AServerThatTakesNothingCutsNoText) {
  int requests = 0;
  HttpTestServer server(
      [&](const TestRequest& request) { return ++requests <= 2 ? reply(500, "") : good(request); });
  OpenAiOptions options = quick(server);
  options.attempts = 1;
  EXPECT_FALSE(documents(*make_openai_embedder(options), {std::string(3000, 'a')}).ok());
  EXPECT_EQ(server.requests(), 2);
}

TEST(OpenAiEmbedder, ATextThatIsNeverTakenHasNoVectorAndHoldsUpNoOther) {
  for (const bool as_nan : {false, true}) {
    HttpTestServer server([&](const TestRequest& request) {
      const Strings texts = texts_of(request);
      Json answer = answer_of(texts, true);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] != "evil") continue;
        if (!as_nan) return reply(400, R"({"error":{"message":"a word that is not allowed"}})");
        answer["data"][i]["embedding"][3] = nullptr;
      }
      return reply(200, answer.dump());
    });
    const auto vectors = documents(*make_openai_embedder(quick(server)), {"evil", "one", "two"});
    ASSERT_TRUE(vectors.ok()) << vectors.error().message();
    ASSERT_EQ(vectors->size(), 3 * kReplyDimension);
    EXPECT_EQ(std::vector<float>(vectors->begin(), vectors->begin() + kReplyDimension),
              std::vector<float>(kReplyDimension));
    expect_vectors({vectors->begin() + kReplyDimension, vectors->end()}, {"one", "two"});
  }
}

TEST(OpenAiEmbedder, AnswersThatAreNotAsAgreedAreRefused) {
  const auto with = [](const std::function<void(Json&)>& change) {
    return [change](const TestRequest& request) {
      Json answer = answer_of(texts_of(request), true);
      change(answer);
      return reply(200, answer.dump());
    };
  };
  const std::pair<const char*, HttpTestServer::Handler> cases[] = {
      {"garbage", [](const TestRequest&) { return reply(200, "<html>hello</html>"); }},
      {"truncated",
       [](const TestRequest& request) {
         return reply(200, answer_of(texts_of(request)).dump().substr(0, 60));
       }},
      {"no list", [](const TestRequest&) { return reply(200, R"({"data":{"a":1}})"); }},
      {"too few", with([](Json& answer) { answer["data"].erase(0); })},
      {"too many", with([](Json& answer) { answer["data"].push_back(answer["data"][0]); })},
      {"index twice", with([](Json& answer) { answer["data"][1]["index"] = 0; })},
      {"index too large", with([](Json& answer) { answer["data"][1]["index"] = 7; })},
      {"negative index", with([](Json& answer) { answer["data"][1]["index"] = -1; })},
      {"two lengths", with([](Json& answer) { answer["data"][1]["embedding"].erase(0); })},
      {"empty", with([](Json& answer) {
         for (Json& item : answer["data"]) item["embedding"] = Json::array();
       })},
      {"words", with([](Json& answer) { answer["data"][0]["embedding"][0] = "x"; })},
      {"bad base64", with([](Json& answer) { answer["data"][0]["embedding"] = "%%%%"; })},
      {"half a float", with([](Json& answer) { answer["data"][0]["embedding"] = "AAAAAAA="; })},
      {"no embedding", with([](Json& answer) { answer["data"][0].erase("embedding"); })},
      {"item no object", with([](Json& answer) { answer["data"][0] = 5; })},
      {"zero for all", with([](Json& answer) {
         for (Json& item : answer["data"]) {
           for (Json& component : item["embedding"]) component = 0;
         }
       })},
      {"infinite for all", with([](Json& answer) {
         for (Json& item : answer["data"]) item["embedding"][0] = 1e300;
       })},
  };
  for (const auto& [name, handler] : cases) {
    HttpTestServer server(handler);
    const auto failed = documents(*make_openai_embedder(quick(server)), {"one", "two"});
    ASSERT_FALSE(failed.ok()) << name;
    EXPECT_EQ(failed.error().code(), ErrorCode::kCorrupt) << name;
    EXPECT_LE(server.requests(), 3) << name;
  }
}

TEST(OpenAiEmbedder, AnotherDimensionThanBeforeIsRefused) {
  bool shorter = false;
  HttpTestServer server([&](const TestRequest& request) {
    Json answer = answer_of(texts_of(request), true);
    if (shorter) {
      for (Json& item : answer["data"]) item["embedding"].erase(0);
    }
    return reply(200, answer.dump());
  });
  const auto embedder = make_openai_embedder(quick(server));
  ASSERT_TRUE(documents(*embedder, {"one"}).ok());
  shorter = true;
  const auto failed = documents(*embedder, {"two"});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(embedder->dimension(), kReplyDimension);
}

TEST(OpenAiEmbedder, AQuestionIsAskedOnce) {
  HttpTestServer server(good);
  OpenAiOptions options = quick(server);
  options.kept_queries = 2;
  const auto embedder = make_openai_embedder(options);
  const auto ask = [&](const std::string& text) {
    const auto vector = embedder->embed_query(text);
    ASSERT_TRUE(vector.ok());
    expect_vectors(*vector, {text});
  };
  ask("one");
  ask("one");
  EXPECT_EQ(server.requests(), 1);
  ask("two");
  ask("one");
  ask("three");  // "two" is the one that was not used for longest
  ask("one");
  EXPECT_EQ(server.requests(), 3);
  ask("two");
  EXPECT_EQ(server.requests(), 4);
}

TEST(OpenAiEmbedder, AfterAFailureQuestionsDoNotWaitUntilARestIsOver) {
  std::atomic<bool> up = false;
  HttpTestServer server([&](const TestRequest& request) {
    return up ? good(request) : TestReply{"", true};
  });
  OpenAiOptions options = quick(server);
  options.rest_after_failure = 200ms;
  const auto embedder = make_openai_embedder(options);
  const auto first = embedder->embed_query("one");
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.error().code(), ErrorCode::kIo);
  up = true;
  const auto second = embedder->embed_query("two");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message(), first.error().message());
  EXPECT_EQ(server.requests(), 1);
  std::this_thread::sleep_for(250ms);
  EXPECT_TRUE(embedder->embed_query("two").ok());
  EXPECT_TRUE(embedder->embed_query("three").ok());
}

TEST(OpenAiEmbedder, IsCancelledWhileItWaits) {
  HttpTestServer server([](const TestRequest&) { return reply(503, ""); });
  OpenAiOptions options = quick(server);
  options.first_delay = options.max_delay = 60s;
  std::stop_source stop;
  std::jthread later([&] {
    while (server.requests() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto failed = documents(*make_openai_embedder(options), {"one"}, stop.get_token());
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), ErrorCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

}  // namespace
}  // namespace codexmem::embed
