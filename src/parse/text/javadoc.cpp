// Tested by the cases testdata/languages/java/documentation and graph/java_references_test.cpp.
#include "parse/text/javadoc.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace codexmem::parse {
namespace {

// Tags that are followed by a reference.
constexpr std::string_view kReferenceTags[] = {"link",   "linkplain", "value", "see",
                                               "throws", "exception", "uses",  "provides"};

bool is_name_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::size_t name_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_name_byte(text[at])) ++at;
  return at;
}

bool begins_name(std::string_view text, std::size_t at) {
  return at < text.size() && is_name_byte(text[at]) &&
         std::isdigit(static_cast<unsigned char>(text[at])) == 0;
}

}  // namespace

void Javadoc::read_comment(ByteRange comment) {
  const std::string_view text = source_.text().substr(comment.begin, comment.size());
  if (text.starts_with("///")) return read_crefs(text, comment);
  if (!text.starts_with("/**")) return;
  bool has_names = false;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at)) {
    const std::size_t end = name_end(text, ++at);
    const bool is_reference =
        std::ranges::find(kReferenceTags, text.substr(at, end - at)) != std::end(kReferenceTags);
    at = end;
    if (!is_reference) continue;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n*", at), text.size());
    if (begin == at) continue;
    at = read_reference(text, begin, comment.begin);
    has_names = has_names || at > begin;
  }
  if (has_names) sink_.add_document(comment);
}

// <see cref="A.B.C(D)" />, <exception cref="E">: reads the names before the bracket. Type arguments
// are in braces; a letter and a colon may give the kind of reference.
void Javadoc::read_crefs(std::string_view text, ByteRange comment) {
  constexpr std::string_view kOpen = "cref=\"";
  bool has_names = false;
  for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at)) {
    at += kOpen.size();
    if (at + 1 < text.size() && text[at + 1] == ':') at += 2;
    std::uint32_t receiver = kNoIndex;
    while (begins_name(text, at)) {
      const std::size_t end = name_end(text, at);
      const ReceiverKind kind = receiver == kNoIndex ? ReceiverKind::kNone : ReceiverKind::kName;
      receiver = sink_.add_occurrence(text.substr(at, end - at),
                                      static_cast<std::uint32_t>(comment.begin + at), Role::kRead,
                                      kind, receiver);
      has_names = true;
      at = end;
      if (at < text.size() && text[at] == '{')
        at = std::min(text.find('}', at), text.size() - 1) + 1;
      if (at >= text.size() || text[at] != '.') break;
      ++at;
    }
  }
  if (has_names) sink_.add_document(comment);
}

// Reads a.b.C, C#member, #member(D); returns the place after it.
std::size_t Javadoc::read_reference(std::string_view text, std::size_t at, std::uint32_t begin) {
  std::uint32_t receiver = kNoIndex;
  bool is_member = at < text.size() && text[at] == '#';
  if (is_member) ++at;
  while (begins_name(text, at)) {
    const std::size_t end = name_end(text, at);
    const std::string_view name = text.substr(at, end - at);
    const bool is_call = is_member && end < text.size() && text[end] == '(';
    const Role role = is_call ? Role::kCall : is_member ? Role::kRead : Role::kType;
    const auto offset = static_cast<std::uint32_t>(begin + at);
    const ReceiverKind kind = receiver == kNoIndex ? ReceiverKind::kNone : ReceiverKind::kName;
    receiver = sink_.add_occurrence(name, offset, role, kind, receiver);
    if (is_call) sink_.add_call({.occurrence = offset});
    at = end;
    const bool goes_on = at < text.size() && !is_member && (text[at] == '.' || text[at] == '#') &&
                         begins_name(text, at + 1);
    if (!goes_on) break;
    is_member = text[at] == '#';
    ++at;
  }
  return at;
}

}  // namespace codexmem::parse
