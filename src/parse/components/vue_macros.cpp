// The first macro of each kind counts, if its brackets are closed. Tested by
// component_script_test.cpp.
#include "parse/components/vue_macros.h"

#include <optional>

#include "base/ascii.h"
#include "parse/components/component_text.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kWithDefaults = "withDefaults";

ByteRange macro_range(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

class MacroReader {
 public:
  MacroReader(std::string_view text, std::size_t begin, std::size_t end)
      : code_(text.substr(0, end)), begin_(begin) {}

  VueMacros run() {
    read("defineProps", "$Props", found_.has_props);
    read("defineEmits", "$Emits", found_.has_events);
    read("defineExpose", "", found_.gives);
    return std::move(found_);
  }

 private:
  void read(std::string_view macro, std::string_view type, bool& was_found) {
    for (std::size_t at = code_.find(macro, begin_); at != std::string_view::npos;
         at = code_.find(macro, at + 1)) {
      const std::size_t behind = at + macro.size();
      const bool is_word = !is_identifier_char(code_[at - 1]) && code_[at - 1] != '.' &&
                           (behind >= code_.size() || !is_identifier_char(code_[behind]));
      if (!is_word || is_comment(at)) continue;
      was_found = write(at, behind, type);
      return;
    }
  }

  bool is_comment(std::size_t at) const {
    const std::size_t line = code_.rfind('\n', at) + 1;
    const std::string_view first = code_.substr(skip_spaces(code_, line), 2);
    return first.starts_with('*') || first == "//" || first == "/*";
  }

  bool write(std::size_t at, std::size_t behind, std::string_view type) {
    std::size_t open = skip_spaces(code_, behind);
    std::size_t type_begin = 0, type_end = 0;
    if (open < code_.size() && code_[open] == '<') {
      type_begin = open + 1;
      const auto close = type_arguments_end(type_begin);
      if (!close || type.empty()) return false;
      type_end = *close;
      open = skip_spaces(code_, type_end + 1);
    }
    if (open >= code_.size() || code_[open] != '(') return false;
    const auto close = closing_bracket(code_, open + 1);
    if (!close) return false;
    const std::size_t argument = skip_spaces(code_, open + 1);
    if (type_end > 0) {
      const std::string name(type);
      found_.blanks.push_back(macro_range(at, type_begin));
      found_.blanks.push_back(macro_range(type_end, *close + 1));
      put(at, "null! as " + name + ";type " + name + " =");
      put(*close + 1, ";");
      if (type == "$Props") write_defaults(at, *close + 1);
      return true;
    }
    if (argument >= code_.size() || code_[argument] != '{') return false;
    const std::string value = type.empty() ? "$exposed" : type == "$Props" ? "$props" : "$emits";
    found_.blanks.push_back(macro_range(at, open + 1));
    found_.blanks.push_back(macro_range(*close, *close + 1));
    // (The two names have different places.)
    if (!type.empty()) {
      const std::string name(type);
      put(at, "null! as " + name + ";type " + name + " =");
      put(at + 1, "typeof " + value + ";const " + value + " =");
    } else {
      put(at, "null! as typeof " + value + ";const " + value + " =");
    }
    put(*close + 1, ";");
    return true;
  }

  // withDefaults(defineProps<T>(), { a: 1 }): the default of `a` is a value of that prop.
  void write_defaults(std::size_t at, std::size_t behind) {
    std::size_t open = at;
    while (open > begin_ && is_space(code_[open - 1])) --open;
    if (open == begin_ || code_[open - 1] != '(') return;
    std::size_t word = --open;
    while (word > begin_ && is_space(code_[word - 1])) --word;
    if (word < begin_ + kWithDefaults.size()) return;
    const std::size_t begin = word - kWithDefaults.size();
    if (code_.substr(begin, kWithDefaults.size()) != kWithDefaults) return;
    const std::size_t comma = skip_spaces(code_, behind);
    if (comma >= code_.size() || code_[comma] != ',') return;
    const auto close = closing_bracket(code_, comma + 1);
    if (!close) return;
    found_.blanks.push_back(macro_range(begin, at));
    found_.blanks.push_back(macro_range(comma, comma + 1));
    put(comma + 1, "(");
    put(*close + 1, " as $Props;");
  }

  // The place of the > that ends type arguments.
  std::optional<std::size_t> type_arguments_end(std::size_t at) const {
    std::size_t depth = 0;
    for (; at < code_.size(); ++at) {
      const char c = code_[at];
      if (c == '<') {
        ++depth;
      } else if (c == '>' && code_[at - 1] != '=') {
        if (depth-- == 0) return at;
      } else if (c == '{' || c == '(' || c == '[') {
        const auto close = closing_bracket(code_, at + 1);
        if (!close) return std::nullopt;
        at = *close;
      } else if (c == '\'' || c == '"' || c == '`') {
        const std::size_t end = code_.find(c, at + 1);
        if (end == std::string_view::npos) return std::nullopt;
        at = end;
      }
    }
    return std::nullopt;
  }

  void put(std::size_t at, std::string words) { found_.pieces.emplace_back(at, std::move(words)); }

  const std::string_view code_;
  const std::size_t begin_;
  VueMacros found_;
};

}  // namespace

VueMacros vue_macros(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin == 0) return {};
  return MacroReader(text, begin, end).run();
}

}  // namespace codexmem::parse
