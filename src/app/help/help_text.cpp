// Tested by app/help_text_test.cpp, and for all commands by app/completion_test.cpp.
#include "app/help/help_text.h"

#include <algorithm>

#include "app/render/columns.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kMaxName = 24;  // columns of a name before its text

// An example of a command, which goes on in further lines where it is too long, as shells take it.
std::string command_lines(std::string_view line, std::size_t indent, std::size_t width) {
  const std::size_t start = line.find_first_not_of(' ');
  const std::size_t at = column_count(line) > width ? line.rfind(" --", width - 2) : line.npos;
  if (at == line.npos || at <= start) return std::string(line) + "\n";
  return std::string(line.substr(0, at)) + " \\\n" +
         command_lines(std::string(indent, ' ') + std::string(line.substr(at + 1)), indent, width);
}

}  // namespace

std::string two_columns(std::span<const HelpRow> rows) {
  std::size_t left = 0;
  for (const HelpRow& row : rows) {
    const std::size_t columns = column_count(row.name);
    if (columns <= kMaxName) left = std::max(left, columns);
  }
  const std::size_t indent = 2 + left + 2;
  std::string out;
  for (const HelpRow& row : rows) {
    std::string text = wrapped(row.text, indent, kHelpWidth);
    if (!text.ends_with('\n')) text += '\n';
    const std::string name = "  " + row.name;
    if (column_count(name) + 2 <= indent) {
      // The name takes the place of the first line's spaces.
      text.replace(0, std::min(column_count(name), text.size() - 1), name);
      out += text;
    } else {
      out += name + "\n" + text;
    }
  }
  return out;
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += wrapped(paragraph, 0, width);
    paragraph.clear();
  };
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
      continue;
    }
    end_paragraph();
    const std::size_t start = line.find_first_not_of(' ');
    const std::size_t gap = start == std::string_view::npos ? start : line.find("  ", start);
    if (column_count(line) > width && gap != std::string_view::npos) {
      const std::string_view said = line.substr(line.find_first_not_of(' ', gap));
      out += command_lines(line.substr(0, gap), start + 2, width) + wrapped(said, start + 4, width);
    } else {
      out += line.empty() ? "\n" : command_lines(line, start + 2, width);
    }
  }
  end_paragraph();
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace codexmem::app
