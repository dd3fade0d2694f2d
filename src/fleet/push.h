// fleet/push.h - updates a repository's data on Chroma servers.
//
// The server itself is queried for missing data, so it does not matter who pushed last, from where,
// and whether that push completed. Design: docs/fleet.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/content.h"
#include "fleet/servers.h"

namespace codexmem::fleet {

struct PushOptions {
  /// How long a server may be unreachable before its push is abandoned.
  std::chrono::milliseconds patience{60'000};
  /// One request may take as long as that, but no less than this: a write that is broken off may
  /// harm the server.
  std::chrono::milliseconds least_request{10'000};
  /// Called, on the push's thread, after each writing request, with the number of files done and
  /// the total.
  std::function<void(std::size_t, std::size_t)> on_progress = {};
};

struct PushReport {
  std::string address;
  std::size_t files_sent = 0, pieces_sent = 0;
  std::size_t files_removed = 0;
  std::size_t bytes_sent = 0;    // of documents
  std::size_t retries = 0;       // number of repeated requests
  bool was_current = false;      // there was nothing to do
  std::optional<Error> failure;  // the server is behind: the next push continues
};

/// Brings each of `servers` up to `content`, all at once; results are in the same order. Pieces of
/// a file are written before the row that makes it visible, and removed after it: a reader sees
/// each file in its old or new state.
std::vector<PushReport> push(Servers& servers, const Content& content, const PushOptions& options,
                             const std::stop_token& stop);

/// Removes all rows of the repository `name`; returns its number of files. Errors: as Chroma, after
/// `options.patience`.
Result<std::size_t> remove_from(Server& server, const std::string& name, const PushOptions& options,
                                const std::stop_token& stop);

}  // namespace codexmem::fleet
