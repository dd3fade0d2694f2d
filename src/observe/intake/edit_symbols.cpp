// Symbols are compared by their qualified names. The text of a symbol that counts is its own,
// without the text of the symbols inside it and with white space folded: an edit of a method is not
// reported for its class too, and an indentation changes nothing. Of several with one name
// (overloads) those with equal texts pair up first. A symbol added with its container is not
// reported.
//
// Tested by observe/edit_symbols_test.cpp.
#include "observe/intake/edit_symbols.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/rules/languages.h"

namespace codexmem::observe {
namespace {

constexpr std::chrono::milliseconds kParseTime{150};
constexpr std::size_t kMaxNameBytes = 120;
constexpr std::size_t kMaxLineBytes = 400;  // of a line that is looked at for a declaration
constexpr std::size_t kMaxShownLineBytes = 160;
constexpr int kMaxDepth = 8;                           // of classes around a symbol that are named
constexpr std::size_t kMinRenamedBytes = 12;           // shorter texts are the same by chance
constexpr std::string_view kFrame = "codexmem_frame";  // the class that members are read inside

using TextLines = std::vector<std::string_view>;

TextLines lines_of(std::string_view text) {
  TextLines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

bool is_indent(char c) { return is_blank(c) || c == '\r'; }
bool is_name(char c) { return is_word_char(c) || c == '$' || (c & 0x80) != 0; }

std::size_t indent_of(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && is_indent(line[i])) ++i;
  return i;
}
bool is_blank_line(std::string_view line) { return indent_of(line) == line.size(); }

void push(std::vector<std::string>& names, std::string name) {
  if (names.size() < kMaxSymbolsOfEdit &&
      std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(std::move(name));
  }
}

// ---- lines

struct LineDifference {
  TextLines added, removed;  // in order
};

// TextLines that one text has and the other has not, counted; lines of a moved block are neither.
LineDifference difference_of(std::string_view before, std::string_view after) {
  const TextLines old_lines = lines_of(before), new_lines = lines_of(after);
  std::unordered_map<std::string_view, std::int64_t> counts;
  for (const std::string_view line : old_lines) ++counts[line];
  LineDifference difference;
  for (const std::string_view line : new_lines) {
    if (--counts[line] < 0) difference.added.push_back(line);
  }
  for (auto it = old_lines.rbegin(); it != old_lines.rend(); ++it) {
    if (auto& count = counts[*it]; count > 0) {
      --count;
      difference.removed.push_back(*it);
    }
  }
  std::reverse(difference.removed.begin(), difference.removed.end());
  return difference;
}

// ---- names by lines, for files without a grammar

std::string_view word_at(std::string_view line, std::size_t begin) {
  std::size_t end = begin;
  while (end < line.size() && is_name(line[end])) ++end;
  return line.substr(begin, end - begin);
}

// "def name", "class Name", "function name", "func name": the name of what a line declares.
std::string declared_in(std::string_view line) {
  static constexpr std::array<std::string_view, 18> kKeywords = {
      "def",   "class",  "function",  "func", "fn",     "fun",    "sub",      "proc",      "module",
      "trait", "struct", "interface", "enum", "object", "record", "protocol", "extension", "macro"};
  line = line.substr(0, std::min(line.size(), kMaxLineBytes));
  std::size_t i = indent_of(line);
  for (int words = 0; words < 6 && i < line.size(); ++words) {
    const std::string_view word = word_at(line, i);
    if (word.empty()) return {};
    i += word.size();
    if (i >= line.size() || line[i] != ' ') return {};
    while (i < line.size() && line[i] == ' ') ++i;
    if (std::find(kKeywords.begin(), kKeywords.end(), word) == kKeywords.end()) continue;
    std::string_view name = word_at(line, i);
    if (name == "self" && i + 5 < line.size() && line[i + 4] == '.') name = word_at(line, i + 5);
    if (name.empty() || name == "is" || name == "of" || name == "that") return {};
    const bool calls = word == "def" || word.starts_with("f") || word == "sub" || word == "proc";
    return std::string(name) + (calls ? "()" : "");
  }
  return {};
}

// Shell: name() {
std::string shell_function_in(std::string_view line) {
  const std::string_view name = word_at(line, indent_of(line));
  const std::size_t end = indent_of(line) + name.size();
  return !name.empty() && line.substr(end, 2) == "()" ? std::string(name) + "()" : "";
}

std::string heading_in(std::string_view line) {
  std::size_t level = 0;
  while (level < line.size() && line[level] == '#') ++level;
  if (level == 0 || level > 6 || level >= line.size() || line[level] != ' ') return {};
  return std::string(utf8_prefix(trim(line.substr(level)), kMaxNameBytes));
}

// "name": value, name: value, name = value.
std::string key_in(std::string_view line) {
  std::size_t i = indent_of(line);
  if (line.substr(i, 2) == "- ") i += 2;
  const bool quoted = i < line.size() && (line[i] == '"' || line[i] == '\'');
  if (quoted) ++i;
  std::size_t end = i;
  while (end < line.size() && end - i < kMaxNameBytes &&
         (is_name(line[end]) || std::string_view("-./@*").find(line[end]) != std::string::npos)) {
    ++end;
  }
  const std::string name(line.substr(i, end - i));
  if (quoted && end < line.size()) ++end;
  while (end < line.size() && line[end] == ' ') ++end;
  if (name.empty() || end >= line.size() || (line[end] != ':' && line[end] != '=')) return {};
  if (line[end] == ':' && end + 1 < line.size() && line[end + 1] == '/') return {};  // an address
  return name;
}

// it("does this", ...), test('...'), TEST(A, B).
std::string test_in(std::string_view line) {
  std::string_view rest = line.substr(std::min(indent_of(line), line.size()));
  const std::string_view word = word_at(rest, 0);
  if (word.starts_with("TEST") && (word == "TEST" || word == "TEST_F" || word == "TEST_P") &&
      rest.substr(word.size(), 1) == "(") {
    const std::size_t end = rest.find(')');
    if (end == std::string_view::npos) return {};
    const auto names = split(rest.substr(word.size() + 1, end - word.size() - 1), ',');
    if (names.size() != 2) return {};
    return std::string(trim(names[0])) + "." + std::string(trim(names[1]));
  }
  if (word != "it" && word != "test") return {};
  rest.remove_prefix(word.size());
  for (const std::string_view modifier : {".only", ".skip", ".concurrent", ".sequential"}) {
    if (rest.starts_with(modifier)) rest.remove_prefix(modifier.size());
  }
  if (rest.size() < 3 || rest[0] != '(') return {};
  const char quote = rest[1];
  if (quote != '"' && quote != '\'' && quote != '`') return {};
  const std::size_t end = rest.find(quote, 2);
  if (end == std::string_view::npos) return {};
  return std::string(utf8_prefix(rest.substr(2, end - 2), kMaxNameBytes));
}

template <typename Find>
void collect(const TextLines& lines, const Find& find, std::vector<std::string>& names) {
  for (const std::string_view line : lines) {
    if (names.size() >= kMaxSymbolsOfEdit) return;
    std::string name = find(line.substr(0, std::min(line.size(), kMaxLineBytes)));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
}

// A name declared only by added lines is new, by both changed, only by removed lines gone.
template <typename Find>
void compare_lines(const LineDifference& lines, const Find& find, EditSymbols& edit) {
  std::vector<std::string> added, removed;
  collect(lines.added, find, added);
  collect(lines.removed, find, removed);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : added) {
    push(has(removed, name) ? edit.changed : edit.added, name);
  }
  for (const std::string& name : removed) {
    if (!has(added, name)) push(edit.removed, name);
  }
}

// ---- symbols

struct KnownSymbol {
  std::string name;       // as it is shown
  std::string parent;     // of the innermost enclosing symbol, as it is shown; empty: none
  std::string own;        // folded text, without the symbols inside it
  std::string body;       // likewise, without its name
  bool is_minor = false;  // a variable, a field
  bool is_variable = false;
  bool is_indented = false;  // where it is in its text
};
using Symbols = std::vector<KnownSymbol>;

// What statements look like where declarations are expected: if (...) { ... }.
bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kKeywords = {
      "if", "for", "while", "switch",    "else",   "return", "catch",
      "do", "try", "await", "constexpr", "sizeof", "assert", "throw"};
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

bool is_callable(const parse::Symbol& symbol) {
  return symbol.type == SymbolType::kFunction || symbol.type == SymbolType::kMethod;
}

// With the classes around it; packages and namespaces go without saying.
std::string shown_name(const parse::FileFacts& facts, const parse::Symbol& symbol) {
  std::string name = symbol.name;
  const parse::Symbol* outer = &symbol;
  for (int depth = 0; depth < kMaxDepth && outer->parent < facts.symbols.size(); ++depth) {
    outer = &facts.symbols[outer->parent];
    if (outer->kind == "namespace" || outer->name.empty() || outer->name == kFrame) continue;
    name = outer->name + "." + name;
  }
  std::string shown(utf8_prefix(name, kMaxNameBytes));
  if (is_callable(symbol) && symbol.kind != "getter" && symbol.kind != "setter") shown += "()";
  return shown;
}

// Of `facts`, whose symbols are by place with the enclosing one first.
Symbols symbols_in(const parse::FileFacts& facts, std::string_view text) {
  std::vector<std::vector<ByteRange>> inner(facts.symbols.size());
  for (const parse::Symbol& symbol : facts.symbols) {
    if (symbol.parent < inner.size()) inner[symbol.parent].push_back(symbol.range);
  }
  Symbols symbols;
  symbols.reserve(facts.symbols.size());
  for (std::size_t n = 0; n < facts.symbols.size(); ++n) {
    const parse::Symbol& symbol = facts.symbols[n];
    if (symbol.name.empty() || symbol.name == kFrame || is_keyword(symbol.name)) continue;
    KnownSymbol known;
    known.name = shown_name(facts, symbol);
    if (symbol.parent < facts.symbols.size() && facts.symbols[symbol.parent].name != kFrame) {
      known.parent = shown_name(facts, facts.symbols[symbol.parent]);
    }
    std::string own, body;
    std::size_t at = symbol.range.begin;
    const auto take = [&](std::size_t end) {
      if (end <= at) return;
      own += text.substr(at, end - at);
      const std::size_t name_begin = symbol.name_range.begin, name_end = symbol.name_range.end;
      if (name_begin >= at && name_end <= end && name_end > name_begin) {
        body += text.substr(at, name_begin - at);
        body += '\x01';
        body += text.substr(name_end, end - name_end);
      } else {
        body += text.substr(at, end - at);
      }
    };
    for (const ByteRange& range : inner[n]) {
      take(range.begin);
      at = std::max<std::size_t>(at, range.end);
    }
    take(symbol.range.end);
    known.own = fold_whitespace(own);
    known.body = fold_whitespace(body);
    const std::size_t line = text.rfind('\n', symbol.range.begin);
    known.is_indented = (line == std::string_view::npos ? 0 : line + 1) < symbol.range.begin;
    known.is_variable = symbol.type == SymbolType::kVariable;
    known.is_minor = known.is_variable || symbol.type == SymbolType::kProperty;
    symbols.push_back(std::move(known));
  }
  return symbols;
}

struct Parsed {
  Symbols symbols;
  std::size_t unparsed = 0;  // bytes
  std::size_t majors = 0;
  bool has_statements = false;  // where declarations were expected
};

Parsed parse_text(parse::Extractor& extractor, const parse::Language& language,
                  const std::string& text) {
  auto facts = extractor.extract(language, text, {.time_limit = kParseTime});
  Parsed parsed;
  if (!facts.ok()) return parsed;
  parsed.symbols = symbols_in(*facts, text);
  for (const ByteRange& range : facts->unparsed) parsed.unparsed += range.end - range.begin;
  for (const KnownSymbol& symbol : parsed.symbols) parsed.majors += symbol.is_minor ? 0 : 1;
  for (const parse::Symbol& symbol : facts->symbols) {
    parsed.has_statements = parsed.has_statements || is_keyword(symbol.name);
  }
  return parsed;
}

// The class that a fragment's members are read inside, by language; empty: none is needed.
std::pair<std::string, std::string> frame_of(const parse::Language& language) {
  const std::string_view frame = language.class_frame;
  if (frame.empty()) return {};
  const std::size_t name = frame.find('@'), end = frame.rfind('}');
  return {std::string(frame.substr(0, name)) + std::string(kFrame) +
              std::string(frame.substr(name + 1, end - name - 1)) + "\n",
          "\n" + std::string(frame.substr(end)) + "\n"};
}

// Indentation that all lines but the first have, which editing tools often give without its own.
struct Dedented {
  std::string text;
  bool is_inside = false;  // it stood inside something
};
Dedented dedented(std::string_view fragment, bool has_block_comments) {
  const TextLines lines = lines_of(fragment);
  std::size_t least = std::string_view::npos;
  for (std::size_t n = 1; n < lines.size(); ++n) {
    if (!is_blank_line(lines[n])) least = std::min(least, indent_of(lines[n]));
  }
  const std::size_t first = lines.empty() ? 0 : indent_of(lines[0]);
  if (least == std::string_view::npos) least = first;
  // "def f():\n    return 1": the rest is deeper because the first line opens it.
  if (first == 0 && least > 0 && lines.size() > 1) {
    const std::string_view head = trim(lines[0]);
    if (head.ends_with(':') || head.ends_with('{') || head.ends_with('(')) least = 0;
  }
  Dedented result;
  result.is_inside = least > 0;
  // It may begin inside a comment.
  const std::size_t end = fragment.find("*/");
  if (has_block_comments && (end < fragment.find("/*") || (trim(fragment).starts_with("* ")))) {
    result.text += "/*";
  }
  for (const std::string_view line : lines) {
    result.text += line.substr(std::min(indent_of(line), least));
    result.text += '\n';
  }
  const std::size_t last_open = result.text.rfind("/*");
  const std::size_t last_end = result.text.rfind("*/");
  if (has_block_comments && last_open != std::string::npos &&
      (last_end == std::string::npos || last_end < last_open)) {
    result.text += "*/\n";
  }
  return result;
}

Symbols fragment_symbols(parse::Extractor& extractor, const parse::Language& language,
                         const Dedented& fragment) {
  Parsed best = parse_text(extractor, language, fragment.text);
  // Text that hardly parses is not read for names.
  const auto is_noise = [&](const Parsed& parsed) {
    return parsed.unparsed * 4 > fragment.text.size();
  };
  const auto [open, close] = frame_of(language);
  if (!open.empty() && (best.unparsed > 0 || best.majors == 0 || fragment.is_inside)) {
    Parsed framed = parse_text(extractor, language, open + fragment.text + close);
    if (framed.has_statements) framed.majors = 0;
    if (framed.majors > best.majors ||
        (framed.majors == best.majors && framed.majors > 0 && framed.unparsed < best.unparsed)) {
      best = std::move(framed);
    }
  }
  if (is_noise(best)) return {};
  return std::move(best.symbols);
}

void compare_symbols(const Symbols& before, const Symbols& after, EditSymbols& edit) {
  // The same name and text: not touched.
  const auto key_of = [](const KnownSymbol& symbol) { return symbol.name + '\x01' + symbol.own; };
  std::unordered_map<std::string, std::size_t> unchanged;
  for (const KnownSymbol& symbol : before) ++unchanged[key_of(symbol)];
  std::vector<const KnownSymbol*> came;
  for (const KnownSymbol& symbol : after) {
    const auto found = unchanged.find(key_of(symbol));
    if (found == unchanged.end() || found->second == 0) {
      came.push_back(&symbol);
    } else {
      --found->second;
    }
  }
  std::vector<const KnownSymbol*> went;
  for (const KnownSymbol& symbol : before) {
    if (auto& count = unchanged[key_of(symbol)]; count > 0) {
      --count;
      went.push_back(&symbol);
    }
  }
  // The same name: changed.
  std::unordered_map<std::string_view, std::size_t> went_by_name;
  for (const KnownSymbol* symbol : went) ++went_by_name[symbol->name];
  std::unordered_map<std::string_view, std::size_t> changed_by_name;
  std::vector<const KnownSymbol*> fresh, changed, gone;
  for (const KnownSymbol* symbol : came) {
    if (went_by_name[symbol->name] > 0) {
      --went_by_name[symbol->name];
      ++changed_by_name[symbol->name];
      changed.push_back(symbol);
    } else {
      fresh.push_back(symbol);
    }
  }
  for (const KnownSymbol* symbol : went) {
    if (auto& count = changed_by_name[symbol->name]; count > 0) {
      --count;
    } else {
      gone.push_back(symbol);
    }
  }
  // One that went and one that came with the same text except for the name: renamed.
  std::unordered_map<std::string_view, std::vector<const KnownSymbol*>> gone_by_body;
  for (auto it = gone.rbegin(); it != gone.rend(); ++it) gone_by_body[(*it)->body].push_back(*it);
  std::set<const KnownSymbol*> renamed;
  for (const KnownSymbol* symbol : fresh) {
    auto& candidates = gone_by_body[symbol->body];
    if (candidates.empty() || symbol->body.size() < kMinRenamedBytes) continue;
    renamed.insert(symbol);
    renamed.insert(candidates.back());
    if (!symbol->is_minor) push(edit.renamed, candidates.back()->name + " to " + symbol->name);
    candidates.pop_back();
  }
  const auto report = [&](const std::vector<const KnownSymbol*>& symbols,
                          std::vector<std::string>& names) {
    std::set<std::string_view> reported;
    for (const KnownSymbol* symbol : symbols) reported.insert(symbol->name);
    for (const bool minor : {false, true}) {
      for (const KnownSymbol* symbol : symbols) {
        if (symbol->is_minor != minor || renamed.count(symbol) > 0) continue;
        if (!symbol->parent.empty() && reported.count(symbol->parent) > 0) continue;
        push(names, symbol->name);
      }
    }
  };
  report(fresh, edit.added);
  report(gone, edit.removed);
  // A function that changed says it for those inside it.
  std::set<std::string_view> functions;
  for (const KnownSymbol* symbol : changed) {
    if (symbol->name.ends_with("()")) functions.insert(symbol->name);
  }
  for (const bool minor : {false, true}) {
    for (const KnownSymbol* symbol : changed) {
      if (symbol->is_minor == minor && functions.count(symbol->parent) == 0) {
        push(edit.changed, symbol->name);
      }
    }
  }
}

void compare_symbols(parse::Extractor& extractor, const parse::Language& language,
                     const TextChange& change, EditSymbols& edit) {
  if (change.is_whole) {
    return compare_symbols(parse_text(extractor, language, change.before).symbols,
                           parse_text(extractor, language, change.after).symbols, edit);
  }
  const bool has_block_comments = language.block_comment == "/*";
  const Dedented before = dedented(change.before, has_block_comments);
  const Dedented after = dedented(change.after, has_block_comments);
  Symbols old_symbols = fragment_symbols(extractor, language, before);
  Symbols new_symbols = fragment_symbols(extractor, language, after);
  // A variable inside something is most likely a local one.
  const auto is_local = [&](const KnownSymbol& symbol) {
    return symbol.is_variable && (before.is_inside || after.is_inside || symbol.is_indented);
  };
  std::erase_if(old_symbols, is_local);
  std::erase_if(new_symbols, is_local);
  compare_symbols(old_symbols, new_symbols, edit);
}

// What a patch's heading names: "def refresh(self):" is refresh(), "func (s *Session) Close()".
std::string place_in(std::string_view heading) {
  heading = trim(heading.substr(0, std::min(heading.size(), kMaxLineBytes)));
  if (heading.empty()) return {};
  if (heading.starts_with("func (")) {
    const std::size_t end = heading.find(") ");
    if (end != std::string_view::npos) {
      const std::string_view name = word_at(heading, end + 2);
      if (!name.empty()) return std::string(name) + "()";
    }
  }
  if (std::string name = declared_in(heading); !name.empty()) return name;
  // The word before the first bracket: "static void reset(Session* s) {".
  if (const std::size_t open = heading.find('('); open != std::string_view::npos && open > 0) {
    std::size_t begin = open;
    while (begin > 0 && (is_name(heading[begin - 1]) || heading[begin - 1] == ':')) --begin;
    const std::string_view name = heading.substr(begin, open - begin);
    const bool is_word = name == "if" || name == "for" || name == "while" || name == "switch" ||
                         name == "return" || name == "elseif" || name == "catch";
    if (!name.empty() && !is_word) return std::string(name) + "()";
  }
  return {};
}

// TextLines with a letter or a digit in them, as they are shown.
void show_lines(const TextLines& lines, std::vector<std::string>& shown) {
  for (const std::string_view line : lines) {
    if (shown.size() >= kMaxShownLines) return;
    const std::size_t end = line.find_last_not_of(" \t\r\n");
    const std::string_view text = utf8_prefix(line.substr(0, end + 1), kMaxShownLineBytes);
    if (std::any_of(text.begin(), text.end(), is_name)) shown.emplace_back(text);
  }
}

bool is_too_large(const TextChange& change) {
  return change.before.size() > kMaxEditBytes || change.after.size() > kMaxEditBytes;
}

}  // namespace

EditSymbols EditReader::read(std::string_view path, const std::vector<TextChange>& changes) {
  EditSymbols edit;
  bool only_white_space = !changes.empty();
  for (const TextChange& change : changes) {
    const LineDifference lines = difference_of(change.before, change.after);
    edit.lines_added += lines.added.size();
    edit.lines_removed += lines.removed.size();
    show_lines(lines.added, edit.new_lines);
    show_lines(lines.removed, edit.old_lines);
    const bool is_large = is_too_large(change);
    only_white_space = only_white_space && !is_large && change.before != change.after &&
                       fold_whitespace(change.before) == fold_whitespace(change.after);
    if (edit.place.empty()) edit.place = place_in(change.heading);
    std::vector<std::string> tests, removed_tests;
    collect(lines.added, test_in, tests);
    collect(lines.removed, test_in, removed_tests);
    for (std::string& name : tests) {
      if (std::find(removed_tests.begin(), removed_tests.end(), name) == removed_tests.end()) {
        push(edit.tests, std::move(name));
      }
    }
    if (is_large) continue;
    const parse::Language* language = parse::detect_language(path, change.after);
    if (language != nullptr && language->has_grammar) {
      compare_symbols(extractor_, *language, change, edit);
    } else if (language != nullptr && language->is_prose) {
      compare_lines(lines, heading_in, edit);
    } else if (language != nullptr && language->is_configuration) {
      compare_lines(lines, key_in, edit);
    } else {
      const bool is_shell = language != nullptr && language->name == "shell";
      compare_lines(
          lines,
          [&](std::string_view line) {
            std::string name = declared_in(line);
            return name.empty() && is_shell ? shell_function_in(line) : name;
          },
          edit);
    }
  }
  edit.only_white_space = only_white_space;
  // A symbol removed at one place and added at another has changed, and is reported once.
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : edit.added) {
    if (has(edit.removed, name)) push(edit.changed, name);
  }
  const auto is_changed = [&](const std::string& name) { return has(edit.changed, name); };
  std::erase_if(edit.added, is_changed);
  std::erase_if(edit.removed, is_changed);
  // A class is named by its member that came, changed or went.
  std::erase_if(edit.changed, [&](const std::string& name) {
    const auto is_member = [&](const std::string& other) {
      return other.size() > name.size() + 1 && other.starts_with(name) && other[name.size()] == '.';
    };
    for (const auto* names : {&edit.added, &edit.changed, &edit.removed}) {
      if (std::any_of(names->begin(), names->end(), is_member)) return true;
    }
    return false;
  });
  return edit;
}

}  // namespace codexmem::observe
