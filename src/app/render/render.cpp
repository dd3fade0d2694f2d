#include "app/render/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "app/render/columns.h"
#include "app/render/snippet.h"
#include "ask/code/find_symbol.h"
#include "ask/code/get_context.h"
#include "ask/code/get_references.h"
#include "ask/code/locate.h"
#include "ask/code/search_code.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "text/counted.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kOwnCodeForModel = 24, kRelatedCodeForModel = 6;  // lines

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

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

std::string place(const Console& console, const std::string& path, std::size_t line) {
  return fmt::format("{}:{}", console.painted(Paint::kPath, terminal_line(path)), line);
}

std::string neighbour_lines(const std::vector<graph::Neighbour>& list, const Console& console) {
  std::string lines;
  for (const graph::Neighbour& item : list) {
    lines += fmt::format("{}{}  {}\n", std::string(2 * std::max<std::size_t>(item.depth, 1), ' '),
                         place(console, item.path, item.symbol.start.line),
                         terminal_line(item.symbol.qualified_name()));
  }
  return lines;
}

// How a list of neighbours is called for people.
std::string_view words_for(std::string_view list) {
  return list == "overriddenBy" ? "overridden by" : list;
}

// The lines that match in a file, where there are more than the one shown.
std::string other_lines(const search::SearchHit& hit) {
  if (hit.match_count < 2) return "";
  std::vector<std::string> numbers;
  for (const auto line : hit.match_lines) numbers.push_back(std::to_string(line));
  return fmt::format("    {}: {}{}\n", counted(hit.match_count, "matching line"),
                     join(numbers, ", "), numbers.size() < hit.match_count ? ", ..." : "");
}

// The parts of a score, if they were asked for.
std::string score_parts(const std::vector<search::ScorePart>& why, const Console& console) {
  if (why.empty()) return {};
  std::vector<std::string> parts;
  for (const search::ScorePart& part : why) {
    parts.push_back(fmt::format("{} {:.2f} x {:.2f}", part.name, ask::rounded_score(part.weight),
                                ask::rounded_score(part.value)));
  }
  return console.painted(Paint::kDim, console.in_lines("    why: " + join(parts, ", "))) + "\n";
}

std::string hit_lines(const search::SearchHit& hit, const fleet::HitPlace* from,
                      std::size_t most_lines, const Console& console) {
  std::string out;
  if (from == nullptr) {
    out = place(console, hit.path, hit.line);
  } else if (from->local.empty()) {
    out = place(console, from->repository + ":" + hit.path, hit.line);
  } else {
    out = place(console, from->local + "/" + hit.path, hit.line);
  }
  if (hit.symbol) {
    out += fmt::format("  {} {}", symbol_type_name(hit.symbol->type),
                       console.painted(Paint::kName, terminal_line(hit.symbol->qualified_name())));
  }
  const std::string score = fmt::format("  {:.2f}", ask::rounded_score(hit.score));
  out += console.painted(Paint::kDim, score) + "\n";
  out += snippet_lines(hit, most_lines, console);
  out += console.painted(Paint::kDim, console.in_lines(other_lines(hit)));
  if (from != nullptr && !from->copies.empty()) {
    const std::string also = "    the same file: " + terminal_line(join(from->copies, ", ")) + "\n";
    out += console.painted(Paint::kDim, console.in_lines(also));
  }
  return out + score_parts(hit.why, console);
}

std::string match_lines(const graph::SymbolMatch& match, const std::string& definition,
                        const Console& console) {
  const store::SymbolRow& symbol = match.symbol;
  const std::size_t line = symbol.name_start.line;
  const std::string type = fmt::format("  {} ", symbol_type_name(symbol.type));
  const std::string name = terminal_line(symbol.qualified_name());
  // Where the terminal's line has no room, the name has one of its own.
  const std::size_t used = column_count(terminal_line(match.path) + ":" + std::to_string(line));
  const bool is_short =
      !console.is_terminal() || used + column_count(type + name) <= console.width();
  std::string out = place(console, match.path, line) + (is_short ? "" : "\n  ") + type +
                    console.painted(Paint::kName, name);
  if (match.match != graph::NameMatch::kExact) {
    const std::string how = fmt::format("  ({} match, {:.2f})", graph::name_match_name(match.match),
                                        ask::rounded_score(match.score));
    const std::size_t columns = (is_short ? used : 2) + column_count(type + name + how);
    const bool fits = !console.is_terminal() || columns <= console.width();
    out += (fits ? "" : "\n  ") + console.painted(Paint::kDim, how);
  }
  // A signature is shown whole; of a definition's code only the first line.
  const std::string signature =
      symbol.signature == definition ? "" : fold_whitespace(symbol.signature);
  out += "\n";
  out += signature.empty() ? code_lines(first_line(definition), 4, 1, console)
                           : console.in_lines("    " + signature) + "\n";
  const std::string doc = first_line(symbol.docstring);
  if (!doc.empty()) out += console.painted(Paint::kDim, console.in_lines("    " + doc)) + "\n";
  return out;
}

