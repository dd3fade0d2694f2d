#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "search/search.h"
#include "search/small_index.h"

namespace codexmem::search {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<SmallFile> bigger_shop() {
  return {
      {"shop/cart.py",
       "def add_item(cart, item):\n    if cart.is_full():\n"
       "        raise CartError(\"the cart is full\")\n    cart.items.append(item)\n\n"
       "def remove_item(cart, item):\n    cart.items.remove(item)\n\n"
       "def total(cart):\n    return sum(item.price for item in cart.items)\n",
       {{"add_item"}, {"remove_item"}, {"total"}}},
      {"shop/invoice.py",
       "def print_invoice(order):\n    for line in order.lines:\n        print(line.price)\n\n"
       "def round_price(price):\n    return round(price, 2)\n",
       {{"print_invoice"}, {"round_price"}}},
      {"shop/user.py", "def log_in(user):\n    return user.password\n", {{"log_in"}}},
      {"tests/test_cart.py", "def test_total():\n    assert total(cart) == 3\n", {{"test_total"}}}};
}

class LocateTest : public ::testing::Test {
 protected:
  LocateTest() { index_.add(bigger_shop()); }

  LocateAnswer locate(const LocateRequest& request) {
    auto answer = engine_.locate(request, {});
    EXPECT_TRUE(answer.ok());
    return answer.ok() ? *std::move(answer) : LocateAnswer();
  }
  std::vector<std::string> names(const LocateRequest& request) {
    std::vector<std::string> all;
    for (const LocatedFunction& each : locate(request).functions) all.push_back(each.name);
    return all;
  }

  SmallIndex index_;
  SearchEngine engine_{index_.workspace()};
};

TEST_F(LocateTest, WordsLeadToTheFunction) {
  EXPECT_EQ(names({.text = "The sum of the items in a cart is wrong"}).front(), "total");
  EXPECT_EQ(names({.text = "Prices are not rounded"}).front(), "round_price");
}

TEST_F(LocateTest, AFrameLeadsToItsFunction) {
  const LocateAnswer answer =
      locate({.text = "Something fails\n"
                      "Traceback (most recent call last):\n"
                      "  File \"/srv/shop/invoice.py\", line 3, in print_invoice\n"
                      "    print(line.price)\n"
                      "AttributeError: price\n"});
  ASSERT_FALSE(answer.functions.empty());
  EXPECT_EQ(answer.functions.front().name, "print_invoice");
  EXPECT_THAT(answer.functions.front().reasons, Contains("frame invoice.py:3"));
  EXPECT_THAT(answer.functions.front().code, HasSubstr("order.lines"));
}

TEST_F(LocateTest, ATracebackAloneLeadsToItsDeepestFunction) {
  for (const char* text : {"Traceback (most recent call last):\n"
                           "  File \"/srv/shop/invoice.py\", line 3, in print_invoice\n"
                           "ValueError: the sum of the items in a cart is wrong\n",
                           "invoice.py:3"}) {
    const LocateAnswer answer = locate({.text = text});
    ASSERT_FALSE(answer.functions.empty()) << text;
    EXPECT_EQ(answer.functions.front().name, "print_invoice") << text;
  }
}

TEST_F(LocateTest, AQuotedMessageLeadsToItsFunction) {
  const LocateAnswer answer = locate({.text = "Users see \"the cart is full\" too early"});
  ASSERT_FALSE(answer.functions.empty());
  EXPECT_EQ(answer.functions.front().name, "add_item");
  EXPECT_THAT(answer.functions.front().reasons, Contains("says \"the cart is full\""));
}

TEST_F(LocateTest, WhatBothWriteLeadsToTheFunction) {
  const LocateAnswer answer =
      locate({.text = "The price of an item is printed wrongly: `line.price`"});
  ASSERT_FALSE(answer.functions.empty());
  EXPECT_EQ(answer.functions.front().name, "print_invoice");
  EXPECT_THAT(answer.functions.front().reasons, Contains("has \"line.price\""));
}

TEST_F(LocateTest, ANameInTheTextLeadsToItsFunction) {
  EXPECT_EQ(names({.text = "A click does nothing\n\n`log_in` is never called."}).front(), "log_in");
}

TEST_F(LocateTest, TestsAreShownOnRequest) {
  const std::string text = "test_total fails: the total is wrong";
  EXPECT_THAT(names({.text = text}), Not(Contains("test_total")));
  EXPECT_THAT(names({.text = text, .tests = TestFiles::kInclude}), Contains("test_total"));
  EXPECT_THAT(names({.text = text, .tests = TestFiles::kOnly}),
              ::testing::ElementsAre("test_total"));
}

TEST_F(LocateTest, PathsAndTheLimitAreRespected) {
  for (const LocatedFunction& each :
       locate({.text = "price of an item", .paths = {"shop/invoice.py"}}).functions) {
    EXPECT_EQ(each.path, "shop/invoice.py");
  }
  const LocateAnswer one = locate({.text = "price of an item", .limit = 1});
  EXPECT_EQ(one.functions.size(), 1U);
  EXPECT_GT(one.beyond_limit, 0U);
}

TEST_F(LocateTest, OfALongFunctionTheLinesThatMatchAreShown) {
  std::string text = "def settle(order):\n";
  for (int i = 0; i < 100; ++i) text += "    order.step(" + std::to_string(i) + ")\n";
  text += "    refund(order.voucher)\n";
  for (int i = 0; i < 100; ++i) text += "    order.close(" + std::to_string(i) + ")\n";
  index_.add({{"shop/order.py", text, {{"settle"}}}});
  const LocateAnswer answer = locate({.text = "The voucher is not refunded"});
  ASSERT_FALSE(answer.functions.empty());
  const LocatedFunction& first = answer.functions.front();
  EXPECT_EQ(first.name, "settle");
  EXPECT_TRUE(first.is_code_cut);
  EXPECT_THAT(first.code, HasSubstr("    refund(order.voucher)\n"));
  const auto before = static_cast<std::uint32_t>(
      std::ranges::count(first.code.substr(0, first.code.find("refund")), '\n'));
  EXPECT_EQ(first.code_line + before, 102U);
}

TEST_F(LocateTest, ATextWithoutAWordIsRefused) {
  const auto refused = engine_.locate({.text = "?! ..."}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace codexmem::search
