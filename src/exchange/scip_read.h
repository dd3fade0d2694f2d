// exchange/scip_read.h - reads a SCIP index, document by document, without trust in its bytes.
//
// Views are into the bytes given. Stateless.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exchange/scip_schema.h"
#include "text/line_index.h"
#include "text/ranges.h"

namespace codexmem::exchange {

struct ReadOccurrence {
  std::string_view symbol;
  std::int32_t roles = 0;  // scip::Role
  // From 0, in the document's columns.
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

struct ReadDocument {
  std::string_view path;
  scip::Columns columns = scip::Columns::kUnspecified;
  std::optional<std::string_view> text;
  std::vector<ReadOccurrence> occurrences;  // with a symbol
};

struct ReadMetadata {
  std::string_view tool, version, project_root;
};

struct ScipVisitor {
  std::function<Result<void>(const ReadMetadata&)> metadata;
  std::function<Result<void>(const ReadDocument&)> document;
};

/// Errors: kCorrupt for a damaged index or another kind of file; of `visitor`.
Result<void> read_scip(std::string_view bytes, const ScipVisitor& visitor);

/// The bytes of `text` that an occurrence names; nothing when it is outside of the text.
std::optional<ByteRange> range_in(std::string_view text, const LineIndex& lines,
                                  scip::Columns columns, const ReadOccurrence& occurrence);

}  // namespace codexmem::exchange
