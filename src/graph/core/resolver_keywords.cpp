// The keyword arguments of calls, and what they name. Tested by graph/references_test.cpp.
#include <algorithm>

#include "graph/core/resolver.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {

namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::SymbolType;

// The binding of the parameter `name` of the function that is `symbol`; kNoIndex without one.
std::uint32_t parameter_named(const FileModel& file, std::uint32_t symbol, parse::NameId name) {
  if (symbol == kNoIndex) return kNoIndex;
  const auto& all = file.facts.bindings;
  const ByteRange& range = file.facts.symbols[symbol].range;
  auto at = std::partition_point(all.begin(), all.end(), [&](const parse::Binding& binding) {
    return binding.offset < range.begin;
  });
  for (; at != all.end() && at->offset < range.end; ++at) {
    if (at->kind == BindingKind::kParameter && at->name == name &&
        file.facts.scopes[at->scope].symbol == symbol) {
      return static_cast<std::uint32_t>(at - all.begin());
    }
  }
  return kNoIndex;
}

}  // namespace

// The field `name` of what a function of the library copies with other values: replace(x, a=1),
// x._replace(a=1). `call` is the callee and its arguments.
Entities Resolver::copied_field(const FileModel& file, std::span<const parse::TermId> call,
                                std::string_view name) {
  const parse::Term* callee = call[0] == kNoIndex ? nullptr : &file.facts.terms[call[0]];
  if (callee == nullptr || callee->kind != parse::TermKind::kName) return {};
  const std::string& called = file.name(file.facts.occurrences[callee->at].name);
  if (!file.semantics.library().has("copies", called)) return {};
  Entities copied = receivers(file, callee->at);
  if (call.size() > 1) add_all(copied, evaluate(file, call[1]));
  Entities found;
  for (const Entity& value : copied) {
    if (!is_instance(value) || !is_known(value)) continue;
    for (const Entity& field : members({value}, name)) {
      if (field.kind == EntityKind::kSymbol) add(found, field);
    }
  }
  return found;
}

// The field `name` of **kwargs: Unpack[Options].
Entities Resolver::unpacked_field(const FileModel& file, parse::TermId annotation,
                                  std::string_view name) {
  const parse::Term& term = file.facts.terms[annotation];
  const auto parts = file.parts_of(term);
  if (term.kind != parse::TermKind::kType || parts.size() != 1 ||
      file.name(file.facts.occurrences[term.at].name) != "Unpack") {
    return {};
  }
  Entities fields = members(evaluate(file, parts[0]), name);
  std::erase_if(fields, [](const Entity& field) { return field.kind != EntityKind::kSymbol; });
  return fields;
}

// The members of its class that parameter `name` of constructor `made` declares, in its head,
// before its body. The class may be its own constructor.
Entities Resolver::declared_by(const Callable& made, const Entity& type, parse::NameId name) {
  if (made.symbol == kNoIndex) return {};
  const FileModel& file = *made.file;
  const parse::Symbol& constructor = file.facts.symbols[made.symbol];
  const ByteRange head{constructor.range.begin,
                       constructor.body.empty() ? constructor.range.end : constructor.body.begin};
  const bool is_class = made.symbol == type.index && made.file == type.file;
  const std::uint32_t owner = is_class ? type.index : file.owner_of(made.symbol);
  Entities found;
  if (owner == kNoIndex) return found;
  for (const std::uint32_t member : file.members_of(owner, name)) {
    if (head.contains(file.facts.symbols[member].name_range.begin)) {
      found.push_back({EntityKind::kSymbol, &file, member});
    }
  }
  return found;
}

// The keyword argument `name` of a call: a parameter, which is a local, or the field of a class
// whose constructor takes its fields.
Entities Resolver::keyword_argument(const FileModel& file, parse::TermId call,
                                    std::string_view name) {
  if (call == kNoIndex) return {kUnknownEntity};
  const parse::Term& made = file.facts.terms[call];
  const auto parts = file.parts_of(made);
  Entities callees, found;
  if (made.kind == parse::TermKind::kThis) {  // Python's cls(a=1)
    callees = {{EntityKind::kSymbol, &file, made.at}};
  } else if (!parts.empty()) {
    found = copied_field(file, parts, name);
    if (!found.empty()) return found;
    callees = evaluate(file, parts[0]);
  }
  for (const Entity& callee : callees) {
    if (callee.kind == EntityKind::kExternal) {
      add(found, kExternalEntity);
      continue;
    }
    const bool is_class = callee.kind == EntityKind::kSymbol && is_type_like(symbol_of(callee));
    for (const Callable& callable : is_class ? constructors(callee) : callables({callee})) {
      const parse::Function& function = callable.file->facts.functions[callable.function];
      for (const parse::Parameter& parameter : function.parameters) {
        if (parameter.is_rest && parameter.is_keyword && parameter.is_annotated) {
          add_all(found, unpacked_field(*callable.file, parameter.term, name));
        }
        const bool takes_it = parameter.name != kNoIndex && !parameter.is_rest &&
                              callable.file->name(parameter.name) == name;
        if (!takes_it) continue;
        // A property that the constructor declares, else a parameter, which nobody can ask for.
        if (is_class) {
          const Entities declared = declared_by(callable, callee, parameter.name);
          for (const Entity& property : declared) {
            if (symbol_of(property).type == SymbolType::kProperty) add(found, property);
          }
          if (!declared.empty()) continue;
        }
        const std::uint32_t bound =
            parameter_named(*callable.file, callable.symbol, parameter.name);
        add(found, bound == kNoIndex ? Entity{EntityKind::kTerm, callable.file, parameter.term}
                                     : Entity{EntityKind::kLocal, callable.file, bound});
      }
    }
    if (is_class && found.empty()) {
      for (const Entity& field : members({callee}, name)) add(found, field);
    }
  }
  if (found.empty()) found.push_back(kUnknownEntity);
  return found;
}

}  // namespace codexmem::graph
