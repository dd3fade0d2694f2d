// fleet/fleet.h - an organisation's index on Chroma: its contents, and each caller's access to
// them.
//
// Thread-safe. Design: docs/fleet.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "embed/embedder.h"
#include "fleet/rows.h"
#include "fleet/servers.h"

namespace codexmem::fleet {

/// True if the repository with this name is visible.
using Admits = std::function<bool(std::string_view name)>;

struct ServerState {
  std::string address;
  std::string problem = {};  // why it does not answer; empty if it does
  std::size_t behind = 0;    // number of repositories with a newer push on another server
};

/// The fleet at one moment.
struct FleetState {
  std::chrono::steady_clock::time_point read_at;
  std::vector<RepositoryRow> repositories;  // by name; the newest row among the servers
  std::vector<ServerState> servers;         // in the configured order
  std::vector<std::size_t> order;           // server numbers, in the order of use
};

class Fleet {
 public:
  struct Options {
    Servers::Options servers;
    /// The model of the vectors. Not null.
    std::shared_ptr<const embed::Embedder> embedder;
    /// Globs of repositories that may be shown at all; the user's setting.
    std::vector<std::string> repositories = {"*"};
    /// Roots of the repositories on this machine, with their names in the fleet.
    std::function<std::vector<std::pair<std::string, std::string>>()> local = {};
    std::chrono::milliseconds fresh{10'000};  // maximum age of a state
  };

  explicit Fleet(Options options);
  ~Fleet();

  const Options& options() const { return options_; }
  Servers& servers() { return servers_; }

  /// The state. If it is older than Options::fresh, it is read again in the background; callers
  /// wait only for the first one, or if it is far older. Errors: kIo when no server answers and
  /// none has before.
  Result<std::shared_ptr<const FleetState>> state(const std::stop_token& stop);

  /// The same, but reads it now.
  Result<std::shared_ptr<const FleetState>> refresh(const std::stop_token& stop);

  /// True if the user's setting admits the repository `name`.
  bool admits(std::string_view name) const;

  /// The root of the repository `name` on this machine; empty if it is not here.
  std::string local_root(const std::string& name) const;

 private:
  struct Listed;  // the content of one server, or why it did not answer

  Options options_;
  Servers servers_;
  std::mutex refreshing_;  // one thread reads, the others wait for the result
  std::mutex mutex_;       // guards the members below
  std::shared_ptr<const FleetState> state_;
  bool is_refreshing_ = false;  // in the background
  std::jthread background_;     // last: it ends before the other members
};

/// The part of a fleet that one caller may see; all rows for an answer are read through it. Rows of
/// other repositories are dropped on arrival: by their ids, to avoid reading them, and any that are
/// read by their metadata.
class View {
 public:
  /// Shows the repositories of `state` that `admits` admits and that match one of `wanted` (globs;
  /// empty: all). Borrows everything except `admits`.
  View(Fleet& fleet, std::shared_ptr<const FleetState> state, const Admits& admits,
       const std::vector<std::string>& wanted);

  enum class Rows { kFiles, kPieces };

  const std::vector<const RepositoryRow*>& repositories() const { return repositories_; }
  const RepositoryRow* find(std::string_view name) const;
  /// True if it shows all repositories.
  bool is_whole() const { return is_whole_; }
  /// Includes repositories that are not visible: for totals.
  const std::vector<RepositoryRow>& all_repositories() const { return state_->repositories; }

  /// Ids of the `k` rows nearest to `vector` that `filter` selects, best first, with their
  /// similarity. May return fewer than exist: Chroma's graph does not reach every row.
  Servers::Records nearest(Rows rows, std::span<const float> vector, std::size_t k,
                           embed::ChromaFilter filter, const std::stop_token& stop) const;
  /// Ids of the rows that `filter` selects, at most `most`, in no order.
  Servers::Records matching(Rows rows, embed::ChromaFilter filter, std::size_t most,
                            const std::stop_token& stop) const;
  /// The requested `parts` of the existing rows with these ids.
  Servers::Records fetch(Rows rows, std::vector<std::string> ids, embed::ChromaParts parts,
                         const std::stop_token& stop) const;

 private:
  Servers::Records ask(Rows rows, const Servers::Ask& question, const std::stop_token& stop) const;
  Servers::Records list(Rows rows, const embed::ChromaListing& listing,
                        const std::stop_token& stop) const;
  std::int64_t count(Rows rows, bool of_all) const;
  void drop_others(std::vector<embed::ChromaRecord>* records, bool by_metadata) const;

  Fleet& fleet_;
  std::shared_ptr<const FleetState> state_;
  std::vector<const RepositoryRow*> repositories_;  // by name
  std::vector<std::string> names_;                  // of these repositories
  std::set<std::string, std::less<>> marks_;        // of these repositories
  bool is_whole_ = false;                           // these are all repositories
};

}  // namespace codexmem::fleet
