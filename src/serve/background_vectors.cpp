// Tested by providers/providers_test.py.
#include "serve/background_vectors.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "index/packs/remote_vectors.h"

namespace codexmem::serve {
namespace {

constexpr std::chrono::minutes kLongestRest{5};

}  // namespace

BackgroundVectors::BackgroundVectors(
    store::Workspace& workspace, std::shared_ptr<const embed::Embedder> embedder,
    std::function<void()> after_change,
    std::function<std::vector<std::shared_ptr<const index::Pack>>()> packs,
    std::chrono::milliseconds first_rest)
    : workspace_(workspace),
      embedder_(std::move(embedder)),
      after_change_(std::move(after_change)),
      packs_(std::move(packs)),
      first_rest_(first_rest) {
  if (embedder_ == nullptr) return;
  worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

BackgroundVectors::~BackgroundVectors() = default;

void BackgroundVectors::notify() {
  {
    const std::lock_guard lock(mutex_);
    is_due_ = true;
  }
  changed_.notify_all();
}

void BackgroundVectors::work(const std::stop_token& stop) {
  std::chrono::milliseconds rest = first_rest_;
  bool has_failed = false;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      const auto due = [this] { return is_due_; };
      if (has_failed) {
        // Changed files do not help: wait for the end of the rest period.
        changed_.wait_for(lock, stop, rest, [] { return false; });
        rest = std::min<std::chrono::milliseconds>(rest * 2, kLongestRest);
      } else {
        changed_.wait(lock, stop, due);
      }
      if (stop.stop_requested()) return;
      is_due_ = false;
    }
    const auto packs = packs_ ? packs_() : std::vector<std::shared_ptr<const index::Pack>>();
    const auto done = index::update_remote_vectors(workspace_, *embedder_, {}, stop, packs);
    if (stop.stop_requested()) return;
    has_failed = !done.ok();
    if (!done.ok()) {
      log_warn("no vectors for now: {}", done.error().message());
      continue;
    }
    rest = first_rest_;
    if (done->vectors_written > 0 && after_change_) after_change_();
  }
}

}  // namespace codexmem::serve
