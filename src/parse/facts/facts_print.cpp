#include "parse/facts/facts_print.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "text/declaration_text.h"
#include "text/line_index.h"
#include "base/text.h"

namespace codexmem::parse {
namespace {

constexpr std::string_view kScopes[] = {"module",        "function",  "class",           "block",
                                        "comprehension", "namespace", "type parameters", "global"};
constexpr std::string_view kBindings[] = {"symbol",         "import", "parameter", "local",
                                          "type parameter", "global", "nonlocal",  "alias"};
constexpr std::string_view kImports[] = {"import",   "require",    "dynamic",
                                         "reexport", "documented", "include"};
constexpr std::string_view kRoles[] = {"read",    "write",  "call",   "type",
                                       "inherit", "import", "export", "definition"};
constexpr std::string_view kDynamics[] = {"eval", "computed member", "reflection",
                                          "computed import"};

constexpr int kMaxNesting = 8;          // of printed terms in terms
constexpr std::size_t kMaxShown = 400;  // bytes of one list of parts

template <typename Enum, std::size_t kSize>
std::string_view word(const std::string_view (&words)[kSize], Enum value) {
  return words[static_cast<std::size_t>(value)];
}

class Printer {
 public:
  Printer(const FileFacts& facts, std::string_view text)
      : facts_(facts), text_(text), lines_(text) {}

  std::string print() {
    if (!facts_.package.empty()) out_ += "package " + facts_.package + "\n";
    for (const Symbol& symbol : facts_.symbols) print_symbol(symbol);
    for (const Import& import : facts_.imports) print_import(import);
    for (const Export& exported : facts_.exports) print_export(exported);
    for (std::size_t i = 0; i < facts_.scopes.size(); ++i) print_scope(i);
    for (const Binding& binding : facts_.bindings) print_binding(binding);
    for (const Occurrence& occurrence : facts_.occurrences) print_occurrence(occurrence);
    for (const Heritage& heritage : facts_.heritage) {
      line(facts_.occurrences[heritage.occurrence].offset, "heritage {} < {}",
           facts_.symbols[heritage.symbol].qualified_name,
           heritage.term == kNoIndex ? full_name(heritage.occurrence) : term(heritage.term));
    }
    for (const Call& call : facts_.calls) {
      line(facts_.occurrences[call.occurrence].offset, "call {}{}", full_name(call.occurrence),
           tilde(call.term));
    }
    for (const Extension& extension : facts_.extensions) {
      line(facts_.scopes[extension.scope].range.begin, "extension{}{}", tilde(extension.type_term),
           extension.trait == kNoIndex ? std::string() : " < " + full_name(extension.trait));
    }
    for (std::uint32_t i = 0; i < facts_.functions.size(); ++i) print_function(i);
    for (std::uint32_t i = 0; i < facts_.objects.size(); ++i) print_object(i);
    for (const Narrowing& narrowing : facts_.narrowings) {
      line(narrowing.range.begin, "narrow {} to {}{}", name(narrowing.name),
           place(narrowing.range.end), tilde(narrowing.term));
    }
    for (const DynamicConstruct& dynamic : facts_.dynamics) {
      line(dynamic.offset, "dynamic {}", word(kDynamics, dynamic.kind));
    }
    for (const ByteRange& range : facts_.documents) {
      line(range.begin, "document to {}", place(range.end));
    }
    for (const ByteRange& range : facts_.unparsed) {
      line(range.begin, "unparsed to {}", place(range.end));
    }
    for (const Chunk& chunk : facts_.chunks) {
      line(chunk.range.begin, "chunk to {}, lines {}-{}", place(chunk.range.end), chunk.start_line,
           chunk.end_line);
    }
    if (facts_.has_all) out_ += "has __all__\n";
    if (facts_.truncated) out_ += "truncated\n";
    return std::move(out_);
  }

 private:
  std::string_view text_of(ByteRange range) const {
    return text_.substr(range.begin, range.size());
  }

