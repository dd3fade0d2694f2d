// thin := header map rest page*
//   header   kHeaderBytes, struct Header
//   map      a bit for each page of the base, from the lowest: set if the page is here
//   rest     zeros, to a multiple of kPageBytes
//   page     page N, from 0, at the end of the rest + N * kPageBytes; holes for what is in the base
// base := "codexmem base 1\n" zeros(kPageBytes - 16) page*
//
// A page is here if its bit is set or its number is at least Header::own_from, which falls when
// SQLite cuts the file off.
//
// A page and its bit need no order between them. SQLite writes a page here only after a synced log
// or journal has what a crash needs: it writes all pages of an unfinished checkpoint once more, and
// until then reads them from its log. Nor does a reader need more than the map as it was when its
// transaction began: what it reads here does not change under it, or it would be in the log for
// it. So the map is read again after each lock, which is one read of some 1.2 kB for an index of
// 36 MB, and a page costs one read, as in a plain database.
//
// Locks, the log and the shared memory are those of the thin file.
//
// Tested by store/thin_file_test.cpp and tests/git/worktree_steps_test.py.
#include "store/thin_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/random.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kNameDigits = 16;
constexpr std::size_t kHeaderBytes = 128;
constexpr std::uint32_t kMaxPages = 1U << 30;
constexpr std::time_t kAgeSeconds = 24 * 3600;
constexpr char kThinMark[17] = "codexmem thin 1\n";
constexpr char kBaseMark[17] = "codexmem base 1\n";

// Which file a base is, and that nobody has written to it.
struct BaseIdentity {
  std::uint64_t number = 0;
  std::int64_t born_ns = 0;
  std::int64_t written_s = 0;
  std::uint64_t bytes = 0;
  bool operator==(const BaseIdentity&) const = default;
};

// stored: never renumber
struct Header {
  std::array<char, 16> mark{};
  std::array<char, 32> base{};  // its name, ended by a zero
  BaseIdentity identity;
  std::array<char, 44> unused{};
  std::uint32_t own_from = 0;  // directly before the map: both are read at once
};
static_assert(sizeof(Header) == kHeaderBytes && std::is_trivially_copyable_v<Header>);
constexpr std::size_t kFreshAt = offsetof(Header, own_from);

thread_local std::string last_problem;

sqlite3_vfs* real_vfs = nullptr;
sqlite3_vfs thin_vfs{};

std::size_t page_count(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + kPageBytes - 1) / kPageBytes);
}

std::uint64_t base_pages(const Header& header) { return header.identity.bytes / kPageBytes - 1; }

std::size_t map_bytes(const Header& header) {
  return static_cast<std::size_t>((base_pages(header) + 7) / 8);
}

// Where page 0 is.
std::uint64_t pages_at(const Header& header) {
  return page_count(kHeaderBytes + map_bytes(header)) * kPageBytes;
}

std::string base_name(const Header& header) {
  return {header.base.data(), ::strnlen(header.base.data(), header.base.size())};
}

// Of a file that this program may have written.
bool is_sound(const Header& header) {
  const std::string name = base_name(header);
  const std::string_view prefix = kBasePrefix;
  return name.starts_with(prefix) && name.size() == prefix.size() + kNameDigits &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos &&
         header.identity.bytes % kPageBytes == 0 && header.identity.bytes > kPageBytes &&
         base_pages(header) <= kMaxPages && header.own_from <= base_pages(header);
}

std::optional<BaseIdentity> identify(int fd) {
  struct statx info {};
  if (::statx(fd, "", AT_EMPTY_PATH,
              STATX_INO | STATX_TYPE | STATX_SIZE | STATX_MTIME | STATX_BTIME, &info) != 0 ||
      !S_ISREG(info.stx_mode)) {
    return std::nullopt;
  }
  BaseIdentity found{
      .number = info.stx_ino, .written_s = info.stx_mtime.tv_sec, .bytes = info.stx_size};
  if ((info.stx_mask & STATX_BTIME) != 0) {
    found.born_ns = info.stx_btime.tv_sec * 1'000'000'000 + info.stx_btime.tv_nsec;
  }
  return found;
}

FileDescriptor open_base(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

Error io_error(const fs::path& path) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
}

