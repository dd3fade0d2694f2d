// fleet/servers.h - the Chroma servers of a fleet, each with a complete copy.
//
// Reads go to the most up-to-date server, and also to the next one when that fails or is slow: the
// first answer counts. So the failure of one server fails nothing. Writes go to each separately
// (fleet/push.h). Thread-safe. Design: docs/fleet.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/chroma.h"
#include "fleet/rows.h"

namespace codexmem::fleet {

/// A server, and its ids of the collections.
class Server {
 public:
  Server(embed::ChromaOptions options, CollectionNames names);

  embed::Chroma& chroma() { return chroma_; }
  const std::string& address() const { return chroma_.address(); }
  const CollectionNames& names() const { return names_; }

  /// The id of the collection `name`; nothing if missing. Cached until forget().
  Result<std::optional<std::string>> find(const std::string& name, std::stop_token stop);
  void forget();

 private:
  embed::Chroma chroma_;
  CollectionNames names_;
  std::mutex mutex_;  // guards ids_
  std::map<std::string, std::string, std::less<>> ids_;
};

class Servers {
 public:
  using Records = Result<std::vector<embed::ChromaRecord>>;
  /// A query to one server about its collection with this id.
  using Ask = std::function<Records(embed::Chroma&, std::string_view collection, std::stop_token)>;

  struct Options {
    std::vector<std::string> urls;
    std::string token = {};
    std::string model = {};                     // the model of the vectors
    std::chrono::milliseconds hedge{250};       // before the next server is queried as well
    std::chrono::milliseconds patience{4'000};  // for one request
    std::chrono::milliseconds rest{2'000};      // how long a failed server is not queried
  };

  explicit Servers(Options options);

  const Options& options() const { return options_; }
  std::vector<std::unique_ptr<Server>>& all() { return all_; }

  /// The answer of the first of the servers in `order` (indices in all()) about the collection
  /// `name`; empty if no server has the collection. Errors: as the first failed server; kCancelled.
  Records ask(const std::vector<std::size_t>& order, const std::string& name, const Ask& question,
              std::stop_token stop);

 private:
  Records ask_one(Server& server, const std::string& name, const Ask& question,
                  std::stop_token stop);

  Options options_;
  std::vector<std::unique_ptr<Server>> all_;
};

}  // namespace codexmem::fleet
