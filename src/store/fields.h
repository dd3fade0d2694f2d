// store/fields.h - how a row type lists its fields: once, for SQL and for JSON.
//
// A row type has a function
//
//     inline void visit_fields(FieldsOf<Link> auto& link, auto&& visit) {
//       visit("from_id", link.from)("to_id", link.to)("note", link.note, kOrNull);
//     }
//
// which gives a visitor the name of each column with the member that holds its value. From it
// store/query.h writes the statements, reads rows and binds values;
// memory/transfer/transfer_export.cpp and memory/transfer/transfer_import.cpp write and read lines
// of JSON by it. Ids and names that a join adds are not among the fields. The visitor returns
// itself.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace codexmem::store {

/// `Self` is `Row`, or `const Row`.
template <typename Self, typename Row>
concept FieldsOf = std::same_as<std::remove_const_t<Self>, Row>;

/// How a text is stored: an empty one as NULL, its bytes as a BLOB.
enum FieldKind : std::uint8_t { kPlain, kOrNull, kBlob, kBlobOrNull };

/// A visitor that calls `visit` with each name and member.
template <typename Visit>
class FieldVisitor {
 public:
  explicit FieldVisitor(Visit visit) : visit_(std::move(visit)) {}
  FieldVisitor& operator()(std::string_view name, auto& member, FieldKind = {}) {
    visit_(name, member);
    return *this;
  }

 private:
  Visit visit_;
};

}  // namespace codexmem::store
