// One pass over the markup with a stack of open elements and blocks. The `;` of a statement and the
// brace of a block overwrite characters of the surrounding tags: `{#each ` has seven, enough for
// `;{let{[`. Calls of components are inserted. An unclosed brace ends the pass; then only scripts
// are kept.
//
// Tested by parse/component_script_test.cpp and golden_test.cpp (testdata/languages/svelte).
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/components/component_script.h"
#include "parse/components/component_text.h"
#include "parse/components/svelte_dollars.h"

namespace codexmem::parse {
namespace {

// Attributes `directive:name` whose name is a variable of the script, with or without a value.
constexpr std::array<std::string_view, 5> kCallingDirectives = {"use", "transition", "in", "out",
                                                                "animate"};
constexpr std::array<std::string_view, 3> kNamingDirectives = {"bind", "class", "style"};

constexpr std::size_t kMaxName = 64;  // of a component

bool is_path(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_identifier_char(c) || c == '.'; });
}

bool is_attribute_end(char c) {
  return is_space(c) || c == '=' || c == '>' || c == '/' || c == '{' || c == '"' || c == '\'';
}

class SvelteScript : ComponentText {
 public:
  SvelteScript(std::string_view text, bool with_markup)
      : ComponentText(text), with_markup_(with_markup), dollars_(text) {}

  ComponentScript run() {
    std::size_t at = 0;
    while (at < text_.size() && !is_broken_) {
      at = text_.find_first_of("<{", at);
      if (at == std::string_view::npos) break;
      at = text_[at] == '{' ? read_braces(at) : read_markup(at);
    }
    while (!open_.empty()) is_broken_ = close_top() || is_broken_;
    if (is_broken_ || !with_markup_) keep_scripts();
    if (with_markup_) {
      // Without $props, the exports of the component are its props.
      add_default("$Props", "", "", has_props_ ? "" : "interface $Props {}");
    }
    return finish();
  }

 private:
  struct Open {
    std::string_view name;  // of an element, or of a block including its #
    bool has_brace = false;
  };

  // ---- Elements

  std::size_t read_markup(std::size_t at) {
    if (skip_comment(at)) return at;
    const bool is_end = text_.substr(at, 2) == "</";
    std::size_t behind = at + (is_end ? 2 : 1);
    if (behind >= text_.size() || !is_letter(text_[behind])) return at + 1;
    const std::size_t name = behind;
    while (behind < text_.size() && !is_attribute_end(text_[behind])) ++behind;
    const std::string_view tag = text_.substr(name, behind - name);
    return is_end ? read_end_tag(at, behind, tag) : read_tag(at, behind, tag);
  }

  static bool is_component(std::string_view name) {
    return (is_upper(name.front()) || name.find('.') != std::string_view::npos) &&
           std::ranges::all_of(name, [](char c) { return is_component_char(c) || c == '.'; });
  }

  std::size_t read_end_tag(std::size_t at, std::size_t behind, std::string_view name) {
    const std::size_t end = text_.find('>', behind);
    if (end == std::string_view::npos) return broken();
    if (counts_[name] == 0) return end + 1;  // no matching element
    while (open_.back().name != name) {
      if (open_.back().name.front() == '#' || open_.back().has_brace) return broken();
      close_top();
    }
    if (close_top()) put_in(at, "}");
    if (is_component(name)) {
      out_[at] = ';';
      copy(behind - name.size(), behind);
      put_if_free(behind, ';');
    }
    return end + 1;
  }

  std::size_t read_tag(std::size_t begin, std::size_t at, std::string_view name) {
    TagName component;
    if (is_component(name)) {
      out_[begin] = ';';
      copy(begin + 1, at);
      put_in(at, "();");
      if (name.size() <= kMaxName) component = {std::string(name), begin + 1, kNone};
    }
    bool has_brace = false;
    while (!is_broken_) {
      at = skip_spaces(text_, at);
      if (at >= text_.size()) return broken();
      const char c = text_[at];
      if (c == '>') {
        open(name, has_brace, begin);
        return read_raw(name, at + 1);
      }
      if (c == '/' && text_.substr(at, 2) == "/>") {
        if (has_brace) {
          out_[begin] = '{';
          out_[at + 1] = '}';
        }
        return at + 2;
      }
      at = c == '{' ? read_shorthand(component, at) : read_attribute(component, at, has_brace);
    }
    return text_.size();
  }

