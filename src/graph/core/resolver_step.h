// graph/core/resolver_step.h - bounds the recursion of a Resolver. Internal to its files.
#pragma once

#include <algorithm>
#include <utility>

#include "graph/core/project_tree.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// One level of recursion; the stack of a thread bears kMaxDepth of them.
class Resolver::RecursionGuard {
 public:
  explicit RecursionGuard(Resolver& resolver) : resolver_(resolver) {
    if (resolver_.depth_++ == 0) resolver_.steps_ = 0;
    ++resolver_.steps_;
  }
  ~RecursionGuard() { --resolver_.depth_; }
  RecursionGuard(const RecursionGuard&) = delete;
  RecursionGuard& operator=(const RecursionGuard&) = delete;

  /// True when the answer has to be given up: it stays unknown.
  bool over_limit() const {
    if (resolver_.depth_ <= kMaxDepth && resolver_.steps_ <= kMaxSteps) return false;
    resolver_.cut_ = 0;
    return true;
  }

 private:
  static constexpr int kMaxDepth = 96;
  static constexpr std::size_t kMaxSteps = 20'000;

  Resolver& resolver_;
};

/// Keeps what was computed. While it is being computed it is `meanwhile`, which ends cycles
/// (a = a.b). What was computed from such a thing, or given up, is kept for the question at hand
/// alone: it would be another answer if something else had been asked first. The reference stays
/// valid until the next question; entries are never removed.
template <typename Key, typename Compute>
const Entities& Resolver::memoised(std::unordered_map<Key, Memo> FileMemo::*table,
                                   const FileModel& file, const Key& key, const Entities& meanwhile,
                                   Compute compute) {
  if (level_ == 0) ++question_;
  if (memo_file_ != &file) {
    memo_file_ = &file;
    file_memo_ = &memo_[&file];
  }
  Memo& memo = (file_memo_->*table)[key];
  if (memo.is_final) return memo.entities;
  if (memo.level != 0 || memo.question == question_) {
    cut_ = std::min(cut_, memo.level != 0 ? memo.level : memo.cut);
    return memo.entities;
  }
  const std::uint32_t level = ++level_;
  const std::uint32_t outer_cut = std::exchange(cut_, kNotCut);
  memo.level = level;
  memo.entities = meanwhile;
  Entities entities = compute();
  --level_;
  memo.entities = std::move(entities);
  memo.level = 0;
  memo.question = question_;
  memo.cut = cut_;
  memo.is_final = cut_ >= level;
  cut_ = std::min(outer_cut, memo.is_final ? kNotCut : memo.cut);
  return memo.entities;
}

}  // namespace codexmem::graph
