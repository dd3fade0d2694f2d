// ask/memory/decision_answers.h - the tools of decisions. Stateless; thread-safe. Design:
// docs/memory.md, "Decisions"; docs/mcp.md.
#pragma once

#include <string_view>

#include "ask/memory/answer.h"
#include "ask/memory/call.h"

namespace codexmem::ask {

/// Each tool, failures included: {status: "error", message}.
Answer answer_record_decision(const Call& call, std::string_view arguments);
Answer answer_supersede_decision(const Call& call, std::string_view arguments);
Answer answer_search_decisions(const Call& call, std::string_view arguments);
Answer answer_accept_proposal(const Call& call, std::string_view arguments);

/// A draft for an admin to accept; the shell's alone.
Answer answer_propose_decision(const Call& call, std::string_view arguments);

}  // namespace codexmem::ask
