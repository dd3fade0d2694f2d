// serve/observed_code.h - finds the code that a session's observations cite, for a worker that
// serves sessions of many repositories.
//
// In an indexed repository, the files that an observation names are updated and looked up in the
// index; in others nothing is cited. Thread-safe. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "memory/entries/citations.h"
#include "serve/served_repositories.h"

namespace codexmem::serve {

class ObservedCode {
 public:
  /// `repositories` must outlive this object.
  explicit ObservedCode(ServedRepositories& repositories) : repositories_(repositories) {}

  /// The code that `mentions` cites in the repository around the folder `directory`, which is given
  /// by a tool's event. Files that are not updated when `stop` is requested are cited from the old
  /// state. Errors: as the index.
  Result<std::vector<memory::Citation>> cite(const std::filesystem::path& directory,
                                             const memory::Mentions& mentions,
                                             const std::stop_token& stop = {}) const;

 private:
  ServedRepositories& repositories_;
};

}  // namespace codexmem::serve
