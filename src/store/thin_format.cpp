#include "store/thin_format.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "store/thin_file.h"

namespace codexmem::store {
namespace fs = std::filesystem;

std::size_t count_pages(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + kThinPageBytes - 1) / kThinPageBytes);
}

std::uint64_t ThinHeader::pages_at() const {
  return count_pages(kThinHeaderBytes + map_bytes()) * kThinPageBytes;
}

std::string ThinHeader::base_name() const {
  return {base.data(), ::strnlen(base.data(), base.size())};
}

bool ThinHeader::is_sound() const {
  const std::string name = base_name();
  const std::string_view prefix = kBasePrefix;
  return name.starts_with(prefix) && name.size() == prefix.size() + kBaseDigits &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos &&
         identity.bytes % kThinPageBytes == 0 && identity.bytes > kThinPageBytes &&
         base_pages() <= kMaxThinPages && own_from <= base_pages();
}

std::optional<BaseIdentity> BaseIdentity::of(int fd) {
  struct statx info {};
  if (::statx(fd, "", AT_EMPTY_PATH,
              STATX_INO | STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_BTIME, &info) != 0 ||
      !S_ISREG(info.stx_mode)) {
    return std::nullopt;
  }
  BaseIdentity found{
      .number = info.stx_ino, .written_s = info.stx_mtime.tv_sec, .bytes = info.stx_size};
  if ((info.stx_mask & STATX_BTIME) != 0) {
    found.born_ns = info.stx_btime.tv_sec * 1'000'000'000 + info.stx_btime.tv_nsec;
  }
  return found;
}

FileDescriptor open_base(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

bool read_at(int fd, void* into, std::size_t count, std::uint64_t at) {
  auto* to = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = ::pread(fd, to, count, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    at += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_at(int fd, const void* from, std::size_t count, std::uint64_t at) {
  const auto* data = static_cast<const char*>(from);
  while (count > 0) {
    const ssize_t put = ::pwrite(fd, data, count, static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    data += put;
    at += static_cast<std::uint64_t>(put);
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace codexmem::store
