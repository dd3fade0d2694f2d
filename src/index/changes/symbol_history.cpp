// The walk carries the definition's place, its file and name, from commit to commit. A commit that
// did not change the file costs two look-ups in git's trees. One in which the text of the
// definition stands as before costs a search; for others, both states of the file are compared as
// in `codexmem impact`. If the definition is new in its file, the whole commit is compared as well:
// the definition may have come from another file, and is followed there.
//
// Tested by git/history_test.py.
#include "index/changes/symbol_history.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "index/git/git_changes.h"
#include "index/git/git_files.h"
#include "index/git/git_handles.h"
#include "parse/rules/languages.h"
#include "parse/walk/extract.h"

namespace codexmem::index {
namespace fs = std::filesystem;

namespace {

// True if `outer` is `name` or contains it.
bool holds(const std::string& outer, const std::string& name) {
  return name == outer ||
         (name.size() > outer.size() && name.starts_with(outer) && name[outer.size()] == '.');
}

// How often `text` contains `part`, which is not empty.
std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

class HistoryWalk {
 public:
  HistoryWalk(const fs::path& root, const SymbolHistoryQuery& query, const std::stop_token& stop)
      : root_(root), query_(query), stop_(stop) {}

  Result<SymbolHistory> run() {
    CODEXMEM_ASSIGN(const fs::path top, find_git_top(root_, /*here_only=*/false));
    CODEXMEM_ASSIGN(repository_, open_git(top));
    prefix_ = path_below(top, root_).value_or("");
    history_.is_shallow = git_repository_is_shallow(repository_.get()) == 1;
    git_oid head;
    if (git_reference_name_to_id(&head, repository_.get(), "HEAD") != 0) {
      history_.uncommitted = SymbolChange::kAdded;
      return std::move(history_);
    }
    Place place = {query_.path, query_.name};
    CODEXMEM_ASSIGN(const auto uncommitted, find_change({.since = "", .is_staged = false}, place));
    if (uncommitted) {
      history_.uncommitted = uncommitted->change;
      if (uncommitted->change == SymbolChange::kAdded) return std::move(history_);
      place = before(*uncommitted, std::move(place));
    }
    CODEXMEM_TRY(hand_on(head, std::move(place)));
    while (!waiting_.empty()) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "cancelled"};
      if (history_.events.size() >= query_.limit ||
          std::chrono::steady_clock::now() >= query_.deadline) {
        history_.is_whole = false;
        break;
      }
      const Waiting next = std::move(const_cast<Waiting&>(waiting_.top()));
      waiting_.pop();
      CODEXMEM_TRY(look_at(next));
    }
    return std::move(history_);
  }

 private:
  // The place of the definition.
  struct Place {
    std::string path, name;
  };
  struct Waiting {
    git_time_t time = 0;
    git_oid id{};
    Place place;
    bool operator<(const Waiting& other) const { return time < other.time; }
  };

  // The place before a change.
  static Place before(const ChangedSymbol& changed, Place place) {
    if (!changed.old_path.empty()) place.path = changed.old_path;
    if (!changed.old_name.empty()) {
      place.name = changed.old_name + place.name.substr(changed.name.size());
    }
    return place;
  }

  // The blob at `path` of a commit; nothing if missing.
  std::optional<git_oid> blob_of(const git_commit* commit, const std::string& in_root) const {
    git_tree* raw = nullptr;
    if (git_commit_tree(&raw, commit) != 0) return std::nullopt;
    const TreeHandle tree(raw);
    git_tree_entry* found = nullptr;
    const std::string path = prefix_.empty() ? in_root : prefix_ + "/" + in_root;
    if (git_tree_entry_bypath(&found, raw, path.c_str()) != 0) return std::nullopt;
    const GitHandle<git_tree_entry, &git_tree_entry_free> entry(found);
    return *git_tree_entry_id(found);
  }

  Result<CommitHandle> get_commit(const git_oid& id) const {
    git_commit* raw = nullptr;
    if (git_commit_lookup(&raw, repository_.get(), &id) != 0) return git_failure();
    return CommitHandle(raw);
  }

  // True for a commit that a shallow clone does not have.
  bool is_beyond(const git_oid& id) {
    git_commit* raw = nullptr;
    const bool is_missing =
        history_.is_shallow && git_commit_lookup(&raw, repository_.get(), &id) == GIT_ENOTFOUND;
    const CommitHandle commit(raw);
    if (is_missing) history_.is_whole = false;
    return is_missing;
  }

