#include "observe/events.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace codexmem::observe {
namespace {

using std::chrono::milliseconds;

memory::Clock clock_at(std::int64_t now_ms) {
  return [now_ms] { return now_ms; };
}

TEST(EventHub, TellsWhatCameAfter) {
  EventHub hub(clock_at(1'000));
  hub.publish("queue.depth", R"({"pending":1})");
  const std::uint64_t first = hub.newest_id();
  hub.publish("session.status", R"({"status":"active"})");
  const auto news = hub.await_after(first, milliseconds(0));
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].type, "session.status");
  EXPECT_EQ(news[0].data, R"({"status":"active","type":"session.status","at":1000})");
  EXPECT_EQ(news[0].text(), "id: " + std::to_string(news[0].id) +
                                "\nevent: session.status\ndata: " + news[0].data + "\n\n");
  EXPECT_TRUE(hub.await_after(news[0].id, milliseconds(0)).empty());
}

TEST(EventHub, KeepsTheLastThousandAndTheNewestOfEachType) {
  EventHub hub(clock_at(1));
  hub.publish("queue.depth", R"({"pending":7})");
  for (std::size_t i = 0; i < kKeptEvents; ++i) hub.publish("model.result", "{}");
  const auto all = hub.await_after(0, milliseconds(0));
  EXPECT_EQ(all.size(), kKeptEvents);
  EXPECT_EQ(all.front().type, "model.result");
  EXPECT_NE(hub.newest("queue.depth")->data.find(R"("pending":7)"), std::string::npos);
  EXPECT_FALSE(hub.newest("queue.failed").has_value());
}

TEST(EventHub, IdsOfALaterRunAreGreater) {
  EventHub before(clock_at(1'000)), after(clock_at(2'000));
  for (int i = 0; i < 500; ++i) before.publish("model.result", "{}");
  after.publish("model.result", "{}");
  EXPECT_GT(after.newest_id(), before.newest_id());
  EXPECT_EQ(after.await_after(before.newest_id(), milliseconds(0)).size(), 1U);
}

TEST(EventHub, WakesWhoWaits) {
  EventHub hub(clock_at(1));
  std::size_t heard = 0;
  std::jthread listener([&] { heard = hub.await_after(0, std::chrono::minutes(1)).size(); });
  hub.publish("queue.depth", "{}");
  listener.join();
  EXPECT_EQ(heard, 1U);
}

TEST(EventHub, ClosingEndsAllWaiting) {
  EventHub hub(clock_at(1));
  std::jthread listener([&] { EXPECT_TRUE(hub.await_after(0, std::chrono::minutes(1)).empty()); });
  hub.close();
  listener.join();
  EXPECT_TRUE(hub.is_closed());
}

}  // namespace
}  // namespace codexmem::observe