  void open(std::string_view name, bool has_brace, std::size_t begin) {
    if (has_brace) out_[begin] = '{';
    if (is_void_element(name)) {
      is_broken_ = is_broken_ || has_brace;
      return;
    }
    open_.push_back({name, has_brace});
    ++counts_[name];
  }

  // Reads elements whose contents are not markup: scripts of the component, and elements that are
  // skipped.
  std::size_t read_raw(std::string_view name, std::size_t at) {
    if (name != "script" && name != "style") return at;
    const bool is_own = open_.size() == 1;
    close_top();
    const std::size_t end =
        std::min(text_.find(name == "script" ? "</script" : "</style", at), text_.size());
    if (name == "script" && is_own) copy_script(at, end);
    const std::size_t behind = text_.find('>', end);
    return behind == std::string_view::npos ? text_.size() : behind + 1;
  }

  // {name}, {...all}, {@attach f}
  std::size_t read_shorthand(const TagName& component, std::size_t at) {
    const auto close = closing_bracket(text_, at + 1);
    if (!close) return broken();
    std::size_t begin = skip_spaces(text_, at + 1);
    const std::string_view name = text_.substr(begin, *close - begin);
    if (!component.name.empty() && is_key(name) && put_call(component, at, "(")) {
      copy(at, *close + 1);
      put_in(*close + 1, ");");
      return *close + 1;
    }
    for (const std::string_view sign : {"...", "@attach "}) {
      if (text_.substr(begin, sign.size()) == sign) begin += sign.size();
    }
    statement(at, {begin, *close}, *close);
    return *close + 1;
  }

  // True for a name that can be both a key and a variable.
  static bool is_key(std::string_view name) { return is_plain_name(name) && name.front() != '$'; }

  std::size_t read_attribute(const TagName& component, std::size_t at, bool& has_brace) {
    const std::size_t begin = at++;
    while (at < text_.size() && !is_attribute_end(text_[at])) ++at;
    const std::string_view name = text_.substr(begin, at - begin);
    const std::size_t sign = skip_spaces(text_, at);
    const bool has_value = sign < text_.size() && text_[sign] == '=';
    const std::size_t colon = std::min(name.find(':'), name.size());
    const std::string_view directive = name.substr(0, colon);
    if (directive == "let" && colon < name.size()) {
      has_brace = true;
      return read_let(begin, at, has_value ? skip_spaces(text_, sign + 1) : at);
    }
    if (!component.name.empty()) {
      const bool is_bind = directive == "bind" && colon < name.size();
      const std::size_t key = is_bind ? begin + colon + 1 : begin;
      const std::string_view word = text_.substr(key, at - key);
      if (is_key(word) && word != "this" && put_call(component, key, "({")) {
        copy(key, at);
        if (has_value) return read_given(at, skip_spaces(text_, sign + 1));
        put_in(at, is_bind ? "});" : ":0});");
        return at;
      }
    }
    if (is_one_of(directive, kCallingDirectives) ||
        (!has_value && is_one_of(directive, kNamingDirectives))) {
      const std::size_t target = begin + colon + 1;
      const std::size_t end = begin + std::min(name.find('|'), name.size());
      if (target < end && is_path(text_.substr(target, end - target))) {
        out_[target - 1] = ';';
        copy_code(target, end);
        put_if_free(end, ';');
      }
    }
    return has_value ? read_value(skip_spaces(text_, sign + 1)) : at;
  }

  // The value of a key that ends at `key_end`.
  std::size_t read_given(std::size_t key_end, std::size_t at) {
    const auto close =
        at < text_.size() && text_[at] == '{' ? closing_bracket(text_, at + 1) : std::nullopt;
    if (!close) {
      put_in(key_end, ":0});");
      return read_value(at);
    }
    put_in(key_end, ":");
    out_[at] = '(';
    copy_code(at + 1, *close);
    out_[*close] = ')';
    put_in(*close + 1, "});");
    return *close + 1;
  }

