// fleet/rows.h - the layout of an organisation's index in Chroma: three collections and their rows.
//
//   codexmem-MODEL-repositories   a row a repository: what was pushed, how often words occur in it
//   codexmem-MODEL-files          a row a file: its names and the distinct words of its text
//   codexmem-MODEL-pieces         a row a piece: its text, lines, symbol and vector
//
// MODEL is a hash of the embedding model and this layout, so vectors of different models are never
// mixed. The id of a file is a hash of its repository and a hash of path and content: a row is
// never changed; other content is another row. The id of a piece is its file's id and its place in
// the file. So ids alone show which rows are worth reading, and which belong to a file. A file is
// visible once its row exists; its pieces are written before it and removed after it.
// Pure; thread-safe. Design: docs/fleet.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "embed/chroma.h"
#include "text/text_hash.h"

namespace codexmem::fleet {

struct CollectionNames {
  std::string repositories, files, pieces;
};
CollectionNames collection_names(std::string_view model);

/// The data about a repository as a whole.
struct RepositoryRow {
  std::string name = {};
  std::string revision = {};  // the checked-out commit; may be empty
  std::string digest = {};    // hash of all paths and contents
  std::string push = {};      // random for each push: the one that wrote the row last
  std::int64_t pushed_ms = 0;
  bool is_complete = false;  // false: a push is in progress, or was interrupted
  std::int64_t files = 0, pieces = 0, lines = 0;
  std::int64_t terms = 0;                   // in all texts
  std::int64_t left_out = 0;                // pieces left out because they contain a secret
  TextMap<std::uint32_t> frequencies = {};  // files that contain a term; only the most common terms

  bool operator==(const RepositoryRow&) const = default;
};

/// Number of a repository's terms that are counted, the most common ones.
inline constexpr std::size_t kTermsCounted = 3000;

embed::ChromaRow to_row(const RepositoryRow& repository);
/// Nothing for any other row.
std::optional<RepositoryRow> read_repository(const embed::ChromaRecord& record);

/// A definition in a piece.
struct NamedPlace {
  std::string name;
  std::string type;  // symbol_type_name()
  std::string kind;
  std::uint32_t line = 1, end_line = 1;  // 1-based, inclusive; it may extend beyond its piece

  bool operator==(const NamedPlace&) const = default;
};

struct PieceRow {
  std::string repository = {}, path = {}, file = {};  // file: the id of its file's row
  std::uint32_t index = 0;                            // in the file
  std::string language = {}, revision = {};
  std::uint32_t start_line = 1, end_line = 1;
  std::string symbol = {};                   // the innermost definition at its start, qualified
  std::string symbol_type = {};              // of `symbol`
  std::vector<NamedPlace> definitions = {};  // that begin in it, in source order
  std::string text = {};

  bool operator==(const PieceRow&) const = default;
};

std::string piece_id(std::string_view file, std::uint32_t index);

/// The file and place given by the id of a piece.
struct PiecePlace {
  std::string_view file;  // a part of the id
  std::uint32_t index = 0;
};
PiecePlace piece_place(std::string_view id);

embed::ChromaRow to_row(const PieceRow& piece, std::vector<float> vector);
std::optional<PieceRow> read_piece(const embed::ChromaRecord& record);

struct FileRow {
  std::string id = {}, repository = {}, path = {};
  std::string language = {}, blob = {}, revision = {};  // blob: SHA-256 of the content
  std::int64_t pushed_ms = 0;
  std::uint32_t lines = 0, pieces = 0, terms = 0;
  double centrality = 0;                        // in its repository, 0 to 1 (search/statistics.h)
  std::vector<std::string> imports = {};        // path_number() of files that it imports
  std::vector<std::string> names = {};          // of definitions, without duplicates
  std::vector<std::uint32_t> name_pieces = {};  // for each name, the piece in which it first begins
  std::vector<std::string> words = {};  // distinct stems and compounds of text, path and names

  bool operator==(const FileRow&) const = default;
};

/// A short hash of a path in its repository.
std::string path_number(std::string_view path);

/// The prefix of the ids of a repository's files and pieces: 32 bits of a hash, which another
/// repository may share. It saves reading rows; the metadata of a row gives its repository.
std::string repository_mark(std::string_view repository);
std::string_view mark_of(std::string_view id);

/// The id of the file at `path` whose content has the SHA-256 `blob`.
std::string file_id(std::string_view repository, std::string_view path, std::string_view blob);
embed::ChromaRow to_row(const FileRow& file, std::vector<float> vector);
/// True if a definition's name can be in FileRow::names.
bool can_be_listed(std::string_view name);
/// Without a document, names and words are missing.
std::optional<FileRow> read_file(const embed::ChromaRecord& record);

/// The text in the document of a file's row if the file contains the term, or defines the name. It
/// never occurs in code: Chroma searches the documents of all collections at once, and takes time
/// for each hit.
std::string word_mark(std::string_view term);
std::string name_mark(std::string_view name);

/// The condition that a row belongs to one of `repositories`.
embed::ChromaCondition of_repositories(const std::vector<std::string>& repositories);

}  // namespace codexmem::fleet