// Where a use is; of a definition its name, whatever decorators stand before it.
Position shown_position(const graph::ReferenceItem& item) {
  return item.is_definition ? item.name_position : item.position;
}

// What follows the place of a use: "  call        x.f();  (likely)".
std::string reference_text(const graph::ReferenceItem& item, std::size_t used,
                           const Console& console) {
  const std::string_view kind =
      item.is_definition ? "definition" : graph::usage_kind_name(item.kind);
  const std::string sure = item.is_definition || item.confidence == graph::Confidence::kResolved
                               ? ""
                               : fmt::format("  ({})", graph::confidence_name(item.confidence));
  const std::string role = fmt::format("  {:<{}}  ", kind, console.is_model() ? 0 : 10);
  const std::string& line = item.name_context.empty() ? item.context : item.name_context;
  std::string out = role + console.code_line(first_line(line), used + role.size() + sure.size()) +
                    console.painted(Paint::kDim, sure) + "\n";
  if (!item.chain.empty()) {
    out += console.painted(Paint::kDim, console.in_lines("    " + names_of(item.chain))) + "\n";
  }
  return out;
}

using References = std::span<const graph::ReferenceItem>;

// One line each, which grep and editors read: "b.ts:7:3  call        x.f();".
std::string lines_of_references(References items, const Console& console) {
  std::string out;
  for (const graph::ReferenceItem& item : items) {
    const Position at = shown_position(item);
    const std::string path = terminal_line(item.path);
    const std::string where = fmt::format(":{}:{}", at.line, at.column);
    out += console.painted(Paint::kPath, path) + where +
           reference_text(item, column_count(path) + where.size(), console);
  }
  return out;
}

// A heading for each file, then its rows, `limit` in all: "    7:3  call        x.f();".
std::string files_of_references(References items, std::size_t limit, const Console& console) {
  std::string out;
  while (!items.empty() && limit > 0) {
    const graph::ReferenceItem& first = items.front();
    const auto end =
        std::find_if(items.begin(), items.end(), [&](const graph::ReferenceItem& item) {
          return item.path != first.path || item.is_definition != first.is_definition;
        });
    const auto count = static_cast<std::size_t>(end - items.begin());  // shown or not
    const References group = items.first(std::min(count, limit));
    std::vector<std::string> places;
    std::size_t width = 0;
    for (const graph::ReferenceItem& item : group) {
      const Position at = shown_position(item);
      places.push_back(fmt::format("{}:{}", at.line, at.column));
      width = std::max(width, places.back().size());
    }
    const char* what = first.is_definition ? "definition" : "use";
    out += console.painted(Paint::kPath, terminal_line(first.path)) +
           console.painted(Paint::kDim, "  " + counted(count, what)) + "\n";
    for (std::size_t i = 0; i < group.size(); ++i) {
      out +=
          fmt::format("  {:>{}}", places[i], width) + reference_text(group[i], width + 2, console);
    }
    items = items.subspan(count);
    limit -= group.size();
  }
  return out;
}

// Notes that the uses belong to several definitions. Overloads count as one, prototypes as zero.
std::string note_merged(const std::vector<graph::ReferenceDefinition>& definitions) {
  std::set<std::pair<std::string, std::string>> names;
  for (const auto& each : definitions) {
    if (each.kind != "prototype") names.emplace(each.path, each.qualified_name);
  }
  if (names.size() < 2) return "";
  const auto& [path, name] = *names.begin();
  return fmt::format("{} definitions are called {}; to choose one, ask for {}::{}\n",
                     with_thousands(static_cast<long long>(names.size())),
                     terminal_line(definitions.front().name), terminal_line(path),
                     terminal_line(name));
}

