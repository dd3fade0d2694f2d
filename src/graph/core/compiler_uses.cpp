// The packed form, compressed:
//
//     uses    = version:v tool n target n use n {step:v}, the offsets of `defined`
//     target  = file_step:z qualified_name number:v
//     use     = step:v target+1:v
//     text    = size:v bytes
//     v       = unsigned LEB128; z the same of the zigzag form
//
// Tested by graph/compiler_uses_test.cpp.
#include "graph/core/compiler_uses.h"

#include <algorithm>

#include "base/compress.h"
#include "parse/facts/facts.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::uint64_t kUsesVersion = 1;  // stored: raise it with each change of the form
constexpr std::size_t kMaxUsesBytes = std::size_t{64} << 20U;

void put(std::uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7U) bytes.push_back(static_cast<char>(value | 0x80U));
  bytes.push_back(static_cast<char>(value));
}

void put(std::string_view text, std::string& bytes) {
  put(text.size(), bytes);
  bytes += text;
}

class UsesReader {
 public:
  explicit UsesReader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  std::uint32_t small() {
    const std::uint64_t value = number();
    failed_ = failed_ || value > kNoIndex;
    return static_cast<std::uint32_t>(value);
  }
  // How many follow: no more than there are bytes.
  std::size_t count() {
    const std::uint64_t value = number();
    failed_ = failed_ || value > rest_.size();
    return failed_ ? 0 : static_cast<std::size_t>(value);
  }
  std::string text() {
    const std::size_t size = count();
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::span<const CompilerUses::Use> CompilerUses::at(std::uint32_t offset) const {
  const auto begin = std::ranges::lower_bound(uses, offset, {}, &Use::offset);
  auto end = begin;
  while (end != uses.end() && end->offset == offset) ++end;
  return {begin, end};
}

bool CompilerUses::knows(std::uint32_t offset) const {
  return std::ranges::binary_search(defined, offset);
}

std::string encode_compiler_uses(const CompilerUses& uses) {
  std::string bytes;
  put(kUsesVersion, bytes);
  put(uses.tool, bytes);
  put(uses.targets.size(), bytes);
  for (const CompilerUses::Target& target : uses.targets) {
    const auto step = static_cast<std::uint64_t>(target.file_step);
    put((step << 1U) ^ (0 - (step >> 63U)), bytes);
    put(target.qualified_name, bytes);
    put(target.number, bytes);
  }
  put(uses.uses.size(), bytes);
  std::uint32_t before = 0;
  for (const CompilerUses::Use& use : uses.uses) {
    put(use.offset - before, bytes);
    put(use.target == kNoIndex ? 0 : std::uint64_t{use.target} + 1, bytes);
    before = use.offset;
  }
  put(uses.defined.size(), bytes);
  before = 0;
  for (const std::uint32_t offset : uses.defined) {
    put(offset - before, bytes);
    before = offset;
  }
  return compress(bytes);
}

Result<CompilerUses> decode_compiler_uses(std::string_view bytes) {
  CODEXMEM_ASSIGN(const std::string plain, decompress(bytes, kMaxUsesBytes));
  UsesReader in(plain);
  const Error damaged(ErrorCode::kCorrupt, "what a compiler said of the file is damaged");
  if (in.number() != kUsesVersion) return damaged;
  CompilerUses found;
  found.tool = in.text();
  for (std::size_t left = in.count(); left > 0 && !in.failed(); --left) {
    const std::uint64_t step = in.number();
    CompilerUses::Target target;
    target.file_step = static_cast<std::int64_t>((step >> 1U) ^ (0 - (step & 1U)));
    target.qualified_name = in.text();
    target.number = in.small();
    found.targets.push_back(std::move(target));
  }
  std::uint32_t offset = 0;
  for (std::size_t left = in.count(); left > 0 && !in.failed(); --left) {
    const std::uint32_t step = in.small();
    const std::uint32_t target = in.small();
    if (step > kNoIndex - offset || target > found.targets.size()) return damaged;
    offset += step;
    found.uses.push_back({offset, target == 0 ? kNoIndex : target - 1});
  }
  offset = 0;
  for (std::size_t left = in.count(); left > 0 && !in.failed(); --left) {
    const std::uint32_t step = in.small();
    if (step > kNoIndex - offset) return damaged;
    found.defined.push_back(offset += step);
  }
  if (in.failed()) return damaged;
  return found;
}

}  // namespace codexmem::graph
