// serve/observed_code.h - the code that a session's observations cite, for a worker that serves
// sessions of many repositories.
//
// A repository that is indexed has what an observation names brought up to date and looked up in
// its index; of one that is not, nothing is cited. Thread-safe. Design: docs/design/worker.md,
// "Providers".
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "memory/citations.h"
#include "serve/served_repositories.h"

namespace codexmem::serve {

class ObservedCode {
 public:
  /// `repositories` outlives this.
  explicit ObservedCode(ServedRepositories& repositories) : repositories_(repositories) {}

  /// The code that `mentions` cites in the repository around the folder `directory`, as a tool's
  /// event tells it. What is not up to date when `stop` is requested is cited as it was. Errors:
  /// those of the index.
  Result<std::vector<memory::Citation>> cite(const std::filesystem::path& directory,
                                             const memory::Mentions& mentions,
                                             const std::stop_token& stop = {}) const;

 private:
  ServedRepositories& repositories_;
};

}  // namespace codexmem::serve
