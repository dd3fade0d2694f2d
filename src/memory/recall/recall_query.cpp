// Dates are read by a small pattern over words: an ISO date or month, a year, a month with a day or
// a year next to it, and days counted from today: yesterday, last week, three days ago, on Monday.
// A month without a year is the month of each of the last years. A wrong guess costs little: dates
// prefer, they do not filter.
//
// Tested by tests/memory/recall_query_test.cpp.
#include "memory/recall/recall_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "text/prose.h"
#include "base/text.h"
#include "text/words.h"
#include "memory/times.h"

namespace codexmem::memory {
namespace {

namespace chr = std::chrono;

constexpr std::size_t kMaxQueryBytes = 8192;
constexpr std::size_t kMaxTerms = 48;
constexpr std::size_t kMaxQuoted = 8;
constexpr int kYearsBack = 6;  // of a month without a year

// In addition to the stop words of code search: words of questions.
constexpr std::string_view kQuestionWords[] = {
    "about", "all",   "also", "am",   "any",  "been", "but",  "during", "ever",  "go",    "got",
    "had",   "he",    "her",  "him",  "his",  "i",    "just", "kind",   "me",    "might", "my",
    "our",   "out",   "she",  "so",   "some", "such", "them", "they",   "up",    "us",    "we",
    "whom",  "whose", "you",  "your", "were", "did",  "been", "being",  "having"};

const std::unordered_set<std::string>& stop_stems() {
  static const auto* const stems = [] {
    auto* set = new std::unordered_set<std::string>();
    for (const std::string_view word : kQuestionWords) set->insert(stem(word));
    return set;
  }();
  return *stems;
}

bool is_stop(std::string_view word, std::string_view stemmed) {
  return is_stop_word(word) || stop_stems().contains(std::string(stemmed));
}

std::string phrase_of(std::string_view text) {
  std::string phrase;
  std::size_t count = 0;
  for_each_prose_term(text, [&](const Term& term) {
    if (term.is_compound || count == kMaxTerms) return;
    if (count++ != 0) phrase += ' ';
    phrase += term.text;
  });
  return phrase;
}

void read_quoted(std::string_view text, RecallQuery* query) {
  const std::array<std::pair<std::string_view, std::string_view>, 3> quotes = {
      {{"\"", "\""}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"`", "`"}}};
  for (const auto& [open, close] : quotes) {
    for (std::size_t at = 0; query->quoted.size() < kMaxQuoted;) {
      const std::size_t begin = text.find(open, at);
      if (begin == std::string_view::npos) break;
      const std::size_t end = text.find(close, begin + open.size());
      if (end == std::string_view::npos) break;
      std::string phrase = phrase_of(text.substr(begin + open.size(), end - begin - open.size()));
      if (phrase.find(' ') != std::string::npos) query->quoted.push_back(std::move(phrase));
      at = end + close.size();
    }
  }
}

// Words with a slash, or a dot before a short ending of letters: src/store, recall.cpp, not 3.12.
void read_files(std::string_view text, RecallQuery* query) {
  std::size_t begin = 0;
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/' || c == '\\' || (c & 0x80) != 0;
  };
  while (begin < text.size()) {
    std::size_t end = begin;
    while (end < text.size() && is_part(text[end])) ++end;
    std::string word = to_lower_ascii(text.substr(begin, end - begin));
    begin = end + 1;
    std::replace(word.begin(), word.end(), '\\', '/');
    while (!word.empty() && (word.back() == '.' || word.back() == '/')) word.pop_back();
    while (word.starts_with("./")) word.erase(0, 2);
    if (word.size() < 4) continue;
    const std::size_t dot = word.rfind('.');
    const bool has_ending = dot != std::string::npos && dot > 0 && word.size() - dot <= 6 &&
                            word.size() - dot > 1 &&
                            std::all_of(word.begin() + static_cast<std::ptrdiff_t>(dot) + 1,
                                        word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    const bool has_folder = word.find('/') != std::string::npos;
    if ((has_ending || has_folder) && query->files.size() < 8) query->files.push_back(word);
  }
}

// The words of a query for dates: lower case ASCII and digits.
struct DateWords {
  std::vector<std::string> words;
  std::vector<bool> is_capital;

  explicit DateWords(std::string_view text) {
    std::string word;
    bool capital = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ' ';
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (is_letter || (c >= '0' && c <= '9') || (c == '-' && !word.empty())) {
        if (word.empty()) capital = c >= 'A' && c <= 'Z';
        word += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      } else if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
        is_capital.push_back(capital);
      }
    }
  }

  std::string_view at(std::size_t i) const {
    return i < words.size() ? std::string_view(words[i]) : std::string_view();
  }
};

