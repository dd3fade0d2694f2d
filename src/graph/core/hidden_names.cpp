// What a file does to names at run time is not among its facts; a few words of the text around the
// identifiers that can do it (globals, modules, __path__) tell most of it: `sys.modules["x"]` says
// nothing of the file's own names, `sys.modules[__name__] = y` all. What is not understood counts
// as able to do anything.
//
// Tested by graph/broken_uses_test.cpp and, case by case, git/check_test.py.
#include "graph/core/hidden_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.h"
#include "graph/global_names.h"
#include "graph/word_set.h"

namespace codexmem::graph {
namespace {

using parse::BindingKind;
using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;

bool is_identifier_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_identifier_byte(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view last_word(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_identifier_byte(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_identifier_byte(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_identifier_byte(text[end]))) return true;
  }
  return false;
}

// `text` begins with a bracket: what stands in it and what follows it.
struct Bracketed {
  std::string_view inside, behind;
};

Bracketed bracketed(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = text.find(c, i + 1);
      if (end == text.npos) break;
      i = end;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      return {trim(text.substr(1, i - 1)), without_blanks(text.substr(i + 1))};
    }
  }
  return {text, {}};
}

bool begins_assignment(std::string_view text) {
  return text.starts_with('=') ? !text.starts_with("==")
                               : text.size() > 1 && text[1] == '=' && text[0] != '!' &&
                                     text[0] != '<' && text[0] != '>';
}

// The text of a string literal without escapes; empty if `text` is none.
std::string_view literal(std::string_view text) {
  const bool is_quoted = text.size() > 2 && (text.front() == '"' || text.front() == '\'') &&
                         text.find(text.front(), 1) == text.size() - 1;
  return is_quoted ? text.substr(1, text.size() - 2) : std::string_view();
}

// The callee of the call around the end of `before`, and how many arguments stand before it; an
// empty name when there is no call on the way back to the statement's begin.
struct Call {
  std::string_view callee;
  int arguments = 0;
};

Call call_around(std::string_view before) {
  constexpr std::size_t kFarEnough = 2000;
  int depth = 0;
  Call call;
  for (std::size_t i = before.size(); i > 0 && before.size() - i < kFarEnough; --i) {
    const char c = before[i - 1];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if (c == ',' && depth == 0) ++call.arguments;
    if (c != '(' && c != '[' && c != '{') continue;
    if (depth-- > 0) continue;
    call.callee = c == '(' ? last_word(before.substr(0, i - 1)) : std::string_view();
    return call;
  }
  return {};
}

bool is_assigned_from(std::string_view before) {
  while (!before.empty() && (before.back() == ' ' || before.back() == '\t')) {
    before.remove_suffix(1);
  }
  return before.ends_with('=') && !before.ends_with("==");
}

// What is done to the names of a module that can be reached as an object, `behind` and `before` the
// expression that gives it: nothing, something to one name, or anything.
enum class Touch : std::uint8_t { kNone, kOne, kAny };

// globals() and, at the module's level, vars() and locals(): a dictionary.
Touch touch_of_names(std::string_view before, std::string_view behind, std::string_view& name) {
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
  static const auto readers = word_set(
      "eval dict list set tuple sorted len iter print isinstance type id frozenset copy deepcopy "
      "get_type_hints ForwardRef Template ChainMap timeit repeat Timer testmod signature pformat "
      "pprint");
  return readers.contains(call_around(before).callee) ? Touch::kNone : Touch::kAny;
}

// The module itself: sys.modules[__name__].
Touch touch_of_module(std::string_view before, std::string_view behind, std::string_view& name) {
  if (begins_assignment(behind)) return Touch::kAny;
  if (behind.starts_with('.')) {
    const std::string_view attribute = first_word(behind.substr(1));
    const bool is_written = begins_assignment(without_blanks(behind.substr(1 + attribute.size())));
    if (attribute == "__dict__" || (is_written && attribute == "__class__")) return Touch::kAny;
    name = attribute;
    return is_written ? Touch::kOne : Touch::kNone;
  }
  const Call call = call_around(before);
  if (call.callee == "setattr" && call.arguments == 0 && behind.starts_with(',')) {
    const std::string_view rest = without_blanks(behind.substr(1));
    name = literal(trim(rest.substr(0, rest.find(','))));
    return name.empty() ? Touch::kAny : Touch::kOne;
  }
  static const auto readers = word_set(
      "getattr hasattr getmembers dir getdoc getsource getfile getsourcefile reload help print "
      "testmod import_module DocTestSuite repr str id isinstance");
  return readers.contains(call.callee) ? Touch::kNone : Touch::kAny;
}

