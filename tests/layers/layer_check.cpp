#include "layers/layer_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

namespace codexmem::layers {
namespace {

constexpr std::string_view kJsonHeader = "text/json.h";
// Includes it, and is only for .cpp files as well.
constexpr std::string_view kJsonParser = "text/parse_json.h";
constexpr std::string_view kJsonLibrary = "nlohmann/";
constexpr std::string_view kSqlFolder = "store";
// What only a statement has, in capitals; a message that needs one of them is worded otherwise.
constexpr std::string_view kSqlWords[] = {"SELECT ",    "INSERT ",  "UPDATE ", "DELETE FROM ",
                                          "PRAGMA ",    " JOIN ",   "WHERE ",  "ORDER BY ",
                                          "SAVEPOINT ", "ROLLBACK", "R\"sql("};

// How a message names a command of the shell.
constexpr std::string_view kShellCommand = "`codexmem ";

struct Include {
  int line = 0;  // 1-based
  std::string name;
};

// The first part of a path with several, else nothing.
std::string folder_of(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

bool is_header(std::string_view path) { return path.ends_with(".h"); }

std::string_view skip_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

// The name between the quotes or brackets of an #include line, quotes kept apart by `quoted`.
std::optional<std::string> included_name(std::string_view line, bool& quoted) {
  line = skip_blanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = skip_blanks(line.substr(1));
  if (!line.starts_with("include")) return std::nullopt;
  line = skip_blanks(line.substr(7));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  quoted = line.front() == '"';
  const std::size_t end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(1, end - 1));
}

struct FileIncludes {
  std::vector<Include> project, outside;  // in "", in <>
};

FileIncludes includes_of(const std::string& text) {
  FileIncludes found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    bool quoted = false;
    auto name = included_name(line, quoted);
    if (name) (quoted ? found.project : found.outside).push_back({number, std::move(*name)});
  }
  return found;
}

// The lines that have one of `words`, comments apart.
std::vector<int> lines_with(std::span<const std::string_view> words, const std::string& text) {
  std::vector<int> found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string_view code = std::string_view(line).substr(0, line.find("//"));
    const auto occurs = [&](std::string_view word) { return code.find(word) != code.npos; };
    if (std::any_of(words.begin(), words.end(), occurs)) found.push_back(number);
  }
  return found;
}

// The table's line for an outside header: its library, and the one folder that may include it.
std::optional<std::pair<std::string, std::string>> outside_rule(const Table& table,
                                                                std::string_view header) {
  for (const auto& [start, folder] : table.outside) {
    if (header.starts_with(start)) return std::pair(start, folder);
  }
  return std::nullopt;
}

// Header -> an outside library of the table that whoever includes it gets along.
using Carried = std::map<std::string, std::string>;

Carried carried_libraries(const Table& table, const std::map<std::string, FileIncludes>& files) {
  Carried carried;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [path, includes] : files) {
      if (!is_header(path) || carried.contains(path)) continue;
      for (const Include& include : includes.outside) {
        if (auto rule = outside_rule(table, include.name)) carried[path] = rule->first;
      }
      for (const Include& include : includes.project) {
        if (auto it = carried.find(include.name); it != carried.end()) carried[path] = it->second;
      }
      grew |= carried.contains(path);
    }
  }
  return carried;
}

}  // namespace

Result<Table> parse_table(std::string_view text) {
  Table table;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const auto wrong = [&](std::string_view what) {
      return Error(ErrorCode::kInvalidArgument, fmt::format("line {}: {}: {}", number, what, line));
    };
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) return wrong("no colon");
    std::istringstream left(line.substr(0, colon)), right(line.substr(colon + 1));
    const std::vector<std::string> names{std::istream_iterator<std::string>(left), {}};
    const std::vector<std::string> folders{std::istream_iterator<std::string>(right), {}};
    for (const std::string& folder : folders) {
      if (!table.may_include.contains(folder)) return wrong("no line above is for " + folder);
    }
    if (names.size() == 1) {
      if (!table.may_include.try_emplace(names[0], folders.begin(), folders.end()).second) {
        return wrong("given twice");
      }
    } else if (names == std::vector<std::string>{"shell", "commands"}) {
      table.may_name_commands.insert(folders.begin(), folders.end());
    } else if (names.size() == 2 && names[0] == "outside" && folders.size() == 1) {
      if (!table.outside.try_emplace(names[1], folders[0]).second) return wrong("given twice");
    } else {
      return wrong("not `folder: folders`, `outside start: folder` or `shell commands: folders`");
    }
  }
  return table;
}

std::vector<std::string> find_violations(const Table& table, const std::vector<SourceFile>& files) {
  std::map<std::string, FileIncludes> includes;
  for (const SourceFile& file : files) includes[file.path] = includes_of(file.text);
  const Carried carried = carried_libraries(table, includes);

  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    std::map<int, std::string> wrong;  // by line
    const std::string folder = folder_of(file.path);
    const auto row = table.may_include.find(folder);
    if (row == table.may_include.end()) {
      violations.push_back(fmt::format("src/{}:1: its folder is not in the table", file.path));
      continue;
    }

    for (const auto& [line, name] : includes[file.path].project) {
      const std::string from = folder_of(name);
      if (!includes.contains(name)) {
        wrong[line] = fmt::format("there is no src/{}: name headers from src", name);
      } else if (from != folder && !row->second.contains(from)) {
        wrong[line] = fmt::format("{} may not include {} ({})", folder, from, name);
      } else if (from != folder && carried.contains(name)) {
        wrong[line] = fmt::format("{} brings {} into {}", name, carried.at(name), folder);
      } else if ((name == kJsonHeader || name == kJsonParser) && is_header(file.path) &&
                 file.path != kJsonParser) {
        wrong[line] = fmt::format("{} is only for .cpp files", name);
      }
    }
    for (const auto& [line, name] : includes[file.path].outside) {
      const auto rule = outside_rule(table, name);
      if (rule && rule->second != folder) {
        wrong[line] = fmt::format("<{}> is only for {}", name, rule->second);
      } else if (name.starts_with(kJsonLibrary) && file.path != kJsonHeader) {
        wrong[line] = fmt::format("<{}> is only for {}", name, kJsonHeader);
      }
    }
    if (folder != kSqlFolder) {
      for (const int line : lines_with(kSqlWords, file.text)) wrong[line] = "SQL is only for store";
    }
    if (!table.may_name_commands.contains(folder)) {
      for (const int line : lines_with({&kShellCommand, 1}, file.text)) {
        wrong[line] = folder + " may not name commands of the shell";
      }
    }
    for (const auto& [line, what] : wrong) {
      violations.push_back(fmt::format("src/{}:{}: {}", file.path, line, what));
    }
  }
  for (const auto& [folder, granted] : table.may_include) {
    std::set<std::string> included;
    for (const auto& [path, found] : includes) {
      if (folder_of(path) != folder) continue;
      for (const Include& include : found.project) included.insert(folder_of(include.name));
    }
    for (const std::string& unused : granted) {
      if (included.contains(unused)) continue;
      violations.push_back(
          fmt::format("docs/layers.txt: {} may include {} but does not", folder, unused));
    }
  }
  return violations;
}

}  // namespace codexmem::layers
