// The user store's schema: entries with what belongs to them (spec/memory-mvp.md, "Storage
// Contract"), sessions with their prompts and summaries, decisions and proposals, vectors, the
// worker's queue and journal.
//
// What can be found is a document: an entry, a summary, a prompt, a decision. A document's key is
// (id << 2) + kind, with kinds 0 to 3 in this order (stored: never renumber): one full-text index
// and one vector index hold them all. Triggers keep the full-text index equal to the rows, so that
// no writer can forget it.
//
// `observations` and `embeddings` are views with the contract's columns. Times are milliseconds
// UTC; lists are JSON arrays as text.
//
// Tested by store/user_store_test.cpp.
#include <array>

#include "store/all_bytes.h"
#include "store/schema.h"

namespace codexmem::store {
namespace {

constexpr char kUserV1[] = R"sql(
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content_session_id TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  platform TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed')),
  started_at_ms INTEGER NOT NULL,
  completed_at_ms INTEGER
) STRICT;
CREATE INDEX sessions_project ON sessions(project_id, started_at_ms);

CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  session_id INTEGER REFERENCES sessions (id),
  entry_type TEXT NOT NULL,
  title TEXT NOT NULL,
  has_own_title INTEGER NOT NULL,
  subtitle TEXT,
  body TEXT NOT NULL,
  facts TEXT NOT NULL DEFAULT '[]',
  concepts TEXT NOT NULL DEFAULT '[]',
  files_read TEXT NOT NULL DEFAULT '[]',
  files_modified TEXT NOT NULL DEFAULT '[]',
  prompt_number INTEGER,
  discovery_tokens INTEGER NOT NULL DEFAULT 0,
  source TEXT NOT NULL,
  source_ref TEXT,
  content_hash BLOB NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
-- The same text is saved once.
CREATE UNIQUE INDEX entries_content ON entries(project_id, content_hash);
-- Filters without a query walk along this index, and so does whoever wants a few facts of every entry.
CREATE INDEX entries_time ON entries(created_at_ms, id, project_id, session_id, entry_type);
CREATE INDEX entries_project ON entries(project_id, created_at_ms, id);
CREATE INDEX entries_session ON entries(session_id, created_at_ms, id) WHERE session_id IS NOT NULL;

CREATE TABLE entry_metadata (
  entry_id INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (entry_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_metadata_key ON entry_metadata(key, value);

CREATE TABLE entry_links (
  from_id INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  to_id INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (from_id, to_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_links_to ON entry_links(to_id, kind);

CREATE TABLE ingestion_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  source_path TEXT NOT NULL,
  section TEXT NOT NULL,
  section_hash BLOB,
  entry_id INTEGER REFERENCES entries (id) ON DELETE SET NULL,
  outcome TEXT NOT NULL,
  ingested_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX ingestion_events_source ON ingestion_events(project_id, source_path, section_hash);
CREATE INDEX ingestion_events_entry ON ingestion_events(entry_id);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  project_id INTEGER NOT NULL REFERENCES projects (id),
  prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (session_id, prompt_number)
) STRICT;
CREATE INDEX prompts_time ON prompts(created_at_ms, id);
CREATE INDEX prompts_project ON prompts(project_id, created_at_ms, id);

CREATE TABLE summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  project_id INTEGER NOT NULL REFERENCES projects (id),
  request TEXT,
  investigated TEXT,
  learned TEXT,
  completed TEXT,
  next_steps TEXT,
  notes TEXT,
  files_read TEXT NOT NULL DEFAULT '[]',
  files_edited TEXT NOT NULL DEFAULT '[]',
  prompt_number INTEGER,
  discovery_tokens INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX summaries_time ON summaries(created_at_ms, id);
CREATE INDEX summaries_project ON summaries(project_id, created_at_ms, id);
CREATE INDEX summaries_session ON summaries(session_id, created_at_ms);

CREATE TABLE decisions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('decision', 'proposal')),
  project_id INTEGER NOT NULL REFERENCES projects (id),
  title TEXT NOT NULL,
  target TEXT NOT NULL,
  target_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (
    kind = 'decision' AND status IN ('active', 'deprecated', 'superseded') OR
    kind = 'proposal' AND status IN ('draft', 'accepted', 'rejected', 'falsified')),
  rationale TEXT NOT NULL,
  consequences TEXT NOT NULL DEFAULT '[]',
  source TEXT NOT NULL,
  confidence REAL,
  evidence TEXT NOT NULL DEFAULT '[]',
  replaces TEXT NOT NULL DEFAULT '[]',
  first_observed_at_ms INTEGER,
  weighed_at_ms INTEGER,
  converted_to TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX decisions_active ON decisions(project_id, target_key) WHERE status = 'active';
CREATE INDEX decisions_target ON decisions(target_key, project_id);
CREATE INDEX decisions_time ON decisions(created_at_ms, key);
CREATE INDEX decisions_drafts ON decisions(project_id, key) WHERE status = 'draft';
CREATE INDEX decisions_project ON decisions(project_id, created_at_ms, key);
CREATE TRIGGER decisions_are_immutable
BEFORE UPDATE OF id, kind, project_id, title, target, target_key, rationale, source ON decisions
BEGIN
  SELECT RAISE(ABORT, 'a decision''s title, target and rationale never change');
END;
CREATE TRIGGER decisions_are_not_revived BEFORE UPDATE OF status ON decisions
WHEN OLD.status <> NEW.status AND
  OLD.status IN ('superseded', 'deprecated', 'accepted', 'rejected', 'falsified')
BEGIN
  SELECT RAISE(ABORT, 'a decision that has ended is not revived');
END;

CREATE TABLE decision_links (
  new_key INTEGER NOT NULL REFERENCES decisions (key),
  old_key INTEGER NOT NULL REFERENCES decisions (key),
  PRIMARY KEY (new_key, old_key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX decision_links_old ON decision_links(old_key);

CREATE TABLE decision_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  decision_key INTEGER NOT NULL REFERENCES decisions (key),
  from_status TEXT,
  to_status TEXT NOT NULL,
  role TEXT NOT NULL,
  reason TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX decision_history_decision ON decision_history(decision_key, id);

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  role TEXT NOT NULL,
  tool TEXT NOT NULL,
  allowed INTEGER NOT NULL,
  arguments TEXT NOT NULL,
  error TEXT
) STRICT;

-- Code that a document cites: a file, or a symbol in it, as it was when it was cited.
CREATE TABLE citations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL,
  workspace TEXT NOT NULL,
  path TEXT NOT NULL,
  symbol TEXT NOT NULL DEFAULT '',
  symbol_kind TEXT NOT NULL DEFAULT '',
  body_hash BLOB,
  is_given INTEGER NOT NULL,
  cited_at_ms INTEGER NOT NULL,
  UNIQUE (document, workspace, path, symbol)
) STRICT;
CREATE INDEX citations_path ON citations(workspace, path);
CREATE INDEX citations_symbol ON citations(symbol) WHERE symbol <> '';
CREATE INDEX citations_hash ON citations(body_hash);

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL,
  code_values BLOB NOT NULL
) STRICT;

-- A vector that is made anew gets a new number, and a removal takes one too: so a snapshot made at
-- number n knows all that changed since.
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL,
  model_id INTEGER NOT NULL REFERENCES embedding_models (id),
  codes BLOB NOT NULL,
  UNIQUE (document, model_id)
) STRICT;
CREATE TABLE removed_vectors (
  at_id INTEGER NOT NULL,
  document INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  PRIMARY KEY (at_id, document, model_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER vectors_note_removal AFTER DELETE ON vectors BEGIN
  UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'vectors';
  INSERT INTO removed_vectors (at_id, document, model_id)
  VALUES ((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), OLD.document, OLD.model_id);
END;

CREATE VIEW embeddings AS
SELECT v.id AS id,
  CASE v.document & 3 WHEN 0 THEN 'entry' WHEN 1 THEN 'summary' WHEN 2 THEN 'prompt' ELSE 'decision'
    END AS owner_kind,
  v.document >> 2 AS owner_id, m.name AS model,
  -- Float32Array: each code as the four bytes that it stands for.
  (WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < m.dimension)
   SELECT CAST(group_concat(substr(m.code_values, 4 * instr(x')sql" CODEXMEM_ALL_BYTES R"sql(',
     substr(v.codes, d.i, 1)) - 3, 4), '') AS BLOB) FROM d) AS embedding
FROM vectors AS v JOIN embedding_models AS m ON m.id = v.model_id;

CREATE VIEW observations AS
SELECT e.id AS id, s.content_session_id AS memory_session_id, p.name AS project,
  CASE WHEN e.source = 'manual' THEN e.body END AS text, e.entry_type AS type, e.title AS title,
  e.subtitle AS subtitle, e.facts AS facts, e.body AS narrative, e.concepts AS concepts,
  e.files_read AS files_read, e.files_modified AS files_modified, e.prompt_number AS prompt_number,
  e.discovery_tokens AS discovery_tokens,
  strftime('%Y-%m-%dT%H:%M:%fZ', e.created_at_ms / 1000.0, 'unixepoch') AS created_at,
  e.created_at_ms AS created_at_epoch
FROM entries AS e JOIN projects AS p ON p.id = e.project_id
LEFT JOIN sessions AS s ON s.id = e.session_id;

-- What is searched of each document. A title that was made from the text is not counted twice. Lists
-- are read as the JSON that they are: FTS5 allows no json_each() here, and all of JSON's marks part
-- words but the n of a line break.
CREATE VIEW entry_texts AS
SELECT id AS id, CASE WHEN has_own_title THEN title ELSE '' END AS title, body AS body,
  coalesce(subtitle, '') || ' ' ||
  replace(facts, '\n', ' ') || ' ' ||
  replace(concepts, '\n', ' ') || ' ' ||
  replace(files_read, '\n', ' ') || ' ' ||
  replace(files_modified, '\n', ' ') AS details
FROM entries;
CREATE VIEW summary_texts AS
SELECT id AS id, coalesce(request, '') AS title,
  coalesce(investigated, '') || ' ' || coalesce(learned, '') || ' ' || coalesce(completed, '') ||
  ' ' || coalesce(next_steps, '') || ' ' || coalesce(notes, '') AS body,
  replace(files_read, '\n', ' ') || ' ' ||
  replace(files_edited, '\n', ' ') AS details
FROM summaries;
CREATE VIEW prompt_texts AS
SELECT id AS id, '' AS title, prompt_text AS body, '' AS details FROM prompts;
CREATE VIEW decision_texts AS
SELECT key AS id, title AS title, rationale AS body, target || ' ' ||
  replace(consequences, '\n', ' ') AS details
FROM decisions;
CREATE VIEW document_texts AS
SELECT id << 2 AS document, title, body, details FROM entry_texts
UNION ALL SELECT (id << 2) + 1, title, body, details FROM summary_texts
UNION ALL SELECT (id << 2) + 2, title, body, details FROM prompt_texts
UNION ALL SELECT (id << 2) + 3, title, body, details FROM decision_texts;

CREATE VIRTUAL TABLE document_terms USING fts5(
  title, body, details, content='document_texts', content_rowid='document',
  tokenize='codexmem_prose');
CREATE TRIGGER entries_are_found AFTER INSERT ON entries BEGIN
  INSERT INTO document_terms (rowid, title, body, details)
  SELECT id << 2, title, body, details FROM entry_texts WHERE id = NEW.id;
END;
CREATE TRIGGER entries_are_lost BEFORE DELETE ON entries BEGIN
  INSERT INTO document_terms (document_terms, rowid, title, body, details)
  SELECT 'delete', id << 2, title, body, details FROM entry_texts WHERE id = OLD.id;
  DELETE FROM vectors WHERE document = OLD.id << 2;
  DELETE FROM citations WHERE document = OLD.id << 2;
  UPDATE meta SET value = value + 1 WHERE key = 'removals';
END;
CREATE TRIGGER summaries_are_found AFTER INSERT ON summaries BEGIN
  INSERT INTO document_terms (rowid, title, body, details)
  SELECT (id << 2) + 1, title, body, details FROM summary_texts WHERE id = NEW.id;
END;
CREATE TRIGGER summaries_are_lost BEFORE DELETE ON summaries BEGIN
  INSERT INTO document_terms (document_terms, rowid, title, body, details)
  SELECT 'delete', (id << 2) + 1, title, body, details FROM summary_texts WHERE id = OLD.id;
  DELETE FROM vectors WHERE document = (OLD.id << 2) + 1;
  DELETE FROM citations WHERE document = (OLD.id << 2) + 1;
  UPDATE meta SET value = value + 1 WHERE key = 'removals';
END;
CREATE TRIGGER prompts_are_found AFTER INSERT ON prompts BEGIN
  INSERT INTO document_terms (rowid, title, body, details)
  SELECT (id << 2) + 2, title, body, details FROM prompt_texts WHERE id = NEW.id;
END;
CREATE TRIGGER prompts_are_lost BEFORE DELETE ON prompts BEGIN
  INSERT INTO document_terms (document_terms, rowid, title, body, details)
  SELECT 'delete', (id << 2) + 2, title, body, details FROM prompt_texts WHERE id = OLD.id;
  DELETE FROM vectors WHERE document = (OLD.id << 2) + 2;
  DELETE FROM citations WHERE document = (OLD.id << 2) + 2;
  UPDATE meta SET value = value + 1 WHERE key = 'removals';
END;
CREATE TRIGGER decisions_are_found AFTER INSERT ON decisions BEGIN
  INSERT INTO document_terms (rowid, title, body, details)
  SELECT (id << 2) + 3, title, body, details FROM decision_texts WHERE id = NEW.key;
END;
-- What these texts are made from is written once: nothing has to follow an update.
CREATE TRIGGER entries_are_immutable
BEFORE UPDATE OF title, has_own_title, subtitle, body, facts, concepts, files_read, files_modified
ON entries BEGIN
  SELECT RAISE(ABORT, 'the text of an entry never changes: a newer entry supersedes it');
END;
CREATE TRIGGER summaries_are_immutable
BEFORE UPDATE OF request, investigated, learned, completed, next_steps, notes, files_read,
  files_edited
ON summaries BEGIN
  SELECT RAISE(ABORT, 'the text of a summary never changes');
END;
CREATE TRIGGER prompts_are_immutable BEFORE UPDATE OF prompt_text ON prompts BEGIN
  SELECT RAISE(ABORT, 'the text of a prompt never changes');
END;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
-- Tells this store from any other that stood in its place: files derived from it carry the name.
INSERT INTO meta (key, value) VALUES ('store', lower(hex(randomblob(8))));
-- Counts documents that were removed: who keeps facts of all looks at it.
INSERT INTO meta (key, value) VALUES ('removals', 0);
)sql";

// The worker: what is to be made an observation or a summary of, and what happened on the way.
constexpr char kUserV2[] = R"sql(
-- What people saved is told first, however much was observed since.
CREATE INDEX entries_saved ON entries(project_id, created_at_ms, id) WHERE source = 'manual';

-- A message goes from pending to processing to gone: its row is deleted in the transaction that
-- stores what was made of it. Those of a session are taken in the order of their ids.
CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  prompt_number INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('observation', 'summarize')),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before_ms INTEGER NOT NULL DEFAULT 0,
  lease_until_ms INTEGER,
  error_class TEXT,
  error_message TEXT,
  happened_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  failed_at_ms INTEGER,
  -- A JSON object, stripped and redacted; NULL once a failed message was kept long enough. The last
  -- column, so that nobody reads through it for another one.
  payload TEXT
) STRICT;
CREATE INDEX queue_session ON queue(session_id, status, id);
CREATE INDEX queue_status ON queue(status, id);

