// parse/text/phpdoc.h - the types in PHP documentation: @param T $name, without braces.
//
// Internal to parse; used by parse/text/jsdoc.cpp. The names in types become occurrences at their
// places. A comment is read from front to back; types that cannot be parsed are unknown (kNoIndex).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/text/doc_text.h"
#include "parse/text/jsdoc.h"

namespace codexmem::parse {

class PhpDocReader : private Builder, private DocText {
 public:
  /// Reads a comment that begins with "/**"; `owner` is the type that it documents, if any.
  PhpDocReader(const Builder& base, ByteRange comment, std::uint32_t owner = kNoIndex)
      : Builder(base),
        DocText(source_.text(), comment.begin + 3, comment.end - 2),
        comment_(comment),
        owner_(owner) {}

  /// The types of the documented declaration.
  Doc read();

  /// Declares the members that the comment adds to its type: @property, @method.
  void declare_members();

 private:
  static constexpr std::size_t kMaxParts = 32;  // of a union, a list of arguments, a shape

  void read_template(Doc* doc);
  void read_parameter(bool is_surer, Doc* doc);
  void read_variable(Doc* doc);
  void declare_property(std::uint32_t begin);
  void declare_method(std::uint32_t begin);
  void declare(std::uint32_t begin, ByteRange name, SymbolType type, TermId term);
  TermId read_union(int depth);
  TermId read_postfix(int depth);
  TermId read_type(int depth);
  TermId read_named(int depth);
  TermId read_shape(int depth);
  TermId read_callable(int depth);
  void read_list(char close, int depth, std::vector<TermId>* parts);
  ByteRange variable();
  std::string_view type_word();
  bool is_next(char c) const { return at_ < end_ && text_[at_] == c; }
  bool is_name_at(std::uint32_t at) const {
    return at < end_ &&
           (is_identifier_char(text_[at]) || static_cast<unsigned char>(text_[at]) >= 0x80);
  }

  ByteRange comment_;
  std::uint32_t owner_;
};

}  // namespace codexmem::parse