  // In a merge, one side may have the definition in another file, because the other side moved it.
  Result<void> hand_on_to_side(const Waiting& merge, const git_oid& side) {
    if (is_beyond(side)) return {};
    CODEXMEM_ASSIGN(const CommitHandle commit, get_commit(side));
    if (blob_of(commit.get(), merge.place.path)) return hand_on(side, merge.place);
    CODEXMEM_ASSIGN(const auto moved, find_move(side, merge));
    if (!moved || moved->old_path.empty()) return {};
    return hand_on(side, before(*moved, merge.place));
  }

  // A commit is visited once, with the place from the first of its visited children.
  Result<void> hand_on(const git_oid& id, Place place) {
    if (is_beyond(id) || !seen_.insert(hex_of(id)).second) return {};
    CODEXMEM_ASSIGN(const CommitHandle commit, get_commit(id));
    waiting_.push({git_commit_time(commit.get()), id, std::move(place)});
    return {};
  }

  Result<void> look_at(const Waiting& at) {
    CODEXMEM_ASSIGN(const CommitHandle commit, get_commit(at.id));
    const auto now = blob_of(commit.get(), at.place.path);
    ++history_.commits;
    if (!now) return {};  // a branch without this file
    const unsigned parents = git_commit_parentcount(commit.get());
    if (parents == 0) {
      ChangedSymbol added;
      added.change = SymbolChange::kAdded;
      added.path = at.place.path;
      added.name = at.place.name;
      note(commit.get(), std::move(added));
      return {};
    }
    for (unsigned i = 0; i < parents && parents > 1; ++i) {
      if (std::chrono::steady_clock::now() >= query_.deadline) {
        history_.is_whole = false;
        return {};
      }
      CODEXMEM_TRY(hand_on_to_side(at, *git_commit_parent_id(commit.get(), i)));
    }
    if (parents > 1) return {};
    const git_oid parent_id = *git_commit_parent_id(commit.get(), 0);
    if (is_beyond(parent_id)) return {};
    CODEXMEM_ASSIGN(const CommitHandle parent, get_commit(parent_id));
    const auto was = blob_of(parent.get(), at.place.path);
    if (was && git_oid_equal(&*was, &*now) != 0) return hand_on(parent_id, at.place);
    if (const Parts* const parts = find_parts(at.place, *now); parts != nullptr) {
      if (parts->empty()) return {};  // a branch without this definition
      if (was && is_same(at.place, *parts, *was)) return hand_on(parent_id, at.place);
    }
    GitChangesQuery query = between(parent_id, at.id);
    query.only = {at.place.path};
    CODEXMEM_ASSIGN(auto changed, find_change(std::move(query), at.place));
    if (changed && changed->change == SymbolChange::kAdded) {
      CODEXMEM_ASSIGN(auto moved, find_move(parent_id, at));
      if (moved) changed = std::move(moved);
    }
    if (!changed) return hand_on(parent_id, at.place);
    Place place = before(*changed, at.place);
    const bool is_begin = changed->change == SymbolChange::kAdded;
    note(commit.get(), *std::move(changed));
    return is_begin ? Result<void>() : hand_on(parent_id, std::move(place));
  }

  // The text of a blob; "" for one that is missing, or too large to be compared.
  std::string text_of(const git_oid& id) const {
    constexpr git_object_size_t kMaxBytes = git_object_size_t{1} << 20;
    git_blob* raw = nullptr;
    if (git_blob_lookup(&raw, repository_.get(), &id) != 0) return "";
    const BlobHandle blob(raw);
    if (git_blob_rawsize(raw) > kMaxBytes) return "";
    return {static_cast<const char*>(git_blob_rawcontent(raw)),
            static_cast<std::size_t>(git_blob_rawsize(raw))};
  }

  // How often a text contains each part of the definition: its own text, of each overload, and the
  // heads of the definitions around it.
  using Parts = std::map<std::string, std::size_t>;

  static std::string key_of(const Place& place, const git_oid& blob) {
    return hex_of(blob) + place.path + ':' + place.name;
  }

