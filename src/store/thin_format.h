// store/thin_format.h - the bytes of a thin database and of its base.
//
// thin := header map rest page*
//   header   kThinHeaderBytes, struct ThinHeader
//   map      a bit for each page of the base, from the lowest: set if the page is here
//   rest     zeros, to a multiple of kThinPageBytes
//   page     page N, from 0, at the end of the rest + N * kThinPageBytes; holes for what is in the
//            base
// base := "codexmem base 1\n" zeros(kThinPageBytes - 16) page*
//
// A page is here if its bit is set or its number is at least ThinHeader::own_from, which falls when
// SQLite cuts the file off.
//
// Internal to store/thin_file.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>

#include "base/file_descriptor.h"

namespace codexmem::store {

inline constexpr std::size_t kThinPageBytes = 4096;
inline constexpr std::size_t kThinHeaderBytes = 128;
inline constexpr std::uint32_t kMaxThinPages = 1U << 30;
inline constexpr std::size_t kBaseDigits = 16;
inline constexpr char kThinMark[17] = "codexmem thin 1\n";
inline constexpr char kBaseMark[17] = "codexmem base 1\n";

/// Which file a base is, and that nobody has written to it.
struct BaseIdentity {
  std::uint64_t number = 0;
  std::int64_t born_ns = 0;
  std::int64_t written_s = 0;
  std::uint64_t bytes = 0;

  bool operator==(const BaseIdentity&) const = default;
  /// Nothing if the open file cannot be read or is not a regular file.
  static std::optional<BaseIdentity> of(int fd);
};

// stored: never renumber
struct ThinHeader {
  std::array<char, 16> mark{};
  std::array<char, 32> base{};  // its name, ended by a zero
  BaseIdentity identity;
  std::array<char, 44> unused{};
  std::uint32_t own_from = 0;  // directly before the map: both are read at once

  /// Of a file that this program may have written.
  bool is_sound() const;
  std::string base_name() const;
  std::uint64_t base_pages() const { return identity.bytes / kThinPageBytes - 1; }
  std::size_t map_bytes() const { return static_cast<std::size_t>((base_pages() + 7) / 8); }
  /// Where page 0 is.
  std::uint64_t pages_at() const;
};
static_assert(sizeof(ThinHeader) == kThinHeaderBytes && std::is_trivially_copyable_v<ThinHeader>);
inline constexpr std::size_t kOwnFromAt = offsetof(ThinHeader, own_from);

/// The pages that `bytes` bytes take.
std::size_t count_pages(std::uint64_t bytes);

/// Not valid, with errno, if it cannot be opened or is a link.
FileDescriptor open_base(const std::filesystem::path& path);

/// False, with errno, if not all `count` bytes were read or written.
bool read_at(int fd, void* into, std::size_t count, std::uint64_t at);
bool write_at(int fd, const void* from, std::size_t count, std::uint64_t at);

}  // namespace codexmem::store
