// A word is a run of the characters that paths and qualified names are made of. It is a path when
// it has a slash or ends like a file's name; a name when its look is one that prose does not have
// (getUser, get_user, A.b, f()), or whatever it looks like when it is in backticks. Too much
// may be taken for a mention: the index knows what there is, and one that it does not know is
// dropped.
//
// Tested by memory/citations_test.cpp.
#include "memory/entries/code_mentions.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/text.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxWordBytes = 512;

bool is_mention_char(char c) {
  return is_identifier_char(c) ||
         std::string_view("./\\-:#@+~[]").find(c) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_identifier_char);
}

// Names with ".", "#" or "::" between them.
bool is_qualified_name(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends = i == text.size() || text[i] == '.' || text[i] == '#' || text[i] == ':';
    if (!ends) continue;
    if (!is_name(text.substr(begin, i - begin))) return false;
    if (i + 1 < text.size() && text[i] == ':' && text[i + 1] == ':')
      ++i;
    else if (i < text.size() && text[i] == ':')
      return false;
    begin = i + 1;
  }
  return true;
}

// Of a kind that prose has no words of.
bool looks_like_code(std::string_view name) {
  bool joins = false;
  for (std::size_t i = 1; i < name.size(); ++i) {
    joins = joins || (is_upper(name[i]) && is_lower(name[i - 1]));
    joins = joins || (name[i] == '_' && i + 1 < name.size() && name[i - 1] != '_');
    joins = joins || ((name[i] == '.' || name[i] == '#') && i + 1 < name.size());
    joins = joins || (name[i] == ':' && name[i - 1] == ':');
  }
  return joins;
}

// "file.ts", "Makefile.am", but not "e.g" or "v1.2".
bool ends_like_file(std::string_view text) {
  const std::size_t slash = text.find_last_of("/\\");
  const std::string_view base = slash == std::string_view::npos ? text : text.substr(slash + 1);
  const std::size_t dot = base.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view extension = base.substr(dot + 1);
  return extension.size() >= 1 && extension.size() <= 8 && !is_digit(extension.front()) &&
         std::all_of(extension.begin(), extension.end(),
                     [](char c) { return is_lower(c) || is_upper(c) || is_digit(c); });
}

std::uint32_t read_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? number : 0;
}

// Splits path:12, path:12:5, path#L12 and path::name.
CodeMention read_path(std::string_view word) {
  CodeMention mention;
  if (const std::size_t at = word.find("::"); at != std::string_view::npos) {
    mention.symbol = word.substr(at + 2);
    word = word.substr(0, at);
    if (!is_qualified_name(mention.symbol)) mention.symbol.clear();
  } else if (const std::size_t hash = word.find('#'); hash != std::string_view::npos) {
    const std::string_view rest = word.substr(hash + 1);
    if (rest.starts_with('L')) mention.line = read_number(rest.substr(1));
    word = word.substr(0, hash);
  } else if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
    mention.line = read_number(word.substr(colon + 1));
    word = word.substr(0, colon);
  }
  while (word.starts_with("./")) word.remove_prefix(2);
  mention.path = word;
  std::replace(mention.path.begin(), mention.path.end(), '\\', '/');
  return mention;
}

bool is_path(std::string_view word) {
  const std::string_view path = word.substr(0, word.find_first_of(":#"));
  if (path.find_first_of("/\\") == std::string_view::npos) return ends_like_file(path);
  // "and/or" may be a folder: the index will not have it.
  return path.size() > 2 && !word.starts_with("//") && word.find("://") == std::string_view::npos;
}

class MentionFinder {
 public:
  explicit MentionFinder(std::size_t limit) : limit_(limit) {}

  std::vector<CodeMention> find(std::string_view text) {
    for (std::size_t i = 0; i < text.size() && found_.size() < limit_;) {
      if (text[i] == '`') {
        i += take_quoted(text.substr(i));
        continue;
      }
      if (!is_mention_char(text[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && is_mention_char(text[end])) ++end;
      add(text.substr(i, end - i), text.substr(end).starts_with("()"));
      i = end;
    }
    return std::move(found_);
  }

 private:
  // Text in backticks is a name when it is one word, or a call; else it is read like other text.
  // Returns the number of bytes read: the name's, or the backtick's.
  std::size_t take_quoted(std::string_view text) {
    const std::size_t end = text.find_first_of("`\n", 1);
    if (end == std::string_view::npos || text[end] == '\n') return 1;
    std::string_view name = text.substr(1, end - 1);
    if (const std::size_t open = name.find('('); name.ends_with(')') && open != 0) {
      name = name.substr(0, open);
    }
    if (!is_qualified_name(name)) return 1;
    add(name, true);
    return end + 1;
  }

  void add(std::string_view word, bool is_call) {
    if (word.starts_with('-')) return;  // an option
    while (!word.empty() &&
           std::string_view(".:-#[]+~@").find(word.back()) != std::string_view::npos) {
      word.remove_suffix(1);
    }
    while (!word.empty() &&
           std::string_view(":-#[]+~").find(word.front()) != std::string_view::npos) {
      word.remove_prefix(1);
    }
    if (word.size() < 2 || word.size() > kMaxWordBytes) return;
    if (!is_call && is_path(word)) {
      put(read_path(word));
      // Class.method looks like the name of a file too.
      if (word.find('/') != std::string_view::npos) return;
    }
    if (is_qualified_name(word) && (is_call || looks_like_code(word))) {
      put({.path = "", .symbol = std::string(word)});
    }
  }

  void put(CodeMention mention) {
    if (std::find(found_.begin(), found_.end(), mention) == found_.end()) {
      found_.push_back(std::move(mention));
    }
  }

  std::size_t limit_;
  std::vector<CodeMention> found_;
};

}  // namespace

std::vector<CodeMention> find_mentions(std::string_view text, std::size_t limit) {
  return MentionFinder(limit).find(utf8_prefix(text, kMaxBytes));
}

}  // namespace codexmem::memory
