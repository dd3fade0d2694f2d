#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "base/stop_scope.h"
#include "search/search.h"
#include "search/small_index.h"

namespace codexmem::search {
namespace {

SmallFile limiter() {
  return {
      "src/limiter.py",
      "import time\n\nclass RateLimiter:\n    def acquire(self):\n        wait for a token\n",
      {{"RateLimiter", SymbolType::kClass, "class"}, {"acquire", SymbolType::kMethod, "method"}}};
}

std::vector<SmallFile> shop() {
  return {
      limiter(),
      {"src/cart.py", "def add_item(cart):\n    cart.append(1)\n", {{"add_item"}}},
      {"src/cart.ts", "function addItem(cart) {\n  cart.push(1)\n}\n", {{"addItem"}}, "typescript"},
      {"tests/test_cart.py", "def test_cart():\n    add_item(cart)\n", {{"test_cart"}}},
      {"README.md", "# Shop\n\nA cart and a rate limiter.\n", {}, "markdown"}};
}

class EngineTest : public ::testing::Test {
 protected:
  std::vector<std::string> paths(const SearchRequest& request) {
    const auto answer = engine_.search(request);
    EXPECT_TRUE(answer.ok());
    std::vector<std::string> all;
    for (const SearchHit& hit : answer->hits) all.push_back(hit.path);
    return all;
  }

