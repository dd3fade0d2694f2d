#include "parse/rules/languages.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "base/text.h"

namespace codexmem::parse {
namespace {

bool contains(std::span<const std::string_view> list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

// The program that a #! line starts, without directory, `env` and version: "python" for
// "#!/usr/bin/env -S python3.11 -u". Empty if the text has no such line.
std::string_view interpreter_of(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, 200);
  line = line.substr(0, line.find_first_of("\r\n"));
  while (!line.empty()) {
    line = trim(line);
    std::size_t space = line.find_first_of(" \t");
    std::string_view word = line.substr(0, space);
    line = space == std::string_view::npos ? std::string_view{} : line.substr(space);
    if (std::size_t slash = word.rfind('/'); slash != std::string_view::npos) {
      word.remove_prefix(slash + 1);
    }
    // Options of env and its NAME=VALUE settings come before the program.
    if (word == "env" || word.starts_with('-') || word.find('=') != std::string_view::npos) {
      continue;
    }
    while (!word.empty() && (word.back() == '.' || (word.back() >= '0' && word.back() <= '9'))) {
      word.remove_suffix(1);
    }
    return word;
  }
  return {};
}

// The end of the directive at `at`, including lines joined to it by a backslash or a comment.
std::size_t directive_end(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      at += rest.starts_with("\\\n") ? 2 : rest.starts_with("\\\r\n") ? 3 : 1;
    }
  }
  return std::min(at, text.size());
}

// The directive without its sign: "ifdef X".
std::string_view directive_text(std::string_view text, std::size_t at, std::size_t end) {
  std::string_view said = text.substr(at + 1, end - at - 1);
  said.remove_prefix(std::min(said.find_first_not_of(" \t"), said.size()));
  return said;
}

// True for a directive whose lines are only for C++.
bool is_for_cpp(std::string_view directive) {
  return directive.starts_with("if") && !directive.starts_with("ifndef") &&
         directive.find("__cplusplus") != std::string_view::npos &&
         directive.find("!defined") == std::string_view::npos &&
         directive.find("||") == std::string_view::npos;
}

// The place of the #else, #elif or #endif that ends the lines of the directive that ends at `at`.
std::size_t dependent_end(std::string_view text, std::size_t at) {
  int depth = 1;
  while (true) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return text.size();
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return text.size();
    if (text[at] != '#') continue;
    const std::string_view directive = directive_text(text, at, directive_end(text, at));
    if (directive.starts_with("if")) ++depth;
    if (directive.starts_with("endif") && --depth == 0) return at;
    if (directive.starts_with("el") && depth == 1) return at;
  }
}

// The language of a header, by constructs of only one of C, C++ and Objective-C outside comments,
// strings and the preprocessor: a class, a template, a namespace, `::`, an access specifier;
// @interface. Code that `#ifdef __cplusplus` hides from C does not count.
std::string_view header_language(std::string_view text) {
  constexpr std::size_t kBytesRead = std::size_t{1} << 18U;  // a plain C header is read up to here
  text = text.substr(0, kBytesRead);
  const auto is_word = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  std::string_view last;  // the previous word, if only space separates them
  bool is_line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view rest = text.substr(at);
    if (c == '#' && is_line_start) {
      const std::size_t end = directive_end(text, at);
      at = is_for_cpp(directive_text(text, at, end)) ? dependent_end(text, end) : end;
    } else if (rest.starts_with("//")) {
      // To the end of the line, or of the last line joined to it by a backslash.
      std::size_t end = text.find('\n', at);
      while (end != std::string_view::npos && text[end - 1] == '\\') {
        end = text.find('\n', end + 1);
      }
      at = std::min(end, text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      at = end + 2;
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
      }
      ++at;
      last = {};
    } else if (is_word(c)) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      if (last == "class" || last == "namespace" || last == "using" || last == "typename") {
        return "cpp";
      }
      last = text.substr(at, end - at);
      at = end;
      is_line_start = false;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      is_line_start = is_line_start || c == '\n';
      ++at;
    } else {
      if (rest.starts_with("::") || (c == '<' && last == "template") ||
          (c == '{' && last == "namespace") ||
          (c == ':' && (last == "public" || last == "private" || last == "protected"))) {
        return "cpp";
      }
      if (c == '@' && (rest.starts_with("@interface") || rest.starts_with("@protocol") ||
                       rest.starts_with("@class"))) {
        return "objectivec";
      }
      last = {};
      is_line_start = false;
      ++at;
    }
  }
  return "c";
}

// Qt's translations have the extension of TypeScript: megabytes of XML.
bool is_translation(std::string_view text) {
  const std::string_view begin = trim(text.substr(0, 200));
  return begin.starts_with("<?xml") || begin.starts_with("<!DOCTYPE TS");
}

}  // namespace

Family family_of(const Language& language) {
  if (!language.has_grammar) return Family::kNone;
  if (language.family == "ecmascript") return Family::kEcmaScript;
  if (language.family == "python") return Family::kPython;
  // The number is the index of the family's first row.
  const auto first = std::ranges::find_if(languages(), [&](const Language& row) {
    return row.has_grammar && row.family == language.family;
  });
  return static_cast<Family>(static_cast<int>(Family::kPython) + 1 + (first - languages().begin()));
}

const Language* find_language(std::string_view name) {
  for (const Language& language : languages()) {
    if (language.name == name) return &language;
  }
  return nullptr;
}

const Language* detect_language(std::string_view path, std::string_view text) {
  std::size_t slash = path.rfind('/');
  std::string base =
      to_lower_ascii(slash == std::string_view::npos ? path : path.substr(slash + 1));
  for (const Language& language : languages()) {
    if (contains(language.file_names, base)) return &language;
  }
  // From the first dot on the suffixes get shorter, so the first match is the longest. A leading
  // dot starts a hidden file's name, not an extension.
  for (std::size_t dot = base.find('.', 1); dot != std::string::npos;
       dot = base.find('.', dot + 1)) {
    std::string_view extension = std::string_view(base).substr(dot);
    if (extension == ".h") return find_language(header_language(text));
    for (const Language& language : languages()) {
      if (!contains(language.extensions, extension)) continue;
      return extension == ".ts" && is_translation(text) ? find_language("xml") : &language;
    }
  }
  if (std::string_view interpreter = interpreter_of(text); !interpreter.empty()) {
    for (const Language& language : languages()) {
      if (contains(language.interpreters, interpreter)) return &language;
    }
  }
  return nullptr;
}

}  // namespace codexmem::parse
