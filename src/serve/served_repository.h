// serve/served_repository.h - one repository as a server offers it: its index, kept up to date, and
// what answers questions about it.
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

/// Folders that are watched at most, by the user's settings. Errors: kInvalidArgument.
Result<std::size_t> most_watches(const Settings& settings);

class ServedRepository {
 public:
  struct Options {
    std::size_t watches = SIZE_MAX;           // folders that are watched at most
    std::filesystem::path own_store = {};     // of its memory; empty: it is the user's
    std::function<void()> after_change = {};  // files were indexed; on a thread of its own
  };

  /// Begins to bring the index of `workspace` up to date.
  ServedRepository(std::shared_ptr<store::Workspace> workspace, EmbeddingProvider provider,
                   Options options);

  /// Cancels what is under way and waits for its end. No question may be under way.
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
