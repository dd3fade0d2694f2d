// memory/transfer/team_memory.h - memories and decisions that a team keeps in its repository.
//
// What a member shares is a file below `.codexmem-shared` (memory/entries/shared_text.h), which
// goes with the repository through git. Each member's store has what the files of his work trees
// say, no more and no less: who takes them in again after any change, merge or switch of branches
// gets the same. Records of architecture decisions are taken in with them. What came from a file
// goes with it; what the member saved himself stays.
//
// Files are of strangers: every one passes the gate that a memory of one's own passes, and nothing
// is read until the user wants it (`codexmem share --on`). Stateless; safe to call from many
// threads and programs. Design: docs/team.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"
#include "memory/entries/records.h"
#include "memory/entries/shared_text.h"
#include "store/user/shared_files.h"
#include "text/ranges.h"

namespace codexmem::memory {

using store::SharedFile;
using store::SharedOrigin;

inline constexpr std::string_view kSharedFolder = ".codexmem-shared";
inline constexpr std::size_t kMaxSharedFiles = 10'000;  // of one work tree

/// A work tree that shares.
struct TeamPlace {
  std::filesystem::path root;  // absolute, links resolved
  std::string repository;      // git's common folder, which its work trees share; else the root
  std::string head = {};       // the commit that is checked out, in hexadecimal; empty: none

  /// Who committed each of `paths` (from the root) last, in their order. May be no function.
  std::function<std::vector<SharedOrigin>(std::span<const std::string> paths)> find_origins = {};
  CiteText cite = {};
  std::size_t most_files = kMaxSharedFiles;  // that are read
};

/// What taking in has changed, and the present state.
struct TakenIn {
  std::optional<bool> is_on;  // whether files are read; nothing: the user has not said, so no
  std::size_t files = 0;      // that are there
  std::size_t shared = 0;     // of them in kSharedFolder
  std::size_t added = 0;      // documents
  std::size_t removed = 0;    // documents
  std::size_t refused = 0;    // files without a document
  bool is_cut = false;        // there are more files than kMaxSharedFiles
};

/// Brings the store up to the files of `place`. Quick when none has changed: a look at each.
/// Errors: the store's.
Result<TakenIn> take_in_shared(Memory& memory, const TeamPlace& place);

/// Notes whether the user wants the files of `place` to be read, and takes them in, or removes what
/// came from them. Errors: the store's.
Result<TakenIn> set_team_memory(Memory& memory, const TeamPlace& place, bool is_on);

/// Whether the file of `file` is dated in the future; such a date does not count.
bool is_dated_ahead(const Memory& memory, const TeamPlace& place, const SharedFile& file);

/// A memory that was, or would be, written to a file.
struct SharedHere {
  std::string id;           // of the entry or decision, as tools show it
  std::string path;         // of its file, from the root
  bool is_new = false;      // the file was not there
  bool is_changed = false;  // it was, with other bytes
};

/// Writes the entry or decision `document` to its file. Errors: kNotFound; kInvalidArgument for one
/// of another project, a proposal, or one that was superseded; kBlocked when a rule finds a secret
/// in it; kIo, and the store's.
Result<SharedHere> share(Memory& memory, const TeamPlace& place, DocumentKey document);

/// Removes the file of `document`; the document stays if the member saved it himself. Returns the
/// path. Errors: kNotFound when no file has it; kIo, and the store's.
Result<std::string> unshare(Memory& memory, const TeamPlace& place, DocumentKey document);

/// The files of the work tree, as they were taken in, by path.
Result<std::vector<SharedFile>> list_shared(Memory& memory, const TeamPlace& place);

/// A file that nobody would take in, or that holds a secret.
struct SharedTrouble {
  std::string path;
  std::string what;       // for people; never the secret itself
  std::string rule = {};  // that found a secret; empty: something else is wrong
  Position place = {};    // of the secret or the private part; else the begin of the file
};

/// Looks through shared files for secrets and private parts, and for what cannot be read: for
/// `codexmem check`. A rule is named once a line. `read` gives the bytes of a path.
std::vector<SharedTrouble> check_shared(
    std::span<const std::string> paths,
    const std::function<Result<std::string>(const std::string& path)>& read);

/// True for a path that check_shared() is about.
bool is_shared_path(std::string_view path);

}  // namespace codexmem::memory
