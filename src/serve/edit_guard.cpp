// Tested by serve/edit_guard_test.cpp and, with the real programs, by worker/edit_guard_test.py.
#include "serve/edit_guard.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ask/code/tests_to_run.h"
#include "ask/fresh.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/uses/references.h"
#include "index/discovery/decode.h"
#include "index/discovery/root_directory.h"
#include "index/run/open_texts.h"
#include "observe/intake/shell_command.h"
#include "observe/intake/tool_action.h"
#include "serve/repository.h"
#include "store/code/overlay_reader.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::serve {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMaxSessions = 64, kMaxOpened = 5'000, kMaxEdited = 500;
// Nobody waits longer for an answer.
constexpr std::chrono::milliseconds kLongestSearch{3'000};
// A later answer did not reach the host, so that it counts as not said.
constexpr std::chrono::milliseconds kHostWaits{75}, kHostWaitsAtEnd{450};

// Requests a stop when `parent` does, or when the time is over.
class StopAfter {
 public:
  StopAfter(std::stop_token parent, std::chrono::milliseconds time)
      : on_parent_(std::move(parent), [this] { source_.request_stop(); }),
        timer_([this, time](const std::stop_token& ended) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any().wait_for(lock, ended, time, [] { return false; });
          if (!ended.stop_requested()) source_.request_stop();
        }),
        scope_(source_.get_token()) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> on_parent_;
  std::jthread timer_;
  StopScope scope_;
};

// `event` is an edit that is planned, or a tool's use that was observed. Paths stay as they are
// written if there is no `cwd`.
observe::ToolAction action_of(const auto& event, std::string response = "null",
                              std::string cwd = {}) {
  return observe::read_action({.tool_name = event.tool_name,
                               .input = event.tool_input,
                               .response = std::move(response),
                               .cwd = std::move(cwd)},
                              [](const std::string&) { return std::string(); });
}

// The file at `written`, as a tool names it, in its repository; nothing where a worker for all of
// this user's programs may not look.
std::optional<GuardedFile> find_file(const std::string& written, const std::string& cwd) {
  const fs::path path = fs::path(cwd) / written;
  if (!path.is_absolute() || path.filename().empty()) return std::nullopt;
  std::error_code failed;
  const fs::path folder = fs::canonical(path.parent_path(), failed);
  if (failed) return std::nullopt;
  const auto root = find_root(folder);
  if (!root.ok() || !why_not_for_all(*root).empty()) return std::nullopt;
  auto below = path_below(*root, folder / path.filename());
  if (!below || below->empty()) return std::nullopt;
  return GuardedFile{*root, *std::move(below)};
}

// The index of a repository, with the texts that it has on disk now laid over it, and perhaps one
// that is not there yet.
class OverlaidIndex {
 public:
  static Result<std::unique_ptr<OverlaidIndex>> open(store::Workspace& workspace) {
    CODEXMEM_ASSIGN(auto lease, workspace.reader());
    CODEXMEM_ASSIGN(auto root, index::RootDirectory::open(workspace.root()));
    CODEXMEM_ASSIGN(auto texts, index::OpenTexts::make(workspace.root()));
    auto made = std::unique_ptr<OverlaidIndex>(
        new OverlaidIndex(workspace, std::move(lease), std::move(root), std::move(texts)));
    CODEXMEM_ASSIGN(auto moment, made->lease_->begin_read());
    made->moment_.emplace(std::move(moment));
    return made;
  }

  // The text on disk, if the file has one.
  std::optional<std::string> text_on_disk(const std::string& path) const {
    auto bytes = root_.read(path, kMaxFileBytes);
    auto decoded = bytes.ok() ? index::decode_text(*std::move(bytes)) : std::nullopt;
    return decoded ? std::optional(std::move(decoded->text)) : std::nullopt;
  }

  void put(const std::string& path, std::string text) { texts_->put(path, std::move(text)); }

  // Lays the texts of `paths` over the index where it is out of date. False if it never is.
  Result<bool> refresh(std::set<std::string> paths) {
    std::erase_if(paths, [&](const std::string& path) { return refreshed_.contains(path); });
    CODEXMEM_ASSIGN(const auto stale, ask::list_stale(workspace_, *lease_, paths));
    for (const std::string& path : stale) {
      refreshed_.insert(path);
      put(path, text_on_disk(path).value_or(""));
    }
    return !stale.empty();
  }

