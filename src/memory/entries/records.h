// memory/entries/records.h - the records of the user's store (store/user/records.h), as memory
// names them.
#pragma once

#include "store/user/records.h"

namespace codexmem::memory {

using store::DecisionKey;
using store::document_key;
using store::DocumentKey;
using store::DocumentKind;
using store::Entry;
using store::EntryId;
using store::id_of;
using store::kind_of;
using store::ProjectId;
using store::Prompt;
using store::PromptId;
using store::SessionId;
using store::Succession;
using store::Summary;
using store::SummaryId;

}  // namespace codexmem::memory
