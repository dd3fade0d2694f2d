#include "app/commands/staged_command.h"

#include <fmt/core.h>

#include <optional>

#include "app/render/render.h"
#include "ask/memory/get_records.h"
#include "ask/memory/record.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "memory/times.h"
#include "store/user/branches.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace {

struct StagedRow {
  std::string id, kind, title, project;
};

struct StagedBranch {
  store::BranchStage stage;
  std::vector<StagedRow> rows;
};

// The document as a row; nothing for one of a project that is not shown here.
Result<std::optional<StagedRow>> row_of(memory::Memory& memory, memory::DocumentKey key) {
  std::optional<StagedRow> row;
  if (memory::kind_of(key) == memory::DocumentKind::kDecision) {
    CODEXMEM_ASSIGN(store::UserReader reader, memory.store().reader());
    const auto decision_key = static_cast<memory::DecisionKey>(memory::id_of(key));
    CODEXMEM_ASSIGN(const auto found, store::get_decisions(*reader, std::span(&decision_key, 1)));
    if (found.empty() || !memory.shows(found.front().project)) return row;
    CODEXMEM_ASSIGN(const auto decision, memory.decisions().get(found.front().id));
    row = {decision.id, "decision", decision.target + ": " + decision.title, decision.project};
    return row;
  }
  CODEXMEM_ASSIGN(const auto records, ask::read_records({.memory = memory}, std::span(&key, 1)));
  const auto found = records.find(key);
  if (found == records.end()) return row;
  const memory::Entry entry = ask::as_entry(found->second);
  row = {ask::id_text(key), entry.type, entry.title, entry.project};
  return row;
}

Result<std::vector<StagedBranch>> list_staged(memory::Memory& memory) {
  std::vector<store::BranchStage> stages;
  std::vector<store::StagedDocument> documents;
  {
    CODEXMEM_ASSIGN(store::UserMoment reader, memory.store().moment());
    CODEXMEM_ASSIGN(stages, store::list_stages(*reader, ""));
    CODEXMEM_ASSIGN(documents, store::list_staged_documents(*reader));
  }
  std::vector<StagedBranch> branches;
  for (store::BranchStage& stage : stages) {
    StagedBranch branch{std::move(stage), {}};
    for (const store::StagedDocument& document : documents) {
      if (document.stage != branch.stage.id) continue;
      CODEXMEM_ASSIGN(auto row, row_of(memory, document.key));
      if (row) branch.rows.push_back(*std::move(row));
    }
    if (!branch.rows.empty()) branches.push_back(std::move(branch));
  }
  return branches;
}

JsonText staged_json(const StagedBranch& branch) {
  const auto write = [](const StagedRow& row) {
    return json_object("id", row.id, "kind", row.kind, "title", row.title, "project", row.project);
  };
  const store::BranchStage& stage = branch.stage;
  return json_object("branch", stage.place.branch, "repository", stage.place.repository, "commit",
                     stage.place.head, "since", memory::iso_time(stage.made_at_ms), "gone",
                     stage.is_aside, "why", stage.why, "documents", json_list(branch.rows, write));
}

// The document that an id of either kind names.
Result<memory::DocumentKey> key_of(memory::Memory& memory, const std::string& id) {
  if (const auto key = ask::read_id(id)) return *key;
  CODEXMEM_ASSIGN(const auto decision, memory.decisions().get(id));
  return memory::document_key(decision.key);
}

}  // namespace

void StagedCommand::declare(Arguments& arguments) {
  arguments.texts("--release", released_, "Make these everybody's: 12, S3, P4, decision_...");
  question_.declare(arguments);
}

ExitCode StagedCommand::run(Console& console) {
  return with_memory(question_, console, [&](memory::Memory& memory) {
    return released_.empty() ? show(memory, console) : release(memory, console);
  });
}

Result<ExitCode> StagedCommand::release(memory::Memory& memory, Console& console) const {
  const auto scope = memory.branches().scope();
  std::vector<memory::DocumentKey> keys;
  for (const std::string& id : released_) {
    CODEXMEM_ASSIGN(const memory::DocumentKey key, key_of(memory, id));
    CODEXMEM_ASSIGN(const auto row, row_of(memory, key));
    if (!row || scope->branch_of(key).empty()) {
      return Error{ErrorCode::kNotFound, fmt::format("{} is not of a branch", id)};
    }
    keys.push_back(key);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (memory::kind_of(keys[i]) == memory::DocumentKind::kDecision) {
      CODEXMEM_TRY(memory.decisions().release(memory.caller(), released_[i]));
      continue;
    }
    CODEXMEM_ASSIGN(store::UserTransaction writer, memory.store().begin());
    CODEXMEM_TRY(memory::land_document(*writer, keys[i], "released", memory.clock()()));
    CODEXMEM_TRY(store::remove_empty_stages(*writer));
    CODEXMEM_TRY(writer.commit());
  }
  if (question_.json) {
    console.print_json(json_object("released", released_).text);
  } else {
    console.print_line(fmt::format("{} released", keys.size()));
  }
  return ExitCode::kFound;
}

Result<ExitCode> StagedCommand::show(memory::Memory& memory, Console& console) const {
  CODEXMEM_ASSIGN(const auto branches, list_staged(memory));
  if (question_.json) {
    console.print_json(json_list(branches, staged_json).text);
  } else {
    for (const StagedBranch& branch : branches) {
      const store::BranchPlace& place = branch.stage.place;
      console.print_line(fmt::format(
          "{}  {}",
          console.painted(Paint::kBold,
                          terminal_line(place.branch.empty() ? "(no branch)" : place.branch)),
          console.painted(Paint::kDim,
                          fmt::format("since {}, in {}", memory::day_text(branch.stage.made_at_ms),
                                      terminal_line(place.repository)))));
      if (!branch.stage.why.empty()) console.print_line("  " + terminal_line(branch.stage.why));
      for (const StagedRow& row : branch.rows) {
        const std::string id = row.kind == "decision" ? row.id : "#" + row.id;
        console.print_line(fmt::format("  {}  {}", console.painted(Paint::kPath, id),
                                       terminal_line(shorten(row.title, 100))));
      }
    }
    if (branches.empty()) console.note("nothing waits for a branch to be merged");
  }
  return branches.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
}

}  // namespace codexmem::app