  Result<std::unique_ptr<store::CodeReader>> reader() {
    CODEXMEM_ASSIGN(auto overlay, texts_->over(*lease_));
    return store::make_overlay_reader(*lease_, std::move(overlay));
  }

 private:
  OverlaidIndex(store::Workspace& workspace, store::ReaderLease lease, index::RootDirectory root,
                std::unique_ptr<index::OpenTexts> texts)
      : workspace_(workspace),
        lease_(std::move(lease)),
        root_(std::move(root)),
        texts_(std::move(texts)) {}

  store::Workspace& workspace_;
  store::ReaderLease lease_;
  index::RootDirectory root_;
  std::unique_ptr<index::OpenTexts> texts_;
  std::set<std::string> refreshed_;
  std::optional<store::ReadMoment> moment_;  // ends first
};

// "src/a.py:8,37,42,50 and 25 more", an item for each file.
std::vector<std::string> by_file(const std::vector<graph::BrokenPlace>& places) {
  constexpr std::size_t kMaxLines = 4;
  std::vector<std::string> files;
  for (auto first = places.begin(); first != places.end();) {
    const auto last = std::find_if(first, places.end(),
                                   [&](const auto& place) { return place.path != first->path; });
    std::string& text = files.emplace_back(fmt::format("{}:{}", first->path, first->line));
    const auto shown = first + std::min<std::ptrdiff_t>(last - first, kMaxLines);
    for (auto each = first + 1; each != shown; ++each) text += fmt::format(",{}", each->line);
    if (shown != last) text += fmt::format(" and {} more", last - shown);
    first = last;
  }
  return files;
}

// Appends to `text` as many of `items` as fit into `limit` bytes, and the number of the others.
void append_list(std::string& text, const std::vector<std::string>& items, std::string_view what,
                 std::size_t limit) {
  constexpr std::size_t kReserved = 28;  // for " and 1,234 more definitions"
  std::size_t count = 0;
  for (; count < items.size(); ++count) {
    const std::string_view between = count == 0 ? "" : ", ";
    const bool is_last = count + 1 == items.size();
    if (text.size() + between.size() + items[count].size() + (is_last ? 0 : kReserved) > limit) {
      break;
    }
    text.append(between).append(items[count]);
  }
  if (count == items.size()) return;
  const std::size_t left = items.size() - count;
  text += count == 0 ? counted(left, what)
                     : fmt::format(" and {}", counted(left, fmt::format("more {}", what)));
}

std::size_t count_of(const graph::EditBreak& each) {
  return each.broken.size() + each.possible.size() + each.naming_files;
}

// A name with the type around it, without packages.
std::string short_name(const std::string& name) {
  const std::size_t last = name.rfind('.');
  const std::size_t before = last == 0 || last == name.npos ? name.npos : name.rfind('.', last - 1);
  return before == name.npos ? name : name.substr(before + 1);
}

std::string sentence(const graph::EditBreak& each, std::size_t limit) {
  std::string text = short_name(each.name);
  const std::size_t sure = each.broken.size();
  if (!each.unfit.empty()) {
    text += fmt::format(
        ": {} {} not fit ({})",
        counted(sure > 0 ? sure : each.possible.size(), sure > 0 ? "call" : "possible call"),
        (sure > 0 ? sure : each.possible.size()) == 1 ? "does" : "do", each.unfit);
  } else {
    text += each.new_name.empty() ? " is gone" : fmt::format(" is gone (now {}?)", each.new_name);
    if (each.naming_files > 0) {
      return text + fmt::format(", and {} its name",
                                counted(each.naming_files, "other file has", "other files have"));
    }
    text += sure > 0 ? fmt::format(", {} left", counted(sure, "use"))
                     : fmt::format(", {} left", counted(each.possible.size(), "possible use"));
  }
  if (sure > 0 && !each.possible.empty()) {
    text += fmt::format(" and {} possible", each.possible.size());
  }
  text += ": ";
  std::vector<std::string> places = by_file(each.broken);
  std::ranges::move(by_file(each.possible), std::back_inserter(places));
  append_list(text, places, "file", limit);
  return text;
}

