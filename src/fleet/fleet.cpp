// Chroma finds the rows that meet a condition before it compares vectors, and takes 4 us for each
// such row (docs/fleet.md). So the view of a caller with access to a small part queries with
// a condition. With access to much, it requests more ids than wanted and drops other repositories'
// ids here; if too few are left, it queries once more, with the condition.
//
// Tested by fleet/fleet_search_test.cpp, and against real servers by
// tests/chroma/fleet_chroma_test.py.
#include "fleet/fleet.h"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "text/glob.h"

namespace codexmem::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kListed = 1000;      // rows of one listing
constexpr std::size_t kStatistics = 50;    // repositories per request for statistics
constexpr double kSpare = 2;               // multiple of the number that would suffice on average
constexpr std::size_t kMaxAsked = 4'000;  // ids per request
constexpr double kIdCost = 2;              // the cost of an id, in rows that meet a condition
constexpr int kTimesTooOld = 6;            // multiple of Options::fresh: an older state is not used
                                           // for answers

bool matches_any(const std::vector<std::string>& globs, std::string_view name) {
  return std::ranges::any_of(globs, [&](const std::string& glob) {
    return glob == name || Glob(glob, {.pathname = false}).matches(name);
  });
}

// True if `a` is a newer row of its repository than `b`.
bool is_newer(const RepositoryRow& a, const RepositoryRow& b) {
  return std::pair(a.is_complete, a.pushed_ms) > std::pair(b.is_complete, b.pushed_ms);
}

// Null if not found.
const RepositoryRow* find_row(const FleetState* state, std::string_view name) {
  if (state == nullptr) return nullptr;
  const auto at = std::ranges::lower_bound(state->repositories, name, {}, &RepositoryRow::name);
  return at != state->repositories.end() && at->name == name ? &*at : nullptr;
}

}  // namespace

struct Fleet::Listed {
  std::optional<Error> failure;
  std::vector<RepositoryRow> repositories;
};

Fleet::Fleet(Options options) : options_(std::move(options)), servers_(options_.servers) {}

Fleet::~Fleet() = default;

bool Fleet::admits(std::string_view name) const { return matches_any(options_.repositories, name); }

std::string Fleet::local_root(const std::string& name) const {
  if (!options_.local) return {};
  for (auto& [known, root] : options_.local()) {
    if (known == name) return root;
  }
  return {};
}

Result<std::shared_ptr<const FleetState>> Fleet::state(const std::stop_token& stop) {
  const auto current = [&]() -> std::shared_ptr<const FleetState> {
    const std::lock_guard lock(mutex_);
    if (state_ == nullptr) return nullptr;
    const auto age = steady_clock::now() - state_->read_at;
    if (age < options_.fresh) return state_;
    if (age > kTimesTooOld * options_.fresh) return nullptr;
    if (is_refreshing_) return state_;
    is_refreshing_ = true;
    background_ = std::jthread([this](const std::stop_token& ended) {
      const auto ignored = refresh(ended);  // it is tried again
      const std::lock_guard done(mutex_);
      is_refreshing_ = false;
    });
    return state_;
  };
  if (auto known = current()) return known;
  const std::lock_guard lock(refreshing_);
  if (auto known = current()) return known;
  return refresh(stop);
}

