// serve/edit_guard.h - says before an edit which uses it breaks, and at the end of a session which
// users of changed definitions it never opened.
//
// Remembers what each session opened and edited, and which warnings it got, until the worker ends.
// The edited text is laid over the index and never written. Thread-safe. Design:
// docs/clients/hooks.md, "The edit guard".
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/uses/edit_breaks.h"
#include "observe/intake/intake.h"
#include "serve/served_repositories.h"

namespace codexmem::serve {

/// The longest text that the guard says at once, in bytes.
inline constexpr std::size_t kMaxGuardBytes = 400;

/// A file of a repository.
struct GuardedFile {
  std::filesystem::path root;
  std::string path;  // relative to it

  auto operator<=>(const GuardedFile&) const = default;
};

class EditGuard {
 public:
  /// An edit that a tool is about to make, as its hook reports it.
  struct Edit {
    std::string session, cwd, tool_name;
    std::string tool_input;  // JSON
    /// For a look at all uses; after that, files with the name are counted.
    std::chrono::milliseconds time{55};
  };

  struct Answer {
    std::string text;          // for the model, at most kMaxGuardBytes; empty: nothing to say
    graph::EditBreaks breaks;  // all of them, earlier warnings included
  };

  /// `repositories` must outlive this object; null: it has nothing to say.
  explicit EditGuard(ServedRepositories* repositories) : repositories_(repositories) {}

  /// What `edit` breaks. Nothing for files that are not indexed, for new files, and for texts of
  /// more than 256 KiB. A session hears of a definition again only when more of its uses break.
  /// Errors: kCancelled; the store's errors.
  Result<Answer> check(const Edit& edit, std::stop_token stop);

  /// The files that use or test what `session` changed and that it never opened, each named once a
  /// session: one sentence for a person, at most kMaxGuardBytes; empty if none is left. Errors: as
  /// above.
  Result<std::string> list_unseen(const std::string& session, std::stop_token stop);

  /// Takes notice of what a tool of a session read or edited.
  void note(const observe::IntakeRequest& request);

 private:
  struct Session {
    std::string id;
    std::set<std::filesystem::path> opened, edited;        // absolute
    std::map<GuardedFile, std::set<std::string>> changed;  // definitions that edits alter
    std::map<std::string, std::size_t> said;  // by definition: how many broken uses were named
    std::set<std::filesystem::path> said_unseen;
  };

  // With mutex_ held.
  Session& session_of(const std::string& id);
  void remember(const Edit& edit, const GuardedFile& file, Answer& answer);

  ServedRepositories* const repositories_;
  std::mutex mutex_;
  std::list<Session> sessions_;  // most recently used first
};

}  // namespace codexmem::serve
