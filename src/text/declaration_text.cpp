#include "text/declaration_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace codexmem {
namespace {

constexpr std::size_t kMaxSignatureBytes = 400;
constexpr std::size_t kMaxDocstringBytes = 2000;
// Fold only this much of a declaration; less is kept.
constexpr std::size_t kMaxDeclarationBytes = 4096;

std::string block_comment_text(std::string_view comment) {
  comment.remove_prefix(3);
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  std::string cleaned;
  for (std::string_view line : split(comment, '\n')) {
    line = trim(line);
    if (line.starts_with('*')) {
      line.remove_prefix(1);
      if (line.starts_with(' ')) line.remove_prefix(1);
    }
    cleaned += line;
    cleaned += '\n';
  }
  return std::string(trim(cleaned));
}

// The text of consecutive comments, of lines or blocks.
std::string comment_run_text(std::string_view comments) {
  // The signs that begin a comment or its line: //, ///, //!, /**, *, #; --, ---, --[[; (*, (**; or
  // {-.
  const bool is_dashed = comments.starts_with("--");
  const bool is_ml = comments.starts_with("(*");
  const bool is_braced = comments.starts_with("{-");
  const std::string_view marks = is_dashed ? "-[=" : is_ml ? "(*" : is_braced ? "{-" : "/*#!";
  const std::string_view end = is_dashed ? "]]" : is_ml ? "*)" : is_braced ? "-}" : "*/";
  std::string cleaned;
  for (std::string_view line : split(comments, '\n')) {
    line = trim(line);
    if (line.ends_with(end)) line = trim(line.substr(0, line.size() - 2));
    line.remove_prefix(std::min(line.find_first_not_of(marks), line.size()));
    // A line that is only decoration.
    if (line.find_first_not_of("-=~_ ") == std::string_view::npos) line = {};
    if (line.starts_with(' ')) line.remove_prefix(1);
    // -- | of Haskell, #' of R.
    if (line.starts_with("| ") || line.starts_with("' ")) line.remove_prefix(2);
    cleaned += line;
    cleaned += '\n';
  }
  return std::string(trim(cleaned));
}

std::string literal_text(std::string_view literal) {
  const std::size_t quote = literal.find_first_of("\"'");
  if (quote == std::string_view::npos) return {};
  literal.remove_prefix(quote);
  const std::size_t quotes = literal.starts_with("\"\"\"") || literal.starts_with("'''") ? 3 : 1;
  if (literal.size() < 2 * quotes) return {};
  literal = literal.substr(quotes, literal.size() - 2 * quotes);
  const std::vector<std::string_view> lines = split(literal, '\n');
  std::size_t indent = std::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t first = lines[i].find_first_not_of(" \t\r");
    if (first != std::string_view::npos) indent = std::min(indent, first);
  }
  std::string cleaned;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (i == 0) {
      line = trim(line);
    } else if (indent != std::string_view::npos) {
      line.remove_prefix(std::min(indent, line.size()));
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) {
      line.remove_suffix(1);
    }
    cleaned += line;
    cleaned += '\n';
  }
  return std::string(trim(cleaned));
}

}  // namespace

std::string signature_text(std::string_view declaration) {
  std::string folded = fold_whitespace(declaration.substr(0, kMaxDeclarationBytes));
  constexpr std::string_view kEndings = "{:=;, ";
  while (!folded.empty()) {
    if (folded.ends_with("=>")) {
      folded.resize(folded.size() - 2);
    } else if (kEndings.find(folded.back()) != std::string_view::npos) {
      folded.pop_back();
    } else {
      break;
    }
  }
  return std::string(utf8_prefix(folded, kMaxSignatureBytes));
}

std::string docstring_text(std::string_view source) {
  const bool is_block =
      source.starts_with("/**") && source.size() > 4 && source.find("*/") + 2 >= source.size();
  const bool is_comment = source.starts_with('/') || source.starts_with('#') ||
                          source.starts_with("--") || source.starts_with("(*") ||
                          source.starts_with("{-");
  const std::string text = is_block     ? block_comment_text(source)
                           : is_comment ? comment_run_text(source)
                                        : literal_text(source);
  return std::string(utf8_prefix(text, kMaxDocstringBytes));
}

}  // namespace codexmem
