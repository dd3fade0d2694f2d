// store/user/chroma_queue.h - which documents have copies in a Chroma server, and which still need
// them.
//
// `scope` names the server, the setting of the collection and the model: another scope needs copies
// of its own. Documents are entries, summaries, and prompts that are not private. Design:
// docs/how-it-works.md, "Vector backends".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct ChromaCollection {
  std::int64_t number = 0;  // in the store
  std::string name, uuid;   // in Chroma
};

/// The collections of `scope`, by name.
Result<std::vector<ChromaCollection>> list_collections(Database& database, std::string_view scope);

/// Whether `uuid` is a collection that copies were sent to, in any scope.
Result<bool> is_known_collection(Database& database, std::string_view uuid);

/// Adds a collection, or gives the one of its name another `uuid`.
Result<void> put_collection(Database& database, std::string_view scope, std::string_view name,
                            std::string_view uuid);

/// Documents of `kind` above the id `after` without a copy in `scope`, by id, at most `limit`.
Result<std::vector<DocumentKey>> list_unsent(Database& database, std::string_view scope,
                                             DocumentKind kind, std::int64_t after,
                                             std::size_t limit);
Result<std::int64_t> count_unsent(Database& database, std::string_view scope, DocumentKind kind);

/// All documents of `kind` and `project` (empty: of all), by id, and whether they have a copy.
Result<std::vector<std::pair<DocumentKey, bool>>> list_sendable(Database& database,
                                                                std::string_view scope,
                                                                DocumentKind kind,
                                                                std::string_view project);

/// Notes that `documents` have copies in the collection `number`.
Result<void> add_copies(Database& database, std::int64_t number,
                        std::span<const DocumentKey> documents);

/// Notes that `documents`, or all, have none there any more.
Result<void> forget_copies(Database& database, std::int64_t number,
                           std::span<const DocumentKey> documents);
Result<void> forget_all_copies(Database& database, std::int64_t number);

/// Documents with a copy in the collection `number` that are gone from the store, at most `limit`.
Result<std::vector<DocumentKey>> list_gone(Database& database, std::int64_t number,
                                           std::size_t limit);

/// The codes of a document's vector of the model `model`; empty: none.
Result<std::string> get_vector_codes(Database& database, DocumentKey document,
                                     std::string_view model);

}  // namespace codexmem::store
