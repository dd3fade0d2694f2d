// The journal is written atomically (base/file.h, replace_file), so it is either complete or
// missing. It is removed at the end: while it exists, the files are to be restored. Restoring
// changes only files with the content that the rewrite wrote, identified by its hash, so it can be
// interrupted and repeated any number of times, and never overwrites what others have written
// since.
//
//     journal = "codexmem rewrite 1" newline { file } "end" newline
//     file    = "file" mode bytes-of-path bytes-of-new-path bytes-of-content hash newline
//               path new-path content newline
//
// A user may save a file at the moment it is replaced. So a file is not renamed over another: the
// two are exchanged, and the old content is compared with the expected one. If it differs, they are
// exchanged back. Meanwhile the other file has the name that `aside()` returns: in the store's
// folder, so that a kill leaves nothing in the work tree.
//
// `mode` is octal; `hash` is the hash of the new content; one space separates the numbers. Paths
// are relative to the root, and links in them are not followed. A repository may contain a journal:
// one that is not sealed (store/code/seal.h) is set aside and ignored.
//
// Tested by git/rename_test.py.
#include "index/changes/rewrite.h"

#include <fmt/core.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/text.h"
#include "index/discovery/root_directory.h"
#include "store/code/seal.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kJournalTitle = "codexmem rewrite 1\n";
constexpr std::string_view kJournalEnd = "end\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxRewritten = std::size_t{64} << 20;

// A file before the rewrite, and the hash of its new content.
struct OldFile {
  std::string path, new_path;  // new_path: empty if it does not move
  unsigned mode = 0644;
  std::string bytes;
  std::string new_hash;

  const std::string& place() const { return new_path.empty() ? path : new_path; }
};

fs::path journal_path(const store::Workspace& workspace) {
  return workspace.directory() / "rewrite.journal";
}
fs::path lock_path(const store::Workspace& workspace) {
  return workspace.directory() / "rewrite.lock";
}

std::string write_journal(const std::vector<OldFile>& files) {
  std::string text(kJournalTitle);
  for (const OldFile& file : files) {
    text += fmt::format("file {:o} {} {} {} {}\n", file.mode, file.path.size(),
                        file.new_path.size(), file.bytes.size(), file.new_hash);
    text += file.path + file.new_path + file.bytes + "\n";
  }
  return text + std::string(kJournalEnd);
}

std::optional<std::size_t> read_number(std::string_view text, int base) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Removes and returns the first `size` bytes of `text`; nothing when it is shorter.
std::optional<std::string> take(std::string_view& text, std::size_t size) {
  if (size > text.size()) return std::nullopt;
  std::string taken(text.substr(0, size));
  text.remove_prefix(size);
  return taken;
}

// True for a path below the root that belongs neither to git nor to codexmem.
bool is_of_work_tree(std::string_view path) {
  return std::ranges::none_of(split(path, '/'), [](std::string_view name) {
    const std::string lower = to_lower_ascii(name);
    return lower.empty() || lower == "." || lower == ".." || lower == ".git" ||
           lower == ".codexmem";
  });
}

std::optional<std::vector<OldFile>> read_journal(std::string_view text) {
  std::vector<OldFile> files;
  if (!text.starts_with(kJournalTitle)) return std::nullopt;
  text.remove_prefix(kJournalTitle.size());
  while (text != kJournalEnd) {
    const std::size_t line = text.find('\n');
    if (line == std::string_view::npos) return std::nullopt;
    const auto words = split(text.substr(0, line), ' ');
    text.remove_prefix(line + 1);
    if (words.size() != 6 || words[0] != "file") return std::nullopt;
    const auto mode = read_number(words[1], 8), path = read_number(words[2], 10);
    const auto new_path = read_number(words[3], 10), bytes = read_number(words[4], 10);
    if (!mode || !path || !new_path || !bytes) return std::nullopt;
    OldFile file;
    file.mode = static_cast<unsigned>(*mode & 0777U);
    file.new_hash = std::string(words[5]);
    for (const auto& [into, size] :
         {std::pair(&file.path, *path), std::pair(&file.new_path, *new_path),
          std::pair(&file.bytes, *bytes)}) {
      auto taken = take(text, size);
      if (!taken) return std::nullopt;
      *into = *std::move(taken);
    }
    if (!text.starts_with('\n') || !is_of_work_tree(file.path) || !is_of_work_tree(file.place())) {
      return std::nullopt;
    }
    text.remove_prefix(1);
    files.push_back(std::move(file));
  }
  return files;
}