  std::string place(std::uint32_t offset) const {
    Position position = lines_.position_of(offset);
    return fmt::format("{}:{}", position.line, position.column);
  }

  template <typename... Args>
  void line(std::uint32_t offset, fmt::format_string<Args...> format, Args&&... args) {
    out_ += place(offset);
    out_ += ' ';
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    while (out_.ends_with(' ')) out_.pop_back();
    out_ += '\n';
  }

  std::string_view name(NameId id) const {
    return id == kNoIndex ? std::string_view("-") : std::string_view(facts_.names[id]);
  }

  // The chain of names that ends at an occurrence: a.b.c, {call(a)}.b.
  std::string full_name(std::uint32_t index, int nesting = 0) const {
    std::string full;
    for (int depth = 0; index != kNoIndex && depth < 8; ++depth) {
      const Occurrence& occurrence = facts_.occurrences[index];
      std::string part(name(occurrence.name));
      full = full.empty() ? part : part + full;
      full = std::string(receiver(occurrence.receiver_kind)) + full;
      if (occurrence.receiver_kind == ReceiverKind::kTerm) {
        return "{" + term(occurrence.receiver, nesting + 1) + "}" + full;
      }
      if (occurrence.receiver_kind != ReceiverKind::kName) break;
      index = occurrence.receiver;
    }
    return full;
  }

  static std::string_view receiver(ReceiverKind kind) {
    switch (kind) {
      case ReceiverKind::kNone:
        return "";
      case ReceiverKind::kThis:
        return "this.";
      case ReceiverKind::kSuper:
        return "super.";
      case ReceiverKind::kName:
        return ".";
      case ReceiverKind::kTerm:
        return ".";
      case ReceiverKind::kOther:
        return "?.";
      case ReceiverKind::kKey:
        return "key ";
      case ReceiverKind::kTag:
        return "tag ";
    }
    return "";
  }

  // Prints a term as an expression.
  std::string term(TermId id, int nesting = 0) const {
    if (id == kNoIndex) return "-";
    if (nesting > kMaxNesting) return "...";
    const Term& shown = facts_.terms[id];
    const auto part = [&](std::uint32_t i) {
      return term(facts_.term_parts[shown.first_part + i], nesting + 1);
    };
    const auto parts = [&](std::uint32_t first, std::string_view separator) {
      std::string all;
      for (std::uint32_t i = first; i < shown.part_count && all.size() < kMaxShown; ++i) {
        if (i > first) all += separator;
        all += part(i);
      }
      return all;
    };
    const auto number = [&] {
      return shown.at == kNoIndex ? std::string("?") : std::to_string(shown.at);
    };
    switch (shown.kind) {
      case TermKind::kName:
        return full_name(shown.at, nesting);
      case TermKind::kType:
        return ":" + full_name(shown.at, nesting) +
               (shown.part_count == 0 ? std::string() : "<" + parts(0, ", ") + ">");
      case TermKind::kThis:
        return "this(" + facts_.symbols[shown.at].name + ")";
      case TermKind::kLiteral:
        return "literal";
      case TermKind::kLanguageType:
        return fmt::format("its.{}{}", name(shown.at),
                           shown.part_count == 0 ? "" : "<" + parts(0, ", ") + ">");
      case TermKind::kNew:
        return "new(" + parts(0, ", ") + ")";
      case TermKind::kCall:
        return "call(" + parts(0, ", ") + ")";
      case TermKind::kAwait:
        return "await(" + part(0) + ")";
      case TermKind::kElement:
        return "element(" + part(0) + ")";
      case TermKind::kEntered:
        return "entered(" + part(0) + ")";
      case TermKind::kMember:
        return fmt::format("member({}, {})", part(0), name(shown.at));
      case TermKind::kOperator:
        return fmt::format("operator({}, {})", name(shown.at), parts(0, ", "));
      case TermKind::kItem:
        return fmt::format("item({}, {}{}{})", part(0), number(), shown.part_count > 1 ? ": " : "",
                           parts(1, ", "));
      case TermKind::kUnion:
        return "(" + parts(0, " | ") + ")";
      case TermKind::kArray:
        return "list(" + parts(0, ", ") + ")";
      case TermKind::kTuple:
        return "tuple(" + parts(0, ", ") + ")";
      case TermKind::kFunction:
        return fmt::format("function#{}", shown.at);
      case TermKind::kObject:
        return fmt::format("object#{}", shown.at);
      case TermKind::kApply:
        return part(0) + "<" + parts(1, ", ") + ">";
      case TermKind::kParameter:
        return fmt::format("parameter({}, {})", part(0), number());
      case TermKind::kArgument:
        return fmt::format("argument({}, {}{})", part(0), number(),
                           shown.part_count > 1 ? " as " + part(1) : "");
      case TermKind::kResult:
        return "result(" + part(0) + ")";
      case TermKind::kMap:
        return "map(" + parts(0, ", ") + ")";
      case TermKind::kChannel:
        return "channel(" + part(0) + ")";
      case TermKind::kNth:
        return fmt::format("nth({}, {})", part(0), number());
      case TermKind::kRanged:
        return fmt::format("ranged({}, {})", part(0), number());
      case TermKind::kDefaulted:
        return "defaulted(" + parts(0, ", ") + ")";
      case TermKind::kConditional:
        return "conditional(" + parts(0, ", ") + ")";
      case TermKind::kVariant:
        return fmt::format("variant({}, {})", part(0), full_name(shown.at));
      case TermKind::kOwnType:
        return "own(" + part(0) + ")";
      case TermKind::kOwnParameter:
        return fmt::format("parameter_of({}, {})", part(0), number());
      case TermKind::kModule:
        return "module(" + facts_.imports[shown.at].path + ")";
    }
    return {};
  }

