// ask/memory/index_rows.h - the compact rows of search and timeline, as JSON and as markdown.
//
// The tables follow the layout that agents know from such tools: a heading a day, a table a file,
// ids that the other tools take. Times of day are the machine's. Stateless; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ask/memory/call.h"
#include "ask/memory/shared_mark.h"
#include "memory/entries/records.h"

namespace codexmem::ask {

struct IndexRow {
  memory::DocumentKey key{};
  std::string project, title;
  std::string type;  // an entry's own; "session" or "prompt" else
  std::string file;  // first modified, else first read; empty: none
  std::int64_t created_at_ms = 0;
  double score = 0;
  std::size_t text_chars = 0;             // code points of the whole; 0: unknown
  bool is_anchor = false;                 // of a timeline
  memory::Succession succession = {};     // of an entry
  std::optional<SharedMark> shared = {};  // of what a team shares
  std::string branch = {};                // that it belongs to, if that is not merged
  std::string code_state = {};  // whether the code that it cites has changed; empty: it cites none
};

/// Whole records of rows, as JSON.
using RecordTexts = std::map<memory::DocumentKey, std::string>;

/// Says of each row whether the code that it cites has changed, and whether a team shares it.
void put_states(const MemoryCall& call, std::vector<IndexRow>& rows);

/// The sign of an entry's type, of sessions and of prompts.
std::string_view type_icon(std::string_view type);

/// A title on one line, cut where it is long; never empty.
std::string short_title(std::string_view title);

/// What an answer repeats of a query: a long one would take the room of what it finds.
std::string shown_query(std::string_view query);

/// {"id","title","entry_type","project","created_at","score"}, with is_anchor, superseded,
/// superseded_by, supersedes, shared and code_state where they say something. Long titles are cut.
std::string index_item_json(const IndexRow& row);

/// The items of all `rows`, with commas between.
std::string index_items_json(std::span<const IndexRow> rows);

/// "observations", "sessions" and "prompts", members of an object: the rows that `records`
/// has, in the order of the rows.
std::string record_lists_json(std::span<const IndexRow> rows, const RecordTexts& records);

/// The table of a search: "### Nov 22, 2026", "**src/auth.ts**", rows. Days and files come in the
/// order of their first row. Files of another project than `project` are shown with its name:
/// "**src/auth.ts** in other-app".
std::string search_table(std::span<const IndexRow> rows, std::string_view project);

/// The tables of a timeline: days as they come, sessions and prompts as lines of their own,
/// observations in tables by runs of one file.
std::string timeline_tables(std::span<const IndexRow> rows, std::string_view project);

}  // namespace codexmem::ask
