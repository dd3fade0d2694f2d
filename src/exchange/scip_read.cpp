// Each field is read only with the wire type that the schema gives it; others are skipped, as
// protobuf has it. protozero throws on what ends too soon or has an impossible length.
//
// Tested by exchange/scip_import_test.cpp, fuzz/scip_fuzz.cpp.
#include "exchange/scip_read.h"

#include <fmt/core.h>

#include <exception>
#include <protozero/pbf_message.hpp>

#include "base/text.h"
#include "text/letters.h"

namespace codexmem::exchange {
namespace {

using protozero::pbf_wire_type;
template <typename T>
using Message = protozero::pbf_message<T>;

template <typename T>
bool is_bytes(const Message<T>& at, T tag) {
  return at.tag() == tag && at.wire_type() == pbf_wire_type::length_delimited;
}

template <typename T>
bool is_number(const Message<T>& at, T tag) {
  return at.tag() == tag && at.wire_type() == pbf_wire_type::varint;
}

template <typename T>
std::string_view text_of(Message<T>& at) {
  const auto view = at.get_view();
  return {view.data(), view.size()};
}

ReadMetadata read_metadata(std::string_view bytes) {
  ReadMetadata metadata;
  Message<scip::Metadata> at(bytes.data(), bytes.size());
  while (at.next()) {
    if (is_bytes(at, scip::Metadata::kProjectRoot)) {
      metadata.project_root = text_of(at);
    } else if (is_bytes(at, scip::Metadata::kToolInfo)) {
      const std::string_view info = text_of(at);
      Message<scip::ToolInfo> tool(info.data(), info.size());
      while (tool.next()) {
        if (is_bytes(tool, scip::ToolInfo::kName)) {
          metadata.tool = text_of(tool);
        } else if (is_bytes(tool, scip::ToolInfo::kVersion)) {
          metadata.version = text_of(tool);
        } else {
          tool.skip();
        }
      }
    } else {
      at.skip();
    }
  }
  return metadata;
}

// False when the numbers form no range.
bool read_range(Message<scip::Occurrence>& at, ReadOccurrence& occurrence) {
  std::uint32_t numbers[4] = {};
  std::size_t count = 0;
  for (const std::int32_t number : at.get_packed_int32()) {
    if (count == 4 || number < 0) return false;
    numbers[count++] = static_cast<std::uint32_t>(number);
  }
  if (count < 3) return false;
  occurrence.line = numbers[0];
  occurrence.column = numbers[1];
  occurrence.end_line = count == 4 ? numbers[2] : numbers[0];
  occurrence.end_column = numbers[count - 1];
  return true;
}

// Adds the occurrence, if it has a symbol. False for one without a range.
bool read_occurrence(std::string_view bytes, ReadDocument& document) {
  ReadOccurrence occurrence;
  bool has_range = false;
  Message<scip::Occurrence> at(bytes.data(), bytes.size());
  while (at.next()) {
    if (is_bytes(at, scip::Occurrence::kRange)) {
      has_range = read_range(at, occurrence);
      if (!has_range) return false;
    } else if (is_bytes(at, scip::Occurrence::kSymbol)) {
      occurrence.symbol = text_of(at);
    } else if (is_number(at, scip::Occurrence::kRoles)) {
      occurrence.roles = at.get_int32();
    } else {
      at.skip();
    }
  }
  if (!has_range) return false;
  if (!occurrence.symbol.empty()) document.occurrences.push_back(occurrence);
  return true;
}

Result<ReadDocument> read_document(std::string_view bytes) {
  ReadDocument document;
  bool is_good = true;
  Message<scip::Document> at(bytes.data(), bytes.size());
  while (is_good && at.next()) {
    if (is_bytes(at, scip::Document::kRelativePath)) {
      document.path = text_of(at);
    } else if (is_bytes(at, scip::Document::kOccurrences)) {
      is_good = read_occurrence(text_of(at), document);
    } else if (is_bytes(at, scip::Document::kText)) {
      document.text = text_of(at);
    } else if (is_number(at, scip::Document::kPositionEncoding)) {
      const std::int32_t columns = at.get_enum();
      if (columns >= 0 && columns <= 3) document.columns = static_cast<scip::Columns>(columns);
    } else {
      at.skip();
    }
  }
  if (!is_good) return Error{ErrorCode::kCorrupt, "an occurrence has no range"};
  return document;
}

// The byte at `column` of `line`, which has no line ending.
std::optional<std::uint32_t> byte_of(std::string_view line, std::uint32_t column,
                                     scip::Columns columns) {
  if (columns == scip::Columns::kUtf8 || columns == scip::Columns::kUnspecified) {
    if (column > line.size()) return std::nullopt;
    return column;
  }
  std::size_t at = 0;
  std::uint32_t units = 0;
  while (at < line.size() && units < column) {
    const Character character = read_character(line, at);
    units += columns == scip::Columns::kUtf16 && character.code > 0xFFFF ? 2 : 1;
    at += character.length;
  }
  if (units != column) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

}  // namespace

Result<void> read_scip(std::string_view bytes, const ScipVisitor& visitor) try {
  Message<scip::Index> at(bytes.data(), bytes.size());
  bool has_metadata = false;
  while (at.next()) {
    if (is_bytes(at, scip::Index::kMetadata)) {
      has_metadata = true;
      CODEXMEM_TRY(visitor.metadata(read_metadata(text_of(at))));
    } else if (is_bytes(at, scip::Index::kDocuments)) {
      if (!has_metadata) break;
      CODEXMEM_ASSIGN(const ReadDocument document, read_document(text_of(at)));
      CODEXMEM_TRY(visitor.document(document));
    } else {
      at.skip();
    }
  }
  if (!has_metadata) return Error{ErrorCode::kCorrupt, "this is not a SCIP index"};
  return {};
} catch (const std::exception& thrown) {
  return Error{ErrorCode::kCorrupt,
               fmt::format("it is damaged or not a SCIP index ({})", thrown.what())};
}

std::optional<ByteRange> range_in(std::string_view text, const LineIndex& lines,
                                  scip::Columns columns, const ReadOccurrence& occurrence) {
  const auto offset = [&](std::uint32_t line,
                          std::uint32_t column) -> std::optional<std::uint32_t> {
    if (line >= lines.line_count()) return std::nullopt;
    const auto byte = byte_of(lines.line_text(line + 1), column, columns);
    if (!byte) return std::nullopt;
    return lines.line_begin(line + 1) + *byte;
  };
  const auto begin = offset(occurrence.line, occurrence.column);
  const auto end = offset(occurrence.end_line, occurrence.end_column);
  if (!begin || !end || *end < *begin || *end > text.size()) return std::nullopt;
  return ByteRange{*begin, *end};
}

}  // namespace codexmem::exchange
