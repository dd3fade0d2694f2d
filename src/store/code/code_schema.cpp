// The schema of the code store. The contract's tables (spec/code-tools.md, "Database Schema
// Contracts") are `dependencies` as a table; `files`, `symbols` and `embeddings` are views with the
// contract's columns over `file_rows`, `symbol_rows` and `chunk_rows`. Texts of symbols and chunks
// are slices of the file's text.
//
// Ids: a symbol's is (file id << 20) + ordinal in the file, a chunk's (file id << 20) + chunk
// index; so a file's rows are one range of the table and need no index. A file-level vector has
// index 1048575 and shows as chunk_index -1. A file of at most 1 MB cannot have as many of either.
//
// Texts: a row `f` of file_rows keeps its text as it is (TEXT), or as text/phrase_book.h codes it
// (BLOB) with the phrases of its book, whose ids are (book << 16) + number. SQL alone reads both:
// the view `text_blocks` looks up the codes of each block of 1,024 bytes, which costs about a
// microsecond a code.
//
// Everything is derived from the sources. To change the schema, edit it, raise kCodeVersion and
// write the new digest of its objects: a store of an earlier version is emptied, and the next run
// fills it.
//
// Tested by store/schema_test.cpp.
#include "store/schema.h"

#include "store/all_bytes.h"

// The byte at the 1-based place `at` of `blob`, as a number.
#define CODEXMEM_BYTE(blob, at) \
  "(instr(x'" CODEXMEM_ALL_BYTES "', substr(" blob ", " at ", 1)) - 1)"

// The 3-byte mark of the block that the row `b` of `phrases` counts.
#define CODEXMEM_MARK(number)                                                      \
  "(" CODEXMEM_BYTE("f.text", "3 * (" number ") + 1") " * 65536 + " CODEXMEM_BYTE( \
      "f.text", "3 * (" number ") + 2") " * 256 + " CODEXMEM_BYTE("f.text",        \
                                                                  "3 * (" number ") + 3") ")"

// CREATE VIEW text_blocks: each block of each coded text; `number` is (book << 16) + its number.
// Rows of `phrases` serve as numbers, too: a coded text has fewer blocks, and a block fewer codes,
// than its book has phrases.
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

// The whole text of the row `f` of file_rows.
#define CODEXMEM_TEXT                                                                     \
  "CASE typeof(f.text) WHEN 'blob' THEN (SELECT CAST(group_concat(t.text, '') AS TEXT)\n" \
  "  FROM text_blocks AS t WHERE t.file_id = f.id) ELSE f.text END"

// Bytes [begin, end) of the text of the row `f` of file_rows, as text.
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

