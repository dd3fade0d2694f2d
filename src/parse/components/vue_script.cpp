// One pass over the tags. Output overwrites characters of the surrounding markup (of `{{` for `;(`)
// or is inserted: heads of loops, calls of components, the declarations of script macros
// (vue_macros.h).
//
// Tested by parse/component_script_test.cpp and golden_test.cpp (testdata/languages/vue).
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "parse/components/component_script.h"
#include "parse/components/component_text.h"
#include "parse/components/vue_macros.h"

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxAttributes = 200;
constexpr std::size_t kMaxVueName = 64;  // of a component

struct TagAttribute {
  std::string_view name;
  std::size_t begin = 0;                 // of its name
  std::size_t value = 0, value_end = 0;  // between its quotes; equal without a value
};

struct Tag {
  std::string_view name;
  std::size_t begin = 0, end = 0;  // from < to after >
  bool is_end = false;             // </name>
  bool is_empty = false;           // <name />
  std::vector<TagAttribute> attributes;
};

bool ends_name(char c) { return is_space(c) || c == '=' || c == '>' || c == '/'; }

// The tag whose < is at `at`; nothing if it is not closed.
std::optional<Tag> read_tag(std::string_view text, std::size_t at) {
  Tag tag;
  tag.begin = at++;
  tag.is_end = at < text.size() && text[at] == '/';
  if (tag.is_end) ++at;
  const std::size_t name = at;
  while (at < text.size() && !ends_name(text[at])) ++at;
  tag.name = text.substr(name, at - name);
  while (tag.attributes.size() < kMaxAttributes) {
    at = skip_spaces(text, at);
    if (at >= text.size()) return std::nullopt;
    if (text[at] == '>') {
      tag.end = at + 1;
      return tag;
    }
    if (text[at] == '/') {
      tag.is_empty = at + 1 < text.size() && text[at + 1] == '>';
      ++at;
      continue;
    }
    TagAttribute attribute;
    attribute.begin = at++;  // also for an = without a name
    while (at < text.size() && !ends_name(text[at])) ++at;
    attribute.name = text.substr(attribute.begin, at - attribute.begin);
    const std::size_t sign = skip_spaces(text, at);
    if (sign < text.size() && text[sign] == '=') {
      at = skip_spaces(text, sign + 1);
      if (at >= text.size()) return std::nullopt;
      const char quote = text[at];
      if (quote == '"' || quote == '\'') {
        attribute.value = at + 1;
        attribute.value_end = text.find(quote, at + 1);
        if (attribute.value_end == std::string_view::npos) return std::nullopt;
        at = attribute.value_end + 1;
      } else {
        while (at < text.size() && !is_space(text[at]) && text[at] != '>') ++at;
      }
    }
    tag.attributes.push_back(attribute);
  }
  return std::nullopt;
}

class VueScript : ComponentText {
 public:
  VueScript(std::string_view text, bool with_markup)
      : ComponentText(text), with_markup_(with_markup) {}

  ComponentScript run() {
    if (with_markup_) read_names();
    for (std::size_t at = text_.find('<'); at != std::string_view::npos; at = text_.find('<', at)) {
      if (skip_comment(at)) continue;
      const auto tag =
          at + 1 < text_.size() && is_letter(text_[at + 1]) ? read_tag(text_, at) : std::nullopt;
      if (!tag) {
        ++at;
        continue;
      }
      at = tag->is_empty ? tag->end : read_block(*tag);
    }
    if (!has_default_ && with_markup_) {
      add_default(declared_.has_props ? "$Props" : "{}", declared_.has_events ? "$Emits" : "",
                  declared_.gives ? "$exposed" : "", "");
    }
    return finish();
  }

 private:
  // Reads the names in the scripts, which tags may use in another spelling.
  void read_names() {
    constexpr std::string_view kScript = "<script";
    for (std::size_t at = text_.find(kScript); at != std::string_view::npos;) {
      const std::size_t end = std::min(text_.find("</script", at), text_.size());
      for (at += kScript.size(); at < end; ++at) {
        const std::size_t begin = at;
        while (at < end && is_identifier_char(text_[at])) ++at;
        if (at > begin) names_.insert(text_.substr(begin, at - begin));
      }
      at = text_.find(kScript, end);
    }
  }