// Bases of the languages' own libraries whose members are known, with those that
// is_library_member() does not have. A class may have a metaclass: members with two underscores are
// never known.
bool is_known_base(Family family, std::string_view base) {
  static const auto python = word_set(
      "object ABC Generic Protocol Exception BaseException ArithmeticError AssertionError "
      "AttributeError LookupError IndexError KeyError NameError OSError IOError RuntimeError "
      "NotImplementedError TypeError ValueError Warning UserWarning DeprecationWarning "
      "FutureWarning RuntimeWarning PendingDeprecationWarning TimeoutError PermissionError "
      "FileNotFoundError FileExistsError ConnectionError ImportError ModuleNotFoundError "
      "ZeroDivisionError OverflowError");
  static const auto ecmascript = word_set(
      "Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError");
  return (family == Family::kPython ? python : ecmascript).contains(base);
}

bool base_may_have(Family family, std::string_view name) {
  static const auto python = word_set(
      "args with_traceback add_note errno filename filename2 strerror characters_written name path "
      "msg obj register mro");
  static const auto ecmascript = word_set(
      "name message stack cause errors toString toLocaleString valueOf constructor hasOwnProperty "
      "isPrototypeOf propertyIsEnumerable captureStackTrace stackTraceLimit prepareStackTrace "
      "isError prototype length call apply bind");
  return name.starts_with("__") || (family == Family::kPython ? python : ecmascript).contains(name);
}

// True for a decorator, from behind its @, that gives a class no members.
bool keeps_members(std::string_view decorator) {
  static const auto known = word_set(
      "dataclass final total_ordering runtime_checkable s attrs attributes define frozen mutable "
      "unique override deprecated type_check_only disjoint_base skip skipIf skipUnless usefixtures "
      "parametrize xfail skipif filterwarnings asyncio anyio slow");
  const std::string_view path = decorator.substr(0, decorator.find_first_of("( \t\r\n#"));
  return known.contains(path.substr(path.rfind('.') == path.npos ? 0 : path.rfind('.') + 1));
}

bool is_identifier(std::string_view text) { return first_word(text).size() == text.size(); }

// True if a Python module at `path` may be called `name`: pkg/a.py is pkg.a and a.
bool is_name_of(std::string_view path, std::string_view name) {
  path = path.substr(0, path.rfind('.'));
  if (path.ends_with("/__init__")) path.remove_suffix(9);
  return path.substr(path.rfind('/') + 1) == name.substr(name.rfind('.') + 1);
}

std::string_view text_at(std::string_view text, const ByteRange& range) {
  if (range.begin > range.end || range.end > text.size()) return {};
  return text.substr(range.begin, range.end - range.begin);
}

}  // namespace

std::string_view HiddenNames::text_of(const FileModel& file) {
  const auto text = texts_.get(file.id);
  return text.ok() ? std::string_view((*text)->content) : std::string_view();
}

// True if a definition of `name` may be in what was not understood, or was misunderstood as one of
// another thing's.
bool HiddenNames::may_be_misread(const FileModel& file, const std::string& name) {
  if (file.facts.truncated) return true;
  if (file.facts.unparsed.empty()) return false;
  const std::string_view text = text_of(file);
  if (std::ranges::any_of(file.facts.unparsed, [&](const ByteRange& range) {
        return has_word(text_at(text, range), name);
      })) {
    return true;
  }
  const auto id = file.find_name(name);
  return id && std::ranges::any_of(file.occurrences_of(*id), [&](std::uint32_t index) {
           return file.facts.occurrences[index].role == Role::kDefinition;
         });
}

// True if a function of a Python module may bind `name` in the module: `global name`.
bool HiddenNames::binds(const FileModel& file, const std::string& name) {
  const auto id = file.find_name(name);
  return id && std::ranges::any_of(file.facts.bindings, [&](const parse::Binding& binding) {
           return binding.name == *id && binding.kind == BindingKind::kGlobal;
         });
}

