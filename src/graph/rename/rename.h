// graph/rename/rename.h - the edits that give a symbol another name, and the obstacles to them.
//
// A plan is computed from the index and changes no file. Every place that certainly means the
// symbol becomes an edit; every place that might mean it, and everything that the new name would
// break, is an obstacle. A program can carry out a plan without obstacles; a plan with obstacles
// needs a person. Stateless except for the shared cache. Design: docs/how-it-works.md, "Rename".
//
// A place of which nothing is known is an obstacle only if it can mean a member of the family: a
// bare name never means a member, a member of something unknown never means a definition that
// belongs to no type, and a file that neither imports the definition's file, through whatever
// modules, nor is imported by one that does, has no value of it. A key of an object of which
// nothing is known is not one: most are data. Not seen: code outside of the repository, names that
// are put together when a program runs, the name in documents (listed with with_mentions, and never
// changed).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"
#include "text/ranges.h"

namespace codexmem::graph {

struct RenameQuery {
  std::string symbol;  // a name, or qualified as for find_symbols()
  std::string new_name;
  std::optional<std::string> file_path = {};  // relative to the root: the file that defines it
  std::vector<store::SymbolId> symbols = {};  // these, whatever `symbol` says
  bool with_mentions = false;                 // also list the name in strings and comments
  /// What a person says of places that may mean the symbol, as "path:line" or "all": `take` are
  /// edits, `leave` stay as they are. Neither is an obstacle.
  std::vector<std::string> take = {}, leave = {};
};

/// A place that gets another text.
struct RenameEdit {
  std::uint32_t offset = 0;  // in the indexed text, of the old name
  std::uint32_t size = 0;    // bytes that are replaced: of the old name, or of one that it makes
  Position position;
  std::string text;  // in place of the old name: the new one, what it makes (getNew), or
                     // "a: b" for a short key
  // Of other parameters, as they are shown (privacy/shown_code.h): the replaced text, and `text`.
  std::string old = {}, shown = {};
  bool is_definition = false;         // of the symbol, or of one that is renamed with it
  bool is_taken = false;              // a person says that it means the symbol
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
  kArguments,     // parameters or arguments that cannot be changed (signature.h)
  kValue,         // a place that passes the function on
};

/// "fixed_name", "outside", "uncertain_use", "shared_use", "name_taken", "captured", "text",
/// "unparsed", "file", "arguments", "value".
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

/// A possible use, which stays as it is.
struct OpenPlace {
  std::string path;
  Position position;  // this and the context: of the first kMaxOpenShown
  Doubt why = Doubt::kNone;
  bool names_owner = false;  // the file has the name of the type that declares the member
  std::string context;
};
inline constexpr std::size_t kMaxOpenShown = 24;

struct RenamePlan {
  std::string old_name, new_name;
  std::vector<ReferenceDefinition> definitions;  // the symbol's, then the ones renamed with it
  std::vector<RenamedFile> files;                // by path
  std::vector<RenameObstacle> obstacles;         // by path and position
  std::vector<NameMention> mentions;             // by path and position; at most 1,000
  std::size_t mentions_total = 0;                // where they are not asked for: of the family
  UseAccount account;                            // of the places that have the old name
  std::vector<NameMention> unread;               // no obstacles, and not understood; at most 20
  std::vector<OpenPlace> open;                   // first in files that name the owner, tests last
  std::size_t open_taken = 0;                    // possible uses that a person says to take
  bool is_exported = false;                      // users outside of the repository are not seen

  /// False: the function takes other parameters (signature.h).
  bool is_rename() const { return old_name != new_name; }
  bool is_certain() const { return obstacles.empty(); }
  /// How many places that may mean the symbol stay as they are, when there are no obstacles.
  std::size_t left_open() const { return account.open() - std::min(account.open(), open_taken); }
  std::size_t edit_count() const;
};

/// Returns the plan to give the symbol of `query` its new name.
///
/// Overloads, merged declarations, getters with setters, constructors with their class, and members
/// that override each other or share an interface are renamed together. Errors: kInvalidArgument
/// for a new name that the language does not allow, for a symbol with several definitions (the
/// message lists what to type for each), and for languages without resolved names; kNotFound for an
/// unknown symbol; kUnsupported for more than 20,000 places; kCancelled; the store's errors.
Result<RenamePlan> plan_rename(FactsCache& cache, store::CodeReader& reader,
                               const RenameQuery& query, std::stop_token stop = {});

}  // namespace codexmem::graph
