// A query to two servers runs on a thread for each, and the slower one is also awaited: Chroma
// 1.0's compactor dies when a request it works for is interrupted, especially just after a start,
// and writes are refused from then on (fleet/push.cpp).
//
// Tested by fleet/servers_test.cpp.
#include "fleet/servers.h"

#include <condition_variable>
#include <thread>
#include <utility>

namespace codexmem::fleet {
namespace {

// The answers to one query.
struct Race {
  std::mutex mutex;  // guards the members below
  std::condition_variable_any changed;
  std::optional<Servers::Records> answer;  // the first successful one
  std::optional<Error> failure;            // the first one other than a missing collection
  std::size_t running = 0;
};

}  // namespace

Server::Server(embed::ChromaOptions options, CollectionNames names)
    : chroma_(std::move(options)), names_(std::move(names)) {}

Result<std::optional<std::string>> Server::find(const std::string& name, std::stop_token stop) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = ids_.find(name); known != ids_.end()) {
      return std::optional(known->second);
    }
  }
  CODEXMEM_ASSIGN(const auto found, chroma_.find_collection(name, stop));
  if (!found) return std::optional<std::string>();
  const std::lock_guard lock(mutex_);
  ids_[name] = found->id;
  return std::optional(found->id);
}

void Server::forget() {
  const std::lock_guard lock(mutex_);
  ids_.clear();
}

Servers::Servers(Options options) : options_(std::move(options)) {
  for (const std::string& url : options_.urls) {
    embed::ChromaOptions chroma;
    chroma.url = url;
    chroma.token = options_.token;
    chroma.query_timeout = options_.patience;
    chroma.rest_after_failure = options_.rest;
    chroma.batch = 200;
    chroma.write_timeout =
        std::chrono::minutes(2);  // practically never interrupted (fleet/push.cpp)
    all_.push_back(std::make_unique<Server>(std::move(chroma), collection_names(options_.model)));
  }
}

Servers::Records Servers::ask_one(Server& server, const std::string& name, const Ask& question,
                                  std::stop_token stop) {
  for (int tries = 0;; ++tries) {
    CODEXMEM_ASSIGN(const auto collection, server.find(name, stop));
    if (!collection) return Error{ErrorCode::kNotFound, "no collection " + name};
    auto answer = question(server.chroma(), *collection, stop);
    // It was deleted and made again since.
    if (answer.ok() || answer.error().code() != ErrorCode::kNotFound || tries > 0) return answer;
    server.forget();
  }
}

Servers::Records Servers::ask(const std::vector<std::size_t>& order, const std::string& name,
                              const Ask& question, std::stop_token stop) {
  if (order.empty()) return Error{ErrorCode::kIo, "the fleet has no server"};
  // A server without the collection has no data yet; but a server that has just started may report
  // an existing collection as missing. So such a report counts only if no other server answers.
  const auto or_none = [](Records answer) -> Records {
    if (answer.ok() || answer.error().code() != ErrorCode::kNotFound) return answer;
    return std::vector<embed::ChromaRecord>();
  };
  if (order.size() == 1) return or_none(ask_one(*all_[order.front()], name, question, {}));
  Race race;
  std::vector<std::jthread> threads;  // ended before the race is over
  const auto start = [&](std::size_t which) {
    ++race.running;
    threads.emplace_back([&, which] {
      auto answer = ask_one(*all_[which], name, question, {});
      const std::lock_guard lock(race.mutex);
      --race.running;
      if (answer.ok()) {
        if (!race.answer) race.answer = std::move(answer);
      } else if (!race.failure || race.failure->code() == ErrorCode::kNotFound) {
        race.failure = answer.error();
      }
      race.changed.notify_all();
    });
  };
  std::unique_lock lock(race.mutex);
  for (std::size_t next = 0;;) {
    if (race.answer || stop.stop_requested()) break;
    if (next < order.size()) {
      start(order[next++]);
      race.changed.wait_for(lock, options_.hedge,
                            [&] { return race.answer.has_value() || race.running == 0; });
    } else if (race.running == 0) {
      break;
    } else {
      race.changed.wait(lock, [&] { return race.answer.has_value() || race.running == 0; });
    }
  }
  lock.unlock();
  threads.clear();
  if (race.answer) return *std::move(race.answer);
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
  if (race.failure && race.failure->code() == ErrorCode::kIo) {
    // A server that is resting after a failure may be back.
    for (const std::size_t which : order) {
      if (!all_[which]->chroma().heartbeat({}).ok()) continue;
      auto again = ask_one(*all_[which], name, question, {});
      if (again.ok()) return again;
    }
  }
  return or_none(race.failure.value_or(Error{ErrorCode::kIo, "no server of the fleet answers"}));
}

}  // namespace codexmem::fleet
