#include "ask/fresh.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>

#include "ask/united.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace codexmem::ask {

namespace {

// Errors have a code and a message. This prefix of the message distinguishes an error of indexing
// from an error of the question itself.
constexpr std::string_view kWhileIndexing = "bringing the index up to date";

Error mark_indexing(Error error) {
  if (error.code() == ErrorCode::kCancelled) return error;
  return std::move(error).with_context(kWhileIndexing);
}

// Whether the file `on_disk` is another than the one at `path` of `reader`.
Result<bool> differs_on_disk(const std::filesystem::path& on_disk, store::CodeReader& reader,
                             const std::string& path) {
  CODEXMEM_ASSIGN(const auto row, reader.find_file(path));
  struct stat now {};
  const bool exists = ::lstat(on_disk.c_str(), &now) == 0 && S_ISREG(now.st_mode);
  if (!row) {
    // Not indexed on purpose (ignored, too large): indexing it again would change nothing.
    CODEXMEM_ASSIGN(const auto skipped, reader.find_skipped(path));
    return exists && !skipped;
  }
  const std::int64_t mtime_ns =
      static_cast<std::int64_t>(now.st_mtim.tv_sec) * 1'000'000'000 + now.st_mtim.tv_nsec;
  if (!exists || now.st_size != row->size) return true;
  // A time that proved nothing when the file was read (just past, or in the future) is stored as
  // the one before it: then the bytes decide.
  if (mtime_ns == row->mtime_ns + 1) {
    const auto bytes = read_file(on_disk);
    return !bytes.ok() || sha256_hex(*bytes) != row->hash;
  }
  return mtime_ns != row->mtime_ns;
}

// Of one repository.
class StoreMoment : public internal::Moment {
 public:
  StoreMoment(const store::Workspace& workspace, store::ReaderLease reader)
      : workspace_(workspace), reader_(std::move(reader)) {}

  Result<void> begin() {
    CODEXMEM_ASSIGN(auto moment, reader_->begin_read());
    moment_.emplace(std::move(moment));
    return {};
  }
  store::CodeReader& reader() override { return *reader_; }
  Result<std::vector<std::string>> list_stale(const std::set<std::string>& paths) override {
    return ask::list_stale(workspace_, *reader_, paths);
  }

 private:
  const store::Workspace& workspace_;
  store::ReaderLease reader_;
  std::optional<store::ReadMoment> moment_;
};

// Of all repositories of a workspace that can be asked.
class UnitedMoment : public internal::Moment {
 public:
  UnitedMoment(const UnitedCode& united, std::vector<store::ReaderLease> leases,
               std::vector<store::UnitedMember> members)
      : united_(united),
        leases_(std::move(leases)),
        reader_(store::UnitedReader::make(std::move(members))) {}

  Result<void> begin(UnitedCode& united, const std::stop_token& stop) {
    CODEXMEM_ASSIGN(auto moment, reader_->begin_read());
    moment_.emplace(std::move(moment));
    CODEXMEM_ASSIGN(auto links, united.links(*reader_, stop));
    reader_->set_links(std::move(links));
    return {};
  }
  store::CodeReader& reader() override { return *reader_; }
  Result<std::vector<std::string>> list_stale(const std::set<std::string>& paths) override {
    std::vector<std::string> stale;
    for (const std::string& path : paths) {
      const auto split = store::split_united_path(path);
      if (!split || split->path.empty()) continue;
      for (std::size_t i = 0; i < reader_->members().size(); ++i) {
        const store::UnitedMember& member = reader_->members()[i];
        if (member.name != split->name || member.reader == nullptr) continue;
        CODEXMEM_ASSIGN(
            const bool is_old,
            differs_on_disk(united_.repositories()[i].root / split->path, *reader_, path));
        if (is_old) stale.push_back(path);
      }
    }
    return stale;
  }

 private:
  const UnitedCode& united_;
  std::vector<store::ReaderLease> leases_;
  std::unique_ptr<store::UnitedReader> reader_;
  std::optional<store::ReadMoment> moment_;  // ends first
};

bool is_missing(const Context& context, std::string_view name) {
  return context.staleness != nullptr &&
         std::ranges::any_of(context.staleness->missing,
                             [&](const auto& missing) { return missing.first == name; });
}

void note_missing(const Context& context, const std::string& name, std::string why) {
  if (context.staleness == nullptr || is_missing(context, name)) return;
  context.staleness->missing.emplace_back(name, std::move(why));
}

// A question does not wait for the first index of a repository that it may answer without.
bool is_being_made(CodeServices& code) {
  auto reader = code.workspace.reader();
  if (!reader.ok()) return false;
  const auto is_complete = index::has_complete_index(**reader);
  return is_complete.ok() && !*is_complete;
}

// The repositories whose indexes are out of date, and why. Those that cannot be asked are noted.
Result<std::string> await_all(const Context& context, internal::Deadline deadline) {
  std::vector<std::string> behind;
  std::optional<Error> trouble;
  const UnitedCode& united = *context.code().united;
  for (const UnitedRepository& each : united.repositories()) {
    if (each.code == nullptr) {
      note_missing(context, each.name, each.missing);
      continue;
    }
    if (!each.code->await_ready) continue;
    if (&each != &united.home() && is_being_made(*each.code)) {
      note_missing(context, each.name, "its first index is being made");
      continue;
    }
    auto why = each.code->await_ready(context, deadline);
    if (!why.ok()) {
      if (why.error().code() == ErrorCode::kCancelled) return std::move(why).error();
      note_missing(context, each.name, why.error().message());
      if (&each == &united.home()) trouble = std::move(why).error();
    } else if (!why->empty()) {
      behind.push_back(each.name + ": " + *why);
    }
  }
  const bool is_any_asked = std::ranges::any_of(
      united.repositories(),
      [&](const UnitedRepository& each) { return !is_missing(context, each.name); });
  if (!is_any_asked && trouble) return mark_indexing(*std::move(trouble));
  return join(behind, "; ");
}

Result<std::unique_ptr<internal::Moment>> open_united(const Context& context, Reach reach) {
  UnitedCode& united = *context.code().united;
  std::vector<store::ReaderLease> leases;
  std::vector<store::UnitedMember> members;
  leases.reserve(united.repositories().size());
  for (const UnitedRepository& each : united.repositories()) {
    members.push_back({each.name, nullptr});
    const bool is_left_out =
        reach == Reach::kAsked && !context.repository.empty() && context.repository != each.name;
    if (each.code == nullptr || is_left_out || is_missing(context, each.name)) continue;
    auto lease = each.code->workspace.reader();
    if (!lease.ok()) {
      note_missing(context, each.name, lease.error().message());
      continue;
    }
    leases.push_back(std::move(lease).value());
    members.back().reader = &*leases.back();
  }
  auto moment = std::make_unique<UnitedMoment>(united, std::move(leases), std::move(members));
  CODEXMEM_TRY(moment->begin(united, context.stop));
  return std::unique_ptr<internal::Moment>(std::move(moment));
}

}  // namespace