  // let:item, let:item={alias}: let item;
  std::size_t read_let(std::size_t begin, std::size_t end, std::size_t value) {
    constexpr std::string_view kLet = "let ";
    out_.replace(begin, kLet.size(), kLet);
    if (value == end) {
      copy_code(begin + kLet.size(), end);
      put_if_free(end, ';');
      return end;
    }
    if (value >= text_.size() || text_[value] != '{') return broken();
    const auto close = closing_bracket(text_, value + 1);
    if (!close) return broken();
    copy_code(value + 1, *close);
    out_[*close] = ';';
    return *close + 1;
  }

  std::size_t read_value(std::size_t at) {
    if (at >= text_.size()) return broken();
    const char first = text_[at];
    if (first == '{') {
      const auto close = closing_bracket(text_, at + 1);
      if (!close) return broken();
      if (text_[at - 1] == '=') out_[at - 1] = ';';
      out_[at] = '(';
      copy_code(at + 1, *close);
      out_[*close] = ')';
      put_if_free(*close + 1, ';');
      return *close + 1;
    }
    const bool is_quoted = first == '"' || first == '\'';
    if (is_quoted) ++at;
    while (at < text_.size() && !is_broken_) {
      const char c = text_[at];
      if (is_quoted ? c == first : is_space(c) || c == '>') return at + (is_quoted ? 1 : 0);
      if (c == '{') {
        const auto close = closing_bracket(text_, at + 1);
        if (!close) return broken();
        statement(at, {at + 1, *close}, *close);
        at = *close;
      }
      ++at;
    }
    return broken();
  }

  // ---- Braces

  std::size_t read_braces(std::size_t at) {
    const auto close = closing_bracket(text_, at + 1);
    if (!close) return broken();
    const std::size_t begin = skip_spaces(text_, at + 1);
    const char sign = begin < *close ? text_[begin] : ' ';
    const bool is_comment = text_.substr(begin, 2) == "/*" || text_.substr(begin, 2) == "//";
    if (sign == '#') {
      open_block(at, begin, *close);
    } else if (sign == ':') {
      continue_block(at, begin, *close);
    } else if (sign == '/' && !is_comment) {
      close_block(at, begin + 1, *close);
    } else if (sign == '@') {
      std::size_t code = begin;
      while (code < *close && !is_space(text_[code])) ++code;
      constexpr std::string_view kConst = "const ";
      if (text_.substr(begin + 1, kConst.size()) == kConst) code = begin + 1;
      statement(at, {code, *close}, *close);
    } else if (!is_comment) {
      statement(at, {begin, *close}, *close);
    }
    return *close + 1;
  }

  // The word at `at`, and the begin of the text after it.
  TextRange word_at(std::size_t at, std::size_t end) const {
    std::size_t behind = at;
    while (behind < end && is_letter(text_[behind])) ++behind;
    return {at, behind};
  }

  std::string_view text_of(TextRange range) const {
    return text_.substr(range.begin, range.end - range.begin);
  }

  void open_block(std::size_t at, std::size_t sign, std::size_t close) {
    const TextRange word = word_at(sign + 1, close);
    const std::string_view name = text_.substr(sign, word.end - sign);
    const std::size_t code = skip_spaces(text_, word.end);
    open_.push_back({name, true});
    ++counts_[name];
    if (name == "#snippet") {
      write_before(code, "function ");
      copy_code(code, close);
      out_[close] = '{';
      return;
    }
    out_[at] = ';';
    out_[at + 1] = '{';
    if (name == "#each") {
      read_each(at, code, close);
    } else if (name == "#await") {
      read_await({code, close});
    } else if (code > at + 2) {
      out_[code - 1] = ';';
      copy_code(code, close);
    }
    if (out_[close] == ' ') out_[close] = ';';
  }

