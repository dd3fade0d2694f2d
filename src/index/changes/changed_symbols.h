// index/changes/changed_symbols.h - finds the definitions that a change adds, removes and alters.
//
// Both states of each file are parsed, and each definition is compared by its own tokens: comments,
// formatting and the definitions inside it do not count. The store is not used. Design:
// docs/how-it-works.md, "Impact".
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/symbol_type.h"
#include "index/git/git_changes.h"

namespace codexmem::index {

enum class SymbolChange : std::uint8_t {
  kAdded,
  kRemoved,
  kRenamed,    // the same code under another name, in the same file
  kMoved,      // the same code in another file, perhaps with another name
  kSignature,  // the part that callers see, and perhaps its body
  kBody,       // only its body or value
};

/// "added", "removed", "renamed", "moved", "signature", "body".
std::string_view symbol_change_name(SymbolChange change);

struct ChangedSymbol {
  SymbolChange change = SymbolChange::kBody;
  std::string path;       // of a removed symbol, before the change; else after it
  std::string name = {};  // qualified, in the same state
  SymbolType type = SymbolType::kVariable;
  std::string kind = {};
  std::uint32_t line = 1;     // 1-based, of its name in `path`
  std::string old_path = {};  // of kMoved
  std::string old_name = {};  // of kRenamed and kMoved: qualified
  bool is_exported = false;   // other files may use it, before or after
};

struct ChangedCode {
  std::vector<ChangedSymbol> symbols;  // by path and line
  std::vector<std::string> files;      // all changed files, by path
  std::vector<std::string> top_level;  // files with changes outside of definitions, except imports
  std::vector<std::string> text_only;  // files with changes only in comments and formatting
  std::vector<std::pair<std::string, std::string>> unread;  // path, and the reason for display
  std::vector<std::string> words;  // identifiers that appear or disappear, in comments as well: at
                                   // most 40, completely new or removed ones first
  std::set<std::string> gained;    // all that occur more often than before, from four letters on
};

/// Compares the files of `changes` below `root`. Definitions inside an added, removed or moved one
/// are not reported separately. Errors: kIo when git's data cannot be read; kCancelled.
Result<ChangedCode> find_changed_symbols(const std::filesystem::path& root,
                                         const GitChanges& changes, const std::stop_token& stop);

}  // namespace codexmem::index
