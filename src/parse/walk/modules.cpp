// Imports and exports of both module systems.
#include "parse/walk/modules.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::parse {

void ModuleBuilder::reset() {
  pending_reexports_.clear();
  imported_calls_.clear();
}
void ModuleBuilder::add_module_fact(const Pattern& pattern, std::uint32_t index,
                                    const Captures& captures) {
  const Node& source = captures[Slot::kSource];
  switch (pattern.action) {
    case Action::kImport:
    case Action::kImportType:
      if (frames_[index].import == kNoIndex) {
        // (declare module "x" describes x and does not import it.)
        const bool is_declared = pattern.action == Action::kImportType && pattern.sort == 1;
        frames_[index].import =
            add_import(index, is_declared ? ImportKind::kDocumented : ImportKind::kImport, source);
      }
      if (pattern.action == Action::kImportType) {
        sink_.import(frames_[index].import).type_only = true;
      }
      break;
    case Action::kImportInclude:
      add_import(index, ImportKind::kInclude, source);
      break;
    case Action::kImportPackage:
      import_package(index, captures[Slot::kName], source);
      break;
    case Action::kImportSpecifier: {
      const Node& name = captures[Slot::kName];
      const Node& alias = captures[Slot::kAlias];
      const ByteRange local = range_of(alias ? alias : name);
      sink_.bind_import(frames_[index].import, source_.member_name(name), text_of(local),
                        frames_.scope(), range_of(name).begin, local.begin);
      break;
    }
    case Action::kImportSpecifierType:
      // The general pattern has already matched.
      if (std::uint32_t import = frames_[index].import;
          import != kNoIndex && !facts_.imports[import].names.empty()) {
        sink_.import(import).names.back().type_only = true;
      }
      break;
    case Action::kImportEquals: {
      std::uint32_t import = add_import(index, ImportKind::kRequire, source);
      ByteRange local = range_of(captures[Slot::kName]);
      sink_.bind_module(import, text_of(local), frames_.scope(), local.begin);
      sink_.announce(local.begin);
      break;
    }
    case Action::kImportList:
      import_list(index, kNoIndex);
      break;
    case Action::kImportFrom: {
      std::uint32_t import = add_import(index, ImportKind::kImport, source);
      sink_.import(import).from_import = true;
      import_list(index, import);
      break;
    }
    case Action::kImportFuture: {
      std::uint32_t import = add_import(index, ImportKind::kImport, Node{});
      Import& future = sink_.import(import);
      future.path = "__future__";
      future.path_offset = future.range.begin;
      future.from_import = true;
      import_list(index, import);
      break;
    }
    case Action::kImportTree:
      import_tree(index);
      break;
    case Action::kImportModule:
      import_module(index, captures[Slot::kName]);
      break;
    case Action::kImportModules:
      import_modules(index, captures[Slot::kName], source);
      break;
    case Action::kImportQualified:
      import_qualified(index, source, captures[Slot::kAlias]);
      break;
    case Action::kImportUse:
      import_use(index);
      break;
    case Action::kImportNamespace:
      import_namespace(index, captures[Slot::kName], source);
      break;
    case Action::kRequire:
    case Action::kDynamicImport: {
      const void* call = frames_[index].node.id;
      if (is_computed(text_of(source)) ||
          std::ranges::find(imported_calls_, call) != imported_calls_.end()) {
        break;
      }
      std::uint32_t import = add_import(
          index, pattern.action == Action::kRequire ? ImportKind::kRequire : ImportKind::kDynamic,
          source);
      for (const PendingReexport& pending : pending_reexports_) {
        if (pending.call == call) sink_.export_at(pending.export_index).import = import;
      }
      if (index == 0) break;
      // module.exports = { ...require("x") } exports everything that x exports.
      if (pattern.action == Action::kRequire && index >= 2 &&
          frames_[index - 2].is_exports_object &&
          !child_by_field(frames_[index - 1].node, fields().key)) {
        const std::uint32_t begin = range_of(frames_[index].node).begin;
        sink_.add_export({.import = import, .offset = begin, .commonjs = true}, "*", "*");
      }
      // import("x").T in type position.
      if (frames_[index - 1].context == Context::kType) {
        Import& typed = sink_.import(import);
        typed.kind = ImportKind::kImport;
        typed.type_only = true;
        if (const Node property = child_by_field(frames_[index - 1].node, fields().property)) {
          sink_.name_import(import, text_of(property), range_of(property).begin, true);
        }
      }
      break;
    }
    case Action::kRequireDeclarator:
      import_declarator(index, captures, ImportKind::kRequire);
      break;
    case Action::kDynamicImportDeclarator:
      import_declarator(index, captures, ImportKind::kDynamic);
      break;
    case Action::kExportStar: {
      std::uint32_t import = add_import(index, ImportKind::kReexport, source);
      sink_.name_all(import);
      sink_.add_export({.import = import, .offset = facts_.imports[import].range.begin}, "*", "*");
      break;
    }
    case Action::kExportNamespace: {
      std::uint32_t import = add_import(index, ImportKind::kReexport, source);
      sink_.name_all(import);
      const Node& name = captures[Slot::kName];
      sink_.add_export({.import = import, .offset = range_of(name).begin},
                       source_.member_name(name), "*");
      break;
    }
    case Action::kExportFrom:
      if (frames_[index].import == kNoIndex) {
        frames_[index].import = add_import(index, ImportKind::kReexport, source);
      }
      if (pattern.sort == 1) sink_.import(frames_[index].import).type_only = true;
      break;
    case Action::kExportSpecifier:
      export_specifier(index, captures);
      break;
    case Action::kDefaultExport:
      export_value(index, "default", frames_[index].node, captures[Slot::kValue], false);
      break;
    case Action::kAssignExport:
    case Action::kModuleExports:
      export_value(index, "default", frames_[index].node, captures[Slot::kValue], true);
      break;
    case Action::kExportsAssignment:
      export_value(index, source_.member_name(captures[Slot::kName]), captures[Slot::kName],
                   captures[Slot::kValue], true);
      break;
    case Action::kExportsMember: {
      if (index == 0 || !frames_[index - 1].is_exports_object) break;
      const Node& name = captures[Slot::kName];
      const Node& value = captures[Slot::kValue];
      const Export member = {
          .symbol = frames_[index].symbol, .offset = range_of(name).begin, .commonjs = true};
      if (member.symbol != kNoIndex) sink_.symbol(member.symbol).exported = true;
      if (value && source_.is_require(value)) {
        add_reexport(value, member, source_.member_name(name));
        break;
      }
      bool is_name = value && rules_of(value).is_identifier;
      sink_.add_export(member, source_.member_name(name),
                       is_name ? text_of(value) : std::string_view{});
      break;
    }
    case Action::kAllExport:
      export_all(captures);
      break;
    default:
      break;
  }
}

