// exchange/scip_symbol.h - the names of symbols in SCIP's grammar, and their kinds.
//
//     codexmem . <repository> . src/`app.ts`/Queue#push().
//
// The package is the repository, by where git fetches it from; a version would make each commit's
// symbols others, so it is left empty. Stateless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/core/file_model.h"
#include "store/code/code_rows.h"

namespace codexmem::exchange {

/// `text` as a package's name: spaces doubled, "." for nothing.
std::string scip_package(std::string_view text);

/// The symbol of a whole file of `package`, and the beginning of those in it.
std::string scip_file_symbol(std::string_view package, std::string_view path);

/// Symbol `symbol` of `file`. Overloads that the language distinguishes are numbered; other
/// declarations of one name and form are one symbol.
std::string scip_symbol(std::string_view package, const graph::FileModel& file,
                        std::uint32_t symbol);

/// The symbol around it, as scip_symbol(); the file's at top level.
std::string scip_enclosing_symbol(std::string_view package, const graph::FileModel& file,
                                  std::uint32_t symbol);

/// The name `name` of the package `package` of another repository; the package itself without one.
std::string scip_outside_symbol(std::string_view package, std::string_view name);

/// SymbolInformation.Kind of a row of the store.
std::int32_t scip_kind(const store::SymbolRow& row);

/// SCIP's name of a language of ours.
std::string_view scip_language(std::string_view language);

}  // namespace codexmem::exchange
