// parse/text/jsdoc_types.h - the types that are written in a JSDoc comment, as terms.
//
// Internal to parse: parse/text/jsdoc.cpp reads the tags around them. The names in a type become
// occurrences at their places, import("x") an import, { a: A } an object. A type is read from front
// to back; types that cannot be parsed are unknown (kNoIndex).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/text/doc_text.h"

namespace codexmem::parse {

class DocReader : protected Builder, protected DocText {
 public:
  class Tags;

 protected:
  static constexpr std::size_t kMaxParts = 32;  // of a union, a list of arguments, an object

  DocReader(const Builder& base, ByteRange comment)
      : Builder(base),
        DocText(source_.text(), comment.begin + 3, comment.end - 2),
        comment_(comment) {}

  // {T}
  TermId braced_type();
  // "x" or ("x"): the import of that module.
  std::uint32_t read_path(std::uint32_t begin);
  TermId object_of(std::vector<ObjectKey> keys, TermId other = kNoIndex);

  ByteRange comment_;
  std::vector<std::string_view> templates_;  // names that stand for any type
  // The last type: its import, the number of names after the import, the first of these names, and
  // whether the type was read to its end.
  std::uint32_t last_import_ = kNoIndex;
  int import_names_ = 0;
  ByteRange imported_;
  bool is_whole_ = false;

 private:
  TermId read_union(int depth);
  TermId read_postfix(int depth);
  TermId read_type(int depth);
  void read_list(char close, int depth, std::vector<TermId>* parts);
  TermId read_parenthesis(int depth);
  TermId read_object(int depth);
  TermId read_named(int depth);
  bool read_arguments(int depth, std::vector<TermId>* parts);
  TermId read_path_of_names(std::uint32_t begin, std::string_view first, Role role, int depth);
  TermId array_of(TermId element);
  // True if a dot and a name follow.
  bool is_before_member() const {
    return at_ + 1 < end_ && text_[at_] == '.' && is_identifier_char(text_[at_ + 1]);
  }
};

}  // namespace codexmem::parse
