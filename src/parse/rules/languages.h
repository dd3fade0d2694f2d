// parse/rules/languages.h - the table of languages.
//
// CMake generates the table from the data in grammars/: a folder with a language.json for each
// language that has a grammar, and text_languages.json. docs/how-it-works.md, "Adding a language".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace codexmem::parse {

/// Where a language has its documentation: in the preceding block comment, in the first string of
/// the body, or in the comments directly before.
enum class DocStyle { kNone, kPrecedingComment, kBodyString, kCommentRun };

/// How a language marks names that other files can see.
enum class Visibility {
  kStatement,  // export, module.exports
  kName,       // no leading underscore, __all__
  kCapital,    // Go: a first letter in upper case
  kPublic,     // Java: public and protected; members of an interface
  kPub,        // Rust: pub; members of traits and their implementations
  kLinkage,    // C, C++: everything except static or private names
  kAccess,     // Ruby: methods except private ones
  kLocal,      // Lua: everything except locals; members of a table
};

/// How a text may have to be changed for the grammar.
enum class Repair {
  kNone,
  kMacros,      // macros.h
  kItems,       // item_macros.h
  kScript,      // repair.h
  kVue,         // component_script.h
  kSvelte,      // component_script.h
  kConditions,  // conditions.h
  kMembers,     // repair.h, if the grammar does not understand the text
  kTags,        // template_tags.h
};

/// Languages whose names match each other, by number; names never match across families. Graph has
/// a resolver for each named family. The others follow in the order of the table: use them only for
/// comparison.
enum class Family : std::uint8_t { kNone, kEcmaScript, kPython };

/// Measured quality for a language (bench/accuracy.md, bench/definitions.md). F1 from "0" to
/// "1.000"; empty: not measured.
struct Measured {
  std::string_view against = {};      // the compiler or analyser
  std::string_view definitions = {};  // for languages found by name: the share of definitions found
  std::string_view references = {};
  std::string_view imports = {};
  std::string_view calls = {};  // precision/recall of pairs of caller and callee
};

struct Language {
  std::string_view
      name;  // as in files.language: typescript, tsx, javascript, python, markdown, ...
  std::span<const std::string_view> aliases = {};     // other names that people use (golang)
  std::span<const std::string_view> extensions = {};  // with the dot, lower case; the longest match
                                                      // wins
  std::span<const std::string_view> file_names = {};  // whole base names, lower case (makefile)
  std::span<const std::string_view> interpreters = {};   // of a #! line, without version digits
  std::span<const std::string_view> line_comments = {};  // what one begins with: "//"
  // Names never match across families: typescript, tsx and javascript are one ("ecmascript").
  std::string_view family = {};
  std::string_view mime_type = "text/plain";
  std::string_view block_comment = {};  // the begin of a multi-line comment: "/*"
  std::string_view quotes = "\"'";      // the quotes of strings that end on their line
  std::string_view long_quotes = {};    // the quotes of multi-line strings
  std::string_view class_frame = {};    // a class named @, for members that need an enclosing class
  bool is_configuration = false;        // ranks below code (JSON, YAML, TOML, lock files)
  bool is_prose = false;                // ranks below code (Markdown, reStructuredText, plain text)
  bool has_grammar = false;             // false: indexed as text chunks without symbols
  Visibility visibility = Visibility::kStatement;
  Repair repair = Repair::kNone;
  Measured measured = {};
};

/// All languages: those with a grammar first, by name, then the others. The rows are never
/// destroyed.
std::span<const Language> languages();

/// The language called `name`, or nullptr.
const Language* find_language(std::string_view name);

/// The number of `language.family`; kNone for a language without a grammar, because its names are
/// unknown. Two languages have the same number only if they have the same family.
Family family_of(const Language& language);

/// The language of a file, by base name, then extension, then #! line; nullptr for files that are
/// not indexed. `text` is the file's text, or a part of it: its #! line counts; the contents
/// distinguish C from C++ in a header (.h), and TypeScript from Qt's translations (.ts).
const Language* detect_language(std::string_view path, std::string_view text);

}  // namespace codexmem::parse
