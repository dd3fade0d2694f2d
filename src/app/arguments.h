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
  void text(const std::string& names, std::string& value, const std::string& help,
            bool required = false);
  void text(const std::string& names, std::optional<std::string>& value, const std::string& help);
  void number(const std::string& names, std::optional<double>& value, const std::string& help);

  /// An option that may be given many times or as a list with commas, or the remaining words.
  void texts(const std::string& names, std::vector<std::string>& values, const std::string& help,
             bool required = false);

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

  /// The text of --help.
  std::string help() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::app
