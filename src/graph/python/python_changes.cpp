// What a change of Python leaves without a meaning, and what may be there unseen.
#include <fmt/core.h>

#include <algorithm>

#include "graph/core/code_text.h"
#include "graph/python/python_effects.h"
#include "graph/python/python_semantics.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {
namespace {

// The name of a decorator, from behind its @, without what qualifies it.
std::string_view decorator_name(std::string_view decorator) {
  const std::string_view path = decorator.substr(0, decorator.find_first_of("( \t\r\n#"));
  return path.substr(path.rfind('.') == path.npos ? 0 : path.rfind('.') + 1);
}

// True if `wanted` is a module in the package that import `import` is of.
bool is_submodule(Resolver& resolver, const FileModel& file, std::uint32_t import,
                  const std::string& wanted) {
  const std::string& path = file.facts.imports[import].path;
  const std::string joined = path + (path.ends_with('.') ? "" : ".") + wanted;
  return std::ranges::any_of(resolver.dependencies(file.id), [&](const store::DependencyRow& row) {
    return row.import_index == import && row.target && row.package == joined;
  });
}

// True if a function of a Python module may bind `name` in the module: `global name`.
bool binds_globally(const FileModel& file, const std::string& name) {
  const auto id = file.find_name(name);
  return id && std::ranges::any_of(file.facts.bindings, [&](const parse::Binding& binding) {
           return binding.name == *id && binding.kind == parse::BindingKind::kGlobal;
         });
}

// Why a star import of `file` may bring any name; empty when it has none from outside.
std::string foreign_star(Resolver& resolver, const FileModel& file) {
  for (const std::uint32_t import : file.star_imports()) {
    const auto& rows = resolver.dependencies(file.id);
    const bool is_known = std::ranges::any_of(rows, [&](const store::DependencyRow& row) {
      return row.import_index == import && !row.is_external && row.target &&
             resolver.model(*row.target) != nullptr;
    });
    if (!is_known) {
      return fmt::format("{} imports all names of {}, which is not of the repository", file.path,
                         file.facts.imports[import].path);
    }
  }
  return {};
}

}  // namespace

std::set<std::string> PythonSemantics::names_given(const parse::FileFacts& facts) const {
  std::set<std::string> names;
  for (const parse::Binding& binding : facts.bindings) {
    if (binding.scope == 0) names.insert(facts.names[binding.name]);
  }
  names.erase("*");
  return names;
}

bool PythonSemantics::names_a_file(std::string_view) const { return true; }

Verdict PythonSemantics::judge_missing_export(HiddenNames& hidden, const FileModel& file,
                                              std::uint32_t import, const FileModel& target,
                                              const std::string& name, const Entities& found,
                                              bool was_defined) const {
  if (!found.empty() || is_submodule(hidden.resolver(), file, import, name)) return {};
  return {.is_found = false, .hidden = hidden.in_module(target, name, was_defined)};
}

std::vector<const FileModel*> PythonSemantics::modules_of(Resolver& resolver,
                                                          const FileModel& file) const {
  std::vector<const FileModel*> modules = {&file};
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const std::uint32_t import : modules[i]->star_imports()) {
      for (const store::DependencyRow& row : resolver.dependencies(modules[i]->id)) {
        if (row.import_index != import || row.is_external || !row.target) continue;
        if (row.package != modules[i]->facts.imports[import].path) continue;  // a submodule
        const FileModel* target = resolver.model(*row.target);
        if (target != nullptr && std::ranges::find(modules, target) == modules.end()) {
          modules.push_back(target);
        }
      }
    }
  }
  return modules;
}

std::string PythonSemantics::hidden_in_module(HiddenNames& hidden, const FileModel& module,
                                              bool was_defined) const {
  const PythonEffects& known = python_effects(hidden, module);
  if (!known.any_import.empty()) return known.any_import;
  if (known.extends_path && !was_defined) {
    return fmt::format("{} looks for submodules elsewhere (__path__)", module.path);
  }
  return {};
}

std::string PythonSemantics::hidden_in_scope(HiddenNames& hidden, const FileModel& module,
                                             const std::string& name) const {
  const PythonEffects& known = python_effects(hidden, module);
  if (!known.any_name.empty()) return known.any_name;
  if (known.assigned.contains(name) || binds_globally(module, name)) {
    return fmt::format("{} may set it when it runs", module.path);
  }
  return foreign_star(hidden.resolver(), module);
}

