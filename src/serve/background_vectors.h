// serve/background_vectors.h - makes the vectors of a remote model while a server answers.
//
// Uses a thread of its own, so that neither queries nor index runs wait for the network. It starts
// at once, continues when notified of changed files, and retries failures at increasing intervals.
// Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "embed/embedder.h"
#include "index/packs/pack_file.h"
#include "store/code/workspace.h"

namespace codexmem::serve {

class BackgroundVectors {
 public:
  /// Does nothing without an `embedder`. `after_change` is called on the thread when vectors were
  /// written. `packs` provides some of the vectors; it may be empty. `workspace` must outlive this
  /// object.
  BackgroundVectors(store::Workspace& workspace, std::shared_ptr<const embed::Embedder> embedder,
                    std::function<void()> after_change,
                    std::function<std::vector<std::shared_ptr<const index::Pack>>()> packs = {},
                    std::chrono::milliseconds first_rest = std::chrono::seconds(5));

  /// Cancels the running work and waits for its end.
  ~BackgroundVectors();
  BackgroundVectors(const BackgroundVectors&) = delete;
  BackgroundVectors& operator=(const BackgroundVectors&) = delete;

  /// Call it when the index has changed.
  void notify();

 private:
  void work(const std::stop_token& stop);

  store::Workspace& workspace_;
  const std::shared_ptr<const embed::Embedder> embedder_;
  const std::function<void()> after_change_;
  const std::function<std::vector<std::shared_ptr<const index::Pack>>()> packs_;
  const std::chrono::milliseconds first_rest_;

  std::mutex mutex_;  // guards is_due_
  std::condition_variable_any changed_;
  bool is_due_ = true;

  std::jthread worker_;  // last: it uses the members above
};

}  // namespace codexmem::serve