bool is_of_indexing(const Error& error) { return error.message().starts_with(kWhileIndexing); }

Result<std::vector<std::string>> list_stale(const store::Workspace& workspace,
                                            store::CodeReader& reader,
                                            const std::set<std::string>& paths) {
  std::vector<std::string> stale;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    CODEXMEM_ASSIGN(const bool is_old, differs_on_disk(workspace.root() / path, reader, path));
    if (is_old) stale.push_back(path);
  }
  return stale;
}

namespace internal {

Deadline deadline_of(const Context& context) {
  return std::chrono::steady_clock::now() + context.code().patience;
}

namespace {

Result<void> refresh_one(const Context& context, const CodeServices& code,
                         std::vector<std::string> paths, const std::vector<std::string>& damaged,
                         Deadline deadline) {
  index::IndexOptions options;
  options.force = !damaged.empty();  // their bytes have not changed
  options.only = std::move(paths);
  options.only.insert(options.only.end(), damaged.begin(), damaged.end());
  std::stop_source end;
  const std::stop_callback on_cancel(context.stop, [&end] { end.request_stop(); });
  const auto give_up = [&](const index::IndexProgress& now) {
    if (now.phase != index::IndexPhase::kWaiting) return;
    if (std::chrono::steady_clock::now() >= deadline) end.request_stop();
  };
  auto report = code.index(options, give_up, end.get_token());
  if (report.ok()) return {};
  if (report.error().code() == ErrorCode::kCancelled && !context.stop.stop_requested()) {
    return mark_indexing(
        {ErrorCode::kBusy, fmt::format("{} has changed, and another index run is under way: ask "
                                       "again when it is done",
                                       options.only.front())});
  }
  return mark_indexing(std::move(report).error());
}

}  // namespace

Result<std::unique_ptr<Moment>> open_moment(const Context& context, Reach reach) {
  if (context.code().united != nullptr) return open_united(context, reach);
  const store::Workspace& workspace = context.code().workspace;
  CODEXMEM_ASSIGN(store::ReaderLease reader, context.code().workspace.reader());
  auto moment = std::make_unique<StoreMoment>(workspace, std::move(reader));
  CODEXMEM_TRY(moment->begin());
  return std::unique_ptr<Moment>(std::move(moment));
}

Result<void> refresh(const Context& context, std::vector<std::string> paths,
                     const std::vector<std::string>& damaged, Deadline deadline) {
  const UnitedCode* const united = context.code().united;
  if (united == nullptr) {
    return refresh_one(context, context.code(), std::move(paths), damaged, deadline);
  }
  struct Own {
    std::vector<std::string> paths, damaged;
  };
  std::map<std::string, Own, std::less<>> by_name;
  for (const std::string& path : paths) {
    if (const auto split = store::split_united_path(path)) {
      by_name[std::string(split->name)].paths.emplace_back(split->path);
    }
  }
  for (const std::string& path : damaged) {
    if (const auto split = store::split_united_path(path)) {
      by_name[std::string(split->name)].damaged.emplace_back(split->path);
    }
  }
  for (auto& [name, own] : by_name) {
    const UnitedRepository* const repository = united->find(name);
    if (repository == nullptr || repository->code == nullptr) continue;
    CODEXMEM_TRY(
        refresh_one(context, *repository->code, std::move(own.paths), own.damaged, deadline));
  }
  return {};
}

Result<std::string> await_ready(const Context& context, Deadline deadline) {
  if (context.code().united != nullptr) return await_all(context, deadline);
  if (!context.code().await_ready) return std::string();
  auto behind = context.code().await_ready(context, deadline);
  if (!behind.ok()) return mark_indexing(std::move(behind).error());
  return behind;
}

void note_staleness(const Context& context, std::string behind, std::vector<std::string> files) {
  if (context.staleness == nullptr) return;
  if (behind.empty() && !files.empty()) behind = "files change while they are being indexed";
  context.staleness->why = std::move(behind);
  context.staleness->files = std::move(files);
}

}  // namespace internal

}  // namespace codexmem::ask
