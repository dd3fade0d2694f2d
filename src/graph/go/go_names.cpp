// Names, packages and members of Go. Nothing is linked: what a package has under a name is asked of
// the index of symbols, by folder, and files are read only where it says that they define it.
//
// Tested by graph/go_types_test.cpp.
#include <algorithm>

#include "base/ascii.h"
#include "base/path.h"
#include "graph/core/resolver_step.h"
#include "graph/go/go_builds.h"
#include "graph/go/go_library.h"
#include "graph/go/go_modules.h"
#include "graph/go/go_semantics.h"

extern "C" const char codexmem_go_library[], codexmem_go_library_end[];

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;

constexpr std::string_view kGoConfiguration[] = {"go.mod", "go.work"};

// What the library asks for by interfaces that a type need not name.
constexpr std::string_view kGoCalledUnseen[] = {"init",          "As",
                                                "Error",         "Format",
                                                "GoString",      "Is",
                                                "Len",           "Less",
                                                "MarshalBinary", "MarshalJSON",
                                                "MarshalText",   "MarshalXML",
                                                "MarshalYAML",   "Scan",
                                                "ServeHTTP",     "String",
                                                "Swap",          "UnmarshalBinary",
                                                "UnmarshalJSON", "UnmarshalText",
                                                "UnmarshalXML",  "UnmarshalYAML",
                                                "Unwrap",        "Value"};
constexpr std::string_view kGoReserved[] = {
    "_",      "break",  "case",        "chan",      "const", "continue", "default",
    "defer",  "else",   "fallthrough", "for",       "func",  "go",       "goto",
    "if",     "import", "init",        "interface", "map",   "package",  "range",
    "return", "select", "struct",      "switch",    "type",  "var"};
constexpr std::string_view kGoReachByText[] = {"FieldByName", "MethodByName"};
// Methods of the library's interfaces, which types implement without saying so.
constexpr std::string_view kGoLibraryMethods[] = {"Accept",
                                                  "Addr",
                                                  "AppendBinary",
                                                  "AppendText",
                                                  "As",
                                                  "Close",
                                                  "CloseNotify",
                                                  "Deadline",
                                                  "Done",
                                                  "Err",
                                                  "Error",
                                                  "Flush",
                                                  "Format",
                                                  "Generate",
                                                  "GoString",
                                                  "Header",
                                                  "Hijack",
                                                  "Is",
                                                  "Key",
                                                  "Len",
                                                  "Less",
                                                  "Lock",
                                                  "MarshalBinary",
                                                  "MarshalJSON",
                                                  "MarshalText",
                                                  "MarshalYAML",
                                                  "Name",
                                                  "Network",
                                                  "Open",
                                                  "Pop",
                                                  "Push",
                                                  "Read",
                                                  "ReadAt",
                                                  "ReadByte",
                                                  "ReadFrom",
                                                  "ReadRune",
                                                  "RoundTrip",
                                                  "Scan",
                                                  "Seek",
                                                  "ServeHTTP",
                                                  "Set",
                                                  "String",
                                                  "Swap",
                                                  "Sys",
                                                  "Temporary",
                                                  "Timeout",
                                                  "Unlock",
                                                  "UnmarshalBinary",
                                                  "UnmarshalJSON",
                                                  "UnmarshalText",
                                                  "UnmarshalYAML",
                                                  "UnreadByte",
                                                  "UnreadRune",
                                                  "Unwrap",
                                                  "Value",
                                                  "Write",
                                                  "WriteAt",
                                                  "WriteByte",
                                                  "WriteHeader",
                                                  "WriteString",
                                                  "WriteTo"};

constexpr LanguageTraits kGoTraits = {
    .knowledge = Knowledge::kChecked,
    .names = {.main_function = "main", .called_unseen = kGoCalledUnseen, .reserved = kGoReserved},
    .files = {.configuration = kGoConfiguration},
    .texts = {.reach = kGoReachByText},
    .overriding = Overriding::kAll,
    .names_are_seen_behind = true,
    .imports_name_folders = true,
    .imports_make_no_cycles = true,
    .is_compiled = true,
    .promotes_by_depth = true,
    .types_are_called = true,
    .map_keys_are_names = true,
    .maps_hold_items = true,
};

constexpr std::string_view kTestEnding = "_test.go";

// What `package` of `folder` has under `name` at its top level; test files count for tests alone.
Entities package_member(Resolver& resolver, Family family, std::string_view folder,
                        std::string_view package, std::string_view name, bool with_tests) {
  Entities found;
  for (const Resolver::Named& named : resolver.symbols_in(family, name, folder)) {
    if (named.container != package) continue;
    const store::FileRow* row = resolver.files().find(store::file_of(named.id));
    if (row == nullptr || (!with_tests && is_go_test_file(row->path))) continue;
    const auto symbol = resolver.symbol(named.id);
    // Names declared in a function are local to it; methods are not names of the package.
    if (!symbol || symbol->file->is_member(symbol->index) ||
        symbol->file->surrounding(symbol->index) != kNoIndex) {
      continue;
    }
    found.push_back(*symbol);
  }
  return found;
}

