// What is known of families of languages. A row here and a folder beside it are what a family needs
// for its names to be resolved.
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "graph/c/c_semantics.h"
#include "graph/core/language_semantics.h"
#include "graph/cpp/cpp_semantics.h"
#include "graph/csharp/csharp_semantics.h"
#include "graph/ecma/ecma_semantics.h"
#include "graph/go/go_semantics.h"
#include "graph/java/java_semantics.h"
#include "graph/php/php_semantics.h"
#include "graph/python/python_semantics.h"
#include "graph/rust/rust_semantics.h"

namespace codexmem::graph {
namespace {

struct Registry {
  Registry() {
    by_family.fill(&names_only);
    const auto add = [&](std::string_view family, const LanguageSemantics& semantics) {
      for (const parse::Language& language : parse::languages()) {
        if (language.family != family) continue;
        const Family number = parse::family_of(language);
        if (number != Family::kNone) by_family[static_cast<std::size_t>(number)] = &semantics;
      }
    };
    add("ecmascript", ecma);
    add("python", python);
    add("go", go);
    add("java", java);
    add("c", c);
    add("cpp", cpp);
    add("rust", rust);
    add("csharp", csharp);
    add("php", php);
  }

  const LanguageSemantics names_only;
  const EcmaSemantics ecma;
  const PythonSemantics python;
  const GoSemantics go;
  const JavaSemantics java;
  const CSemantics c;
  const CppSemantics cpp;
  const RustSemantics rust;
  const CSharpSemantics csharp;
  const PhpSemantics php;
  const std::array<const LanguageSemantics*, 9> finding = {&ecma, &python, &go,     &java, &c,
                                                           &cpp,  &rust,   &csharp, &php};
  std::array<const LanguageSemantics*, 256> by_family{};
};

const Registry& registry() {
  static const Registry all;
  return all;
}

}  // namespace

const LanguageSemantics& semantics_of(Family family) {
  return *registry().by_family[static_cast<std::size_t>(family)];
}

std::span<const LanguageSemantics* const> importing_semantics() { return registry().finding; }

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
