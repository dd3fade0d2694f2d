#include "app/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/columns.h"
#include "text/json.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

Json parse(std::string_view text) { return Json::parse(text, nullptr, /*allow_exceptions=*/false); }

// The member `name` of an object, or null.
const Json& member(const Json& value, const char* name) {
  static const Json kNull;
  const auto found = value.is_object() ? value.find(name) : value.end();
  return value.is_object() && found != value.end() ? *found : kNull;
}

// A name, a number: on one line, which a line break in a file's name cannot end.
std::string text_of(const Json& value) {
  if (value.is_string()) return terminal_line(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{:.2f}", value.get<double>());
  if (value.is_number()) return value.dump();
  return {};
}

// A text that may have several lines.
std::string lines_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

std::string first_line(const Json& value) {
  const std::string text = lines_of(value);
  return text.substr(0, text.find('\n'));
}

// The first `limit` lines of code, each behind `start` spaces.
std::string code_lines(const std::string& text, std::size_t start, std::size_t limit,
                       const Console& console) {
  const std::string indent(start, ' ');
  std::string out;
  std::size_t count = 0;
  const auto lines = split(text, '\n');
  for (const std::string_view line : lines) {
    if (line.empty() && &line == &lines.back()) break;
    if (count++ == limit) {
      out += fmt::format("{}... {} more lines\n", indent, lines.size() - limit);
      break;
    }
    out += line.empty() ? "\n" : indent + console.code_line(line, start) + "\n";
  }
  return out;
}

std::string names_of(const Json& list) {
  std::vector<std::string> names;
  if (list.is_array()) {
    for (const Json& name : list) names.push_back(text_of(name));
  }
  return join(names, ", ");
}

// "a", "a.b" with its container.
std::string full_name(const Json& symbol) {
  const std::string container = text_of(member(symbol, "container"));
  const std::string name = text_of(member(symbol, "name"));
  return container.empty() ? name : container + "." + name;
}

// "1 use", "2 uses".
std::string counted(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", with_thousands(static_cast<long long>(number)), what,
                     number == 1 ? "" : "s");
}

// "  {a, b}" of a list of names, in a line that has `used` columns already; names that it has no
// room for are counted.
std::string braced_names(const Json& list, std::size_t used, const Console& console) {
  std::string all = names_of(list);
  if (all.empty()) return "";
  const std::size_t room = console.width() > used + 4 ? console.width() - used - 4 : 0;
  if (!console.is_terminal() || column_count(all) <= room) return "  {" + all + "}";
  std::string some;
  std::size_t count = 0;
  for (const Json& name : list) {
    const std::string more = (count == 0 ? "" : ", ") + text_of(name);
    const std::string rest = fmt::format(", {} more", list.size() - count - 1);
    if (column_count(some + more + rest) > room) break;
    some += more;
    ++count;
  }
  return count == 0 ? fmt::format("  {{{}}}", counted(list.size(), "name"))
                    : fmt::format("  {{{}, {} more}}", some, list.size() - count);
}

// What people should know of an answer that is less than it seems.
std::string remarks(const Json& answer, const Console& console) {
  std::string out;
  for (const char* name : {"note", "hint"}) {
    if (const std::string note = text_of(member(answer, name)); !note.empty()) out += note + "\n";
  }
  const Json& results = member(answer, "results");
  const bool is_exact = results.is_array() && !results.empty() &&
                        text_of(member(results.front(), "match")) == "exact";
  const std::string near = names_of(member(answer, "suggestions"));
  if (!near.empty() && !is_exact) out += "Did you mean: " + near + "\n";
  return console.in_lines(out);
}

// How to ask for what an answer had no room for.
std::string more_to_come(const Json& answer) {
  const Json& next = member(answer, "nextOffset");
  if (!next.is_number()) return "";
  return fmt::format("{} more, --offset {} goes on\n", text_of(member(answer, "omitted")),
                     text_of(next));
}

std::string place(const Console& console, const Json& file, const Json& line) {
  return console.painted(Paint::kPath, text_of(member(file, "path"))) + ":" + text_of(line);
}

// The lists of neighbours that answers have, and how they are called for people.
constexpr std::pair<const char*, const char*> kNeighbourLists[] = {
    {"callers", "callers"},           {"callees", "callees"},   {"types", "types"},
    {"supertypes", "supertypes"},     {"subtypes", "subtypes"}, {"overrides", "overrides"},
    {"overriddenBy", "overridden by"}};

std::string neighbour_lines(const Json& list, const Console& console) {
  std::string lines;
  if (!list.is_array()) return lines;
  for (const Json& item : list) {
    const Json& depth = member(item, "depth");
    lines += fmt::format(
        "{}{}  {}\n", std::string(depth.is_number() ? 2 * depth.get<std::size_t>() : 2, ' '),
        place(console, member(item, "file"), member(item, "line")), text_of(member(item, "name")));
  }
  return lines;
}

