// Types are compared as they are written, name by name, since types of the language itself have no
// symbols. Tested by graph/go_interfaces_test.cpp.
#include "graph/go/go_signatures.h"

#include <algorithm>

#include "graph/core/resolver.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::TermKind;

constexpr int kMaxSignatureDepth = 12;
constexpr int kMaxTypeAliases = 8;

struct TypeAt {
  const FileModel* file = nullptr;
  parse::TermId term = kNoIndex;

  const parse::Term& fact() const { return file->facts.terms[term]; }
};

// The path of the import before the dot; "" for a bare name.
std::string_view package_of(const TypeAt& type) {
  const parse::Occurrence& at = type.file->facts.occurrences[type.fact().at];
  if (at.receiver_kind != parse::ReceiverKind::kName) return {};
  const parse::NameId name = type.file->facts.occurrences[at.receiver].name;
  for (const std::uint32_t binding : type.file->bindings_in(0, name)) {
    const parse::Binding& bound = type.file->facts.bindings[binding];
    if (bound.kind == parse::BindingKind::kImport) {
      return type.file->facts.imports[bound.target].path;
    }
  }
  return type.file->name(name);
}

std::string_view name_of(const TypeAt& type) {
  const std::string& name = type.file->name(type.file->facts.occurrences[type.fact().at].name);
  if (name == "byte") return "uint8";
  if (name == "rune") return "int32";
  return name;
}

// type A = B
bool is_alias(const Entity& type) {
  const parse::Symbol& symbol = symbol_of(type);
  return symbol.type == SymbolType::kType && symbol.term != kNoIndex &&
         type.file->facts.terms[symbol.term].kind != TermKind::kOwnType;
}

class Comparison {
 public:
  explicit Comparison(Resolver& resolver) : resolver_(resolver) {}

  Sameness functions(const FileModel& file, std::uint32_t function, const FileModel& other_file,
                     std::uint32_t other) {
    const parse::Function& a = file.facts.functions[function];
    const parse::Function& b = other_file.facts.functions[other];
    if (a.parameters.size() != b.parameters.size()) return Sameness::kNone;
    if ((a.result == kNoIndex) != (b.result == kNoIndex)) return Sameness::kNone;
    Sameness found = Sameness::kSure;
    for (std::size_t i = 0; i < a.parameters.size() && found != Sameness::kNone; ++i) {
      const parse::Parameter& mine = a.parameters[i];
      const parse::Parameter& theirs = b.parameters[i];
      if (mine.is_rest != theirs.is_rest) return Sameness::kNone;
      found = std::min(found, types({&file, mine.term}, {&other_file, theirs.term}));
    }
    if (a.result == kNoIndex || found == Sameness::kNone) return found;
    return std::min(found, types({&file, a.result}, {&other_file, b.result}));
  }

 private:
  Sameness types(TypeAt a, TypeAt b) {
    if (a.term == kNoIndex || b.term == kNoIndex || level_ > kMaxSignatureDepth)
      return Sameness::kLikely;
    ++level_;
    const Sameness found = known_types(without_aliases(a), without_aliases(b));
    --level_;
    return found;
  }

  Sameness known_types(const TypeAt& a, const TypeAt& b) {
    if (a.term == kNoIndex || b.term == kNoIndex) return Sameness::kLikely;
    const TermKind kind = a.fact().kind;
    if (is_parameter(a) || is_parameter(b)) return Sameness::kLikely;
    if (is_empty_interface(a) && is_empty_interface(b)) return Sameness::kSure;
    if (kind != b.fact().kind) return Sameness::kNone;
    switch (kind) {
      case TermKind::kType:
        return names(a, b);
      case TermKind::kFunction:
        return functions(*a.file, a.fact().at, *b.file, b.fact().at);
      case TermKind::kObject: {
        const parse::Object& mine = a.file->facts.objects[a.fact().at];
        const parse::Object& theirs = b.file->facts.objects[b.fact().at];
        return mine.keys.size() == theirs.keys.size() ? Sameness::kLikely : Sameness::kNone;
      }
      case TermKind::kArray:
      case TermKind::kTuple:
      case TermKind::kMap:
      case TermKind::kChannel:
        return parts(a, b);
      default:
        return Sameness::kLikely;
    }
  }

