#include "base/compress.h"

#include <zstd.h>

#include <memory>
#include <new>

namespace codexmem {
namespace {

constexpr int kFastLevel = 1, kSmallLevel = 12;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string compress(std::string_view bytes, Effort effort) {
  // Its tables take a megabyte, so each thread creates it once.
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compressCCtx(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size(),
                        effort == Effort::kFast ? kFastLevel : kSmallLevel);
  if (ZSTD_isError(size) != 0)
    throw std::bad_alloc();  // the only way to fail when there is enough
                             // room
  frame.resize(size);
  return frame;
}

Result<std::string> decompress(std::string_view frame, std::size_t max_bytes) {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > max_bytes) {
    return Error{ErrorCode::kCorrupt, "compressed bytes: not a frame, or one that is too large"};
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const std::size_t got =
      ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != bytes.size()) {
    return Error{ErrorCode::kCorrupt, "compressed bytes: damaged"};
  }
  return bytes;
}

}  // namespace codexmem
