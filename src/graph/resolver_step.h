// graph/resolver_step.h - bounds the recursion of a Resolver. Internal to its files.
#pragma once

#include "graph/project_tree.h"
#include "graph/resolver.h"

namespace codexmem::graph {

/// One level of recursion; the stack of a thread bears kMaxDepth of them.
class Resolver::Step {
 public:
  explicit Step(Resolver& resolver) : resolver_(resolver) {
    if (resolver_.depth_++ == 0) resolver_.steps_ = 0;
    ++resolver_.steps_;
  }
  ~Step() { --resolver_.depth_; }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  /// True when the answer has to be given up: it stays unknown.
  bool is_too_far() const { return resolver_.depth_ > kMaxDepth || resolver_.steps_ > kMaxSteps; }

 private:
  static constexpr int kMaxDepth = 96;
  static constexpr std::size_t kMaxSteps = 20'000;

  Resolver& resolver_;
};

/// Keeps what was computed. While it is being computed it is unknown, which ends cycles (a = a.b).
/// The reference stays valid: entries are never removed.
template <typename Compute>
const Entities& Resolver::memoised(std::unordered_map<std::uint32_t, Entities> FileMemo::*table,
                                   const FileModel& file, std::uint32_t key, Compute compute) {
  if (memo_file_ != &file) {
    memo_file_ = &file;
    file_memo_ = &memo_[&file];
  }
  const auto [entry, is_new] = (file_memo_->*table).try_emplace(key);
  Entities& entities = entry->second;
  if (!is_new) return entities;
  entities = {kUnknownEntity};
  return entities = compute();
}

}  // namespace codexmem::graph
