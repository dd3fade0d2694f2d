// serve/served_repositories.h - the open repositories of a process, a few at a time: those that
// clients query, and those whose code a session's observations cite.
//
// A repository is opened at its first query, and closed when it is unused for a while or others
// need its place. Thread-safe. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "mcp/protocol.h"
#include "serve/memory_setup.h"
#include "ask/context.h"
#include "memory/memory.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// Why the folder `root` should not be used as a repository, although a user works there: it is the
/// file system's root, the home directory or above it, or a place for keys. Empty: no objection.
std::string why_no_repository(const std::filesystem::path& root);

/// Why clients that only have access to this machine's port may not have `root` opened: in addition
/// to the reasons of why_no_repository(), it has neither .git nor an index yet, or belongs to
/// another user. Empty: they may.
std::string why_not_for_all(const std::filesystem::path& root);

/// The folder of the first root on this machine.
std::optional<std::filesystem::path> folder_of(const std::vector<mcp::Root>& roots);

/// The folders of all roots on this machine, in order.
std::vector<std::filesystem::path> folders_of(const std::vector<mcp::Root>& roots);

class ServedRepositories {
 public:
  struct Options {
    std::string role = {};                 // --role, for the decision tools
    bool has_code = true;                  // otherwise only the memory is offered
    memory::LazyMemory* memory = nullptr;  // used for folders that are refused
    /// How the memory of the repository at a root is opened. Empty: the user's memory.
    std::function<MemoryUse(const std::filesystem::path& root)> memory_use = {};
    bool is_for_all = false;                         // callers are unknown: why_not_for_all()
                                                     // applies
    bool takes_roots = false;                        // at() does not look for a repository above
    std::function<void()> after_change = {};         // called when files of a repository were
                                                     // indexed
    std::shared_ptr<fleet::Fleet> fleet = {};        // null: no fleet
    std::size_t most = 4;                            // maximum open at once, not counting those in
                                                     // use
    std::chrono::milliseconds idle{10 * 60 * 1000};  // then an unused one is closed
  };

  explicit ServedRepositories(Options options);

  /// Closes all. No call may be running.
  ~ServedRepositories();
  ServedRepositories(const ServedRepositories&) = delete;
  ServedRepositories& operator=(const ServedRepositories&) = delete;

  /// The services for calls about the repository around `folder`: its code, and the memory with its
  /// project. Opens it if needed; only calls about it wait for that. If it cannot be opened, the
  /// code is missing, with the reason.
  std::shared_ptr<ask::Services> at(const std::filesystem::path& folder);

  /// The same for a folder that is known to be a root: find_root() takes as long as a short query.
  std::shared_ptr<ask::Services> at_root(const std::filesystem::path& root);

  /// The index of the repository `root`, opened if needed; the same that at() serves. Nothing is
  /// created, watched or updated for this. Errors: as Workspace::open_existing().
  Result<std::shared_ptr<store::Workspace>> index_at(const std::filesystem::path& root);

  /// The engines over that index in its current state: nothing is created, watched or updated for
  /// them, and no query is sent to a remote model. Errors: as Workspace::open_existing().
  Result<std::shared_ptr<ask::CodeServices>> reading_at(const std::filesystem::path& root);

 private:
  struct Served;
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::shared_ptr<Served> served;
    Clock::time_point last_use;

    bool is_idle() const;  // nothing else holds it
  };

  std::shared_ptr<Served> find_or_add(const std::filesystem::path& root);
  void remove(const std::shared_ptr<Served>& served);
  void open(Served& served) const;  // with its mutex held
  // Likewise. A repository that cannot be opened is removed.
  Result<void> open_index(const std::shared_ptr<Served>& served);
  void close_idle(const std::stop_token& stop);

  const Options options_;
  std::mutex mutex_;  // guards open_
  std::condition_variable_any changed_;
  std::list<Place> open_;  // most recently used first
  std::jthread closer_;    // last: it uses the members above
};

}  // namespace codexmem::serve