// True if the regular file at `path` has content with this hash.
bool holds(const RootDirectory& root, const std::string& path, const std::string& hash) {
  const auto bytes = root.read(path, kMaxRewritten);
  return bytes.ok() && sha256_hex(*bytes) == hash;
}

constexpr std::string_view kAsideFolder = ".codexmem";
constexpr std::string_view kAsideName = "rewrite-";

std::optional<dev_t> device_of(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return std::nullopt;
  return info.st_dev;
}

// The temporary name for the new content of a file, and then for the old: in the store's folder, or
// next to the file when they are on different file systems.
std::string aside(const RootDirectory& root, const std::string& path) {
  const auto store = device_of(root.path() / kAsideFolder);
  const bool is_near = store && store == device_of(root.path() / folder_of(path));
  if (!is_near) return path + ".codexmem-rename";
  return fmt::format("{}/{}{}", kAsideFolder, kAsideName, sha256_hex(path).substr(0, 32));
}

// Exchanges two files. False if the file system does not support that.
Result<bool> exchange(const fs::path& one, const fs::path& other) {
  if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) {
    return true;
  }
  if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP) return false;
  return Error{ErrorCode::kIo, other.string() + ": cannot be replaced"};
}

// Writes the new content for `path` to its temporary name. The folder exists, and no link leads to
// it.
Result<void> write_aside(const RootDirectory& root, const std::string& path, std::string_view bytes,
                         unsigned mode) {
  CODEXMEM_TRY(root.open_folder(std::string(folder_of(path))));
  const std::string temporary = aside(root, path);
  CODEXMEM_TRY(root.open_folder(std::string(folder_of(temporary))));
  const fs::path whole = root.path() / temporary;
  CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(whole, mode));
  CODEXMEM_TRY(file.write(bytes));
  CODEXMEM_TRY(file.commit());
  // (The umask has removed some rights.)
  if (::chmod(whole.c_str(), mode) != 0) {
    return Error{ErrorCode::kIo, whole.string() + ": its access rights cannot be set"};
  }
  return {};
}

// Replaces the file at `path`, with content of hash `old_hash`, by `bytes`. Returns false, leaving
// the file unchanged, when the content differs: a user has saved it.
Result<bool> replace_known(const RootDirectory& root, const std::string& path,
                           const std::string& old_hash, std::string_view bytes, unsigned mode) {
  CODEXMEM_TRY(write_aside(root, path, bytes, mode));
  const fs::path whole = root.path() / path, temporary = root.path() / aside(root, path);
  CODEXMEM_ASSIGN(const bool is_exchanged, exchange(temporary, whole));
  if (!is_exchanged) {  // next best: check once more just before
    const bool is_known = holds(root, path, old_hash);
    if (is_known && ::rename(temporary.c_str(), whole.c_str()) == 0) return true;
    ::unlink(temporary.c_str());
    if (is_known) return Error{ErrorCode::kIo, whole.string() + ": cannot be replaced"};
    return false;
  }
  bool is_known = holds(root, aside(root, path), old_hash);
  if (!is_known) {
    CODEXMEM_TRY(exchange(temporary, whole));
    // (It was saved once more while the new content was in place: keep the newest.)
    const bool is_ours = holds(root, aside(root, path), sha256_hex(bytes));
    if (!is_ours) CODEXMEM_TRY(exchange(temporary, whole));
  }
  ::unlink(temporary.c_str());
  return is_known;
}

