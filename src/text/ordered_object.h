// text/ordered_object.h - the members of a JSON object, in insertion order.
//
// The library's own ordered map scans all members for each added one: an object with 60,000 members
// took half a minute to parse, and senders may be hostile. This map adds a hash index once it has
// more than a few members, with a key of this process (text/text_hash.h). Only for text/json.h.
//
// Tested by text/ordered_object_test.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/text_hash.h"

namespace codexmem {

/// A map for nlohmann::basic_json.
template <class Key, class T, class IgnoredLess, class Allocator>
class OrderedObject : public std::vector<std::pair<const Key, T>, Allocator> {
  using Members = std::vector<std::pair<const Key, T>, Allocator>;

  // The types that can name a member.
  template <class Name>
  static constexpr bool is_name = std::is_convertible_v<const Name&, std::string_view> &&
                                  !std::is_convertible_v<Name, typename Members::const_iterator> &&
                                  !std::is_convertible_v<Name, typename Members::iterator>;

 public:
  using key_type = Key;
  using mapped_type = T;
  using key_compare = std::equal_to<>;
  using typename Members::const_iterator;
  using typename Members::iterator;
  using typename Members::size_type;
  using typename Members::value_type;

  OrderedObject() noexcept = default;
  explicit OrderedObject(const Allocator& allocator) noexcept : Members(allocator) {}
  template <class It>
  OrderedObject(It first, It last, const Allocator& allocator = Allocator()) : Members(allocator) {
    insert(first, last);
  }
  OrderedObject(std::initializer_list<value_type> members, const Allocator& allocator = Allocator())
      : Members(allocator) {
    insert(members.begin(), members.end());
  }

  template <class Name>
  requires is_name<Name> std::pair<iterator, bool> emplace(Name&& name, T&& value) {
    const std::size_t at = locate(name);
    if (at < this->size()) return {place(at), false};
    Members::emplace_back(std::forward<Name>(name), std::forward<T>(value));
    note_last();
    return {std::prev(this->end()), true};
  }
  std::pair<iterator, bool> insert(value_type&& member) {
    return emplace(member.first, std::move(member.second));
  }
  std::pair<iterator, bool> insert(const value_type& member) {
    return emplace(member.first, T(member.second));
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void insert(It first, It last) {
    for (; first != last; ++first) insert(*first);
  }

  template <class Name>
  requires is_name<Name> T& operator[](Name&& name) {
    return emplace(std::forward<Name>(name), T{}).first->second;
  }
  template <class Name>
  requires is_name<Name>
  const T& operator[](Name&& name) const { return at(name); }
  template <class Name>
  requires is_name<Name> T& at(Name&& name) {
    const std::size_t at = locate(name);
    if (at == this->size()) throw std::out_of_range("there is no such member");
    return place(at)->second;
  }
  template <class Name>
  requires is_name<Name>
  const T& at(Name&& name) const {
    const std::size_t at = locate(name);
    if (at == this->size()) throw std::out_of_range("there is no such member");
    return place(at)->second;
  }
  template <class Name>
  requires is_name<Name> iterator find(Name&& name) { return place(locate(name)); }
  template <class Name>
  requires is_name<Name> const_iterator find(Name&& name)
  const { return place(locate(name)); }
  template <class Name>
  requires is_name<Name> size_type count(Name&& name)
  const { return locate(name) < this->size() ? 1 : 0; }

  template <class Name>
  requires is_name<Name> size_type erase(Name&& name) {
    const std::size_t at = locate(name);
    if (at == this->size()) return 0;
    erase(place(at));
    return 1;
  }
  iterator erase(iterator position) { return erase(position, std::next(position)); }
  iterator erase(iterator first, iterator last) {
    // Keys are constant, so members cannot be assigned: the others are moved into a new vector.
    const auto at = first - this->begin();
    Members kept(this->get_allocator());
    kept.reserve(this->size());
    std::move(this->begin(), first, std::back_inserter(kept));
    std::move(last, this->end(), std::back_inserter(kept));
    Members::swap(kept);
    rebuild();
    return this->begin() + at;
  }
  void clear() {
    Members::clear();
    slots_.clear();
  }

 private:
  // Up to this many members are searched linearly.
  static constexpr std::size_t kFew = 16;

  iterator place(std::size_t at) { return this->begin() + static_cast<std::ptrdiff_t>(at); }
  const_iterator place(std::size_t at) const {
    return this->begin() + static_cast<std::ptrdiff_t>(at);
  }

  // The index of the member `name`; size() if not found.
  std::size_t locate(std::string_view name) const {
    if (slots_.empty()) {
      std::size_t at = 0;
      for (const auto& member : *this) {
        if (std::string_view(member.first) == name) return at;
        ++at;
      }
      return at;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash_text(name) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const std::size_t at = slots_[slot] - 1;
      if (std::string_view(Members::operator[](at).first) == name) return at;
    }
    return this->size();
  }

  void put(std::size_t at) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_text(Members::operator[](at).first) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(at + 1);
  }

  // Call it after appending a member.
  void note_last() {
    if (this->size() <= kFew) return;
    if (2 * this->size() > slots_.size()) {
      rebuild();
    } else {
      put(this->size() - 1);
    }
  }

  void rebuild() {
    slots_.clear();
    if (this->size() <= kFew) return;
    slots_.resize(std::bit_ceil(4 * this->size()));
    for (std::size_t at = 0; at < this->size(); ++at) put(at);
  }

  // A hash table with linear probing: the index of a member + 1, or 0. Empty for few members.
  std::vector<std::uint32_t> slots_;
};

}  // namespace codexmem