std::uint32_t ModuleBuilder::add_import(std::uint32_t index, ImportKind kind, const Node& source) {
  Import import;
  import.kind = kind;
  import.range = range_of(frames_[index].node);
  import.scope = frames_.scope();
  if (source) {
    const std::string_view path = trim(source_.member_name(source));
    import.path = path;
    import.path_offset = source_.offset_of(path);
  }
  for (std::uint32_t at = index; at > 0; --at) {
    const Frame& frame = frames_[at - 1];
    if (frame.rules->is_conditional) import.conditional = true;
    if (frame.typing_block != nullptr && frame.typing_block == frames_[at].node.id) {
      import.type_only = true;
    }
  }
  for (const std::uint32_t scope : frames_.scopes()) {
    if (facts_.scopes[scope].kind == ScopeKind::kFunction) import.conditional = true;
  }
  return sink_.add_import(std::move(import));
}

// use a::{self, b as c, d::*}; extern crate a as b;: an import for each leaf, with its whole path.
void ModuleBuilder::import_tree(std::uint32_t index) {
  struct Open {
    std::string path;
    std::uint32_t receiver = kNoIndex;
  };
  const Node& node = frames_[index].node;
  const ByteRange range = range_of(node);
  const bool is_public = text_of(range).starts_with("pub");
  const std::string_view text = source_.text().substr(0, range.end);
  std::vector<Open> stack;
  Open current;
  std::string_view last;
  std::uint32_t last_at = 0;
  bool is_whole = false;   // "self" in a list: the module itself
  bool is_global = false;  // use ::a
  std::size_t at = range.begin;
  const auto is_name = [](char c) {
    return is_identifier_char(c) || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto leaf = [&](std::string_view alias, std::uint32_t alias_at, bool takes_all) {
    if (last.empty() && !takes_all) return;
    const std::uint32_t import =
        add_import(index, is_public ? ImportKind::kReexport : ImportKind::kImport, Node{});
    Import& added = sink_.import(import);
    added.path = (is_global ? "::" : "") + current.path + (takes_all ? "::*" : "");
    added.path_offset = last_at;
    if (takes_all) {
      added.from_import = true;
      sink_.name_all(import);
    } else if (alias == "_") {
      sink_.name_import(import, last, last_at, false);
    } else {
      sink_.bind_import(import, last, alias.empty() ? last : alias, frames_.scope(), last_at,
                        alias.empty() ? last_at : alias_at);
    }
  };
  // The words before the path: visibility, "use".
  for (std::string_view word;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) ++end;
    word = text.substr(at, end - at);
    at = end;
    if (word == "use") break;
    if (word == "extern") {
      at = std::min(text.find("crate", at), text.size() - 5) + 5;
      break;
    }
    if (at < text.size() && text[at] == '(') at = std::min(text.find(')', at), text.size() - 1) + 1;
    if (word.empty() && at >= text.size()) return;
    if (word.empty()) break;
  }
  if (const std::size_t start = text.find_first_not_of(" \t\r\n", at);
      start != std::string_view::npos) {
    is_global = text.substr(start).starts_with("::");
  }
  std::string_view alias;
  std::uint32_t alias_at = 0;
  bool takes_all = false;
  bool is_alias = false;
  const auto end_leaf = [&] {
    if (takes_all || !alias.empty() || !last.empty()) leaf(alias, alias_at, takes_all);
    alias = {};
    last = {};
    takes_all = is_alias = is_whole = false;
  };
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
    } else if (is_name(c)) {
      std::size_t end = at;
      while (end < text.size() && is_name(text[end])) ++end;
      std::string_view word = text.substr(at, end - at);
      if (word == "r" && end < text.size() && text[end] == '#') {
        at = end;
        continue;
      }
      const auto offset = static_cast<std::uint32_t>(at);
      at = end - 1;
      if (word == "as" && !last.empty()) {
        is_alias = true;
      } else if (is_alias) {
        alias = word;
        alias_at = offset;
        if (word != "_") sink_.add_occurrence(word, offset, Role::kDefinition);
      } else if (word == "self" && !current.path.empty()) {
        is_whole = true;
        last = std::string_view(current.path).substr(current.path.rfind(':') + 1);
        if (const std::size_t name = current.path.rfind(':'); name == std::string::npos) {
          last = current.path;
        }
        last_at = offset;
        // (The path lives as long as the text.)
        const std::size_t known = source_.text().rfind(last, offset);
        last = source_.text().substr(known, last.size());
      } else {
        const bool has_receiver = current.receiver != kNoIndex;
        current.receiver = sink_.add_occurrence(
            word, offset, Role::kImport, has_receiver ? ReceiverKind::kName : ReceiverKind::kNone,
            current.receiver);
        current.path += (current.path.empty() ? "" : "::") + std::string(word);
        last = word;
        last_at = offset;
      }
    } else if (c == '*') {
      takes_all = true;
      last_at = static_cast<std::uint32_t>(at);
    } else if (c == '{') {
      stack.push_back(current);
      last = {};
    } else if (c == ',' || c == '}' || c == ';') {
      end_leaf();
      if (stack.empty()) break;
      current = stack.back();
      if (c == '}') {
        stack.pop_back();
        if (!stack.empty()) current = stack.back();
      }
    }
  }
  end_leaf();
}