// An import, or who imports: "  src/a.ts  {name}".
std::string edge_line(const Json& edge, const Console& console) {
  const Json& depth = member(edge, "depth");
  const std::size_t indent = 2 * (depth.is_number() ? depth.get<std::size_t>() : 1);
  const bool external = member(edge, "isExternal") == Json(true);
  const std::string package = text_of(member(edge, "package"));
  std::string target = text_of(member(member(edge, "file"), "path"));
  if (external || target.empty()) {
    target = package.empty() ? text_of(member(edge, "importPath")) : package;
  }
  std::string line =
      std::string(indent, ' ') + console.painted(external ? Paint::kDim : Paint::kPath, target);
  if (external) line += console.painted(Paint::kDim, "  external");
  std::string via = text_of(member(edge, "via"));
  if (!via.empty()) via = "  via " + via;
  const std::size_t used = indent + column_count(target) + column_count(via) + (external ? 10 : 0);
  line += braced_names(member(edge, "symbols"), used, console);
  if (!via.empty()) line += console.painted(Paint::kDim, via);
  return line + "\n";
}

}  // namespace

namespace {

// The snippet; of an exact match from the line before it, for only the first lines are shown.
std::string snippet_of(const Json& item) {
  std::string text = lines_of(member(item, "snippet"));
  const Json& line = member(item, "line");
  const Json& first = member(item, "snippetLine");
  if (!member(item, "matchCount").is_number_unsigned() || !line.is_number_unsigned() ||
      !first.is_number_unsigned()) {
    return text;
  }
  for (auto at = first.get<std::size_t>(); at + 1 < line.get<std::size_t>(); ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) break;
    text.erase(0, end + 1);
  }
  return text;
}

// `text` less empty lines before and after it.
std::string without_blank_ends(std::string text) {
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string::npos || text.find_first_not_of(" \t\r") < end) break;
    text.erase(0, end + 1);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// The lines that match in a file, where there are more than the one shown.
std::string other_lines(const Json& item) {
  const Json& count = member(item, "matchCount");
  const Json& lines = member(item, "matchLines");
  if (!count.is_number_unsigned() || !lines.is_array() || count.get<std::size_t>() < 2) return "";
  std::vector<std::string> numbers;
  for (const Json& line : lines) numbers.push_back(text_of(line));
  return fmt::format("    {}: {}{}\n", counted(count.get<std::size_t>(), "matching line"),
                     join(numbers, ", "), lines.size() < count.get<std::size_t>() ? ", ..." : "");
}

}  // namespace

Rendered render_search(std::string_view text, const Console& console) {
  const Json answer = parse(text);
  Rendered out;
  for (const Json& item : member(answer, "results")) {
    out.found = true;
    const Json& symbol = member(item, "symbol");
    out.text += place(console, member(item, "file"), member(item, "line"));
    if (symbol.is_object()) {
      out.text += fmt::format("  {} {}", text_of(member(symbol, "type")),
                              console.painted(Paint::kName, full_name(symbol)));
    }
    out.text += console.painted(Paint::kDim, "  " + text_of(member(item, "score"))) + "\n";
    out.text += code_lines(without_blank_ends(snippet_of(item)), 4, 6, console);
    out.text += console.painted(Paint::kDim, console.in_lines(other_lines(item)));
    if (const Json& why = member(item, "why"); why.is_array() && !why.empty()) {
      std::vector<std::string> parts;
      for (const Json& part : why) {
        parts.push_back(fmt::format("{} {} x {}", text_of(member(part, "name")),
                                    text_of(member(part, "weight")),
                                    text_of(member(part, "value"))));
      }
      out.text +=
          console.painted(Paint::kDim, console.in_lines("    why: " + join(parts, ", "))) + "\n";
    }
  }
  const Json& omitted = member(answer, "omitted");
  if (const Json& lines = member(answer, "matchedLines"); lines.is_number_unsigned()) {
    out.text +=
        fmt::format("{} in {}{}\n", counted(lines.get<std::size_t>(), "matching line"),
                    counted(member(answer, "matchedFiles").get<std::size_t>(), "file"),
                    omitted.is_number_unsigned()
                        ? fmt::format(", {} not shown: --limit shows up to 50", text_of(omitted))
                        : "");
  } else if (omitted.is_number_unsigned()) {
    out.text += text_of(omitted) + " more: --limit shows up to 50\n";
  }
  if (const Json& hidden = member(answer, "belowThreshold"); hidden.is_number_unsigned()) {
    const auto files = hidden.get<std::size_t>();
    out.text += fmt::format("{} more score{} below the threshold: --threshold 0 shows them\n",
                            with_thousands(static_cast<long long>(files)), files == 1 ? "s" : "");
  }
  out.text += remarks(answer, console);
  return out;
}

