// Tested by text/byte_pattern_test.cpp.
#include "text/byte_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/result.h"

namespace codexmem {
namespace {

// A few hundred of them may be in use at once. This is enough for each to hold its automaton.
constexpr std::int64_t kMaxMemory = 256 << 10;

re2::RE2::Options options() {
  re2::RE2::Options how;
  how.set_encoding(re2::RE2::Options::EncodingLatin1);
  how.set_log_errors(false);
  how.set_max_mem(kMaxMemory);
  return how;
}

}  // namespace

struct BytePattern::Impl {
  explicit Impl(std::string_view pattern) : regex({pattern.data(), pattern.size()}, options()) {}
  re2::RE2 regex;
};

BytePattern::BytePattern(std::string_view pattern) : impl_(std::make_unique<Impl>(pattern)) {
  if (!impl_->regex.ok()) {
    check_failed((impl_->regex.error() + " in " + impl_->regex.pattern()).c_str(), __FILE__,
                 __LINE__);
  }
}
BytePattern::~BytePattern() = default;
BytePattern::BytePattern(BytePattern&&) noexcept = default;
BytePattern& BytePattern::operator=(BytePattern&&) noexcept = default;

std::size_t BytePattern::group_count() const {
  return static_cast<std::size_t>(impl_->regex.NumberOfCapturingGroups()) + 1;
}

bool BytePattern::match(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<ByteRange> groups) const {
  std::array<re2::StringPiece, kMaxGroups> pieces;
  const std::size_t count = std::min({groups.size(), kMaxGroups, group_count()});
  if (!impl_->regex.Match({text.data(), text.size()}, begin, end, re2::RE2::ANCHOR_START,
                          pieces.data(), static_cast<int>(count))) {
    return false;
  }
  using Offset = decltype(ByteRange::begin);
  for (std::size_t n = 0; n < groups.size(); ++n) {
    groups[n] = {};
    if (n >= count || pieces[n].data() == nullptr) continue;
    const auto at = static_cast<std::size_t>(pieces[n].data() - text.data());
    groups[n] = {static_cast<Offset>(at), static_cast<Offset>(at + pieces[n].size())};
  }
  return true;
}

}  // namespace codexmem
