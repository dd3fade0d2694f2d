// From the name upwards: as long as a node ends with the name, or with the name and type arguments,
// its call or declaration is above it. The first node in brackets behind it is the list. A function
// that is a value, f = (a) => a, has its list in that value.
//
// Tested by parse/lists_test.cpp.
#include "parse/walk/lists.h"

#include <string>
#include <utility>

#include "parse/rules/rules.h"
#include "parse/walk/budget.h"
#include "parse/walk/source_tree.h"

namespace codexmem::parse {
namespace {

std::vector<Node> all_children(const Node& node) {
  std::vector<Node> children;
  Cursor cursor(node);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    children.push_back(cursor.node());
  }
  return children;
}

}  // namespace

struct WrittenLists::Impl {
  std::string_view text;
  bool takes_blocks = false;  // f(1) { } gives the block as an argument
  Grammar grammar;
  Tree tree;

  std::string_view text_of(const Node& node) const {
    const ByteRange range = range_of(node);
    return text.substr(range.begin, range.size());
  }
  bool is_kind(const Node& node, std::string_view part) const {
    return kind_of(node) != kErrorKind &&
           grammar.kind_name(kind_of(node)).find(part) != std::string_view::npos;
  }

  // The node in brackets at the begin of `node`, or behind its type arguments.
  Node list_in(const Node& node) const {
    const std::string_view written = text_of(node);
    if (written.size() < 2 || (written[0] != '(' && written[0] != '<')) return {};
    for (const Node& child : all_children(node)) {
      if (text_of(child).size() > 1 && text_of(child)[0] == '(' &&
          (written[0] == '<' || range_of(child).begin == range_of(node).begin)) {
        return list_in(child);
      }
    }
    return written[0] == '(' && written.back() == ')' ? node : Node();
  }

  // True for what may stand between a name and its list.
  bool is_between(const Node& node) const {
    const std::string_view written = text_of(node);
    return written.empty() || written == "?." || written == "!" || written == "?" ||
           written == "::" || (written[0] == '<' && written.back() == '>') ||
           (written.size() > 1 && written[0] == '[' && written.back() == ']') ||
           is_kind(node, "comment");
  }

  // The parameters of a function that is a value or a type.
  Node list_of_value(Node value) const {
    while (value && !is_kind(value, "function") && named_child_count(value) == 1) {
      value = named_child(value, 0);
    }
    if (!value || !is_kind(value, "function")) return {};
    for (const Node& child : all_children(value)) {
      if (const Node list = list_in(child)) return list;
      if (text_of(child) == "=>") break;
    }
    return {};
  }

  std::optional<WrittenList> read(const Node& list) const {
    WrittenList found{.range = range_of(list), .items = {}};
    std::optional<ByteRange> item;
    const auto children = all_children(list);
    for (std::size_t i = 1; i < children.size(); ++i) {
      const Node& child = children[i];
      const bool is_end = i + 1 == children.size();
      if (is_end || text_of(child) == ",") {
        if (item) found.items.push_back(*item);
        item.reset();
        continue;
      }
      found.is_broken = found.is_broken || kind_of(child) == kErrorKind || is_missing(child);
      if (is_kind(child, "comment")) continue;
      if (!item) item = range_of(child);
      item->end = range_of(child).end;
    }
    return found;
  }

  // True if a block behind the list is an argument as well: f(1) { }.
  bool is_before_block(std::uint32_t end) const {
    const std::size_t next = text.find_first_not_of(' ', end);
    return takes_blocks && next != text.npos && text[next] == '{';
  }

  std::optional<WrittenList> find(std::uint32_t offset, bool is_declared) const {
    std::vector<Node> path;
    for (Node node = tree ? tree.root() : Node(); node;) {
      path.push_back(node);
      Node next;
      for (const Node& child : all_children(node)) {
        if (!range_of(child).contains(offset)) continue;
        next = child;
        break;
      }
      node = next;
    }
    if (path.empty()) return std::nullopt;
    std::uint32_t end = range_of(path.back()).end;
    for (std::size_t depth = path.size() - 1; depth > 0; --depth) {
      if (range_of(path[depth]).end != end || is_kind(path[depth], "statement")) {
        return std::nullopt;
      }
      bool is_value = false, is_at_end = true;
      for (const Node& child : all_children(path[depth - 1])) {
        if (range_of(child).begin < end) continue;
        if (const Node list = is_value ? Node() : list_in(child)) return read(list);
        if (is_declared && is_value) {
          const Node list = list_of_value(child);
          if (list) return read(list);
        }
        if (is_between(child)) continue;
        const std::string_view written = text_of(child);
        is_at_end = false;
        if (!is_declared || (written[0] != '=' && written[0] != ':')) {
          if (!is_value) break;
        } else if (written.size() > 1) {
          const Node list = list_of_value(child);  // : (a: A) => B
          if (list) return read(list);
        }
        is_value = true;
      }
      if (!is_at_end) return std::nullopt;
      end = range_of(path[depth - 1]).end;
    }
    return std::nullopt;
  }
};

WrittenLists::WrittenLists(const Language& language, std::string_view text)
    : impl_(std::make_unique<Impl>()) {
  impl_->text = text;
  impl_->takes_blocks = language.name == "kotlin" || language.name == "scala";
  if (!language.has_grammar) return;
  impl_->grammar = Rules::of(language).grammar();
  impl_->tree = source_tree(language, text, Budget::of_text(text.size(), {}));
}
WrittenLists::~WrittenLists() = default;
WrittenLists::WrittenLists(WrittenLists&&) noexcept = default;
WrittenLists& WrittenLists::operator=(WrittenLists&&) noexcept = default;

std::optional<WrittenList> WrittenLists::find(std::uint32_t offset, bool is_declared) const {
  auto list = impl_->find(offset, is_declared);
  if (list && !is_declared) list->has_block = impl_->is_before_block(list->range.end);
  return list;
}

}  // namespace codexmem::parse