std::string warning(std::vector<graph::EditBreak> breaks, bool is_complete) {
  std::ranges::stable_sort(breaks, std::ranges::greater(), [](const graph::EditBreak& each) {
    return std::pair(each.broken.size() + each.naming_files, each.possible.size());
  });
  constexpr std::size_t kReserved = 40;  // for the remark about omitted definitions
  std::string text = "codexmem: this edit breaks other code. ";
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const std::size_t used = text.size() + kReserved;
    const std::size_t left = kMaxGuardBytes - std::min(used, kMaxGuardBytes);
    // Room for the next ones.
    const std::string next =
        sentence(breaks[i], i + 1 == breaks.size() ? left : std::max<std::size_t>(left / 2, 60));
    if (next.size() > left) {
      text += fmt::format("And {}.", counted(breaks.size() - i, "more definition"));
      return text;
    }
    text += next + ". ";
  }
  if (!is_complete) text += "Not all uses were looked for.";
  return std::string(trim(text));
}

}  // namespace

EditGuard::Session& EditGuard::session_of(const std::string& id) {
  const auto found = std::ranges::find(sessions_, id, &Session::id);
  if (found != sessions_.end()) {
    sessions_.splice(sessions_.begin(), sessions_, found);
  } else {
    sessions_.emplace_front().id = id;
    if (sessions_.size() > kMaxSessions) sessions_.pop_back();
  }
  return sessions_.front();
}

Result<EditGuard::Answer> EditGuard::check(const Edit& edit, std::stop_token stop) {
  const auto begun = std::chrono::steady_clock::now();
  const StopAfter limit(std::move(stop), kLongestSearch);
  Answer answer;
  if (repositories_ == nullptr) return answer;
  const observe::ToolAction planned = action_of(edit);
  if (planned.kind != observe::ActionKind::kEdit || planned.edits.size() != 1) return answer;
  const auto file = find_file(planned.edits.front().path, edit.cwd);
  if (!file) return answer;
  const auto code = repositories_->reading_at(file->root);
  if (!code.ok() || !has_complete_index((*code)->workspace)) return answer;
  CODEXMEM_ASSIGN(const auto index, OverlaidIndex::open((*code)->workspace));
  const auto now = index->text_on_disk(file->path);
  if (!now) return answer;
  const observe::ToolAction known = action_of(edit, json_object("originalFile", *now).text);
  if (known.edits.size() != 1 || known.edits.front().changes.size() != 1 ||
      !known.edits.front().changes.front().is_whole) {
    return answer;
  }
  const std::string& then = known.edits.front().changes.front().after;

  std::set<std::string> paths;
  {
    const std::lock_guard lock(mutex_);
    for (const fs::path& each : session_of(edit.session).edited) {
      if (auto below = path_below(file->root, each)) paths.insert(*std::move(below));
    }
  }
  paths.erase(file->path);
  CODEXMEM_TRY(index->refresh(paths));
  for (bool is_stale = true; is_stale;) {
    index->put(file->path, *now);
    CODEXMEM_ASSIGN(const auto before, index->reader());
    index->put(file->path, then);
    CODEXMEM_ASSIGN(const auto after, index->reader());
    const auto find = [&](graph::EditDepth depth) {
      return graph::find_edit_breaks((*code)->facts, *before, *after, file->path, depth);
    };
    auto found = [&] {
      const auto used = std::chrono::steady_clock::now() - begun;
      const StopAfter in_time(limit.token(),
                              std::chrono::ceil<std::chrono::milliseconds>(edit.time - used));
      return find(graph::EditDepth::kUses);
    }();
    if (!found.ok() && found.error().code() == ErrorCode::kCancelled && !is_stopped()) {
      found = find(graph::EditDepth::kNames);
    }
    CODEXMEM_ASSIGN(answer.breaks, std::move(found));
    paths.clear();
    for (const graph::EditBreak& each : answer.breaks.breaks) {
      for (const auto& place : each.broken) paths.insert(place.path);
      for (const auto& place : each.possible) paths.insert(place.path);
    }
    paths.erase(file->path);
    CODEXMEM_ASSIGN(is_stale, index->refresh(std::move(paths)));
  }
  if (std::chrono::steady_clock::now() - begun < std::max(edit.time, kHostWaits)) {
    remember(edit, *file, answer);
  }
  return answer;
}

