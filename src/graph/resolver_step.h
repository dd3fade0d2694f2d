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
template <typename Compute>
Entities Resolver::memoised(std::unordered_map<std::uint32_t, Entities> FileMemo::*table,
                            const FileModel& file, std::uint32_t key, Compute compute) {
  {
    auto& memo = memo_[&file].*table;
    if (const auto known = memo.find(key); known != memo.end()) return known->second;
    memo[key] = {kUnknownEntity};
  }
  Entities entities = compute();
  (memo_[&file].*table)[key] = entities;
  return entities;
}

}  // namespace codexmem::graph
