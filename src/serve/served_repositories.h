// serve/served_repositories.h - the open repositories of one process, a few at a time: those that
// clients ask about, and those whose code a session's observations cite.
//
// One is opened when it is first asked about and closed when nobody has asked for a while, or when
// others came. Thread-safe. Design: docs/design/mcp.md, "Which repository".
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

/// Why the folder `root` should not be taken for a repository though somebody works there: it is
/// the file system's root, the home directory or above it, or a place of keys. Empty: nothing is
/// against it.
std::string why_no_repository(const std::filesystem::path& root);

/// Why those who merely reach this machine's port may not have `root` opened: besides the reasons
/// of why_no_repository(), it has neither .git nor an index yet, or is another user's. Empty: they
/// may.
std::string why_not_for_all(const std::filesystem::path& root);

/// The folder of the first root that is one of this machine.
std::optional<std::filesystem::path> folder_of(const std::vector<mcp::Root>& roots);

/// Those of all roots that are folders of this machine, in their order.
std::vector<std::filesystem::path> folders_of(const std::vector<mcp::Root>& roots);

/// The path that a "file:" URI names.
std::optional<std::filesystem::path> path_of_uri(std::string_view uri);

class ServedRepositories {
 public:
  struct Options {
    std::string role = {};                 // --role, of the decision tools
    bool has_code = true;                  // else memory alone is asked about
    memory::LazyMemory* memory = nullptr;  // beside folders that are refused
    /// How the memory of the repository at a root is opened. No function: it is the user's.
    std::function<MemoryUse(const std::filesystem::path& root)> memory_use = {};
    bool is_for_all = false;                         // who asks is not known: why_not_for_all()
    bool takes_roots = false;                        // at() looks for no repository above
    std::function<void()> after_change = {};         // files of one were indexed
    std::shared_ptr<fleet::Fleet> fleet = {};        // null: none
    std::size_t most = 4;                            // open at once, but for those in use
    std::chrono::milliseconds idle{10 * 60 * 1000};  // then one is closed
  };

  explicit ServedRepositories(Options options);

  /// Closes all. No call may be under way.
  ~ServedRepositories();
  ServedRepositories(const ServedRepositories&) = delete;
  ServedRepositories& operator=(const ServedRepositories&) = delete;

  /// What calls about the repository around `folder` stand on: its code, and the memory with its
  /// project. Opens it if need be, which nobody waits for but those who ask about it. Where it
  /// cannot be opened, the code is missing, with the reason.
  std::shared_ptr<ask::Services> at(const std::filesystem::path& folder);

  /// The same of a folder that is known to be a root: find_root() takes as long as a short
  /// question.
  std::shared_ptr<ask::Services> at_root(const std::filesystem::path& root);

  /// The index of the repository `root`, opened if need be; the same that at() serves. Nothing is
  /// made, watched or brought up to date for this. Errors: those of Workspace::open_existing().
  Result<std::shared_ptr<store::Workspace>> index_at(const std::filesystem::path& root);

  /// The engines over that index, as it is: nothing is made, watched or brought up to date for
  /// them, and no query is sent to a remote model. Errors: those of Workspace::open_existing().
  Result<std::shared_ptr<ask::CodeServices>> reading_at(const std::filesystem::path& root);

 private:
  struct Served;
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::shared_ptr<Served> served;
    Clock::time_point last_use;

    bool is_idle() const;  // nobody has it
  };

  std::shared_ptr<Served> find_or_add(const std::filesystem::path& root);
  void remove(const std::shared_ptr<Served>& served);
  void open(Served& served) const;  // its mutex is held
  // Likewise. One that cannot be opened is removed.
  Result<void> open_index(const std::shared_ptr<Served>& served);
  void close_idle(const std::stop_token& stop);

  const Options options_;
  std::mutex mutex_;  // guards open_
  std::condition_variable_any changed_;
  std::list<Place> open_;  // the last used first
  std::jthread closer_;    // last: it uses all above
};

}  // namespace codexmem::serve
