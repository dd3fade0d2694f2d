// parse/languages.h - the table of languages.
//
// CMake makes the table from the data in grammars/: a folder with a language.json for each language
// that has a grammar, and text_languages.json. docs/design/parse.md, "Adding a language".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace codexmem::parse {

/// Where a language keeps its documentation: in the block comment before, in the body's first
/// string, or in the run of comments directly before.
enum class DocStyle { kNone, kPrecedingComment, kBodyString, kCommentRun };

/// By what a language says that other files see a name.
enum class Visibility {
  kStatement,  // export, module.exports
  kName,       // no leading underscore, __all__
  kCapital,    // Go: a first letter in upper case
  kPublic,     // Java: public and protected; what an interface has
  kPub,        // Rust: pub; what traits and their implementations have
  kLinkage,    // C, C++: what is not static or private
  kAccess,     // Ruby: methods but the private ones
  kLocal,      // Lua: what is not local; what a table has
};

/// What may have to be done to a text for the grammar to take it.
enum class Repair {
  kNone,
  kMacros,      // macros.h
  kItems,       // item_macros.h
  kScript,      // repair.h
  kVue,         // component_script.h
  kSvelte,      // component_script.h
  kConditions,  // conditions.h
  kMembers,     // repair.h, where a text is not understood
  kTags,        // template_tags.h
};

/// Languages whose names match each other, by number; they never match across families. Graph has a
/// resolver for each of the named ones. Others follow in the order of the table: compare them only.
enum class Family : std::uint8_t { kNone, kEcmaScript, kPython };

/// How well a language is known, as measured (bench/accuracy.md, bench/definitions.md). F1 from "0"
/// to "1.000"; empty: not measured.
struct Measured {
  std::string_view against = {};      // the compiler or analyser
  std::string_view definitions = {};  // of a language known by name: the share that was found
  std::string_view references = {};
  std::string_view imports = {};
  std::string_view calls = {};  // precision/recall of pairs of caller and callee
};

struct Language {
  std::string_view
      name;  // as in files.language: typescript, tsx, javascript, python, markdown, ...
  std::span<const std::string_view> aliases = {};     // other names that people use (golang)
  std::span<const std::string_view> extensions = {};  // with the dot, lower case; the longest wins
  std::span<const std::string_view> file_names = {};  // whole base names, lower case (makefile)
  std::span<const std::string_view> interpreters = {};  // of a #! line, without version digits
  // Names never match across families: typescript, tsx and javascript are one ("ecmascript").
  std::string_view family = {};
  std::string_view mime_type = "text/plain";
  std::string_view block_comment = {};  // how one begins that may hold lines: "/*"
  std::string_view class_frame = {};    // a class called @, for members that need one around them
  bool is_configuration = false;        // ranks below code (JSON, YAML, TOML, lock files)
  bool is_prose = false;                // ranks below code (Markdown, reStructuredText, plain text)
  bool has_grammar = false;             // false: indexed as text chunks without symbols
  Visibility visibility = Visibility::kStatement;
  Repair repair = Repair::kNone;
  Measured measured = {};
};

/// Every language: those with a grammar by name, then the others. The rows live for ever.
std::span<const Language> languages();

/// The language called `name`, or nullptr.
const Language* find_language(std::string_view name);

/// The number of `language.family`; kNone when the language has no grammar, since then nothing is
/// known of its names. Two languages have the same number only when they have the same family.
Family family_of(const Language& language);

/// The language of a file, by base name, then extension, then #! line; nullptr when it is none that
/// is indexed. `text` is the file's, or as much of it as is at hand: its #! line counts, and what a
/// header (.h) holds tells C from C++.
const Language* detect_language(std::string_view path, std::string_view text);

}  // namespace codexmem::parse