// The names in Python's import statements: dotted names, with or without alias, or a star.
void ModuleBuilder::import_list(std::uint32_t index, std::uint32_t from_import) {
  Cursor cursor(frames_[index].node);
  bool is_after_import = false;
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    Node child = cursor.node();
    std::string_view text = text_of(child);
    if (text == "import") is_after_import = true;
    if (from_import != kNoIndex && is_after_import && text == "*") {
      sink_.name_all(from_import);
    }
    if (cursor.field() != fields().name) continue;
    Node dotted = child_by_field(child, fields().name);
    Node alias = child_by_field(child, fields().alias);
    if (!dotted) dotted = child;
    ByteRange name = range_of(dotted);
    if (name.empty()) continue;
    if (from_import != kNoIndex) {
      ByteRange local = alias ? range_of(alias) : name;
      sink_.bind_import(from_import, text_of(name), text_of(local), frames_.scope(), name.begin,
                        local.begin);
      continue;
    }
    std::uint32_t import = add_import(index, ImportKind::kImport, dotted);
    std::string_view path = text_of(name);
    std::size_t dot = path.find('.');
    if (alias) {
      sink_.bind_module(import, text_of(alias), frames_.scope(), range_of(alias).begin);
    } else {
      sink_.import(import).binds_top_package = dot != std::string_view::npos;
      sink_.bind_module(import, path.substr(0, dot), frames_.scope(), name.begin);
    }
  }
}

// const x = require("y"), const { a } = await import("y"): the declarator binds names of the
// import.
void ModuleBuilder::import_declarator(std::uint32_t index, const Captures& captures,
                                      ImportKind kind) {
  Declarator* declarator = frames_.declarator(frames_[index].declarator);
  if (declarator == nullptr || declarator->import != kNoIndex) return;
  if (is_computed(text_of(captures[Slot::kSource]))) return;
  const Node& call = captures[Slot::kInner];
  imported_calls_.push_back(call.id);
  std::uint32_t import = add_import(index, kind, captures[Slot::kSource]);
  sink_.import(import).range = range_of(call);
  declarator->import = import;
  if (captures[Slot::kOther]) declarator->member = text_of(captures[Slot::kOther]);
}

