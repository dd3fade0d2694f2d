// search/packed.h - packed arrays for the parts of a snapshot, in memory and in its file.
//
// Little-endian. Readers do not trust the bytes: anything truncated, or that points beyond an end,
// reads as empty or zero, so damaged bytes give a wrong answer at worst, never a crash. These are
// views; the bytes must outlive them. Thread-safe to read.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::search {

static_assert(std::endian::native == std::endian::little, "packed arrays are as memory has them");

inline void put_varint(std::uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

/// Appends the length of `text`, then its bytes.
inline void put_text(std::string_view text, std::string* bytes) {
  put_varint(text.size(), bytes);
  *bytes += text;
}

/// Reads consecutive varints; 0 at the end.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_at_end() const { return at_ == end_; }
  std::uint32_t next() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 35; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return value;
  }
  /// The next `size` bytes, or as many as are left.
  std::string_view text(std::size_t size) {
    const std::string_view found(at_, std::min(size, static_cast<std::size_t>(end_ - at_)));
    at_ += found.size();
    return found;
  }

 private:
  const char* at_;
  const char* end_;
};

/// An array of numbers of fixed size.
template <typename T>
class PackedArray {
 public:
  PackedArray() = default;
  explicit PackedArray(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / sizeof(T); }
  T operator[](std::size_t index) const {
    T value{};
    if (index < size()) std::memcpy(&value, bytes_.data() + index * sizeof(T), sizeof(T));
    return value;
  }

 private:
  std::string_view bytes_;
};

/// Texts in one sequence of bytes, by number.
class PackedTexts {
 public:
  PackedTexts() = default;
  PackedTexts(std::string_view bytes, std::string_view begins) : begins_(begins), bytes_(bytes) {}

  std::size_t size() const { return begins_.size() == 0 ? 0 : begins_.size() - 1; }
  std::string_view operator[](std::size_t index) const {
    const std::uint32_t begin = begins_[index];
    const std::uint32_t end = begins_[index + 1];
    return begin <= end && end <= bytes_.size() ? bytes_.substr(begin, end - begin)
                                                : std::string_view();
  }
  /// The number of the first text that is not less than `text`; the texts must be sorted by bytes.
  std::size_t lower_bound(std::string_view text) const {
    std::size_t low = 0;
    for (std::size_t high = size(); low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if ((*this)[middle] < text) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  PackedArray<std::uint32_t> begins_;  // one more than the number of texts
  std::string_view bytes_;
};

/// Ascending numbers below `limit`: differences, as varints.
class PackedNumbers {
 public:
  class Iterator {
   public:
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    Iterator(std::string_view bytes, std::uint32_t limit) : reader_(bytes), limit_(limit) {
      ++*this;
    }
    std::uint32_t operator*() const { return value_; }
    Iterator& operator++() {
      if (reader_.is_at_end()) {
        is_over_ = true;
      } else {
        value_ += reader_.next();
        is_over_ = value_ >= limit_;
      }
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return is_over_; }

   private:
    VarintReader reader_;
    std::uint32_t limit_;
    std::uint32_t value_ = 0;
    bool is_over_ = false;
  };

  PackedNumbers(std::string_view bytes, std::uint32_t limit) : bytes_(bytes), limit_(limit) {}
  Iterator begin() const { return {bytes_, limit_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string_view bytes_;
  std::uint32_t limit_;
};

template <typename T>
void put_value(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace codexmem::search
