// search/byte_blocks.h - bytes that grow in blocks, so that growing never copies them. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

/// Pieces of bytes, one after the other; each lies in one block.
class ByteBlocks {
 public:
  /// Adds `piece`; returns its place. Valid while bytes() is at most 4 GB, which the caller sees
  /// to.
  std::uint32_t append(std::string_view piece) {
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < piece.size()) {
      blocks_.emplace_back().reserve(std::max(kBlockBytes, piece.size()));
    }
    const std::size_t place = (blocks_.size() - 1) * kBlockBytes + blocks_.back().size();
    blocks_.back() += piece;
    return static_cast<std::uint32_t>(place);
  }

  /// The piece at `place`, and what follows it in its block.
  std::string_view from(std::uint32_t place) const {
    return std::string_view(blocks_[place / kBlockBytes]).substr(place % kBlockBytes);
  }
  /// Each is read from its begin; the last may be empty.
  const std::vector<std::string>& blocks() const { return blocks_; }
  /// Bytes of all pieces, and of what is free at the ends of blocks.
  std::size_t bytes() const { return blocks_.size() * kBlockBytes; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  std::vector<std::string> blocks_;
};

}  // namespace codexmem::search
