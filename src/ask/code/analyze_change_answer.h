// ask/code/analyze_change_answer.h - how an answer of analyze_change is written and cut.
#pragma once

#include <cstddef>

#include "ask/code/analyze_change.h"

namespace codexmem::ask {

/// Cuts the lists of `answer` to their shares of `max_bytes`; what one leaves the next may have.
void cut_change(AnalyzeChangeAnswer& answer, std::size_t max_bytes);

}  // namespace codexmem::ask
