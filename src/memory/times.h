// memory/times.h - times as requests give them and as answers show them. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace codexmem::memory {

/// Milliseconds since 1970 of a number: below 1e11 it counts seconds, else milliseconds. Nothing
/// when it is beyond the year 9999.
std::optional<std::int64_t> read_epoch(double number);

/// Milliseconds since 1970 of `text`, a time of a record: an epoch number, or ISO 8601 (a date; a
/// date and a time with or without seconds, fraction and offset; UTC without one). Nothing
/// when it is neither.
std::optional<std::int64_t> read_time(std::string_view text);

/// The same of a filter: a date or time without an offset is of the machine's time zone, in which
/// day_text() and clock_text() show times. `is_end`: a bare date means its last millisecond. A day
/// begins with its first moment, however the clocks are changed on it, so that every moment is of
/// one day.
std::optional<std::int64_t> read_filter_time(std::string_view text, bool is_end = false);

/// The same as a person at a shell types it: besides "now"; "today", "yesterday" and the name of a
/// weekday ("monday", "mon"; the last one, today included), which are the day's begin or with
/// `is_end` its last millisecond; and "30m", "12h", "7d", "2w" for so long before `now_ms`. In
/// either case of letters.
std::optional<std::int64_t> read_local_time(std::string_view text, std::int64_t now_ms,
                                            bool is_end = false);

/// The day that local clocks show, and the first moment of a day.
std::chrono::sys_days local_day(std::int64_t ms);
std::int64_t local_day_begin(std::chrono::sys_days day);

/// "2026-11-22T08:45:07.123Z".
std::string iso_time(std::int64_t ms);

/// For people, in the machine's time zone: "Nov 22, 2026" and "3:10 PM".
std::string day_text(std::int64_t ms);
std::string clock_text(std::int64_t ms);

/// "2026-11-22", in the machine's time zone.
std::string date_text(std::int64_t ms);

}  // namespace codexmem::memory