// Packages, cached while one question is answered.
struct GoMemory : Resolver::Memory {
  std::unordered_map<std::string, const FileModel*> packages;  // by folder, and " test"
};

// The file that represents the package that importers of `folder` see; with `for_tests` one of its
// own tests, which sees more.
const FileModel* package_file(Resolver& resolver, Family family, std::string_view folder,
                              bool for_tests) {
  std::string key = std::string(folder) + (for_tests ? " test" : "");
  auto& packages = resolver.memory<GoMemory>().packages;
  if (const auto known = packages.find(key); known != packages.end()) return known->second;
  const FileModel* best = nullptr;
  for (const store::FileRow* row : go_files_in(resolver, family, folder)) {
    if (is_go_test_file(row->path)) continue;
    const FileModel* file = resolver.model(row->id);
    if (file == nullptr || file->facts.package.empty()) continue;
    const bool is_better =
        best == nullptr || (best->facts.package == "main" && file->facts.package != "main");
    if (is_better) best = file;
    if (best->facts.package != "main") break;
  }
  if (for_tests && best != nullptr) {
    for (const store::FileRow* row : go_files_in(resolver, family, folder)) {
      if (!is_go_test_file(row->path)) continue;
      const FileModel* file = resolver.model(row->id);
      if (file == nullptr || file->facts.package != best->facts.package) continue;
      best = file;
      break;
    }
  }
  return packages[key] = best;
}

// True where the name that an import binds is read off its path.
bool is_guessed(const FileModel& file, std::uint32_t import) {
  const parse::Import& statement = file.facts.imports[import];
  if (statement.from_import || statement.names.empty()) return false;
  for (const std::uint32_t binding : file.bindings_in(0, statement.names.front().local)) {
    const parse::Binding& bound = file.facts.bindings[binding];
    if (bound.kind == BindingKind::kImport && bound.target == import) {
      return bound.offset >= statement.path_offset;
    }
  }
  return false;
}

// The package that an import leads to, of the repository or of the library; nullptr when it is
// another external one or not found.
const FileModel* imported_package(Resolver& resolver, const FileModel& file, std::uint32_t import,
                                  bool* is_external) {
  if (file.is_library) return resolver.library(file.semantics, file.facts.imports[import].path);
  for (const store::DependencyRow& row : resolver.dependencies(file.id)) {
    if (row.import_index != import) continue;
    if (row.is_external) {
      *is_external = true;
      return resolver.library(file.semantics, row.import_path);
    }
    if (!row.target) return nullptr;
    const store::FileRow* target = resolver.files().find(*row.target);
    if (target == nullptr) return nullptr;
    const std::string_view folder = folder_of(target->path);
    const bool for_tests = is_go_test_file(file.path) && folder == folder_of(file.path);
    return package_file(resolver, file.family, folder, for_tests);
  }
  return nullptr;
}

// True if `name` is a part of an import's path.
bool is_mentioned(std::string_view path, std::string_view name) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t at = path.find(name); at != std::string_view::npos;
       at = path.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word(path[at - 1]);
    const std::size_t end = at + name.size();
    if (begins && (end == path.size() || !is_word(path[end]))) return true;
  }
  return false;
}

}  // namespace

std::vector<const store::FileRow*> go_files_in(Resolver& resolver, Family family,
                                               std::string_view folder) {
  std::vector<const store::FileRow*> found;
  const std::string prefix = folder.empty() ? std::string() : std::string(folder) + "/";
  const auto& rows = resolver.files().rows();
  for (auto at = std::ranges::lower_bound(rows, prefix, {}, &store::FileRow::path);
       at != rows.end() && at->path.starts_with(prefix); ++at) {
    if (folder_of(at->path) == folder && family_of(at->language) == family) {
      found.push_back(&*at);
    }
  }
  return found;
}

bool is_go_test_file(std::string_view path) { return path.ends_with(kTestEnding); }

GoSemantics::GoSemantics()
    : LanguageSemantics(kGoTraits, {codexmem_go_library, codexmem_go_library_end}, go_library()) {}

std::unique_ptr<ModuleFinder> GoSemantics::make_module_finder(ProjectTree& tree) const {
  return std::make_unique<GoModuleFinder>(tree);
}

std::string GoSemantics::build_condition(std::string_view path, std::string_view text) const {
  return go_build_condition(path, text);
}

bool GoSemantics::may_build_together(const FileModel& file, const FileModel& other) const {
  return graph::may_build_together(file.path, other.path);
}

bool GoSemantics::is_part_of_package(std::string_view path) const { return !is_go_test_file(path); }

