// Tested by exchange/scip_symbol_test.cpp.
#include "exchange/scip_symbol.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "graph/core/entity.h"

namespace codexmem::exchange {
namespace {

using graph::FileModel;
using parse::kNoIndex;

// <identifier>: as it is, or between backticks.
std::string identifier(std::string_view name) {
  if (name.empty()) name = "?";
  const bool is_simple = std::ranges::all_of(
      name, [](char c) { return is_word_char(c) || c == '+' || c == '-' || c == '$'; });
  if (is_simple) return std::string(name);
  std::string escaped = "`";
  for (const char c : name) escaped.append(c == '`' ? 2 : 1, c);
  return escaped + '`';
}

std::string_view suffix_of(const FileModel& file, std::uint32_t index) {
  const parse::Symbol& symbol = file.facts.symbols[index];
  if (graph::is_callable(symbol)) return "().";
  if (graph::is_type_like(symbol)) return "#";
  return ".";
}

// The number of overloads that come before `index` in its type.
std::size_t overload_number(const FileModel& file, std::uint32_t index) {
  const parse::Symbol& symbol = file.facts.symbols[index];
  const auto name = file.find_name(symbol.name);
  if (!name || !file.semantics.traits().overloads_are_distinct) return 0;
  const auto siblings = file.members_of(file.owner_of(index), *name);
  return static_cast<std::size_t>(std::ranges::count_if(siblings, [&](std::uint32_t other) {
    return other < index && graph::is_callable(file.facts.symbols[other]) &&
           file.qualified_name(other) == file.qualified_name(index);
  }));
}

std::string descriptor(const FileModel& file, std::uint32_t index) {
  const std::string name = identifier(file.facts.symbols[index].name);
  const std::string_view suffix = suffix_of(file, index);
  if (suffix != "().") return name + std::string(suffix);
  const std::size_t number = overload_number(file, index);
  return number == 0 ? name + "()." : fmt::format("{}(+{}).", name, number);
}

// The descriptors of the symbols around `index`.
std::string around(const FileModel& file, std::uint32_t index) {
  const std::uint32_t owner = file.owner_of(index);
  if (owner != kNoIndex && owner != index) return around(file, owner) + descriptor(file, owner);
  // A method that is written apart from its type has only the type's name.
  const std::string& name = file.facts.symbols[index].name;
  const std::string qualified = file.qualified_name(index);
  if (qualified.size() <= name.size() + 1 || !qualified.ends_with("." + name)) return {};
  return identifier(std::string_view(qualified).substr(0, qualified.size() - name.size() - 1)) +
         "#";
}

// A unit of the language's library is a package: "go:net/http".
std::string beginning(std::string_view package, const FileModel& file) {
  if (file.is_library) return fmt::format("codexmem . {} . ", scip_package(file.path));
  return scip_file_symbol(package, file.path);
}

constexpr std::array kKinds = std::to_array<std::pair<std::string_view, std::int32_t>>({
    {"abstract", 54},  {"alias", 55},       {"annotation", 21}, {"class", 7},
    {"const", 8},      {"constant", 8},     {"constructor", 9}, {"delegate", 73},
    {"enum", 11},      {"enum_member", 12}, {"event", 13},      {"field", 15},
    {"function", 17},  {"generator", 17},   {"getter", 18},     {"inline_namespace", 30},
    {"interface", 21}, {"key", 22},         {"macro", 25},      {"method", 26},
    {"mixin", 85},     {"module", 29},      {"namespace", 30},  {"object", 33},
    {"operator", 34},  {"package", 35},     {"property", 41},   {"protocol", 42},
    {"record", 7},     {"scoped_enum", 11}, {"setter", 45},     {"static", 82},
    {"struct", 49},    {"trait", 53},       {"type", 55},       {"union", 59},
    {"variable", 61},
});

// By SymbolType.
constexpr std::array<std::int32_t, 7> kKindsOfTypes = {17, 7, 61, 21, 54, 26, 41};

constexpr std::array kLanguages = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"c", "C"},
    {"cpp", "CPP"},
    {"csharp", "CSharp"},
    {"css", "CSS"},
    {"dart", "Dart"},
    {"elixir", "Elixir"},
    {"go", "Go"},
    {"graphql", "GraphQL"},
    {"haskell", "Haskell"},
    {"html", "HTML"},
    {"java", "Java"},
    {"javascript", "JavaScript"},
    {"julia", "Julia"},
    {"kotlin", "Kotlin"},
    {"lua", "Lua"},
    {"ocaml", "OCaml"},
    {"ocaml_interface", "OCaml"},
    {"perl", "Perl"},
    {"php", "PHP"},
    {"protobuf", "Protobuf"},
    {"python", "Python"},
    {"r", "R"},
    {"ruby", "Ruby"},
    {"rust", "Rust"},
    {"scala", "Scala"},
    {"shell", "ShellScript"},
    {"solidity", "Solidity"},
    {"sql", "SQL"},
    {"svelte", "Svelte"},
    {"toml", "TOML"},
    {"tsx", "TypeScriptReact"},
    {"typescript", "TypeScript"},
    {"vue", "Vue"},
    {"yaml", "YAML"},
    {"zig", "Zig"},
});

}  // namespace

std::string scip_package(std::string_view text) {
  if (text.empty()) return ".";
  std::string escaped;
  for (const char c : text) escaped.append(c == ' ' ? 2 : 1, c);
  return escaped;
}

std::string scip_file_symbol(std::string_view package, std::string_view path) {
  std::string symbol = fmt::format("codexmem . {} . ", scip_package(package));
  while (true) {
    const std::size_t slash = path.find('/');
    symbol += identifier(path.substr(0, slash)) + "/";
    if (slash == std::string_view::npos) return symbol;
    path.remove_prefix(slash + 1);
  }
}

std::string scip_symbol(std::string_view package, const FileModel& file, std::uint32_t symbol) {
  return scip_enclosing_symbol(package, file, symbol) + descriptor(file, symbol);
}

std::string scip_enclosing_symbol(std::string_view package, const FileModel& file,
                                  std::uint32_t symbol) {
  return beginning(package, file) + around(file, symbol);
}

std::string scip_outside_symbol(std::string_view package, std::string_view name) {
  const std::string begin = fmt::format("codexmem . {} . ", scip_package(package));
  return name.empty() || name == "*" ? begin + identifier(package) + "/"
                                     : begin + identifier(name) + ".";
}

std::int32_t scip_kind(const store::SymbolRow& row) {
  const auto known = std::ranges::find(kKinds, std::string_view(row.kind),
                                       &std::pair<std::string_view, std::int32_t>::first);
  return known != kKinds.end() ? known->second : kKindsOfTypes[static_cast<std::size_t>(row.type)];
}

std::string_view scip_language(std::string_view language) {
  const auto known = std::ranges::find(kLanguages, language,
                                       &std::pair<std::string_view, std::string_view>::first);
  return known != kLanguages.end() ? known->second : language;
}

}  // namespace codexmem::exchange
