// index/changed_symbols.h - which definitions a change adds, removes and alters.
//
// Both states of each file are parsed and compared definition by definition, by the tokens of each
// alone: comments, formatting and what stands in definitions inside of it do not count. The store
// is not asked. Design: docs/design/impact.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/symbol_type.h"
#include "index/git_changes.h"

namespace codexmem::index {

enum class SymbolChange : std::uint8_t {
  kAdded,
  kRemoved,
  kRenamed,    // the same code under another name, in the same file
  kMoved,      // the same code in another file, perhaps under another name
  kSignature,  // what callers see of it, and perhaps its body
  kBody,       // its body or value alone
};

/// "added", "removed", "renamed", "moved", "signature", "body".
std::string_view symbol_change_name(SymbolChange change);

struct ChangedSymbol {
  SymbolChange change = SymbolChange::kBody;
  std::string path;  // of what is removed, before the change; else after it
  std::string name;  // qualified, in the same state
  SymbolType type = SymbolType::kVariable;
  std::string kind;
  std::uint32_t line = 1;     // 1-based, of its name in `path`
  std::string old_path = {};  // of kMoved
  std::string old_name = {};  // of kRenamed and kMoved: qualified
  bool is_exported = false;   // other files may use it, now or before
};

struct ChangedCode {
  std::vector<ChangedSymbol> symbols;  // by path and line
  std::vector<std::string> files;      // all that differ, by path
  std::vector<std::string> top_level;  // where code outside of definitions differs, imports apart
  std::vector<std::string> text_only;  // where comments and formatting alone differ
  std::vector<std::pair<std::string, std::string>> unread;  // path, and why: for people
  std::vector<std::string> words;  // identifiers that come or go, in comments too: at most 40,
                                   // those that are quite new or gone first
};

/// Compares the files of `changes` below `root`. What is inside something added, removed or moved
/// is not told apart from it. Errors: kIo when git's data cannot be read; kCancelled.
Result<ChangedCode> find_changed_symbols(const std::filesystem::path& root,
                                         const GitChanges& changes, const std::stop_token& stop);

}  // namespace codexmem::index