Rendered render_symbols(std::string_view text, const Console& console) {
  const Json answer = parse(text);
  Rendered out;
  for (const Json& item : member(answer, "results")) {
    out.found = true;
    const Json& symbol = member(item, "symbol");
    const Json& line =
        member(symbol, member(symbol, "nameLine").is_null() ? "startLine" : "nameLine");
    const std::string type = fmt::format("  {} ", text_of(member(symbol, "type")));
    const std::string name = full_name(symbol);
    out.text +=
        place(console, member(item, "file"), line) + type + console.painted(Paint::kName, name);
    const std::string match = text_of(member(item, "match"));
    if (!match.empty() && match != "exact") {
      const std::string how =
          fmt::format("  ({} match, {})", match, text_of(member(item, "score")));
      const std::size_t columns = column_count(text_of(member(member(item, "file"), "path")) + ":" +
                                               text_of(line) + type + name + how);
      // On a line of its own where the terminal's has no room.
      const bool fits = !console.is_terminal() || columns <= console.width();
      out.text += (fits ? "" : "\n  ") + console.painted(Paint::kDim, how);
    }
    const std::string signature = fold_whitespace(lines_of(member(symbol, "signature")));
    // A signature is told whole; of a definition's code there is the first line.
    out.text += "\n";
    out.text += signature.empty()
                    ? code_lines(first_line(member(symbol, "definition")), 4, 1, console)
                    : console.in_lines("    " + signature) + "\n";
    const std::string doc = first_line(member(symbol, "docstring"));
    if (!doc.empty()) {
      out.text += console.painted(Paint::kDim, console.in_lines("    " + doc)) + "\n";
    }
  }
  if (const std::string types = names_of(member(answer, "otherTypes")); !types.empty()) {
    out.text += "It exists with another type: " + types + "\n";
  }
  out.text += more_to_come(answer);
  out.text += remarks(answer, console);
  return out;
}

Rendered render_references(std::string_view text, const Console& console) {
  const Json answer = parse(text);
  Rendered out;
  std::size_t usages = 0, files = 0;
  std::string last_path;
  for (const Json& item : member(answer, "results")) {
    out.found = true;
    const bool definition = text_of(member(item, "type")) == "definition";
    const std::string path = text_of(member(member(item, "file"), "path"));
    if (!definition) {
      ++usages;
      files += path == last_path ? 0 : 1;
      last_path = path;
    }
    const std::string kind = definition ? "definition" : text_of(member(item, "kind"));
    const std::string confidence = text_of(member(item, "confidence"));
    const std::string sure = confidence.empty() || confidence == "resolved" || definition
                                 ? ""
                                 : "  (" + confidence + ")";
    const std::string place = fmt::format(":{}:{}  {:<10}  ", text_of(member(item, "line")),
                                          text_of(member(item, "column")), kind);
    const std::size_t used = column_count(path) + place.size() + sure.size();
    out.text += console.painted(Paint::kPath, path) + place +
                console.code_line(first_line(member(item, "context")), used) +
                console.painted(Paint::kDim, sure) + "\n";
    if (const Json& chain = member(item, "chain"); chain.is_array() && !chain.empty()) {
      out.text += console.painted(Paint::kDim, console.in_lines("    " + names_of(chain))) + "\n";
    }
  }
  for (const Json& around : member(answer, "hierarchy")) {
    const Json& of = member(around, "of");
    for (const auto& [name, words] : kNeighbourLists) {
      const std::string lines = neighbour_lines(member(around, name), console);
      if (lines.empty()) continue;
      out.text +=
          console.painted(Paint::kBold, fmt::format("{}: {}", text_of(member(of, "name")), words)) +
          "\n" + lines;
    }
  }
  if (out.found && usages > 0) {
    out.text += console.painted(
        Paint::kDim, fmt::format("{} in {}", counted(usages, "use"), counted(files, "file")));
    const Json& omitted = member(member(answer, "coverage"), "nameMatchesOmitted");
    if (omitted.is_number() && omitted.get<long long>() > 0) {
      out.text += console.painted(
          Paint::kDim,
          fmt::format("; {} more have the name alone (--min-confidence name shows them)",
                      with_thousands(omitted.get<long long>())));
    }
    out.text += "\n";
  }
  out.text += remarks(answer, console);
  for (const Json& spot : member(member(answer, "coverage"), "blindSpots")) {
    out.text += console.painted(
        Paint::kDim,
        console.code_line(
            fmt::format("  {}:{}  {}", text_of(member(member(spot, "file"), "path")),
                        text_of(member(spot, "line")), first_line(member(spot, "context"))),
            0) +
            "\n");
  }
  return out;
}

