// memory/documents/ingest.h - documents of a project as entries, a section each.
//
// A section is known by its source and the hash of its text, so that what was ingested is not
// ingested again; one that changed becomes a new entry that supersedes the older one. Sections with
// secrets are left out and counted. Stateless; safe to call from many threads. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/entries/entries.h"
#include "memory/entries/records.h"
#include "store/user/user_store.h"

namespace codexmem::memory {

inline constexpr std::size_t kMaxSourceBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxSources = 1'000;  // given; and files of a folder

struct IngestRequest {
  std::filesystem::path root;  // of the project, absolute
  std::string project = {};    // empty: "default"
  /// Paths from the root, or absolute: files, or folders whose Markdown files are meant, at any
  /// depth. Empty: docs/session-log.md, docs/decisions.md, docs/requirements.md.
  std::vector<std::string> sources = {};
  std::string entry_type = "ingestion";
};

struct SkippedSource {
  std::string source;  // as it was given; of a folder's file, from the root
  std::string reason;
};

struct BlockedSection {
  std::string source;              // from the root
  std::size_t section = 0;         // from 1, as they are counted in the document
  std::vector<std::string> rules;  // that it broke
};

struct IngestReport {
  std::string project;
  std::size_t processed_sources = 0;   // files
  std::size_t imported_entries = 0;    // new ones
  std::size_t duplicate_entries = 0;   // sections that were there already
  std::size_t superseded_entries = 0;  // older ones that a new or restored one now supersedes
  std::vector<SkippedSource> skipped;
  std::vector<BlockedSection> blocked;
  std::vector<EntryId> imported;
};

/// Ingests the sources one after the other, each in a transaction of its own.
///
/// Errors: kInvalidArgument when a source that is given is outside of the root, symbolic links
/// followed, or when the root is no folder, the type is malformed or there are too many sources,
/// and then nothing is ingested; kCancelled between sources; the store's.
Result<IngestReport> ingest_docs(const Entries& entries, store::UserStore& store,
                                 const IngestRequest& request, const Clock& clock,
                                 const EntryHook& hook = {}, const std::stop_token& stop = {});

}  // namespace codexmem::memory
