// codexmem decision ...: what was decided, from the shell. Record, supersede, search and accept run
// the tools of these names; the others are for people alone.
#include <fmt/core.h>

#include <utility>

#include "app/render/columns.h"
#include "app/memory_question.h"
#include "app/render/render_memory.h"
#include "text/json.h"
#include "text/json_object.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "ask/memory/record_decision.h"
#include "ask/memory/search_decisions.h"
#include "memory/decisions/decisions.h"
#include "memory/times.h"

namespace codexmem::app {
namespace {

void declare_role(MemoryQuestion& shell, Arguments& arguments) {
  arguments.text("--role", shell.role, "viewer, agent or admin (default: admin)")
      .are({"viewer", "agent", "admin"});
}

// What asks a question.
class DecisionQuestionCommand : public MemoryQuestionCommand {
 public:
  using MemoryQuestionCommand::MemoryQuestionCommand;

 protected:
  void declare_more(Arguments& arguments) override { declare_role(shell(), arguments); }

  // The message itself is the contract's, and it ends with the decision: "...: [ID]".
  std::string advice(const ask::Failure& failure) const override {
    const std::string& message = failure.message;
    if (message.find("need AGENT_MEMORY_SECRET to be set") != message.npos) {
      return "to set it once: `codexmem init --decisions`";
    }
    const std::size_t at = message.rfind('[');
    if (message.find("CONFLICT: ") == message.npos || at == message.npos) return {};
    const std::string id = message.substr(at + 1, message.rfind(']') - at - 1);
    return fmt::format("to replace it: `codexmem decision supersede ... --old {}`", id);
  }
};

// What works on the memory itself.
class DecisionCommand : public Command {
 protected:
  // Opens the memory and has `act` print what it finds.
  template <typename Act>
  ExitCode with_memory(Console& console, const Act& act) {
    return app::with_memory(question_, console, act);
  }

  MemoryQuestion question_;
};

// The decision, unless it is of a project that is not shown here.
Result<memory::Decision> get_shown(memory::Memory& memory, const std::string& id) {
  CODEXMEM_ASSIGN(memory::Decision decision, memory.decisions().get(id));
  if (memory.shows(decision.project)) return decision;
  return Error{ErrorCode::kNotFound, "Decision ID not found"};
}

// Deprecate an active decision, or reject a draft.
class EndCommand : public DecisionCommand {
 public:
  explicit EndCommand(bool is_rejection) : is_rejection_(is_rejection) {}
  void declare(Arguments& arguments) override {
    arguments.text("ID", id_, is_rejection_ ? "Id of the proposal" : "Id of the decision", true);
    arguments.text("--reason", reason_, "Why");
    declare_role(question_, arguments);
    question_.declare(arguments);
  }
  ExitCode run(Console& console) override {
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      memory::Decisions& decisions = memory.decisions();
      if (memory.is_isolated()) CODEXMEM_TRY(get_shown(memory, id_));
      if (is_rejection_) {
        CODEXMEM_TRY(decisions.reject(memory.caller(), id_, reason_));
      } else {
        CODEXMEM_TRY(decisions.deprecate(memory.caller(), id_, reason_));
      }
      const char* const what = is_rejection_ ? "Rejected" : "Deprecated";
      if (question_.json) {
        console.print_json(
            json_object("status", "success", "message", what, "decision_id", id_).text);
      } else {
        console.print_line(fmt::format("{}: {}", what, id_));
      }
      return ExitCode::kFound;
    });
  }

 private:
  bool is_rejection_;
  std::string id_, reason_;
};

JsonText decision_json(const memory::Decision& decision) {
  const bool is_proposal = memory::is_proposal(decision.status);
  const auto replaces = is_proposal ? decision.replaces : decltype(decision.replaces)();
  return json_object(
      "id", decision.id, "kind", memory::decision_kind(decision.status), "status",
      memory::status_name(decision.status), "title", decision.title, "target", decision.target,
      "project", decision.project, "rationale", decision.rationale, "consequences",
      decision.consequences, "source", memory::source_name(decision.source), "created_at",
      memory::iso_time(decision.created_at_ms), "supersedes", some(decision.supersedes),
      "superseded_by", some(decision.superseded_by), "branch", some(decision.branch),
      "converted_to", some(decision.converted_to), "confidence",
      json_if(is_proposal, decision.confidence), "first_observed_at",
      json_if(is_proposal, memory::iso_time(decision.first_observed_at_ms)), "replaces",
      some(replaces), "evidence", json_if(is_proposal, decision.evidence));
}

