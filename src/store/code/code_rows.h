// store/code/code_rows.h - the rows of a workspace store, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol_type.h"
#include "store/code/modifier_set.h"
#include "text/ranges.h"

namespace codexmem::store {

enum class FileId : std::int64_t {};
enum class SymbolId : std::int64_t {};
enum class ChunkId : std::int64_t {};
enum class ModelId : std::int64_t {};

inline constexpr int kFileShift = 20;
/// The index of a file-level vector among a file's chunks.
inline constexpr std::uint32_t kFileVectorIndex = (1U << kFileShift) - 1;

inline SymbolId symbol_id(FileId file, std::uint32_t ordinal) {
  return static_cast<SymbolId>((static_cast<std::int64_t>(file) << kFileShift) + ordinal);
}
inline ChunkId chunk_id(FileId file, std::uint32_t index) {
  return static_cast<ChunkId>((static_cast<std::int64_t>(file) << kFileShift) + index);
}
inline FileId file_of(SymbolId id) {
  return static_cast<FileId>(static_cast<std::int64_t>(id) >> kFileShift);
}
inline FileId file_of(ChunkId id) {
  return static_cast<FileId>(static_cast<std::int64_t>(id) >> kFileShift);
}
/// Ordinal of a symbol, or index of a chunk, in its file.
inline std::uint32_t ordinal_of(SymbolId id) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(id) & kFileVectorIndex);
}
inline std::uint32_t ordinal_of(ChunkId id) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(id) & kFileVectorIndex);
}

/// What was noticed about a file. Bits of files.flags. stored: never renumber.
enum FileFlag : std::uint32_t {
  kFileGenerated = 1,  // minified or generated: symbols but no vectors
  kFileRepaired = 2,   // held invalid UTF-8, or was UTF-16
  kFileTruncated = 4,  // the parse hit its time limit
  kFileUnparsed = 8,   // parts were not understood
};

/// A file without its content.
struct FileRow {
  FileId id{};
  std::string path;  // relative to the root, '/' between, UTF-8
  std::string language;
  std::string hash;       // SHA-256 of the bytes on disk, hexadecimal
  std::int64_t size = 0;  // bytes on disk
  std::int64_t mtime_ns = 0;
  std::uint32_t line_count = 0;
  std::uint32_t flags = 0;      // FileFlag bits
  std::int64_t generation = 0;  // the store's generation when it was last written
};

struct SymbolRow {
  SymbolId id{};
  std::string name;
  SymbolType type = SymbolType::kVariable;
  std::string kind;
  std::string container;  // qualified name of the enclosing symbol, "" at top level
  std::optional<SymbolId> parent;
  ByteRange range;
  Position start, end;  // end: position just past the last byte
  std::uint32_t name_byte = 0;
  Position name_start;
  ByteRange signature_range;  // empty: none, as below; text/declaration_text.h reads both
  ByteRange docstring_range;
  std::string signature;  // of these ranges: cut_texts() fills them in
  std::string docstring;
  std::string modifiers;     // JSON array of strings
  ModifierSet modifier_set;  // of `modifiers`, where the row was read from a store
  bool exported = false;

  bool is(Modifier modifier) const { return modifier_set.has(modifier); }
  std::string qualified_name() const { return container.empty() ? name : container + "." + name; }
};

/// True for a declaration without a body, in C and C++.
inline bool is_prototype(const SymbolRow& row) { return row.kind == "prototype"; }

struct ChunkRow {
  ChunkId id{};
  ByteRange range;
  std::uint32_t start_line = 1, end_line = 1;
  std::optional<SymbolId> symbol;  // innermost definition at the chunk's start
};

/// The import_type of an import that only documentation makes (JSDoc): it shows what names mean,
/// and is no dependency.
inline constexpr std::string_view kDocumentedImport = "jsdoc";
/// The import_type of what needs no import: the file names a type of its own package. Not stored.
inline constexpr std::string_view kPackageImport = "package";

struct DependencyRow {
  FileId source{};
  std::optional<FileId> target;  // absent: external, or not found in the repository
  std::string import_path;       // as written
  std::string import_type;       // import, require, include, or one of the above
  bool is_external = false;
  std::vector<std::string> symbols;  // imported names; "*" for all, "default"
  std::uint32_t import_index = 0;    // index into FileFacts::imports
  std::uint32_t line = 0;            // 1-based
  std::string package;               // external package or module name; may be empty
};

/// Everything that is written of a file at once.
struct FileRecord {
  FileRow file;                    // id and generation are given by the store
  std::string content;             // decoded text
  std::vector<SymbolRow> symbols;  // id and parent: only the ordinal part is read (file id 0)
  std::vector<ChunkRow> chunks;    // id: index in the file; symbol: as above
  std::string facts;               // parse::encode_facts
  std::string trigrams;            // TrigramFilterMaker::make of the content
  std::string identifiers;         // distinct identifiers of the file, sorted, one space between
};

struct SkippedFile {
  std::string path;
  std::string
      reason;  // a word of a fixed list: ignored, binary, too_large, symlink, unreadable, ...
  std::string detail;  // for people: the rule, the limit, the system's message
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct VectorRow {
  ChunkId id{};
  std::string codes;  // a byte for each component: embed/vector_codes.h
};

/// What made vectors, and how to read them.
struct ModelRow {
  std::string name;
  std::size_t dimension = 0;
  std::string code_values;  // what codes 0 to 255 stand for: 256 little-endian float32
};

}  // namespace codexmem::store
