// The workspace's schema. The contract's tables (spec/code-tools.md, "Database Schema Contracts")
// are `dependencies` as a table; `files`, `symbols` and `embeddings` are views with the contract's
// columns over `file_rows`, `symbol_rows` and `chunk_rows`. Texts of the latter two are slices of
// the file's.
//
// Ids: a symbol's is (file id << 20) + ordinal in the file, a chunk's (file id << 20) + chunk
// index; so a file's rows are one range of the table and need no index. A file-level vector has
// index 1048575 and shows as chunk_index -1. A file of at most 1 MB cannot have as many of either.
//
// Tested by store/schema_test.cpp.
#include "store/schema.h"

#include <array>

#include "store/all_bytes.h"
#include "store/code/code_texts_schema.h"

namespace codexmem::store {
namespace {

constexpr char kWorkspaceV1[] = R"sql(
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT UNIQUE NOT NULL,
  content TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  language TEXT NOT NULL,
  last_modified DATETIME NOT NULL,
  indexed_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  mtime_ns INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  flags INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL
);
-- All that change detection and ranking read of a file, without its content.
CREATE INDEX files_scan ON files(path, size, mtime_ns, hash, language, line_count, flags, generation);
CREATE INDEX files_hash ON files(hash);

CREATE TABLE symbol_rows (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  type INTEGER NOT NULL,
  kind TEXT NOT NULL,
  container TEXT NOT NULL,
  parent INTEGER,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  start_column INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  end_column INTEGER NOT NULL,
  name_byte INTEGER NOT NULL,
  name_line INTEGER NOT NULL,
  name_column INTEGER NOT NULL,
  signature TEXT NOT NULL,
  docstring TEXT,
  modifiers TEXT NOT NULL DEFAULT '[]',
  exported INTEGER NOT NULL
) STRICT;
CREATE INDEX symbol_rows_name ON symbol_rows(name, type);
CREATE INDEX symbol_rows_folded_name ON symbol_rows(name COLLATE NOCASE);

CREATE VIEW symbols AS
SELECT s.id AS id, s.id >> 20 AS file_id, s.name AS name,
  CASE s.type WHEN 0 THEN 'function' WHEN 1 THEN 'class' WHEN 2 THEN 'variable' WHEN 3 THEN 'interface'
    WHEN 4 THEN 'type' WHEN 5 THEN 'method' ELSE 'property' END AS type,
  s.start_line AS start_line, s.end_line AS end_line, s.start_column AS start_column,
  s.end_column AS end_column,
  substr(CAST(substr(CAST(f.content AS BLOB), s.start_byte + 1, s.end_byte - s.start_byte) AS TEXT),
    1, 400) AS definition,
  s.docstring AS docstring, s.modifiers AS modifiers,
  s.kind AS kind, s.container AS container, s.parent AS parent_id, s.signature AS signature,
  s.name_line AS name_line, s.name_column AS name_column, s.exported AS exported
FROM symbol_rows AS s JOIN files AS f ON f.id = s.id >> 20;

CREATE TABLE chunk_rows (
  id INTEGER PRIMARY KEY,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  symbol_id INTEGER
) STRICT;

CREATE VIEW chunk_texts AS
SELECT c.id AS id,
  CAST(substr(CAST(f.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS TEXT) AS text
FROM chunk_rows AS c JOIN files AS f ON f.id = c.id >> 20;

CREATE VIRTUAL TABLE chunk_terms USING fts5(
  text, content='chunk_texts', content_rowid='id', tokenize='codexmem_terms');
-- Which files hold an identifier: row id = file id, one token an identifier.
CREATE VIRTUAL TABLE file_names USING fts5(
  names, content='', columnsize=0, detail=none, tokenize='codexmem_names');

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL,
  statistics BLOB NOT NULL
) STRICT;

CREATE TABLE chunk_vectors (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL,
  embedding BLOB NOT NULL
) STRICT;

CREATE VIEW embeddings AS
SELECT v.id AS id, v.id >> 20 AS file_id, c.symbol_id AS symbol_id,
  CASE WHEN c.id IS NULL THEN -1 ELSE v.id & 1048575 END AS chunk_index,
  CASE WHEN c.id IS NULL THEN f.path ELSE
    CAST(substr(CAST(f.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS TEXT) END
    AS content,
  v.embedding AS embedding,
  json_object('model', m.name, 'dimension', m.dimension, 'language', f.language,
    'startLine', c.start_line, 'endLine', c.end_line) AS metadata
FROM chunk_vectors AS v
JOIN files AS f ON f.id = v.id >> 20
JOIN embedding_models AS m ON m.id = v.model_id
LEFT JOIN chunk_rows AS c ON c.id = v.id;

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
  FOREIGN KEY (source_file_id) REFERENCES files (id) ON DELETE CASCADE,
  FOREIGN KEY (target_file_id) REFERENCES files (id) ON DELETE CASCADE
);
CREATE INDEX dependencies_source ON dependencies(source_file_id);
CREATE INDEX dependencies_target ON dependencies(target_file_id);

CREATE TABLE file_facts (
  file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  facts BLOB NOT NULL
) STRICT;

CREATE TABLE skipped_files (
  path TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
-- Tells this store from any other that stood in its place: files derived from it carry the name.
INSERT INTO meta (key, value) VALUES ('store', lower(hex(randomblob(8))));
)sql";

// Smaller: texts of symbols are places in the file, vectors have a byte for each component, one
// index serves both look-ups by name. Everything but what names the store is derived from the
// sources, and some of it takes them to make: the rows go, and the next run makes all.
constexpr char kWorkspaceV2[] = R"sql(
DROP VIEW symbols;
DROP VIEW embeddings;
DROP TABLE symbol_rows;
DROP TABLE chunk_vectors;
DROP TABLE embedding_models;
DROP INDEX files_hash;
INSERT INTO chunk_terms (chunk_terms) VALUES ('delete-all');
INSERT INTO file_names (file_names) VALUES ('delete-all');
DELETE FROM chunk_rows;
DELETE FROM file_facts;
DELETE FROM dependencies;
DELETE FROM files;
DELETE FROM skipped_files;
DELETE FROM meta WHERE key NOT IN ('store', 'generation');
UPDATE meta SET value = value + 1 WHERE key = 'generation';

CREATE INDEX files_hash ON files(substr(hash, 1, 12));

CREATE TABLE symbol_rows (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  type INTEGER NOT NULL,
  kind TEXT NOT NULL,
  container TEXT NOT NULL,
  parent INTEGER,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  start_column INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  end_column INTEGER NOT NULL,
  name_byte INTEGER NOT NULL,
  name_line INTEGER NOT NULL,
  name_column INTEGER NOT NULL,
  signature_byte INTEGER NOT NULL,
  signature_size INTEGER NOT NULL,
  docstring_byte INTEGER NOT NULL,
  docstring_size INTEGER NOT NULL,
  modifiers TEXT,
  exported INTEGER NOT NULL
) STRICT;
CREATE INDEX symbol_rows_name ON symbol_rows(name COLLATE NOCASE);

CREATE VIEW symbols AS
SELECT s.id AS id, s.id >> 20 AS file_id, s.name AS name,
  CASE s.type WHEN 0 THEN 'function' WHEN 1 THEN 'class' WHEN 2 THEN 'variable' WHEN 3 THEN 'interface'
    WHEN 4 THEN 'type' WHEN 5 THEN 'method' ELSE 'property' END AS type,
  s.start_line AS start_line, s.end_line AS end_line, s.start_column AS start_column,
  s.end_column AS end_column,
  substr(CAST(substr(CAST(f.content AS BLOB), s.start_byte + 1, s.end_byte - s.start_byte) AS TEXT),
    1, 400) AS definition,
  -- As written, less the quotes or comment marks around it.
  CASE WHEN s.docstring_size > 0 THEN trim(CAST(substr(CAST(f.content AS BLOB), s.docstring_byte + 1,
    s.docstring_size) AS TEXT), '/*"'' ' || char(9, 10, 13)) END AS docstring,
  coalesce(s.modifiers, '[]') AS modifiers,
  s.kind AS kind, s.container AS container, s.parent AS parent_id,
  CAST(substr(CAST(f.content AS BLOB), s.signature_byte + 1, s.signature_size) AS TEXT) AS signature,
  s.name_line AS name_line, s.name_column AS name_column, s.exported AS exported
FROM symbol_rows AS s JOIN files AS f ON f.id = s.id >> 20;

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

CREATE VIEW embeddings AS
SELECT v.id AS id, v.id >> 20 AS file_id, c.symbol_id AS symbol_id,
  CASE WHEN c.id IS NULL THEN -1 ELSE v.id & 1048575 END AS chunk_index,
  CASE WHEN c.id IS NULL THEN f.path ELSE
    CAST(substr(CAST(f.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS TEXT) END
    AS content,
  -- Float32Array: each code as the four bytes that it stands for. The long literal is all bytes in
  -- order, in which instr() finds a code's number plus one.
  (WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < m.dimension)
   SELECT CAST(group_concat(substr(m.code_values, 4 * instr(x')sql" CODEXMEM_ALL_BYTES R"sql(',
     substr(v.codes, d.i, 1)) - 3, 4), '') AS BLOB) FROM d) AS embedding,
  json_object('model', m.name, 'dimension', m.dimension, 'language', f.language,
    'startLine', c.start_line, 'endLine', c.end_line) AS metadata
FROM chunk_vectors AS v
JOIN files AS f ON f.id = v.id >> 20
JOIN embedding_models AS m ON m.id = v.model_id
LEFT JOIN chunk_rows AS c ON c.id = v.id;
)sql";

// Which trigrams a file may hold (text/trigrams.h). The rows are made with the file's others; a
// file without one may hold any.
constexpr char kWorkspaceV3[] = R"sql(
CREATE TABLE file_trigrams (
  file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  filter BLOB NOT NULL
) STRICT;
)sql";

// `content` of embeddings is the text that was embedded (index/embedded_text.h), made again from
// the rows. Words of the full-text index are of any script: what an older program's tokenizer put
// into it cannot be taken out by another, so all rows go, and the next run makes them.
constexpr char kWorkspaceV4[] = R"sql(
INSERT INTO chunk_terms (chunk_terms) VALUES ('delete-all');
INSERT INTO file_names (file_names) VALUES ('delete-all');
DELETE FROM chunk_vectors;
DELETE FROM embedding_models;
DELETE FROM chunk_rows;
DELETE FROM symbol_rows;
DELETE FROM file_facts;
DELETE FROM file_trigrams;
DELETE FROM dependencies;
DELETE FROM files;
DELETE FROM skipped_files;
DELETE FROM meta WHERE key NOT IN ('store', 'generation', 'vectors_model');
UPDATE meta SET value = value + 1 WHERE key = 'generation';

-- The first line of a file's texts: "src/app.test" of "web/src/app.test.ts". rtrim(x, y) without the
-- letters that are not a sign leaves x up to the last such sign.
CREATE VIEW embedded_headings AS
SELECT id, iif(folder = '', '', folder || '/') ||
  iif(length(stem) > 1, substr(name, 1, length(stem) - 1), name) || char(10) AS heading
FROM (SELECT id, name, rtrim(name, replace(name, '.', '')) AS stem,
    substr(folders, length(rtrim(folders, replace(folders, '/', ''))) + 1) AS folder
  FROM (SELECT id, substr(path, length(place) + 1) AS name, rtrim(place, '/') AS folders
    FROM (SELECT id, path, rtrim(path, replace(path, '/', '')) AS place FROM files)));

DROP VIEW embeddings;
CREATE VIEW embeddings AS
SELECT v.id AS id, v.id >> 20 AS file_id, c.symbol_id AS symbol_id,
  CASE WHEN c.id IS NULL THEN -1 ELSE v.id & 1048575 END AS chunk_index,
  substr(h.heading || CASE WHEN c.id IS NULL THEN
    coalesce((SELECT group_concat(name, ' ') FROM (SELECT name FROM symbol_rows
      WHERE id BETWEEN f.id << 20 AND (f.id << 20) + 1048575 GROUP BY name ORDER BY min(id))), '')
  ELSE
    CAST(substr(CAST(f.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS TEXT)
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
JOIN files AS f ON f.id = v.id >> 20
JOIN embedded_headings AS h ON h.id = f.id
JOIN embedding_models AS m ON m.id = v.model_id
LEFT JOIN chunk_rows AS c ON c.id = v.id;
)sql";

// Texts are coded (code_texts_schema.h). The full-text index has no positions: a term stands in it
// once for each bit of its count in a chunk (full_text.h), and a chunk's row says how many terms it
// has. Everything is derived from the sources: the rows go, and the next run makes all.
constexpr char kWorkspaceV5[] = R"sql(
DROP VIEW embeddings;
DROP VIEW embedded_headings;
DROP VIEW symbols;
DROP TABLE chunk_terms;
DROP VIEW chunk_texts;
DROP TABLE chunk_rows;
DROP TABLE dependencies;
DROP TABLE file_facts;
DROP TABLE file_trigrams;
DROP TABLE files;
INSERT INTO file_names (file_names) VALUES ('delete-all');
DELETE FROM chunk_vectors;
DELETE FROM embedding_models;
DROP TABLE symbol_rows;
DELETE FROM skipped_files;
DELETE FROM meta WHERE key NOT IN ('store', 'generation', 'vectors_model');
UPDATE meta SET value = value + 1 WHERE key = 'generation';

CREATE TABLE phrase_books (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source_bytes INTEGER NOT NULL
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
  last_modified DATETIME NOT NULL,
  indexed_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  mtime_ns INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  flags INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL,
  book INTEGER NOT NULL DEFAULT 0,
  text_size INTEGER NOT NULL,
  text BLOB NOT NULL
);
-- All that change detection and ranking read of a file, without its text.
CREATE INDEX files_scan ON file_rows(path, size, mtime_ns, hash, language, line_count, flags, generation);
CREATE INDEX files_hash ON file_rows(substr(hash, 1, 12));

)sql" CODEXMEM_CREATE_TEXT_BLOCKS R"sql(
CREATE VIEW files AS
SELECT f.id AS id, f.path AS path,
  )sql" CODEXMEM_TEXT R"sql( AS content,
  f.hash AS hash, f.size AS size, f.language AS language, f.last_modified AS last_modified,
  f.indexed_at AS indexed_at, f.mtime_ns AS mtime_ns, f.line_count AS line_count, f.flags AS flags,
  f.generation AS generation
FROM file_rows AS f;

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
  file_id INTEGER PRIMARY KEY REFERENCES file_rows (id) ON DELETE CASCADE,
  facts BLOB NOT NULL
) STRICT;
CREATE TABLE file_trigrams (
  file_id INTEGER PRIMARY KEY REFERENCES file_rows (id) ON DELETE CASCADE,
  filter BLOB NOT NULL
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

constexpr std::array kWorkspaceMigrations = {
    Migration{"the code index", kWorkspaceV1, "1e29b1ade40b94bdc548cfcca8b2b261"},
    Migration{"smaller symbols and vectors", kWorkspaceV2, "a174dab7b40271a9d1b8ebef841092b6"},
    Migration{"trigrams of files", kWorkspaceV3, "ce4cd841db012a9f2afba248a1ef87a0"},
    Migration{"what was embedded", kWorkspaceV4, "ad37d686e6359d59d436e9a60ee62ce1"},
    Migration{"coded texts, terms without positions, smaller symbols", kWorkspaceV5,
              "cc656e01d3002a2ba90bfed7b8b42de3"},
};

}  // namespace

std::span<const Migration> workspace_migrations() { return kWorkspaceMigrations; }

}  // namespace codexmem::store
