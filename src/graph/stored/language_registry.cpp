// The table of language families. To have its names resolved, a family needs a row here and a
// folder in graph.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "graph/c/c_semantics.h"
#include "graph/core/language_semantics.h"
#include "graph/cpp/cpp_semantics.h"
#include "graph/csharp/csharp_semantics.h"
#include "graph/ecma/ecma_semantics.h"
#include "graph/elixir/elixir_semantics.h"
#include "graph/go/go_semantics.h"
#include "graph/java/java_semantics.h"
#include "graph/kotlin/kotlin_semantics.h"
#include "graph/paths/path_semantics.h"
#include "graph/php/php_semantics.h"
#include "graph/python/python_semantics.h"
#include "graph/ruby/ruby_semantics.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {
namespace {

// A row for each family whose names are resolved, or whose imports lead to files.
class Registry {
 public:
  Registry() {
    by_family_.fill(&names_only_);
    add<EcmaSemantics>("ecmascript");
    add<PythonSemantics>("python");
    add<GoSemantics>("go");
    add<JavaSemantics>("java");
    add<KotlinSemantics>("kotlin");
    add<CSemantics>("c");
    add<CppSemantics>("cpp");
    add<RustSemantics>("rust");
    add<CSharpSemantics>("csharp");
    add<ElixirSemantics>("elixir");
    add<PhpSemantics>("php");
    add<RubySemantics>("ruby");
    for (const PathRules& rules : path_rules()) add<PathSemantics>(rules.family, rules);
  }

  const LanguageSemantics& of(Family family) const {
    return *by_family_[static_cast<std::size_t>(family)];
  }
  std::span<const LanguageSemantics* const> importing() const { return importing_; }

 private:
  template <typename Semantics, typename... Arguments>
  void add(std::string_view family, const Arguments&... arguments) {
    all_.push_back(std::make_unique<Semantics>(arguments...));
    const LanguageSemantics* semantics = all_.back().get();
    importing_.push_back(semantics);
    for (const parse::Language& language : parse::languages()) {
      if (language.family != family) continue;
      const Family number = parse::family_of(language);
      if (number != Family::kNone) by_family_[static_cast<std::size_t>(number)] = semantics;
    }
  }

  const LanguageSemantics names_only_;
  std::vector<std::unique_ptr<const LanguageSemantics>> all_;
  std::vector<const LanguageSemantics*> importing_;
  std::array<const LanguageSemantics*, 256> by_family_{};
};

const Registry& registry() {
  static const Registry all;
  return all;
}

}  // namespace

const LanguageSemantics& semantics_of(Family family) { return registry().of(family); }

std::span<const LanguageSemantics* const> importing_semantics() { return registry().importing(); }

bool resolves_names(Family family) {
  return semantics_of(family).traits().knowledge >= Knowledge::kNames;
}

bool checks_uses(Family family) {
  return semantics_of(family).traits().knowledge == Knowledge::kChecked;
}

bool finds_imports(Family family) {
  return semantics_of(family).traits().knowledge >= Knowledge::kImports;
}

bool share_names(Family a, Family b) {
  if (a == b) return true;
  const std::string_view other = semantics_of(a).traits().shares_names_with;
  return !other.empty() && family_of(other) == b;
}

Family family_of(std::string_view language) {
  const parse::Language* row = parse::find_language(language);
  return row == nullptr ? Family::kNone : parse::family_of(*row);
}

}  // namespace codexmem::graph
