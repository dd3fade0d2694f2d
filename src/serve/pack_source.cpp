// Tested by git/pack_test.py.
#include "serve/pack_source.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/file_descriptor.h"
#include "base/log.h"
#include "base/random.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "net/http_client.h"
#include "serve/pack_signature.h"

namespace codexmem::serve {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxRedirects = 5;
// A user waits for the first index, which can be made without a pack.
constexpr std::chrono::minutes kPackPatience{2};

// Data over http:// can be forged, unless it comes from this machine.
bool is_allowed(std::string_view address, bool from_this_machine) {
  return to_lower_ascii(address.substr(0, 8)) == "https://" ||
         (from_this_machine && net::is_loopback(net::host_of(address)));
}

// A file that is removed when this object is destroyed; a process that has it open can go on
// reading.
class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { ::unlink(path_.c_str()); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<void> download(std::string address, const fs::path& path, const std::stop_token& stop,
                      std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) {
    return Error{ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
  }
  const auto keep = [&](std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  };
  net::HttpClient client;
  for (int hop = 0; hop <= kMaxRedirects; ++hop) {
    net::HttpRequest request;
    request.url = address;
    request.timeout = std::max(std::chrono::milliseconds(1),
                               std::chrono::duration_cast<std::chrono::milliseconds>(
                                   end - std::chrono::steady_clock::now()));
    request.max_answer_bytes = index::kMaxPackBytes;
    request.take = keep;
    CODEXMEM_ASSIGN(net::HttpAnswer answer, client.send(request, stop));
    constexpr int kOk = 200, kNotFound = 404;
    if (answer.status == kOk) return {};
    const std::string shown = terminal_line(net::address_of(address));
    if (answer.location.empty()) {
      return Error{answer.status == kNotFound ? ErrorCode::kNotFound : ErrorCode::kIo,
                   fmt::format("{} answers {}", shown, answer.status)};
    }
    if (!is_allowed(answer.location, net::is_loopback(net::host_of(address)))) {
      return Error{ErrorCode::kInvalidArgument,
                   shown + " leads to an address that does not begin with https://"};
    }
    address = std::move(answer.location);
  }
  return Error{ErrorCode::kIo, "it is redirected again and again"};
}

// Copies the pack or signature at `source` to `path`, a file of this user's alone.
Result<void> take(const std::string& source, const fs::path& path, const std::stop_token& stop,
                  std::chrono::milliseconds patience) {
  if (is_pack_address(source)) return download(source, path, stop, patience);
  std::error_code failed;
  fs::copy_file(source, path, failed);
  if (!failed) return {};
  return Error{ErrorCode::kIo, fmt::format("{}: {}", terminal_line(source), failed.message())};
}

}  // namespace

bool is_pack_address(const std::string& source) {
  const std::string start = to_lower_ascii(std::string_view(source).substr(0, 8));
  return start.starts_with("https://") || start.starts_with("http://");
}

Result<std::shared_ptr<const index::Pack>> open_pack(const std::string& source,
                                                     const fs::path& folder,
                                                     const std::stop_token& stop,
                                                     std::chrono::milliseconds patience) {
  const bool is_remote = is_pack_address(source);
  // The parts before "@" or after "?" may contain a key.
  const std::string name = terminal_line(is_remote ? net::address_of(source) : source);
  if (is_remote && !is_allowed(source, true)) {
    return Error{ErrorCode::kInvalidArgument, name + ": an address of a pack begins with https://"};
  }
  CODEXMEM_ASSIGN(const bool trusts, trusts_pack_signers());
  if (!is_remote && !trusts) return index::Pack::open(source, name);
  constexpr std::size_t kDigits = 16;
  const Temporary file(folder / ("pack." + random_hex(kDigits) + ".tmp"));
  if (auto got = take(source, file.path(), stop, patience); !got.ok()) {
    return std::move(got).error().with_context("getting the pack");
  }
  if (!trusts) return index::Pack::open(file.path(), name);
  // Once the user trusts somebody, only packs of those are used. The copy is verified,
  // whose bytes nobody else can change before they are read.
  const Temporary signature(file.path().string() + std::string(kSignatureSuffix));
  std::string place = source;
  place.insert(is_remote ? std::min(place.find('?'), place.size()) : place.size(),
               kSignatureSuffix);
  auto got = take(place, signature.path(), stop, patience);
  if (!got.ok() && is_remote) {
    return std::move(got).error().with_context("getting the pack's signature");
  }
  auto signer = find_pack_signer(file.path(), signature.path());
  if (!signer.ok()) return std::move(signer).error().with_context(name);
  return index::Pack::open(file.path(), name, *std::move(signer));
}

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
