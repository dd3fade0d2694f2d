#include "memory/times.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace codexmem::memory {
namespace {

struct Case {
  const char* text;
  std::optional<std::int64_t> begin, end;
};

TEST(Times, AreReadFromEpochsAndIsoTexts) {
  constexpr std::int64_t kDay = 1'767'312'000'000;  // 2026-01-02
  const Case cases[] = {
      {"1767312000", kDay, kDay},
      {"1767312000000", kDay, kDay},
      {"1767312000.5", kDay + 500, kDay + 500},
      {"2026-01-02", kDay, kDay + 86'399'999},
      {" 2026-01-02 ", kDay, kDay + 86'399'999},
      {"2026-01-02T03:12:00Z", kDay + 11'520'000, kDay + 11'520'000},
      {"2026-01-02T03:12", kDay + 11'520'000, kDay + 11'520'000},
      {"2026-01-02 03:12:00.25", kDay + 11'520'250, kDay + 11'520'250},
      {"2026-01-02T03:12:00.123456Z", kDay + 11'520'123, kDay + 11'520'123},
      {"2026-01-02T05:12:00+02:00", kDay + 11'520'000, kDay + 11'520'000},
      {"2026-01-01T22:12:00-0500", kDay + 11'520'000, kDay + 11'520'000},
      {"2026-02-30", {}, {}},
      {"2026-1-2", {}, {}},
      {"2026-01-02T", {}, {}},
      {"2026-01-02T25:00", {}, {}},
      {"2026-01-02x", {}, {}},
      {"yesterday", {}, {}},
      {"-5", {}, {}},
      {"1e30", {}, {}},
      {"nan", {}, {}},
      {"", {}, {}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(read_time(each.text), each.begin) << each.text;
    EXPECT_EQ(read_time(each.text, true), each.end) << each.text;
  }
}

TEST(Times, OfTheShellAreLocalAndMayBeRelative) {
  ::setenv("TZ", "Europe/Berlin", 1);
  ::tzset();
  constexpr std::int64_t kHour = 3'600'000, kDay = 24 * kHour;
  constexpr std::int64_t kMidnight = 1'767'308'400'000;         // Friday, 2026-01-02 in Berlin
  constexpr std::int64_t kNow = kMidnight + 4 * kHour + 5'000;  // 3:00:05 UTC
  const Case cases[] = {
      {"2026-01-02", kMidnight, kMidnight + kDay - 1},
      {"2026-01-02T04:00", kMidnight + 4 * kHour, kMidnight + 4 * kHour},
      {"2026-01-02T03:00Z", kMidnight + 4 * kHour, kMidnight + 4 * kHour},
      {"2026-01-02T05:00+02:00", kMidnight + 4 * kHour, kMidnight + 4 * kHour},
      {"2026-03-29", 1'774'738'800'000, 1'774'738'800'000 + 23 * kHour - 1},  // summer time begins
      {"1767312000", 1'767'312'000'000, 1'767'312'000'000},
      {"now", kNow, kNow},
      {"today", kMidnight, kMidnight + kDay - 1},
      {" Yesterday ", kMidnight - kDay, kMidnight - 1},
      {"friday", kMidnight, kMidnight + kDay - 1},
      {"thu", kMidnight - kDay, kMidnight - 1},
      {"saturday", kMidnight - 6 * kDay, kMidnight - 5 * kDay - 1},
      {"7d", kNow - 7 * kDay, kNow - 7 * kDay},
      {"30m", kNow - kHour / 2, kNow - kHour / 2},
      {"12H", kNow - 12 * kHour, kNow - 12 * kHour},
      {"2w", kNow - 14 * kDay, kNow - 14 * kDay},
      {"tomorrow", {}, {}},
      {"-3d", {}, {}},
      {"d", {}, {}},
      {"7 days", {}, {}},
      {"2026-02-30", {}, {}},
      {"", {}, {}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(read_local_time(each.text, kNow), each.begin) << each.text;
    EXPECT_EQ(read_local_time(each.text, kNow, true), each.end) << each.text;
  }
}

TEST(Times, AreWrittenInUtcAndForPeopleInTheirZone) {
  constexpr std::int64_t kTime = 1'767'312'000'000 + 11'520'045;
  EXPECT_EQ(iso_time(kTime), "2026-01-02T03:12:00.045Z");
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(day_text(kTime), "Jan 2, 2026");
  EXPECT_EQ(clock_text(kTime), "3:12 AM");
  EXPECT_EQ(clock_text(kTime - 3 * 3'600'000), "12:12 AM");
  EXPECT_EQ(clock_text(kTime + 9 * 3'600'000), "12:12 PM");
}

}  // namespace
}  // namespace codexmem::memory
