// Facts do not say how a file changes names at run time. The text around the identifiers that can
// do it (globals, modules, __path__) shows most of it: `sys.modules["x"]` leaves the file's own
// names alone, `sys.modules[__name__] = y` replaces them all. Code that is not understood counts as
// able to do anything.
//
// Tested by graph/broken_uses_test.cpp and, case by case, git/check_test.py.
#include "graph/python/python_effects.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::ReceiverKind;
using parse::Role;

struct EffectsMemory final : Resolver::Memory {
  std::unordered_map<const FileModel*, PythonEffects> by_file;
};

// The module itself: sys.modules[__name__].
Touch touch_of_module(const LibraryTables& library, std::string_view before,
                      std::string_view behind, std::string_view& name) {
  if (begins_assignment(behind)) return Touch::kAny;
  if (behind.starts_with('.')) {
    const std::string_view attribute = first_word(behind.substr(1));
    const bool is_written = begins_assignment(without_blanks(behind.substr(1 + attribute.size())));
    if (attribute == "__dict__" || (is_written && attribute == "__class__")) return Touch::kAny;
    name = attribute;
    return is_written ? Touch::kOne : Touch::kNone;
  }
  const CallAround call = call_around(before);
  if (call.callee == "setattr" && call.arguments == 0 && behind.starts_with(',')) {
    const std::string_view rest = without_blanks(behind.substr(1));
    name = literal(trim(rest.substr(0, rest.find(','))));
    return name.empty() ? Touch::kAny : Touch::kOne;
  }
  return library.has("module_readers", call.callee) ? Touch::kNone : Touch::kAny;
}

bool is_identifier(std::string_view text) { return first_word(text).size() == text.size(); }

// True if a Python module at `path` may be called `name`: pkg/a.py is pkg.a and a.
bool is_name_of(std::string_view path, std::string_view name) {
  path = path.substr(0, path.rfind('.'));
  if (path.ends_with("/__init__")) path.remove_suffix(9);
  return path.substr(path.rfind('/') + 1) == name.substr(name.rfind('.') + 1);
}

}  // namespace

// globals() and, at the module's level, vars() and locals(): a dictionary.
Touch touch_of_names(const LibraryTables& library, std::string_view before, std::string_view behind,
                     std::string_view& name) {
  if (behind.starts_with('[')) {
    const Bracketed key = bracketed(behind);
    if (!begins_assignment(key.behind)) return Touch::kNone;
    name = literal(key.inside);
    return name.empty() ? Touch::kAny : Touch::kOne;
  }
  if (behind.starts_with('.')) {
    const std::string_view method = first_word(behind.substr(1));
    const bool writes = method == "update" || method == "setdefault" || method == "__setitem__" ||
                        method == "__ior__";
    return writes ? Touch::kAny : Touch::kNone;
  }
  if (last_word(before) == "in" || behind.starts_with("==")) return Touch::kNone;
  return library.has("name_readers", call_around(before).callee) ? Touch::kNone : Touch::kAny;
}

