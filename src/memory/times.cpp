// Tested by memory/times_test.cpp.
#include "memory/times.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/text.h"

namespace codexmem::memory {
namespace {

constexpr double kFirstMilliseconds = 1e11;  // the year 5138 in seconds, 1973 in milliseconds
constexpr std::int64_t kLastMs = 253'402'300'799'999;  // the year 9999
constexpr std::int64_t kDayMs = 86'400'000;

// Reads from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool skip(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `digits` digits.
  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  // The digits of a fraction, as thousandths.
  std::optional<int> thousandths() {
    int value = 0, digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; ++digits) {
      if (digits < 3) value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    if (digits == 0) return std::nullopt;
    for (; digits < 3; ++digits) value *= 10;
    return value;
  }

 private:
  std::string_view rest_;
};

// Minutes east of UTC; 0 where none are given.
std::optional<int> read_offset(Reader& reader) {
  if (reader.at_end() || reader.skip('Z') || reader.skip('z')) return 0;
  const bool is_west = reader.skip('-');
  if (!is_west && !reader.skip('+')) return std::nullopt;
  const auto hours = reader.number(2);
  reader.skip(':');
  const auto minutes = reader.at_end() ? std::optional<int>(0) : reader.number(2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  return (is_west ? -1 : 1) * (*hours * 60 + *minutes);
}

std::optional<std::int64_t> read_iso(std::string_view text, bool is_end) {
  Reader reader(text);
  const auto year = reader.number(4);
  if (!year || !reader.skip('-')) return std::nullopt;
  const auto month = reader.number(2);
  if (!month || !reader.skip('-')) return std::nullopt;
  const auto day = reader.number(2);
  if (!day) return std::nullopt;
  const auto date = std::chrono::year(*year) / *month / *day;
  if (!date.ok()) return std::nullopt;
  const std::int64_t midnight =
      std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * kDayMs;
  if (reader.at_end()) return is_end ? midnight + kDayMs - 1 : midnight;
  if (!reader.skip('T') && !reader.skip('t') && !reader.skip(' ')) return std::nullopt;
  const auto hour = reader.number(2);
  if (!hour || !reader.skip(':')) return std::nullopt;
  const auto minute = reader.number(2);
  std::optional<int> second = 0, fraction = 0;
  if (reader.skip(':')) {
    second = reader.number(2);
    if (reader.skip('.')) fraction = reader.thousandths();
  }
  const auto offset = read_offset(reader);
  if (!minute || !second || !fraction || !offset || !reader.at_end()) return std::nullopt;
  if (*hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  return midnight + ((*hour * 60LL + *minute - *offset) * 60 + *second) * 1000 + *fraction;
}

std::tm local(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return parts;
}

}  // namespace

std::optional<std::int64_t> read_epoch(double number) {
  if (!(number >= 0)) return std::nullopt;
  const double ms = number < kFirstMilliseconds ? number * 1000 : number;
  if (ms > static_cast<double>(kLastMs)) return std::nullopt;
  return std::llround(ms);
}

std::optional<std::int64_t> read_time(std::string_view text, bool is_end) {
  const std::string_view given = trim(text);
  double number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error == std::errc() && end == given.data() + given.size()) return read_epoch(number);
  return read_iso(given, is_end);
}

std::string iso_time(std::int64_t ms) {
  namespace chrono = std::chrono;
  const std::int64_t days = (ms >= 0 ? ms : ms - kDayMs + 1) / kDayMs;
  const std::int64_t rest = ms - days * kDayMs;
  const chrono::year_month_day date{chrono::sys_days(chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     rest / 3'600'000, rest / 60'000 % 60, rest / 1000 % 60, rest % 1000);
}

std::string day_text(std::int64_t ms) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::tm parts = local(ms);
  return fmt::format("{} {}, {}", kMonths[parts.tm_mon], parts.tm_mday, parts.tm_year + 1900);
}

std::string clock_text(std::int64_t ms) {
  const std::tm parts = local(ms);
  const int hour = parts.tm_hour % 12 == 0 ? 12 : parts.tm_hour % 12;
  return fmt::format("{}:{:02} {}", hour, parts.tm_min, parts.tm_hour < 12 ? "AM" : "PM");
}

}  // namespace codexmem::memory
