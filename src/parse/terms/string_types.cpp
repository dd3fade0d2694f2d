#include "parse/terms/string_types.h"

#include "base/ascii.h"
#include "parse/terms/term_memo.h"

namespace codexmem::parse {
namespace {

// An annotation in quotes: names joined by dots, arguments in brackets, "|".
class StringType : private Builder {
 public:
  StringType(const Builder& base, ByteRange range)
      : Builder(base), text_(source_.text().substr(0, range.end)), at_(range.begin) {}

  TermId read() {
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\'') ++at_;
    while (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) ++at_;
    return read_union(0);
  }

 private:
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  static bool is_name(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
  }

  TermId read_union(int depth) {
    std::vector<TermId> members;
    do {
      members.push_back(read_type(depth));
    } while (take('|'));
    return terms_.union_of(members);
  }

  void read_list(int depth, std::vector<TermId>* list) {
    while (peek() != ']' && peek() != '\0' && list->size() < kMaxMembers) {
      list->push_back(read_union(depth + 1));
      if (!take(',')) break;
    }
    take(']');
  }

  TermId read_type(int depth) {
    if (depth > kMaxTermDepth) return kNoIndex;
    const char first = peek();
    if (first == '[') {
      ++at_;
      std::vector<TermId> parts;
      read_list(depth, &parts);
      return terms_.add(TermKind::kTuple, kNoIndex, parts);
    }
    if (first == '"' || first == '\'') {
      const std::size_t end = text_.find(first, at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
      return kNoIndex;
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      return kNoIndex;
    }
    if (first == '.') {
      while (take('.')) {
      }
      return kNoIndex;
    }
    std::size_t name = at_;
    while (true) {
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      if (at_ + 1 >= text_.size() || text_[at_] != '.' || !is_name(text_[at_ + 1])) break;
      name = ++at_;
    }
    if (at_ == name) {
      if (at_ < text_.size() && first != ']' && first != ',' && first != '|') ++at_;
      return kNoIndex;
    }
    const std::string_view text = text_.substr(name, at_ - name);
    std::vector<TermId> parts;
    if (take('[')) read_list(depth, &parts);
    if (text == "None" || text == "True" || text == "False") return kNoIndex;
    if (text == "Self") return this_term();
    return terms_.add(TermKind::kType, static_cast<std::uint32_t>(name), parts);
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

TermId string_type(const Builder& base, ByteRange range) { return StringType(base, range).read(); }

}  // namespace codexmem::parse
