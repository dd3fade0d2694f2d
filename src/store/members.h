// store/members.h - the members of a plain struct, in their order. Internal to store.
//
// For structs of at most 16 members that are what a SELECT gives: query::as reads them column by
// column, so that no reader repeats the list. The struct has no base, and no member is an array.
#pragma once

#include <cstddef>

namespace codexmem::store {

struct AnyMember {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor): never called
};

template <typename Row, typename... Known>
constexpr std::size_t count_members() {
  if constexpr (requires { Row{Known{}..., AnyMember{}}; }) {
    return count_members<Row, Known..., AnyMember>();
  } else {
    return sizeof...(Known);
  }
}

/// Calls `visit` with each member of `row`.
template <typename Row, typename Visit>
void for_each_member(Row& row, const Visit& visit) {
  constexpr std::size_t kCount = count_members<Row>();
  static_assert(kCount >= 1 && kCount <= 16);
  const auto all = [&](auto&... members) { (visit(members), ...); };
  // clang-format off
  if constexpr (kCount == 1) { auto& [a] = row; all(a); }
  if constexpr (kCount == 2) { auto& [a, b] = row; all(a, b); }
  if constexpr (kCount == 3) { auto& [a, b, c] = row; all(a, b, c); }
  if constexpr (kCount == 4) { auto& [a, b, c, d] = row; all(a, b, c, d); }
  if constexpr (kCount == 5) { auto& [a, b, c, d, e] = row; all(a, b, c, d, e); }
  if constexpr (kCount == 6) { auto& [a, b, c, d, e, f] = row; all(a, b, c, d, e, f); }
  if constexpr (kCount == 7) { auto& [a, b, c, d, e, f, g] = row; all(a, b, c, d, e, f, g); }
  if constexpr (kCount == 8) { auto& [a, b, c, d, e, f, g, h] = row; all(a, b, c, d, e, f, g, h); }
  if constexpr (kCount == 9) { auto& [a, b, c, d, e, f, g, h, i] = row; all(a, b, c, d, e, f, g, h, i); }
  if constexpr (kCount == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = row; all(a, b, c, d, e, f, g, h, i, j); }
  if constexpr (kCount == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = row; all(a, b, c, d, e, f, g, h, i, j, k); }
  if constexpr (kCount == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = row; all(a, b, c, d, e, f, g, h, i, j, k, l); }
  if constexpr (kCount == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = row; all(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  if constexpr (kCount == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = row; all(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
  if constexpr (kCount == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = row; all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
  if constexpr (kCount == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = row; all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
  // clang-format on
}

}  // namespace codexmem::store