  // The parts of the definition in a blob, none if it is not there; null: it cannot be read.
  const Parts* find_parts(const Place& place, const git_oid& blob) {
    if (const auto at = known_.find(key_of(place, blob)); at != known_.end()) return at->second;
    const std::string text = text_of(blob);
    const parse::Language* const language = parse::detect_language(place.path, text);
    if (text.empty() || language == nullptr || !language->has_grammar) return nullptr;
    const auto facts = extractor_.extract(*language, text, {}, stop_);
    if (!facts.ok() || facts->truncated) return nullptr;
    Parts& parts = parts_.emplace_back();
    const auto add = [&](const ByteRange& range) {
      if (range.end > range.begin) parts[text.substr(range.begin, range.end - range.begin)] = 0;
    };
    for (const parse::Symbol& symbol : facts->symbols) {
      if (symbol.qualified_name != place.name) continue;
      add(symbol.range);
      for (std::uint32_t at = symbol.parent; at != parse::kNoIndex;) {
        const parse::Symbol& around = facts->symbols[at];
        add(around.signature.end > around.signature.begin ? around.signature : around.name_range);
        at = around.parent;
      }
    }
    for (auto& [part, count] : parts) count = count_of(text, part);
    return known_[key_of(place, blob)] = &parts;
  }

  // True if the definition with these parts surely is in `blob` as well: nothing need be parsed.
  bool is_same(const Place& place, const Parts& parts, const git_oid& blob) {
    const std::string text = text_of(blob);
    const bool is_same = std::ranges::all_of(
        parts, [&](const auto& part) { return count_of(text, part.first) == part.second; });
    if (is_same) known_[key_of(place, blob)] = &parts;
    return is_same;
  }

  static GitChangesQuery between(const git_oid& parent, const git_oid& commit) {
    return {.since = hex_of(parent), .is_staged = false, .until = hex_of(commit)};
  }

  // Finds the change to the definition.
  Result<std::optional<ChangedSymbol>> find_change(GitChangesQuery query,
                                                   const Place& place) const {
    CODEXMEM_ASSIGN(const GitChanges changes, GitChanges::find(root_, root_, std::move(query)));
    CODEXMEM_ASSIGN(const ChangedCode changed, find_changed_symbols(root_, changes, stop_));
    for (const ChangedSymbol& each : changed.symbols) {
      const bool is_whole = each.change == SymbolChange::kAdded ||
                            each.change == SymbolChange::kMoved ||
                            each.change == SymbolChange::kRenamed;
      if (each.change == SymbolChange::kRemoved || each.path != place.path) continue;
      if (each.name == place.name || (is_whole && holds(each.name, place.name)))
        return std::optional(each);
    }
    return std::optional<ChangedSymbol>();
  }

  // Finds the change among all files of a commit, which may be too many to compare.
  Result<std::optional<ChangedSymbol>> find_move(const git_oid& parent, const Waiting& at) {
    auto moved = find_change(between(parent, at.id), at.place);
    if (moved.ok() || moved.error().code() != ErrorCode::kUnsupported) return moved;
    history_.is_whole = false;
    return std::optional<ChangedSymbol>();
  }

  void note(const git_commit* commit, ChangedSymbol changed) {
    history_.has_begin = history_.has_begin || changed.change == SymbolChange::kAdded;
    SymbolEvent event;
    event.changed = std::move(changed);
    event.commit = hex_of(*git_commit_id(commit));
    const git_signature* const author = git_commit_author(commit);
    if (author != nullptr && author->name != nullptr) event.author = author->name;
    if (const char* const summary = git_commit_summary(const_cast<git_commit*>(commit))) {
      event.summary = summary;
    }
    event.at_ms = std::int64_t{git_commit_time(commit)} * 1000;
    history_.events.push_back(std::move(event));
  }

  const fs::path& root_;
  const SymbolHistoryQuery& query_;
  const std::stop_token& stop_;
  RepositoryHandle repository_;
  std::string prefix_;                    // the path from the repository's top to the root
  std::priority_queue<Waiting> waiting_;  // the newest first
  std::set<std::string> seen_;
  parse::Extractor extractor_;
  std::deque<Parts> parts_;
  std::unordered_map<std::string, const Parts*> known_;  // by key_of(); in parts_
  SymbolHistory history_;
};

}  // namespace

Result<SymbolHistory> find_symbol_history(const fs::path& root, const SymbolHistoryQuery& query,
                                          const std::stop_token& stop) {
  return HistoryWalk(root, query, stop).run();
}

}  // namespace codexmem::index
