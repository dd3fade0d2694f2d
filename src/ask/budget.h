// ask/budget.h - the size of an answer, and how it is cut to it.
//
// Stateless; safe to use from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace codexmem::ask {

/// The bytes of `tokens`: answers have 3.5 to 3.6 bytes a token, as models count them.
constexpr std::size_t bytes_of_tokens(std::size_t tokens) { return tokens * 7 / 2; }
/// The tokens of `bytes`, rounded up.
constexpr std::size_t tokens_of_bytes(std::size_t bytes) { return (2 * bytes + 6) / 7; }

/// The size of an answer unless max_tokens says otherwise: 8 KB.
inline constexpr std::size_t kShortAnswerBytes = 8192;

/// The same of a list that is wanted whole: 25,000 tokens.
inline constexpr std::size_t kLongAnswerBytes = bytes_of_tokens(25'000);

/// The bytes of `max_bytes` that are left after `used`; 0 when none are.
constexpr std::size_t bytes_left(std::size_t max_bytes, std::size_t used) {
  return max_bytes > used ? max_bytes - used : 0;
}

/// How many of `items` (JSON texts in an array, in order) fit into `max_bytes`, commas included; at
/// least one when there is any.
std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes);
/// The texts of the first items that fit, likewise, of `count` items; `write` makes each text, and
/// is not called for later ones.
std::vector<std::string> write_fitting(std::size_t count, std::size_t max_bytes,
                                       const std::function<std::string(std::size_t)>& write);

/// The bytes left for a list's items in an answer of `max_bytes` with other members `siblings` (the
/// text of an object), `omitted` and `nextOffset`.
std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings);

/// How many items each list of an answer lacks, by its name.
using Omitted = std::vector<std::pair<std::string, std::size_t>>;

/// Adds `count` to the list `name`; nothing when it is 0.
void add_omitted(Omitted& omitted, std::string_view name, std::size_t count);

/// Cuts the lists of an answer to its size. Each list has a share of the bytes: it keeps the first
/// items that fit into the share and into what the lists before it have left. One thread.
class ListCutter {
 public:
  /// `bytes` is the room of all lists; `omitted`, borrowed, gets the counts of removed items.
  ListCutter(std::size_t bytes, Omitted& omitted) : left_(bytes), omitted_(omitted) {}

  struct Options {
    std::size_t most = SIZE_MAX;          // items
    std::vector<std::size_t> order = {};  // in which they are kept; empty: as they are
    bool skips_large = false;             // a smaller item may follow one that does not fit
    std::size_t already_omitted = 0;
  };

  /// `write` makes the JSON text of an item. Borrows `items` until cut(), which removes what does
  /// not fit and leaves the others in their order.
  template <typename Item, typename Write>
  void add(std::string_view name, std::vector<Item>& items, Write write, std::size_t share,
           Options options) {
    lists_.push_back({.name = name,
                      .share = share,
                      .options = std::move(options),
                      .size = [&items, write](std::size_t i) { return write(items[i]).size(); },
                      .erase =
                          [&items](const std::vector<bool>& kept) {
                            std::size_t end = 0;
                            for (std::size_t i = 0; i < items.size(); ++i) {
                              if (!kept[i]) continue;
                              if (end != i) items[end] = std::move(items[i]);
                              ++end;
                            }
                            items.erase(items.begin() + static_cast<std::ptrdiff_t>(end),
                                        items.end());
                          },
                      .kept = std::vector<bool>(items.size())});
  }
  template <typename Item, typename Write>
  void add(std::string_view name, std::vector<Item>& items, Write write, std::size_t share) {
    add(name, items, write, share, Options());
  }

  /// With `hands_on`, unused bytes then go to the lists that were cut, in their order.
  void cut(bool hands_on = false);

 private:
  struct List {
    std::string_view name;
    std::size_t share = 0;
    Options options;
    std::function<std::size_t(std::size_t)> size;
    std::function<void(const std::vector<bool>&)> erase;
    std::vector<bool> kept;
    std::size_t next = 0, count = 0;  // the item to look at; those that are kept
  };

  void keep(List& list, std::size_t share);

  std::size_t left_;
  Omitted& omitted_;
  std::vector<List> lists_;
};

/// How many items follow a page, and the offset of the next one.
struct Rest {
  std::size_t omitted = 0;
  std::size_t next_offset = 0;

  /// What follows the items before `end` of `total`.
  static Rest after(std::size_t end, std::size_t total) {
    return end < total ? Rest{total - end, end} : Rest{};
  }

  /// `nextOffset`, when there is one.
  std::optional<std::size_t> next() const {
    return omitted > 0 ? std::optional(next_offset) : std::nullopt;
  }
};

}  // namespace codexmem::ask
