// graph/routes/framework_files.h - the files that name a framework. Not thread-safe.
#pragma once

#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/imports/file_table.h"
#include "graph/routes/route_rules.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Whose files are looked at.
enum class CodeOf : unsigned char {
  kProgram,   // the main code
  kExamples,  // all code but tests
};

class FrameworkFiles {
 public:
  FrameworkFiles(Resolver& resolver, store::CodeReader& reader, const FileTable& files)
      : resolver_(resolver), reader_(reader), files_(files) {}

  /// The files of the framework's languages that are at its paths, or have one of its words and
  /// import one of its modules; by path. Errors: the store's errors.
  Result<std::vector<const store::FileRow*>> of(const Framework& framework, CodeOf code);

 private:
  bool imports_it(const Framework& framework, const store::FileRow& row);

  Resolver& resolver_;
  store::CodeReader& reader_;
  const FileTable& files_;
};

}  // namespace codexmem::graph
