#include "search/united_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/stop_scope.h"
#include "search/small_index.h"

namespace codexmem::search {
namespace {

// Answers with hits of the given probabilities, each page as an engine gives it.
class FakeSearch : public CodeSearch {
 public:
  explicit FakeSearch(std::vector<double> probabilities) : all_(std::move(probabilities)) {}

  using CodeSearch::search;
  Result<SearchAnswer> search(const SearchRequest& request, const std::stop_token&) override {
    if (!trouble.empty()) return Error{code, trouble};
    SearchAnswer answer;
    const std::size_t begin = std::min(request.offset, all_.size());
    std::size_t end = std::min(all_.size(), begin + std::min<std::size_t>(request.limit, 50));
    if (request.choose && begin < end) {
      std::vector<HitRank> ranks;
      for (std::size_t i = begin; i < end; ++i) ranks.push_back({all_[i], score, false});
      end = begin + std::clamp<std::size_t>(request.choose(ranks), 1, ranks.size());
    }
    if (fails_late) return Error{ErrorCode::kIo, "broken"};
    if (is_stopped()) return Error{ErrorCode::kCancelled, "stopped"};
    made += end - begin;
    for (std::size_t i = begin; i < end; ++i) {
      SearchHit hit;
      hit.path = "f" + std::to_string(i);
      hit.probability = all_[i];
      hit.score = score;
      answer.hits.push_back(hit);
    }
    answer.matched_files = all_.size();
    answer.beyond_limit = all_.size() - end;
    answer.is_weak = note == kNothingMatchedWell;
    answer.note = note;
    return answer;
  }
  Result<SearchAnswer> find_related(const RelatedRequest& request) override {
    related = request;
    return search({.limit = request.limit});
  }

  Result<LocateAnswer> locate(const LocateRequest&, const std::stop_token&) override {
    if (!trouble.empty()) return Error{code, trouble};
    LocateAnswer answer;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      LocatedFunction function;
      function.path = "f" + std::to_string(i);
      function.probability = all_[i];
      function.code = "code";
      answer.functions.push_back(std::move(function));
    }
    answer.note = note;
    return answer;
  }

  double score = 0.9;
  bool fails_late = false;  // after it has chosen
  std::size_t made = 0;     // hits
  std::string note, trouble;
  ErrorCode code = ErrorCode::kInvalidArgument;
  RelatedRequest related;