  // {#each items as item, i (key)}
  void read_each(std::size_t at, std::size_t code, std::size_t close) {
    constexpr std::string_view kTaken = "let{[";
    const std::size_t as = last_word_of(text_, {code, close}, "as");
    if (as == std::string_view::npos || code < at + 2 + kTaken.size()) {
      if (code > at + 2) out_[code - 1] = ';';
      return copy_code(code, close);
    }
    write_before(code, kTaken);
    copy_code(code, as);
    out_[as] = ']';
    out_[as + 1] = ':';
    const std::size_t item = skip_spaces(text_, as + 2);
    std::size_t end = close;  // of the binding
    while (end > item && is_space(text_[end - 1])) --end;
    const std::size_t key =
        end > item && text_[end - 1] == ')' ? last_group_of(text_, {item, end}) : end;
    const std::size_t last = end - 1;  // the key's )
    end = key;
    while (end > item && is_space(text_[end - 1])) --end;
    copy_code(item, end);
    // The index is a separate declaration: let{[items]:item},i.
    const std::size_t comma = first_comma_of(text_, {item, end});
    const bool has_index = comma < end && is_space(text_[comma + 1]) && out_[comma + 1] == ' ';
    if (has_index) {
      out_[comma] = '}';
      out_[comma + 1] = ',';
    }
    out_[end] = has_index ? (end < key ? ' ' : ';') : '}';
    if (key < last) {
      if (end < key) {
        out_[key] = ';';
        copy_code(key + 1, last);
      }
      out_[last] = ';';
    } else if (end == close) {
      put_if_free(close + 1, ';');
    }
  }

  // {#await promise}, {#await promise then value}
  void read_await(TextRange code) {
    out_[code.begin - 1] = ';';
    for (const std::string_view word : {"then", "catch"}) {
      const std::size_t at = last_word_of(text_, code, word);
      if (at == std::string_view::npos) continue;
      copy_code(code.begin, at);
      write_binding(at, {at + word.size(), code.end});
      return;
    }
    copy_code(code.begin, code.end);
  }

  // {:else}, {:else if a}, {:then value}, {:catch error}
  void continue_block(std::size_t at, std::size_t sign, std::size_t close) {
    if (open_.empty()) return void(broken());
    while (open_.back().name.front() != '#') {
      if (open_.back().has_brace || open_.size() == 1) return void(broken());
      close_top();
    }
    const std::string_view word = text_of(word_at(sign + 1, close));
    out_[at] = '}';
    out_[at + 1] = '{';
    if (word == "then" || word == "catch") {
      write_binding(at + 2, {sign + 1 + word.size(), close});
      out_[close] = ';';
    } else if (word == "else") {
      const std::size_t next = skip_spaces(text_, sign + 1 + word.size());
      constexpr std::string_view kIf = "if";
      if (text_.substr(next, kIf.size()) != kIf || next >= close) return;
      out_[next + 1] = ';';
      copy_code(next + kIf.size(), close);
      out_[close] = ';';
    }
  }

  // Writes `let` and a pattern, using the free space from `free` on.
  void write_binding(std::size_t free, TextRange pattern) {
    constexpr std::string_view kLet = "let ";
    const std::size_t begin = skip_spaces(text_, pattern.begin);
    if (begin >= pattern.end) return;
    if (begin < free + kLet.size()) return void(broken());
    const bool has_sign = begin > free + kLet.size();
    write_before(begin, has_sign ? ";let " : kLet);
    copy_code(begin, pattern.end);
  }

  void close_block(std::size_t at, std::size_t begin, std::size_t close) {
    const std::string name = "#" + std::string(text_of(word_at(begin, close)));
    while (!open_.empty() && open_.back().name.front() != '#') {
      if (open_.back().has_brace) return void(broken());
      close_top();
    }
    if (open_.empty() || open_.back().name != name) return void(broken());
    close_top();
    out_[at] = '}';
  }

  // ---- Writing

  // Writes code in braces as a statement.
  void statement(std::size_t open, TextRange code, std::size_t close) {
    const std::size_t first = skip_spaces(text_, code.begin);
    const bool is_object = first < code.end && text_[first] == '{';
    out_[open] = is_object ? '(' : ';';
    if (is_object && open > 0) put_if_free(open - 1, ';');
    copy_code(code.begin, code.end);
    out_[close] = is_object ? ')' : ';';
    if (is_object) put_if_free(close + 1, ';');
  }

  void write_before(std::size_t end, std::string_view words) {
    out_.replace(end - words.size(), words.size(), words);
  }

