// Tested by memory/times_test.cpp.
#include "memory/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/text.h"

namespace codexmem::memory {
namespace {

constexpr double kFirstMilliseconds = 1e11;  // the year 5138 in seconds, 1973 in milliseconds
constexpr std::int64_t kLastTimeMs = 253'402'300'799'999;  // the year 9999
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

enum class Zone { kUtc, kLocal };

std::tm local(std::int64_t ms) {
  const std::time_t seconds = ms / 1000 - (ms % 1000 < 0 ? 1 : 0);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return parts;
}

// The first moment at which local clocks show `shown` seconds since 1970 or later. Where clocks are
// put back it is the earlier of two, where they are put forward that of the change: mktime() takes
// either of two, by what it was asked before.
std::int64_t local_seconds(std::int64_t shown) {
  const auto offset = [](std::int64_t seconds) {
    return static_cast<std::int64_t>(local(seconds * 1000).tm_gmtoff);
  };
  const std::int64_t day = kDayMs / 1000;
  const std::int64_t before = offset(shown - day), after = offset(shown + day);
  std::int64_t first = shown - std::max(before, after), last = shown - std::min(before, after);
  while (first < last) {
    const std::int64_t middle = first + (last - first) / 2;
    if (middle + offset(middle) >= shown) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

// The moment at which clocks of the zone show this.
std::int64_t moment(std::chrono::sys_days day, int seconds, Zone zone) {
  const std::int64_t shown = day.time_since_epoch().count() * (kDayMs / 1000) + seconds;
  return (zone == Zone::kUtc ? shown : local_seconds(shown)) * 1000;
}

// A day: its begin, or its last millisecond. Days of summer time begin and end have other lengths.
std::int64_t day_moment(std::chrono::sys_days day, bool is_end, Zone zone) {
  return is_end ? moment(day + std::chrono::days(1), 0, zone) - 1 : moment(day, 0, zone);
}

std::optional<std::int64_t> read_iso(std::string_view text, bool is_end, Zone zone) {
  Reader reader(text);
  const auto year = reader.number(4);
  if (!year || !reader.skip('-')) return std::nullopt;
  const auto month = reader.number(2);
  if (!month || !reader.skip('-')) return std::nullopt;
  const auto day = reader.number(2);
  if (!day) return std::nullopt;
  const auto date = std::chrono::year(*year) / *month / *day;
  if (!date.ok()) return std::nullopt;
  if (reader.at_end()) return day_moment(date, is_end, zone);
  if (!reader.skip('T') && !reader.skip('t') && !reader.skip(' ')) return std::nullopt;
  const auto hour = reader.number(2);
  if (!hour || !reader.skip(':')) return std::nullopt;
  const auto minute = reader.number(2);
  std::optional<int> second = 0, fraction = 0;
  if (reader.skip(':')) {
    second = reader.number(2);
    if (reader.skip('.')) fraction = reader.thousandths();
  }
  if (!reader.at_end()) zone = Zone::kUtc;  // an offset
  const auto offset = read_offset(reader);
  if (!minute || !second || !fraction || !offset || !reader.at_end()) return std::nullopt;
  if (*hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  return moment(date, (*hour * 60 + *minute) * 60 + *second, zone) - *offset * 60'000LL + *fraction;
}

std::optional<std::int64_t> read_number_text(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one = error == std::errc() && end == text.data() + text.size();
  return is_one ? read_epoch(number) : std::nullopt;
}

// The milliseconds of "30m", "12h", "7d", "2w".
std::optional<std::int64_t> read_ago(std::string_view text) {
  if (text.size() < 2 || text.size() > 7) return std::nullopt;
  int number = 0;
  const char* const last = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last || number < 0) return std::nullopt;
  switch (*last) {
    case 'm':
      return number * 60'000LL;
    case 'h':
      return number * 3'600'000LL;
    case 'd':
      return number * kDayMs;
    case 'w':
      return number * 7 * kDayMs;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> read_in(std::string_view text, bool is_end, Zone zone) {
  const std::string_view given = trim(text);
  const auto epoch = read_number_text(given);
  return epoch ? epoch : read_iso(given, is_end, zone);
}

}  // namespace

std::optional<std::int64_t> read_epoch(double number) {
  if (!(number >= 0)) return std::nullopt;
  const double ms = number < kFirstMilliseconds ? number * 1000 : number;
  if (ms > static_cast<double>(kLastTimeMs)) return std::nullopt;
  return std::llround(ms);
}

std::optional<std::int64_t> read_time(std::string_view text) {
  return read_in(text, /*is_end=*/false, Zone::kUtc);
}

std::optional<std::int64_t> read_filter_time(std::string_view text, bool is_end) {
  return read_in(text, is_end, Zone::kLocal);
}

std::optional<std::int64_t> read_local_time(std::string_view text, std::int64_t now_ms,
                                            bool is_end) {
  static constexpr std::string_view kDays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                               "thursday", "friday", "saturday"};
  const std::string given = to_lower_ascii(trim(text));
  if (const auto time = read_filter_time(given, is_end)) return time;
  if (given == "now") return now_ms;
  if (const auto ago = read_ago(given)) return now_ms - *ago;

  const std::chrono::sys_days today = local_day(now_ms);
  std::optional<int> days_back;
  if (given == "today") days_back = 0;
  if (given == "yesterday") days_back = 1;
  for (unsigned day = 0; day < 7; ++day) {
    if (given == kDays[day] || given == kDays[day].substr(0, 3)) {
      days_back = static_cast<int>((std::chrono::weekday(today).c_encoding() + 7 - day) % 7);
    }
  }
  if (!days_back) return std::nullopt;
  return day_moment(today - std::chrono::days(*days_back), is_end, Zone::kLocal);
}

std::chrono::sys_days local_day(std::int64_t ms) {
  const std::tm parts = local(ms);
  return std::chrono::year(parts.tm_year + 1900) / (parts.tm_mon + 1) / parts.tm_mday;
}

std::int64_t local_day_begin(std::chrono::sys_days day) { return moment(day, 0, Zone::kLocal); }

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

std::string date_text(std::int64_t ms) {
  const std::tm parts = local(ms);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

}  // namespace codexmem::memory
