// Blocks of up to 16 KB are cut from slabs; released ones are kept in lists by size. Each larger
// block comes from malloc(), so that a growing array gives back its old memory.
//
//     block := payload size (8 bytes) payload
//
// Sizes are multiples of 16, less 8 for the head, up to 1 KB, then powers of two. Slabs are reused
// by the thread's next parse: most files need one or two. The budget is checked for each slab and
// each large block. This also ends a step of Tree-sitter that copies endlessly, because its own
// progress callback runs only between steps.
//
// Why not Tree-sitter's parser with malloc(): no other way is known to end a parse within a step.
// Error recovery at the end of 40 KB of "a<b,a<b," took 6 GB and 23 s, with a limit of 2 s
// (November 2026, runtime 0.25.1).
//
// Tested by extract_test.cpp.
#include "parse/walk/arena.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include <tree_sitter/api.h>

namespace codexmem::parse {
namespace {

constexpr std::size_t kHead = sizeof(std::size_t);
constexpr std::size_t kSlabBytes = 256 << 10;
constexpr std::size_t kMaxIdleSlabs = 16;
constexpr std::size_t kFineBytes = 1024;
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1  // what gcc defines
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMaxSlabBlock = 0;  // malloc() knows where each block ends
#else
constexpr std::size_t kMaxSlabBlock = 16 << 10;
#endif

// The size class of a block, and the bytes of such a block including its head.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass class_of(std::size_t bytes) {
  if (bytes <= kFineBytes) {
    const std::size_t index = (bytes + 15) / 16;
    return {index, index * 16};
  }
  const std::size_t power = std::bit_width(bytes - 1);
  return {64 + power - 10, std::size_t{1} << power};
}

std::size_t& room_of(void* block) { return static_cast<std::size_t*>(block)[-1]; }

std::vector<std::unique_ptr<char[]>>& idle_slabs() {
  thread_local std::vector<std::unique_ptr<char[]>> slabs;
  return slabs;
}

thread_local Arena* current = nullptr;

void* checked(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void* hook_malloc(std::size_t bytes) {
  return current != nullptr ? current->allocate(bytes) : checked(std::malloc(bytes));
}

void* hook_calloc(std::size_t count, std::size_t bytes) {
  if (current == nullptr) return checked(std::calloc(count, bytes));
  void* block = current->allocate(count * bytes);
  return std::memset(block, 0, count * bytes);
}

void* hook_realloc(void* block, std::size_t bytes) {
  return current != nullptr ? current->resize(block, bytes) : checked(std::realloc(block, bytes));
}

void hook_free(void* block) {
  if (current == nullptr) {
    std::free(block);
  } else {
    current->release(block);
  }
}

}  // namespace

Arena::~Arena() {
  while (large_ != nullptr) {
    Large* next = large_->next;
    std::free(large_);
    large_ = next;
  }
  auto& idle = idle_slabs();
  while (!slabs_.empty() && idle.size() < kMaxIdleSlabs) {
    idle.push_back(std::move(slabs_.back()));
    slabs_.pop_back();
  }
}

void Arena::pay(std::size_t bytes) {
  if (taken_ + bytes > budget_->bytes() || budget_->is_over()) throw OverBudget{};
  taken_ += bytes;
}

void* Arena::allocate(std::size_t bytes) {
  if (bytes + kHead > kMaxSlabBlock) return allocate_large(bytes);
  const SizeClass size = class_of(bytes + kHead);
  if (Free* block = free_[size.index]; block != nullptr) {
    free_[size.index] = block->next;
    return block;
  }
  if (static_cast<std::size_t>(slab_end_ - slab_at_) < size.bytes) {
    pay(kSlabBytes);
    auto& idle = idle_slabs();
    if (idle.empty()) {
      slabs_.push_back(std::unique_ptr<char[]>(new char[kSlabBytes]));
    } else {
      slabs_.push_back(std::move(idle.back()));
      idle.pop_back();
    }
    slab_at_ = slabs_.back().get();
    slab_end_ = slab_at_ + kSlabBytes;
  }
  void* block = slab_at_ + kHead;
  room_of(block) = size.bytes - kHead;
  slab_at_ += size.bytes;
  return block;
}

void* Arena::allocate_large(std::size_t bytes) {
  pay(bytes);
  auto* list = static_cast<Large*>(checked(std::malloc(sizeof(Large) + kHead + bytes)));
  *list = {nullptr, large_};
  if (large_ != nullptr) large_->previous = list;
  large_ = list;
  void* block = reinterpret_cast<char*>(list + 1) + kHead;
  room_of(block) = bytes;
  return block;
}

void* Arena::resize(void* block, std::size_t bytes) {
  if (block != nullptr && bytes <= room_of(block)) return block;
  void* larger = allocate(bytes);
  if (block != nullptr) {
    std::memcpy(larger, block, room_of(block));
    release(block);
  }
  return larger;
}

void Arena::release(void* block) {
  if (block == nullptr) return;
  const std::size_t room = room_of(block);
  if (room + kHead <= kMaxSlabBlock) {
    Free*& first = free_[class_of(room + kHead).index];
    first = new (block) Free{first};
    return;
  }
  taken_ -= room;
  auto* list = reinterpret_cast<Large*>(static_cast<char*>(block) - kHead) - 1;
  if (list->next != nullptr) list->next->previous = list->previous;
  (list->previous != nullptr ? list->previous->next : large_) = list->next;
  std::free(list);
}

ArenaScope::ArenaScope(Arena& arena) {
  static const bool is_set = [] {
    ts_set_allocator(hook_malloc, hook_calloc, hook_realloc, hook_free);
    return true;
  }();
  static_cast<void>(is_set);
  current = &arena;
}

ArenaScope::~ArenaScope() { current = nullptr; }

}  // namespace codexmem::parse
