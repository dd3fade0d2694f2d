#include "graph/stored/qualified_name.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"

namespace codexmem::graph {
namespace {

// "src/a/user.service.ts" as its folders and "user.service"; index and __init__ stand for their
// folder.
std::vector<std::string_view> module_parts(std::string_view path, const LanguageTraits& traits) {
  std::string_view stem = path;
  for (const std::string_view extension : traits.files.long_extensions) {
    if (stem.ends_with(extension)) stem.remove_suffix(extension.size());
  }
  if (stem.size() == path.size()) {
    const std::size_t dot = stem.rfind('.');
    if (dot != std::string_view::npos && dot > folder_of(stem).size()) stem = stem.substr(0, dot);
  }
  std::vector<std::string_view> parts = split(stem, '/');
  if (parts.size() > 1 && std::ranges::count(traits.files.folder_modules, parts.back()) > 0) {
    parts.pop_back();
  }
  if (!traits.files.unnamed_folder.empty()) std::erase(parts, traits.files.unnamed_folder);
  return parts;
}

// Words that may stand before a parameter's type.
constexpr std::string_view kParameterWords[] = {"final", "const", "volatile", "params", "ref",
                                                "out",   "in",    "this",     "scoped", "vararg"};

// "int[]" of `final int... list`.
std::string parameter_type(std::string_view written) {
  std::string text, signs;
  int depth = 0;  // in type arguments
  for (const char c : written) {
    if (c == '=' && depth == 0) break;  // a default value
    if (c == '<') ++depth;
    if (depth == 0 && c == '[') signs += "[]";
    if (depth == 0 && c == '*') signs += c;
    if (depth == 0) text += std::string_view("[]*&").find(c) == std::string_view::npos ? c : ' ';
    if (c == '>') --depth;
  }
  if (const std::size_t rest = text.find("..."); rest != std::string::npos) {
    text.replace(rest, 3, " ");
    signs += "[]";
  }
  const std::size_t colon = text.find(": ");  // name: Type
  const std::string folded =
      fold_whitespace(colon == std::string::npos ? text : text.substr(colon + 1));
  for (const std::string_view word : split(folded, ' ')) {
    if (word.empty() || word.front() == '@' || is_one_of(word, kParameterWords)) continue;
    return std::string(word.substr(word.find_last_of(".:") + 1)) + signs;
  }
  return signs;
}

}  // namespace

bool QualifiedName::matches(std::string_view container, std::string_view file_path,
                            Family family) const {
  if (!path.empty()) {
    const std::string_view wanted = path;
    const auto ends_path = [&](std::string_view text) {
      return text == wanted || (text.ends_with(wanted) && text.size() > wanted.size() &&
                                text[text.size() - wanted.size() - 1] == '/');
    };
    const std::size_t dot = file_path.rfind('.');
    if (!ends_path(file_path) &&
        !(dot != std::string_view::npos && ends_path(file_path.substr(0, dot)))) {
      return false;
    }
  }
  if (qualifiers.empty()) return true;
  std::vector<std::string_view> sequence = module_parts(file_path, semantics_of(family).traits());
  const std::size_t modules = sequence.size();
  if (!container.empty()) {
    for (const std::string_view part : split(container, '.')) sequence.push_back(part);
  }
  const auto ends_sequence = [&](std::size_t end) {
    if (qualifiers.size() > end) return false;
    return std::equal(qualifiers.begin(), qualifiers.end(),
                      sequence.begin() + static_cast<std::ptrdiff_t>(end - qualifiers.size()));
  };
  // `module.method` without the class between is accepted when there is no closer match.
  return ends_sequence(sequence.size()) || (container.empty() && ends_sequence(modules));
}

bool QualifiedName::matches_within(std::string_view container, std::string_view file_path,
                                   Family family) const {
  if (!path.empty() || qualifiers.empty()) return false;
  const std::vector<std::string_view> modules =
      module_parts(file_path, semantics_of(family).traits());
  const std::vector<std::string_view> classes =
      container.empty() ? std::vector<std::string_view>() : split(container, '.');
  // The last qualifiers are the classes around it, all of them; the ones before name a folder.
  if (qualifiers.size() <= classes.size() ||
      !std::equal(classes.rbegin(), classes.rend(), qualifiers.rbegin())) {
    return false;
  }
  const auto end = qualifiers.end() - static_cast<std::ptrdiff_t>(classes.size());
  return std::search(modules.begin(), modules.end(), qualifiers.begin(), end) != modules.end();
}

std::vector<std::string> parameter_types(std::string_view list) {
  std::vector<std::string> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (depth == 0 && list[i] == ',')) {
      types.push_back(parameter_type(list.substr(begin, i - begin)));
      begin = i + 1;
    } else if (std::string_view("<([{").find(list[i]) != std::string_view::npos) {
      ++depth;
    } else if (std::string_view(">)]}").find(list[i]) != std::string_view::npos) {
      --depth;
    }
  }
  return types;
}

QualifiedName parse_qualified_name(std::string_view text) {
  QualifiedName parsed;
  text = trim(text);
  while (text.ends_with("()") && !text.ends_with("operator()")) text.remove_suffix(2);
  if (const std::size_t open = text.find('(');
      text.ends_with(')') && open != 0 && open != std::string_view::npos &&
      is_identifier_char(text[open - 1]) && !text.substr(0, open).ends_with("operator")) {
    parsed.parameters = parameter_types(text.substr(open + 1, text.size() - open - 2));
    text = text.substr(0, open);
  }
  if (const std::size_t colons = text.find("::"); colons != std::string_view::npos) {
    const std::string_view left = text.substr(0, colons);
    const std::size_t dot = left.rfind('.');
    const bool has_extension =
        dot != std::string_view::npos && left.size() - dot <= 5 && dot > 0 && left.size() > dot + 1;
    if (left.find('/') != std::string_view::npos || has_extension) {
      parsed.path = left;
      if (parsed.path.starts_with("./")) parsed.path.erase(0, 2);
      text = text.substr(colons + 2);
    }
  }
  std::string part;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool colons = text[i] == ':' && i + 1 < text.size() && text[i + 1] == ':';
    // A leading # is part of a private name: Class.#field.
    const bool hash = text[i] == '#' && !part.empty();
    if (text[i] == '.' || colons || hash) {
      if (!part.empty()) parts.push_back(std::move(part));
      part.clear();
      if (colons) ++i;
    } else {
      part += text[i];
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  if (!parts.empty()) {
    parsed.name = std::move(parts.back());
    parts.pop_back();
    // X.prototype.y is the member y of X.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0 && parts[i] == "prototype") continue;
      parsed.qualifiers.push_back(std::move(parts[i]));
    }
  }
  return parsed;
}

}  // namespace codexmem::graph
