// bench/bare_parse.h - the baseline of a full index: Tree-sitter alone, on two threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace codexmem::bench {

struct SourceFile {
  std::filesystem::path path;
  std::string language;
  std::int64_t size = 0;
};

/// True if a grammar is built in for `language`.
bool has_grammar(const std::string& language);

/// Reads and parses each of `files` once, on `threads` threads that share one queue, and drops the
/// trees. Returns the seconds it took. Files that cannot be read are passed over.
double bare_parse(const std::vector<SourceFile>& files, unsigned threads);

}  // namespace codexmem::bench
