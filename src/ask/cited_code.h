// ask/cited_code.h - where memory meets code: what a text cites in the repository of a call, and
// what has become of it.
//
// The index is brought up to date first, as for a question about code, and what it could not be is
// said in Context::staleness. Without a repository nothing is cited and every state is unknown.
// Design: docs/how-it-works.md, "Memory and code".
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ask/context.h"
#include "ask/memory/call.h"
#include "memory/entries/citations.h"
#include "store/code/code_reader.h"
#include "store/user/user_store.h"
#include "store/code/workspace.h"

namespace codexmem::ask {

/// The index of a workspace as memory sees it. One thread; `reader` is lent for as long as this
/// lives and should be in a read transaction.
class IndexedCode : public memory::CodeView {
 public:
  IndexedCode(const store::Workspace& workspace, store::CodeReader& reader)
      : root_(workspace.root().string()), reader_(reader) {}

  const std::string& workspace() const override { return root_; }
  Result<std::vector<std::string>> find_paths(std::string_view path) override;
  Result<std::string> find_file_hash(std::string_view path) override;
  Result<std::vector<std::string>> find_files_with_hash(std::string_view hash) override;
  Result<std::vector<memory::CodeSymbol>> list_symbols(std::string_view path) override;
  Result<bool> has(std::string_view path, std::string_view symbol) override;
  Result<std::vector<memory::CodeSymbol>> find_symbols(std::string_view symbol) override;

 private:
  Result<memory::CodeSymbol> make_symbol(const store::SymbolRow& row, const std::string& path);
  Result<const std::string*> content_of(store::FileId file);

  std::string root_;
  store::CodeReader& reader_;
  std::unordered_map<std::string, std::vector<std::string>> paths_by_name_;  // filled when needed
  std::unordered_map<std::int64_t, std::string> contents_;
  std::unordered_map<std::string, std::set<std::string, std::less<>>> names_;  // by path
};

/// The code that `mentions` cites in the repository of the call. Errors: the index's; kBusy,
/// kCancelled.
Result<std::vector<memory::Citation>> find_cited_code(const Context& context,
                                                      const memory::Mentions& mentions);

/// Looks up what `documents` of the user's store cite; those that cite nothing are left out.
/// Trouble with the index makes states unknown and is reported in a warning. Errors: the user's
/// store's; kCancelled.
Result<CitedStates> look_up_cited_code(const Context& context, store::UserStore& memory,
                                       std::span<const memory::DocumentKey> documents);

/// Has what is cited of `workspace` follow renames and moves, where `directory` holds a user's
/// store: for the end of an index run. Errors: both stores'.
Result<void> follow_cited_code(store::Workspace& workspace, const std::filesystem::path& directory);

}  // namespace codexmem::ask
