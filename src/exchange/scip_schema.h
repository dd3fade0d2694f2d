// exchange/scip_schema.h - the numbers of SCIP's messages that are written and read here.
//
// Source: scip.proto of github.com/sourcegraph/scip (Apache-2.0), as of 2026-11. Fields without a
// row are not written, and skipped when they are read.
#pragma once

#include <cstdint>

#include <protozero/types.hpp>

namespace codexmem::exchange::scip {

/// ToolInfo.name of the indexes that are written here.
inline constexpr char kOwnTool[] = "codexmem";

enum class Index : protozero::pbf_tag_type { kMetadata = 1, kDocuments = 2, kExternalSymbols = 3 };

enum class Metadata : protozero::pbf_tag_type {
  kVersion = 1,
  kToolInfo = 2,
  kProjectRoot = 3,
  kTextEncoding = 4,
};
inline constexpr std::int32_t kTextUtf8 = 1;  // TextEncoding.UTF8

enum class ToolInfo : protozero::pbf_tag_type { kName = 1, kVersion = 2, kArguments = 3 };

enum class Document : protozero::pbf_tag_type {
  kRelativePath = 1,
  kOccurrences = 2,
  kSymbols = 3,
  kLanguage = 4,
  kText = 5,
  kPositionEncoding = 6,
};

/// PositionEncoding: what a column counts, from 0.
enum class Columns : std::int32_t { kUnspecified = 0, kUtf8 = 1, kUtf16 = 2, kUtf32 = 3 };

enum class SymbolInformation : protozero::pbf_tag_type {
  kSymbol = 1,
  kDocumentation = 3,
  kRelationships = 4,
  kKind = 5,
  kDisplayName = 6,
  kSignature = 7,  // a Document with language and text
  kEnclosingSymbol = 8,
};

enum class Relationship : protozero::pbf_tag_type {
  kSymbol = 1,
  kIsReference = 2,
  kIsImplementation = 3,
};

enum class Occurrence : protozero::pbf_tag_type {
  kRange = 1,  // packed: line, column, [end line,] end column, all from 0
  kSymbol = 2,
  kRoles = 3,
  kEnclosingRange = 7,
};

/// SymbolRole: bits.
enum Role : std::int32_t {
  kDefinition = 0x1,
  kImport = 0x2,
  kWriteAccess = 0x4,
  kReadAccess = 0x8,
  kGenerated = 0x10,
  kTest = 0x20,
  kForwardDefinition = 0x40,
};

}  // namespace codexmem::exchange::scip
