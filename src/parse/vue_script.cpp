// One pass over the tags. What is emitted goes over the characters of the markup around it: of
// `v-for="` seven and a space before, enough for `for(let `, of `{{` for `;(`. So nothing moves.
//
// Tested by parse/component_script_test.cpp and golden_test.cpp (testdata/languages/vue).
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "parse/component_script.h"
#include "parse/component_text.h"

namespace codexmem::parse {
namespace {

constexpr std::size_t kMostAttributes = 200;

struct VueAttribute {
  std::string_view name;
  std::size_t begin = 0;                 // of its name
  std::size_t value = 0, value_end = 0;  // between its quotes; the same: none
};

struct Tag {
  std::string_view name;
  std::size_t begin = 0, end = 0;  // from < to behind >
  bool is_end = false;             // </name>
  bool is_empty = false;           // <name />
  std::vector<VueAttribute> attributes;
};

bool ends_name(char c) { return is_space(c) || c == '=' || c == '>' || c == '/'; }

// The tag whose < is at `at`; nothing for one that does not end.
std::optional<Tag> read_tag(std::string_view text, std::size_t at) {
  Tag tag;
  tag.begin = at++;
  tag.is_end = at < text.size() && text[at] == '/';
  if (tag.is_end) ++at;
  const std::size_t name = at;
  while (at < text.size() && !ends_name(text[at])) ++at;
  tag.name = text.substr(name, at - name);
  while (tag.attributes.size() < kMostAttributes) {
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
    VueAttribute attribute;
    attribute.begin = at++;  // also of an = that stands alone
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

  std::string run() {
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
    if (!has_default_ && with_markup_) add_default();
    return std::move(out_);
  }

 private:
  // The end of a block of the component.
  std::size_t read_block(const Tag& tag) {
    if (tag.name == "template") return read_template(tag);
    const std::string close = "</" + std::string(tag.name);
    const std::size_t end = std::min(text_.find(close, tag.end), text_.size());
    if (tag.name == "script") {
      end_gap(tag.end);
      copy(tag.end, end);
      const std::string_view script = text_.substr(tag.end, end - tag.end);
      has_default_ = has_default_ || script.find("export default") != std::string_view::npos ||
                     script.find("as default") != std::string_view::npos;
      gap_begin_ = end;
    }
    const std::size_t behind = text_.find('>', end);
    return behind == std::string_view::npos ? text_.size() : behind + 1;
  }

  struct Element {
    std::string_view name;
    std::size_t braces = 0;  // that its end closes
  };

  std::size_t read_template(const Tag& opening) {
    const bool is_html = std::ranges::none_of(
        opening.attributes, [](const VueAttribute& each) { return each.name == "lang"; });
    const std::string before = out_;
    std::vector<Element> open = {{opening.name, 0}};
    open_ = {{opening.name, 1}};
    std::size_t at = opening.end;
    std::size_t close = text_.size();
    bool is_whole = true;
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
        close = tag->begin;
        is_whole = close_element(*tag, open) && is_whole;
      } else {
        const std::size_t braces = read_attributes(*tag);
        if (!tag->is_empty && !is_void_element(tag->name)) {
          open.push_back({tag->name, braces});
          ++open_[tag->name];
        } else if (braces > 0) {
          out_[tag->end - 1] = '}';
        }
      }
    }
    is_whole = is_whole && open.empty();
    if (!is_whole || !is_html || !with_markup_) out_ = before;
    if (out_ != before) {
      end_gap(opening.end);
      gap_begin_ = close;
    }
    return std::max(at, opening.end);
  }