const PythonEffects& python_effects(HiddenNames& hidden, const FileModel& file) {
  const auto [entry, is_new] = hidden.resolver().memory<EffectsMemory>().by_file.try_emplace(&file);
  PythonEffects& effects = entry->second;
  if (!is_new) return effects;
  const LibraryTables& library = file.semantics.library();
  const std::string_view text = hidden.text_of(file);
  const auto each = [&](std::string_view name, const auto& look) {
    const auto id = file.find_name(name);
    if (!id) return;
    for (const std::uint32_t index : file.occurrences_of(*id)) {
      const parse::Occurrence& at = file.facts.occurrences[index];
      const std::size_t end = at.offset + name.size();
      if (end > text.size() || at.role == Role::kImport) continue;
      look(at, text.substr(0, at.offset), without_blanks(text.substr(end)));
    }
  };
  const auto is_at_top = [&](const parse::Occurrence& at) {
    return file.facts.scopes[file.scope_at(at.offset)].kind == parse::ScopeKind::kModule;
  };
  const auto take = [&](Touch touch, std::string_view name, std::string& any, const char* how) {
    if (touch == Touch::kOne) effects.assigned.emplace(name);
    if (touch == Touch::kAny) any = fmt::format("{} {}", file.path, how);
  };
  constexpr const char* kThroughGlobals = "may set any name through globals()";
  constexpr const char* kThroughModules = "may change itself through sys.modules";
  for (const std::string_view name : {"globals", "vars", "locals"}) {
    each(name, [&](const parse::Occurrence& at, std::string_view before, std::string_view behind) {
      if (at.receiver_kind != ReceiverKind::kNone || !behind.starts_with('(')) return;
      const Bracketed call = bracketed(behind);
      // In a function, vars() and locals() are the function's.
      if (name != "globals" && (!is_at_top(at) || !call.inside.empty())) return;
      std::string_view set;
      const Touch touch = touch_of_names(library, before, call.behind, set);
      take(touch, set, effects.any_name, kThroughGlobals);
    });
  }
  each("exec", [&](const parse::Occurrence& at, std::string_view, std::string_view behind) {
    if (at.receiver_kind != ReceiverKind::kNone || !behind.starts_with('(') || !is_at_top(at)) {
      return;
    }
    take(Touch::kAny, "", effects.any_name, "runs exec()");
  });
  each("modules",
       [&](const parse::Occurrence& at, std::string_view before, std::string_view behind) {
         const bool is_of_sys =
             at.receiver_kind == ReceiverKind::kName &&
             file.name(file.facts.occurrences[at.receiver].name).find("sys") != std::string::npos;
         if (!is_of_sys) {
           // from sys import modules
           const auto bindings = at.receiver_kind == ReceiverKind::kNone
                                     ? file.bindings_in(0, at.name)
                                     : std::span<const std::uint32_t>();
           if (std::ranges::none_of(bindings, [&](std::uint32_t binding) {
                 const parse::Binding& bound = file.facts.bindings[binding];
                 return bound.kind == BindingKind::kImport &&
                        file.facts.imports[bound.target].path == "sys";
               })) {
             return;
           }
         }
         std::string_view expression, rest;
         if (behind.starts_with('[')) {
           const Bracketed key = bracketed(behind);
           expression = key.inside;
           rest = key.behind;
         } else if (behind.starts_with('.')) {
           const std::string_view method = first_word(behind.substr(1));
           const std::string_view call = without_blanks(behind.substr(1 + method.size()));
           if (method == "update" || method == "setdefault") effects.makes_modules = true;
           if (!call.starts_with('(')) return;
           const Bracketed arguments = bracketed(call);
           expression = trim(arguments.inside.substr(0, arguments.inside.find(',')));
           rest = arguments.behind;
           if (method == "setdefault" || method == "__setitem__") rest = "=";
         } else {
           return;
         }
         const bool is_literal = !literal(expression).empty();
         const bool is_own = is_literal ? is_name_of(file.path, literal(expression))
                                        : expression == "__name__" || expression == "__spec__.name";
         if (!is_own) {
           if (!begins_assignment(rest)) return;
           effects.makes_modules = true;
           // Where the module itself says so, it may mean itself by a variable.
           if (!is_literal && is_at_top(at) && is_identifier(expression)) {
             take(Touch::kAny, "", effects.any_import, kThroughModules);
           }
           return;
         }
         // Behind the begin of `sys.modules[__name__]`.
         if (is_of_sys) before = before.substr(0, file.facts.occurrences[at.receiver].offset);
         std::string_view set;
         const Touch touch =
             is_assigned_from(before) ? Touch::kAny : touch_of_module(library, before, rest, set);
         take(touch, set, effects.any_import, kThroughModules);
       });
  each("__path__", [&](const parse::Occurrence& at, std::string_view, std::string_view behind) {
    if (at.receiver_kind != ReceiverKind::kNone) return;
    const std::string_view method = behind.starts_with('.') ? first_word(behind.substr(1)) : "";
    effects.extends_path = effects.extends_path || at.role == Role::kWrite ||
                           at.role == Role::kDefinition || method == "append" ||
                           method == "insert" || method == "extend";
  });
  if (const auto id = file.find_name("__getattr__")) {
    if (!file.bindings_in(0, *id).empty()) {
      effects.any_import = fmt::format("{} has a __getattr__", file.path);
    }
  }
  return effects;
}

}  // namespace codexmem::graph