bool read_at(int fd, void* into, std::size_t count, std::uint64_t at) {
  auto* to = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = ::pread(fd, to, count, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    at += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_at(int fd, const void* from, std::size_t count, std::uint64_t at) {
  const auto* data = static_cast<const char*>(from);
  while (count > 0) {
    const ssize_t put = ::pwrite(fd, data, count, static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    data += put;
    at += static_cast<std::uint64_t>(put);
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

// An open thin database. SQLite allocates it, and the file of the system's behind it.
class OpenThin : public sqlite3_file {
 public:
  explicit OpenThin(const sqlite3_io_methods* methods) : sqlite3_file{methods} {}

  sqlite3_file* real() {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(this) + kRealAt);
  }

  int open(const char* name) {
    const int code = real()->pMethods->xRead(real(), &header_, kHeaderBytes, 0);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    if (!is_sound(header_)) return damaged("its header is not sound");
    const fs::path path = fs::path(name).parent_path() / base_name(header_);
    base_ = open_base(path);
    if (!base_.valid()) {
      if (errno != ENOENT && errno != ELOOP) return SQLITE_CANTOPEN;
      return damaged(path.string() + ", which has pages of it, is missing");
    }
    if (identify(base_.get()) != header_.identity) {
      return damaged(path.string() + ", which has pages of it, was replaced or changed");
    }
    fresh_.resize(sizeof header_.own_from + map_bytes(header_));
    return SQLITE_OK;
  }

  const Header& header() const { return header_; }

  // The map is to be read again: another process may have written pages.
  void forget_map() { is_fresh_ = false; }

  int refresh() {
    if (is_fresh_) return SQLITE_OK;
    const int code =
        real()->pMethods->xRead(real(), fresh_.data(), static_cast<int>(fresh_.size()), kFreshAt);
    is_fresh_ = code == SQLITE_OK;
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_IOERR_CORRUPTFS : code;
  }

  // The following after refresh().

  std::uint32_t own_from() const {
    std::uint32_t value = 0;
    std::memcpy(&value, fresh_.data(), sizeof value);
    return value;
  }

  bool is_own(std::uint64_t page) const {
    return page >= own_from() || ((fresh_[byte_of(page)] >> (page % 8)) & 1U) != 0;
  }

  int size(std::uint64_t& bytes) {
    sqlite3_int64 here = 0;
    const int code = real()->pMethods->xFileSize(real(), &here);
    const std::uint64_t first = pages_at(header_);
    bytes = std::max(std::uint64_t{own_from()} * kPageBytes,
                     std::max(static_cast<std::uint64_t>(here), first) - first);
    return code;
  }

  int read_page(void* into, std::size_t count, std::uint64_t at) {
    if (is_own(at / kPageBytes)) {
      return real()->pMethods->xRead(real(), into, static_cast<int>(count),
                                     static_cast<sqlite3_int64>(pages_at(header_) + at));
    }
    return read_at(base_.get(), into, count, kPageBytes + at) ? SQLITE_OK : SQLITE_IOERR_CORRUPTFS;
  }

  int write_page(const void* from, std::size_t count, std::uint64_t at) {
    const std::uint64_t page = at / kPageBytes;
    std::array<char, kPageBytes> whole;
    if (count < kPageBytes && !is_own(page)) {
      const int code = read_page(whole.data(), kPageBytes, page * kPageBytes);
      if (code != SQLITE_OK) return code;
      std::memcpy(whole.data() + at % kPageBytes, from, count);
      from = whole.data();
      count = kPageBytes;
      at = page * kPageBytes;
    }
    const int code = real()->pMethods->xWrite(real(), from, static_cast<int>(count),
                                              static_cast<sqlite3_int64>(pages_at(header_) + at));
    return code == SQLITE_OK ? note_own(page) : code;
  }

  int truncate(std::uint64_t bytes) {
    const auto pages =
        static_cast<std::uint32_t>(std::min<std::size_t>(page_count(bytes), kMaxPages));
    if (pages < own_from()) {
      std::memcpy(fresh_.data(), &pages, sizeof pages);
      const int code = real()->pMethods->xWrite(real(), &pages, sizeof pages, kFreshAt);
      if (code != SQLITE_OK) return code;
    }
    return real()->pMethods->xTruncate(real(),
                                       static_cast<sqlite3_int64>(pages_at(header_) + bytes));
  }

  std::uint64_t own_pages(std::uint64_t file_bytes) const {
    std::uint64_t count = 0;
    for (std::uint64_t page = 0; page < page_count(file_bytes); ++page) count += is_own(page);
    return count;
  }

  // Writes this file without its pages, then its own pages, to `fd`.
  bool copy_to(int fd, const fs::path& base_there) {
    std::uint64_t bytes = 0;
    if (refresh() != SQLITE_OK || size(bytes) != SQLITE_OK) return false;
    const FileDescriptor base = open_base(base_there);
    if (identify(base.get()) != header_.identity || !write_at(fd, &header_, kFreshAt, 0) ||
        !write_at(fd, fresh_.data(), fresh_.size(), kFreshAt) ||
        ::ftruncate(fd, static_cast<off_t>(pages_at(header_) + bytes)) != 0) {
      return false;
    }
    std::array<char, kPageBytes> page;
    for (std::uint64_t at = 0; at < bytes; at += kPageBytes) {
      if (!is_own(at / kPageBytes)) continue;
      if (read_page(page.data(), kPageBytes, at) != SQLITE_OK ||
          !write_at(fd, page.data(), kPageBytes, pages_at(header_) + at)) {
        return false;
      }
    }
    return true;
  }

  static const std::size_t kRealAt;

 private:
  static std::size_t byte_of(std::uint64_t page) {
    return sizeof(std::uint32_t) + static_cast<std::size_t>(page / 8);
  }

  static int damaged(std::string problem) {
    last_problem = std::move(problem);
    return SQLITE_CORRUPT;
  }

  int note_own(std::uint64_t page) {
    if (is_own(page)) return SQLITE_OK;
    std::uint8_t& byte = fresh_[byte_of(page)];
    byte = static_cast<std::uint8_t>(byte | (1U << (page % 8)));
    return real()->pMethods->xWrite(real(), &byte, 1,
                                    static_cast<sqlite3_int64>(kFreshAt + byte_of(page)));
  }

  Header header_;
  FileDescriptor base_;
  std::vector<std::uint8_t> fresh_;  // own_from, then the map
  bool is_fresh_ = false;
};

const std::size_t OpenThin::kRealAt = (sizeof(OpenThin) + 15) / 16 * 16;

OpenThin& thin(sqlite3_file* file) { return *static_cast<OpenThin*>(file); }

// Calls `step` with the part of each page of `count` bytes at `at`.
template <typename Byte, typename Step>
int by_page(Byte* bytes, int count, sqlite3_int64 at, Step step) {
  for (std::size_t done = 0; done < static_cast<std::size_t>(count);) {
    const std::uint64_t here = static_cast<std::uint64_t>(at) + done;
    const std::size_t part =
        std::min(kPageBytes - here % kPageBytes, static_cast<std::size_t>(count) - done);
    const int code = step(bytes + done, part, here);
    if (code != SQLITE_OK) return code;
    done += part;
  }
  return SQLITE_OK;
}

int thin_close(sqlite3_file* file) {
  OpenThin& open = thin(file);
  const int code = open.real()->pMethods->xClose(open.real());
  open.~OpenThin();
  return code;
}

int thin_read(sqlite3_file* file, void* into, int count, sqlite3_int64 at) {
  OpenThin& open = thin(file);
  if (const int code = open.refresh(); code != SQLITE_OK) return code;
  bool is_short = false;
  const int code = by_page(static_cast<char*>(into), count, at,
                           [&](char* to, std::size_t part, std::uint64_t here) {
                             const int read = open.read_page(to, part, here);
                             if (read != SQLITE_IOERR_SHORT_READ) return read;
                             is_short = true;  // the rest is zeros
                             return SQLITE_OK;
                           });
  return code == SQLITE_OK && is_short ? SQLITE_IOERR_SHORT_READ : code;
}

int thin_write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
  OpenThin& open = thin(file);
  if (const int code = open.refresh(); code != SQLITE_OK) return code;
  return by_page(static_cast<const char*>(from), count, at,
                 [&](const char* part, std::size_t bytes, std::uint64_t here) {
                   return open.write_page(part, bytes, here);
                 });
}

int thin_truncate(sqlite3_file* file, sqlite3_int64 bytes) {
  OpenThin& open = thin(file);
  if (const int code = open.refresh(); code != SQLITE_OK) return code;
  return open.truncate(static_cast<std::uint64_t>(bytes));
}

int thin_sync(sqlite3_file* file, int flags) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xSync(open.real(), flags);
}

int thin_size(sqlite3_file* file, sqlite3_int64* bytes) {
  OpenThin& open = thin(file);
  if (const int code = open.refresh(); code != SQLITE_OK) return code;
  std::uint64_t size = 0;
  const int code = open.size(size);
  *bytes = static_cast<sqlite3_int64>(size);
  return code;
}

int thin_lock(sqlite3_file* file, int lock) {
  OpenThin& open = thin(file);
  open.forget_map();
  return open.real()->pMethods->xLock(open.real(), lock);
}

int thin_unlock(sqlite3_file* file, int lock) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xUnlock(open.real(), lock);
}

int thin_is_reserved(sqlite3_file* file, int* is_reserved) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xCheckReservedLock(open.real(), is_reserved);
}

