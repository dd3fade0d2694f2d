// app/arguments.h - the words and options of one command line. The one door to CLI11.
//
// A command binds its options to its own members, then parse() fills them. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::app {

/// What may stand as a value of an option or word. Says so to completions alone: nothing is
/// refused.
struct Values {
  enum class Kind { kText, kFile, kFolder, kSymbol, kPlace };
  Kind kind = Kind::kText;
  std::vector<std::string> choices;  // of kText; empty: anything

  void are(std::vector<std::string> all) { choices = std::move(all); }
  void are_files() { kind = Kind::kFile; }
  void are_folders() { kind = Kind::kFolder; }
  void are_files_or_symbols() { kind = Kind::kPlace; }
  void are_symbols() { kind = Kind::kSymbol; }
};

/// An option or word as it was declared.
struct ArgumentFacts {
  std::vector<std::string> names;  // "-l", "--limit"; of a word its name alone: "FILE"
  std::string help;
  Values values;
  bool is_word = false;
  std::string value_name;  // "TEXT", "NUMBER", "FILE"; empty of a flag
  bool is_required = false;
  bool is_list = false;  // may be given many times, or with commas; the remaining words
};

class Arguments {
 public:
  /// For the command `name`, which `summary` describes; `examples` ends its help.
  Arguments(std::string_view name, std::string_view summary, std::string_view examples);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  /// An option without value: `names` as "--json" or "-n,--dry-run"; "--hook,!--no-hook" makes a
  /// pair that sets true and false.
  void flag(const std::string& names, bool& value, const std::string& help);

  /// An option with a value, or a word when `names` has no dashes. `required` words must be given.
  /// The returned object takes the allowed values; it lives as long as these Arguments.
  Values& text(const std::string& names, std::string& value, const std::string& help,
               bool required = false);
  Values& text(const std::string& names, std::optional<std::string>& value,
               const std::string& help);
  void number(const std::string& names, std::optional<double>& value, const std::string& help);

  /// An option that may be given many times or as a list with commas, or the remaining words.
  /// `has_commas`: a value may hold commas, so it is not split into a list.
  Values& texts(const std::string& names, std::vector<std::string>& values, const std::string& help,
                bool required = false, bool has_commas = false);

  enum class Outcome {
    kRun,    // the members are filled
    kHelp,   // help was asked for: `message` is it
    kWrong,  // the command line is wrong: `message` says how
  };
  struct Parsed {
    Outcome outcome = Outcome::kRun;
    std::string message;
  };

  /// Reads the words after the command's name.
  Parsed parse(std::vector<std::string> words);

  /// The text of --help, in lines of at most 80 columns.
  std::string help() const;

  /// The command line: "codexmem deps [OPTIONS] FILE".
  std::string usage() const;

  /// All that was declared, in that order; --help is not among it.
  std::vector<ArgumentFacts> facts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::app
