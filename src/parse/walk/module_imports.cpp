// Imports of packages, qualified names, namespaces and modules.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/walk/modules.h"

namespace codexmem::parse {
namespace {

// True for v2, v3: the version at the end of a path.
bool is_version(std::string_view part) {
  return part.size() > 1 && part.front() == 'v' &&
         part.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// The name of the package of an import path, guessed from the path: its last part without version,
// "go-" or "-go". A piece of `path`.
std::string_view package_name(std::string_view path) {
  std::size_t slash = path.rfind('/');
  std::string_view last = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (is_version(last) && slash != std::string_view::npos) {
    path = path.substr(0, slash);
    slash = path.rfind('/');
    last = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  }
  const std::size_t dot = last.rfind('.');
  if (dot != std::string_view::npos && dot > 0) last = last.substr(0, dot);
  for (const std::string_view mark : {"go-", "go."}) {
    if (last.starts_with(mark)) last.remove_prefix(mark.size());
  }
  for (const std::string_view mark : {"-go", ".go"}) {
    if (last.ends_with(mark)) last.remove_suffix(mark.size());
  }
  const std::size_t dash = last.rfind('-');
  return dash == std::string_view::npos ? last : last.substr(dash + 1);
}

}  // namespace

// import "a/b", import b "a/b": binds the package, by its own name or else the name from the path.
void ModuleBuilder::import_package(std::uint32_t index, const Node& name, const Node& source) {
  const std::uint32_t import = add_import(index, ImportKind::kImport, source);
  if (!name) {
    const std::string_view guess = package_name(source_.member_name(source));
    if (!guess.empty()) {
      sink_.bind_module(import, guess, frames_.scope(), source_.offset_of(guess));
    }
    return;
  }
  const std::string_view local = text_of(name);
  if (local == ".") {
    sink_.import(import).from_import = true;
    sink_.name_all(import);
  } else if (!source_.is_blank(local)) {
    sink_.bind_module(import, local, frames_.scope(), range_of(name).begin);
  }
}

// import a.b.C; import static a.b.C.d and import a.b.*, whose last part is a member of the rest.
// Kotlin's import a.b.c as d is read once, by the most specific pattern.
void ModuleBuilder::import_qualified(std::uint32_t index, const Node& source, const Node& alias) {
  if (frames_[index].import != kNoIndex) return;
  bool is_static = false;
  bool takes_all = false;
  Cursor cursor(frames_[index].node);
  for (bool more = cursor.goto_first_child(); more; more = cursor.goto_next_sibling()) {
    const std::string_view text = text_of(cursor.node());
    is_static = is_static || text == "static";
    takes_all = takes_all || text == "*";
  }
  const std::uint32_t import = add_import(index, ImportKind::kImport, source);
  frames_[index].import = import;
  if (takes_all) {
    sink_.import(import).from_import = true;
    sink_.import(import).path += ".*";
    sink_.name_all(import);
    return;
  }
  const std::string_view path = text_of(source);
  const std::size_t dot = path.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? path : path.substr(dot + 1);
  if (is_static && dot != std::string_view::npos) {
    sink_.import(import).from_import = true;
  }
  const std::uint32_t offset = source_.offset_of(last);
  const ByteRange local = alias ? range_of(alias) : ByteRange{offset, offset};
  sink_.bind_import(import, last, alias ? text_of(alias) : last, frames_.scope(), offset,
                    local.begin);
  if (alias) sink_.announce(local.begin);
}

// using a.b;  using x = a.b;  global using a.b, which applies to other files as well.
void ModuleBuilder::import_namespace(std::uint32_t index, const Node& name, const Node& source) {
  if (frames_[index].import != kNoIndex) return;  // by the previous pattern
  const bool is_shared = text_of(frames_[index].node).starts_with("global");
  const std::uint32_t import =
      add_import(index, is_shared ? ImportKind::kReexport : ImportKind::kImport, source);
  frames_[index].import = import;
  // Makes the file findable by this word, which other files need not contain.
  if (is_shared) {
    sink_.add_occurrence("global", range_of(frames_[index].node).begin, Role::kImport);
  }
  std::string path;
  for (const char c : text_of(source)) {
    if (!is_space(c)) path += c;
  }
  constexpr std::string_view kGlobal = "global::";
  if (path.starts_with(kGlobal)) path.erase(0, kGlobal.size());
  sink_.import(import).path = path;
  if (!name) {
    sink_.import(import).from_import = true;
    sink_.name_all(import);
    return;
  }
  const std::string_view written = text_of(source);
  const std::string_view plain = written.substr(0, written.find('<'));
  const std::size_t dot = plain.find_last_of(".:");
  const std::string_view last = plain.substr(dot == std::string_view::npos ? 0 : dot + 1);
  sink_.bind_import(import, trim(last), text_of(name), frames_.scope(), source_.offset_of(last),
                    range_of(name).begin);
}

// use A\B as C, D;  use function A\{f, g as h};  use A\{B, const C}: an import for each name, with
// its whole path. Names that are not types are from_import.
void ModuleBuilder::import_use(std::uint32_t index) {
  const ByteRange range = range_of(frames_[index].node);
  const std::string_view text = source_.text().substr(0, range.end);
  std::string group;  // the part before the brace
  std::string path;
  std::string_view last, alias;
  std::size_t last_at = 0, alias_at = 0;
  bool all_are_values = false, is_value = false, is_alias = false, is_in_group = false;
  const auto is_name = [](char c) {
    return is_identifier_char(c) || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto add = [&] {
    if (!last.empty()) {
      const std::uint32_t import = add_import(index, ImportKind::kImport, Node{});
      Import& added = sink_.import(import);
      added.path = group + path;
      added.path_offset = static_cast<std::uint32_t>(last_at);
      added.from_import = all_are_values || is_value;
      const auto at = static_cast<std::uint32_t>(last_at);
      sink_.add_occurrence(last, at, Role::kImport);
      const bool is_renamed = !alias.empty();
      const auto bound = is_renamed ? static_cast<std::uint32_t>(alias_at) : at;
      if (is_renamed) sink_.add_occurrence(alias, bound, Role::kDefinition);
      sink_.bind_import(import, last, is_renamed ? alias : last, frames_.scope(), at, bound);
    }
    path.clear();
    last = alias = {};
    is_value = is_alias = false;
  };
  constexpr std::size_t kUse = 3;  // "use"
  for (std::size_t at = range.begin + kUse; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#' || text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
    } else if (c == ',' || c == ';' || c == '}') {
      add();
    } else if (c == '{' && !std::exchange(is_in_group, true)) {
      group = std::move(path);
      path.clear();
      last = {};
    } else if (c == '\\') {
      if (!path.empty()) path += c;
    } else if (is_name(c)) {
      std::size_t end = at;
      while (end < text.size() && is_name(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      const bool is_word = end < text.size() && is_space(text[end]);
      if (path.empty() && is_word && (word == "function" || word == "const")) {
        (is_in_group ? is_value : all_are_values) = true;
      } else if (!last.empty() && word == "as") {
        is_alias = true;
      } else if (is_alias) {
        alias = word;
        alias_at = at;
      } else {
        path += word;
        last = word;
        last_at = at;
      }
      at = end - 1;
    }
  }
  add();
}

// mod a;  An attribute before it may give the path after "=".
void ModuleBuilder::import_module(std::uint32_t index, const Node& name) {
  const std::uint32_t import = add_import(index, ImportKind::kImport, name);
  constexpr std::string_view kAttribute = "path";
  constexpr std::size_t kMaxAttributes = 400;  // bytes that are read
  const std::uint32_t begin = range_of(frames_[index].node).begin;
  std::string_view before = source_.text().substr(0, begin);
  before.remove_prefix(before.size() - std::min(before.size(), kMaxAttributes));
  if (const std::size_t end = before.find_last_of(";}"); end != std::string_view::npos) {
    before.remove_prefix(end + 1);
  }
  std::string path = "mod " + std::string(text_of(name));
  const std::size_t at = before.find(kAttribute);
  const std::size_t open = at == std::string_view::npos ? at : before.find('"', at);
  if (open != std::string_view::npos && before.substr(0, at).find('#') != std::string_view::npos &&
      trim(before.substr(at + kAttribute.size(), open - at - kAttribute.size())) == "=") {
    const std::size_t close = before.find('"', open + 1);
    if (close != std::string_view::npos) {
      path += " = ";
      path += before.substr(open + 1, close - open - 1);
    }
  }
  sink_.import(import).path = std::move(path);
  sink_.bind_module(import, text_of(name), frames_.scope(), range_of(name).begin);
  sink_.announce(range_of(name).begin);
}

// mod_pub!(a b);  between other items: each name may be that of a module. None is bound, since the
// macro may do anything with it.
void ModuleBuilder::import_modules(std::uint32_t index, const Node& macro, const Node& tree) {
  constexpr std::size_t kMaxModules = 200;
  if (text_of(macro).find("mod") == std::string_view::npos) return;
  const bool is_item = std::ranges::all_of(frames_.scopes(), [&](std::uint32_t scope) {
    const ScopeKind kind = facts_.scopes[scope].kind;
    return kind == ScopeKind::kModule || kind == ScopeKind::kNamespace;
  });
  if (!is_item) return;
  const std::string_view text = text_of(tree);
  if (text.size() < 2) return;
  std::vector<ByteRange> names;
  const std::uint32_t begin = range_of(tree).begin;
  for (std::size_t at = 1; at + 1 < text.size();) {
    const std::size_t end = std::min(
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_#", at), text.size() - 1);
    if (end == at) {
      if (std::string_view(" \t\r\n,;").find(text[at]) == std::string_view::npos) return;
      ++at;
      continue;
    }
    names.push_back(
        {begin + static_cast<std::uint32_t>(at), begin + static_cast<std::uint32_t>(end)});
    at = end;
  }
  if (names.size() > kMaxModules) return;
  for (const ByteRange& name : names) {
    Import& import = sink_.import(add_import(index, ImportKind::kReexport, Node{}));
    import.path = "mod? " + std::string(source_.text().substr(name.begin, name.end - name.begin));
    import.path_offset = name.begin;
    import.range = name;
  }
}

}  // namespace codexmem::parse
