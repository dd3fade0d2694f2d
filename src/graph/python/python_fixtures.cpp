// The values that pytest passes to the parameters of tests and fixtures: a fixture of the
// parameter's name, from the module or the nearest conftest.py above it. A decorator makes a
// fixture if its last word says so. Names that a `parametrize` around the test mentions get their
// values from it.
//
// Tested by git/rename_test.py.
#include <algorithm>
#include <unordered_map>

#include "base/path.h"
#include "graph/core/code_text.h"
#include "graph/core/resolver_step.h"
#include "graph/python/python_semantics.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

struct FixtureMemory final : Resolver::Memory {
  std::unordered_map<const FileModel*, std::string> texts;
};

// (Decorators are in the rows of symbols alone.)
bool is_fixture(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  if (!is_callable(file.facts.symbols[symbol])) return false;
  const store::SymbolRow* row = resolver.row_of(file, symbol);
  return row != nullptr && row->is(store::Modifier::kFixture);
}

// True for a function whose parameters pytest fills.
bool takes_fixtures(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  const parse::Symbol& at = file.facts.symbols[symbol];
  return is_callable(at) && (at.name.starts_with("test") || is_fixture(resolver, file, symbol));
}

// True if a decorator of `function`, or of its class, gives values under `name` itself.
bool is_parametrized(Resolver& resolver, const FileModel& file, std::uint32_t function,
                     std::string_view name) {
  const auto [text, is_new] = resolver.memory<FixtureMemory>().texts.try_emplace(&file);
  if (is_new) text->second = resolver.text_of(file.id).value_or("");
  for (; function != kNoIndex; function = file.owner_of(function)) {
    const parse::Symbol& symbol = file.facts.symbols[function];
    const std::string_view head =
        text_at(text->second, {symbol.range.begin, symbol.name_range.begin});
    if (head.find("parametrize") != std::string_view::npos && has_word(head, name)) return true;
  }
  return false;
}

// The fixtures called `name` that a file has or imports, except `self`.
Entities fixtures_in(Resolver& resolver, const FileModel& file, const std::string& name,
                     const Entity& self) {
  Entities found;
  for (const Entity& entity : resolver.exported(file, name)) {
    const bool is_one = entity.kind == EntityKind::kSymbol && !entity.file->is_library &&
                        is_fixture(resolver, *entity.file, entity.index);
    if (is_one && !entity.is_same(self)) add(found, entity);
  }
  return found;
}

Entities given_by(Resolver& resolver, const Entity& fixture) {
  const FileModel& file = *fixture.file;
  const parse::TermId term = symbol_of(fixture).term;
  if (term == kNoIndex || file.facts.terms[term].kind != parse::TermKind::kFunction) {
    return {kUnknownEntity};
  }
  const parse::Function& function = file.facts.functions[file.facts.terms[term].at];
  const Entities result = resolver.evaluate(file, function.result);
  return function.is_generator && function.is_annotated ? resolver.elements(result) : result;
}

}  // namespace

Entities PythonSemantics::given_by_name(Resolver& resolver, const Entity& parameter) const {
  const Resolver::RecursionGuard guard(resolver);
  const FileModel& file = *parameter.file;
  const parse::Binding& binding = file.facts.bindings[parameter.index];
  const std::uint32_t function = file.facts.scopes[binding.scope].symbol;
  if (guard.over_limit() || file.is_library || function == kNoIndex ||
      !takes_fixtures(resolver, file, function)) {
    return {};
  }
  const std::string& name = file.name(binding.name);
  if (is_parametrized(resolver, file, function, name)) return {};
  const Entity self{EntityKind::kSymbol, &file, function};
  Entities fixtures = fixtures_in(resolver, file, name, self);
  for (std::string_view folder = file.path; fixtures.empty() && !folder.empty();) {
    folder = folder_of(folder);
    const std::string path = std::string(folder) + (folder.empty() ? "" : "/") + "conftest.py";
    const store::FileRow* row = resolver.files().find(path);
    const FileModel* model = row == nullptr ? nullptr : resolver.model(row->id);
    if (model != nullptr) fixtures = fixtures_in(resolver, *model, name, self);
  }
  if (fixtures.empty()) {
    return library().has("fixtures", name) ? Entities{kExternalEntity} : Entities();
  }
  Entities given;
  for (const Entity& fixture : fixtures) add_all(given, given_by(resolver, fixture));
  return given;
}

}  // namespace codexmem::graph