  std::string tilde(TermId id) const { return id == kNoIndex ? std::string() : " ~ " + term(id); }

  void print_function(std::uint32_t index) {
    const Function& function = facts_.functions[index];
    std::string parameters;
    for (const Parameter& parameter : function.parameters) {
      if (!parameters.empty()) parameters += ", ";
      if (parameter.is_rest) parameters += parameter.is_keyword ? "**" : "...";
      if (parameter.is_keyword && !parameter.is_rest) parameters += "key ";
      parameters += name(parameter.name);
      if (parameter.is_optional) parameters += '?';
      if (parameter.is_annotated) parameters += ':';
      parameters += tilde(parameter.term);
    }
    out_ += fmt::format("function#{} ({}){}{}{}{}{}{}\n", index, parameters,
                        function.is_private ? " private" : "", function.is_async ? " async" : "",
                        function.is_generator ? " generator" : "",
                        function.is_constructor ? " constructor" : "",
                        function.is_annotated ? " annotated" : "", tilde(function.result));
  }

  void print_object(std::uint32_t index) {
    const Object& object = facts_.objects[index];
    out_ += fmt::format("object#{}\n", index);
    for (const ObjectKey& key : object.keys) {
      out_ += fmt::format("  {}{}{}\n", name(key.name),
                          key.occurrence == kNoIndex
                              ? std::string()
                              : " at " + place(facts_.occurrences[key.occurrence].offset),
                          tilde(key.term));
    }
    for (std::uint32_t call : object.calls) out_ += fmt::format("  () function#{}\n", call);
    for (TermId spread : object.spreads) out_ += fmt::format("  ...{}\n", tilde(spread));
    if (object.other != kNoIndex) out_ += fmt::format("  []{}\n", tilde(object.other));
    if (object.key_sort == KeySort::kWritten) return;
    constexpr const char* kSorts[] = {"", "of", "from those of", "in"};
    out_ += fmt::format("  keys {}{}\n", kSorts[static_cast<std::size_t>(object.key_sort)],
                        tilde(object.keys_of));
  }

