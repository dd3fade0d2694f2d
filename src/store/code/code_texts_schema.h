// store/code/code_texts_schema.h - how a view reads texts that are kept as codes of phrases.
//
// Internal to the schema: part of released steps, never edited. A row `f` of file_rows keeps its
// text as it is (TEXT), or as text/phrase_book.h codes it (BLOB) with the phrases of its book,
// whose ids are (book << 16) + number. SQL alone reads both: the view `text_blocks` looks up the
// codes of each block of 1,024 bytes, which costs about a microsecond a code.
#pragma once

#include "store/all_bytes.h"

/// The byte at the 1-based place `at` of `blob`, as a number.
#define CODEXMEM_BYTE(blob, at) \
  "(instr(x'" CODEXMEM_ALL_BYTES "', substr(" blob ", " at ", 1)) - 1)"

/// The 3-byte mark of the block that the row `b` of `phrases` counts.
#define CODEXMEM_MARK(number)                                                      \
  "(" CODEXMEM_BYTE("f.text", "3 * (" number ") + 1") " * 65536 + " CODEXMEM_BYTE( \
      "f.text", "3 * (" number ") + 2") " * 256 + " CODEXMEM_BYTE("f.text",        \
                                                                  "3 * (" number ") + 3") ")"

/// CREATE VIEW text_blocks: each block of each coded text; `number` is (book << 16) + its number.
/// Rows of `phrases` serve as numbers, too: a coded text has fewer blocks, and a block fewer codes,
/// than its book has phrases.
#define CODEXMEM_CREATE_TEXT_BLOCKS \
  "CREATE VIEW text_blocks AS\n"                                                                   \
  "SELECT f.id AS file_id, b.id AS number,\n"                                                      \
  "  (SELECT CAST(group_concat(p.phrase, '') AS BLOB)\n"                                           \
  "   FROM (SELECT substr(f.text, 3 * ((f.text_size + 1023) >> 10) + 2 * m.first + 1,\n"           \
  "       2 * (m.last - m.first)) AS codes\n"                                                      \
  "     FROM (SELECT " CODEXMEM_MARK("b.id & 65535") " AS first,\n"                                \
  "       CASE WHEN (b.id & 65535) = (f.text_size - 1) >> 10\n"                                    \
  "       THEN (length(f.text) - 3 * ((f.text_size + 1023) >> 10)) / 2\n"                          \
  "       ELSE " CODEXMEM_MARK("(b.id & 65535) + 1") " END AS last LIMIT 1) AS m LIMIT 1) AS c\n"  \
  "   CROSS JOIN phrases AS n ON n.id BETWEEN f.book << 16\n"                                      \
  "     AND (f.book << 16) + length(c.codes) / 2 - 1\n"                                            \
  "   CROSS JOIN phrases AS p ON p.id = (f.book << 16)\n"                                          \
  "     + 256 * " CODEXMEM_BYTE("c.codes", "2 * (n.id & 65535) + 1") "\n"                          \
  "     + " CODEXMEM_BYTE("c.codes", "2 * (n.id & 65535) + 2") ") AS text\n"                       \
  "FROM file_rows AS f CROSS JOIN phrases AS b\n"                                                  \
  "  ON b.id BETWEEN f.book << 16 AND (f.book << 16) + ((f.text_size - 1) >> 10)\n"                \
  "WHERE typeof(f.text) = 'blob';\n"

/// The whole text of the row `f` of file_rows.
#define CODEXMEM_TEXT                                                                     \
  "CASE typeof(f.text) WHEN 'blob' THEN (SELECT CAST(group_concat(t.text, '') AS TEXT)\n" \
  "  FROM text_blocks AS t WHERE t.file_id = f.id) ELSE f.text END"

/// Bytes [begin, end) of the text of the row `f` of file_rows, as text.
#define CODEXMEM_SLICE(begin, end)                                         \
  "CASE typeof(f.text) WHEN 'blob' THEN coalesce((SELECT CAST(substr(\n  " \
  "CAST(group_concat(t.text, '') AS BLOB),\n"                              \
  "  " begin " - (" begin " >> 10 << 10) + 1, " end " - " begin            \
  ") AS TEXT) FROM text_blocks AS t\n"                                     \
  "  WHERE t.file_id = f.id AND t.number BETWEEN (f.book << 16) + (" begin \
  " >> 10)\n"                                                              \
  "    AND (f.book << 16) + ((" end                                        \
  " - 1) >> 10)), '')\n"                                                   \
  "  ELSE CAST(substr(CAST(f.text AS BLOB), " begin " + 1, " end " - " begin ") AS TEXT) END"
