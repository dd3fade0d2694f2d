// Tested by app/help_text_test.cpp, and for all commands by app/completion_test.cpp.
#include "app/help_text.h"

#include <algorithm>

#include "app/columns.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kMostName = 24;  // columns of a name beside its text

}  // namespace

std::string two_columns(std::span<const HelpRow> rows) {
  std::size_t left = 0;
  for (const HelpRow& row : rows) {
    const std::size_t columns = column_count(row.name);
    if (columns <= kMostName) left = std::max(left, columns);
  }
  const std::size_t indent = 2 + left + 2;
  std::string out;
  for (const HelpRow& row : rows) {
    std::string text = wrapped(row.text, indent, kWidth);
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

std::string fitted(std::string_view text) {
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += wrapped(paragraph, 0, kWidth);
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
    if (column_count(line) > kWidth && gap != std::string_view::npos) {
      const std::string_view said = line.substr(line.find_first_not_of(' ', gap));
      out += std::string(line.substr(0, gap)) + "\n" + wrapped(said, start + 4, kWidth);
    } else {
      out += std::string(line) + "\n";
    }
  }
  end_paragraph();
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace codexmem::app