std::string note_line(const memory::CodeNote& note, const Console& console) {
  const memory::CitationState& cited = note.cited;
  const std::string symbol =
      terminal_line(cited.symbol.empty() ? cited.citation.symbol : cited.symbol);
  std::string about = fmt::format(
      "  {}{}, code {}", note.status.empty() ? "" : terminal_line(note.status) + " decision, ",
      symbol.empty() ? "the file" : symbol, memory::code_state_name(cited.state));
  if (!note.branch.empty()) {
    about += fmt::format(", on branch {}, not merged", terminal_line(note.branch));
  }
  return fmt::format("  {}  {}{}\n", terminal_line(note.id), terminal_line(ask::note_title(note)),
                     console.painted(Paint::kDim, about));
}

template <typename Answer>
const Answer& as(const ask::Answer& answer) {
  return static_cast<const Answer&>(answer);
}

}  // namespace

std::string names_of(const std::vector<std::string>& list) {
  std::vector<std::string> names;
  for (const std::string& name : list) names.push_back(terminal_line(name));
  return join(names, ", ");
}

std::string remarks(const std::string& note, const std::vector<std::string>& near,
                    const Console& console) {
  std::string out;
  if (!note.empty()) out += console.in_words(note) + "\n";
  if (!near.empty()) out += console.in_lines("Did you mean: " + names_of(near) + "\n");
  return out;
}

std::string end_of_list(const ask::Rest& rest, const std::string& note, const Console& console) {
  std::string text;
  if (rest.omitted > 0) {
    text = fmt::format("\nand {} more: {} {}\n", rest.omitted, console.option("offset"),
                       rest.next_offset);
  }
  if (!note.empty()) text += "\n" + console.in_lines(terminal_line(note)) + "\n";
  return text;
}

std::string more_to_come(const ask::Rest& rest, const Console& console) {
  if (rest.omitted == 0) return "";
  return fmt::format("{} more, {} {} goes on\n", rest.omitted, console.option("offset"),
                     rest.next_offset);
}

std::string omitted_line(const ask::Omitted& omitted, const Console& console) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : omitted) parts.push_back(fmt::format("{} {}", name, count));
  if (parts.empty()) return "";
  return fmt::format("not shown: {}: a larger {} shows more\n", join(parts, ", "),
                     console.option("max_tokens"));
}

Rendered render_search(const ask::Answer& given, const Console& console) {
  const auto& answer = as<ask::SearchCodeAnswer>(given);
  const search::SearchAnswer& found = answer.found;
  Rendered out;
  out.found = !found.hits.empty();
  if (found.degraded) out.warning = found.note;
  // A model reads every line; of later hits it needs to know what they are.
  constexpr std::size_t kLines = 6, kLinesOfLater = 2, kFirstHits = 3;
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    out.text += hit_lines(found.hits[i], i < answer.places.size() ? &answer.places[i] : nullptr,
                          console.is_model() && i >= kFirstHits ? kLinesOfLater : kLines, console);
  }
  const std::size_t omitted = answer.rest.omitted;
  if (found.matched_lines > 0) {
    out.text += fmt::format("{} in {}{}\n", counted(found.matched_lines, "matching line"),
                            counted(found.matched_files, "file"),
                            omitted > 0 ? fmt::format(", {} not shown: {} shows up to 50", omitted,
                                                      console.option("limit"))
                                        : "");
  } else if (omitted > 0) {
    out.text += fmt::format("{} more: {} shows up to 50\n", omitted, console.option("limit"));
  }
  // Behind a full answer nobody looks for worse ones.
  constexpr std::size_t kFew = 3;
  if (found.below_threshold > 0 && found.hits.size() < kFew) {
    out.text += fmt::format("{} more score{} below the threshold: {} 0 shows them\n",
                            with_thousands(static_cast<long long>(found.below_threshold)),
                            found.below_threshold == 1 ? "s" : "", console.option("threshold"));
  }
  out.text += remarks(found.note, {}, console);
  return out;
}

std::string account_meaning(const graph::UseAccount& account, const Console& console) {
  if (!console.is_model() || !account.is_complete()) return std::string();
  return "A search of the text finds these places and no others.\n";
}

