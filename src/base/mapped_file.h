// base/mapped_file.h - the bytes of a file as memory, without reading it. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace codexmem {

/// A regular file, mapped for reading. Pages come when they are touched, and processes share them.
/// For files that are only ever replaced by another (base/file.h): whoever cuts one that is mapped
/// makes its readers fail with SIGBUS.
class MappedFile {
 public:
  /// Errors: kNotFound; kIo when it cannot be opened or mapped; kUnsupported when it is no regular
  /// file.
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

  /// The CRC-32 of the first `size` bytes (all, if there are fewer). The pages do not stay in this
  /// process's memory for it.
  std::uint32_t checksum(std::size_t size) const;

  /// False when another program has cut the file, so that bytes() must no longer be touched. One
  /// system call.
  bool is_whole() const;

 private:
  MappedFile(FileDescriptor file, const char* data, std::size_t size)
      : file_(std::move(file)), data_(data), size_(size) {}

  FileDescriptor file_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace codexmem
