// parse/extract.h - from source text to FileFacts.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "base/result.h"
#include "parse/facts.h"
#include "parse/languages.h"

namespace codexmem::parse {

struct ExtractOptions {
  // Processor time of one file; beyond it facts.truncated is set. None: 0.5 s and 2 s a megabyte.
  std::optional<std::chrono::milliseconds> time_limit = std::nullopt;
  bool chunks_only = false;  // no symbols, no occurrences: for text that is data
};

/// Parses files and extracts their facts. Holds one parser a grammar and reusable buffers: make one
/// for each thread. Not thread-safe; the compiled queries behind it are shared by all.
class Extractor {
 public:
  Extractor();
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  /// The facts of `text` (valid UTF-8, at most 4 GiB), which is read as `language`.
  ///
  /// Broken source gives the facts of what could be parsed and the rest in `unparsed`. A language
  /// without grammar gives chunks alone. Errors: kCancelled when `stop` was requested.
  Result<FileFacts> extract(const Language& language, std::string_view text,
                            const ExtractOptions& options = {}, std::stop_token stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::parse
