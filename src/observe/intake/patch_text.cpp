// Tested by observe/rule_based_provider_test.cpp.
#include "observe/intake/patch_text.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::string_view kEnvelope = "*** Begin Patch";

// "a/src/x.ts<tab>2026-01-01" of a diff's head.
std::string diff_path(std::string_view text) {
  text = trim(text.substr(0, text.find('\t')));
  if (text == "/dev/null") return {};
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  if (text.starts_with("a/") || text.starts_with("b/")) text.remove_prefix(2);
  return std::string(text);
}

class PatchReader {
 public:
  void read_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (old_left_ > 0 || new_left_ > 0) return read_counted(line);
    if (line.starts_with("*** ")) return read_envelope(line.substr(4));
    if (line.starts_with("diff --git ")) {
      begin_file({});
      in_head_ = true;
      return;
    }
    if (line.starts_with("--- ") && !in_envelope_) {
      if (!in_head_) begin_file({});
      in_head_ = true;
      old_path_ = diff_path(line.substr(4));
      return;
    }
    if (in_head_ && read_head(line)) return;
    if (edits_.empty() || is_over_) return;
    if (line.starts_with("@@")) {
      in_head_ = false;
      return begin_hunk(line);
    }
    if (in_head_) return;
    read_change(line);
  }

  std::vector<FileEdit> finish() {
    std::erase_if(edits_, [](const FileEdit& edit) { return edit.path.empty(); });
    return std::move(edits_);
  }

 private:
  void begin_file(std::string_view path) {
    is_over_ = edits_.size() >= kMaxEdits;
    if (is_over_) return;
    edits_.emplace_back().path = std::string(trim(path));
    old_left_ = new_left_ = 0;
    in_head_ = false;
  }

  void read_envelope(std::string_view line) {
    const auto value_of = [&](std::string_view name) {
      return line.starts_with(name) ? std::optional(line.substr(name.size())) : std::nullopt;
    };
    in_envelope_ = true;
    if (const auto path = value_of("Add File: ")) {
      begin_file(*path);
      if (!is_over_) edits_.back().is_new = true;
    } else if (const auto changed = value_of("Update File: ")) {
      begin_file(*changed);
    } else if (const auto deleted = value_of("Delete File: ")) {
      begin_file(*deleted);
      if (!is_over_) edits_.back().is_deleted = true;
    } else if (const auto target = value_of("Move to: "); target && !edits_.empty()) {
      edits_.back().moved_to = std::string(trim(*target));
    }
  }

  bool read_head(std::string_view line) {
    if (is_over_ || edits_.empty()) return false;
    FileEdit& edit = edits_.back();
    if (line.starts_with("+++ ")) {
      const std::string path = diff_path(line.substr(4));
      edit.is_new = old_path_.empty();
      edit.is_deleted = path.empty();
      edit.path = edit.is_new ? path : old_path_;
      if (!edit.is_new && !path.empty() && path != edit.path) edit.moved_to = path;
      return true;
    }
    if (line.starts_with("rename from ")) {
      edit.path = line.substr(12);
      return true;
    }
    if (line.starts_with("rename to ")) {
      edit.moved_to = line.substr(10);
      return true;
    }
    return false;
  }

  // "@@ -1,2 +3,4 @@ heading" or "@@ heading".
  void begin_hunk(std::string_view line) {
    FileEdit& edit = edits_.back();
    std::string_view heading = line.substr(2);
    const std::size_t end = heading.find("@@");
    if (end != std::string_view::npos && trim(heading.substr(0, end)).starts_with('-')) {
      read_counts(trim(heading.substr(0, end)));
      heading = heading.substr(end + 2);
    }
    // Headings of headings: the innermost counts, the outer one where there is no other.
    if (!edit.changes.empty() && edit.changes.back().before.empty() &&
        edit.changes.back().after.empty()) {
      if (!trim(heading).empty()) edit.changes.back().heading = std::string(trim(heading));
      return;
    }
    edit.changes.emplace_back().heading = std::string(trim(heading));
  }

  // "-1,2 +3,4": a side without count has one line.
  void read_counts(std::string_view text) {
    const std::size_t plus = text.find('+');
    if (plus == std::string_view::npos) return;
    const auto count_in = [](std::string_view side) {
      const std::size_t comma = side.find(',');
      if (comma == std::string_view::npos) return std::size_t{1};
      std::size_t count = 0;
      for (const char c : side.substr(comma + 1)) {
        if (c < '0' || c > '9') break;
        count = std::min<std::size_t>(count * 10 + static_cast<std::size_t>(c - '0'), 10'000'000);
      }
      return count;
    };
    old_left_ = count_in(text.substr(0, plus));
    new_left_ = count_in(text.substr(plus));
  }

  void read_counted(std::string_view line) {
    const char mark = line.empty() ? ' ' : line[0];
    if (mark != '+' && old_left_ > 0 && mark != '\\') --old_left_;
    if (mark != '-' && new_left_ > 0 && mark != '\\') --new_left_;
    if (!is_over_) read_change(line);
  }

  void read_change(std::string_view line) {
    FileEdit& edit = edits_.back();
    if (!line.empty() && line[0] == '\\') return;  // no newline at the end of the file
    if (edit.changes.empty()) {
      if (!in_envelope_) return;
      edit.changes.emplace_back();
    }
    TextChange& change = edit.changes.back();
    change.is_whole = edit.is_new;
    const char mark = line.empty() ? ' ' : line[0];
    if (mark != '+' && mark != '-' && mark != ' ') return;
    const std::string_view text = line.empty() ? line : line.substr(1);
    if (mark != '+') (change.before += text) += '\n';
    if (mark != '-') (change.after += text) += '\n';
  }

  std::vector<FileEdit> edits_;
  std::string old_path_;
  std::size_t old_left_ = 0, new_left_ = 0;  // lines of the hunk, as its head says
  bool in_head_ = false, in_envelope_ = false, is_over_ = false;
};

}  // namespace

bool holds_patch(std::string_view text) {
  if (text.find(kEnvelope) != std::string_view::npos) return true;
  const std::size_t head = text.find("--- ");
  return head != std::string_view::npos && (head == 0 || text[head - 1] == '\n') &&
         text.find("\n+++ ", head) != std::string_view::npos &&
         text.find("\n@@ ", head) != std::string_view::npos;
}

std::vector<FileEdit> read_patch(std::string_view text) {
  const std::size_t envelope = text.find(kEnvelope);
  if (envelope != std::string_view::npos) {
    text = text.substr(envelope);
    if (const std::size_t end = text.find("*** End Patch"); end != std::string_view::npos) {
      text = text.substr(0, end);
    }
  }
  PatchReader reader;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    reader.read_line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.finish();
}

}  // namespace codexmem::observe