-- What hooks have told, so that telling it again changes nothing. `key` is 16 bytes of a hash: of
-- the event's id, of the host's tool_use_id, of a message. `prompt_number` is the answer that a
-- repeated prompt gets again.
CREATE TABLE captured_events (
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  key BLOB NOT NULL,
  prompt_number INTEGER NOT NULL,
  captured_at_ms INTEGER NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

-- One row a message that was done or given up.
CREATE TABLE message_timings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  queue_wait_ms INTEGER NOT NULL,
  model_ms INTEGER NOT NULL,
  index_ms INTEGER NOT NULL,
  total_ms INTEGER NOT NULL,
  success INTEGER NOT NULL,
  error_class TEXT,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX message_timings_time ON message_timings(at_ms, id);

-- One row a failed attempt, whether or not another one succeeded.
CREATE TABLE message_failures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  error_class TEXT NOT NULL,
  message TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('retry', 'fallback', 'failed')),
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX message_failures_time ON message_failures(at_ms, id);

CREATE TABLE search_traces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  query TEXT NOT NULL,
  project TEXT NOT NULL,
  mode TEXT NOT NULL,
  vector_backend TEXT NOT NULL,
  vector_hits INTEGER NOT NULL,
  lexical_hits INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  total_ms REAL NOT NULL,
  lexical_ms REAL NOT NULL,
  vector_ms REAL NOT NULL,
  fuse_ms REAL NOT NULL,
  degraded TEXT
) STRICT;
CREATE INDEX search_traces_time ON search_traces(at_ms, id);

