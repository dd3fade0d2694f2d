// Where the tokens of a compilation unit stand in the repository's files, and what is said of them.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "facts.h"
#include "llvm/Support/FileSystem.h"

extern Facts facts;

/// Places of one compilation unit's locations.
class Places {
 public:
  explicit Places(clang::SourceManager& sources) : sources_(sources) {}

  /// Where a token is written; kNowhere outside the repository and for what `##` made.
  Place spelled(clang::SourceLocation location) {
    if (location.isInvalid()) return kNowhere;
    return in_file(sources_.getSpellingLoc(location));
  }
  /// Where the text is that expands to the location.
  Place expanded(clang::SourceLocation location) {
    return location.isInvalid() ? kNowhere : in_file(sources_.getFileLoc(location));
  }
  /// The file's id, -1 outside the repository.
  int file(clang::FileID id) {
    auto [it, is_new] = ids_.try_emplace(id, -1);
    if (is_new) {
      if (auto entry = sources_.getFileEntryRefForID(id)) it->second = real(*entry);
    }
    return it->second;
  }
  int real(clang::FileEntryRef entry) {
    llvm::SmallString<256> path(entry.getFileEntry().tryGetRealPathName());
    llvm::SmallString<256> whole;
    if (llvm::sys::fs::real_path(path, whole)) whole = path;
    return facts.file(whole.str().str());
  }
  clang::SourceManager& sources() { return sources_; }

 private:
  Place in_file(clang::SourceLocation location) {
    auto [id, offset] = sources_.getDecomposedLoc(location);
    int index = file(id);
    return index < 0 ? kNowhere : make_place(index, offset);
  }
  clang::SourceManager& sources_;
  llvm::DenseMap<clang::FileID, int> ids_;
};

/// Says that a token means something; once per unit counts.
void say(std::map<Target, std::pair<unsigned, unsigned>>& targets, const Target& target);
void use(Place at, const Target& target, bool is_call = false);

/// Visits all names of a unit.
void visit_names(clang::ASTContext& context, Places& places);