int thin_control(sqlite3_file* file, int operation, void* argument) {
  // They would change the size of the thin file.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) {
    return SQLITE_OK;
  }
  if (operation == SQLITE_FCNTL_MMAP_SIZE) return SQLITE_NOTFOUND;
  OpenThin& open = thin(file);
  return open.real()->pMethods->xFileControl(open.real(), operation, argument);
}

int thin_sector(sqlite3_file* file) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xSectorSize(open.real());
}

int thin_traits(sqlite3_file* file) {
  OpenThin& open = thin(file);
  // A page is written with its bit, so no write is atomic.
  return open.real()->pMethods->xDeviceCharacteristics(open.real()) &
         (SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN);
}

int thin_map_shared(sqlite3_file* file, int page, int bytes, int extends, void volatile** mapped) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xShmMap(open.real(), page, bytes, extends, mapped);
}

int thin_lock_shared(sqlite3_file* file, int first, int count, int flags) {
  OpenThin& open = thin(file);
  if ((flags & SQLITE_SHM_LOCK) != 0) open.forget_map();
  return open.real()->pMethods->xShmLock(open.real(), first, count, flags);
}

void thin_barrier(sqlite3_file* file) {
  OpenThin& open = thin(file);
  open.real()->pMethods->xShmBarrier(open.real());
}

