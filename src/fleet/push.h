// fleet/push.h - brings what a Chroma server holds of a repository up to date.
//
// What the server lacks is asked of the server itself, so it does not matter who pushed last, from
// where, and how far that came. Design: docs/design/fleet.md.
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
  /// How long a server may stay away before the push to it is given up.
  std::chrono::milliseconds patience{60'000};
  /// Called, on the push's thread, after each request that writes: files done, of how many.
  std::function<void(std::size_t, std::size_t)> on_progress = {};
};

struct PushReport {
  std::string address;
  std::size_t files_sent = 0, pieces_sent = 0;
  std::size_t files_removed = 0;
  std::size_t bytes_sent = 0;    // of documents
  std::size_t retries = 0;       // requests that were sent again
  bool was_current = false;      // there was nothing to do
  std::optional<Error> failure;  // it is behind: the next push goes on
};

/// Brings each of `servers` up to `content`, all at once; in their order. Pieces of a file are
/// written before the row that makes it count, and removed after it: a reader sees each file as it
/// was or as it is.
std::vector<PushReport> push(Servers& servers, const Content& content, const PushOptions& options,
                             const std::stop_token& stop);

/// Removes all rows of the repository called `name`; how many files it had. Errors: those of
/// Chroma, after `options.patience`.
Result<std::size_t> remove_from(Server& server, const std::string& name, const PushOptions& options,
                                const std::stop_token& stop);

}  // namespace codexmem::fleet
