// Tested by ask/memory_answers_test.cpp.
#include "memory/memory.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/now.h"
#include "text/name_list.h"
#include "store/user/erasure.h"

namespace codexmem::memory {
namespace {

// Saves come in groups; the thread waits for the rest of one.
constexpr std::chrono::milliseconds kSettleTime{500};
constexpr std::chrono::milliseconds kFirstRest{2'000}, kLongestRest{60'000};
// Between two looks whether those have ended who keep the log from being emptied.
constexpr std::chrono::seconds kErasurePause{5};
// Between two looks at what others share.
constexpr std::chrono::milliseconds kLookPause{1'000};

DecisionOptions decision_options(const MemoryOptions& options) {
  DecisionOptions decisions = options.decisions;
  decisions.clock = options.clock;
  return decisions;
}

}  // namespace

Result<std::unique_ptr<Memory>> Memory::open(MemoryOptions options) {
  CODEXMEM_ASSIGN(auto store, store::UserStore::open(options.directory));
  // What a removal could not erase, because it was killed or others were reading.
  if (const auto done = finish_erasure(*store, {}); !done.ok()) {
    log_warn("memory: {}", done.error().message());
  }
  std::unique_ptr<Memory> memory(new Memory(std::move(options), std::move(store)));
  memory->seen_now();
  return memory;
}

Memory::Memory(MemoryOptions options, std::unique_ptr<store::UserStore> store)
    : options_(std::move(options)),
      store_(std::move(store)),
      vectors_(options_.embedder, options_.is_immediate),
      branches_(*store_, options_.branches, options_.clock,
                options_.is_of_all_projects ? std::filesystem::path() : options_.root),
      chroma_(make_mirror()),
      recall_(*store_, vectors_, options_.clock, recall_options()),
      decisions_(*store_, vectors_, decision_options(options_), &branches_),
      searches_(*store_, options_.clock) {
  if (options_.maintains) {
    keeper_ = std::jthread([this](const std::stop_token& stop) { look_after(stop); });
  }
}

Memory::~Memory() = default;

void Memory::note_search(const RecallRequest& request, const RecallAnswer& found,
                         std::size_t returned) {
  SearchTrace trace;
  if (!request.projects.empty()) trace.project = request.projects.front();
  if (!options_.leaves_traces || matches_any(options_.excluded_projects, trace.project)) return;
  trace.query = request.query;
  if (found.is_hybrid) trace.mode = "hybrid";
  trace.vector_backend = vector_backend_name(found.backend);
  trace.vector_hits = found.vector_hits;
  trace.lexical_hits = found.lexical_hits;
  trace.returned = returned;
  trace.total_ms = found.total_ms;
  trace.lexical_ms = found.lexical_ms;
  trace.vector_ms = found.vector_ms;
  trace.fuse_ms = found.fuse_ms;
  trace.degraded = found.degraded;
  searches_.record(std::move(trace));
}

std::unique_ptr<BranchAccess> Memory::branches_of(const std::filesystem::path& other) {
  return std::make_unique<BranchAccess>(*store_, options_.branches, options_.clock, other);
}

std::shared_ptr<const BranchScope> Memory::seen_now() {
  if (const auto looked = branches_.look(); !looked.ok()) {
    log_warn("what was written on branches was not looked at: {}", looked.error().message());
  }
  return branches_.scope();
}

void Memory::look_around(const CiteText& cite) {
  seen_now();
  if (!options_.look_around) return;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t at_ms = steady_ms();
    if (looked_around_ms_ != kNeverLooked && at_ms - looked_around_ms_ < kLookPause.count()) return;
    looked_around_ms_ = at_ms;
  }
  if (const auto looked = options_.look_around(*this, cite); !looked.ok()) {
    log_warn("what the team shares was not taken in: {}", looked.error().message());
  }
}

void Memory::note_change() {
  const std::lock_guard lock(mutex_);
  has_changed_ = true;
  changed_.notify_all();
}

std::unique_ptr<ChromaMirror> Memory::make_mirror() {
  if (options_.chroma == nullptr) return nullptr;
  ChromaMirror::Wake wake;
  if (options_.maintains) {
    wake = [this](ChromaMirror::Reason reason) {
      const std::lock_guard lock(mutex_);
      has_changed_ = true;
      if (reason == ChromaMirror::Reason::kServer) chroma_is_back_ = true;
      changed_.notify_all();
    };
  }
  return std::make_unique<ChromaMirror>(*store_, vectors_, options_.chroma,
                                        options_.chroma_collection, std::move(wake));
}

RecallOptions Memory::recall_options() const {
  RecallOptions options = options_.recall;
  if (options.backend != VectorBackend::kSqlite) options.chroma = chroma_.get();
  options.branches = &branches_;
  return options;
}

void Memory::look_after(const std::stop_token& stop) {
  using SteadyClock = std::chrono::steady_clock;
  // What goes over a network may fail; then it rests, and longer each time, whatever is saved.
  std::optional<SteadyClock::time_point> retry_at;
  std::optional<SteadyClock::time_point> erase_at;  // what could not be erased
  auto rest = kFirstRest;
  std::string logged;
  std::unique_lock lock(mutex_);
  const auto has_changed = [this] { return has_changed_; };
  while (!stop.stop_requested()) {
    auto wake_at = retry_at;
    if (erase_at && (!wake_at || *erase_at < *wake_at)) wake_at = erase_at;
    if (wake_at) {
      changed_.wait_until(lock, stop, *wake_at, has_changed);
    } else {
      changed_.wait(lock, stop, has_changed);
    }
    if (has_changed_) changed_.wait_for(lock, stop, kSettleTime, [] { return false; });
    if (stop.stop_requested()) return;
    has_changed_ = false;
    if (std::exchange(chroma_is_back_, false)) retry_at.reset();
    lock.unlock();
    try {
      if (const auto done = recall_.maintain(stop); !done.ok() && !stop.stop_requested()) {
        log_warn("memory: {}", done.error().message());
      }
      const auto erased = finish_erasure(*store_, {});
      if (!erased.ok()) log_warn("memory: {}", erased.error().message());
      erase_at.reset();
      if (erased.ok() && !*erased) erase_at = SteadyClock::now() + kErasurePause;
      if (vector_backend() != VectorBackend::kSqlite && chroma_ != nullptr &&
          (!retry_at || SteadyClock::now() >= *retry_at)) {
        const auto done = chroma_->follow(stop);
        if (!done.ok() && !stop.stop_requested()) {
          if (std::exchange(logged, done.error().message()) != logged) {
            log_warn("memory: documents wait to be sent: {}", logged);
          }
          retry_at = SteadyClock::now() + rest;
          rest = std::min(rest * 2, kLongestRest);
        } else {
          retry_at.reset();
          rest = kFirstRest;
          logged.clear();
        }
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