// Creates the file at `path`. False when one exists.
Result<bool> make_file(const RootDirectory& root, const std::string& path, std::string_view bytes,
                       unsigned mode) {
  CODEXMEM_TRY(write_aside(root, path, bytes, mode));
  const fs::path whole = root.path() / path, temporary = root.path() / aside(root, path);
  if (::link(temporary.c_str(), whole.c_str()) == 0) {
    ::unlink(temporary.c_str());
    return true;
  }
  const bool already_exists = errno == EEXIST;
  // (The file system has no hard links.)
  if (!already_exists && !root.stat(path).ok() && ::rename(temporary.c_str(), whole.c_str()) == 0) {
    return true;
  }
  ::unlink(temporary.c_str());
  if (already_exists) return false;
  return Error{ErrorCode::kIo, whole.string() + ": cannot be written"};
}

// Removes the file at `path`, with content of hash `hash`. Returns false, leaving the file
// unchanged, when the content differs.
Result<bool> remove_known(const RootDirectory& root, const std::string& path,
                          const std::string& hash) {
  const fs::path whole = root.path() / path, temporary = root.path() / aside(root, path);
  if (::rename(whole.c_str(), temporary.c_str()) != 0) {
    return Error{ErrorCode::kIo, path + " cannot be removed"};
  }
  if (holds(root, aside(root, path), hash)) {
    ::unlink(temporary.c_str());
    return true;
  }
  if (::rename(temporary.c_str(), whole.c_str()) != 0) {
    return Error{ErrorCode::kIo, path + " was saved meanwhile, and is now " + aside(root, path)};
  }
  return false;
}

// Handles the temporary file left by a rewrite that was killed during an exchange. Unknown content
// was saved by a user at that moment: it is moved back to its place.
Result<void> clear_aside(const RootDirectory& root, const OldFile& file) {
  for (const std::string& path : {file.path, file.place()}) {
    const fs::path temporary = root.path() / aside(root, path);
    if (!root.stat(aside(root, path)).ok()) continue;
    const bool is_ours = holds(root, aside(root, path), file.new_hash) ||
                         holds(root, aside(root, path), sha256_hex(file.bytes));
    if (is_ours) {
      ::unlink(temporary.c_str());
    } else if (::rename(temporary.c_str(), (root.path() / path).c_str()) != 0) {
      return Error{ErrorCode::kIo, aside(root, path) + " cannot be put back"};
    }
  }
  return {};
}

// Restores one file. False when it was changed since.
Result<bool> put_back(const RootDirectory& root, const OldFile& file) {
  const std::string old_hash = sha256_hex(file.bytes);
  CODEXMEM_TRY(clear_aside(root, file));
  if (!holds(root, file.place(), file.new_hash)) return holds(root, file.path, old_hash);
  if (file.new_path.empty()) {
    if (file.new_hash == old_hash) return true;
    return replace_known(root, file.path, file.new_hash, file.bytes, file.mode);
  }
  if (root.stat(file.path).ok()) {
    if (!holds(root, file.path, old_hash)) return false;
  } else {
    CODEXMEM_ASSIGN(const bool is_made, make_file(root, file.path, file.bytes, file.mode));
    if (!is_made) return false;
  }
  return remove_known(root, file.new_path, file.new_hash);
}

// Removes what a kill left half written in the store's folder.
void remove_parts(const RootDirectory& root) {
  std::error_code error;
  for (fs::directory_iterator at(root.path() / kAsideFolder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->path().filename().string().starts_with(kAsideName)) fs::remove(at->path(), ignored);
  }
}

Result<void> put_all_back(const store::Workspace& workspace, const std::vector<OldFile>& files) {
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  std::vector<std::string> changed;
  std::optional<Error> failure;
  for (const OldFile& file : files) {
    const auto done = put_back(root, file);
    if (!done.ok()) {
      if (!failure) failure = done.error();
    } else if (!*done) {
      changed.push_back(file.path);
    }
  }
  if (failure) {
    return std::move(*failure).with_context(
        "not all files could be put back; run `codexmem "
        "rename` again to go on");
  }
  remove_parts(root);
  std::error_code ignored;
  fs::remove(journal_path(workspace), ignored);
  if (!changed.empty()) {
    return Error{ErrorCode::kIo,
                 "changed by somebody else meanwhile, so left as they are: " + join(changed, ", ")};
  }
  return {};
}