  Sameness parts(const TypeAt& a, const TypeAt& b) {
    const auto mine = a.file->parts_of(a.fact());
    const auto theirs = b.file->parts_of(b.fact());
    if (mine.size() != theirs.size()) return Sameness::kNone;
    Sameness found = Sameness::kSure;
    for (std::size_t i = 0; i < mine.size() && found != Sameness::kNone; ++i) {
      found = std::min(found, types({a.file, mine[i]}, {b.file, theirs[i]}));
    }
    return found;
  }

  Sameness names(const TypeAt& a, const TypeAt& b) {
    const Entities& mine = resolver_.resolve(*a.file, a.fact().at);
    const Entities& theirs = resolver_.resolve(*b.file, b.fact().at);
    const bool same_name = name_of(a) == name_of(b);
    if (has_kind(mine, EntityKind::kSymbol) && has_kind(theirs, EntityKind::kSymbol)) {
      // (Of declarations for several platforms one is enough.)
      const bool is_same = std::ranges::any_of(mine, [&](const Entity& entity) {
        return entity.kind == EntityKind::kSymbol &&
               std::ranges::any_of(theirs,
                                   [&](const Entity& other) { return entity.is_same(other); });
      });
      return is_same ? parts(a, b) : Sameness::kNone;
    }
    if (std::ranges::any_of(mine, &is_known) || std::ranges::any_of(theirs, &is_known)) {
      return Sameness::kNone;
    }
    if (!same_name) return Sameness::kNone;
    // Of the language, or of a package that nobody knows.
    return package_of(a) == package_of(b) ? parts(a, b) : Sameness::kLikely;
  }

  // A type parameter of a function or a type.
  bool is_parameter(const TypeAt& type) {
    if (type.fact().kind == TermKind::kOwnParameter) return true;
    return type.fact().kind == TermKind::kType &&
           has_kind(resolver_.resolve(*type.file, type.fact().at), EntityKind::kLocal);
  }

  bool is_empty_interface(const TypeAt& type) {
    if (type.fact().kind == TermKind::kObject) {
      const parse::Object& object = type.file->facts.objects[type.fact().at];
      return object.keys.empty() && object.spreads.empty();
    }
    return type.fact().kind == TermKind::kType && name_of(type) == "any" &&
           std::ranges::none_of(resolver_.resolve(*type.file, type.fact().at), &is_known);
  }

  TypeAt without_aliases(TypeAt type) {
    for (int i = 0; i < kMaxTypeAliases && type.term != kNoIndex; ++i) {
      if (type.fact().kind != TermKind::kType || type.fact().part_count > 0) break;
      const Entities& meant = resolver_.resolve(*type.file, type.fact().at);
      const auto alias = std::ranges::find_if(meant, [](const Entity& entity) {
        return entity.kind == EntityKind::kSymbol && is_alias(entity);
      });
      if (alias == meant.end()) break;
      type = {alias->file, symbol_of(*alias).term};
    }
    return type;
  }

  Resolver& resolver_;
  int level_ = 0;
};

}  // namespace

Sameness compare_signatures(Resolver& resolver, const Entity& method, const Entity& other) {
  const auto function_of = [](const Entity& of) {
    const parse::TermId term = symbol_of(of).term;
    if (term == kNoIndex || of.file->facts.terms[term].kind != TermKind::kFunction) return kNoIndex;
    return of.file->facts.terms[term].at;
  };
  const std::uint32_t mine = function_of(method);
  const std::uint32_t theirs = function_of(other);
  if (mine == kNoIndex || theirs == kNoIndex) return Sameness::kLikely;
  return Comparison(resolver).functions(*method.file, mine, *other.file, theirs);
}

}  // namespace codexmem::graph
