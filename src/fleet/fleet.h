// fleet/fleet.h - an organisation's index on Chroma: what is in it, and who may see what of it.
//
// Thread-safe. Design: docs/design/fleet.md.
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

/// Whether the repository of a name may be seen.
using Admits = std::function<bool(std::string_view name)>;

struct ServerState {
  std::string address;
  std::string problem = {};  // why it does not answer; empty: it does
  std::size_t behind = 0;    // repositories that another server has a newer push of
};

/// The fleet at one moment.
struct FleetState {
  std::chrono::steady_clock::time_point read_at;
  std::vector<RepositoryRow> repositories;  // by name; of several servers' rows the newest
  std::vector<ServerState> servers;         // as they were named
  std::vector<std::size_t> order;           // of servers: who is asked first, second, ...
};

class Fleet {
 public:
  struct Options {
    Servers::Options servers;
    /// The model of the vectors. Not null.
    std::shared_ptr<const embed::Embedder> embedder;
    /// Globs of repositories of which nothing else is shown to anybody; the user's setting.
    std::vector<std::string> repositories = {"*"};
    /// Roots of the repositories on this machine, with their names in the fleet.
    std::function<std::vector<std::pair<std::string, std::string>>()> local = {};
    std::chrono::milliseconds fresh{10'000};  // how long a state is good for
  };

  explicit Fleet(Options options);
  ~Fleet();

  const Options& options() const { return options_; }
  Servers& servers() { return servers_; }

  /// The state. One that is older than Options::fresh is read anew in the background; only one that
  /// is far older, or the first, is waited for. Errors: kIo when no server answers and none has.
  Result<std::shared_ptr<const FleetState>> state(const std::stop_token& stop);

  /// The same, read now.
  Result<std::shared_ptr<const FleetState>> refresh(const std::stop_token& stop);

  /// Whether the user's setting admits the repository called `name`.
  bool admits(std::string_view name) const;

  /// The root of the repository `name` on this machine; empty: it is not at hand.
  std::string local_root(const std::string& name) const;

 private:
  struct Listed;  // what one server has, or why it did not answer

  Options options_;
  Servers servers_;
  std::mutex refreshing_;  // one thread reads, the others wait for what it read
  std::mutex mutex_;       // guards what follows
  std::shared_ptr<const FleetState> state_;
  bool is_refreshing_ = false;  // in the background
  std::jthread background_;     // last: it ends before the rest
};

/// What one caller may see of a fleet: the one way by which rows are read for an answer. Rows of
/// other repositories are dropped on arrival: by their ids, which save reading them, and whatever
/// is read of them by its metadata.
class View {
 public:
  /// Sees the repositories of `state` that `admits` admits and that match one of `wanted` (globs;
  /// none: all). Borrows all but `admits`.
  View(Fleet& fleet, std::shared_ptr<const FleetState> state, const Admits& admits,
       const std::vector<std::string>& wanted);

  enum class Rows { kFiles, kPieces };

  const std::vector<const RepositoryRow*>& repositories() const { return repositories_; }
  const RepositoryRow* find(std::string_view name) const;
  /// Whether these are all there are.
  bool is_whole() const { return is_whole_; }
  /// Those too that may not be seen: for sums.
  const std::vector<RepositoryRow>& all_repositories() const { return state_->repositories; }

  /// Ids of the `k` rows nearest to `vector` that `filter` means, best first, with their
  /// similarity. May give fewer than there are: Chroma's graph does not reach each row.
  Servers::Records nearest(Rows rows, std::span<const float> vector, std::size_t k,
                           embed::ChromaFilter filter, const std::stop_token& stop) const;
  /// Ids of the rows that `filter` means, at most `most`, in no order.
  Servers::Records matching(Rows rows, embed::ChromaFilter filter, std::size_t most,
                            const std::stop_token& stop) const;
  /// What `parts` names of the rows with these ids that are there.
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
  std::vector<std::string> names_;                  // of these
  std::set<std::string, std::less<>> marks_;        // of these
  bool is_whole_ = false;                           // they are all there are
};

}  // namespace codexmem::fleet
