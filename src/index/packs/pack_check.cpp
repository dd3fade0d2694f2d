// Tested by index/pack_test.cpp.
#include "index/packs/pack_check.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "index/discovery/decode.h"
#include "index/run/ordered_pipeline.h"
#include "parse/walk/extract.h"
#include "parse/facts/whole_facts.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMinSample = 20, kSampledPart = 100, kLooks = 4;

// A random subset.
std::vector<std::size_t> choose(std::size_t count, std::size_t most) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  std::array<std::uint64_t, 2> seed{};
  fill_random(std::as_writable_bytes(std::span(seed)));
  std::seed_seq mixed{
      static_cast<std::uint32_t>(seed[0]), static_cast<std::uint32_t>(seed[0] >> 32),
      static_cast<std::uint32_t>(seed[1]), static_cast<std::uint32_t>(seed[1] >> 32)};
  std::mt19937_64 random(mixed);
  std::ranges::shuffle(all, random);
  all.resize(std::min(all.size(), most));
  return all;
}

enum class Look { kNotKnown, kSame, kOther };

struct Seen {
  Look look = Look::kNotKnown;
  const Pack* pack = nullptr;
};

Seen look_at(const RootDirectory& root, const FileJob& job, const PackSet& packs,
             std::uint64_t max_file_bytes, parse::Extractor& extractor,
             const std::stop_token& stop) {
  auto bytes = root.read(job.found.path, max_file_bytes, nullptr);
  if (!bytes.ok()) return {};
  const std::string hash = sha256_hex(*bytes);
  const auto decoded = decode_text(*std::move(bytes));
  if (!decoded) return {};
  const parse::Language* language = parse::detect_language(job.found.path, decoded->text);
  if (language == nullptr || !language->has_grammar) return {};
  const auto found = packs.find(hash, *language, decoded->text);
  if (!found) return {};
  // With enough time: facts of a truncated parse prove nothing about the pack.
  const auto facts =
      extractor.extract(*language, decoded->text, {.time_limit = std::chrono::seconds(20)}, stop);
  if (!facts.ok() || facts->truncated) return {};
  return {parse::encode_whole_facts(*facts) == found->bytes ? Look::kSame : Look::kOther,
          found->pack};
}

}  // namespace

std::size_t usual_pack_sample(std::size_t jobs) {
  return std::max(kMinSample, jobs / kSampledPart);
}

Result<PackCheck> check_packs(const RootDirectory& root, std::span<const FileJob> jobs,
                              const PackSet& packs, std::size_t sample,
                              std::uint64_t max_file_bytes, unsigned threads,
                              const std::stop_token& stop) {
  PackCheck check;
  const std::vector<std::size_t> chosen = choose(jobs.size(), kLooks * sample);
  std::size_t done = 0;
  // As many at a time as may still be needed.
  while (done < chosen.size() && check.compared < sample && check.liar == nullptr) {
    const std::size_t begin = done;
    const std::size_t count =
        std::min(chosen.size() - begin, sample - static_cast<std::size_t>(check.compared));
    const auto take = [&](Seen seen) -> Result<void> {
      const std::size_t job = chosen[done++];
      if (seen.look == Look::kSame) ++check.compared;
      if (seen.look == Look::kOther && check.liar == nullptr) {
        check.liar = seen.pack;
        check.path = jobs[job].found.path;
      }
      return {};
    };
    CODEXMEM_TRY(run_ordered<Seen>(
        {.count = count, .threads = threads},
        [&]() -> std::function<Seen(std::size_t)> {
          auto extractor = std::make_shared<parse::Extractor>();
          return [&, begin, extractor](std::size_t i) {
            return look_at(root, jobs[chosen[begin + i]], packs, max_file_bytes, *extractor, stop);
          };
        },
        take, stop));
  }
  return check;
}

}  // namespace codexmem::index
