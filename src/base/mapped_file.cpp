// Tested by base/mapped_file_test.cpp.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/crc32.h"

namespace codexmem {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto failed = [&] {
    const int code = errno;
    return Error{code == ENOENT || code == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
                 fmt::format("{}: {}", path.string(), std::generic_category().message(code))};
  };
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return failed();
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed();
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kUnsupported, fmt::format("{} is not a file", path.string())};
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return MappedFile(std::move(file), nullptr, 0);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return failed();
  return MappedFile(std::move(file), static_cast<const char*>(data), size);
}

std::uint32_t MappedFile::checksum(std::size_t size) const {
  constexpr std::size_t kStep = std::size_t{4} << 20;  // whole pages
  const std::string_view all = bytes().substr(0, size);
  std::uint32_t checksum = 0;
  for (std::size_t at = 0; at < all.size(); at += kStep) {
    const std::string_view part = all.substr(at, kStep);
    checksum = crc32(part, checksum);
    ::madvise(const_cast<char*>(part.data()), part.size(), MADV_DONTNEED);
  }
  return checksum;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  file_ = std::move(other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

bool MappedFile::is_whole() const {
  struct stat info {};
  return ::fstat(file_.get(), &info) == 0 && static_cast<std::size_t>(info.st_size) >= size_;
}

}  // namespace codexmem
