// serve/observed_code.h - the code that a session's observations cite, for a worker that serves
// sessions of many repositories.
//
// A repository that is indexed has what an observation names brought up to date and looked up in
// its index; of one that is not, nothing is cited. Thread-safe. Design: docs/worker.md,
// "Providers".
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "memory/citations.h"
#include "store/workspace.h"

namespace codexmem::serve {

class ObservedCode {
 public:
  /// The code that `mentions` cites in the repository around the folder `directory`, as a tool's
  /// event tells it. What is not up to date when `stop` is requested is cited as it was. Errors:
  /// those of the index.
  Result<std::vector<memory::Citation>> cite(const std::filesystem::path& directory,
                                             const memory::Mentions& mentions,
                                             const std::stop_token& stop = {});

 private:
  // The index at `root`, opened if need be. Errors: kNotFound when there is none.
  Result<std::shared_ptr<store::Workspace>> workspace_at(const std::filesystem::path& root);

  std::mutex mutex_;                                   // guards open_
  std::list<std::shared_ptr<store::Workspace>> open_;  // the last used first
};

}  // namespace codexmem::serve
