// observe/intake/patch_text.h - patches as tools give them: unified diffs, and the envelope of
// apply_patch.
//
// Pure; linear in the text. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "observe/intake/edit_symbols.h"

namespace codexmem::observe {

/// What happened to one file.
struct FileEdit {
  std::string path;
  std::string moved_to;  // empty: it stayed
  std::string read_as;   // a path whose language the texts have; empty: `path`'s
  bool is_new = false, is_deleted = false;
  bool is_before_known = true;  // else the file was written whole, and its earlier text is unknown
  std::vector<TextChange> changes;
};

inline constexpr std::size_t kMaxEdits = 200;  // files of one patch that are read

/// True if `text` holds a patch that read_patch() knows.
bool holds_patch(std::string_view text);

/// The files that the patch in `text` changes, in its order; what surrounds it is passed over.
std::vector<FileEdit> read_patch(std::string_view text);

}  // namespace codexmem::observe