  // An end tag closes the elements in it that have none of their own; false where their braces have
  // no room.
  bool close_element(const Tag& tag, std::vector<Element>& open) {
    const auto known = open_.find(tag.name);
    if (known == open_.end() || known->second == 0) return true;  // nobody's
    std::size_t place = open.size();
    while (place > 0 && open[place - 1].name != tag.name) --place;
    std::size_t braces = 0;
    for (std::size_t i = place - 1; i < open.size(); ++i) {
      braces += open[i].braces;
      --open_[open[i].name];
    }
    open.resize(place - 1);
    if (braces > tag.end - tag.begin) return false;
    for (std::size_t i = 0; i < braces; ++i) {
      if (out_[tag.begin + i] != ' ') return false;
      out_[tag.begin + i] = '}';
    }
    return true;
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

  // How many braces the end of the element has to close.
  std::size_t read_attributes(const Tag& tag) {
    const bool is_component =
        is_upper(tag.name.front()) &&
        std::ranges::all_of(tag.name, [](char c) { return is_component_char(c) || c == '.'; });
    if (is_component) {
      out_[tag.begin] = ';';
      copy(tag.begin + 1, tag.begin + 1 + tag.name.size());
      put_if_free(tag.begin + 1 + tag.name.size(), ';');
    }
    std::size_t braces = 0;
    for (const VueAttribute& attribute : tag.attributes) {
      if (attribute.value == attribute.value_end) continue;
      const std::string_view name = attribute.name;
      if (name == "v-for") {
        braces += read_loop(tag, attribute) ? 1 : 0;
      } else if (name.starts_with('#') || name == "v-slot" || name.starts_with("v-slot:")) {
        braces += !tag.is_empty && read_slot(tag, attribute) ? 1 : 0;
      } else if (name.starts_with('@') || name.starts_with("v-on:")) {
        read_expression(attribute, /*has_statements=*/true);
      } else if (name.starts_with(':') || name.starts_with("v-") || name.starts_with('.')) {
        read_expression(attribute, /*has_statements=*/false);
      }
    }
    return braces;
  }

  void read_expression(const VueAttribute& attribute, bool has_statements) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    if (!is_balanced(code)) return;
    const std::size_t first = code.find_first_not_of(" \t\r\n");
    const std::string_view start = first == std::string_view::npos ? "" : code.substr(first);
    if (start.empty()) return;
    const bool is_block =
        has_statements && !start.starts_with("function") && !start.starts_with("async");
    copy_decoded(attribute.value, attribute.value_end);
    if (text_[attribute.value - 2] == '=') out_[attribute.value - 2] = ';';
    out_[attribute.value - 1] = is_block ? '{' : '(';
    out_[attribute.value_end] = is_block ? '}' : ')';
    put_if_free(attribute.value_end + 1, ';');
  }

  // v-for="(item, i) in items": for(let [item, i] of items) {
  bool read_loop(const Tag& tag, const VueAttribute& attribute) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    std::size_t word = std::string_view::npos;
    for (const std::string_view each : {" in ", " of ", "\nin ", "\nof "}) {
      word = std::min(word, code.find(each));
    }
    const std::size_t alias = code.find_first_not_of(" \t\r\n");
    if (word == std::string_view::npos || alias >= word || !is_balanced(code)) return false;
    constexpr std::string_view kLoop = "for(let ";
    const std::size_t name = attribute.value + alias;
    const std::size_t brace = brace_behind(attribute.value_end + 1);
    if (name < tag.begin + kLoop.size() || brace >= tag.end) return false;
    if (!put_if_all_free(name - kLoop.size(), kLoop)) return false;
    copy_decoded(attribute.value, attribute.value_end);
    if (text_[name] == '(') {
      const std::size_t last = code.substr(0, word).find_last_of(')');
      if (last == std::string_view::npos) return false;
      out_[name] = '[';
      out_[attribute.value + last] = ']';
    }
    out_.replace(attribute.value + word + 1, 2, "of");
    out_[attribute.value_end] = ')';
    out_[brace] = '{';
    return true;
  }

  // #item="{ row }": !function({ row }) {
  bool read_slot(const Tag& tag, const VueAttribute& attribute) {
    const std::string_view code =
        text_.substr(attribute.value, attribute.value_end - attribute.value);
    constexpr std::string_view kFunction = "!function(";
    const std::size_t brace = brace_behind(attribute.value_end + 1);
    if (!is_balanced(code) || attribute.value < tag.begin + kFunction.size() || brace >= tag.end) {
      return false;
    }
    if (!put_if_all_free(attribute.value - kFunction.size(), kFunction)) return false;
    copy_decoded(attribute.value, attribute.value_end);
    out_[attribute.value_end] = ')';
    out_[brace] = '{';
    return true;
  }

  // Where a brace may go behind an attribute.
  std::size_t brace_behind(std::size_t at) const {
    while (at < out_.size() && out_[at] != ' ') ++at;
    return at;
  }

  // As copy(), with HTML's references as the characters that they stand for.
  void copy_decoded(std::size_t begin, std::size_t end) {
    struct Reference {
      std::string_view text;
      char character;
    };
    constexpr std::array<Reference, 5> kReferences = {
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
    copy(begin, end);
    std::size_t behind = 0, next = 0;  // the last reference, its character: &amp;&amp; is &&
    for (std::size_t at = text_.find('&', begin); at < end; at = text_.find('&', at + 1)) {
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
  std::map<std::string_view, std::size_t> open_;  // the elements of a template that are, by name
};

}  // namespace

std::string script_of_vue(std::string_view text, bool with_markup) {
  return VueScript(text, with_markup).run();
}

}  // namespace codexmem::parse