std::optional<int> number_of(std::string_view word) {
  static constexpr std::string_view kNames[] = {"",     "one",    "two",   "three", "four",
                                                "five", "six",    "seven", "eight", "nine",
                                                "ten",  "eleven", "twelve"};
  for (int i = 1; i <= 12; ++i) {
    if (word == kNames[i]) return i;
  }
  if (word == "a" || word == "an") return 1;
  int value = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc() || word.empty()) return std::nullopt;
  const std::string_view rest = word.substr(static_cast<std::size_t>(end - word.data()));
  if (rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th") return value;
  return std::nullopt;
}

std::optional<int> year_of(std::string_view word) {
  const auto number = number_of(word);
  return word.size() == 4 && number && *number >= 1990 && *number < 2100 ? number : std::nullopt;
}
std::optional<int> day_of(std::string_view word) {
  const auto number = number_of(word);
  const bool is_digit = !word.empty() && word.front() >= '0' && word.front() <= '9';
  return is_digit && number && word.size() <= 4 && *number >= 1 && *number <= 31 ? number
                                                                                 : std::nullopt;
}

// 1 to 12, or 1 (Monday) to 7; of the full name or its beginning.
std::optional<unsigned> name_of(std::string_view word, std::span<const std::string_view> names) {
  if (word.size() < 3) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word == names[i] || word == names[i].substr(0, 3) ||
        (word == "sept" && names[i] == "september") || (word == "tues" && names[i] == "tuesday") ||
        (word == "thurs" && names[i] == "thursday")) {
      return static_cast<unsigned>(i) + 1;
    }
  }
  return std::nullopt;
}
constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};
constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                      "friday", "saturday", "sunday"};

class DateReader {
 public:
  DateReader(std::string_view text, std::int64_t now_ms, std::vector<DateSpan>* spans)
      : words_(text), today_(local_day(now_ms)), spans_(*spans) {}

  void read() {
    for (std::size_t i = 0; i < words_.words.size() && spans_.size() < 16;) {
      i += std::max<std::size_t>(1, read_at(i));
    }
  }

 private:
  // Words taken from `i` on; 0 when there is no date.
  std::size_t read_at(std::size_t i) {
    const std::string_view word = words_.at(i);
    if (const std::size_t taken = read_iso(word)) return taken;
    if (word == "today") return add_days(0, 0), 1;
    if (word == "yesterday") return add_days(-1, -1), 1;
    if (word == "last" || word == "past" || word == "this" || word == "previous") {
      if (const std::size_t taken = read_relative(word == "this", words_.at(i + 1))) return taken;
    }
    if (const auto count = number_of(word); count && words_.at(i + 2) == "ago") {
      if (read_ago(*count, words_.at(i + 1))) return 3;
    }
    if (const std::size_t taken = read_month(i)) return taken;
    if (const auto day = name_of(word, kDays); day && word != "sun" && word != "sat") {
      add_weekday(*day);
      return 1;
    }
    if (const auto year = year_of(word)) {
      add_month(*year, 1, *year, 12);
      return 1;
    }
    return 0;
  }

  // 2026-03-18, 2026-03
  std::size_t read_iso(std::string_view word) {
    if (word.size() < 7 || word[4] != '-') return 0;
    const auto year = year_of(word.substr(0, 4));
    const auto month = number_of(word.substr(5, 2));
    if (!year || !month || *month < 1 || *month > 12) return 0;
    if (word.size() == 7) return add_month(*year, *month, *year, *month), 1;
    const auto day =
        word.size() >= 10 && word[7] == '-' ? number_of(word.substr(8, 2)) : std::nullopt;
    if (!day || !add_day(*year, static_cast<unsigned>(*month), *day)) return 0;
    return 1;
  }

  std::size_t read_relative(bool is_this, std::string_view unit) {
    const int back = is_this ? 0 : 1;
    const chr::year_month_day today(today_);
    if (unit == "week") {
      const auto monday = chr::weekday(today_).iso_encoding() - 1;
      const int from = -static_cast<int>(monday) - 7 * back;
      // People say last week of any day of the seven before, too.
      return add_days(is_this ? from : std::min(from, -7), is_this ? 0 : from + 6), 2;
    }
    if (unit == "month") {
      const auto month = today.year() / today.month() - chr::months(back);
      return add_month(int(month.year()), int(unsigned(month.month())), int(month.year()),
                       int(unsigned(month.month()))),
             2;
    }
    if (unit == "year") {
      const int year = int(today.year()) - back;
      return add_month(year, 1, year, 12), 2;
    }
    if (unit == "night") return add_days(-1, 0), 2;
    if (const auto day = name_of(unit, kDays)) return add_weekday(*day), 2;
    return 0;
  }