namespace codexmem::store {
namespace {

constexpr std::int64_t kCodeVersion = 8;  // stored: never renumber

constexpr char kCodeSchemaSql[] = R"sql(
-- `store` distinguishes this store from any other at its path: files derived from it carry the
-- name. A store that is rebuilt keeps it, and its generation goes on.
CREATE TABLE IF NOT EXISTS meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
DELETE FROM meta WHERE key NOT IN ('store', 'generation', 'vectors_model');
INSERT OR IGNORE INTO meta (key, value) VALUES ('store', lower(hex(randomblob(8))));
UPDATE meta SET value = value + 1 WHERE key = 'generation';

-- `packed` repeats the phrases, each after a byte with its length: reading 65,535 rows takes longer
-- than the rest of a small run.
CREATE TABLE phrase_books (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source_bytes INTEGER NOT NULL,
  packed BLOB NOT NULL
) STRICT;
CREATE TABLE phrases (
  id INTEGER PRIMARY KEY,
  phrase BLOB NOT NULL
) STRICT;

CREATE TABLE file_rows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT UNIQUE NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  language TEXT NOT NULL,
  indexed_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  line_count INTEGER NOT NULL,
  flags INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL,
  book INTEGER NOT NULL DEFAULT 0,
  text_size INTEGER NOT NULL,
  text BLOB NOT NULL
);
-- All that change detection and ranking read of a file, without its text.
CREATE INDEX files_scan ON file_rows(path, size, hash, language, line_count, flags, generation);
-- Apart, because a new worktree's files have the same bytes and other times.
CREATE TABLE file_times (
  file_id INTEGER PRIMARY KEY REFERENCES file_rows (id) ON DELETE CASCADE,
  mtime_ns INTEGER NOT NULL
) STRICT;
CREATE INDEX files_hash ON file_rows(substr(hash, 1, 12));

)sql" CODEXMEM_CREATE_TEXT_BLOCKS R"sql(
CREATE VIEW files AS
SELECT f.id AS id, f.path AS path,
  )sql" CODEXMEM_TEXT R"sql( AS content,
  f.hash AS hash, f.size AS size, f.language AS language,
  datetime(t.mtime_ns / 1000000000, 'unixepoch') AS last_modified,
  f.indexed_at AS indexed_at, t.mtime_ns AS mtime_ns, f.line_count AS line_count, f.flags AS flags,
  f.generation AS generation
FROM file_rows AS f LEFT JOIN file_times AS t ON t.file_id = f.id;

-- What many symbols have in common.
CREATE TABLE symbol_traits (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL,
  kind TEXT NOT NULL,
  exported INTEGER NOT NULL,
  modifiers TEXT NOT NULL,
  UNIQUE (type, kind, exported, modifiers)
) STRICT;
-- Places are steps from the one before, and mostly 0 or 1, which take no byte: `size` bytes from
-- start_byte, `lines` lines below start_line, the name name_step bytes after start_byte, the
-- signature all but `signature_rest` bytes, the parent parent_step ids before. NULL: none, or as in
-- most symbols. name_place: the name's (lines below start_line << 32) + column, when it is on another
-- line. docstring: (bytes from start_byte << 32) + size. signature_step: bytes from start_byte.
CREATE TABLE symbol_rows (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  traits INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  size INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  start_column INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  end_column INTEGER NOT NULL,
  name_step INTEGER NOT NULL,
  signature_rest INTEGER NOT NULL,
  parent_step INTEGER,
  container TEXT,
  name_place INTEGER,
  docstring INTEGER,
  signature_step INTEGER
) STRICT;
CREATE INDEX symbol_rows_name ON symbol_rows(name COLLATE NOCASE);

CREATE VIEW symbols AS
SELECT s.id AS id, s.id >> 20 AS file_id, s.name AS name,
  CASE t.type WHEN 0 THEN 'function' WHEN 1 THEN 'class' WHEN 2 THEN 'variable' WHEN 3 THEN 'interface'
    WHEN 4 THEN 'type' WHEN 5 THEN 'method' ELSE 'property' END AS type,
  s.start_line AS start_line, s.start_line + s.lines AS end_line, s.start_column AS start_column,
  s.end_column AS end_column,
  -- 400 characters take at most 1,600 bytes.
  substr()sql" CODEXMEM_SLICE("s.start_byte", "(s.start_byte + min(s.size, 1600))") R"sql(,
    1, 400) AS definition,
  -- As written, less the quotes or comment marks around it.
  CASE WHEN s.docstring IS NOT NULL THEN trim()sql" CODEXMEM_SLICE(
    "(s.start_byte + (s.docstring >> 32))",
    "(s.start_byte + (s.docstring >> 32) + (s.docstring & 4294967295))") R"sql(,
    '/*"'' ' || char(9, 10, 13)) END AS docstring,
  t.modifiers AS modifiers,
  t.kind AS kind, coalesce(s.container, '') AS container, s.id - s.parent_step AS parent_id,
  )sql" CODEXMEM_SLICE("(s.start_byte + coalesce(s.signature_step, 0))",
                       "(s.start_byte + coalesce(s.signature_step, 0) + s.size - s.signature_rest)")
    R"sql( AS signature,
  s.start_line + coalesce(s.name_place >> 32, 0) AS name_line,
  coalesce(s.name_place & 4294967295, s.start_column + s.name_step) AS name_column,
  t.exported AS exported
FROM symbol_rows AS s JOIN file_rows AS f ON f.id = s.id >> 20
  LEFT JOIN symbol_traits AS t ON t.id = s.traits;

CREATE TABLE chunk_rows (
  id INTEGER PRIMARY KEY,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  symbol_id INTEGER,
  term_count INTEGER NOT NULL
) STRICT;
-- Row ids: full_text.h.
CREATE VIRTUAL TABLE chunk_terms USING fts5(
  terms, content='', columnsize=0, detail=none, tokenize='codexmem_names');

-- Which files hold an identifier: row id = file id, one token an identifier.
CREATE VIRTUAL TABLE file_names USING fts5(
  names, content='', columnsize=0, detail=none, tokenize='codexmem_names');

CREATE TABLE dependencies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_file_id INTEGER NOT NULL,
  target_file_id INTEGER,
  import_path TEXT NOT NULL,
  import_type TEXT NOT NULL,
  is_external BOOLEAN NOT NULL,
  symbols TEXT DEFAULT '[]',
  import_index INTEGER NOT NULL,
  line INTEGER NOT NULL,
  package TEXT,
  FOREIGN KEY (source_file_id) REFERENCES file_rows (id) ON DELETE CASCADE,
  FOREIGN KEY (target_file_id) REFERENCES file_rows (id) ON DELETE CASCADE
);
CREATE INDEX dependencies_source ON dependencies(source_file_id);
CREATE INDEX dependencies_target ON dependencies(target_file_id);

