// search/byte_blocks.h - a byte buffer that grows in blocks and never copies. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// Appended pieces of bytes; each is within one block.
class ByteBlocks {
 public:
  /// Adds `piece` and returns its place. The caller must keep bytes() at most 4 GB.
  std::uint32_t append(std::string_view piece) {
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < piece.size()) {
      blocks_.emplace_back().reserve(std::max(kBlockBytes, piece.size()));
    }
    const std::size_t place = (blocks_.size() - 1) * kBlockBytes + blocks_.back().size();
    blocks_.back() += piece;
    return static_cast<std::uint32_t>(place);
  }

  /// The piece at `place`, and the bytes after it in its block.
  std::string_view from(std::uint32_t place) const {
    return std::string_view(blocks_[place / kBlockBytes]).substr(place % kBlockBytes);
  }
  /// Each is filled from its begin; the last may be empty.
  const std::vector<std::string>& blocks() const { return blocks_; }
  /// Bytes of all pieces, plus the free space at the ends of blocks.
  std::size_t bytes() const { return blocks_.size() * kBlockBytes; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  std::vector<std::string> blocks_;
};

}  // namespace codexmem::search
