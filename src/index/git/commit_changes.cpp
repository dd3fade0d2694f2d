// Tested by tests/index/commit_changes_test.cpp and tests/git/branch_memory_test.py.
#include "index/git/commit_changes.h"

#include <fmt/core.h>

#include <cstring>

#include "base/text.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxPatchFiles = 1'000;
constexpr std::size_t kMaxMessageBytes = std::size_t{64} << 10;

std::string files_of(git_diff* diff) {
  std::string files;
  const std::size_t count = diff == nullptr ? 0 : git_diff_num_deltas(diff);
  if (count > kMaxPatchFiles) return files;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const path = git_diff_get_delta(diff, i)->new_file.path;
    files += path == nullptr ? "" : path;
    files += '\n';
  }
  return files;
}

std::string patch_id_of(git_diff* diff) {
  git_oid id;
  return diff != nullptr && git_diff_patchid(&id, diff, nullptr) == 0 ? hex_of(id) : "";
}

// `message` has a line that is `line`, or begins with it if `is_begin`.
bool has_line(std::string_view message, const std::string& line, bool is_begin = false) {
  for (std::size_t at = message.find(line); at != std::string_view::npos;
       at = message.find(line, at + 1)) {
    const std::size_t end = at + line.size();
    const bool is_end =
        is_begin || end >= message.size() || message[end] == '\n' || message[end] == '\r';
    if ((at == 0 || message[at - 1] == '\n') && is_end) return true;
  }
  return false;
}

}  // namespace

DiffHandle CommitChanges::diff(const git_commit* before, const git_commit* after) const {
  const TreeHandle old_tree = before == nullptr ? nullptr : tree_of(before);
  const TreeHandle new_tree = tree_of(after);
  git_diff* raw = nullptr;
  const bool is_made =
      new_tree != nullptr &&
      git_diff_tree_to_tree(&raw, repository_, old_tree.get(), new_tree.get(), nullptr) == 0;
  return DiffHandle(is_made ? raw : nullptr);
}

DiffHandle CommitChanges::diff_of(const git_commit* commit) const {
  const unsigned count = git_commit_parentcount(commit);
  git_commit* raw = nullptr;
  if (count > 1 || (count == 1 && git_commit_parent(&raw, commit, 0) != 0)) return nullptr;
  const CommitHandle parent(raw);
  return diff(parent.get(), commit);
}

CommitChange& CommitChanges::find(const git_commit* commit) {
  const auto [at, is_new] = changes_.try_emplace(hex_of(*git_commit_id(commit)));
  CommitChange& change = at->second;
  if (!is_new) return change;
  change.files = files_of(diff_of(commit).get());
  const char* const text = git_commit_message(commit);
  if (text != nullptr) change.message.assign(text, ::strnlen(text, kMaxMessageBytes));
  const git_signature* const author = git_commit_author(commit);
  if (author != nullptr && author->email != nullptr) {
    change.email = author->email;
    change.signature =
        fmt::format("{} {} {}", author->email, author->when.time, subject_of(change.message));
  }
  return change;
}

const CommitChange& CommitChanges::of(const git_commit* commit) { return find(commit); }

const std::string& CommitChanges::patch_of(const git_commit* commit) {
  CommitChange& change = find(commit);
  if (change.patch.empty() && !change.files.empty()) {
    change.patch = patch_id_of(diff_of(commit).get());
  }
  return change.patch;
}

CommitChange CommitChanges::between(const git_commit* before, const git_commit* after) const {
  const DiffHandle all = diff(before, after);
  CommitChange change;
  change.files = files_of(all.get());
  if (!change.files.empty()) change.patch = patch_id_of(all.get());
  return change;
}

bool CommitChanges::is_same(const git_commit* commit, const CommitChange& other) {
  const CommitChange& change = find(commit);
  if (other.files.empty() || change.files != other.files) return false;
  if (!other.signature.empty() && change.signature == other.signature) return true;
  return !other.patch.empty() && patch_of(commit) == other.patch;
}

std::string_view subject_of(std::string_view message) {
  return trim(message.substr(0, message.find('\n')));
}

std::string change_id_of(std::string_view message) {
  constexpr std::string_view kName = "\nChange-Id:";
  std::size_t at = message.rfind(kName);
  if (at == std::string_view::npos) return "";
  at += kName.size();
  return std::string(trim(message.substr(at, message.find('\n', at) - at)));
}

bool names_commit(std::string_view message, const std::string& id) {
  return message.find("(cherry picked from commit " + id + ")") != std::string_view::npos ||
         has_line(message, "commit " + id, /*is_begin=*/true);
}

bool lists_subject(std::string_view message, std::string_view subject) {
  const std::string text(subject);
  return has_line(message, "* " + text) || has_line(message, "- " + text);
}

bool is_request_of(std::string_view subject, std::string_view of) {
  if (of.empty() || !subject.starts_with(of)) return false;
  const std::string_view end = subject.substr(of.size());
  return end.size() > 4 && end.starts_with(" (#") && end.ends_with(")") &&
         end.substr(3, end.size() - 4).find_first_not_of("0123456789") == std::string_view::npos;
}

bool names_author(std::string_view message, const std::string& email) {
  return has_line(message, "Co-authored-by:", /*is_begin=*/true) &&
         message.find("<" + email + ">") != std::string_view::npos;
}

}  // namespace codexmem::index