Result<std::shared_ptr<const FleetState>> Fleet::refresh(const std::stop_token& stop) {
  std::shared_ptr<const FleetState> before;
  {
    const std::lock_guard lock(mutex_);
    before = state_;
  }
  std::vector<Listed> listed(servers_.all().size());
  const auto read = [&](std::size_t which) -> Result<void> {
    const auto rows = [&](embed::ChromaListing listing) {
      return servers_.ask(
          {which}, servers_.all()[which]->names().repositories,
          [&](embed::Chroma& chroma, std::string_view id, std::stop_token token) {
            return chroma.list(id, listing, options_.servers.patience, token);
          },
          stop);
    };
    auto& all = listed[which].repositories;
    embed::ChromaListing listing;
    listing.limit = kListed;
    for (;; listing.offset += kListed) {
      CODEXMEM_ASSIGN(const auto page, rows(listing));
      for (const auto& record : page) {
        if (auto row = read_repository(record)) all.push_back(*std::move(row));
      }
      if (page.size() < kListed) break;
    }
    // Statistics are large: read them only for new pushes.
    std::map<std::string, RepositoryRow*> missing;
    for (RepositoryRow& row : all) {
      const RepositoryRow* const known = find_row(before.get(), row.name);
      if (known != nullptr && known->push == row.push) {
        row.frequencies = known->frequencies;
      } else {
        missing.emplace(row.name, &row);
      }
    }
    embed::ChromaListing statistics;
    statistics.parts.documents = true;
    const auto take = [&]() -> Result<void> {
      CODEXMEM_ASSIGN(const auto page, rows(statistics));
      for (const auto& record : page) {
        auto row = read_repository(record);
        if (!row || !missing.contains(row->name)) continue;
        missing[row->name]->frequencies = std::move(row->frequencies);
      }
      statistics.filter.ids.clear();
      return {};
    };
    for (const auto& [name, row] : missing) {
      statistics.filter.ids.push_back(name);
      if (statistics.filter.ids.size() == kStatistics) CODEXMEM_TRY(take());
    }
    return statistics.filter.ids.empty() ? Result<void>() : take();
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      threads.emplace_back([&, i] {
        if (auto done = read(i); !done.ok()) listed[i].failure = done.error();
      });
    }
  }
  auto state = std::make_shared<FleetState>();
  state->read_at = steady_clock::now();
  std::map<std::string, RepositoryRow> newest;
  for (const Listed& each : listed) {
    if (each.failure) continue;
    for (const RepositoryRow& row : each.repositories) {
      const auto [at, is_first] = newest.try_emplace(row.name, row);
      if (!is_first && is_newer(row, at->second)) at->second = row;
    }
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    ServerState server{.address = servers_.all()[i]->address()};
    if (listed[i].failure) {
      server.problem = listed[i].failure->message();
      server.behind = newest.size();
    } else {
      std::map<std::string_view, const RepositoryRow*> own;
      for (const RepositoryRow& row : listed[i].repositories) own.emplace(row.name, &row);
      for (const auto& [name, row] : newest) {
        const auto at = own.find(name);
        const bool has = at != own.end() && at->second->digest == row.digest &&
                         at->second->is_complete == row.is_complete;
        if (!has) ++server.behind;
      }
    }
    state->servers.push_back(std::move(server));
    state->order.push_back(i);
  }
  std::ranges::stable_sort(state->order, {}, [&](std::size_t i) {
    return std::pair(!state->servers[i].problem.empty(), state->servers[i].behind);
  });
  const bool is_answered =
      std::ranges::any_of(listed, [](const Listed& each) { return !each.failure.has_value(); });
  if (!is_answered) {
    if (before != nullptr) return before;
    return listed.empty() ? Error{ErrorCode::kNotFound, "no fleet is set up"}
                          : *listed.front().failure;
  }
  for (auto& [name, row] : newest) state->repositories.push_back(std::move(row));
  const std::lock_guard lock(mutex_);
  state_ = state;
  return state_;
}

View::View(Fleet& fleet, std::shared_ptr<const FleetState> state, const Admits& admits,
           const std::vector<std::string>& wanted)
    : fleet_(fleet), state_(std::move(state)) {
  for (const RepositoryRow& row : state_->repositories) {
    if (!fleet.admits(row.name) || (admits && !admits(row.name))) continue;
    if (!wanted.empty() && !matches_any(wanted, row.name)) continue;
    repositories_.push_back(&row);
    names_.push_back(row.name);
    marks_.insert(repository_mark(row.name));
  }
  is_whole_ = repositories_.size() == state_->repositories.size();
}

const RepositoryRow* View::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(repositories_, name, {},
                                           [](const RepositoryRow* row) { return row->name; });
  return at != repositories_.end() && (*at)->name == name ? *at : nullptr;
}

