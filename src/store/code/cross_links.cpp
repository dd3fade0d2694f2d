#include "store/code/cross_links.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace codexmem::store {

CrossLinks::CrossLinks(std::vector<DependencyRow> rows) : rows_(std::move(rows)) {
  std::erase_if(rows_, [](const DependencyRow& row) { return !row.target.has_value(); });
  std::ranges::stable_sort(rows_, [](const DependencyRow& a, const DependencyRow& b) {
    return std::tie(a.source, a.import_index) < std::tie(b.source, b.import_index);
  });
  by_target_.resize(rows_.size());
  std::iota(by_target_.begin(), by_target_.end(), std::size_t{0});
  std::ranges::stable_sort(by_target_, {}, [&](std::size_t i) { return *rows_[i].target; });
}

std::span<const DependencyRow> CrossLinks::from(FileId source) const {
  const auto begin = std::ranges::lower_bound(rows_, source, {}, &DependencyRow::source);
  return {begin, std::ranges::upper_bound(rows_, source, {}, &DependencyRow::source)};
}

std::vector<DependencyRow> CrossLinks::to(FileId target) const {
  std::vector<DependencyRow> found;
  const auto target_of = [&](std::size_t i) { return *rows_[i].target; };
  auto place = std::ranges::lower_bound(by_target_, target, {}, target_of);
  for (; place != by_target_.end() && target_of(*place) == target; ++place) {
    found.push_back(rows_[*place]);
  }
  return found;
}

}  // namespace codexmem::store