  bool read_ago(int count, std::string_view unit) {
    if (count < 0 || count > 1000) return false;
    if (unit.starts_with("day")) return add_days(-count - 1, -count + 1), true;
    if (unit.starts_with("week")) return add_days(-7 * count - 4, -7 * count + 4), true;
    if (unit.starts_with("month")) return add_days(-30 * count - 16, -30 * count + 16), true;
    if (unit.starts_with("year")) return add_days(-365 * count - 183, -365 * count + 183), true;
    return false;
  }

  // 8 May 2023, May 8th, May 2023, in May
  std::size_t read_month(std::size_t i) {
    std::size_t at = i;
    auto day = day_of(words_.at(at));
    if (day) ++at;
    if (words_.at(at) == "of") ++at;
    const std::string_view word = words_.at(at);
    const auto month = name_of(word, kMonths);
    if (!month) return 0;
    const std::size_t month_at = at++;
    if (!day && (day = day_of(words_.at(at)))) ++at;
    const auto year = year_of(words_.at(at));
    if (year) ++at;
    // "may" and "march" are words, too, and "mar", "dec" may be anything.
    if (!day && !year) {
      const bool is_plain = word == "may" || word == "march" || word.size() == 3;
      const std::string_view before = month_at == 0 ? std::string_view() : words_.at(month_at - 1);
      if (is_plain && before != "in" && before != "last" && before != "since" &&
          !(words_.is_capital[month_at] && month_at != 0)) {
        return 0;
      }
    }
    const int this_year = int(chr::year_month_day(today_).year());
    for (int y = year.value_or(this_year - kYearsBack); y <= year.value_or(this_year); ++y) {
      if (!day) {
        add_month(y, static_cast<int>(*month), y, static_cast<int>(*month));
      } else {
        add_day(y, *month, *day);
      }
    }
    return at - i;
  }

  void add(chr::sys_days from, chr::sys_days to) {
    spans_.push_back({local_day_begin(from), local_day_begin(to + chr::days(1)) - 1});
  }
  void add_days(int from, int to) { add(today_ + chr::days(from), today_ + chr::days(to)); }
  void add_weekday(unsigned day) {
    const unsigned today = chr::weekday(today_).iso_encoding();
    const int back = static_cast<int>((today + 7 - day) % 7);
    add_days(back == 0 ? -7 : -back, back == 0 ? -7 : -back);
  }
  void add_month(int year, int month, int last_year, int last_month) {
    add(chr::year(year) / month / 1, chr::sys_days(chr::year(last_year) / last_month / chr::last));
  }
  bool add_day(int year, unsigned month, int day) {
    const auto date = chr::year(year) / chr::month(month) / day;
    if (!date.ok()) return false;
    add(date, date);
    return true;
  }

  DateWords words_;
  chr::sys_days today_;
  std::vector<DateSpan>& spans_;
};

}  // namespace

std::string content_of(const RecallQuery& query,
                       const std::function<bool(std::string_view stem)>& is_kept) {
  std::string content;
  for_each_prose_term(query.text, [&](const Term& term) {
    const auto is_it = [&](const QueryTerm& one) { return one.word == term.text; };
    if (term.is_compound || std::none_of(query.terms.begin(), query.terms.end(), is_it)) return;
    if (!is_kept(term.text)) return;
    if (!content.empty()) content += ' ';
    content.append(query.text, term.begin, term.end - term.begin);
  });
  return content;
}

RecallQuery read_recall_query(std::string_view given, std::int64_t now_ms) {
  RecallQuery query;
  const std::string_view text = utf8_prefix(given, kMaxQueryBytes);
  query.text = repair_utf8(text);
  read_quoted(text, &query);
  read_files(text, &query);
  DateReader(text, now_ms, &query.dates).read();

  std::vector<QueryTerm> stop;
  std::unordered_set<std::string> seen;
  for_each_prose_term(text, [&](const Term& term) {
    if (seen.size() == kMaxTerms) return;
    std::string stemmed(term.text);
    if (!seen.insert(stemmed).second) return;
    QueryTerm one;
    one.phrases.push_back(stemmed);
    if (term.is_compound) {
      // Written in one word somewhere else.
      one.phrases.push_back(stem(term.text.substr(1)));
      one.word = std::move(stemmed);
      query.terms.push_back(std::move(one));
      return;
    }
    const std::string word = to_lower_ascii(text.substr(term.begin, term.end - term.begin));
    query.words.push_back(stemmed);
    // Written in several somewhere else.
    if (word.size() >= 6) one.phrases.push_back(compound_of(word, ""));
    one.word = stemmed;
    (is_stop(word, stemmed) ? stop : query.terms).push_back(std::move(one));
  });
  if (query.terms.empty()) query.terms = std::move(stop);
  return query;
}

}  // namespace codexmem::memory
