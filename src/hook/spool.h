// hook/spool.h - where a hook leaves events that it cannot post now.
//
//     <data directory>/spool/<20 digits: ns since 1970>-<pid>-<8 hex digits>.json
//         {"path":"/api/sessions/observations","body":{...}}
//     <data directory>/spool/private/<SHA-256 of the session's id>
//         the session's current turn is private: of its events nothing is kept
//     <data directory>/spool/silent
//         its time is when the worker did not answer last
//
// Files appear whole under their names, mode 0600; the worker takes them in the order of the names
// (observe/intake/spool_drain.h). They are not synced: a hook has some milliseconds, and a power
// cut may cost what the last seconds held. Thread-safe, and safe between processes. Design:
// docs/how-it-works.md, "Hooks".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace codexmem::hook {

/// The most files that wait in the spool, and the most bytes of them; the oldest give way.
inline constexpr std::size_t kMaxSpooled = 20000;
inline constexpr std::uintmax_t kMaxSpooledBytes = std::uintmax_t{256} << 20;

class Spool {
 public:
  /// `directory` is the user's data directory; it is made when it is needed.
  explicit Spool(std::filesystem::path directory);

  /// Leaves one event. `text` holds neither private parts nor secrets. Errors: kIo;
  /// kInvalidArgument when the spool is not a folder of this user.
  Result<void> leave(std::string_view text) const;

  /// Removes the oldest events, so that at most `most` are left, of at most `most_bytes`. leave()
  /// does it now and then.
  void trim(std::size_t most = kMaxSpooled, std::uintmax_t most_bytes = kMaxSpooledBytes) const;

  /// Marks the current turn of `session` as private, or no more so. Errors: kIo.
  Result<void> mark_private(std::string_view session, bool is_private) const;

  /// The worker did not answer in time: for the next two seconds was_silent() is true, so that not
  /// each of a session's events waits for one that hangs.
  void note_silence() const;
  bool was_silent() const;

  /// True when the current turn of `session` is private.
  bool is_private(std::string_view session) const;

 private:
  Result<void> make_folders() const;

  std::filesystem::path directory_, folder_, private_folder_;
};

}  // namespace codexmem::hook