class DecisionListCommand : public DecisionCommand {
 public:
  void declare(Arguments& arguments) override {
    arguments
        .texts("--status", statuses_,
               "active, deprecated, superseded, draft, accepted, rejected, falsified")
        .are({"active", "deprecated", "superseded", "draft", "accepted", "rejected", "falsified"});
    arguments.text("--target", target_, "Only about this");
    arguments.text("-p,--project", project_, "Only of this project");
    arguments.number("-l,--limit", limit_, "Maximum results (20)");
    question_.declare(arguments);
  }
  ExitCode run(Console& console) override {
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      memory::DecisionFilter filter;
      filter.target = target_;
      if (project_) filter.projects = {*project_};
      const bool is_hidden = project_ && !memory.shows(*project_);
      if (memory.is_isolated()) filter.projects = {memory.project()};
      if (limit_ && *limit_ >= 1) filter.limit = static_cast<std::size_t>(*limit_);
      for (const std::string& name : statuses_) {
        const auto status = memory::parse_status(name);
        if (!status) {
          return Error{ErrorCode::kInvalidArgument,
                       fmt::format("--status must be active, deprecated, superseded, draft, "
                                   "accepted, rejected or falsified, got \"{}\"",
                                   name)};
        }
        filter.statuses.push_back(*status);
      }
      CODEXMEM_ASSIGN(auto decisions, memory.decisions().list(filter));
      if (is_hidden) decisions.clear();
      if (question_.json) {
        console.print_json(json_list(decisions, decision_json).text);
      } else {
        console.print(render_decision_list(decisions, console));
        if (decisions.empty()) console.note("nothing found");
      }
      return decisions.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
    });
  }

 private:
  std::vector<std::string> statuses_;
  std::string target_;
  std::optional<std::string> project_;
  std::optional<double> limit_;
};

class ShowCommand : public DecisionCommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("ID", id_, "Id of a decision or proposal", true);
    question_.declare(arguments);
  }
  ExitCode run(Console& console) override {
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      CODEXMEM_ASSIGN(const memory::Decision decision, get_shown(memory, id_));
      CODEXMEM_ASSIGN(const auto history, memory.decisions().history(id_));
      if (question_.json) {
        const auto write = [](const memory::StatusChange& change) {
          return json_object("at", memory::iso_time(change.at_ms), "from",
                             json_or_null(change.from ? memory::status_name(*change.from) : ""),
                             "to", memory::status_name(change.to), "role", change.role, "reason",
                             change.reason);
        };
        console.print_json(
            json_joined(decision_json(decision), json_object("history", json_list(history, write)))
                .text);
        return ExitCode::kFound;
      }
      print(decision, history, console);
      return ExitCode::kFound;
    });
  }

 private:
  static void print(const memory::Decision& decision,
                    const std::vector<memory::StatusChange>& history, Console& console) {
    const bool holds = decision.status == memory::DecisionStatus::kActive;
    console.print_line(fmt::format(
        "{}  {}", console.painted(Paint::kPath, decision.id),
        console.painted(holds ? Paint::kGood : Paint::kDim, memory::status_name(decision.status))));
    console.print(console.painted(Paint::kBold,
                                  wrapped(fold_whitespace(decision.title), 2, console.width())));
    console.print_line(console.painted(
        Paint::kDim, fmt::format("  on {} in {}, by {}", decision.target, decision.project,
                                 memory::source_name(decision.source))));
    if (!decision.branch.empty()) {
      console.print_line(fmt::format("  on branch {}, not merged", terminal_line(decision.branch)));
    }
    console.print("\n" + wrapped(decision.rationale, 2, console.width()));
    for (const std::string& each : decision.consequences) {
      console.print(wrapped("- " + each, 2, console.width()));
    }
    const auto link = [&](const char* what, const std::string& id) {
      if (!id.empty()) console.print_line(fmt::format("  {} {}", what, id));
    };
    for (const std::string& id : decision.supersedes) link("supersedes", id);
    link("superseded by", decision.superseded_by);
    link("became", decision.converted_to);
    console.print_line("");
    for (const memory::StatusChange& change : history) {
      console.print_line(fmt::format("  {} {:>8}  {} by {}{}", memory::day_text(change.at_ms),
                                     memory::clock_text(change.at_ms),
                                     memory::status_name(change.to), change.role,
                                     change.reason.empty() ? "" : ": " + change.reason));
    }
  }

  std::string id_;
};

