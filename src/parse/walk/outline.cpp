// One table says what the nodes of all grammars are; for another node, the pieces in it are
// taken. Grammars agree on most names of fields, so what they call a call's callee, receiver and
// arguments is tried in turn.
//
// Tested by graph/routes_test.cpp.
#include "parse/walk/outline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "parse/rules/rules.h"
#include "parse/walk/budget.h"
#include "parse/walk/source_tree.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxOutlineDepth = 200;

enum class Shape : std::uint8_t {
  kThrough,  // the pieces in it
  kSkip,
  kText,
  kName,
  kMember,
  kCall,
  kList,
  kPair,
  kFunction,
  kDefinition,
  kType,
  kAssignment,
  kReturn,
  kDecorator,
  kFirst,  // its first child
};

struct ShapeRow {
  Shape shape;
  std::string_view kinds;  // with commas between
};

constexpr ShapeRow kShapes[] = {
    {Shape::kSkip, "comment,line_comment,block_comment,type_annotation,type_arguments,superclass"},
    {Shape::kText,
     "string,string_literal,interpreted_string_literal,raw_string_literal,"
     "verbatim_string_literal,interpolated_string_expression,encapsed_string,"
     "template_string,simple_symbol,bare_string,bare_symbol,atom"},
    {Shape::kName,
     "identifier,property_identifier,field_identifier,type_identifier,"
     "shorthand_property_identifier,constant,name,variable_name,alias,user_type,this,nil,"
     "false,qualified_name,dotted_name"},
    {Shape::kMember,
     "member_expression,selector_expression,member_access_expression,"
     "navigation_expression,field_access,dot,scope_resolution,scoped_identifier"},
    {Shape::kFirst,
     "class_constant_access_expression,class_literal,as_expression,satisfies_expression,"
     "non_null_expression"},
    {Shape::kCall,
     "call,call_expression,new_expression,method_invocation,object_creation_expression,"
     "invocation_expression,constructor_invocation,member_call_expression,"
     "nullsafe_member_call_expression,scoped_call_expression,function_call_expression"},
    {Shape::kList,
     "list,tuple,array,dictionary,object,hash,map,string_array,symbol_array,"
     "array_creation_expression,implicit_array_creation_expression,collection_expression,"
     "collection_literal,element_value_array_initializer,literal_value"},
    {Shape::kPair,
     "pair,keyword_argument,element_value_pair,keyed_element,array_element_initializer,"
     "argument,attribute_argument,value_argument"},
    {Shape::kFunction,
     "arrow_function,function_expression,func_literal,lambda,lambda_expression,"
     "lambda_literal,anonymous_function,do_block"},
    {Shape::kDefinition,
     "function_definition,function_declaration,generator_function_declaration,"
     "method_definition,method_declaration,local_function_statement,method,"
     "singleton_method,function_item,enum_variant"},
    {Shape::kType,
     "class_definition,class_declaration,interface_declaration,abstract_class_declaration,"
     "class,module,enum_item,struct_item"},
    {Shape::kAssignment,
     "assignment,augmented_assignment,assignment_expression,assignment_statement,"
     "short_var_declaration,variable_declarator,public_field_definition,field_definition,"
     "property_declaration,property_element,var_spec,const_spec,const_element"},
    {Shape::kReturn, "return_statement"},
    {Shape::kDecorator, "decorator,annotation,marker_annotation,attribute_item"},
};

Shape shape_of(std::string_view kind) {
  static const std::map<std::string_view, Shape> kinds = [] {
    std::map<std::string_view, Shape> made;
    for (const ShapeRow& row : kShapes) {
      for (const std::string_view each : split(row.kinds, ',')) made.emplace(each, row.shape);
    }
    return made;
  }();
  const auto found = kinds.find(kind);
  return found == kinds.end() ? Shape::kThrough : found->second;
}

// The content of a literal: without letters before the quotes, the quotes, and a symbol's colon.
std::string_view literal_content(std::string_view text) {
  const std::size_t quote = text.find_first_of("\"'`");
  if (quote == std::string_view::npos || quote > 3) {
    if (text.starts_with(':')) text.remove_prefix(1);
    return text;
  }
  text.remove_prefix(quote);
  const std::string_view mark = text.size() >= 6 && text.substr(0, 3) == std::string(3, text[0])
                                    ? text.substr(0, 3)
                                    : text.substr(0, 1);
  text.remove_prefix(mark.size());
  if (text.ends_with(mark)) text.remove_suffix(mark.size());
  return text;
}

