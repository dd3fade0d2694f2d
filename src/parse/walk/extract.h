// parse/walk/extract.h - extracts FileFacts from source text.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "base/result.h"
#include "parse/facts/facts.h"
#include "parse/rules/languages.h"

namespace codexmem::parse {

struct ExtractOptions {
  // Processor time for one file; when it is used up, facts.truncated is set. Default: 0.5 s plus 2
  // s per megabyte.
  std::optional<std::chrono::milliseconds> time_limit = std::nullopt;
  bool chunks_only = false;  // no symbols, no occurrences: for text that is data
};

/// Parses files and extracts their facts. Holds a parser per grammar and reusable buffers: make one
/// for each thread. Not thread-safe; all share the compiled queries.
class Extractor {
 public:
  Extractor();
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  /// Returns the facts of `text` (valid UTF-8, at most 4 GiB), read as `language`.
  ///
  /// Broken source gives the facts of the parts that could be parsed; `unparsed` lists the rest. A
  /// language without a grammar gives only chunks. Errors: kCancelled when `stop` was requested.
  Result<FileFacts> extract(const Language& language, std::string_view text,
                            const ExtractOptions& options = {}, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::parse