// One of another file of the package, of a package whose names are imported, of the language.
Entities GoSemantics::unbound_name(Resolver& resolver, const FileModel& file,
                                   std::string_view name) const {
  if (file.is_library) return {kExternalEntity};
  const std::string_view folder = folder_of(file.path);
  Entities found = package_member(resolver, file.family, folder, file.facts.package, name,
                                  is_go_test_file(file.path));
  if (!found.empty()) return found;
  bool may_be_external = false;
  for (const std::uint32_t import : file.star_imports()) {
    bool is_external = false;
    const FileModel* package = imported_package(resolver, file, import, &is_external);
    if (package == nullptr) {
      may_be_external = true;
      continue;
    }
    add_all(found, resolver.exported(*package, name));
  }
  if (!found.empty()) return found;
  for (std::uint32_t import = 0; import < file.facts.imports.size(); ++import) {
    const parse::Import& statement = file.facts.imports[import];
    if (statement.names.empty() || !is_guessed(file, import)) continue;
    bool is_external = false;
    const FileModel* package = imported_package(resolver, file, import, &is_external);
    if (package != nullptr && package->facts.package == name) {
      return {{EntityKind::kModule, package, 0}};
    }
    if (package == nullptr && is_external && is_mentioned(statement.path, name)) {
      may_be_external = true;
    }
  }
  if (name == "error") {
    const FileModel* builtin = resolver.library(*this, "builtin");
    if (builtin != nullptr) return resolver.exported(*builtin, name);
  }
  if (library().has("globals", name)) return {kExternalEntity};
  return {may_be_external ? kExternalEntity : kUnknownEntity};
}

Entities GoSemantics::imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                               std::string_view) const {
  bool is_external = false;
  const FileModel* package = imported_package(resolver, file, import, &is_external);
  if (package == nullptr) return {is_external ? kExternalEntity : kUnknownEntity};
  // The path may say another name than the package has.
  const parse::Import& statement = file.facts.imports[import];
  if (is_guessed(file, import) &&
      file.name(statement.names.front().local) != package->facts.package) {
    return {kUnknownEntity};
  }
  return {{EntityKind::kModule, package, 0}};
}

Entities GoSemantics::exported(Resolver& resolver, const FileModel& file,
                               std::string_view name) const {
  if (file.is_library) {
    // Another version of it may have more.
    const auto id = file.find_name(name);
    Entities found = id ? resolver.bindings_of(file, 0, *id) : Entities();
    return found.empty() ? Entities{kExternalEntity} : found;
  }
  return package_member(resolver, file.family, folder_of(file.path), file.facts.package, name,
                        is_go_test_file(file.path));
}

// Methods of a type that stand in other files of its package.
Entities GoSemantics::merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                                     const Entity& receiver) const {
  const FileModel& file = *owner.file;
  const parse::Symbol& type = file.facts.symbols[owner.index];
  if (!is_type_like(type) || file.is_library || file.owner_of(owner.index) != kNoIndex) return {};
  const std::string container = file.facts.package + "." + type.name;
  Entities found;
  for (const Resolver::Named& named :
       resolver.symbols_in(file.family, name, folder_of(file.path))) {
    if (named.container != container) continue;
    auto member = resolver.symbol(named.id);
    if (!member || member->file == &file) continue;
    // (A type of that name in that file, for another platform, has its own.)
    if (member->file->owner_of(member->index) != kNoIndex) continue;
    member->environment = resolver.member_environment(owner, receiver);
    found.push_back(*member);
  }
  return found;
}

std::vector<const FileModel*> GoSemantics::modules_of(Resolver& resolver,
                                                      const FileModel& file) const {
  std::vector<const FileModel*> found;
  for (const store::FileRow* row : go_files_in(resolver, file.family, folder_of(file.path))) {
    const FileModel* other = resolver.model(row->id);
    if (other != nullptr && other->facts.package == file.facts.package) found.push_back(other);
  }
  return found;
}

std::string GoSemantics::objection_to(const FileModel& file, const store::SymbolRow& at,
                                      std::string_view new_name) const {
  const bool is_member = file.is_member(store::ordinal_of(at.id));
  if (!is_member && (at.name == "main" || at.name == "init")) {
    return "Go calls " + at.name + " by its name";
  }
  if (is_member && at.type == SymbolType::kMethod &&
      std::ranges::find(kGoLibraryMethods, at.name) != std::end(kGoLibraryMethods)) {
    return "interfaces of Go's library have a method " + at.name;
  }
  constexpr std::string_view kTests[] = {"Test", "Benchmark", "Fuzz", "Example"};
  for (const std::string_view word : kTests) {
    if (!is_member && is_go_test_file(file.path) && at.name.starts_with(word) &&
        !new_name.starts_with(word)) {
      return "go test finds it by its name: keep the word " + std::string(word);
    }
  }
  if (is_upper(at.name.front()) && !is_upper(new_name.front())) {
    return "a small first letter hides it from other packages";
  }
  return {};
}

}  // namespace codexmem::graph
