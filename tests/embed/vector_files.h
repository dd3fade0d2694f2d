// The two files of a vector index, to be changed by tests and fuzzers.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/crc32.h"
#include "base/file.h"
#include "embed/vector_index.h"

namespace codexmem::embed {

struct VectorFiles {
  // The places and sizes of the fields in the side file.
  static constexpr std::size_t kFormat = 4, kSum = 8, kSummedFrom = 12, kFileBytes = 12,
                               kFileSum = 20, kGeneration = 24, kVectors = 32, kDimension = 40,
                               kLists = 44, kModelBytes = 48, kModel = 52;

  static VectorFiles read(const std::filesystem::path& path) {
    return {read_file(path).value(), read_file(VectorIndex::side_path(path)).value()};
  }

  /// New files, not synced: tests write hundreds, and existing mappings stay valid.
  void write(const std::filesystem::path& path) const {
    std::filesystem::remove(path);
    std::filesystem::remove(VectorIndex::side_path(path));
    std::ofstream(path, std::ios::binary) << faiss;
    std::ofstream(VectorIndex::side_path(path), std::ios::binary) << side;
  }

  template <typename T>
  static void put(std::string* bytes, std::size_t at, T value) {
    if (at + sizeof value <= bytes->size()) std::memcpy(bytes->data() + at, &value, sizeof value);
  }
  template <typename T>
  static T get(const std::string& bytes, std::size_t at) {
    T value{};
    if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  /// Makes both belong together, as somebody would who damages them on purpose.
  void seal() {
    put(&side, kFileBytes, std::uint64_t{faiss.size()});
    put(&side, kFileSum, crc32(faiss));
    if (side.size() >= kSummedFrom) {
      put(&side, kSum, crc32(std::string_view(side).substr(kSummedFrom)));
    }
  }

  std::string faiss, side;
};

}  // namespace codexmem::embed
