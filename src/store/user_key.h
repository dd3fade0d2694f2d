// store/user_key.h - the secret by which a user's programs know what they have written.
//
// 32 random bytes in a file of mode 0600, made on first use, in the first of these folders that can
// be written: `$XDG_STATE_HOME/codexmem`, `~/.local/state/codexmem`, the user's data directory,
// `codexmem-<uid>` in the folder for temporary files. One in `~/.local/state` is used before any
// other: a shell may set XDG_STATE_HOME and an editor not. CODEXMEM_DATA_DIR comes second, because
// a hook and a shell often differ in it and work on the same repositories. Who loses the key loses
// no data: indexes are rebuilt. One thread at a time. Design: docs/security.md,
// "Indexes from elsewhere".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace codexmem::store {

/// Makes the folder `path` for its user alone, or sees that it is one. Errors: kIo when it cannot
/// be made; kInvalidArgument when it is a link, no folder, or another user's. Both name `variable`,
/// which says where such folders are.
Result<void> make_own_folder(const std::filesystem::path& path, std::string_view variable);

class UserKey {
 public:
  /// The key that is there. Errors: kNotFound.
  static Result<UserKey> find();

  /// The key that is there, or a new one. Many processes may make it at once and get the same.
  /// Errors: kIo, with the cure, when no folder can be written.
  static Result<UserKey> get();

  UserKey(UserKey&& other) noexcept;
  UserKey& operator=(UserKey&&) = delete;
  ~UserKey();

  const std::string& bytes() const { return bytes_; }

  /// Waits until no other UserKey of this user is locked, and holds that until its end: for the
  /// milliseconds in which files are made and noted.
  void lock();

 private:
  explicit UserKey(int fd) : fd_(fd) {}
  static Result<UserKey> find_in(const std::filesystem::path& folder);
  static Result<UserKey> make_in(const std::filesystem::path& folder);
  bool read();

  int fd_;
  std::string bytes_;
};

}  // namespace codexmem::store