const HiddenNames::Effects& HiddenNames::effects(const FileModel& file) {
  const auto [entry, is_new] = effects_.try_emplace(&file);
  Effects& effects = entry->second;
  if (!is_new || file.family != Family::kPython) return effects;
  const std::string_view text = text_of(file);
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
      const Touch touch = touch_of_names(before, call.behind, set);
      take(touch, set, effects.any_name, kThroughGlobals);
    });
  }
  each("exec", [&](const parse::Occurrence& at, std::string_view, std::string_view behind) {
    if (at.receiver_kind != ReceiverKind::kNone || !behind.starts_with('(') || !is_at_top(at)) {
      return;
    }
    take(Touch::kAny, "", effects.any_name, "runs exec()");
  });
  each("modules", [&](const parse::Occurrence& at, std::string_view before,
                      std::string_view behind) {
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
    const Touch touch = is_assigned_from(before) ? Touch::kAny : touch_of_module(before, rest, set);
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

std::vector<const FileModel*> HiddenNames::modules_of(const FileModel& file) {
  std::vector<const FileModel*> modules = {&file};
  if (file.family != Family::kPython) return modules;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const std::uint32_t import : modules[i]->star_imports()) {
      for (const store::DependencyRow& row : resolver_.dependencies(modules[i]->id)) {
        if (row.import_index != import || row.is_external || !row.target) continue;
        if (row.package != modules[i]->facts.imports[import].path) continue;  // a submodule
        const FileModel* target = resolver_.model(*row.target);
        if (target != nullptr && std::ranges::find(modules, target) == modules.end()) {
          modules.push_back(target);
        }
      }
    }
  }
  return modules;
}

// Why a star import of `file` may bring any name; empty when it has none from outside.
std::string HiddenNames::foreign_star(const FileModel& file) {
  for (const std::uint32_t import : file.star_imports()) {
    const auto& rows = resolver_.dependencies(file.id);
    const bool is_known = std::ranges::any_of(rows, [&](const store::DependencyRow& row) {
      return row.import_index == import && !row.is_external && row.target &&
             resolver_.model(*row.target) != nullptr;
    });
    if (!is_known) {
      return fmt::format("{} imports all names of {}, which is not of the repository", file.path,
                         file.facts.imports[import].path);
    }
  }
  return {};
}

std::string HiddenNames::in_module(const FileModel& file, const std::string& name,
                                   bool was_defined) {
  for (const FileModel* module : modules_of(file)) {
    if (may_be_misread(*module, name)) {
      return fmt::format("{} was not understood as a whole", module->path);
    }
    if (file.family != Family::kPython) continue;
    const Effects& known = effects(*module);
    if (!known.any_import.empty()) return known.any_import;
    if (known.extends_path && !was_defined) {
      return fmt::format("{} looks for submodules elsewhere (__path__)", module->path);
    }
  }
  return in_scope(file, name);
}

std::string HiddenNames::in_scope(const FileModel& file, const std::string& name) {
  for (const FileModel* module : modules_of(file)) {
    if (may_be_misread(*module, name)) {
      return fmt::format("{} was not understood as a whole", module->path);
    }
    if (file.family != Family::kPython) continue;
    const Effects& known = effects(*module);
    if (!known.any_name.empty()) return known.any_name;
    if (known.assigned.contains(name) || binds(*module, name)) {
      return fmt::format("{} may set it when it runs", module->path);
    }
    if (std::string star = foreign_star(*module); !star.empty()) return star;
  }
  return {};
}

Result<std::string> HiddenNames::as_submodule(store::CodeReader& reader, const FileModel& file,
                                              std::string_view path) {
  if (file.family != Family::kPython) return std::string();
  std::string_view below = path;
  while (below.starts_with('.')) below.remove_prefix(1);
  for (const char* name : {"modules", "__path__"}) {
    CODEXMEM_ASSIGN(const auto holders, reader.list_files_with_identifier(name));
    for (const store::FileId id : holders) {
      const FileModel* module = resolver_.model(id);
      if (module == nullptr || module->family != Family::kPython) continue;
      const Effects& known = effects(*module);
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

Entities HiddenNames::types_of(const Entity& receiver) {
  Entities types = {receiver};
  types[0].environment = nullptr;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].index >= types[i].file->facts.symbols.size()) continue;
    const Entities supers = resolver_.supertypes(*types[i].file, types[i].index);
    for (const Entity& super : supers) {
      if (super.kind != EntityKind::kSymbol && super.kind != EntityKind::kInstance) continue;
      const bool is_known = std::ranges::any_of(types, [&](const Entity& known) {
        return known.file == super.file && known.index == super.index;
      });
      if (!is_known) types.push_back({EntityKind::kSymbol, super.file, super.index});
    }
  }
  return types;
}

