// A rename is verified by its reverse: in the new state of the files, renaming the symbol back must
// change exactly the places that were changed. A missing place now means something else, and an
// additional place meant something else before; any mistake in the plan about scopes, imports and
// members shows as one of the two.
//
// Tested by git/rename_test.py.
#include "index/changes/rename_apply.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "graph/stored/facts_cache.h"
#include "index/git/git_changes.h"
#include "parse/facts/facts_codec.h"
#include "text/line_index.h"

namespace codexmem::index {
namespace {

using Places = std::set<std::pair<std::string, std::uint32_t>>;  // path, offset

// The places of the new name after the edits of `plan`: of those that a person took, or of the
// others.
Places places_after(const graph::RenamePlan& plan, bool are_taken) {
  Places places;
  for (const graph::RenamedFile& file : plan.files) {
    std::ptrdiff_t moved = 0;
    for (const graph::RenameEdit& edit : file.edits) {
      const std::size_t begin =
          edit.size == plan.old_name.size() ? edit.text.find(plan.new_name) : edit.text.npos;
      const auto name = static_cast<std::ptrdiff_t>(begin == edit.text.npos ? 0 : begin);
      if (edit.is_taken == are_taken) {
        places.emplace(file.new_path.empty() ? file.path : file.new_path,
                       static_cast<std::uint32_t>(edit.offset + moved + name));
      }
      moved +=
          static_cast<std::ptrdiff_t>(edit.text.size()) - static_cast<std::ptrdiff_t>(edit.size);
    }
  }
  return places;
}

// The places by which the reverse rename differs.
Result<std::vector<graph::RenameObstacle>> find_differences(store::Workspace& workspace,
                                                            const graph::RenamePlan& plan,
                                                            const std::stop_token& stop) {
  // (The outermost: the names of those inside have changed too, as a constructor's class has.)
  const graph::ReferenceDefinition& first = *std::ranges::min_element(
      plan.definitions, {}, [](const auto& each) { return each.qualified_name.size(); });
  const std::size_t before = first.qualified_name.size() - first.name.size();
  graph::RenameQuery query;
  query.symbol = first.qualified_name.substr(0, before) + plan.new_name;
  query.new_name = plan.old_name;
  query.file_path = first.path;
  for (const graph::RenamedFile& file : plan.files) {
    if (file.path == first.path && !file.new_path.empty()) query.file_path = file.new_path;
  }
  graph::FactsCache cache;
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(const auto back, graph::plan_rename(cache, *reader, query, stop));
  Places wanted = places_after(plan, false);
  const Places taken = places_after(plan, true);  // (these may mean it or not)
  std::vector<graph::RenameObstacle> differences;
  for (const graph::RenamedFile& file : back.files) {
    for (const graph::RenameEdit& edit : file.edits) {
      const std::pair place(file.path, edit.offset);
      if (wanted.erase(place) != 0 || taken.contains(place)) continue;
      differences.push_back({graph::ObstacleKind::kCaptured, file.path, edit.position,
                             plan.new_name + " would mean this afterwards", "", std::nullopt});
    }
  }
  for (const auto& [path, offset] : wanted) {
    graph::RenameObstacle gone{graph::ObstacleKind::kNameTaken,
                               path,
                               {},
                               plan.new_name + " would mean something else here",
                               "",
                               std::nullopt};
    if (const auto row = reader->find_file(path); row.ok() && *row) {
      CODEXMEM_ASSIGN(const auto text, reader->find_content((*row)->id));
      if (text) gone.position = LineIndex(*text).position_of(offset);
    }
    differences.push_back(std::move(gone));
  }
  return differences;
}

// The findings of `codexmem check`; empty if it cannot compare.
Result<std::vector<ChangeFinding>> find_broken(store::Workspace& workspace,
                                               const std::vector<GivenRule>& rules,
                                               const std::stop_token& stop) {
  auto changes =
      GitChanges::find(workspace.root(), workspace.root(), {.since = "", .is_staged = false});
  if (!changes.ok() && changes.error().code() == ErrorCode::kNotFound) {
    return std::vector<ChangeFinding>();
  }
  if (!changes.ok()) return changes.error();
  if (changes->changes().empty()) return std::vector<ChangeFinding>();
  CODEXMEM_ASSIGN(ChangeReport report,
                  check_changes(workspace, *std::move(changes), {}, rules, stop));
  return std::move(report.findings);
}

// By path (of those that move, the new one), how many parts of the files of `plan` were not
// understood. Files without facts are missing.
Result<std::map<std::string, std::size_t>> count_unparsed(store::Workspace& workspace,
                                                          const graph::RenamePlan& plan,
                                                          bool is_written) {
  std::map<std::string, std::size_t> counts;
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  for (const graph::RenamedFile& file : plan.files) {
    const std::string& after = file.new_path.empty() ? file.path : file.new_path;
    CODEXMEM_ASSIGN(const auto row, reader->find_file(is_written ? after : file.path));
    // (The grammars of C and C++ do not understand all that compilers do.)
    if (!row || row->language == "c" || row->language == "cpp") continue;
    CODEXMEM_ASSIGN(const auto blob, reader->find_facts(row->id));
    if (!blob) continue;
    CODEXMEM_ASSIGN(const parse::FileFacts facts, parse::decode_facts(*blob));
    counts[after] = facts.unparsed.size();
  }
  return counts;
}

// The files that hold more that is not understood than before.
std::vector<graph::RenameObstacle> find_unparsed(const std::map<std::string, std::size_t>& before,
                                                 const std::map<std::string, std::size_t>& after) {
  std::vector<graph::RenameObstacle> found;
  for (const auto& [path, count] : after) {
    const auto known = before.find(path);
    if (known == before.end() || count <= known->second) continue;
    found.push_back(
        {graph::ObstacleKind::kUnparsed, path, {}, "it would no longer be code", "", std::nullopt});
  }
  return found;
}

}  // namespace

std::vector<FileEdits> edits_of(const graph::RenamePlan& plan) {
  std::vector<FileEdits> files;
  for (const graph::RenamedFile& file : plan.files) {
    FileEdits edits{.path = file.path, .hash = file.hash, .new_path = file.new_path, .edits = {}};
    for (const graph::RenameEdit& edit : file.edits) {
      edits.edits.push_back({edit.offset, edit.size, edit.text});
    }
    files.push_back(std::move(edits));
  }
  return files;
}

Result<RenameOutcome> apply_rename(store::Workspace& workspace, const graph::RenamePlan& plan,
                                   const std::vector<GivenRule>& rules,
                                   const std::function<Result<void>()>& refresh,
                                   const std::function<bool()>& verify, std::stop_token stop) {
  RenameOutcome outcome;
  CODEXMEM_ASSIGN(const auto before, find_broken(workspace, rules, stop));
  CODEXMEM_ASSIGN(const auto unparsed, count_unparsed(workspace, plan, /*is_written=*/false));
  CODEXMEM_ASSIGN(Rewrite rewrite, Rewrite::apply(workspace, edits_of(plan)));
  CODEXMEM_TRY(refresh());
  if (plan.is_rename()) {
    CODEXMEM_ASSIGN(outcome.differences, find_differences(workspace, plan, stop));
  }
  CODEXMEM_ASSIGN(const auto unparsed_after, count_unparsed(workspace, plan, /*is_written=*/true));
  std::ranges::move(find_unparsed(unparsed, unparsed_after),
                    std::back_inserter(outcome.differences));
  CODEXMEM_ASSIGN(outcome.findings, find_broken(workspace, rules, stop));
  // (A rename does not move lines; an argument that goes can.)
  std::erase_if(outcome.findings, [&](const ChangeFinding& finding) {
    return std::ranges::any_of(before, [&](const ChangeFinding& known) {
      return (known.line == finding.line || !plan.is_rename()) &&
             std::tie(known.path, known.name, known.kind) ==
                 std::tie(finding.path, finding.name, finding.kind);
    });
  });
  outcome.is_applied = outcome.differences.empty() && outcome.findings.empty();
  if (outcome.is_applied && verify) outcome.is_applied = outcome.is_verified = verify();
  if (outcome.is_applied) {
    CODEXMEM_TRY(rewrite.keep());
    return outcome;
  }
  CODEXMEM_TRY(rewrite.undo());
  CODEXMEM_TRY(refresh());
  return outcome;
}

}  // namespace codexmem::index
