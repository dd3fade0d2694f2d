// Tested by memory/memory_test.cpp.
#include "memory/memory.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace codexmem::memory {
namespace {

// Saves come in groups; the thread waits for the rest of one.
constexpr std::chrono::milliseconds kSettleTime{500};

DecisionOptions decision_options(const MemoryOptions& options) {
  DecisionOptions decisions = options.decisions;
  decisions.clock = options.clock;
  return decisions;
}

}  // namespace

Result<std::unique_ptr<Memory>> Memory::open(MemoryOptions options) {
  CODEXMEM_ASSIGN(auto store, store::UserStore::open(options.directory));
  return std::unique_ptr<Memory>(new Memory(std::move(options), std::move(store)));
}

Memory::Memory(MemoryOptions options, std::unique_ptr<store::UserStore> store)
    : options_(std::move(options)),
      store_(std::move(store)),
      vectors_(options_.embedder, options_.is_immediate),
      recall_(*store_, vectors_, options_.clock, options_.recall),
      decisions_(*store_, vectors_, decision_options(options_)) {
  if (options_.maintains) {
    keeper_ = std::jthread([this](const std::stop_token& stop) { look_after(stop); });
  }
}

Memory::~Memory() = default;

void Memory::note_change() {
  const std::lock_guard lock(mutex_);
  has_changed_ = true;
  changed_.notify_all();
}

void Memory::look_after(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return has_changed_; })) {
    changed_.wait_for(lock, stop, kSettleTime, [] { return false; });
    if (stop.stop_requested()) return;
    has_changed_ = false;
    lock.unlock();
    try {
      if (const auto done = recall_.maintain(stop); !done.ok() && !stop.stop_requested()) {
        log_warn("memory: {}", done.error().message());
      }
    } catch (const std::exception& error) {
      log_error("memory: {}", error.what());
    }
    lock.lock();
  }
}

Result<Memory*> LazyMemory::get() {
  const std::lock_guard lock(mutex_);
  if (memory_ == nullptr) {
    auto opened = open_();
    if (!opened.ok()) {
      Error error = std::move(opened).error();
      // It is not the caller's arguments that are wrong, nor an entry that is missing.
      const bool is_of_call =
          error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kNotFound;
      return is_of_call ? Error{ErrorCode::kIo, error.message()} : error;
    }
    memory_ = *std::move(opened);
  }
  return memory_.get();
}

Result<Memory*> LazyMemory::find() {
  if (!store::has_user_store(directory_)) return nullptr;
  return get();
}

}  // namespace codexmem::memory
