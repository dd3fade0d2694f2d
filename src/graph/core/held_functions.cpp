// Tested by graph/dependencies_test.cpp.
#include "graph/core/held_functions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/stop_scope.h"
#include "graph/core/project_tree.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {
namespace {

bool means(const Entities& entities, const Entity& symbol) {
  return std::ranges::any_of(entities,
                             [&](const Entity& entity) { return entity.is_same(symbol); });
}

// True for a place that assigns a value to the name.
bool is_provided(const parse::Occurrence& at) {
  return at.role == parse::Role::kWrite || at.role == parse::Role::kDefinition;
}

// A bare name that is read: behind an assignment, its value.
bool is_bare_read(const parse::Occurrence& at) {
  return at.role == parse::Role::kRead && at.receiver_kind == parse::ReceiverKind::kNone;
}

}  // namespace

Result<Entities> held_functions(Resolver& resolver, store::CodeReader& reader, const Entity& holder,
                                const FileModel& near, std::size_t limit) {
  const std::string& name = symbol_of(holder).name;
  CODEXMEM_ASSIGN(const auto ids, reader.list_files_with_identifier(name));
  std::vector<std::pair<std::size_t, store::FileId>> files;  // by folders shared with `near`
  for (const store::FileId id : ids) {
    const store::FileRow* row = resolver.files().find(id);
    if (row == nullptr || !share_names(family_of(row->language), near.family)) continue;
    files.emplace_back(id == near.id ? row->path.size() : shared_folders(row->path, near.path), id);
  }
  std::ranges::stable_sort(files, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (files.size() > kMaxHoldingFiles) files.resize(kMaxHoldingFiles);
  Entities held;
  for (const auto& [nearness, id] : files) {
    CODEXMEM_TRY(go_on());
    const FileModel* file = resolver.model(id);
    const auto name_id = file == nullptr ? std::nullopt : file->find_name(name);
    if (!name_id) continue;
    const auto& occurrences = file->facts.occurrences;
    for (const std::uint32_t index : file->occurrences_of(*name_id)) {
      if (index + 1 >= occurrences.size() || !is_provided(occurrences[index]) ||
          !is_bare_read(occurrences[index + 1]) || !means(resolver.resolve(*file, index), holder)) {
        continue;
      }
      for (const Entity& value : Entities(resolver.resolve(*file, index + 1))) {
        if (value.kind != EntityKind::kSymbol || !is_callable(symbol_of(value))) continue;
        add(held, value);
        if (held.size() >= limit) return held;
      }
    }
  }
  return held;
}

}  // namespace codexmem::graph