class OutlineReader {
 public:
  OutlineReader(const Grammar& grammar, std::string_view text) : grammar_(grammar), text_(text) {
    for (Kind kind = 0; kind < grammar.kind_count(); ++kind) {
      const bool is_named = grammar.is_named(kind);
      shapes_.push_back(is_named ? shape_of(grammar.kind_name(kind)) : Shape::kSkip);
    }
  }

  std::vector<Piece> read(const Node& root) {
    std::vector<Piece> found;
    add_children(root, found);
    return found;
  }

 private:
  std::string_view text_of(const Node& node) const {
    const ByteRange range = range_of(node);
    return text_.substr(range.begin, range.size());
  }
  std::string_view kind_name(const Node& node) const {
    return kind_of(node) == kErrorKind ? "ERROR" : grammar_.kind_name(kind_of(node));
  }
  bool has_word(const Node& node, std::string_view word) const {
    return kind_name(node).find(word) != std::string_view::npos;
  }
  Node field(const Node& node, std::string_view name) const {
    return child_by_field(node, grammar_.field(name));
  }
  // The child in the first of `names` that the node has.
  Node first_field(const Node& node, std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      if (const Node child = field(node, name)) return child;
    }
    return {};
  }

  Shape shape(const Node& node) const {
    const Kind kind = kind_of(node);
    if (kind == kErrorKind) return Shape::kThrough;
    const Shape known = shapes_[kind];
    if (kind_name(node) == "attribute") {  // Python's member, C#'s and PHP's annotation
      return field(node, "object") ? Shape::kMember : Shape::kDecorator;
    }
    if (kind_name(node) == "property_declaration" && has_elements(node)) return Shape::kThrough;
    // A keyword (Ruby's "class") has the name of its node.
    if (known == Shape::kPair && !is_pair(node)) return Shape::kThrough;
    return known;
  }
  // PHP's declaration of several properties.
  bool has_elements(const Node& node) const {
    for (std::uint32_t i = 0; i < named_child_count(node); ++i) {
      if (kind_name(named_child(node, i)) == "property_element") return true;
    }
    return false;
  }
  // An argument that is not named is its value.
  bool is_pair(const Node& node) const {
    const std::string_view kind = kind_name(node);
    if (kind == "argument" || kind == "attribute_argument") return bool(field(node, "name"));
    if (kind == "value_argument" || kind == "array_element_initializer") {
      return named_child_count(node) == 2;
    }
    return true;
  }

  static std::vector<Node> children_of(const Node& node) {
    std::vector<Node> children;
    Cursor cursor(node);
    for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
      children.push_back(cursor.node());
    }
    return children;
  }

  // Decorators belong to the definition that follows them.
  void add_children(const Node& node, std::vector<Piece>& out) {
    std::vector<Piece> decorators;
    for (const Node& child : children_of(node)) {
      if (shape(child) == Shape::kDecorator) {
        decorators.push_back(decorator(child));
        continue;
      }
      const std::size_t before = out.size();
      add(child, out);
      if (decorators.empty() || out.size() == before) continue;
      if (Piece& first = out[before]; first.kind == PieceKind::kDefinition) {
        first.parts.insert(first.parts.begin(), std::make_move_iterator(decorators.begin()),
                           std::make_move_iterator(decorators.end()));
        decorators.clear();
      }
    }
  }

  void add(const Node& node, std::vector<Piece>& out) {
    if (depth_ >= kMaxOutlineDepth) return;
    ++depth_;
    const Shape what = shape(node);
    switch (what) {
      case Shape::kSkip:
        break;
      case Shape::kThrough:
        add_children(node, out);
        break;
      case Shape::kFirst:
        if (const Node first = named_child(node, 0)) add(first, out);
        break;
      case Shape::kDecorator:
        out.push_back(decorator(node));
        break;
      default:
        out.push_back(piece(node, what));
    }
    --depth_;
  }

  // `node` as one piece, also if it has several or none.
  Piece one(const Node& node) {
    std::vector<Piece> found;
    add(node, found);
    if (found.size() == 1) return std::move(found.front());
    Piece other{.range = range_of(node)};
    other.name = text_of(node);
    other.parts = std::move(found);
    return other;
  }
  void add_each(const Node& list, std::vector<Piece>& out) {
    for (std::uint32_t i = 0; i < named_child_count(list); ++i) {
      const Node child = named_child(list, i);
      if (shape(child) == Shape::kSkip) continue;
      // Elixir's and C#'s lists within lists.
      if (has_word(child, "keywords") || has_word(child, "initializer_expression")) {
        add_each(child, out);
      } else {
        out.push_back(one(child));
      }
    }
  }

  Piece piece(const Node& node, Shape what) {
    Piece made{.range = range_of(node)};
    made.at = made.range.begin;
    switch (what) {
      case Shape::kText:
        made.kind = PieceKind::kText;
        made.name = literal_content(text_of(node));
        for (std::uint32_t i = 0; i < named_child_count(node); ++i) {
          const Node child = named_child(node, i);
          if (!has_word(child, "content") && !has_word(child, "fragment") &&
              !has_word(child, "escape") && !has_word(child, "string_") &&
              !has_word(child, "quoted")) {
            made.is_computed = true;
          }
        }
        break;
      case Shape::kName:
        made.kind = PieceKind::kName;
        made.name = text_of(node);
        break;
      case Shape::kMember:
        set_callee(node, made);
        made.kind = PieceKind::kName;
        made.name = text_of(node);
        break;
      case Shape::kCall:
        read_call(node, made);
        break;
      case Shape::kList:
        made.kind = PieceKind::kList;
        add_each(node, made.parts);
        break;
      case Shape::kPair:
        read_pair(node, made);
        break;
      case Shape::kFunction:
        made.kind = PieceKind::kFunction;
        read_body(node, {}, made);
        break;
      case Shape::kDefinition:
      case Shape::kType:
        made.kind = PieceKind::kDefinition;
        made.is_type = what == Shape::kType;
        read_definition(node, made);
        break;
      case Shape::kAssignment:
        read_assignment(node, made);
        break;
      default:
        made.kind = PieceKind::kReturn;
        add_children(node, made.parts);
    }
    return made;
  }

  // The last name of a callee, and the part before it.
  void set_callee(const Node& callee, Piece& made) {
    const std::uint32_t count = named_child_count(callee);
    if (shape(callee) == Shape::kMember && count >= 1) {
      const Node last = named_child(callee, count - 1);
      made.name = count > 1 ? text_of(last) : "";  // Elixir's f.()
      made.at = range_of(last).begin;
      if (count > 1) made.receiver.push_back(one(named_child(callee, 0)));
      return;
    }
    if (shape(callee) == Shape::kCall) made.receiver.push_back(one(callee));
    made.name = made.receiver.empty() ? text_of(callee) : "";
    made.at = range_of(callee).begin;
  }

  void read_call(const Node& node, Piece& made) {
    made.kind = PieceKind::kCall;
    Node callee = first_field(node, {"function", "constructor", "target", "method", "name"});
    if (!callee) callee = named_child(node, 0);
    if (callee) set_callee(callee, made);
    if (const Node receiver = first_field(node, {"receiver", "object", "scope"})) {
      made.receiver.clear();
      made.receiver.push_back(one(receiver));
    }
    std::vector<Piece> blocks;
    for (const Node& child : children_of(node)) {
      if (has_word(child, "type_argument")) continue;
      const bool is_list = has_word(child, "arguments") || has_word(child, "argument_list") ||
                           has_word(child, "token_tree");
      if (is_list) add_each(child, made.parts);
      if (kind_name(child) == "do_block" || kind_name(child) == "block") {
        blocks.push_back(piece(child, Shape::kFunction));
      }
      if (kind_name(child) == "annotated_lambda") blocks.push_back(one(child));
    }
    std::ranges::move(blocks, std::back_inserter(made.parts));
  }

  Piece decorator(const Node& node) {
    const Node named = field(node, "name");
    if (named || kind_name(node) == "attribute") {
      Piece made{.range = range_of(node)};
      read_call(node, made);
      return made;
    }
    Piece made = named_child(node, 0) ? one(named_child(node, 0)) : Piece{};
    if (made.kind == PieceKind::kName) {
      made.kind = PieceKind::kCall;
      made.name = text_.substr(made.at, made.range.end - made.at);
    }
    return made;
  }

  void read_pair(const Node& node, Piece& made) {
    made.kind = PieceKind::kPair;
    Node key = first_field(node, {"key", "name"});
    if (!key) key = named_child(node, 0);
    Node value = field(node, "value");
    if (!value) value = named_child(node, named_child_count(node) - 1);
    made.name = literal_content(text_of(key));
    while (made.name.ends_with(' ') || made.name.ends_with(':')) made.name.remove_suffix(1);
    made.at = range_of(key).begin;
    if (value) made.parts.push_back(one(value));
  }

  void read_definition(const Node& node, Piece& made) {
    const Node name = field(node, "name");
    if (name) {
      made.name = text_of(name);
      made.at = range_of(name).begin;
    }
    read_body(node, name, made);
  }

  // The parameters, decorators and pieces in a function or definition with the name `name`.
  void read_body(const Node& node, const Node& name, Piece& made) {
    const Node receiver = field(node, "receiver");
    for (const Node& child : children_of(node)) {
      if (child.id == name.id || (receiver && child.id == receiver.id)) continue;
      if (has_word(child, "modifiers") || has_word(child, "attribute_list")) {
        add_children_of_lists(child, made.parts);
      } else if (has_word(child, "parameter")) {
        add_parameters(child, made.parameters);
      } else if (made.kind == PieceKind::kFunction && child.id == field(node, "body").id &&
                 !has_word(child, "block") && !has_word(child, "body") &&
                 !has_word(child, "statement")) {
        Piece result{.kind = PieceKind::kReturn, .range = range_of(child)};
        add(child, result.parts);
        made.inside.push_back(std::move(result));
      } else if (made.kind == PieceKind::kFunction && child.id == field(node, "parameter").id) {
        made.parameters.push_back(one(child));
      } else {
        add(child, made.inside);
      }
    }
  }
  void add_children_of_lists(const Node& node, std::vector<Piece>& out) {
    for (std::uint32_t i = 0; i < named_child_count(node); ++i) {
      const Node child = named_child(node, i);
      if (shape(child) == Shape::kDecorator) {
        out.push_back(decorator(child));
      } else if (has_word(child, "attribute_group")) {
        add_children_of_lists(child, out);
      }
    }
  }
  void add_parameters(const Node& list, std::vector<Piece>& out) {
    if (shape(list) == Shape::kName) return out.push_back(one(list));
    for (std::uint32_t i = 0; i < named_child_count(list); ++i) {
      const Node child = named_child(list, i);
      Node name = first_field(child, {"name", "pattern"});
      if (!name) name = shape(child) == Shape::kName ? child : named_child(child, 0);
      if (name) out.push_back(one(name));
    }
  }

  void read_assignment(const Node& node, Piece& made) {
    made.kind = PieceKind::kAssignment;
    Node left = first_field(node, {"left", "name", "property"});
    if (!left) left = named_child(node, 0);
    const Node right = first_field(node, {"right", "value", "default_value"});
    if (!left) return;
    std::vector<Piece> names;
    add(left, names);
    made.name = names.empty() ? text_of(left) : names.front().name;
    made.at = names.empty() ? range_of(left).begin : names.front().at;
    if (right) {
      add(right, made.parts);
    } else {
      for (std::uint32_t i = 1; i < named_child_count(node); ++i) {
        add(named_child(node, i), made.parts);
      }
    }
  }

  const Grammar& grammar_;
  std::string_view text_;
  std::vector<Shape> shapes_;
  int depth_ = 0;
};

}  // namespace

std::vector<Piece> read_outline(const Language& language, std::string_view text) {
  if (!language.has_grammar) return {};
  const Tree tree = source_tree(language, text, Budget::of_text(text.size(), {}));
  if (!tree) return {};
  const Grammar grammar = Rules::of(language).grammar();
  return OutlineReader(grammar, text).read(tree.root());
}

}  // namespace codexmem::parse
