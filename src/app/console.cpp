#include "app/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/columns.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

std::string_view colour_of(Paint paint) {
  switch (paint) {
    case Paint::kPath:
      return "\x1b[35m";
    case Paint::kName:
      return "\x1b[36m";
    case Paint::kDim:
      return "\x1b[2m";
    case Paint::kBold:
      return "\x1b[1m";
    case Paint::kGood:
      return "\x1b[32m";
    case Paint::kBad:
      return "\x1b[31m";
  }
  return "";
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::size_t columns_of(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// The lines of `text` that are longer than `width`, broken between words; each ends with a break.
std::string broken(std::string_view text, std::size_t width) {
  std::string out;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const bool fits = column_count(line) <= width;
    std::string lines = fits ? std::string(line) : wrapped(line.substr(start), start, width);
    out += lines;
    if (!lines.ends_with('\n')) out += '\n';
  }
  return out;
}

}  // namespace

Console::Console() {
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  is_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  colours_ = is_terminal_ && !is_set("NO_COLOR") && !dumb;
  error_is_terminal_ = ::isatty(STDERR_FILENO) == 1 && !dumb;
}

void Console::print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) ok_ = false;
}

void Console::print_line(std::string_view text) {
  print(text);
  print("\n");
}

void Console::note(std::string_view text) {
  const std::string line =
      error_is_terminal_ ? broken(text, error_width()) : std::string(text) + "\n";
  std::fflush(stdout);  // which may go to the same place
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void Console::error(std::string_view message) { note("codexmem: error: " + printable(message)); }

std::string Console::painted(Paint paint, std::string_view text) const {
  if (!colours_) return std::string(text);
  return fmt::format("{}{}\x1b[0m", colour_of(paint), text);
}

std::string Console::cut_to_line(std::string_view text, std::size_t used) const {
  if (!is_terminal_) return std::string(text);
  const std::size_t columns = width();
  return cut(text, columns > used ? columns - used : 1);
}

std::string Console::code_line(std::string_view line, std::size_t start) const {
  return is_terminal_ ? cut_code(line, start, width()) : std::string(line);
}

std::string Console::in_lines(std::string_view text) const {
  if (!is_terminal_ || text.empty()) return std::string(text);
  std::string lines = broken(text, width());
  if (!text.ends_with('\n')) lines.pop_back();
  return lines;
}

std::size_t Console::width() const { return columns_of(STDOUT_FILENO); }
std::size_t Console::error_width() const { return columns_of(STDERR_FILENO); }

std::string with_thousands(long long number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string readable_bytes(long long bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::abs(value) >= 1000.0 && unit + 1 < std::size(kUnits)) {
    value /= 1000.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string readable_duration(double seconds) {
  if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1000.0);
  if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}m {}s", whole / 60, whole % 60);
  return fmt::format("{}h {}m", whole / 3600, whole % 3600 / 60);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
      out += "\xEF\xBF\xBD";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace codexmem::app
