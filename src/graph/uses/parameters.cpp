// Tested by git/change_test.py.
#include "graph/uses/parameters.h"

#include "base/text.h"
#include "graph/core/code_text.h"

namespace codexmem::graph {
namespace {

// Languages that write the name behind the type.
bool has_type_first(std::string_view language) {
  return is_one_of(language, {"c", "cpp", "java", "csharp", "dart"});
}

// The first `sign` outside of brackets and texts; npos without one. Of "=", none that is part of
// another sign.
std::size_t find_outside(std::string_view text, char sign) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == sign && depth == 0) {
      const char next = i + 1 < text.size() ? text[i + 1] : ' ';
      const char before = i > 0 ? text[i - 1] : ' ';
      const bool is_part = sign == '=' ? next == '=' || next == '>' || before == '=' ||
                                             before == '<' || before == '>' || before == '!'
                           : sign == ':' ? next == ':' || before == ':'
                                         : false;
      if (!is_part) return i;
    }
  }
  return std::string_view::npos;
}

// The part that declares the name: without default, and without a type behind it.
std::string_view declarator_of(std::string_view text, std::string_view language) {
  text = trim(text.substr(0, find_outside(text, '=')));
  if (language == "go") return first_word(text);
  if (!has_type_first(language)) text = trim(text.substr(0, find_outside(text, ':')));
  while (text.ends_with('?') || text.ends_with(']')) {
    text = trim(text.substr(0, text.ends_with('?') ? text.size() - 1 : text.rfind('[')));
  }
  return text;
}

}  // namespace

WrittenParameter read_parameter(std::string_view text, std::string_view language) {
  WrittenParameter parameter;
  const std::string_view declarator = declarator_of(text, language);
  const std::string_view name = last_word(declarator);
  const bool is_typed = !has_type_first(language) || name.size() < declarator.size();
  if (is_typed) parameter.name = name;
  if (language == "php" && parameter.name.starts_with('$')) parameter.name.erase(0, 1);
  parameter.is_optional = find_outside(text, '=') != std::string_view::npos ||
                          trim(text.substr(0, find_outside(text, ':'))).ends_with('?');
  const std::string_view first = first_word(text);
  const bool has_stars = is_one_of(language, {"python", "ruby"}) && text.starts_with('*');
  const bool has_dots = language != "python" && find_outside(text, '.') != std::string_view::npos &&
                        text.substr(find_outside(text, '.')).starts_with("...");
  parameter.is_rest = has_stars || has_dots || first == "params" || first == "vararg";
  parameter.is_mark = (language == "python" && (text == "*" || text == "/")) ||
                      (is_one_of(language, {"c", "cpp"}) && text == "void");
  if (language == "rust") {
    std::string_view bare = text;
    while (bare.starts_with('&') || bare.starts_with('\'') || bare.starts_with("mut ")) {
      bare = bare.starts_with("mut ") ? bare.substr(4)
             : bare.starts_with('\'')
                 ? without_blanks(bare.substr(1 + first_word(bare.substr(1)).size()))
                 : without_blanks(bare.substr(1));
    }
    parameter.is_receiver = first_word(bare) == "self";
  } else {
    parameter.is_receiver = first == "this" && is_one_of(language, {"typescript", "tsx", "csharp"});
  }
  return parameter;
}

std::vector<WrittenParameter> read_parameters(const parse::WrittenList& list, std::string_view text,
                                              std::string_view language, bool is_method) {
  std::vector<WrittenParameter> parameters;
  bool is_keyword = false;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    std::string_view written = text_at(text, list.items[i]);
    for (std::size_t comma = find_outside(written, ',');
         language == "go" && comma != std::string_view::npos; comma = find_outside(written, ',')) {
      parameters.push_back({.name = std::string(trim(written.substr(0, comma))), .item = i});
      written = trim(written.substr(comma + 1));
    }
    WrittenParameter parameter = read_parameter(written, language);
    parameter.item = i;
    if (language == "python") {
      parameter.is_receiver = is_method && parameters.empty();
      parameter.is_keyword = is_keyword && !parameter.is_mark;
      is_keyword = is_keyword || written.starts_with('*');
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string_view keyword_sign(std::string_view language) {
  if (language == "python") return "=";
  if (is_one_of(language, {"kotlin", "scala"})) return " = ";
  return is_one_of(language, {"csharp", "php", "ruby", "dart"}) ? ": " : "";
}

std::string_view keyword_of(std::string_view argument, std::string_view language) {
  const std::string_view sign = trim(keyword_sign(language));
  const std::string_view word = first_word(argument);
  if (sign.empty() || word.empty()) return {};
  const std::string_view rest = without_blanks(argument.substr(word.size()));
  const bool is_longer = rest.size() > 1 && rest[1] == rest[0];  // ==, ::
  return rest.starts_with(sign) && !is_longer ? word : std::string_view();
}

bool is_spread(std::string_view argument, std::string_view language) {
  if (argument.starts_with("...") || argument.ends_with("...")) return true;
  return argument.starts_with('*') && is_one_of(language, {"python", "ruby", "kotlin"});
}

}  // namespace codexmem::graph