  SmallIndex index_;
  SearchEngine engine_{index_.workspace()};
};

TEST_F(EngineTest, WordsOfAnyScriptFindAndAreMarked) {
  index_.add({{"a.py", "def рассчитатьНалог(сумма):\n    return сумма\n", {{"рассчитатьНалог"}}},
              {"b.py", "def υπολογισμός_φόρου(ποσό):\n    return 1\n", {{"υπολογισμός_φόρου"}}},
              {"c.py", "def حساب_الضريبة():\n    return 1\n", {{"حساب_الضريبة"}}},
              {"d.swift", "func 🚀() {\n}\n", {{"🚀"}}, "swift"},
              {"e.py", "def grösse():\n    return 1\n", {{"grösse"}}},
              {"f.py", "def tax():\n    return amount\n", {{"tax"}}}});
  const struct {
    const char* query;
    const char* path;
    const char* match;
  } cases[] = {
      {"рассчитатьНалог", "a.py", "рассчитатьНалог"},
      {"НАЛОГ nowhere", "a.py", "Налог"},
      {"υπολογισμός", "b.py", "υπολογισμός"},
      {"ΦΌΡΟΥ", "b.py", "φόρου"},
      {"الضريبة", "c.py", "الضريبة"},
      {"🚀", "d.swift", "🚀"},
      {"GRÖSSE", "e.py", "grösse"},
      {"gro\xCC\x88sse", "e.py", "grösse"},
  };
  for (const auto& one : cases) {
    const auto answer = engine_.search({.query = one.query, .threshold = 0});
    ASSERT_TRUE(answer.ok()) << one.query;
    ASSERT_FALSE(answer->hits.empty()) << one.query;
    EXPECT_EQ(answer->hits[0].path, one.path) << one.query;
    ASSERT_FALSE(answer->hits[0].matches.empty()) << one.query;
    EXPECT_EQ(answer->hits[0].matches[0].text, one.match) << one.query;
  }
}

TEST_F(EngineTest, ACommentBeforeADefinitionBelongsToIt) {
  index_.add({{"a.py",
               "class Shop:\n    # Sells a rare cucumber.\n    def sell(self):\n        return 1\n",
               {{"Shop", SymbolType::kClass, "class"}, {"sell", SymbolType::kMethod, "method"}}}});
  const auto answer = engine_.search({.query = "rare cucumber"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  EXPECT_EQ(answer->hits[0].line, 2U);
  ASSERT_TRUE(answer->hits[0].symbol.has_value());
  EXPECT_EQ(answer->hits[0].symbol->name, "sell");
}

TEST_F(EngineTest, AHitShowsTheDefinitionThatTheQueryNames) {
  index_.add(shop());
  const auto answer = engine_.search({.query = "RateLimiter"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  const SearchHit& hit = answer->hits[0];
  EXPECT_EQ(hit.path, "src/limiter.py");
  EXPECT_EQ(hit.language, "python");
  ASSERT_TRUE(hit.symbol.has_value());
  EXPECT_EQ(hit.symbol->name, "RateLimiter");
  EXPECT_EQ(hit.kind, "class");
  EXPECT_EQ(hit.line, 3U);
  EXPECT_EQ(hit.start_line, 3U);
  EXPECT_EQ(hit.end_line, 5U);
  EXPECT_TRUE(hit.snippet.starts_with("class RateLimiter:\n"));
  ASSERT_FALSE(hit.matches.empty());
  EXPECT_EQ(hit.matches[0].text, "RateLimiter");
  EXPECT_EQ(hit.matches[0].start, 6U);
  EXPECT_EQ(hit.matches[0].end, 16U);
}

TEST_F(EngineTest, AQuestionFindsTheLineAndItsInnermostDefinition) {
  index_.add(shop());
  const auto answer = engine_.search({.query = "how do we wait for a token"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  EXPECT_EQ(answer->hits[0].path, "src/limiter.py");
  EXPECT_EQ(answer->hits[0].line, 5U);
  EXPECT_EQ(answer->hits[0].symbol->name, "acquire");
}

TEST_F(EngineTest, TheCodeThatDoesIsShownBeforeTheCodeThatMentions) {
  index_.add({{"client.py",
               "def get(url, follow_redirects, follow):\n    follow_redirects(redirect)\n\n"
               "def follow_redirect(response):\n    return self.send(response.next_request)\n",
               {{"get"}, {"follow_redirect"}}}});
  const auto answer = engine_.search({.query = "how are redirects followed", .snippet_bytes = 60});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->hits.size(), 1U);
  EXPECT_EQ(answer->hits[0].symbol->name, "follow_redirect");
}

TEST_F(EngineTest, OneHitAFileAndTestsLast) {
  index_.add(shop());
  EXPECT_EQ(paths({.query = "add item to cart", .threshold = 0, .file_extensions = {".py"}}),
            (std::vector<std::string>{"src/cart.py", "tests/test_cart.py"}));
}

TEST_F(EngineTest, FurtherPiecesOfTheBestFilesComeBehindTheFirstThree) {
  const auto function = [](const std::string& name, const std::string& body) {
    std::string text = "def " + name + "(page):\n";
    for (int i = 0; i < 5; ++i) text += "    " + body + " the table of " + name + " pages\n";
    return text;
  };
  std::string fork = function("dup_vma", "move") + "\n" + function("copy_tables", "copy") + "\n" +
                     function("fork_idle", "start");
  index_.add(
      {{"mm/fork.py", fork, {{"dup_vma"}, {"copy_tables"}, {"fork_idle"}}},
       {"mm/page.py", function("page", "count"), {{"page"}}},
       {"mm/table.py", function("show", "print"), {{"show"}}},
       {"net/socket.py", "def open_socket():\n    return 1  # a page\n", {{"open_socket"}}}});
  SearchRequest request{"how does fork copy page tables"};
  request.threshold = 0;
  const SearchAnswer answer = engine_.search(request).value();
  ASSERT_EQ(answer.hits.size(), 6U);
  EXPECT_EQ(answer.matched_files, 4U);
  std::vector<std::string> names;
  for (const SearchHit& hit : answer.hits) names.push_back(hit.symbol->name);
  EXPECT_EQ(names.front(), "copy_tables") << "the best piece of the best file";
  EXPECT_EQ(std::set<std::string>(names.begin(), names.begin() + 3),
            (std::set<std::string>{"copy_tables", "page", "show"}));
  EXPECT_EQ(names[3], "fork_idle");
  EXPECT_EQ(names[4], "dup_vma");
  EXPECT_EQ(names.back(), "open_socket");
  for (std::size_t i = 1; i < answer.hits.size(); ++i) {
    EXPECT_LE(answer.hits[i].score, answer.hits[i - 1].score);
  }
  request.offset = 3;
  request.limit = 2;
  const SearchAnswer page = engine_.search(request).value();
  ASSERT_EQ(page.hits.size(), 2U);
  EXPECT_EQ(page.hits[0].symbol->name, "fork_idle");
  EXPECT_EQ(page.beyond_limit, 1U);
  // A name has one place; a kind asks for files that have it.
  EXPECT_EQ(paths({"dup_vma"}).front(), "mm/fork.py");
  EXPECT_EQ(std::ranges::count(paths({.query = "dup_vma", .threshold = 0}), "mm/fork.py"), 1);
}

// Small functions share a piece: the one that a sentence describes is named.
TEST_F(EngineTest, ASentenceNamesTheFunctionThatItDescribes) {
  const std::string text =
      "def open_gate(gate):\n    gate.lift()\n    return gate\n\n"
      "def shut(door):\n    door.close()\n    door.lock(key)\n    door.check()\n\n"
      "def ring(bell):\n    bell.strike(twice)\n    bell.wait()\n";
  index_.add({{"house.py", text, {{"open_gate"}, {"shut"}, {"ring"}}},
              {"garden.py", "def dig(soil):\n    soil.turn()\n", {{"dig"}}}});
  SearchRequest request{"close and lock a door with its key, then check"};
  request.threshold = 0;
  request.paths = {"house.py"};
  const SearchAnswer answer = engine_.search(request).value();
  ASSERT_FALSE(answer.hits.empty());
  ASSERT_TRUE(answer.hits[0].symbol.has_value());
  EXPECT_EQ(answer.hits[0].symbol->name, "shut");
  EXPECT_EQ(answer.hits[0].snippet_line, 5U);
  EXPECT_LE(answer.hits[0].start_line, 5U);
  EXPECT_GE(answer.hits[0].end_line, 8U);
}

TEST_F(EngineTest, AFilterThatLeavesOneFileShowsAllOfItsPieces) {
  std::string text;
  std::vector<SmallDefinition> definitions;
  for (const char* name : {"copy_a", "copy_b", "copy_c", "copy_d", "copy_e"}) {
    text += std::string(text.empty() ? "" : "\n") + "def " + name + "(page):\n";
    for (int i = 0; i < 5; ++i) text += "    copy the table of some pages to the other one\n";
    definitions.push_back({name});
  }
  index_.add({{"mm/copy.py", text, definitions}, limiter()});
  SearchRequest request{.query = "copy table of pages", .threshold = 0, .paths = {"mm/copy.py"}};
  EXPECT_EQ(paths(request), std::vector<std::string>(5, "mm/copy.py"));
  request.limit = 2;
  EXPECT_EQ(engine_.search(request)->beyond_limit, 3U);
  request.paths = {};
  EXPECT_EQ(paths(request).size(), 2U);
}

TEST_F(EngineTest, ExtensionsAreFilteredBeforeTheLimit) {
  index_.add(shop());
  EXPECT_EQ(paths({.query = "cart", .limit = 1, .threshold = 0, .file_extensions = {"TS"}}),
            (std::vector<std::string>{"src/cart.ts"}));
  EXPECT_TRUE(paths({.query = "cart", .file_extensions = {"rb"}}).empty());
}

TEST_F(EngineTest, TheBestHitSurvivesAnyThreshold) {
  index_.add(shop());
  const auto all = engine_.search({.query = "cart", .threshold = 0});
  const auto best = engine_.search({.query = "cart", .threshold = 1});
  ASSERT_TRUE(all.ok() && best.ok());
  EXPECT_GT(all->hits.size(), 2U);
  ASSERT_EQ(best->hits.size(), 1U);
  EXPECT_EQ(best->hits[0].path, all->hits[0].path);
  EXPECT_EQ(best->below_threshold, all->hits.size() - 1);
  EXPECT_EQ(best->matched_files, all->hits.size());
  const auto one = engine_.search({.query = "cart", .limit = 1, .threshold = 0});
  EXPECT_EQ(one->beyond_limit, all->hits.size() - 1);
  for (std::size_t i = 1; i < all->hits.size(); ++i) {
    EXPECT_LE(all->hits[i].score, all->hits[i - 1].score);
    EXPECT_GE(all->hits[i].score, 0);
    EXPECT_LE(all->hits[i - 1].score, 1);
  }
}

TEST_F(EngineTest, WithoutVectorsItAnswersAndSaysSo) {
  index_.add(shop());
  const auto answer = engine_.search({.query = "cart"});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->degraded);
  EXPECT_FALSE(answer->note.empty());
  EXPECT_FALSE(answer->hits.empty());
}

TEST_F(EngineTest, VectorsOfTheBuiltInModelCount) {
  index_.add(shop(), true);
  const auto answer =
      engine_.search({.query = "throttle requests", .threshold = 0, .explain = true});
  ASSERT_TRUE(answer.ok());
  EXPECT_FALSE(answer->degraded);
  ASSERT_FALSE(answer->hits.empty());
  bool dense = false;
  for (const ScorePart& part : answer->hits[0].why) dense = dense || part.name == "dense_chunks";
  EXPECT_TRUE(dense);
  EXPECT_EQ(answer->hits[0].why.back().name, "prior");
}

TEST_F(EngineTest, AModelOfAWrongDimensionDegradesTheAnswer) {
  index_.add(shop(), true);
  store::Database& database = *index_.workspace().writer().value();
  for (const char* dimension : {"0", "-1", "64", "65537", "9223372036854775807"}) {
    ASSERT_TRUE(
        database.execute(std::string("UPDATE embedding_models SET dimension = ") + dimension).ok());
    SearchEngine engine(index_.workspace());
    const auto answer = engine.search({.query = "cart"});
    ASSERT_TRUE(answer.ok()) << dimension;
    EXPECT_TRUE(answer->degraded) << dimension;
    EXPECT_FALSE(answer->hits.empty()) << dimension;
  }
}

TEST_F(EngineTest, VectorsOfAnotherModelAreNeverUsed) {
  index_.add(shop());
  const auto model =
      index_.writer().put_model({.name = "other-model", .dimension = 2, .code_values = {}}).value();
  const auto id = index_.workspace().reader().value()->find_file("README.md").value()->id;
  const std::vector<store::VectorRow> rows = {{store::chunk_id(id, 0), std::string(2, 'x')}};
  ASSERT_TRUE(index_.writer().put_vectors(model, rows).ok());
  const auto answer = engine_.search({.query = "cart"});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->degraded);
}

TEST_F(EngineTest, AnswersFollowTheStore) {
  index_.add(shop(), true);
  EXPECT_EQ(paths({.query = "RateLimiter"})[0], "src/limiter.py");
  SmallFile moved = limiter();
  moved.content = "class TokenBucket:\n    pass\n";
  moved.definitions = {{"TokenBucket", SymbolType::kClass, "class"}};
  index_.replace(limiter(), moved);
  const auto answer = engine_.search({.query = "TokenBucket"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  EXPECT_EQ(answer->hits[0].symbol->name, "TokenBucket");
  const auto old = engine_.search({.query = "RateLimiter", .threshold = 0});
  for (const SearchHit& hit : old->hits)
    EXPECT_EQ(hit.snippet.find("class RateLimiter"), std::string::npos);
  index_.remove(moved);
  for (const std::string& path : paths({.query = "token bucket", .threshold = 0})) {
    EXPECT_NE(path, "src/limiter.py");
  }
}

TEST_F(EngineTest, SyntaxOfTheFullTextIndexIsPlainText) {
  index_.add(shop());
  for (const char* query :
       {"cart OR", "\"cart", "cart*", "NEAR(cart item)", "text:cart", "-cart", "cart AND NOT item",
        "^cart", "{cart}", "cart)", "'; DROP TABLE files"}) {
    const auto answer = engine_.search({.query = query});
    ASSERT_TRUE(answer.ok()) << query;
    EXPECT_FALSE(answer->hits.empty() && std::string_view(query).find("cart") != std::string::npos)
        << query;
  }
}

TEST_F(EngineTest, AQueryWithoutWordsIsRefused) {
  index_.add(shop());
  for (const char* query : {"", "  ", "?!", "\"\""}) {
    const auto answer = engine_.search({.query = query});
    ASSERT_FALSE(answer.ok()) << query;
    EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST_F(EngineTest, AnEmptyIndexAnswersEmpty) {
  const auto answer = engine_.search({.query = "cart"});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->hits.empty());
  EXPECT_FALSE(answer->degraded);
}

TEST_F(EngineTest, RelatedFilesLeaveTheFileOut) {
  index_.add(shop(), true);
  const auto answer = engine_.find_related({.path = "src/cart.py"});
  ASSERT_TRUE(answer.ok());
  ASSERT_FALSE(answer->hits.empty());
  EXPECT_EQ(answer->hits[0].path, "src/cart.ts");
  for (const SearchHit& hit : answer->hits) EXPECT_NE(hit.path, "src/cart.py");
  const auto unknown = engine_.find_related({.path = "src/nothing.py"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code(), ErrorCode::kNotFound);
  const auto text =
      engine_.find_related({.text = "acquire a token", .exclude_paths = {"README.md"}});
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->hits[0].path, "src/limiter.py");
}

TEST_F(EngineTest, ManyThreadsGetTheSameAnswer) {
  index_.add(shop(), true);
  const auto expected = paths({.query = "cart", .threshold = 0});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10; ++n) EXPECT_EQ(paths({.query = "cart", .threshold = 0}), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(EngineTest, AStopEndsASearchAndSpoilsNoOther) {
  index_.add(shop());
  std::stop_source source;
  source.request_stop();
  const auto is_cancelled = [](const Result<SearchAnswer>& answer) {
    return !answer.ok() && answer.error().code() == ErrorCode::kCancelled;
  };
  {
    const StopScope scope(source.get_token());
    EXPECT_TRUE(is_cancelled(engine_.search({.query = "rate limiter"})));
    EXPECT_TRUE(is_cancelled(engine_.search({.query = "/c.rt/"})));
    EXPECT_TRUE(is_cancelled(engine_.find_related({.path = "src/cart.py"})));
  }
  EXPECT_TRUE(is_cancelled(engine_.search({.query = "rate limiter"}, source.get_token())));
  SearchEngine untouched(index_.workspace());
  const auto wanted = untouched.search({.query = "rate limiter"});
  const auto answer = engine_.search({.query = "rate limiter"});
  ASSERT_TRUE(wanted.ok() && answer.ok());
  EXPECT_EQ(answer->note, wanted->note);
  EXPECT_EQ(answer->hits.size(), wanted->hits.size());
}

}  // namespace
}  // namespace codexmem::search
