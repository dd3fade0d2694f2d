// memory/decisions/decision_records.h - decisions as the user's store holds them
// (store/user/decisions.h), as memory names them.
#pragma once

#include "store/user/decisions.h"

namespace codexmem::memory {

using store::change_status;
using store::Decision;
using store::decision_kind;
using store::DecisionFilter;
using store::DecisionSource;
using store::DecisionStatus;
using store::find_active;
using store::find_decision;
using store::get_decisions;
using store::insert_decision;
using store::is_proposal;
using store::list_decisions;
using store::list_history;
using store::parse_status;
using store::source_name;
using store::status_name;
using store::StatusChange;

}  // namespace codexmem::memory
