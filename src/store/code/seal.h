// store/code/seal.h - which files of a store this user's codexmem has made. Thread-safe except for
// Seal.
//
// `seal` next to the database lists them: name, number and time of birth of each, for databases
// also their id; then the HMAC-SHA256 of all that under the user's key (store/user_key.h). A file
// that a checkout, a copy or another user put in the place of one has another number or birth.
// Design: docs/security.md, "Indexes from elsewhere".
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/file_identity.h"
#include "store/user_key.h"

namespace codexmem::store {

inline constexpr char kSealName[] = "seal";

/// Ends the name of a file that is about to take the place of another (Seal::exchange).
inline constexpr char kNextSuffix[] = ".next";

class Seal {
 public:
  /// What was sealed in `folder` with `key`, which may be nothing. Errors: kIo when what is there
  /// cannot be read.
  static Result<Seal> read(const std::filesystem::path& folder, const UserKey& key);

  /// True if the file `name` is the one that was sealed, and a regular one.
  bool holds(const std::string& name) const;

  /// The id that `name` was sealed with; empty if it was not.
  std::string id(const std::string& name) const;

  /// Seals the file `file` of the folder as `name`: to be written, and renamed. Errors: kIo when
  /// it does not exist.
  Result<void> put(const std::string& name, const std::string& file, const std::string& id = "");

  /// True if the file `name` is the one that was sealed, or the one that takes its place.
  bool owns(const std::string& name) const;

  /// Puts the files `<name><kNextSuffix>` of the folder, which exist, in the place of `names`. Each
  /// keeps its id. All are exchanged as soon as the first is, and a kill before leaves the old ones:
  /// finish_exchange() ends it then. The caller holds the key's lock since read(). Errors: kIo.
  Result<void> exchange(const std::vector<std::string>& names, const UserKey& key);

  /// Ends what a kill has left of an exchange() whose first file is `first`. The caller holds the
  /// key's lock since read(). Errors: kIo.
  Result<void> finish_exchange(const std::string& first, const UserKey& key);

  /// Takes `name` off the list.
  void remove(const std::string& name) {
    files_.erase(name);
    files_.erase(name + kNextSuffix);
  }

  /// Replaces the file. The caller holds the key's lock since read(). Errors: kIo.
  Result<void> write(const UserKey& key) const;

 private:
  struct File {
    FileIdentity identity;
    std::string id;
  };
  explicit Seal(std::filesystem::path folder) : folder_(std::move(folder)) {}
  bool is_sealed_as(const std::string& name, const std::string& entry) const;
  Result<void> rename_next(const std::string& name) const;

  std::filesystem::path folder_;
  std::map<std::string, File> files_;
};

/// True if the file at `path` is one that this user's codexmem made there, or is in his cache,
/// where nobody else writes.
bool is_own_file(const std::filesystem::path& path);

/// Seals the file at `path`, which this program has just made. Errors: kIo.
Result<void> seal_file(const std::filesystem::path& path);

}  // namespace codexmem::store