// Fails when a user has changed files since the rewrite was interrupted: restoring only some files
// would leave half of the rename.
Result<void> expect_untouched(const store::Workspace& workspace,
                              const std::vector<OldFile>& files) {
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  std::vector<std::string> changed;
  for (const OldFile& file : files) {
    if (holds(root, file.place(), file.new_hash)) continue;
    if (!holds(root, file.path, sha256_hex(file.bytes))) changed.push_back(file.path);
  }
  if (changed.empty()) return {};
  return Error{ErrorCode::kIo,
               fmt::format("an earlier rename was broken off, and these files have changed since: "
                           "{}. Nothing was put back; to keep all as it is, remove {}",
                           join(changed, ", "), journal_path(workspace).string())};
}

// The bytes after the edits; edit offsets refer to the text after the byte order mark.
std::string edited(const std::string& bytes, const std::vector<TextEdit>& edits) {
  const std::size_t begin = bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  std::string result;
  std::size_t done = 0;
  for (const TextEdit& edit : edits) {
    const std::size_t at = begin + edit.offset;
    result.append(bytes, done, at - done);
    result += edit.text;
    done = at + edit.size;
  }
  return result.append(bytes, done);
}

// The content of the file, if it can be rewritten.
Result<OldFile> read_old(const RootDirectory& root, const FileEdits& file) {
  const auto refuse = [&](std::string_view why) {
    return invalid_argument(fmt::format("{} {}", file.path, why));
  };
  const fs::path whole = root.path() / file.path;
  auto bytes = root.read(file.path, kMaxRewritten);
  if (!bytes.ok()) return refuse("cannot be read, or is a link");
  if (sha256_hex(*bytes) != file.hash) return refuse("has changed since it was indexed");
  struct stat info {};
  if (::lstat(whole.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return refuse("is not a file");
  if (info.st_nlink > 1) return refuse("has several names: hard links");
  if (::access(whole.c_str(), W_OK) != 0 || ::access(whole.parent_path().c_str(), W_OK) != 0) {
    return refuse("is write-protected");
  }
  if (!is_valid_utf8(*bytes) || bytes->find('\0') != std::string::npos)
    return refuse("is not UTF-8");
  if (!file.new_path.empty() && root.stat(file.new_path).ok()) {
    return refuse("would become " + file.new_path + ", which is there already");
  }
  OldFile old;
  old.path = file.path;
  old.new_path = file.new_path;
  old.mode = info.st_mode & 07777U;
  old.bytes = *std::move(bytes);
  return old;
}

// Writes the new content of a file.
Result<void> write_new(const RootDirectory& root, const OldFile& file, std::string_view bytes) {
  const std::string old_hash = sha256_hex(file.bytes);
  const Error changed{ErrorCode::kInvalidArgument, file.path + " has changed meanwhile"};
  if (file.new_path.empty()) {
    CODEXMEM_ASSIGN(const bool is_written,
                    replace_known(root, file.path, old_hash, bytes, file.mode));
    if (!is_written) return changed;
    return {};
  }
  CODEXMEM_ASSIGN(const bool is_made, make_file(root, file.new_path, bytes, file.mode));
  if (!is_made) return invalid_argument(file.new_path + " is there already");
  CODEXMEM_ASSIGN(const bool is_removed, remove_known(root, file.path, old_hash));
  if (!is_removed) return changed;
  return {};
}

}  // namespace

std::string why_not_rewritable(const store::Workspace& workspace, const FileEdits& file) {
  const auto root = RootDirectory::open(workspace.root());
  if (!root.ok()) return root.error().message();
  const auto old = read_old(*root, file);
  return old.ok() ? std::string() : old.error().message();
}

struct Rewrite::Impl {
  const store::Workspace& workspace;
  FileLock lock;
  std::vector<OldFile> files;
  bool is_open = true;
};

Rewrite::Rewrite(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Rewrite::Rewrite(Rewrite&&) noexcept = default;
Rewrite::~Rewrite() {
  if (impl_ != nullptr && impl_->is_open) static_cast<void>(undo());
}

Result<Rewrite> Rewrite::apply(const store::Workspace& workspace,
                               const std::vector<FileEdits>& files) {
  CODEXMEM_ASSIGN(FileLock lock, FileLock::take(lock_path(workspace)));
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  std::error_code ignored;
  if (fs::exists(journal_path(workspace), ignored)) {
    return Error{ErrorCode::kBusy, "an earlier rename was broken off and is not put back yet"};
  }
  std::vector<OldFile> old;
  std::vector<std::string> contents;
  for (const FileEdits& file : files) {
    CODEXMEM_ASSIGN(OldFile read, read_old(root, file));
    contents.push_back(edited(read.bytes, file.edits));
    read.new_hash = sha256_hex(contents.back());
    old.push_back(std::move(read));
  }
  CODEXMEM_TRY(replace_file(journal_path(workspace), write_journal(old)));
  if (auto sealed = store::seal_file(journal_path(workspace)); !sealed.ok()) {
    fs::remove(journal_path(workspace), ignored);
    return sealed.error();
  }
  // From here on, the destructor restores the files.
  Rewrite rewrite(std::unique_ptr<Impl>(new Impl{workspace, std::move(lock), std::move(old)}));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const OldFile& file = rewrite.impl_->files[i];
    auto written = write_new(root, file, contents[i]);
    if (written.ok()) continue;
    if (const auto undone = rewrite.undo(); !undone.ok()) {
      return Error{ErrorCode::kIo, written.error().message() + "; " + undone.error().message()};
    }
    return written.error();
  }
  return rewrite;
}

Result<void> Rewrite::keep() {
  impl_->is_open = false;
  std::error_code error;
  fs::remove(journal_path(impl_->workspace), error);
  if (error) {
    return Error{ErrorCode::kIo, journal_path(impl_->workspace).string() +
                                     " cannot be removed: " + error.message()};
  }
  return {};
}

Result<void> Rewrite::undo() {
  impl_->is_open = false;
  return put_all_back(impl_->workspace, impl_->files);
}

bool is_rewrite_broken_off(const store::Workspace& workspace) {
  std::error_code ignored;
  const fs::path journal = journal_path(workspace);
  if (!fs::exists(journal, ignored) || !store::is_own_file(journal)) return false;
  return FileLock::take(lock_path(workspace)).ok() && fs::exists(journal, ignored);
}

Result<std::vector<std::string>> recover_rewrite(const store::Workspace& workspace) {
  std::vector<std::string> paths;
  std::error_code ignored;
  const fs::path journal = journal_path(workspace);
  if (!fs::exists(journal, ignored)) return paths;
  const auto lock = FileLock::take(lock_path(workspace));
  if (!lock.ok() && lock.error().code() == ErrorCode::kBusy) return paths;
  if (!lock.ok()) return lock.error();
  const bool is_own = store::is_own_file(journal);
  const auto text = is_own ? read_file(journal) : Result<std::string>(std::string());
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) return paths;
  if (!text.ok()) return text.error();
  const auto files = read_journal(*text);
  if (!files) {
    const fs::path aside = journal.string() + ".damaged";
    fs::rename(journal, aside, ignored);
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the journal of an earlier rename is {}, so its files were "
                             "not put back; it is now {}",
                             is_own ? "damaged" : "not codexmem's own", aside.string())};
  }
  CODEXMEM_TRY(expect_untouched(workspace, *files));
  CODEXMEM_TRY(put_all_back(workspace, *files));
  for (const OldFile& file : *files) paths.push_back(file.path);
  return paths;
}

}  // namespace codexmem::index