  // Reads a block of the component; returns its end.
  std::size_t read_block(const Tag& tag) {
    if (tag.name == "template") return read_template(tag);
    const std::string close = "</" + std::string(tag.name);
    const std::size_t end = std::min(text_.find(close, tag.end), text_.size());
    if (tag.name == "script") {
      copy(tag.end, end);
      const bool is_setup = std::ranges::any_of(
          tag.attributes, [](const TagAttribute& each) { return each.name == "setup"; });
      if (is_setup && with_markup_) write_macros(tag.end, end);
      if (!is_setup && with_markup_) open_options(tag.end, end);
      const std::string_view script = text_.substr(tag.end, end - tag.end);
      has_default_ = has_default_ || script.find("export default") != std::string_view::npos ||
                     script.find("as default") != std::string_view::npos;
    }
    const std::size_t behind = text_.find('>', end);
    return behind == std::string_view::npos ? text_.size() : behind + 1;
  }

  void write_macros(std::size_t begin, std::size_t end) {
    VueMacros found = vue_macros(text_, begin, end);
    for (const ByteRange& range : found.blanks) blank(range.begin, range.end);
    for (const auto& [at, words] : found.pieces) put_in(at, words);
    declared_ = std::move(found);
  }

  // export default defineComponent({ ... }) becomes export default { ... }.
  void open_options(std::size_t begin, std::size_t end) {
    constexpr std::string_view kExport = "export default";
    const std::size_t at = text_.find(kExport, begin);
    if (at >= end) return;
    const std::size_t word = skip_spaces(text_, at + kExport.size());
    std::size_t open = word;
    while (open < end && (is_identifier_char(text_[open]) || text_[open] == '.')) ++open;
    const std::string_view name = text_.substr(word, open - word);
    if (name != "defineComponent" && name != "Vue.extend") return;
    if (open >= end || text_[open] != '(') return;
    if (text_.substr(skip_spaces(text_, open + 1), 1) != "{") return;
    const auto close = closing_bracket(text_.substr(0, end), open + 1);
    if (!close) return;
    blank(word, open + 1);
    blank(*close, *close + 1);
  }

  struct Element {
    std::string_view name;
    std::size_t braces = 0;  // to be closed at its end
    std::string component;   // as it was written
  };

  std::size_t read_template(const Tag& opening) {
    const bool is_html = std::ranges::none_of(
        opening.attributes, [](const TagAttribute& each) { return each.name == "lang"; });
    const std::string before = out_;
    const std::size_t pieces_before = pieces();
    std::vector<Element> open = {{opening.name, 0, {}}};
    open_ = {{opening.name, 1}};
    std::size_t at = opening.end;
    while (!open.empty() && at < text_.size()) {
      at = text_.find_first_of("<{", at);
      if (at == std::string_view::npos) break;
      if (text_[at] == '{') {
        at = read_interpolation(at);
        continue;
      }
      if (skip_comment(at)) continue;
      const auto tag = read_tag(text_, at);
      const bool is_tag = tag && !tag->name.empty() && is_letter(tag->name.front());
      if (!is_tag) {
        ++at;
        continue;
      }
      at = tag->end;
      if (tag->is_end) {
        close_element(*tag, open);
      } else {
        const TagName component = read_name(*tag);
        const std::size_t braces = read_attributes(*tag, component);
        if (!tag->is_empty && !is_void_element(tag->name)) {
          open.push_back({tag->name, braces, component.name});
          ++open_[tag->name];
        } else if (braces > 0) {
          out_[tag->end - 1] = '}';
        }
      }
    }
    if (!open.empty() || !is_html || !with_markup_) {
      out_ = before;
      drop_pieces(pieces_before);
    }
    return std::max(at, opening.end);
  }

  // An end tag also closes unclosed elements inside its element.
  void close_element(const Tag& tag, std::vector<Element>& open) {
    const auto known = open_.find(tag.name);
    if (known == open_.end() || known->second == 0) return;  // no matching element
    std::size_t place = open.size();
    while (place > 0 && open[place - 1].name != tag.name) --place;
    std::size_t braces = 0;
    for (std::size_t i = place - 1; i < open.size(); ++i) {
      braces += open[i].braces;
      --open_[open[i].name];
    }
    const std::string component = std::move(open[place - 1].component);
    open.resize(place - 1);
    put_in(tag.begin, std::string(braces, '}'));
    if (component.empty()) return;
    const std::size_t begin = tag.begin + 2;  // after </
    out_[tag.begin] = ';';
    if (component == tag.name) {
      copy(begin, begin + component.size());
      put_if_free(begin + component.size(), ';');
    } else {
      put_in(begin, component + ";");
    }
  }

