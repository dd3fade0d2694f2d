#include "parse/text/comment_run.h"

#include <algorithm>

namespace codexmem::parse {
namespace {

bool is_white(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

}  // namespace

ByteRange CommentRun::before(std::uint32_t begin, std::uint32_t name_begin) const {
  if (is_run_) {
    return last_.end > 0 && last_.end <= begin && is_next_line({last_.end, begin}) ? last_
                                                                                   : ByteRange{};
  }
  std::string_view comment = text_of(last_);
  if (!comment.starts_with("/**") || comment.size() < 5) return {};
  bool stands_before = last_.end <= begin && is_white(text_of(ByteRange{last_.end, begin}));
  bool stands_inside = last_.begin >= begin && last_.end <= name_begin;
  return stands_before || stands_inside ? last_ : ByteRange{};
}

// True if `between` is white space without an empty line. It follows a comment, which may contain
// its line break.
bool CommentRun::is_next_line(ByteRange between) const {
  std::string_view text = text_of(between);
  const auto ends = std::ranges::count(text, '\n') +
                    (between.begin > 0 && text_[between.begin - 1] == '\n' ? 1 : 0);
  return is_white(text) && ends <= 1;
}

void CommentRun::note(ByteRange range) {
  if (!is_run_) {
    last_ = range;
    return;
  }
  if (range.begin == 0 && text_of(range).starts_with("#!")) return;  // names the interpreter
  // A comment after code on its line is about that code. Other comments on consecutive lines are
  // one.
  std::size_t before = range.begin;
  while (before > 0 && (text_[before - 1] == ' ' || text_[before - 1] == '\t')) --before;
  if (before > 0 && text_[before - 1] != '\n') {
    last_ = {};
    return;
  }
  const bool goes_on = last_.end > 0 && is_next_line({last_.end, range.begin});
  last_ = {goes_on ? last_.begin : range.begin, range.end};
}

}  // namespace codexmem::parse
