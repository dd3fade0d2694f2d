// parse/arena.h - the memory of one parse. Internal to parse.
//
// Whatever Tree-sitter allocates on a thread while an ArenaScope stands comes from its arena. It
// goes all at once with the arena, so a parse may be abandoned anywhere: allocate() throws
// OverBudget when the budget is used up, through Tree-sitter's C frames (they are compiled with
// unwind tables). Not thread-safe: one parse, one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "parse/budget.h"

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

  /// `bytes` bytes for anything whose alignment is at most 8. Throws OverBudget.
  void* allocate(std::size_t bytes);
  /// The same block with room for `bytes`, elsewhere perhaps; nullptr is a block of none.
  void* resize(void* block, std::size_t bytes);
  /// Gives a block back for later allocations.
  void release(void* block);

  /// Bytes taken from the system.
  std::size_t taken() const { return taken_; }

 private:
  // What a free block holds: the next one of its class.
  struct Free {
    Free* next;
  };
  // A block of its own, in a list of such.
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

/// Has Tree-sitter allocate from `arena` on this thread, until the end of the scope.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena);
  ~ArenaScope();
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
};

}  // namespace codexmem::parse