class LogCommand : public DecisionCommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("-l,--limit", limit_, "Maximum calls (20)");
    question_.declare(arguments);
  }
  ExitCode run(Console& console) override {
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      const std::size_t limit =
          limit_ && *limit_ >= 1 ? static_cast<std::size_t>(*limit_) : std::size_t{20};
      CODEXMEM_ASSIGN(const auto rows, memory.decisions().audit(limit));
      for (const memory::AuditRow& row : rows) {
        if (question_.json) break;
        const std::string head =
            fmt::format("{} {:>8}  {:<14}  {:<18}  ", memory::day_text(row.at_ms),
                        memory::clock_text(row.at_ms), row.role, row.tool);
        console.print_line(
            head + (row.error.empty() ? console.painted(Paint::kGood, "done")
                                      : console.painted(Paint::kBad, console.cut_to_line(
                                                                         row.error, head.size()))));
      }
      const auto write = [](const memory::AuditRow& row) {
        const Json arguments = Json::parse(row.arguments, nullptr, /*allow_exceptions=*/false);
        return json_object("at", memory::iso_time(row.at_ms), "role", row.role, "tool", row.tool,
                           "allowed", row.is_allowed, "arguments", JsonText{dump_json(arguments)},
                           "error", json_or_null(row.error));
      };
      if (question_.json) console.print_json(json_list(rows, write).text);
      return rows.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
    });
  }

 private:
  std::optional<double> limit_;
};

// The command that writes a decision by `question`.
template <const ask::Question& question>
std::unique_ptr<Command> make_writer() {
  return std::make_unique<DecisionQuestionCommand>(question,
                                                   render_as<ask::DecidedAnswer, render_decided>);
}

std::unique_ptr<Command> make_search() {
  return std::make_unique<DecisionQuestionCommand>(
      ask::kSearchDecisions, render_as<ask::SearchDecisionsAnswer, render_decisions>);
}

constexpr CommandRow kDecisionCommands[] = {
    {"record", "Record a decision about a target that has no active one",
     "Examples:\n"
     "  codexmem decision record \"Use SQLite\" --target database \\\n"
     "    --rationale \"One file, no server\"\n"
     "  codexmem decision record \"Cache in memory\" --target speed --rationale - < why",
     make_writer<ask::kRecordDecision>},
    {"supersede", "Replace the active decisions of a target with a new one",
     "Examples:\n"
     "  codexmem decision supersede \"Use Postgres\" --target database \\\n"
     "    --rationale \"There are many writers\" --old decision_20260102_030405_000000_0123abcd.md",
     make_writer<ask::kSupersedeDecision>},
    {"search", "Find decisions",
     "Examples:\n"
     "  codexmem decision search which database\n"
     "  codexmem decision search database --mode audit   also what it replaced",
     make_search},
    {"accept", "Make a draft an active decision",
     "Examples:\n"
     "  codexmem decision accept decision_20260102_030405_000000_0123abcd.md",
     make_writer<ask::kAcceptProposal>},
    {"list", "List decisions and proposals, newest first",
     "Examples:\n"
     "  codexmem decision list --status active\n"
     "  codexmem decision list --status draft --project my-app",
     make_command<DecisionListCommand>},
    {"show", "Show a decision with its history",
     "Examples:\n"
     "  codexmem decision show decision_20260102_030405_000000_0123abcd.md",
     make_command<ShowCommand>},
    {"propose", "Propose a decision for an admin to accept",
     "Examples:\n"
     "  codexmem decision propose \"Use Postgres\" --target database \\\n"
     "    --rationale \"There are many writers\"",
     make_writer<ask::kProposeDecision>},
    {"deprecate", "End an active decision without a new one",
     "Examples:\n"
     "  codexmem decision deprecate decision_20260102_030405_000000_0123abcd.md",
     [] { return std::unique_ptr<Command>(std::make_unique<EndCommand>(false)); }},
    {"reject", "Reject a draft",
     "Examples:\n"
     "  codexmem decision reject decision_20260102_030405_000000_0123abcd.md",
     [] { return std::unique_ptr<Command>(std::make_unique<EndCommand>(true)); }},
    {"log", "List the calls of the decision tools, newest first",
     "Examples:\n"
     "  codexmem decision log --limit 50",
     make_command<LogCommand>},
};

}  // namespace

std::span<const CommandRow> decision_commands() { return kDecisionCommands; }

}  // namespace codexmem::app
