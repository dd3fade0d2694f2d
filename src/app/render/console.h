// app/render/console.h - what commands print: answers on standard output, everything else on
// stderr.
//
// All output goes through base/terminal_text.h, whatever its source and whether or not it goes to a
// terminal: text from a repository or a person cannot control a terminal or start a new line. The
// only escape sequences that pass are the colours of painted(). Colours are on when a person reads
// (standard output is a terminal, NO_COLOR is unset or empty, and TERM is not "dumb") or when a
// command requests them. One thread prints answers; notes may come from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem::app {

enum class Paint { kPath, kName, kDim, kBold, kGood, kBad, kMatch };

class Console {
 public:
  /// Looks at the process's standard output, standard error and environment.
  Console();

  /// Writes for a model: nothing is cut to a line, there are no colours, uses stand below their
  /// file, code is whole.
  static Console for_model();

  /// Writes `text`, which may have several lines, to standard output.
  void print(std::string_view text);

  /// Writes `text` as print() does; on a terminal that it does not fit into, through the user's
  /// pager (app/render/pager.h) unless use_pager(false) was called.
  void print_paged(std::string_view text);

  /// Writes `text` as one line to standard output, whatever line breaks are in it.
  void print_line(std::string_view text);

  /// Writes `json`, and a line break, to standard output: the same value, with escapes.
  void print_json(std::string_view json);

  /// Writes one line to standard error; on a terminal in as many as it takes, broken between words.
  void note(std::string_view text);

  /// Writes `text`, which may have several lines, to standard error in the same way.
  void note_lines(std::string_view text);

  /// Writes "codexmem: error: MESSAGE" to standard error.
  void error(std::string_view message);

  /// Draws `text` in place of the status line before, on standard error, which is a terminal;
  /// empty: takes it away.
  void show_status(std::string_view text);

  /// `text` with the colour of `paint`, for print() and print_line(); or as it is where there are
  /// no colours.
  std::string painted(Paint paint, std::string_view text) const;

  /// `text`, which has no colours, cut to fit in a line of the terminal after `used` columns. Not
  /// cut if standard output is not a terminal.
  std::string cut_to_line(std::string_view text, std::size_t used) const;

  /// `line`, of code with its blanks, cut to fit in a line of the terminal from column `start`. Not
  /// cut if standard output is not a terminal.
  std::string code_line(std::string_view line, std::size_t start) const;

  /// `text`, which has no colours, in lines that fit the terminal, broken between words. Unchanged
  /// if standard output is not a terminal.
  std::string in_lines(std::string_view text) const;

  /// A remark of an answer as lines; tools and arguments in it have the names that the reader
  /// knows.
  std::string in_words(std::string_view remark) const;

  /// Whether painted() gives colours, whatever standard output is.
  void use_colours(bool wanted) { colours_ = wanted; }

  /// Whether print_paged() may start a pager.
  void use_pager(bool wanted) { uses_pager_ = wanted; }

  /// True where a model reads.
  bool is_model() const { return is_model_; }

  /// The parameter `name` as the reader writes it: "--limit" in the shell.
  std::string option(std::string_view name) const;

  /// True where a person reads standard output.
  bool is_terminal() const { return is_terminal_; }
  bool error_is_terminal() const { return error_is_terminal_; }

  /// Columns of the terminal on standard error; 80 if it is not a terminal.
  std::size_t error_width() const;

  /// Columns of the terminal on standard output; 80 if it is not a terminal.
  std::size_t width() const;

  /// False once standard output could not be written (its reader is gone, the disk is full).
  bool ok() const { return ok_; }

 private:
  // `text` as it is written, colours in place of their marks.
  std::string shown(std::string_view text, bool is_line) const;
  void write(const std::string& text);

  bool colours_ = false;
  bool uses_pager_ = false;  // on a terminal that is not dumb
  bool is_model_ = false;
  std::string mark_;  // secret, before each colour in painted()
  bool is_terminal_ = false;
  bool error_is_terminal_ = false;
  bool ok_ = true;
};

/// A number of bytes for people: "512 B", "1.4 MB" (powers of 1,000).
std::string readable_bytes(long long bytes);

/// A duration for people: "340 ms", "1.8 s", "2m 34s".
std::string readable_duration(double seconds);

}  // namespace codexmem::app
