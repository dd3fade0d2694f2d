// Tested by index/text_diff_test.cpp.
#include "index/changes/text_diff.h"

#include <fmt/core.h>

#include "index/git/git_handles.h"

namespace codexmem::index {
namespace {

int add_hunk(const git_diff_delta*, const git_diff_hunk* hunk, void* out) {
  *static_cast<std::string*>(out) += fmt::format("@@ -{},{} +{},{} @@\n", hunk->old_start,
                                                 hunk->old_lines, hunk->new_start, hunk->new_lines);
  return 0;
}

int add_line(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line, void* out) {
  auto& text = *static_cast<std::string*>(out);
  // The other kinds report a missing line break and are complete.
  const bool is_line = line->origin == GIT_DIFF_LINE_CONTEXT ||
                       line->origin == GIT_DIFF_LINE_ADDITION ||
                       line->origin == GIT_DIFF_LINE_DELETION;
  if (is_line) text += line->origin;
  text.append(line->content, line->content_len);
  return 0;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         bool created) {
  if (before == after && !created) return {};
  start_libgit2();
  std::string out = created ? "--- /dev/null\n" : fmt::format("--- a/{}\n", name);
  out += fmt::format("+++ b/{}\n", name);
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_FORCE_TEXT;
  options.context_lines = 3;
  const bool failed =
      git_diff_buffers(before.data(), before.size(), nullptr, after.data(), after.size(), nullptr,
                       &options, nullptr, nullptr, &add_hunk, &add_line, &out) != 0;
  if (failed) out += "(too large to compare)\n";
  return out;
}

}  // namespace codexmem::index
