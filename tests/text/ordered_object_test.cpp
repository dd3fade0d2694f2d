#include "text/ordered_object.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "support/growth.h"
#include "text/json.h"
#include "support/names_of_one_hash.h"

namespace codexmem {
namespace {

std::string name_of(int i) { return "member " + std::to_string(i); }

Json object_of(int count) {
  Json object = Json::object();
  for (int i = 0; i < count; ++i) object[name_of(i)] = i;
  return object;
}

TEST(OrderedObject, KeepsItsOrderAndFindsEachMember) {
  for (const int count : {0, 1, 16, 17, 33, 1'000}) {
    const Json object = object_of(count);
    int expected = 0;
    for (const auto& [name, value] : object.items()) {
      EXPECT_EQ(name, name_of(expected));
      EXPECT_EQ(value, expected);
      ++expected;
    }
    EXPECT_EQ(expected, count);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(object.contains(name_of(i)));
      EXPECT_EQ(object.at(name_of(i)), i);
    }
    EXPECT_FALSE(object.contains("another"));
    EXPECT_EQ(object.find(name_of(count)), object.end());
  }
}

TEST(OrderedObject, AMemberIsThereOnceAndTheLastOfATextCounts) {
  const Json object = Json::parse(R"({"a":1,"b":2,"a":3})");
  EXPECT_EQ(object.dump(), R"({"a":3,"b":2})");
  Json many = object_of(100);
  many[name_of(50)] = "new";
  EXPECT_EQ(many.size(), 100U);
  EXPECT_EQ(many.at(name_of(50)), "new");
  EXPECT_FALSE(many.emplace(name_of(7), "other").second);
  EXPECT_EQ(many.at(name_of(7)), 7);
}

TEST(OrderedObject, MembersGo) {
  Json object = object_of(100);
  for (int i = 0; i < 100; i += 2) EXPECT_EQ(object.erase(name_of(i)), 1U);
  EXPECT_EQ(object.erase("another"), 0U);
  EXPECT_EQ(object.size(), 50U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(object.contains(name_of(i)), i % 2 == 1);
  object.clear();
  EXPECT_TRUE(object.empty());
  object["a"] = 1;
  EXPECT_EQ(object.dump(), R"({"a":1})");
}

TEST(OrderedObject, CopiesAndMovesAreWhole) {
  const Json object = object_of(50);
  Json copy = object;
  copy["more"] = 1;
  EXPECT_EQ(object.size(), 50U);
  EXPECT_FALSE(object.contains("more"));
  const Json moved = std::move(copy);
  EXPECT_EQ(moved.at("more"), 1);
  EXPECT_EQ(moved.at(name_of(49)), 49);
  EXPECT_NE(moved, object);
  EXPECT_EQ(object, object_of(50));
  Json updated = object_of(20);
  updated.update(object);
  EXPECT_EQ(updated, object);
}

TEST(OrderedObject, ALargeOneTakesNoQuadraticTime) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"" + name_of(i) + "\":0,";
  text.back() = '}';
  const auto begun = testing::ProcessorClock::now();
  const Json object = Json::parse(text);
  const Json copy = object;
  EXPECT_EQ(object.size(), 200'000U);
  EXPECT_TRUE(copy.contains(name_of(199'999)));
  // The library's own takes five minutes; this a tenth of a second.
  EXPECT_LT(testing::ProcessorClock::now() - begun, std::chrono::seconds(20 * CODEXMEM_SLOWNESS));
}

TEST(OrderedObject, NamesThatWereMadeToCollideTakeNoQuadraticTime) {
  const auto begun = testing::ProcessorClock::now();
  Json object = Json::object();
  for (int i = 0; i < 200'000; ++i) object[testing::name_of_one_hash(i)] = i;
  EXPECT_EQ(object.size(), 200'000U);
  // Under std::hash minutes.
  EXPECT_LT(testing::ProcessorClock::now() - begun, std::chrono::seconds(20 * CODEXMEM_SLOWNESS));
}

}  // namespace
}  // namespace codexmem
