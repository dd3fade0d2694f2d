// ask/page/page_call.h - the parameters of the routes of the code page.
//
// The routes answer from the index without updating it or waiting for a run. Every answer is
// bounded and reports omissions. Texts of files come from the index, as in get_context(); records
// and decisions pass the same rules as everywhere. Answers are the texts of JSON objects.
// Stateless; safe to use from many threads. Design: docs/reference/routes.md.
#pragma once

#include <cstddef>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "memory/entries/citations.h"
#include "memory/memory.h"
#include "store/code/code_reader.h"
#include "text/json_object.h"

namespace codexmem::ask {

struct PageCall {
  CodeServices& code;
  memory::Memory& memory;
  std::stop_token stop = {};

  /// The one project whose memories may be shown; empty: all.
  std::string shown_project() const { return memory.is_isolated() ? memory.project() : ""; }
};

/// What memory has about a place in the code.
struct PageNotes {
  std::vector<JsonText> records;    // id, kind, type, title, text, ...
  std::vector<JsonText> decisions;  // id, target, title, status, createdAt
  std::size_t omitted = 0;
  std::string missing;  // why it could not be read; empty: it was
};

/// Memories and decisions that cite the file at `path`, or `symbol` (qualified) in it; of both at
/// most `limit`. Trouble with memory is no error: see PageNotes::missing.
PageNotes find_page_notes(const PageCall& call, store::CodeReader& reader, const std::string& path,
                          const std::string& symbol, std::size_t limit);

/// What makes a file less than code or prose that people wrote: "generated" (lock files too),
/// "data" (manifests and settings too), "changelog"; "" for all others.
std::string_view file_sort(const store::FileRow& file);

/// `given` as a folder of the repository, "" for the root: no "/" at the end. Errors:
/// kInvalidArgument when it leads out of it.
Result<std::string> page_folder(const store::Workspace& workspace, std::string_view given);

}  // namespace codexmem::ask