Rendered render_located(const ask::Answer& given, const Console& console) {
  const search::LocateAnswer& found = as<ask::LocateAnswer>(given).found;
  Rendered out;
  out.found = !found.functions.empty();
  if (found.degraded) out.warning = found.note;
  for (const search::LocatedFunction& function : found.functions) {
    out.text += place(console, function.path, function.line) + "  " +
                console.painted(Paint::kName, terminal_line(function.qualified_name())) +
                console.painted(Paint::kDim, fmt::format("  {:.2f}", function.probability)) + "\n";
    const std::string reasons = "    " + terminal_line(join(function.reasons, "; ")) + "\n";
    out.text += console.painted(Paint::kDim, console.in_lines(reasons)) +
                score_parts(function.why, console);
    if (function.code.empty()) continue;
    std::string_view code = function.code;
    while (code.ends_with('\n')) code.remove_suffix(1);
    const std::vector<std::string_view> lines = split(code, '\n');
    if (function.is_code_cut) {
      out.text += fmt::format("    lines {}-{} of {}-{}:\n", function.code_line,
                              function.code_line + lines.size() - 1, function.start_line,
                              function.end_line);
    }
    for (const std::string_view line : lines) out.text += "    " + terminal_line(line) + "\n";
  }
  if (found.beyond_limit > 0 && !console.is_model()) {
    out.text +=
        fmt::format("{} more: {} shows up to 50\n", found.beyond_limit, console.option("limit"));
  }
  out.text += remarks(found.note, {}, console);
  return out;
}

Rendered render_symbols(const ask::Answer& given, const Console& console) {
  const auto& answer = as<ask::FindSymbolAnswer>(given);
  Rendered out;
  out.found = !answer.found.results.empty();
  for (std::size_t i = 0; i < answer.found.results.size(); ++i) {
    out.text += match_lines(answer.found.results[i], answer.definitions[i], console);
    if (answer.relatives.empty() ||
        answer.relatives[i].confidence == graph::Confidence::kResolved) {
      continue;
    }
    out.text += console.painted(Paint::kDim, "    likely") + "\n";
  }
  std::vector<std::string> types;
  for (const SymbolType type : answer.found.other_types) types.emplace_back(symbol_type_name(type));
  if (!types.empty()) out.text += "It exists with another type: " + join(types, ", ") + "\n";
  out.text += more_to_come(answer.rest, console);
  const bool is_exact = answer.is_exact();
  out.text += remarks(answer.note, is_exact ? std::vector<std::string>() : answer.found.suggestions,
                      console);
  return out;
}

Rendered render_references(const ask::Answer& given, const Console& console, std::size_t limit) {
  const auto& answer = as<ask::GetReferencesAnswer>(given);
  const graph::ReferenceCoverage& coverage = answer.found.coverage;
  Rendered out;
  const References all = answer.found.items;
  const References shown = all.first(limit == 0 ? all.size() : std::min(limit, all.size()));
  out.found = !all.empty();
  out.text = console.is_terminal() || console.is_model()
                 ? files_of_references(all, shown.size(), console)
                 : lines_of_references(shown, console);
  if (shown.size() < all.size()) {
    out.text += fmt::format("... {} more: --limit 0 shows all\n",
                            with_thousands(static_cast<long long>(all.size() - shown.size())));
  }
  std::size_t usages = 0;
  std::set<std::string_view> files;
  for (const graph::ReferenceItem& item : all) {
    if (item.is_definition || item.confidence < graph::Confidence::kLikely) continue;
    ++usages;
    files.insert(item.path);
  }
  for (const ask::DefinitionNeighbours& around : answer.neighbours) {
    for (const auto& [name, list] : ask::lists_of(around)) {
      if (list->empty()) continue;
      const std::string heading =
          fmt::format("{}: {}", terminal_line(around.name), words_for(name));
      out.text += console.painted(Paint::kBold, heading) + "\n" + neighbour_lines(*list, console);
    }
  }
  if (usages > 0) {
    const std::string sum =
        fmt::format("{} in {}", counted(usages, "use"), counted(files.size(), "file"));
    out.text += console.painted(Paint::kDim, sum) + "\n";
  }
  out.text += more_to_come(answer.rest, console);
  ask::Omitted omitted;
  ask::add_omitted(omitted, "definitions", answer.definitions_omitted);
  ask::add_omitted(omitted, "neighbours", answer.neighbours_omitted);
  out.text += omitted_line(omitted, console);
  if (answer.found.account.total() > 0) {
    const std::string account = graph::account_text(answer.found.account);
    out.text += console.painted(Paint::kDim, console.in_lines(account)) + "\n";
    out.text += account_meaning(answer.found.account, console);
  }
  out.text += console.in_lines(note_merged(answer.found.definitions));
  out.text += remarks(answer.note, answer.found.suggestions, console);
  for (const graph::BlindSpot& spot : coverage.blind_spots) {
    out.text += console.painted(
        Paint::kDim, console.code_line(fmt::format("  {}:{}  {}", terminal_line(spot.path),
                                                   spot.line, first_line(spot.context)),
                                       0) +
                         "\n");
  }
  return out;
}

