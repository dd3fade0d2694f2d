// parse/walk/arena.h - the memory of one parse. Internal to parse.
//
// While an ArenaScope is open on a thread, Tree-sitter allocates only from its arena there. The
// arena frees everything at once, so a parse may be abandoned at any point: when the budget is used
// up, allocate() throws OverBudget through Tree-sitter's C frames (which are compiled with unwind
// tables). Not thread-safe: one parse, one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "parse/walk/budget.h"

namespace codexmem::parse {

/// Thrown by Arena::allocate(). Never leaves Tree-sitter's adapter.
struct OverBudget {};

class Arena {
 public:
  /// `budget` must outlive the last allocation.
  explicit Arena(const Budget& budget) : budget_(&budget) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Allocates `bytes` bytes, aligned to 8. Throws OverBudget.
  void* allocate(std::size_t bytes);
  /// Resizes a block to `bytes`, and may move it; nullptr allocates a new one.
  void* resize(void* block, std::size_t bytes);
  /// Keeps a block for later allocations.
  void release(void* block);

  /// Bytes taken from the system.
  std::size_t taken() const { return taken_; }

 private:
  // In a free block: a pointer to the next free block of its class.
  struct Free {
    Free* next;
  };
  // A block from malloc(), in a list of them.
  struct Large {
    Large* previous;
    Large* next;
  };
  static constexpr std::size_t kClasses = 96;

  void* allocate_large(std::size_t bytes);
  void pay(std::size_t bytes);

  const Budget* budget_;
  std::size_t taken_ = 0;
  char* slab_at_ = nullptr;
  char* slab_end_ = nullptr;
  Free* free_[kClasses] = {};
  Large* large_ = nullptr;
  std::vector<std::unique_ptr<char[]>> slabs_;
};

/// Makes Tree-sitter allocate from `arena` on this thread until the end of the scope.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena);
  ~ArenaScope();
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
};

}  // namespace codexmem::parse
