// Case folding is a table of runs: letters first, first + step, ... last, each with its folded form
// `shift` away. Made from Unicode 14's simple case folding of Latin, Greek, Cyrillic, Armenian and
// full-width letters; the sharp s, which folds to two letters, is dealt with apart.
//
// Tested by memory/decision_text_test.cpp.
#include "memory/decisions/decision_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <random>

#include "base/text.h"

namespace codexmem::memory {
namespace {

struct FoldRun {
  std::uint32_t first, last, step;
  std::int32_t shift;
};

constexpr FoldRun kFoldRuns[] = {
    {0x0041, 0x005A, 1, 32},    {0x00B5, 0x00B5, 1, 775},   {0x00C0, 0x00D6, 1, 32},
    {0x00D8, 0x00DE, 1, 32},    {0x0100, 0x012E, 2, 1},     {0x0132, 0x0136, 2, 1},
    {0x0139, 0x0147, 2, 1},     {0x014A, 0x0176, 2, 1},     {0x0178, 0x0178, 1, -121},
    {0x0179, 0x017D, 2, 1},     {0x017F, 0x017F, 1, -268},  {0x0181, 0x0181, 1, 210},
    {0x0182, 0x0184, 2, 1},     {0x0186, 0x0186, 1, 206},   {0x0187, 0x0187, 1, 1},
    {0x0189, 0x018A, 1, 205},   {0x018B, 0x018B, 1, 1},     {0x018E, 0x018E, 1, 79},
    {0x018F, 0x018F, 1, 202},   {0x0190, 0x0190, 1, 203},   {0x0191, 0x0191, 1, 1},
    {0x0193, 0x0193, 1, 205},   {0x0194, 0x0194, 1, 207},   {0x0196, 0x0196, 1, 211},
    {0x0197, 0x0197, 1, 209},   {0x0198, 0x0198, 1, 1},     {0x019C, 0x019C, 1, 211},
    {0x019D, 0x019D, 1, 213},   {0x019F, 0x019F, 1, 214},   {0x01A0, 0x01A4, 2, 1},
    {0x01A6, 0x01A6, 1, 218},   {0x01A7, 0x01A7, 1, 1},     {0x01A9, 0x01A9, 1, 218},
    {0x01AC, 0x01AC, 1, 1},     {0x01AE, 0x01AE, 1, 218},   {0x01AF, 0x01AF, 1, 1},
    {0x01B1, 0x01B2, 1, 217},   {0x01B3, 0x01B5, 2, 1},     {0x01B7, 0x01B7, 1, 219},
    {0x01B8, 0x01B8, 1, 1},     {0x01BC, 0x01BC, 1, 1},     {0x01C4, 0x01C4, 1, 2},
    {0x01C5, 0x01C5, 1, 1},     {0x01C7, 0x01C7, 1, 2},     {0x01C8, 0x01C8, 1, 1},
    {0x01CA, 0x01CA, 1, 2},     {0x01CB, 0x01DB, 2, 1},     {0x01DE, 0x01EE, 2, 1},
    {0x01F1, 0x01F1, 1, 2},     {0x01F2, 0x01F4, 2, 1},     {0x01F6, 0x01F6, 1, -97},
    {0x01F7, 0x01F7, 1, -56},   {0x01F8, 0x021E, 2, 1},     {0x0220, 0x0220, 1, -130},
    {0x0222, 0x0232, 2, 1},     {0x023A, 0x023A, 1, 10795}, {0x023B, 0x023B, 1, 1},
    {0x023D, 0x023D, 1, -163},  {0x023E, 0x023E, 1, 10792}, {0x0241, 0x0241, 1, 1},
    {0x0243, 0x0243, 1, -195},  {0x0244, 0x0244, 1, 69},    {0x0245, 0x0245, 1, 71},
    {0x0246, 0x024E, 2, 1},     {0x0370, 0x0372, 2, 1},     {0x0376, 0x0376, 1, 1},
    {0x037F, 0x037F, 1, 116},   {0x0386, 0x0386, 1, 38},    {0x0388, 0x038A, 1, 37},
    {0x038C, 0x038C, 1, 64},    {0x038E, 0x038F, 1, 63},    {0x0391, 0x03A1, 1, 32},
    {0x03A3, 0x03AB, 1, 32},    {0x03C2, 0x03C2, 1, 1},     {0x03CF, 0x03CF, 1, 8},
    {0x03D0, 0x03D0, 1, -30},   {0x03D1, 0x03D1, 1, -25},   {0x03D5, 0x03D5, 1, -15},
    {0x03D6, 0x03D6, 1, -22},   {0x03D8, 0x03EE, 2, 1},     {0x03F0, 0x03F0, 1, -54},
    {0x03F1, 0x03F1, 1, -48},   {0x03F4, 0x03F4, 1, -60},   {0x03F5, 0x03F5, 1, -64},
    {0x03F7, 0x03F7, 1, 1},     {0x03F9, 0x03F9, 1, -7},    {0x03FA, 0x03FA, 1, 1},
    {0x03FD, 0x03FF, 1, -130},  {0x0400, 0x040F, 1, 80},    {0x0410, 0x042F, 1, 32},
    {0x0460, 0x0480, 2, 1},     {0x048A, 0x04BE, 2, 1},     {0x04C0, 0x04C0, 1, 15},
    {0x04C1, 0x04CD, 2, 1},     {0x04D0, 0x052E, 2, 1},     {0x0531, 0x0556, 1, 48},
    {0x1E00, 0x1E94, 2, 1},     {0x1E9B, 0x1E9B, 1, -58},   {0x1E9E, 0x1E9E, 1, -7615},
    {0x1EA0, 0x1EFE, 2, 1},     {0x1F08, 0x1F0F, 1, -8},    {0x1F18, 0x1F1D, 1, -8},
    {0x1F28, 0x1F2F, 1, -8},    {0x1F38, 0x1F3F, 1, -8},    {0x1F48, 0x1F4D, 1, -8},
    {0x1F59, 0x1F5F, 2, -8},    {0x1F68, 0x1F6F, 1, -8},    {0x1F88, 0x1F8F, 1, -8},
    {0x1F98, 0x1F9F, 1, -8},    {0x1FA8, 0x1FAF, 1, -8},    {0x1FB8, 0x1FB9, 1, -8},
    {0x1FBA, 0x1FBB, 1, -74},   {0x1FBC, 0x1FBC, 1, -9},    {0x1FBE, 0x1FBE, 1, -7173},
    {0x1FC8, 0x1FCB, 1, -86},   {0x1FCC, 0x1FCC, 1, -9},    {0x1FD8, 0x1FD9, 1, -8},
    {0x1FDA, 0x1FDB, 1, -100},  {0x1FE8, 0x1FE9, 1, -8},    {0x1FEA, 0x1FEB, 1, -112},
    {0x1FEC, 0x1FEC, 1, -7},    {0x1FF8, 0x1FF9, 1, -128},  {0x1FFA, 0x1FFB, 1, -126},
    {0x1FFC, 0x1FFC, 1, -9},    {0x2126, 0x2126, 1, -7517}, {0x212A, 0x212A, 1, -8383},
    {0x212B, 0x212B, 1, -8262}, {0xFF21, 0xFF3A, 1, 32}};

std::uint32_t fold(std::uint32_t letter) {
  const auto* const run = std::upper_bound(
      std::begin(kFoldRuns), std::end(kFoldRuns), letter,
      [](std::uint32_t value, const FoldRun& candidate) { return value < candidate.first; });
  // Runs of every other letter may be interleaved: the one before may be meant, too.
  for (std::ptrdiff_t back = 1; back <= 2 && run - std::begin(kFoldRuns) >= back; ++back) {
    const FoldRun& candidate = *(run - back);
    if (letter <= candidate.last && (letter - candidate.first) % candidate.step == 0) {
      return letter + static_cast<std::uint32_t>(candidate.shift);
    }
  }
  return letter;
}

// The code point that begins at text[i] of valid UTF-8; moves i behind it.
std::uint32_t next_code_point(std::string_view text, std::size_t& i) {
  const auto lead = static_cast<unsigned char>(text[i++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  std::uint32_t code = lead & (0x3FU >> more);
  for (int k = 0; k < more && i < text.size(); ++k) {
    code = code << 6 | (static_cast<unsigned char>(text[i++]) & 0x3FU);
  }
  return code;
}

// Folded forms are below U+10000.
void append(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// White_Space of Unicode, and the zero-width space and byte order mark, which nobody sees either.
bool is_space(std::uint32_t code) {
  return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200B) || code == 0x2028 || code == 0x2029 ||
         code == 0x202F || code == 0x205F || code == 0x3000 || code == 0xFEFF;
}

std::mt19937& random_numbers() {
  static thread_local std::mt19937 engine{std::random_device{}()};
  return engine;
}

}  // namespace

std::string new_decision_id(bool is_proposal, std::int64_t now_ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> now{milliseconds{now_ms}};
  const auto day = floor<days>(now);
  const year_month_day date{day};
  const hh_mm_ss time{now - day};
  std::uniform_int_distribution<int> below(0, 999);
  std::uniform_int_distribution<std::uint32_t> any;
  const auto micros = time.subseconds().count() * 1000 + below(random_numbers());
  return fmt::format("{}_{:04}{:02}{:02}_{:02}{:02}{:02}_{:06}_{:08x}.md",
                     is_proposal ? "proposal" : "decision", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(), micros,
                     any(random_numbers()));
}

Result<std::string> parse_decision_id(std::string_view id) {
  constexpr std::size_t kMaxBytes = 128;
  std::string name(trim(id));
  const bool is_empty = name.empty();
  if (!name.ends_with(".md")) name += ".md";
  const bool is_name =
      !is_empty && name.size() <= kMaxBytes && name.find_first_of("/\\") == std::string::npos &&
      name.find("..") == std::string::npos && is_valid_utf8(name) &&
      std::none_of(name.begin(), name.end(),
                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (!is_name) {
    return Error{ErrorCode::kInvalidArgument,
                 "an id of a decision is the name of its file, such as "
                 "decision_20260102_030405_000000_0123abcd.md, without a folder"};
  }
  return name;
}

std::string_view trim_unicode(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t next = begin;
    if (!is_space(next_code_point(text, next))) break;
    begin = next;
  }
  std::size_t end = text.size();
  while (end > begin) {
    std::size_t last = end - 1;
    while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    std::size_t after = last;
    if (!is_space(next_code_point(text, after))) break;
    end = last;
  }
  return text.substr(begin, end - begin);
}

std::string target_key(std::string_view text) {
  const std::string valid = repair_utf8(text);
  const std::string_view trimmed = trim_unicode(valid);
  std::string key;
  key.reserve(trimmed.size());
  for (std::size_t i = 0; i < trimmed.size();) {
    const std::size_t begin = i;
    const std::uint32_t letter = next_code_point(trimmed, i);
    if (letter == 0xDF || letter == 0x1E9E) {
      key += "ss";
    } else if (const std::uint32_t folded = fold(letter); folded != letter) {
      append(key, folded);
    } else {
      key.append(trimmed.substr(begin, i - begin));
    }
  }
  return key;
}

std::string escape_marker(std::string_view text) {
  constexpr std::string_view kMarkerStart = "[via mcp";
  const std::string lower = to_lower_ascii(text);
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (std::size_t at = lower.find(kMarkerStart); at != std::string::npos;
       at = lower.find(kMarkerStart, at + 1)) {
    out.append(text.substr(done, at - done));
    out += '\\';
    done = at;
  }
  return out.append(text.substr(done));
}

std::string_view without_marker(std::string_view stored) {
  return stored.starts_with(kViaMcp) ? stored.substr(kViaMcp.size()) : stored;
}

}  // namespace codexmem::memory
