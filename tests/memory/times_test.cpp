#include "memory/times.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace codexmem::memory {
namespace {

struct Case {
  const char* text;
  std::optional<std::int64_t> begin, end;
};

// The machine's time zone, until the end of its scope.
class InZone {
 public:
  explicit InZone(const char* name) {
    if (const char* const value = std::getenv("TZ")) before_ = value;
    set(name);
  }
  ~InZone() { set(before_ ? before_->c_str() : nullptr); }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  static void set(const char* name) {
    name == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", name, 1);
    ::tzset();
  }
  std::optional<std::string> before_;
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
  const InZone zone("UTC");
  for (const Case& each : cases) {
    EXPECT_EQ(read_time(each.text), each.begin) << each.text;
    EXPECT_EQ(read_filter_time(each.text), each.begin) << each.text;
    EXPECT_EQ(read_filter_time(each.text, true), each.end) << each.text;
  }
}

TEST(Times, OfRecordsAreUtcAndOfFiltersLocal) {
  const InZone zone("America/New_York");
  constexpr std::int64_t kHour = 3'600'000, kDay = 24 * kHour;
  constexpr std::int64_t kBegin = 1'767'225'600'000 + 5 * kHour;  // 2026-01-01 in New York
  EXPECT_EQ(read_time("2026-01-01"), kBegin - 5 * kHour);
  EXPECT_EQ(read_time("2026-01-01 22:20"), kBegin - 5 * kHour + 22 * kHour + kHour / 3);
  const Case cases[] = {
      {"2026-01-01", kBegin, kBegin + kDay - 1},
      {"2026-01-01T22:20", kBegin + 22 * kHour + kHour / 3, kBegin + 22 * kHour + kHour / 3},
      {"2026-01-01T22:20Z", kBegin + 17 * kHour + kHour / 3, kBegin + 17 * kHour + kHour / 3},
      {"1767243600", kBegin, kBegin},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(read_filter_time(each.text), each.begin) << each.text;
    EXPECT_EQ(read_filter_time(each.text, true), each.end) << each.text;
  }
  EXPECT_EQ(date_text(kBegin), "2026-01-01");
  EXPECT_EQ(date_text(kBegin - 1), "2025-12-31");
  EXPECT_EQ(date_text(-1), "1969-12-31");
}

// Every moment is of one day, and is shown as of that day, whatever was asked before.
TEST(Times, DaysFollowOneAnotherWhereClocksAreChanged) {
  constexpr std::int64_t kHour = 3'600;
  // Days in the past, because governments may change future ones.
  const struct {
    const char *zone, *day;
    std::int64_t begin;  // seconds
    std::int64_t hours;
  } cases[] = {
      {"America/New_York", "2024-03-10", 1'710'046'800, 23},
      {"America/New_York", "2024-11-03", 1'730'606'400, 25},
      {"America/Havana", "2024-11-03", 1'730'606'400, 25},  // midnight comes twice
      {"America/Havana", "2024-03-10", 1'710'046'800, 23},  // midnight does not come
      {"America/Sao_Paulo", "2018-11-04", 1'541'300'400, 23},
      {"Australia/Lord_Howe", "2024-04-07", 1'712'408'400, 0},  // by half an hour
      {"Pacific/Apia", "2011-12-30", 1'325'239'200, 0},         // there was no such day
      {"No/Such_Zone", "2026-01-01", 1'767'225'600, 24},        // UTC, as it is shown
  };
  for (const auto& each : cases) {
    const InZone zone(each.zone);
    for (const char* earlier : {"1950-07-01", "2018-01-15", "2026-07-01", "2026-12-01"}) {
      EXPECT_TRUE(read_filter_time(earlier));
      std::tm parts{};  // what mktime() takes for its next answer
      parts.tm_year = (earlier[2] - '0') * 10 + (earlier[3] - '0') + (earlier[0] == '2' ? 100 : 0);
      parts.tm_mday = 15;
      parts.tm_isdst = -1;
      EXPECT_NE(std::mktime(&parts), -1);
      const auto begin = read_filter_time(each.day), end = read_filter_time(each.day, true);
      EXPECT_EQ(begin, each.begin * 1000) << each.zone << " " << each.day;
      if (each.hours > 0) {
        EXPECT_EQ(*end - *begin + 1, each.hours * kHour * 1000) << each.zone << " " << each.day;
        EXPECT_EQ(date_text(*begin), each.day);
        EXPECT_EQ(date_text(*end), each.day);
        EXPECT_NE(date_text(*end + 1), each.day);
      }
      EXPECT_NE(date_text(*begin - 1), each.day);
    }
  }
}

TEST(Times, OfTheShellAreLocalAndMayBeRelative) {
  const InZone zone("Europe/Berlin");
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
  const InZone zone("UTC");
  EXPECT_EQ(day_text(kTime), "Jan 2, 2026");
  EXPECT_EQ(clock_text(kTime), "3:12 AM");
  EXPECT_EQ(clock_text(kTime - 3 * 3'600'000), "12:12 AM");
  EXPECT_EQ(clock_text(kTime + 9 * 3'600'000), "12:12 PM");
}

}  // namespace
}  // namespace codexmem::memory