std::string HiddenNames::in_receiver(const Entity& receiver, const std::string& name,
                                     bool was_defined) {
  if (receiver.file == nullptr) return {};
  if (receiver.kind == EntityKind::kModule) return in_module(*receiver.file, name, was_defined);
  if (receiver.kind != EntityKind::kSymbol && receiver.kind != EntityKind::kInstance &&
      receiver.kind != EntityKind::kSelf) {
    return {};
  }
  for (const Entity& type : types_of(receiver)) {
    if (type.index >= type.file->facts.symbols.size()) continue;
    if (std::string why = in_type(type, name); !why.empty()) return why;
  }
  return {};
}

std::string HiddenNames::in_type(const Entity& entity, const std::string& name) {
  const FileModel& file = *entity.file;
  const parse::Symbol& type = file.facts.symbols[entity.index];
  if (may_be_misread(file, name)) {
    return fmt::format("{} was not understood as a whole", file.path);
  }
  std::string why =
      file.family == Family::kPython ? in_python_class(file, type) : in_ecmascript_type(file, type);
  if (!why.empty()) return why;
  for (const std::string& base : foreign_bases(entity)) {
    // class E(Exception), or abc.ABC: what the library calls so.
    if (is_known_base(file.family, base) && !base_may_have(file.family, name)) continue;
    return fmt::format("{} has a base from outside of the repository, {}", type.name, base);
  }
  return {};
}

std::string HiddenNames::in_python_class(const FileModel& file, const parse::Symbol& type) {
  const std::string_view text = text_of(file);
  std::string_view code = text_at(text, type.range);
  while (code.starts_with('@')) {
    if (!keeps_members(code.substr(1))) {
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
      const Touch touch = touch_of_names(code.substr(0, at),
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

std::string HiddenNames::in_ecmascript_type(const FileModel& file, const parse::Symbol& type) {
  const std::string_view text = text_of(file);
  const std::string_view code = text_at(text, type.range);
  // An index signature.
  for (std::size_t at = code.find('['); at != code.npos; at = code.find('[', at + 1)) {
    const std::string_view key = without_blanks(code.substr(at + 1));
    const std::string_view word = first_word(key);
    if (!word.empty() && without_blanks(key.substr(word.size())).starts_with(':')) {
      return fmt::format("{} may have any member by an index signature", type.name);
    }
  }
  // Members that are copied, or have names that are computed.
  static const auto copying = word_set(
      "assign defineProperty defineProperties defineGetter extend mixin merge inherits "
      "setPrototypeOf __exportStar __decorate augment");
  const auto id = file.find_name(type.name);
  if (!id) return {};
  for (const std::uint32_t index : file.occurrences_of(*id)) {
    const std::size_t begin = file.facts.occurrences[index].offset;
    if (begin + type.name.size() > text.size()) continue;
    std::string_view behind = without_blanks(text.substr(begin + type.name.size()));
    const bool is_prototype = behind.starts_with(".prototype") &&
                              (behind.size() == 10 || !is_identifier_byte(behind[10]));
    if (is_prototype) behind = without_blanks(behind.substr(10));
    const bool is_written = behind.starts_with('[') &&
                            begins_assignment(bracketed(behind).behind) &&
                            literal(bracketed(behind).inside).empty();
    const Call call = call_around(text.substr(0, begin));
    const bool is_given = call.arguments == 0 && !call.callee.empty() &&
                          (behind.starts_with(',') || behind.starts_with(')')) &&
                          (is_prototype || copying.contains(call.callee));
    const bool is_kept = is_prototype && is_assigned_from(text.substr(0, begin));
    if (is_written || is_given || is_kept) {
      return fmt::format("{} is given members with names that are computed or copied", type.name);
    }
  }
  return {};
}

// The names of the bases of a class that are not of the repository.
std::vector<std::string> HiddenNames::foreign_bases(const Entity& type) {
  const FileModel& file = *type.file;
  std::vector<std::string> bases;
  for (const parse::Heritage* heritage : file.heritage_of(type.index)) {
    const Entities& meant = resolver_.resolve(file, heritage->occurrence);
    const bool is_known = std::ranges::any_of(meant, [](const Entity& entity) {
      return entity.kind != EntityKind::kUnknown && entity.kind != EntityKind::kExternal;
    });
    if (!is_known) bases.push_back(file.name(file.facts.occurrences[heritage->occurrence].name));
  }
  return bases;
}

bool HiddenNames::has_foreign_base(const Entity& receiver) {
  const Entities types = types_of(receiver);
  return std::ranges::any_of(types,
                             [&](const Entity& type) { return !foreign_bases(type).empty(); });
}

}  // namespace codexmem::graph