void EditGuard::remember(const Edit& edit, const GuardedFile& file, Answer& answer) {
  const std::lock_guard lock(mutex_);
  Session& session = session_of(edit.session);
  if (!answer.breaks.changed.empty()) {
    session.changed[file].insert(answer.breaks.changed.begin(), answer.breaks.changed.end());
  }
  std::vector<graph::EditBreak> news;
  for (const graph::EditBreak& each : answer.breaks.breaks) {
    std::size_t& said = session.said[fmt::format("{}\n{}\n{}\n{}", file.root.string(), file.path,
                                                 each.name, each.unfit.empty())];
    if (count_of(each) <= said) continue;
    said = count_of(each);
    news.push_back(each);
  }
  if (!news.empty()) answer.text = warning(std::move(news), answer.breaks.is_complete);
}

Result<std::string> EditGuard::list_unseen(const std::string& session_id, std::stop_token stop) {
  const auto begun = std::chrono::steady_clock::now();
  const StopAfter limit(std::move(stop), kLongestSearch);
  Session session;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(sessions_, session_id, &Session::id);
    if (found == sessions_.end() || found->changed.empty()) return std::string();
    session = *found;
  }
  std::vector<std::string> users, tests, names;
  std::set<fs::path> unseen;
  for (const auto& [file, changed] : session.changed) {
    if (!session.edited.contains(file.root / file.path)) continue;  // it was refused
    const auto code = repositories_->reading_at(file.root);
    if (!code.ok()) continue;
    CODEXMEM_ASSIGN(const auto index, OverlaidIndex::open((*code)->workspace));
    CODEXMEM_TRY(index->refresh({file.path}));
    CODEXMEM_ASSIGN(const auto reader, index->reader());
    for (const std::string& name : changed) {
      graph::ReferenceQuery query;
      query.symbol = name;
      query.file_path = file.path;
      query.include_definitions = false;
      query.min_confidence = graph::Confidence::kLikely;
      const auto found = graph::find_references((*code)->facts, *reader, query);
      if (!found.ok()) {
        if (found.error().code() == ErrorCode::kNotFound) continue;
        return found.error();
      }
      bool is_new = false;
      for (const graph::ReferenceItem& item : found->items) {
        const fs::path path = file.root / item.path;
        if (item.path == file.path || session.opened.contains(path) ||
            session.edited.contains(path) || session.said_unseen.contains(path) ||
            !unseen.insert(path).second) {
          continue;
        }
        is_new = true;
        (ask::is_runnable_test(item.path) ? tests : users).push_back(item.path);
      }
      if (is_new) names.push_back(name);
    }
  }
  if (unseen.empty()) return std::string();
  if (std::chrono::steady_clock::now() - begun < kHostWaitsAtEnd) {
    const std::lock_guard lock(mutex_);
    session_of(session_id).said_unseen.insert(unseen.begin(), unseen.end());
  }
  std::string text = "codexmem: changed and not looked at: users of ";
  append_list(text, names, "definition", 160);
  if (!users.empty()) {
    text += " in ";
    append_list(text, users, "file", tests.empty() ? kMaxGuardBytes : 280);
  }
  if (!tests.empty()) {
    text += users.empty() ? " in tests " : "; tests ";
    append_list(text, tests, "file", kMaxGuardBytes);
  }
  return text;
}

void EditGuard::note(const observe::IntakeRequest& request) {
  const auto* const event = std::get_if<observe::ObservationRequest>(&request);
  if (event == nullptr) return;
  observe::ToolAction action = action_of(*event, "null", event->cwd);
  std::vector<std::string> opened, edited;
  if (action.kind == observe::ActionKind::kEdit) {
    if (action_of(*event, event->tool_response, event->cwd).has_failed) return;
    for (const observe::FileEdit& edit : action.edits) edited.push_back(edit.path);
  } else if (action.kind == observe::ActionKind::kRead) {
    opened = std::move(action.files);
  } else if (action.kind == observe::ActionKind::kCommand) {
    opened = observe::read_command(action.command).files_read;
  }
  if (opened.empty() && edited.empty()) return;
  const auto add = [&](const std::vector<std::string>& paths, std::set<fs::path>& files,
                       std::size_t most) {
    for (const std::string& path : paths) {
      if (files.size() >= most) return;
      std::error_code ignored;
      files.insert(fs::weakly_canonical(fs::path(event->cwd) / path, ignored));
    }
  };
  const std::lock_guard lock(mutex_);
  Session& session = session_of(event->content_session_id);
  add(opened, session.opened, kMaxOpened);
  add(edited, session.edited, kMaxEdited);
}

}  // namespace codexmem::serve
