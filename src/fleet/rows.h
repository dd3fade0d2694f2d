// fleet/rows.h - how an organisation's index lies in Chroma: three collections, and what their rows
// hold.
//
//   codexmem-MODEL-repositories   a row a repository: what was pushed, how often words occur in it
//   codexmem-MODEL-files          a row a file: its names and the distinct words of its text
//   codexmem-MODEL-pieces         a row a piece: its text, lines, symbol and vector
//
// MODEL is a number of the embedding model and of this layout, so that vectors of two models never
// meet. The id of a file is a number of its repository and a hash of path and content: a row is
// never changed, another content is another row. That of a piece is its file's and its place in it.
// So ids alone say whose rows are worth reading, and which are a file's. A file counts once its row
// is there; its pieces come before and go after.
// Pure; thread-safe. Design: docs/design/fleet.md.
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

/// What is known of a repository as a whole.
struct RepositoryRow {
  std::string name = {};
  std::string revision = {};  // the commit that was checked out; empty: none
  std::string digest = {};    // of all paths and contents
  std::string push = {};      // drawn by lot for each push: which one wrote the row last
  std::int64_t pushed_ms = 0;
  bool is_complete = false;  // false: a push is under way, or was broken off
  std::int64_t files = 0, pieces = 0, lines = 0;
  std::int64_t terms = 0;                   // of all texts
  std::int64_t left_out = 0;                // pieces that are not there because they hold a secret
  TextMap<std::uint32_t> frequencies = {};  // files that have a term; only of the commonest

  bool operator==(const RepositoryRow&) const = default;
};

/// So many of a repository's terms are counted, the commonest.
inline constexpr std::size_t kTermsCounted = 3000;

embed::ChromaRow to_row(const RepositoryRow& repository);
/// Nothing for a row that is none of these.
std::optional<RepositoryRow> read_repository(const embed::ChromaRecord& record);

/// A definition in a piece.
struct NamedPlace {
  std::string name;
  std::string type;  // symbol_type_name()
  std::string kind;
  std::uint32_t line = 1, end_line = 1;  // 1-based, inclusive; it may go on behind its piece

  bool operator==(const NamedPlace&) const = default;
};

struct PieceRow {
  std::string repository = {}, path = {}, file = {};  // the last: the id of its file's row
  std::uint32_t index = 0;                            // in the file
  std::string language = {}, revision = {};
  std::uint32_t start_line = 1, end_line = 1;
  std::string symbol = {};                   // the innermost definition at its start, qualified
  std::string symbol_type = {};              // of that
  std::vector<NamedPlace> definitions = {};  // that begin in it, in the order of the source
  std::string text = {};

  bool operator==(const PieceRow&) const = default;
};

std::string piece_id(std::string_view file, std::uint32_t index);

/// The file and the place in it that the id of a piece names.
struct PiecePlace {
  std::string_view file;  // in the id
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
  double centrality = 0;                        // in its repository, 0 to 1 (docs/design/search.md)
  std::vector<std::string> imports = {};        // path_number() of files that it imports
  std::vector<std::string> names = {};          // of definitions, each once
  std::vector<std::uint32_t> name_pieces = {};  // of each name the piece in which it begins first
  std::vector<std::string> words = {};  // distinct stems and compounds of text, path and names

  bool operator==(const FileRow&) const = default;
};

/// A short number of a path in its repository.
std::string path_number(std::string_view path);

/// With what the ids of a repository's files and pieces begin: 32 bits of a hash, which another
/// repository may share. Saves reading rows; whose a row is, its metadata says.
std::string repository_mark(std::string_view repository);
std::string_view mark_of(std::string_view id);

/// The id of the file at `path` whose content has the SHA-256 `blob`.
std::string file_id(std::string_view repository, std::string_view path, std::string_view blob);
embed::ChromaRow to_row(const FileRow& file, std::vector<float> vector);
/// Whether a definition's name can stand among FileRow::names.
bool can_be_listed(std::string_view name);
/// Without a document, names and words are missing.
std::optional<FileRow> read_file(const embed::ChromaRecord& record);

/// What the document of a file's row holds when the file has the term, or defines the name. No text
/// of code does: Chroma looks documents up in all collections at once, and takes time for each hit.
std::string word_mark(std::string_view term);
std::string name_mark(std::string_view name);

/// The condition that a row is of one of `repositories`.
embed::ChromaCondition of_repositories(const std::vector<std::string>& repositories);

}  // namespace codexmem::fleet
