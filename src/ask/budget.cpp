#include "ask/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace codexmem::ask {

std::size_t count_fitting(const std::vector<std::string>& items, std::size_t max_bytes) {
  return write_fitting(items.size(), max_bytes, [&](std::size_t i) { return items[i]; }).size();
}

std::vector<std::string> write_fitting(std::size_t count, std::size_t max_bytes,
                                       const std::function<std::string(std::size_t)>& write) {
  std::vector<std::string> items;
  for (std::size_t bytes = 0; items.size() < count;) {
    std::string item = write(items.size());
    bytes += item.size() + 1;
    if (bytes > max_bytes && !items.empty()) break;
    items.push_back(std::move(item));
  }
  return items;
}

std::size_t room_for_items(std::size_t max_bytes, std::string_view siblings) {
  constexpr std::size_t kFrameBytes = 70;  // {"results":[]} and omitted, nextOffset of six digits
  return bytes_left(max_bytes, siblings.size() + kFrameBytes);
}

void add_omitted(Omitted& omitted, std::string_view name, std::size_t count) {
  if (count == 0) return;
  const auto found = std::ranges::find(omitted, name, &Omitted::value_type::first);
  if (found != omitted.end()) {
    found->second += count;
  } else {
    omitted.emplace_back(name, count);
  }
}

void ListCutter::keep(List& list, std::size_t share) {
  std::size_t room = std::min(share, left_);
  const std::size_t most = std::min(list.options.most, list.kept.size());
  for (; list.next < list.kept.size() && list.count < most; ++list.next) {
    const auto& order = list.options.order;
    const std::size_t at = order.empty() ? list.next : order[list.next];
    const std::size_t size = list.size(at) + 1;
    if (size > room && !list.options.skips_large) break;
    if (size > room) continue;
    room -= size;
    left_ -= size;
    list.kept[at] = true;
    ++list.count;
  }
}

void ListCutter::cut(bool hands_on) {
  for (List& list : lists_) keep(list, list.share);
  if (hands_on) {
    for (List& list : lists_) keep(list, left_);
  }
  for (const List& list : lists_) {
    add_omitted(omitted_, list.name, list.kept.size() - list.count + list.options.already_omitted);
    list.erase(list.kept);
  }
}

}  // namespace codexmem::ask