Rendered render_context(const ask::Answer& given, const Console& console) {
  const auto& answer = as<ask::GetContextAnswer>(given);
  Rendered out;
  out.found = true;
  const auto heading = [&](std::string_view words) {
    out.text += (out.text.empty() ? "" : "\n") + console.painted(Paint::kBold, words) + "\n";
  };
  heading(terminal_line(answer.file.path));
  for (const store::SymbolRow& symbol : answer.symbols) {
    const bool is_narrow = console.is_model();
    out.text += fmt::format("  {:>{}}  {:<{}} {}\n", symbol.start.line, is_narrow ? 0 : 5,
                            symbol_type_name(symbol.type), is_narrow ? 0 : 9,
                            console.painted(Paint::kName, terminal_line(symbol.qualified_name())));
    const std::string doc = first_line(ask::shown_docstring(symbol));
    if (!doc.empty()) {
      const std::string indent(is_narrow ? 4 : 9, ' ');
      out.text += console.painted(Paint::kDim, console.in_lines(indent + doc)) + "\n";
    }
  }
  const auto neighbours = [&](std::string_view name, const std::vector<graph::Neighbour>& list) {
    if (list.empty()) return;
    heading(words_for(name));
    out.text += neighbour_lines(list, console);
  };
  neighbours("callers", answer.callers);
  neighbours("callees", answer.callees);
  neighbours("types", answer.types);
  for (const auto& [name, list] : ask::lists_of(answer.hierarchy)) neighbours(name, *list);
  if (!answer.rules.empty()) heading("rules of decisions");
  for (const ask::RuleVerdict& verdict : answer.rules) {
    const std::string broken = ask::verdict_text(verdict);
    out.text +=
        console.in_lines("  " + terminal_line(broken.empty() ? verdict.of.rule.text : broken)) +
        "\n";
  }
  if (!answer.notes.notes.empty()) heading("remembered and decided");
  for (const memory::CodeNote& note : answer.notes.notes) out.text += note_line(note, console);
  if (!answer.tests.empty()) heading("tests");
  for (const graph::TestUse& use : answer.tests) {
    out.text += fmt::format("  {}  {}\n", place(console, use.path, use.first.line),
                            terminal_line(use.test));
  }
  if (!answer.related.empty()) heading("related files");
  for (const ask::RelatedFile& file : answer.related) {
    const std::string why = terminal_line(join(file.reasons, ", "));
    const std::string path = terminal_line(file.path);
    const std::string reason = console.cut_to_line(why, column_count(path) + 4);
    out.text += fmt::format("  {}{}\n", console.painted(Paint::kPath, path),
                            why.empty() ? "" : console.painted(Paint::kDim, "  " + reason));
  }
  if (!answer.dependencies.empty()) heading("imports");
  out.text += edge_lines(answer.dependencies, true, console);
  for (const ask::CodePiece& piece : answer.code) {
    heading(fmt::format("{}:{}-{}", terminal_line(piece.path), piece.start_line, piece.end_line));
    // A model that asks for one symbol reads its code, of a whole file and of related ones how they
    // begin.
    const bool is_own = piece.path == answer.file.path;
    const std::size_t most = !console.is_model() || (is_own && answer.symbols.size() == 1) ? 60
                             : is_own ? kOwnCodeForModel
                                      : kRelatedCodeForModel;
    out.text += code_lines(piece.content, 2, most, console);
  }
  out.text += omitted_line(answer.omitted, console);
  return out;
}

}  // namespace codexmem::app