void ModuleBuilder::export_specifier(std::uint32_t index, const Captures& captures) {
  const Node& name = captures[Slot::kName];
  const Node& alias = captures[Slot::kAlias];
  std::uint32_t import = frames_[index].import;
  bool type_only = text_of(frames_[index].node).starts_with("type ");
  for (std::uint32_t at = index; at > 0; --at) {
    if (!frames_[at - 1].rules->is_export_wrapper) continue;
    type_only =
        type_only ||
        fold_whitespace(text_of(frames_[at - 1].node).substr(0, 32)).starts_with("export type");
    break;
  }
  if (import != kNoIndex) {
    sink_.name_import(import, source_.member_name(name), range_of(name).begin, type_only);
    // export { default as a } from: a keyword, not an identifier.
    if (!rules_of(name).is_identifier && text_of(name) == "default") {
      sink_.add_occurrence(text_of(name), range_of(name).begin, Role::kExport);
    }
  }
  const Node& seen = alias ? alias : name;
  sink_.add_export({.import = import, .offset = range_of(seen).begin, .type_only = type_only},
                   source_.member_name(seen), source_.member_name(name));
}

// Notes an export of the import `call`, which the walk has not reached yet.
void ModuleBuilder::add_reexport(const Node& call, const Export& added, std::string_view exported) {
  pending_reexports_.push_back({call.id, sink_.add_export(added, exported, "*")});
}

// export default v, export = v, module.exports = v, exports.x = v.
void ModuleBuilder::export_value(std::uint32_t index, std::string_view exported, const Node& at,
                                 const Node& value, bool commonjs) {
  Export added = {.offset = range_of(at).begin, .commonjs = commonjs};
  bool is_default = exported == "default";
  const KindRules& value_rules = rules_of(value);
  if (source_.is_require(value)) {
    add_reexport(value, added, exported);
    if (is_default) add_reexport(value, added, "*");
    return;
  }
  if (value_rules.is_identifier) {
    sink_.add_export(added, exported, text_of(value));
    return;
  }
  const auto assigns_exports = [&](const Pattern& pattern) {  // exports = module.exports = v
    Captures inner;
    return (pattern.action == Action::kModuleExports ||
            pattern.action == Action::kExportsAssignment) &&
           source_.matches(pattern, value, &inner);
  };
  if (is_default && std::ranges::any_of(value_rules.patterns, assigns_exports)) return;

  const std::uint32_t begin = range_of(value).begin;
  NewSymbol symbol = {.type = SymbolType::kVariable,
                      .kind = "variable",
                      .name = exported,
                      .name_range = is_default ? ByteRange{begin, begin} : range_of(at),
                      .value = value,
                      .is_exported_apart = true};
  const bool is_function = source_.opens(ScopeKind::kFunction, value);
  if (is_function || source_.opens(ScopeKind::kClass, value)) {
    symbol.type = is_function ? SymbolType::kFunction : SymbolType::kClass;
    symbol.kind = is_function ? "function" : "class";
    symbol.body = child_by_field(value, fields().body);
    if (const Node name = child_by_field(value, fields().name); name && is_default) {
      symbol.name = text_of(name);
      symbol.name_range = range_of(name);
    }
  } else if (commonjs && is_default) {
    // module.exports = { ... }: other files import its keys.
    frames_[index].is_exports_object = true;
    sink_.add_export(added, exported, {});
    return;
  }
  std::uint32_t id = symbols_.add_symbol(index, symbol);
  symbols_.set_term(id, index, symbol, Node{});
  sink_.symbol(id).exported = true;
  if (!symbol.name_range.empty()) sink_.announce(symbol.name_range.begin);
  added.symbol = id;
  sink_.add_export(added, exported, {});
}

// __all__ = [...] and additions to it: each string is an export.
void ModuleBuilder::export_all(const Captures& captures) {
  sink_.set_has_all();
  Cursor cursor(captures[Slot::kList]);
  std::size_t depth = 0;
  while (true) {
    Node node = cursor.node();
    const KindRules& rules = rules_of(node);
    if (rules.is_string_type) {
      std::string_view name = source_.member_name(node);
      if (!name.empty()) {
        const std::uint32_t begin = source_.offset_of(name);
        sink_.add_occurrence(name, begin, Role::kExport);
        sink_.add_export({.offset = begin}, name, name);
      }
    } else if (cursor.goto_first_child()) {
      ++depth;
      continue;
    }
    while (!cursor.goto_next_sibling()) {
      if (depth == 0 || !cursor.goto_parent()) return;
      --depth;
    }
  }
}

}  // namespace codexmem::parse