std::string PythonSemantics::hidden_in_type(HiddenNames& hidden, const FileModel& file,
                                            const parse::Symbol& type) const {
  const std::string_view text = hidden.text_of(file);
  std::string_view code = text_at(text, type.range);
  while (code.starts_with('@')) {
    if (!library().has("plain_decorators", decorator_name(code.substr(1)))) {
      return fmt::format("a decorator may give {} more members", type.name);
    }
    // Arguments may go on for lines.
    const std::size_t end = code.find_first_of("(\n");
    code = end != code.npos && code[end] == '(' ? bracketed(code.substr(end)).behind
                                                : code.substr(std::min(end, code.size()));
    code = without_blanks(code);
    while (code.starts_with('#')) {
      code = without_blanks(code.substr(std::min(code.find('\n'), code.size())));
    }
  }
  if (has_word(code, "__getattr__") || has_word(code, "__getattribute__")) {
    return fmt::format("{} has a __getattr__", type.name);
  }
  const std::string_view head = code.substr(0, code.find(":\n"));
  if (const std::size_t at = head.find("metaclass"); at != head.npos) {
    const std::string_view meta = head.substr(at);
    if (!has_word(meta, "ABCMeta") && !has_word(meta, "EnumMeta") && !has_word(meta, "EnumType")) {
      return fmt::format("the metaclass of {} may give it more members", type.name);
    }
  }
  for (std::size_t at = text.find("setattr("); at != text.npos;
       at = text.find("setattr(", at + 1)) {
    const std::string_view object = first_word(without_blanks(text.substr(at + 8)));
    const bool is_inside = at >= type.range.begin && at < type.range.end;
    if (object == type.name || (is_inside && (object == "self" || object == "cls"))) {
      return fmt::format("{} is given members by setattr()", type.name);
    }
  }
  for (const std::string_view name : {"self.__dict__", "vars(self)", "locals()", "vars()"}) {
    for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
      std::string_view ignored;
      const Touch touch = touch_of_names(library(), code.substr(0, at),
                                         without_blanks(code.substr(at + name.size())), ignored);
      const bool is_of_function = name.ends_with("s()");
      if (touch == Touch::kNone || (is_of_function && touch != Touch::kOne &&
                                    !code.substr(at + name.size()).starts_with('['))) {
        continue;
      }
      return fmt::format("{} is given members through its __dict__", type.name);
    }
  }
  return {};
}

Result<std::string> PythonSemantics::hidden_module(HiddenNames& hidden, store::CodeReader& reader,
                                                   const FileModel& file,
                                                   std::string_view path) const {
  std::string_view below = path;
  while (below.starts_with('.')) below.remove_prefix(1);
  for (const char* name : {"modules", "__path__"}) {
    CODEXMEM_ASSIGN(const auto holders, reader.list_files_with_identifier(name));
    for (const store::FileId id : holders) {
      const FileModel* module = hidden.resolver().model(id);
      if (module == nullptr || module->family != file.family) continue;
      const PythonEffects& known = python_effects(hidden, *module);
      if (!known.makes_modules && !known.extends_path) continue;
      // What it may be imported as: its path, from any folder on.
      std::string dotted = module->path.substr(0, module->path.rfind('.'));
      if (dotted.ends_with("/__init__")) dotted.resize(dotted.size() - 9);
      std::replace(dotted.begin(), dotted.end(), '/', '.');
      const bool is_relative = path.starts_with('.');
      for (std::size_t at = 0;;) {
        const std::string_view part = std::string_view(dotted).substr(at);
        if (below.starts_with(part) && below.substr(part.size()).starts_with('.')) {
          return fmt::format("{} makes modules when it runs", module->path);
        }
        if ((at = dotted.find('.', at)) == dotted.npos) break;
        ++at;
      }
      if (is_relative && module->path.substr(0, module->path.rfind('/')) ==
                             file.path.substr(0, file.path.rfind('/'))) {
        return fmt::format("{} makes modules when it runs", module->path);
      }
    }
  }
  return std::string();
}

}  // namespace codexmem::graph