Rendered render_dependencies(std::string_view text, const Console& console) {
  const Json answer = parse(text);
  Rendered out;
  const auto list = [&](const char* name, const char* heading) {
    const Json& edges = member(answer, name);
    if (!edges.is_array() || edges.empty()) return;
    out.found = true;
    out.text += console.painted(Paint::kBold, heading) + "\n";
    for (const Json& edge : edges) out.text += edge_line(edge, console);
  };
  list("dependencies", "imports");
  list("resources", "uses");
  list("dependents", "imported by");
  if (const Json& cycles = member(answer, "cycles"); cycles.is_array() && !cycles.empty()) {
    out.text += console.painted(Paint::kBold, "cycles") + "\n";
    for (const Json& cycle : cycles) {
      std::vector<std::string> paths;
      for (const Json& path : cycle) paths.push_back(text_of(path));
      if (!paths.empty()) paths.push_back(paths.front());
      out.text += console.in_lines("  " + join(paths, " -> ")) + "\n";
    }
  }
  if (const std::string missing = names_of(member(answer, "unresolved")); !missing.empty()) {
    out.text += fmt::format("{}\n{}\n", console.painted(Paint::kBold, "not found"),
                            console.in_lines("  " + missing));
  }
  out.text += more_to_come(answer);
  out.text += remarks(answer, console);
  return out;
}

Rendered render_context(std::string_view text, const Console& console) {
  const Json answer = parse(text);
  Rendered out;
  const auto heading = [&](const std::string& words) {
    out.text += (out.text.empty() ? "" : "\n") + console.painted(Paint::kBold, words) + "\n";
  };
  const Json& file = member(answer, "file");
  out.found = file.is_object();
  heading(text_of(member(file, "path")));
  for (const Json& symbol : member(answer, "symbols")) {
    const std::string signature = fold_whitespace(lines_of(member(symbol, "signature")));
    const std::string line = text_of(member(symbol, "startLine"));
    const std::string place = fmt::format("  {:>5}  {:<9} ", line, text_of(member(symbol, "type")));
    out.text += place +
                (signature.empty() ? console.painted(Paint::kName, full_name(symbol))
                                   : console.code_line(signature, place.size())) +
                "\n";
    const std::string doc = first_line(member(symbol, "docstring"));
    if (!doc.empty()) {
      out.text += console.painted(Paint::kDim, console.in_lines("         " + doc)) + "\n";
    }
  }
  for (const auto& [name, words] : kNeighbourLists) {
    const std::string lines = neighbour_lines(member(answer, name), console);
    if (lines.empty()) continue;
    heading(words);
    out.text += lines;
  }
  if (const Json& notes = member(answer, "memories"); notes.is_array() && !notes.empty()) {
    heading("remembered and decided");
    for (const Json& note : notes) {
      const std::string status = text_of(member(note, "decision"));
      const std::string symbol = text_of(member(note, "symbol"));
      const std::string about =
          fmt::format("  {}{}, code {}", status.empty() ? "" : status + " decision, ",
                      symbol.empty() ? "the file" : symbol, text_of(member(note, "code_state")));
      out.text += fmt::format("  {}  {}{}\n", text_of(member(note, "id")),
                              text_of(member(note, "title")), console.painted(Paint::kDim, about));
    }
  }
  if (const Json& tests = member(answer, "tests"); tests.is_array() && !tests.empty()) {
    heading("tests");
    for (const Json& item : tests) {
      out.text += fmt::format("  {}  {}\n", place(console, item, member(item, "line")),
                              text_of(member(item, "test")));
    }
  }
  if (const Json& related = member(answer, "relatedFiles");
      related.is_array() && !related.empty()) {
    heading("related files");
    for (const Json& item : related) {
      const std::string why = text_of(member(item, "reason"));
      const std::string path = text_of(member(item, "path"));
      const std::string told = console.cut_to_line(why, column_count(path) + 4);
      out.text += fmt::format("  {}{}\n", console.painted(Paint::kPath, path),
                              why.empty() ? "" : console.painted(Paint::kDim, "  " + told));
    }
  }
  if (const Json& edges = member(answer, "dependencies"); edges.is_array() && !edges.empty()) {
    heading("imports");
    for (const Json& edge : edges) out.text += edge_line(edge, console);
  }
  for (const Json& code : member(answer, "relevantCode")) {
    std::string path = text_of(member(code, "path"));
    if (path.empty()) path = text_of(member(member(code, "file"), "path"));
    if (path.empty()) path = text_of(member(file, "path"));
    heading(fmt::format("{}:{}-{}", path, text_of(member(code, "startLine")),
                        text_of(member(code, "endLine"))));
    out.text += code_lines(lines_of(member(code, "content")), 2, 60, console);
  }
  out.text += remarks(answer, console);
  return out;
}

}  // namespace codexmem::app