int thin_unmap_shared(sqlite3_file* file, int deletes) {
  OpenThin& open = thin(file);
  return open.real()->pMethods->xShmUnmap(open.real(), deletes);
}

// Of version 2: without memory maps of the file.
const sqlite3_io_methods kThinMethods = {2,
                                         thin_close,
                                         thin_read,
                                         thin_write,
                                         thin_truncate,
                                         thin_sync,
                                         thin_size,
                                         thin_lock,
                                         thin_unlock,
                                         thin_is_reserved,
                                         thin_control,
                                         thin_sector,
                                         thin_traits,
                                         thin_map_shared,
                                         thin_lock_shared,
                                         thin_barrier,
                                         thin_unmap_shared,
                                         nullptr,
                                         nullptr};

bool is_thin(sqlite3_file* file) {
  std::array<char, sizeof Header::mark> mark{};
  return file->pMethods->xRead(file, mark.data(), static_cast<int>(mark.size()), 0) == SQLITE_OK &&
         std::memcmp(mark.data(), kThinMark, mark.size()) == 0;
}

// A plain database stays the system's file: it costs one read more, here. (To look with a file of
// our own would give up the locks of this process.)
int thin_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
              int* given_flags) {
  int code = real_vfs->xOpen(real_vfs, name, file, flags, given_flags);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0 || !is_thin(file)) return code;
  file->pMethods->xClose(file);
  auto* const open = new (file) OpenThin(&kThinMethods);
  code = real_vfs->xOpen(real_vfs, name, open->real(),
                         flags & ~(SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE), given_flags);
  if (code == SQLITE_OK) {
    code = is_thin(open->real()) ? open->open(name) : SQLITE_BUSY;  // exchanged just now
    if (code != SQLITE_OK) open->real()->pMethods->xClose(open->real());
  }
  if (code == SQLITE_OK) return code;
  open->~OpenThin();
  file->pMethods = nullptr;
  return code;
}

sqlite3_file* open_file(sqlite3* database) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file;
}

// Nothing if it is not thin.
OpenThin* open_thin(sqlite3* database) {
  sqlite3_file* file = open_file(database);
  return file != nullptr && file->pMethods == &kThinMethods ? &thin(file) : nullptr;
}

