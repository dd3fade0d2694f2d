// Resolves imports to files, for the files whose result may have changed.
//
// The meaning of an import depends on the set of files and on configuration files, and in some
// languages on declarations in files. While the first two are unchanged, only some files are
// resolved: those read in this run whose imports changed, and those whose imports mention a name
// that was newly declared or removed. Otherwise all files are resolved from their stored facts:
// decoding is the main cost, so threads do it, and the single resolver takes the results in order.
// Rows are first compared with the stored ones, so that a new file costs only the edges that lead
// to it.
//
// Tested by index/indexer_test.cpp.
#include "index/run/dependency_update.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/log.h"
#include "graph/core/language_semantics.h"
#include "graph/imports/import_resolver.h"
#include "graph/stored/stored_declarations.h"
#include "index/run/ordered_pipeline.h"
#include "parse/facts/facts_codec.h"

namespace codexmem::index {
namespace {

using Rows = std::vector<store::DependencyRow>;

bool same_row(const store::DependencyRow& a, const store::DependencyRow& b) {
  return a.target == b.target && a.import_path == b.import_path && a.import_type == b.import_type &&
         a.is_external == b.is_external && a.symbols == b.symbols &&
         a.import_index == b.import_index && a.line == b.line && a.package == b.package;
}

bool same_rows(const Rows& a, const Rows& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_row);
}

// The imports of an indexed file, from its stored facts. Lines are taken from its existing rows.
Result<ImportFacts> read_stored_imports(store::StoreReader& reader, store::FileId id,
                                        const Rows& old_rows) {
  ImportFacts imports;
  CODEXMEM_ASSIGN(const auto blob, reader.find_facts(id));
  if (!blob) return imports;
  CODEXMEM_ASSIGN(const parse::FileFacts facts, parse::decode_imports(*blob));
  if (facts.imports.empty()) return imports;
  imports.facts = reduce_to_imports(facts);
  imports.lines.assign(facts.imports.size(), 0);
  for (const store::DependencyRow& row : old_rows) {
    if (row.import_index < imports.lines.size()) imports.lines[row.import_index] = row.line;
  }
  if (std::find(imports.lines.begin(), imports.lines.end(), 0U) != imports.lines.end()) {
    CODEXMEM_ASSIGN(const auto text, reader.find_content(id));
    if (text) imports.lines = graph::import_lines(facts, LineIndex(*text));
  }
  return imports;
}

// True if a part of an import's path is one of `names`.
bool has_part(std::string_view path, const std::set<std::string>& names) {
  std::string part;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const bool is_inside =
        i < path.size() && path[i] != '.' && path[i] != '<' && path[i] != '>' && path[i] != ',';
    if (is_inside) {
      part += path[i];
      continue;
    }
    if (names.contains(part)) return true;
    part.clear();
  }
  return false;
}

// The files whose imports have one of `names` in their path, with their existing rows.
Result<std::map<store::FileId, Rows>> find_concerned(store::StoreReader& reader,
                                                     const std::set<std::string>& names) {
  std::map<store::FileId, Rows> concerned;
  std::set<store::FileId> seen;
  for (const std::string& name : names) {
    CODEXMEM_ASSIGN(const auto files, reader.list_files_with_identifier(name));
    for (const store::FileId file : files) {
      if (!seen.insert(file).second) continue;
      CODEXMEM_ASSIGN(Rows rows, reader.list_dependencies(file));
      const auto is_concerned = [&](const store::DependencyRow& row) {
        return has_part(row.import_path, names);
      };
      if (std::ranges::any_of(rows, is_concerned)) concerned.emplace(file, std::move(rows));
    }
  }
  return concerned;
}

}  // namespace

std::vector<std::string> list_ignored_configurations(const ChangePlan& plan) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path, std::string_view reason) {
    if (reason == skip_reason_name(SkipReason::kIgnored) && graph::is_configuration(path)) {
      paths.push_back(path);
    }
  };
  for (const SkippedEntry& entry : plan.skipped) add(entry.path, skip_reason_name(entry.reason));
  for (const store::SkippedFile& note : plan.outside) add(note.path, note.reason);
  return paths;
}