  std::size_t read_interpolation(std::size_t at) {
    if (text_.substr(at, 2) != "{{") return at + 1;
    const std::size_t end = text_.find("}}", at + 2);
    if (end == std::string_view::npos) return text_.size();
    if (is_balanced(text_.substr(at + 2, end - at - 2))) {
      out_.replace(at, 2, ";(");
      copy(at + 2, end);
      out_.replace(end, 2, ");");
    }
    return end + 2;
  }

  // Returns how many braces the end of the element must close.
  std::size_t read_attributes(const Tag& tag, const TagName& component) {
    std::size_t braces = 0;
    for (const TagAttribute& attribute : tag.attributes) {
      const bool has_value = attribute.value != attribute.value_end;
      const std::string_view name = attribute.name;
      if (name == "v-for") {
        braces += has_value && read_loop(attribute) ? 1 : 0;
      } else if (name.starts_with('#') || name == "v-slot" || name.starts_with("v-slot:")) {
        braces += has_value && !tag.is_empty && read_slot(attribute) ? 1 : 0;
      } else if (name.starts_with('@') || name.starts_with("v-on:")) {
        if (!component.name.empty()) read_event(component, attribute);
        if (has_value) read_expression(attribute, /*has_statements=*/true);
      } else if (!read_given(component, attribute) && has_value && is_bound(name)) {
        read_expression(attribute, /*has_statements=*/false);
      }
    }
    return braces;
  }

  // True for an attribute whose value is code.
  static bool is_bound(std::string_view name) {
    return name.starts_with(':') || name.starts_with("v-") || name.starts_with('.');
  }

  // Writes the component that the tag names.
  TagName read_name(const Tag& tag) {
    const std::size_t begin = tag.begin + 1;
    const std::size_t end = begin + tag.name.size();
    if (tag.name.size() > kMaxVueName) return {};
    const bool is_plain =
        std::ranges::all_of(tag.name, [](char c) { return is_component_char(c) || c == '.'; });
    if (is_plain && is_upper(tag.name.front())) {
      out_[tag.begin] = ';';
      copy(begin, end);
      put_in(end, "();");
      return {std::string(tag.name), begin, kNone};
    }
    // Vue's look-up order: as written, without hyphens, and with a capital.
    if (is_element(tag.name)) return {};
    std::string name = without_hyphens(tag.name);
    if (name.empty()) return {};
    if (!names_.contains(name)) name.front() = capital(name.front());
    if (!names_.contains(name)) return {};
    out_[tag.begin] = ';';
    const std::size_t piece = pieces();
    put_in(begin, name + "();");
    return {name, begin, piece};
  }

  static char capital(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

  // @pick="...": Row(0,{pick:0});
  void read_event(const TagName& component, const TagAttribute& attribute) {
    const std::size_t sign = attribute.name.front() == '@' ? 1 : std::string_view("v-on:").size();
    const std::string_view name = without_modifiers(attribute.name.substr(sign));
    const std::size_t begin = attribute.begin + sign;
    if (without_hyphens(name).empty() || !put_call(component, begin, "(0,{")) return;
    const std::size_t end = write_key(name, begin);
    put_in(end, ":0});");
  }

  // Writes the key of a prop for an attribute; returns its end.
  std::size_t write_key(std::string_view name, std::size_t begin) {
    if (is_plain_name(name)) {
      copy(begin, begin + name.size());
      return begin + name.size();
    }
    put_in(begin, without_hyphens(name));
    return begin;
  }

  static std::string_view without_modifiers(std::string_view name) {
    return name.substr(0, std::min(name.find('.', 1), name.size()));
  }

  // item="x", :item="x", v-model:item="x", v-model="x", :item, of a component: Row({item:(x)}); for
  // other elements, :item without a value becomes ;(item);. False for other attributes.
  bool read_given(const TagName& component, const TagAttribute& attribute) {
    const bool has_value = attribute.value != attribute.value_end;
    const std::string_view whole = attribute.name;
    std::size_t sign = 0;
    for (const std::string_view each : {":", ".", "v-bind:", "v-model:"}) {
      if (whole.starts_with(each)) sign = each.size();
    }
    const bool is_model = without_modifiers(whole) == "v-model";
    if (sign == 0 && !is_model && (whole.starts_with("v-") || component.name.empty())) return false;
    const std::string_view name = without_modifiers(whole.substr(sign));
    const std::size_t begin = attribute.begin + sign;
    if (is_model ? !has_value : without_hyphens(name).empty()) return false;
    const bool is_shorthand = !has_value && whole.starts_with(':');
    if (component.name.empty()) {
      if (!is_shorthand) return false;
      put_in(begin, ";(");
      put_in(write_key(name, begin), ");");
      return true;
    }
    const bool is_code = has_value && (sign > 0 || is_model) && is_code_in(attribute);
    if (!put_call(component, begin, "({")) return false;
    std::size_t end = begin;
    if (is_model) {
      put_in(begin, "modelValue");
    } else {
      end = write_key(name, begin);
    }
    if (!is_code) {
      put_in(end, is_shorthand ? "});" : ":0});");
      return true;
    }
    put_in(end, ":");
    copy_decoded(attribute.value, attribute.value_end);
    out_[attribute.value - 1] = '(';
    out_[attribute.value_end] = ')';
    put_in(attribute.value_end + 1, "});");
    return true;
  }

  bool is_code_in(const TagAttribute& attribute) const {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    return code.find_first_not_of(" \t\r\n") != std::string_view::npos && is_balanced(code);
  }

  void read_expression(const TagAttribute& attribute, bool has_statements) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    if (!is_code_in(attribute)) return;
    const std::string_view start = code.substr(code.find_first_not_of(" \t\r\n"));
    const bool is_block =
        has_statements && !start.starts_with("function") && !start.starts_with("async");
    copy_decoded(attribute.value, attribute.value_end);
    if (text_[attribute.value - 2] == '=') out_[attribute.value - 2] = ';';
    out_[attribute.value - 1] = is_block ? '{' : '(';
    out_[attribute.value_end] = is_block ? '}' : ')';
    put_if_free(attribute.value_end + 1, ';');
  }

