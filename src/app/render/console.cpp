#include "app/render/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "app/param_options.h"
#include "app/render/columns.h"
#include "app/render/pager.h"
#include "base/random.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

// By Paint, as a mark names it; the last ends one.
constexpr std::string_view kColours[] = {"\x1b[35m", "\x1b[36m", "\x1b[2m",    "\x1b[1m",
                                         "\x1b[32m", "\x1b[31m", "\x1b[1;31m", "\x1b[0m"};
constexpr std::size_t kColourEnd = std::size(kColours) - 1;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::size_t columns_of(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::size_t rows_of(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_row > 0) return size.ws_row;
  return 24;
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
  uses_pager_ = is_terminal_ && !dumb;
  colours_ = is_terminal_ && !is_set("NO_COLOR") && !dumb;
  mark_ = "\x1b" + random_hex(16);
  error_is_terminal_ = ::isatty(STDERR_FILENO) == 1 && !dumb;
}

Console Console::for_model() {
  Console console;
  console.is_terminal_ = console.uses_pager_ = console.colours_ = false;
  console.is_model_ = true;
  return console;
}

std::string Console::option(std::string_view name) const {
  return (is_model_ ? "" : "--") + std::string(name);
}

std::string Console::shown(std::string_view text, bool is_line) const {
  std::string out;
  while (true) {
    const std::size_t end = colours_ ? text.find(mark_) : text.npos;
    const std::string_view part = text.substr(0, end);
    out += is_line ? terminal_line(part) : terminal_text(part);
    if (end == text.npos) return out;
    text.remove_prefix(end + mark_.size());
    const auto colour = static_cast<std::size_t>(text.front() - '0');
    out += kColours[colour];
    text.remove_prefix(1);
  }
}

void Console::print(std::string_view text) { write(shown(text, false)); }

void Console::print_paged(std::string_view text) {
  const std::string lines = shown(text, false);
  const auto count = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  if (uses_pager_ && count >= rows_of(STDOUT_FILENO)) {
    std::fflush(stdout);
    const std::string pager = pager_command();
    if (!pager.empty() && show_in_pager(pager, lines)) return;
  }
  write(lines);
}

void Console::print_line(std::string_view text) { write(shown(text, true) + "\n"); }

void Console::print_json(std::string_view json) { write(terminal_json(json) + "\n"); }

void Console::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) ok_ = false;
}

void Console::note(std::string_view text) { note_lines(terminal_line(text)); }

void Console::note_lines(std::string_view text) {
  const std::string safe = terminal_text(text);
  const std::string lines = error_is_terminal_ ? broken(safe, error_width()) : safe + "\n";
  std::fflush(stdout);  // which may go to the same place
  std::fwrite(lines.data(), 1, lines.size(), stderr);
}

void Console::error(std::string_view message) { note("codexmem: error: " + std::string(message)); }

void Console::show_status(std::string_view text) {
  fmt::print(stderr, "\r{}\x1b[K", terminal_line(text));
  std::fflush(stderr);
}

std::string Console::painted(Paint paint, std::string_view text) const {
  if (!colours_) return std::string(text);
  return fmt::format("{0}{1}{2}{0}{3}", mark_, static_cast<std::size_t>(paint), text, kColourEnd);
}

std::string Console::cut_to_line(std::string_view text, std::size_t used) const {
  if (!is_terminal_) return std::string(text);
  const std::size_t columns = width();
  return cut(text, columns > used ? columns - used : 1);
}

std::string Console::code_line(std::string_view line, std::size_t start) const {
  return is_terminal_ ? cut_code(line, start, width()) : std::string(line);
}

std::string Console::in_words(std::string_view remark) const {
  return in_lines(terminal_line(is_model_ ? std::string(remark) : in_shell_words(remark)));
}

std::string Console::in_lines(std::string_view text) const {
  if (!is_terminal_ || text.empty()) return std::string(text);
  std::string lines = broken(text, width());
  if (!text.ends_with('\n')) lines.pop_back();
  return lines;
}

std::size_t Console::width() const { return columns_of(STDOUT_FILENO); }
std::size_t Console::error_width() const { return columns_of(STDERR_FILENO); }

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

}  // namespace codexmem::app
