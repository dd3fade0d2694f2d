// support/names_of_one_hash.h - texts that std::hash of libstdc++ takes for the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace codexmem::testing {

/// The `number`th of texts of 16 bytes, all with one hash.
///
/// Source: _Hash_bytes in libstdc++'s hash_bytes.cc, which is MurmurHash64A with a seed that all
/// know. Each step can be undone, so the second word is what leads from the state after the first
/// one to a state that was chosen.
inline std::string name_of_one_hash(std::uint64_t number) {
  constexpr std::uint64_t kFactor = (std::uint64_t{0xC6A4A793} << 32U) + 0x5BD1E995;
  constexpr std::uint64_t kSeed = 0xC70F6907, kState = 0x1234567890ABCDEF;
  std::uint64_t inverse = kFactor;  // modulo 2^64, by Newton's method
  for (int i = 0; i < 6; ++i) inverse *= 2 - kFactor * inverse;
  const auto fold = [](std::uint64_t word) { return word ^ (word >> 47U); };  // undoes itself
  const std::uint64_t after_first =
      (kSeed ^ (16 * kFactor) ^ (fold(number * kFactor) * kFactor)) * kFactor;
  const std::uint64_t words[] = {number, fold((after_first ^ kState) * inverse) * inverse};
  std::string name(sizeof words, '\0');
  std::memcpy(name.data(), words, sizeof words);
  return name;
}

}  // namespace codexmem::testing
