// ask/memory/record_cut.h - whole records within the size of an answer.
//
// A record that is too large is told in part: its texts are cut at a code point, all of them alike,
// and `body_offset` goes on. Stateless; thread-safe. Design: docs/mcp.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace codexmem::ask {

/// `record` (the text of a JSON object of record_json.h), its texts from the code point `offset`
/// on, in at most `max_bytes`; as it is when it fits and `offset` is 0.
///
/// Else it has `body_length`, the code points of its longest text, and `body_offset` unless that is
/// 0; where its texts go on `truncated` and `next_body_offset`. Lists, metadata and the like that
/// leave the texts no room are emptied and named in `left_out`. What is left of a record takes at
/// least some 400 bytes.
std::string cut_record(std::string record, std::size_t offset, std::size_t max_bytes);

/// The first of `records` that fit together, with the commas between them, each from the code point
/// `offset` on; the first one is cut where it does not fit alone.
std::vector<std::string> fitting_records(std::vector<std::string> records, std::size_t offset,
                                         std::size_t max_bytes);

}  // namespace codexmem::ask