 private:
  std::vector<double> all_;
};

std::vector<std::string> paths_of(const SearchAnswer& answer) {
  std::vector<std::string> paths;
  for (const SearchHit& hit : answer.hits) paths.push_back(hit.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(UnitedSearch, TheLikelierComeFirst) {
  FakeSearch a({0.9, 0.5, 0.1}), b({0.8, 0.6});
  UnitedSearch all({{"a", &a}, {"b", &b}});
  const auto answer = all.search({.query = "x", .limit = 4});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(paths_of(*answer), (Paths{"a:/f0", "b:/f0", "b:/f1", "a:/f1"}));
  EXPECT_EQ(answer->beyond_limit, 1U);
  EXPECT_EQ(answer->matched_files, 5U);
  const auto rest = all.search({.query = "x", .limit = 4, .offset = 4});
  EXPECT_EQ(paths_of(*rest), Paths{"a:/f2"});
  EXPECT_EQ(rest->beyond_limit, 0U);
}

TEST(UnitedSearch, PagesTogetherAreTheWholeList) {
  std::vector<double> many, more;
  for (int i = 0; i < 130; ++i) many.push_back(1 - i / 200.0);
  for (int i = 0; i < 70; ++i) more.push_back(1 - i / 100.0);
  FakeSearch a(many), b(more);
  UnitedSearch all({{"a", &a}, {"b", &b}});
  Paths pages;
  for (std::size_t offset = 0; offset < 200; offset += 40) {
    const auto page = all.search({.query = "x", .limit = 40, .offset = offset});
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(page->hits.size() + page->beyond_limit, 200 - offset);
    for (const std::string& path : paths_of(*page)) pages.push_back(path);
  }
  EXPECT_EQ(pages.size(), 200U);
  std::ranges::sort(pages);
  EXPECT_EQ(std::ranges::adjacent_find(pages), pages.end());
}

TEST(UnitedSearch, WhatCannotBeAmongTheFirstIsNotMade) {
  std::vector<double> low, high;
  for (int i = 0; i < 20; ++i) low.push_back(0.4 - i / 100.0);
  for (int i = 0; i < 20; ++i) high.push_back(0.9 - i / 100.0);
  FakeSearch a(high), b(low), c(high);
  UnitedSearch all({{"a", &a}, {"b", &b}, {"c", &c}});
  const auto answer = all.search({.query = "x", .limit = 10});
  ASSERT_EQ(answer->hits.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {  // of equal ones the first member's
    EXPECT_EQ(answer->hits[i].path, (i % 2 == 0 ? "a:/f" : "c:/f") + std::to_string(i / 2));
  }
  EXPECT_EQ(answer->beyond_limit, 50U);
  EXPECT_LE(a.made + b.made + c.made, 30U);
  EXPECT_GE(a.made + c.made, 10U);
}

TEST(UnitedSearch, EachMemberIsAskedOnceWhicheverThreadDoesIt) {
  std::vector<std::unique_ptr<FakeSearch>> members;
  std::vector<UnitedSearch::Member> named;
  for (int i = 0; i < 40; ++i) {
    members.push_back(std::make_unique<FakeSearch>(std::vector<double>{1 - i / 100.0}));
    named.push_back({"m" + std::to_string(i), members.back().get()});
  }
  UnitedSearch all(named);
  for (int round = 0; round < 50; ++round) {
    const auto answer = all.search({.query = "x", .limit = 40});
    ASSERT_EQ(answer->hits.size(), 40U);
    for (int i = 0; i < 40; ++i) {
      EXPECT_EQ(answer->hits[static_cast<std::size_t>(i)].path, "m" + std::to_string(i) + ":/f0");
    }
  }
  for (const auto& member : members) EXPECT_EQ(member->made, 50U);
}

TEST(UnitedSearch, OnlyTheBestOfAllIsThereWhateverItsScore) {
  FakeSearch a({0.2}), b({0.1});
  a.score = 0.3;
  b.score = 0.2;
  a.note = b.note = kNothingMatchedWell;
  UnitedSearch all({{"a", &a}, {"b", &b}});
  const auto answer = all.search({.query = "x"});
  EXPECT_EQ(paths_of(*answer), Paths{"a:/f0"});
  EXPECT_EQ(answer->below_threshold, 1U);
  EXPECT_TRUE(answer->is_weak);
  EXPECT_EQ(answer->note, kNothingMatchedWell);
  // One that has it says nothing of the other, which has not.
  a.score = 0.9;
  a.note.clear();
  const auto strong = all.search({.query = "x"});
  EXPECT_EQ(paths_of(*strong), Paths{"a:/f0"});
  EXPECT_FALSE(strong->is_weak);
  EXPECT_EQ(strong->note, "");
}

TEST(UnitedSearch, WhatOneRefusesTheOthersAnswer) {
  FakeSearch a({0.9}), b({0.8});
  a.trouble = "no such language";
  UnitedSearch all({{"a", &a}, {"b", &b}});
  EXPECT_EQ(paths_of(*all.search({.query = "x"})), Paths{"b:/f0"});
  b.trouble = "no such language";
  EXPECT_EQ(all.search({.query = "x"}).error().code(), ErrorCode::kInvalidArgument);
  b.code = ErrorCode::kIo;
  EXPECT_EQ(all.search({.query = "x"}).error().code(), ErrorCode::kIo);
  a.trouble.clear();
  const auto answer = all.search({.query = "x"});
  EXPECT_EQ(paths_of(*answer), Paths{"a:/f0"});
  EXPECT_EQ(answer->note, "b: not searched: no such language");
  EXPECT_TRUE(answer->degraded);
}

TEST(UnitedSearch, WhatFailsTakesNoHitsOfOthersAlong) {
  std::vector<double> low, high;
  for (int i = 0; i < 20; ++i) low.push_back(0.4 - i / 100.0);
  for (int i = 0; i < 20; ++i) high.push_back(0.9 - i / 100.0);
  for (int round = 0; round < 50; ++round) {  // either may come first
    FakeSearch a(high), b(low);
    a.fails_late = true;
    UnitedSearch all({{"a", &a}, {"b", &b}});
    const auto answer = all.search({.query = "x", .limit = 10});
    ASSERT_TRUE(answer.ok());
    ASSERT_EQ(answer->hits.size(), 10U);
    EXPECT_EQ(answer->hits.back().path, "b:/f9");
    EXPECT_EQ(answer->beyond_limit, 10U);
    EXPECT_EQ(answer->note, "a: not searched: broken");
  }
}

TEST(UnitedSearch, LikenessIsCancelledOnEachThread) {
  std::vector<std::unique_ptr<FakeSearch>> members;
  std::vector<UnitedSearch::Member> named;
  for (int i = 0; i < 20; ++i) {
    members.push_back(std::make_unique<FakeSearch>(std::vector<double>{0.5}));
    named.push_back({"m" + std::to_string(i), members.back().get()});
  }
  UnitedSearch all(named);
  std::stop_source source;
  EXPECT_EQ(all.find_related({.text = "x"}, source.get_token())->hits.size(), 5U);
  source.request_stop();
  for (const auto& member : members) member->made = 0;
  EXPECT_EQ(all.find_related({.text = "x"}, source.get_token()).error().code(),
            ErrorCode::kCancelled);
  for (const auto& member : members) EXPECT_EQ(member->made, 0U);
}

TEST(UnitedSearch, LikenessToAFileIsLookedForInItsRepository) {
  FakeSearch a({0}), b({0});
  UnitedSearch all({{"a", &a}, {"b", &b}});
  const auto of_file = all.find_related({.path = "b:/src/x.ts"});
  EXPECT_EQ(paths_of(*of_file), Paths{"b:/f0"});
  EXPECT_EQ(b.related.path, "src/x.ts");
  const auto of_text = all.find_related({.text = "x", .exclude_paths = {"a:/f0", "b:/g"}});
  EXPECT_EQ(of_text->hits.size(), 2U);
  EXPECT_EQ(a.related.exclude_paths, Paths{"f0"});
}

TEST(UnitedSearch, LocatedFunctionsAreMergedByProbability) {
  FakeSearch a({0.9, 0.5, 0.1}), b({0.8, 0.6});
  b.note = "b's note";
  UnitedSearch all({{"a", &a}, {"b", &b}});
  const auto answer = all.locate({.text = "x", .limit = 4}, {});
  ASSERT_TRUE(answer.ok());
  Paths paths;
  for (const LocatedFunction& each : answer->functions) paths.push_back(each.path);
  EXPECT_EQ(paths, (Paths{"a:/f0", "b:/f0", "b:/f1", "a:/f1"}));
  EXPECT_EQ(answer->beyond_limit, 1U);
  EXPECT_EQ(answer->functions[0].code, "code");
  EXPECT_EQ(answer->functions[1].code, "");  // only the first has it
  EXPECT_EQ(answer->note, "b: b's note");
}

TEST(UnitedSearch, EnginesAreMerged) {
  SmallIndex first, second;
  first.add({{"src/cart.py", "def add_item(cart):\n    cart.append(1)\n", {{"add_item"}}}});
  second.add({{"src/limiter.py",
               "class RateLimiter:\n    def acquire(self):\n        wait for a token\n",
               {{"RateLimiter", SymbolType::kClass, "class"}}},
              {"README.md", "A cart.\n", {}, "markdown"}});
  SearchEngine a(first.workspace()), b(second.workspace());
  UnitedSearch all({{"shop", &a}, {"net", &b}});
  EXPECT_EQ(all.search({.query = "rate limiter"})->hits.front().path, "net:/src/limiter.py");
  EXPECT_EQ(all.search({.query = "add item to cart"})->hits.front().path, "shop:/src/cart.py");
  const auto exact = all.search({.query = "/cart/"});
  EXPECT_EQ(exact->hits.size(), 2U);
}

}  // namespace
}  // namespace codexmem::search