  // v-for="(item, i) in items": for(let [item, i] of items) {
  bool read_loop(const TagAttribute& attribute) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    std::size_t word = std::string_view::npos;
    for (const std::string_view each : {" in ", " of ", "\nin ", "\nof "}) {
      word = std::min(word, code.find(each));
    }
    const std::size_t alias = code.find_first_not_of(" \t\r\n");
    if (word == std::string_view::npos || alias >= word || !is_balanced(code)) return false;
    const std::size_t last = code.substr(0, word).find_last_of(')');
    if (code[alias] == '(' && last == std::string_view::npos) return false;
    const std::size_t name = attribute.value + alias;
    const bool is_list = code[alias] != '(' && has_comma(code.substr(0, word));  // a, i in b
    put_in(name, is_list ? ";for(let [" : ";for(let ");
    copy_decoded(attribute.value, attribute.value_end);
    if (is_list) {
      put_in(attribute.value + word, "]");
    } else if (text_[name] == '(') {
      out_[name] = '[';
      out_[attribute.value + last] = ']';
    }
    out_.replace(attribute.value + word + 1, 2, "of");
    out_[attribute.value_end] = ')';
    put_in(attribute.value_end + 1, "{");
    return true;
  }

  // True for code with a comma outside brackets.
  static bool has_comma(std::string_view code) {
    std::size_t depth = 0;
    for (const char c : code) {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
      if (c == ',' && depth == 0) return true;
    }
    return false;
  }

  // #item="{ row }": !function({ row }) {
  bool read_slot(const TagAttribute& attribute) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    if (!is_balanced(code)) return false;
    put_in(attribute.value, ";!function(");
    copy_decoded(attribute.value, attribute.value_end);
    out_[attribute.value_end] = ')';
    put_in(attribute.value_end + 1, "{");
    return true;
  }

  // Like copy(), but decodes HTML character references.
  void copy_decoded(std::size_t begin, std::size_t end) {
    struct Reference {
      std::string_view text;
      char character;
    };
    constexpr std::array<Reference, 5> kReferences = {
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
    copy(begin, end);
    std::size_t behind = 0, next = 0;  // the last reference and its character: &amp;&amp; becomes
                                       // &&
    const std::string_view head = text_.substr(0, end);
    for (std::size_t at = head.find('&', begin); at < end; at = head.find('&', at + 1)) {
      for (const Reference& each : kReferences) {
        if (text_.substr(at, each.text.size()) != each.text) continue;
        out_.replace(at, each.text.size(), each.text.size(), ' ');
        if (at != behind) next = at;
        out_[next++] = each.character;
        behind = at + each.text.size();
      }
    }
  }

  const bool with_markup_;
  bool has_default_ = false;
  VueMacros declared_;
  std::set<std::string_view> names_;              // in the scripts
  std::map<std::string_view, std::size_t> open_;  // open elements of a template, by name
};

}  // namespace

ComponentScript script_of_vue(std::string_view text, bool with_markup) {
  return VueScript(text, with_markup).run();
}

}  // namespace codexmem::parse