Result<void> copy_file(sqlite3_file* from, int fd, const fs::path& path) {
  sqlite3_int64 size = 0;
  if (from->pMethods->xFileSize(from, &size) != SQLITE_OK) return io_error(path);
  if (size <= 0 || size % static_cast<sqlite3_int64>(kPageBytes) != 0) {
    return Error{ErrorCode::kUnsupported, "it has pages of another size"};
  }
  std::vector<char> part(std::size_t{1} << 20);
  std::memcpy(part.data(), kBaseMark, sizeof kBaseMark - 1);
  if (!write_at(fd, part.data(), kPageBytes, 0)) return io_error(path);
  for (sqlite3_int64 at = 0; at < size; at += static_cast<sqlite3_int64>(part.size())) {
    const auto count =
        static_cast<int>(std::min(size - at, static_cast<sqlite3_int64>(part.size())));
    if (from->pMethods->xRead(from, part.data(), count, at) != SQLITE_OK ||
        !write_at(fd, part.data(), static_cast<std::size_t>(count),
                  kPageBytes + static_cast<std::uint64_t>(at))) {
      return io_error(path);
    }
  }
  return {};
}

}  // namespace

int register_thin_files() {
  real_vfs = sqlite3_vfs_find(nullptr);
  if (real_vfs == nullptr) return SQLITE_ERROR;
  thin_vfs = *real_vfs;
  thin_vfs.pNext = nullptr;
  thin_vfs.zName = "codexmem";
  thin_vfs.szOsFile = static_cast<int>(OpenThin::kRealAt) + real_vfs->szOsFile;
  thin_vfs.xOpen = thin_open;
  return sqlite3_vfs_register(&thin_vfs, /*makeDflt=*/1);
}

Result<std::optional<ThinFile>> find_thin(sqlite3* database) {
  OpenThin* const open = open_thin(database);
  if (open == nullptr) return std::optional<ThinFile>();
  std::uint64_t bytes = 0;
  open->forget_map();
  if (open->refresh() != SQLITE_OK || open->size(bytes) != SQLITE_OK) {
    return io_error(base_name(open->header()));
  }
  return std::optional(ThinFile{.base = base_name(open->header()),
                                .base_bytes = open->header().identity.bytes,
                                .own_bytes = open->own_pages(bytes) * kPageBytes});
}

Result<std::string> write_base(sqlite3* from, const fs::path& folder) {
  std::string name = kBasePrefix + random_hex(kNameDigits);
  const fs::path path = folder / name;
  const FileDescriptor fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return io_error(path);
  const auto made = [&]() -> Result<void> {
    CODEXMEM_TRY(copy_file(open_file(from), fd.get(), path));
    // In whole seconds, which every file system keeps, and long ago, so that a write shows.
    const timespec then{std::time(nullptr) - kAgeSeconds, 0};
    const std::array<timespec, 2> times = {then, then};
    if (::futimens(fd.get(), times.data()) != 0 || ::fchmod(fd.get(), 0400) != 0 ||
        ::fsync(fd.get()) != 0) {
      return io_error(path);
    }
    return {};
  }();
  if (made.ok()) return name;
  ::unlink(path.c_str());
  return made.error();
}

Result<void> write_thin(const fs::path& path, const std::string& base, sqlite3* from) {
  OpenThin* const source = from != nullptr ? open_thin(from) : nullptr;
  const FileDescriptor fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return io_error(path);
  const fs::path base_path = path.parent_path() / base;
  if (source != nullptr) {
    if (!source->copy_to(fd.get(), base_path)) return io_error(path);
  } else {
    const auto identity = identify(open_base(base_path).get());
    Header header;
    std::memcpy(header.mark.data(), kThinMark, header.mark.size());
    std::memcpy(header.base.data(), base.data(), std::min(base.size(), header.base.size() - 1));
    if (identity) {
      header.identity = *identity;
      header.own_from = static_cast<std::uint32_t>(base_pages(header));
    }
    if (!is_sound(header)) return Error{ErrorCode::kCorrupt, base_path.string() + " is damaged"};
    if (!write_at(fd.get(), &header, sizeof header, 0) ||
        ::ftruncate(fd.get(), static_cast<off_t>(pages_at(header))) != 0) {
      return io_error(path);
    }
  }
  return ::fsync(fd.get()) == 0 ? Result<void>() : Result<void>(io_error(path));
}

void remove_bases(const fs::path& folder, const std::string& kept) {
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(kBasePrefix) && name != kept) fs::remove(entry->path(), ignored);
  }
}

std::string take_thin_problem() { return std::exchange(last_problem, ""); }

}  // namespace codexmem::store
