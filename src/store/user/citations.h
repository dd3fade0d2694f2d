// store/user/citations.h - code that documents cite, as rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/user/records.h"

namespace codexmem::store {

struct Citation {
  std::int64_t id = 0;    // of its row; 0: not stored yet
  std::string workspace;  // the root of the repository it is about
  std::string path;       // from the root
  std::string symbol;     // qualified name; empty: the file as a whole
  std::string kind;       // of the symbol
  std::string body_hash;  // 16 bytes; of a file its SHA-256 in hexadecimal; empty: it was not there
  bool is_explicit = false;  // with the text, else recognised in it
};
inline void visit_fields(FieldsOf<Citation> auto& cited, auto&& visit) {
  visit("workspace", cited.workspace)("path", cited.path)("symbol", cited.symbol);
  visit("symbol_kind", cited.kind)("body_hash", cited.body_hash, kBlobOrNull);
  visit("is_given", cited.is_explicit);
}

/// Stores the citations of a document, inside the transaction that writes it.
Result<void> put_citations(Database& database, DocumentKey document,
                           std::span<const Citation> citations, std::int64_t now_ms);

/// Has a citation name other code, unless its document cites that already.
Result<void> move_citation(Database& database, std::int64_t id, std::string_view path,
                           std::string_view symbol);

/// What `documents` cite, by document, given ones first, then by row.
Result<std::map<DocumentKey, std::vector<Citation>>> list_citations(
    Database& database, std::span<const DocumentKey> documents);

Result<bool> has_citations(Database& database, std::string_view workspace);
/// By path, then by row.
Result<std::vector<Citation>> list_workspace_citations(Database& database,
                                                       std::string_view workspace);

struct PathCitations {
  std::string path;
  std::int64_t documents = 0;  // that cite it, each once
};
/// How many documents cite each path of `workspace`, by path: entries that nothing supersedes, and
/// decisions that are active or drafts; of `project`, or of all when it is empty.
Result<std::vector<PathCitations>> count_citations(Database& database, std::string_view workspace,
                                                   std::string_view project);

struct CitedIn {
  Citation citation;
  DocumentKey document{};
};
/// At most `limit` of each, of the newest documents first.
Result<std::vector<CitedIn>> list_citations_of_path(Database& database, std::string_view workspace,
                                                    std::string_view path, std::size_t limit);
Result<std::vector<CitedIn>> list_citations_of_hash(Database& database, std::string_view workspace,
                                                    std::string_view body_hash, std::size_t limit);

/// Calls `visit` with each document and a path that it cites.
Result<void> visit_cited_paths(
    Database& database, const std::function<Result<void>(DocumentKey, std::string_view)>& visit);

/// A memory or decision that cites code.
struct CitingDocument {
  DocumentKey document{};
  std::string id;  // "12", or a decision's
  std::string title;
  std::string type;    // of an entry
  std::string status;  // of a decision; empty for an entry
  std::string project;
  std::int64_t created_at_ms = 0;
};
/// An entry that nothing supersedes, or a decision that is active or a draft.
Result<std::optional<CitingDocument>> find_citing_document(Database& database,
                                                           DocumentKey document);

}  // namespace codexmem::store
