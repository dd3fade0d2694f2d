// store/code/overlay_reader.h - a store in which some files have other texts than it holds.
//
// What an editor shows and nobody has saved is read as if it were indexed; the store stays as it
// is. A file that the store has keeps its id, so whatever refers to it still does. One thread at a
// time. Design: docs/lsp.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/code/code_reader.h"

namespace codexmem::store {

/// A file with a text of its own.
struct OverlaidFile {
  FileRecord record;                        // with the file's id everywhere
  std::vector<DependencyRow> dependencies;  // by import_index
  std::vector<std::string> identifiers;     // distinct, sorted
};

/// The files that lie over a store. Immutable; shared by readers.
struct Overlay {
  std::map<FileId, std::shared_ptr<const OverlaidFile>> files;
  std::int64_t version = 0;  // another one for other files or texts; never the same again
};

/// The first id of files that the store does not have.
inline constexpr FileId kFirstOverlaidId{std::int64_t{1} << 31};

/// The generation of a file's text in version `version` of an overlay: no file of a store has it.
std::int64_t overlaid_generation(std::int64_t version);

/// `base` with the files of `overlay`. `base` must outlive it.
std::unique_ptr<CodeReader> make_overlay_reader(CodeReader& base,
                                                std::shared_ptr<const Overlay> overlay);

}  // namespace codexmem::store
