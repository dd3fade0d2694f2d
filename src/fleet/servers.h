// fleet/servers.h - the Chroma servers of a fleet, each of which is to hold all of it.
//
// What is read is asked of the server that is ahead, and of the next one too when that fails or
// takes long: the first answer counts. So one that dies fails nothing. What is written is written
// to each by itself (fleet/push.h). Thread-safe. Design: docs/design/fleet.md.
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

/// One server, and its own ids of the collections.
class Server {
 public:
  Server(embed::ChromaOptions options, CollectionNames names);

  embed::Chroma& chroma() { return chroma_; }
  const std::string& address() const { return chroma_.address(); }
  const CollectionNames& names() const { return names_; }

  /// The id of the collection `name`; nothing when there is none. Remembered until forget().
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
  /// A question to one server about its collection of this id.
  using Ask = std::function<Records(embed::Chroma&, std::string_view collection, std::stop_token)>;

  struct Options {
    std::vector<std::string> urls;
    std::string token = {};
    std::string model = {};                     // whose vectors are meant
    std::chrono::milliseconds hedge{250};       // before the next server is asked too
    std::chrono::milliseconds patience{4'000};  // for one request
    std::chrono::milliseconds rest{2'000};      // how long a server that failed is left alone
  };

  explicit Servers(Options options);

  const Options& options() const { return options_; }
  std::vector<std::unique_ptr<Server>>& all() { return all_; }

  /// What the first of the servers in `order` (places in all()) answers about the collection called
  /// `name`; none has the rows of a collection that no server has. Errors: those of the first that
  /// failed; kCancelled.
  Records ask(const std::vector<std::size_t>& order, const std::string& name, const Ask& question,
              std::stop_token stop);

 private:
  Records ask_one(Server& server, const std::string& name, const Ask& question,
                  std::stop_token stop);

  Options options_;
  std::vector<std::unique_ptr<Server>> all_;
};

}  // namespace codexmem::fleet
