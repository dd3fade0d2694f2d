// Tested by git/pack_test.py.
#include "serve/first_packs.h"

#include <chrono>
#include <utility>

#include "base/log.h"
#include "serve/pack_source.h"

namespace codexmem::serve {
namespace {

// A user waits for the first index, which can be made without a pack.
constexpr std::chrono::minutes kPackPatience{2};

}  // namespace

Packs FirstPacks::open(const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (source_.empty() || std::exchange(was_opened_, true)) return packs_;
  }
  auto pack = open_pack(source_, folder_, stop, kPackPatience);
  const std::lock_guard lock(mutex_);
  if (pack.ok()) {
    packs_ = {*std::move(pack)};
  } else if (!stop.stop_requested()) {
    log_warn("no pack is used: {}", pack.error().message());
  }
  return packs_;
}

Packs FirstPacks::find() const {
  const std::lock_guard lock(mutex_);
  return packs_;
}

void FirstPacks::close() {
  const std::lock_guard lock(mutex_);
  was_opened_ = true;
  packs_.clear();
}

}  // namespace codexmem::serve