CREATE TABLE file_facts (
  file_id INTEGER PRIMARY KEY,
  facts BLOB NOT NULL
) STRICT;
CREATE TABLE compiler_uses (
  file_id INTEGER PRIMARY KEY REFERENCES file_rows (id) ON DELETE CASCADE,
  tool TEXT NOT NULL,
  uses BLOB NOT NULL
) STRICT;
CREATE TABLE file_trigrams (
  file_id INTEGER PRIMARY KEY,
  filter BLOB NOT NULL
) STRICT;
-- Parked files: earlier contents of a path, which come back with a branch. All their rows stay,
-- except in file_rows, dependencies and compiler_uses; readers leave out the rows of their ids.
CREATE TABLE parked_rows (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  language TEXT NOT NULL,
  line_count INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  parked_ns INTEGER NOT NULL,
  book INTEGER NOT NULL,
  text_size INTEGER NOT NULL,
  text ANY NOT NULL
) STRICT;
CREATE INDEX parked_scan ON parked_rows(path, hash, size, language, line_count, flags, parked_ns);

CREATE TABLE skipped_files (
  path TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL,
  statistics BLOB NOT NULL,
  code_values BLOB NOT NULL
) STRICT;

CREATE TABLE chunk_vectors (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  codes BLOB NOT NULL
) STRICT;

-- The first line of a file's texts: "src/app.test" of "web/src/app.test.ts". rtrim(x, y) without the
-- letters that are not a sign leaves x up to the last such sign.
CREATE VIEW embedded_headings AS
SELECT id, iif(folder = '', '', folder || '/') ||
  iif(length(stem) > 1, substr(name, 1, length(stem) - 1), name) || char(10) AS heading
FROM (SELECT id, name, rtrim(name, replace(name, '.', '')) AS stem,
    substr(folders, length(rtrim(folders, replace(folders, '/', ''))) + 1) AS folder
  FROM (SELECT id, substr(path, length(place) + 1) AS name, rtrim(place, '/') AS folders
    FROM (SELECT id, path, rtrim(path, replace(path, '/', '')) AS place FROM file_rows)));

CREATE VIEW embeddings AS
SELECT v.id AS id, v.id >> 20 AS file_id, c.symbol_id AS symbol_id,
  CASE WHEN c.id IS NULL THEN -1 ELSE v.id & 1048575 END AS chunk_index,
  substr(h.heading || CASE WHEN c.id IS NULL THEN
    coalesce((SELECT group_concat(name, ' ') FROM (SELECT name FROM symbol_rows
      WHERE id BETWEEN f.id << 20 AND (f.id << 20) + 1048575 GROUP BY name ORDER BY min(id))), '')
  ELSE
    coalesce()sql" CODEXMEM_SLICE("c.start_byte",
                                  "min(c.end_byte, c.start_byte + 16000)") R"sql(, '')
  END, 1, 4000) AS content,
  -- Float32Array: each code as the four bytes that it stands for. The long literal is all bytes in
  -- order, in which instr() finds a code's number plus one.
  (WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < m.dimension)
   SELECT CAST(group_concat(substr(m.code_values, 4 * instr(x')sql" CODEXMEM_ALL_BYTES R"sql(',
     substr(v.codes, d.i, 1)) - 3, 4), '') AS BLOB) FROM d) AS embedding,
  json_object('model', m.name, 'dimension', m.dimension, 'language', f.language,
    'type', CASE WHEN c.id IS NULL THEN 'file' ELSE
      coalesce((SELECT type FROM symbols WHERE id = c.symbol_id), 'chunk') END,
    'startLine', c.start_line, 'endLine', c.end_line) AS metadata
FROM chunk_vectors AS v
JOIN file_rows AS f ON f.id = v.id >> 20
JOIN embedded_headings AS h ON h.id = f.id
JOIN embedding_models AS m ON m.id = v.model_id
LEFT JOIN chunk_rows AS c ON c.id = v.id;
)sql";

constexpr Migration kCodeSchema[] = {
    {"the code index", kCodeSchemaSql, "574c44ff42f30b4eb32c96e8c2ca9455"}};

}  // namespace

Schema code_schema() { return {kCodeSchema, kCodeVersion}; }

}  // namespace codexmem::store