std::int64_t View::count(Rows rows, bool of_all) const {
  std::int64_t sum = 0;
  const auto add = [&](const RepositoryRow& row) {
    sum += rows == Rows::kFiles ? row.files : row.pieces;
  };
  if (of_all) {
    for (const RepositoryRow& row : state_->repositories) add(row);
  } else {
    for (const RepositoryRow* row : repositories_) add(*row);
  }
  return std::max<std::int64_t>(sum, 1);
}

void View::drop_others(std::vector<embed::ChromaRecord>* records, bool by_metadata) const {
  std::erase_if(*records, [&](const embed::ChromaRecord& record) {
    if (!marks_.contains(mark_of(record.id))) return true;
    if (!by_metadata) return false;
    const auto at = record.metadata.find("repository");
    if (at == record.metadata.end()) return true;
    const auto* const name = std::get_if<std::string>(&at->second);
    return name == nullptr || find(*name) == nullptr;
  });
}

Servers::Records View::ask(Rows rows, const Servers::Ask& question,
                           const std::stop_token& stop) const {
  if (names_.empty()) return std::vector<embed::ChromaRecord>();
  const CollectionNames& names = fleet_.servers().all().front()->names();
  return fleet_.servers().ask(state_->order, rows == Rows::kFiles ? names.files : names.pieces,
                              question, stop);
}

Servers::Records View::nearest(Rows rows, std::span<const float> vector, std::size_t k,
                               embed::ChromaFilter filter, const std::stop_token& stop) const {
  const auto ask_for = [&](std::size_t most) -> Servers::Records {
    CODEXMEM_ASSIGN(auto records,
                    ask(
                        rows,
                        [&](embed::Chroma& chroma, std::string_view id, std::stop_token token) {
                          return chroma.near(id, vector, most, filter, {.metadata = false},
                                             fleet_.options().servers.patience, token);
                        },
                        stop));
    drop_others(&records, false);
    if (records.size() > k) records.resize(k);
    return records;
  };
  if (is_whole_) return ask_for(k);
  const auto seen = static_cast<double>(count(rows, false));
  const double share = seen / static_cast<double>(count(rows, true));
  const double most = kSpare * static_cast<double>(k) / share;
  if (most <= kMaxAsked && most * kIdCost < seen) {
    CODEXMEM_ASSIGN(auto records, ask_for(static_cast<std::size_t>(most)));
    if (records.size() >= k / 4) return records;
  }
  filter.conditions.push_back(of_repositories(names_));
  return ask_for(k);
}

Servers::Records View::list(Rows rows, const embed::ChromaListing& listing,
                            const std::stop_token& stop) const {
  return ask(
      rows,
      [&](embed::Chroma& chroma, std::string_view id, std::stop_token token) {
        return chroma.list(id, listing, fleet_.options().servers.patience, token);
      },
      stop);
}

Servers::Records View::matching(Rows rows, embed::ChromaFilter filter, std::size_t most,
                                const std::stop_token& stop) const {
  embed::ChromaListing listing{
      .filter = std::move(filter), .limit = most, .parts = {.metadata = false}};
  CODEXMEM_ASSIGN(auto records, list(rows, listing, stop));
  // If a list was truncated, the visible rows may be in the missing part.
  if (!is_whole_ && records.size() >= most) {
    listing.filter.conditions.push_back(of_repositories(names_));
    CODEXMEM_ASSIGN(records, list(rows, listing, stop));
  }
  drop_others(&records, false);
  return records;
}

Servers::Records View::fetch(Rows rows, std::vector<std::string> ids, embed::ChromaParts parts,
                             const std::stop_token& stop) const {
  std::erase_if(ids, [&](const std::string& id) { return !marks_.contains(mark_of(id)); });
  if (ids.empty()) return std::vector<embed::ChromaRecord>();
  parts.metadata = parts.metadata || parts.documents;  // their metadata gives the repository
  const std::size_t most = ids.size();
  CODEXMEM_ASSIGN(
      auto records,
      list(rows, {.filter = {.ids = std::move(ids)}, .limit = most, .parts = parts}, stop));
  drop_others(&records, parts.metadata);
  return records;
}

}  // namespace codexmem::fleet
