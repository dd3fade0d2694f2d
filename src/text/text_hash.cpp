// Tested by text/text_hash_test.cpp.
#include "text/text_hash.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "base/random.h"

namespace codexmem {
namespace {

using Key = std::array<std::uint64_t, 2>;

Key draw_key() {
  Key key{};
  fill_random(std::as_writable_bytes(std::span(key)));
  return key;
}

struct State {
  std::uint64_t a, b, c, d;

  void mix() {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) {
    d ^= word;
    mix();
    a ^= word;
  }
};

}  // namespace

std::uint64_t hash_text(std::string_view text) {
  static const Key key = draw_key();
  State state{key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D, key[0] ^ 0x6C7967656E657261,
              key[1] ^ 0x7465646279746573};
  std::uint64_t last = std::uint64_t{text.size()} << 56U;
  while (text.size() >= sizeof last) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    state.take(word);
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  last |= rest;
  state.take(last);
  state.c ^= 0xFF;
  state.mix();
  state.mix();
  state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace codexmem