Result<std::uint64_t> update_dependencies(
    DependencyUpdate& update, WriteSession& session, const std::stop_token& stop,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  std::map<store::FileId, Rows> stored;  // of files that this run has not written
  std::uint64_t written = 0;
  if (!update.all) {
    // Reading all paths costs more than the rest of a small run, so they are read only when needed.
    CODEXMEM_ASSIGN(stored, find_concerned(session.reader(), update.changed_names));
    for (auto& [id, imports] : update.imports) {
      if (!imports.rows || imports.rows->empty()) continue;
      const auto& names = update.changed_names;
      if (std::ranges::any_of(*imports.rows, [&](const store::DependencyRow& row) {
            return has_part(row.import_path, names);
          })) {
        imports.rows.reset();
        continue;
      }
      CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
      CODEXMEM_TRY(writer->put_dependencies(id, *imports.rows));
      ++written;
      CODEXMEM_TRY(session.end_file(0));
    }
  }
  const auto needs_resolving = [&](const auto& entry) {
    return !entry.second.facts.imports.empty() && (update.all || !entry.second.rows);
  };
  if (!update.all && stored.empty() && std::ranges::none_of(update.imports, needs_resolving)) {
    return written;
  }
  CODEXMEM_ASSIGN(const std::vector<store::FileRow> files, session.reader().list_files());
  std::vector<graph::ProjectFile> snapshot;
  snapshot.reserve(files.size());
  for (const store::FileRow& file : files) {
    snapshot.push_back({file.id, file.path, graph::family_of(file.language)});
  }
  graph::StoredDeclarations declarations(session.reader());
  graph::ImportResolver resolver(snapshot, update.configurations, update.unindexed_configurations,
                                 &declarations);

  std::vector<graph::ProjectFile> sources;
  for (std::size_t i = 0; i < files.size(); ++i) {
    // A written file without imports has no rows.
    const auto read = update.imports.find(files[i].id);
    if (read != update.imports.end() ? needs_resolving(*read)
        : update.all                 ? graph::finds_imports(snapshot[i].family)
                                     : stored.contains(files[i].id)) {
      sources.push_back(snapshot[i]);
    }
  }
  if (update.all) {
    CODEXMEM_ASSIGN(Rows rows, session.reader().list_all_dependencies());
    for (store::DependencyRow& row : rows) {
      stored[row.source].push_back(std::move(row));
    }
  }
  const Rows none;
  const auto stored_rows = [&](store::FileId id) -> const Rows& {
    const auto found = stored.find(id);
    return found == stored.end() ? none : found->second;
  };

  struct Loaded {
    const ImportFacts* read = nullptr;  // from this run
    ImportFacts stored;
    std::optional<Error> failure;
  };
  std::size_t done = 0;
  const auto make_worker = [&]() -> std::function<Loaded(std::size_t)> {
    auto lease = std::make_shared<std::optional<store::ReaderLease>>();
    return [&, lease](std::size_t index) {
      Loaded loaded;
      const store::FileId id = sources[index].id;
      if (const auto found = update.imports.find(id); found != update.imports.end()) {
        loaded.read = &found->second;
        return loaded;
      }
      if (!*lease) {
        auto lent = update.workspace.reader();
        if (!lent.ok()) {
          loaded.failure = std::move(lent).error();
          return loaded;
        }
        lease->emplace(*std::move(lent));
      }
      auto imports = read_stored_imports(***lease, id, stored_rows(id));
      if (imports.ok()) {
        loaded.stored = *std::move(imports);
      } else {
        loaded.failure = std::move(imports).error();
      }
      return loaded;
    };
  };
  const auto take = [&](Loaded loaded) -> Result<void> {
    const graph::ProjectFile& source = sources[done++];
    if (progress) progress(done, sources.size());
    if (loaded.failure) {
      // An error that is not the file's own ends the run: its mark stays, and the next run resolves
      // all.
      if (loaded.failure->code() != ErrorCode::kCorrupt &&
          loaded.failure->code() != ErrorCode::kUnsupported) {
        return *std::move(loaded.failure);
      }
      log_warn("{}: its imports are not resolved: {}", source.path, loaded.failure->message());
      return session.expire_file(source.id);
    }
    const ImportFacts& imports = loaded.read != nullptr ? *loaded.read : loaded.stored;
    const Rows rows = resolver.make_dependencies(source, imports.facts, imports.lines);
    if (same_rows(rows, stored_rows(source.id))) return {};
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
    CODEXMEM_TRY(writer->put_dependencies(source.id, rows));
    ++written;
    return session.end_file(0);
  };
  CODEXMEM_TRY(run_ordered<Loaded>({.count = sources.size(), .threads = update.threads},
                                   make_worker, take, stop));
  CODEXMEM_TRY(declarations.status());
  return written;
}

}  // namespace codexmem::index
