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
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/random.h"
#include "store/thin_format.h"

namespace codexmem::store {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t kAgeSeconds = 24 * 3600;

thread_local std::string last_problem;

sqlite3_vfs* real_vfs = nullptr;
sqlite3_vfs thin_vfs{};

Error io_error(const fs::path& path) {
  return {ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno))};
}

// An open thin database. SQLite allocates it, and the file of the system's behind it.
class OpenThin : public sqlite3_file {
 public:
  explicit OpenThin(const sqlite3_io_methods* methods) : sqlite3_file{methods} {}

  sqlite3_file* real() {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(this) + kRealAt);
  }

  int open(const char* name) {
    const int code = real()->pMethods->xRead(real(), &header_, kThinHeaderBytes, 0);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    if (!header_.is_sound()) return damaged("its header is not sound");
    const fs::path path = fs::path(name).parent_path() / header_.base_name();
    base_ = open_base(path);
    if (!base_.valid()) {
      if (errno != ENOENT && errno != ELOOP) return SQLITE_CANTOPEN;
      return damaged(path.string() + ", which has pages of it, is missing");
    }
    if (BaseIdentity::of(base_.get()) != header_.identity) {
      return damaged(path.string() + ", which has pages of it, was replaced or changed");
    }
    fresh_.resize(sizeof header_.own_from + header_.map_bytes());
    return SQLITE_OK;
  }

  const ThinHeader& header() const { return header_; }

  // The map is to be read again: another process may have written pages.
  void forget_map() { is_fresh_ = false; }

  int refresh() {
    if (is_fresh_) return SQLITE_OK;
    const int code =
        real()->pMethods->xRead(real(), fresh_.data(), static_cast<int>(fresh_.size()), kOwnFromAt);
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
    const std::uint64_t first = header_.pages_at();
    bytes = std::max(std::uint64_t{own_from()} * kThinPageBytes,
                     std::max(static_cast<std::uint64_t>(here), first) - first);
    return code;
  }

  int read_page(void* into, std::size_t count, std::uint64_t at) {
    if (is_own(at / kThinPageBytes)) {
      return real()->pMethods->xRead(real(), into, static_cast<int>(count),
                                     static_cast<sqlite3_int64>(header_.pages_at() + at));
    }
    return read_at(base_.get(), into, count, kThinPageBytes + at) ? SQLITE_OK
                                                                  : SQLITE_IOERR_CORRUPTFS;
  }

  int write_page(const void* from, std::size_t count, std::uint64_t at) {
    const std::uint64_t page = at / kThinPageBytes;
    std::array<char, kThinPageBytes> whole;
    if (count < kThinPageBytes && !is_own(page)) {
      const int code = read_page(whole.data(), kThinPageBytes, page * kThinPageBytes);
      if (code != SQLITE_OK) return code;
      std::memcpy(whole.data() + at % kThinPageBytes, from, count);
      from = whole.data();
      count = kThinPageBytes;
      at = page * kThinPageBytes;
    }
    const int code = real()->pMethods->xWrite(real(), from, static_cast<int>(count),
                                              static_cast<sqlite3_int64>(header_.pages_at() + at));
    return code == SQLITE_OK ? note_own(page) : code;
  }

  int truncate(std::uint64_t bytes) {
    const auto pages =
        static_cast<std::uint32_t>(std::min<std::size_t>(count_pages(bytes), kMaxThinPages));
    if (pages < own_from()) {
      std::memcpy(fresh_.data(), &pages, sizeof pages);
      const int code = real()->pMethods->xWrite(real(), &pages, sizeof pages, kOwnFromAt);
      if (code != SQLITE_OK) return code;
    }
    return real()->pMethods->xTruncate(real(),
                                       static_cast<sqlite3_int64>(header_.pages_at() + bytes));
  }

  std::uint64_t own_pages(std::uint64_t file_bytes) const {
    std::uint64_t count = 0;
    for (std::uint64_t page = 0; page < count_pages(file_bytes); ++page) count += is_own(page);
    return count;
  }

  // Writes this file without its pages, then its own pages, to `fd`.
  bool copy_to(int fd, const fs::path& base_there) {
    std::uint64_t bytes = 0;
    if (refresh() != SQLITE_OK || size(bytes) != SQLITE_OK) return false;
    const FileDescriptor base = open_base(base_there);
    if (BaseIdentity::of(base.get()) != header_.identity ||
        !write_at(fd, &header_, kOwnFromAt, 0) ||
        !write_at(fd, fresh_.data(), fresh_.size(), kOwnFromAt) ||
        ::ftruncate(fd, static_cast<off_t>(header_.pages_at() + bytes)) != 0) {
      return false;
    }
    std::array<char, kThinPageBytes> page;
    for (std::uint64_t at = 0; at < bytes; at += kThinPageBytes) {
      if (!is_own(at / kThinPageBytes)) continue;
      if (read_page(page.data(), kThinPageBytes, at) != SQLITE_OK ||
          !write_at(fd, page.data(), kThinPageBytes, header_.pages_at() + at)) {
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
                                    static_cast<sqlite3_int64>(kOwnFromAt + byte_of(page)));
  }

  ThinHeader header_;
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
        std::min(kThinPageBytes - here % kThinPageBytes, static_cast<std::size_t>(count) - done);
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
  std::array<char, sizeof ThinHeader::mark> mark{};
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
  if (size <= 0 || size % static_cast<sqlite3_int64>(kThinPageBytes) != 0) {
    return Error{ErrorCode::kUnsupported, "it has pages of another size"};
  }
  std::vector<char> part(std::size_t{1} << 20);
  std::memcpy(part.data(), kBaseMark, sizeof kBaseMark - 1);
  if (!write_at(fd, part.data(), kThinPageBytes, 0)) return io_error(path);
  for (sqlite3_int64 at = 0; at < size; at += static_cast<sqlite3_int64>(part.size())) {
    const auto count =
        static_cast<int>(std::min(size - at, static_cast<sqlite3_int64>(part.size())));
    if (from->pMethods->xRead(from, part.data(), count, at) != SQLITE_OK ||
        !write_at(fd, part.data(), static_cast<std::size_t>(count),
                  kThinPageBytes + static_cast<std::uint64_t>(at))) {
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
    return io_error(open->header().base_name());
  }
  return std::optional(ThinFile{.base = open->header().base_name(),
                                .base_bytes = open->header().identity.bytes,
                                .own_bytes = open->own_pages(bytes) * kThinPageBytes});
}

Result<std::string> write_base(sqlite3* from, const fs::path& folder) {
  std::string name = kBasePrefix + random_hex(kBaseDigits);
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
    const auto identity = BaseIdentity::of(open_base(base_path).get());
    ThinHeader header;
    std::memcpy(header.mark.data(), kThinMark, header.mark.size());
    std::memcpy(header.base.data(), base.data(), std::min(base.size(), header.base.size() - 1));
    if (identity) {
      header.identity = *identity;
      header.own_from = static_cast<std::uint32_t>(header.base_pages());
    }
    if (!header.is_sound()) return Error{ErrorCode::kCorrupt, base_path.string() + " is damaged"};
    if (!write_at(fd.get(), &header, sizeof header, 0) ||
        ::ftruncate(fd.get(), static_cast<off_t>(header.pages_at())) != 0) {
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