-- How well the provider's answers were: task observation or summary, outcome success, parse_fail,
-- schema_fail, repair_fail or fallback_used.
CREATE TABLE agent_metrics (
  task TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (task, outcome)
) STRICT, WITHOUT ROWID;

-- Tokens that a model took, a row a day (UTC, "2026-11-22") and provider.
CREATE TABLE token_usage (
  day TEXT NOT NULL,
  provider TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (day, provider)
) STRICT, WITHOUT ROWID;

-- Collections of a Chroma server that hold copies of documents. `scope` names the server, the
-- setting of the collection and the model: another scope needs copies of its own.
CREATE TABLE chroma_collections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  uuid TEXT NOT NULL,
  UNIQUE (scope, name)
) STRICT;
-- Documents that were sent there. A row outlives its document until the copy is deleted, too.
CREATE TABLE chroma_documents (
  document INTEGER NOT NULL,
  collection_id INTEGER NOT NULL REFERENCES chroma_collections (id) ON DELETE CASCADE,
  PRIMARY KEY (document, collection_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chroma_documents_collection ON chroma_documents(collection_id);
)sql";

// SQLite 3.40.1 may have left words of documents that were removed.
constexpr char kUserV3[] = "INSERT INTO document_terms (document_terms) VALUES ('rebuild')";

// What a team shares through git: files of a repository, each with the document that it became.
constexpr char kUserV4[] = R"sql(
-- Whether the user wants the shared files of a repository (git's common folder, else the root) to be
-- read. Without a row he was not asked yet, and they are not.
CREATE TABLE shared_repositories (
  repository TEXT PRIMARY KEY,
  is_read INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A file in one work tree. `stamp` is its size and time, `document` what it became: none when it
-- was refused, or when the user has removed that. `is_own`: the document stays when no file has it
-- any more, because the user saved it himself. `rival`: the decision that holds in its place.
CREATE TABLE shared_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  stamp TEXT NOT NULL,
  shared_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT '',
  supersedes TEXT NOT NULL DEFAULT '[]',
  document INTEGER,
  is_own INTEGER NOT NULL DEFAULT 0,
  refused TEXT,
  rival TEXT,
  author TEXT,
  commit_id TEXT,
  committed_at_ms INTEGER,
  head TEXT NOT NULL,
  UNIQUE (root, path)
) STRICT;
CREATE INDEX shared_files_document ON shared_files(document) WHERE document IS NOT NULL;
CREATE INDEX shared_files_rival ON shared_files(rival) WHERE rival IS NOT NULL;
CREATE INDEX shared_files_id ON shared_files(shared_id);
CREATE INDEX shared_files_project ON shared_files(project_id);

-- Two branches may both have superseded one decision.
DROP INDEX decision_links_old;
CREATE INDEX decision_links_old ON decision_links(old_key);

-- A shared decision is what its files say, on the branch that is checked out.
DROP TRIGGER decisions_are_not_revived;
CREATE TRIGGER decisions_are_not_revived BEFORE UPDATE OF status ON decisions
WHEN OLD.status <> NEW.status AND
  OLD.status IN ('superseded', 'deprecated', 'accepted', 'rejected', 'falsified') AND
  NOT EXISTS (SELECT 1 FROM shared_files WHERE document = (OLD.key << 2) + 3)
BEGIN
  SELECT RAISE(ABORT, 'a decision that has ended is not revived');
END;
CREATE TRIGGER decisions_are_lost BEFORE DELETE ON decisions BEGIN
  INSERT INTO document_terms (document_terms, rowid, title, body, details)
  SELECT 'delete', (id << 2) + 3, title, body, details FROM decision_texts WHERE id = OLD.key;
  DELETE FROM vectors WHERE document = (OLD.key << 2) + 3;
  DELETE FROM citations WHERE document = (OLD.key << 2) + 3;
  DELETE FROM decision_links WHERE new_key = OLD.key OR old_key = OLD.key;
  DELETE FROM decision_history WHERE decision_key = OLD.key;
  UPDATE meta SET value = value + 1 WHERE key = 'removals';
END;
-- What the user removes stays removed until its file changes.
CREATE TRIGGER shared_entries_are_lost BEFORE DELETE ON entries BEGIN
  UPDATE shared_files SET document = NULL, refused = 'it was removed from this memory'
  WHERE document = OLD.id << 2;
END;
)sql";

// What was written on branches that are not merged (store/user/branches.h).
constexpr char kUserV5[] = R"sql(
CREATE TABLE branch_stages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL,
  branch TEXT NOT NULL,
  head TEXT NOT NULL,
  birth TEXT NOT NULL,
  is_own INTEGER NOT NULL,
  made_at_ms INTEGER NOT NULL,
  carrier TEXT NOT NULL,
  files TEXT NOT NULL,
  patch TEXT NOT NULL,
  signature TEXT NOT NULL,
  tip TEXT NOT NULL,
  is_aside INTEGER NOT NULL,
  why TEXT NOT NULL,
  judged TEXT NOT NULL
) STRICT;
CREATE INDEX branch_stages_place ON branch_stages(repository, branch, head);
CREATE TABLE staged_documents (
  document INTEGER NOT NULL,
  stage_id INTEGER NOT NULL REFERENCES branch_stages (id) ON DELETE CASCADE,
  PRIMARY KEY (document, stage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_documents_stage ON staged_documents(stage_id);
CREATE TABLE held_links (
  new_key INTEGER NOT NULL REFERENCES decisions (key) ON DELETE CASCADE,
  old_key INTEGER NOT NULL REFERENCES decisions (key) ON DELETE CASCADE,
  PRIMARY KEY (new_key, old_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_links_old ON held_links(old_key);

-- A target has one decision that everybody sees, and each branch may have its own.
ALTER TABLE decisions ADD COLUMN is_staged INTEGER NOT NULL DEFAULT 0;
DROP INDEX decisions_active;
CREATE UNIQUE INDEX decisions_active ON decisions(project_id, target_key)
WHERE status = 'active' AND is_staged = 0;

CREATE TRIGGER staged_entries_are_lost AFTER DELETE ON entries BEGIN
  DELETE FROM staged_documents WHERE document = OLD.id << 2;
END;
CREATE TRIGGER staged_summaries_are_lost AFTER DELETE ON summaries BEGIN
  DELETE FROM staged_documents WHERE document = (OLD.id << 2) + 1;
END;
CREATE TRIGGER staged_prompts_are_lost AFTER DELETE ON prompts BEGIN
  DELETE FROM staged_documents WHERE document = (OLD.id << 2) + 2;
END;
CREATE TRIGGER staged_decisions_are_lost AFTER DELETE ON decisions BEGIN
  DELETE FROM staged_documents WHERE document = (OLD.key << 2) + 3;
END;
)sql";

constexpr std::array kUserMigrations = {
    Migration{"memory and decisions", kUserV1},      Migration{"the worker", kUserV2},
    Migration{"full-text table made anew", kUserV3}, Migration{"what a team shares", kUserV4},
    Migration{"memory of branches", kUserV5},
};

}  // namespace

Schema user_schema() { return {kUserMigrations}; }

}  // namespace codexmem::store
