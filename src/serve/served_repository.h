// serve/served_repository.h - one repository of a server: its index, kept up to date, and the
// services that answer queries about it.
//
// `serve` has one, a worker several. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "serve/embedding_provider.h"
#include "base/result.h"
#include "config/settings.h"
#include "ask/context.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

/// Maximum number of watched folders, by the user's settings. Errors: kInvalidArgument.
Result<std::size_t> most_watches(const Settings& settings);

class ServedRepository {
 public:
  struct Options {
    std::size_t watches = SIZE_MAX;           // maximum number of watched folders
    std::filesystem::path own_store = {};     // for its memory; empty: the user's store
    std::function<void()> after_change = {};  // called on its own thread when files were indexed
  };

  /// Starts to update the index of `workspace`.
  ServedRepository(std::shared_ptr<store::Workspace> workspace, EmbeddingProvider provider,
                   Options options);

  /// Cancels the running work and waits for its end. No query may be running.
  ~ServedRepository();
  ServedRepository(const ServedRepository&) = delete;
  ServedRepository& operator=(const ServedRepository&) = delete;

  store::Workspace& workspace();
  ask::CodeServices& code();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::serve
