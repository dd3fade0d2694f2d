// base/mapped_file.h - maps a file into memory instead of reading it. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace codexmem {

/// A regular file, mapped for reading. Pages are loaded when they are touched, and processes share
/// them. Use it only for files that are replaced as a whole (base/file.h): truncating a mapped file
/// makes its readers fail with SIGBUS.
class MappedFile {
 public:
  /// Errors: kNotFound; kIo when it cannot be opened or mapped; kUnsupported when it is not a
  /// regular file.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

  /// The CRC-32 of the first `size` bytes, or of all bytes if there are fewer. The pages that it
  /// reads do not stay in this process's memory.
  std::uint32_t checksum(std::size_t size) const;

  /// False when another program has truncated the file; bytes() must then no longer be touched.
  /// Costs one system call.
  bool is_whole() const;

 private:
  MappedFile(FileDescriptor file, const char* data, std::size_t size)
      : file_(std::move(file)), data_(data), size_(size) {}

  FileDescriptor file_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace codexmem