  void print_symbol(const Symbol& symbol) {
    line(symbol.range.begin, "symbol {} {} ({}) to {}{}{}{}", symbol_type_name(symbol.type),
         symbol.qualified_name, symbol.kind, place(symbol.range.end),
         symbol.exported ? ", exported" : "",
         symbol.modifiers.empty() ? "" : ", " + join(symbol.modifiers, " "), tilde(symbol.term));
    if (!symbol.name_range.empty()) {
      out_ += fmt::format("  name {} {}\n", place(symbol.name_range.begin), symbol.name);
    }
    if (!symbol.body.empty()) {
      out_ += fmt::format("  body {} to {}\n", place(symbol.body.begin), place(symbol.body.end));
    }
    out_ += fmt::format("  signature {}\n", signature_text(text_of(symbol.signature)));
    if (!symbol.docstring.empty()) {
      const std::string docstring = docstring_text(text_of(symbol.docstring));
      for (std::string_view part : split(docstring, '\n')) {
        out_ += fmt::format("  doc {}", part);
        while (out_.ends_with(' ')) out_.pop_back();
        out_ += '\n';
      }
    }
  }

  void print_import(const Import& import) {
    line(import.range.begin, "import {} \"{}\" at {}{}{}{}{}", word(kImports, import.kind),
         import.path, place(import.path_offset), import.type_only ? ", type only" : "",
         import.conditional ? ", conditional" : "", import.from_import ? ", from" : "",
         import.binds_top_package ? ", binds top package" : "");
    for (const ImportedName& imported : import.names) {
      out_ += fmt::format("  {} as {} at {}{}\n", name(imported.imported), name(imported.local),
                          place(imported.offset), imported.type_only ? ", type only" : "");
    }
  }

  void print_export(const Export& exported) {
    std::string from = exported.import == kNoIndex
                           ? std::string()
                           : " from \"" + facts_.imports[exported.import].path + "\"";
    std::string symbol = exported.symbol == kNoIndex
                             ? std::string()
                             : ", symbol " + facts_.symbols[exported.symbol].qualified_name;
    line(exported.offset, "export {} is {}{}{}{}{}", name(exported.exported), name(exported.local),
         from, symbol, exported.type_only ? ", type only" : "",
         exported.commonjs ? ", commonjs" : "");
  }

  void print_scope(std::size_t index) {
    const Scope& scope = facts_.scopes[index];
    line(scope.range.begin, "scope {} {} to {}{}{}", index, word(kScopes, scope.kind),
         place(scope.range.end),
         scope.parent == kNoIndex ? std::string() : fmt::format(", in {}", scope.parent),
         scope.symbol == kNoIndex ? std::string()
                                  : ", of " + facts_.symbols[scope.symbol].qualified_name);
  }

  void print_binding(const Binding& binding) {
    line(binding.offset, "bind {} in {}: {}{}{}{}", name(binding.name), binding.scope,
         word(kBindings, binding.kind), tilde(binding.term),
         binding.fallback == kNoIndex ? std::string() : ", else" + tilde(binding.fallback),
         binding.seen_from == 0 ? std::string() : ", from " + place(binding.seen_from));
  }

  void print_occurrence(const Occurrence& occurrence) {
    auto index = static_cast<std::uint32_t>(&occurrence - facts_.occurrences.data());
    const bool is_key =
        occurrence.receiver_kind == ReceiverKind::kKey && occurrence.receiver != kNoIndex;
    line(occurrence.offset, "{}{} {}{}", occurrence.by_syntax ? "by syntax " : "",
         word(kRoles, occurrence.role), full_name(index),
         is_key ? " of " + term(occurrence.receiver) : std::string());
  }

  const FileFacts& facts_;
  std::string_view text_;
  LineIndex lines_;
  std::string out_;
};

}  // namespace

std::string print_facts(const FileFacts& facts, std::string_view text) {
  return Printer(facts, text).print();
}

}  // namespace codexmem::parse
