// graph/rename.h - the edits that give a symbol another name, and what stands against them.
//
// A plan is only read from the index: nothing is written. Every place that is known to mean the
// symbol becomes an edit; every place that might mean it, and all that the new name would break,
// is an obstacle. A plan without obstacles can be carried out by a program; one with obstacles is
// for a person. Stateless but for the shared cache. Design: docs/design/rename.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/references.h"
#include "store/code/code_reader.h"
#include "text/ranges.h"

namespace codexmem::graph {

struct RenameQuery {
  std::string symbol;  // a name, or qualified as for find_symbols()
  std::string new_name;
  std::optional<std::string> file_path = {};  // relative to the root: the file that defines it
  bool with_mentions = false;                 // also list the name in strings and comments
};

/// A place that gets another text.
struct RenameEdit {
  std::uint32_t offset = 0;  // in the indexed text, of the old name
  Position position;
  std::string text;            // in place of the old name: the new one, or "a: b" for a short key
  bool is_definition = false;  // of the symbol, or of one that is renamed with it
  UsageKind kind = UsageKind::kRead;  // of a use
};

/// A file with its edits.
struct RenamedFile {
  store::FileId id{};
  std::string path;
  std::string hash;               // of the bytes that the index has read (store::FileRow::hash)
  std::string new_path = {};      // where it has to be afterwards; empty: where it is
  std::vector<RenameEdit> edits;  // by offset
};

/// Why a plan is not for a program.
enum class ObstacleKind : std::uint8_t {
  kFixedName,     // a language or a tool knows the symbol by its name
  kOutside,       // it overrides, or is a key of, something outside of the repository
  kUncertainUse,  // a place may mean the symbol, or something else
  kSharedUse,     // a place means the symbol and another one that keeps its name
  kNameTaken,     // the new name means something else where the old one is used
  kCaptured,      // a place that has the new name would mean the symbol
  kText,          // a text names it where code looks names up by their text
  kUnparsed,      // the name is in a part of a file that was not understood
  kFile,          // a file that must not be written
};

/// "fixed_name", "outside", "uncertain_use", "shared_use", "name_taken", "captured", "text",
/// "unparsed", "file".
std::string_view obstacle_kind_name(ObstacleKind kind);

struct RenameObstacle {
  ObstacleKind kind = ObstacleKind::kUncertainUse;
  std::string path;
  Position position;
  std::string why;      // for people: "may mean A.run: the type of what has it is unknown"
  std::string context;  // the line without surrounding white space, at most 300 bytes
  std::optional<Confidence> confidence = {};  // of kUncertainUse
};

/// The old name in a string or a comment: for a person to judge.
struct NameMention {
  std::string path;
  Position position;
  std::string context;
};

struct RenamePlan {
  std::string old_name, new_name;
  std::vector<ReferenceDefinition> definitions;  // the symbol's, then what is renamed with it
  std::vector<RenamedFile> files;                // by path
  std::vector<RenameObstacle> obstacles;         // by path and position
  std::vector<NameMention> mentions;             // by path and position; at most 1,000
  std::size_t mentions_total = 0;                // where they are not asked for: of the family
  bool is_exported = false;                      // users outside of the repository are not seen

  bool is_certain() const { return obstacles.empty(); }
  std::size_t edit_count() const;
};

/// What it takes to call the symbol of `query` by its new name.
///
/// Overloads, merged declarations, getters with setters, constructors with their class, and members
/// that override each other or share an interface are renamed together. Errors: kInvalidArgument
/// for a new name that the language does not allow, for a symbol that several definitions have (the
/// message lists what to type for each), and for languages whose names are not resolved; kNotFound
/// when there is no such symbol; kUnsupported when there are more than 20,000 places; kCancelled;
/// those of the store.
Result<RenamePlan> plan_rename(FactsCache& cache, store::CodeReader& reader,
                               const RenameQuery& query, std::stop_token stop = {});

}  // namespace codexmem::graph