  // Copies code; `$store` is copied as `store`.
  void copy_code(std::size_t begin, std::size_t end) {
    copy(begin, end);
    dollars_.blank(out_, begin, end);
  }

  // Like copy_code(). `$: name = value` declares the name unless it is already declared.
  void copy_script(std::size_t begin, std::size_t end) {
    copy_code(begin, end);
    const std::string_view script = text_.substr(begin, end - begin);
    std::set<std::string_view> declared;
    for (const std::string_view word : {"let ", "var "}) {
      for (std::size_t at = script.find(word); at != std::string_view::npos;
           at = script.find(word, at + 1)) {
        declared.insert(name_at(script, at + word.size()));
      }
    }
    for (std::size_t at = script.find("$:"); at != std::string_view::npos;
         at = script.find("$:", at + 1)) {
      const std::string_view name = name_at(script, at + 2);
      const bool is_new = !name.empty() && name.front() != '$' && !declared.contains(name);
      if (!is_new) out_.replace(begin + at, 2, "  ");
    }
    if (with_markup_) type_props(begin, end);
  }

  // let { a }: T = $props() becomes let { a }:$Props = null!;type $Props = T;
  void type_props(std::size_t begin, std::size_t end) {
    constexpr std::string_view kProps = "$props";
    const std::string_view head = text_.substr(0, end);
    std::size_t rune = head.find(kProps, begin);
    while (rune < end && is_identifier_char(text_[rune - 1])) rune = head.find(kProps, rune + 1);
    if (rune >= end || has_props_) return;
    const std::size_t open = skip_spaces(text_, rune + kProps.size());
    if (open >= end || text_[open] != '(') return;
    const auto close = closing_bracket(text_, open + 1);
    const std::size_t sign = text_.find_last_not_of(" \t\r\n", rune - 1);
    if (!close || sign <= begin || text_[sign] != '=') return;
    std::size_t word = begin;  // after the last let or const
    for (const std::string_view each : {"let ", "const "}) {
      const std::size_t at = text_.rfind(each, sign);
      if (at != std::string_view::npos && at >= begin) word = std::max(word, at + each.size());
    }
    std::size_t name = skip_spaces(text_, word);
    if (word == begin || name >= sign) return;
    if (text_[name] == '{') {
      const auto pattern = closing_bracket(text_, name + 1);
      if (!pattern || *pattern >= sign) return;
      name = *pattern + 1;
    } else {
      name += name_at(text_, name).size();
    }
    const std::size_t colon = skip_spaces(text_, name);
    if (colon >= sign || text_[colon] != ':') return;
    has_props_ = true;
    out_[colon] = ' ';
    put_in(colon, ":$Props = null!;type $Props =");
    blank(sign, *close + 1);
    put_in(*close + 1, ";");
  }

  static std::string_view name_at(std::string_view code, std::size_t at) {
    const std::size_t begin = skip_spaces(code, at);
    std::size_t end = begin;
    while (end < code.size() && is_identifier_char(code[end])) ++end;
    return code.substr(begin, end - begin);
  }

  void keep_scripts() {
    clear();
    has_props_ = false;
    constexpr std::string_view kScript = "<script";
    std::size_t at = text_.find(kScript);
    while (at != std::string_view::npos) {
      const std::size_t begin = text_.find('>', at);
      if (begin == std::string_view::npos) return;
      const std::size_t end = std::min(text_.find("</script", begin), text_.size());
      copy_script(begin + 1, end);
      at = text_.find(kScript, end);
    }
  }

  // Closes the innermost element or block; true if a brace must be closed.
  bool close_top() {
    const Open last = open_.back();
    open_.pop_back();
    if (const auto count = counts_.find(last.name); count != counts_.end()) --count->second;
    return last.has_brace;
  }

  std::size_t broken() {
    is_broken_ = true;
    return text_.size();
  }

  const bool with_markup_;
  SvelteDollars dollars_;
  bool is_broken_ = false;
  bool has_props_ = false;  // there is a $Props
  std::vector<Open> open_;
  std::map<std::string_view, std::size_t> counts_;  // open ones, by name
};

}  // namespace

ComponentScript script_of_svelte(std::string_view text, bool with_markup) {
  return SvelteScript(text, with_markup).run();
}

}  // namespace codexmem::parse
