// observe/models/model_prompt.h - what a model is asked, and the shape of the answer that is asked
// for.
//
// One bounded text a batch: the task, what the user wanted, the events. Nothing of earlier batches
// goes with it. Everything from a session is between marks and is declared to be data;
// secrets are taken out once more. Pure. Design: docs/how-it-works.md, "Observations".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "observe/models/provider.h"

namespace codexmem::observe {

/// The request to a model.
struct ModelPrompt {
  std::string task;         // the system's part
  std::string data;         // the user's part
  std::string schema;       // JSON schema of the answer, as strict structured output wants it
  std::string schema_name;  // "observations", "summary"
};

/// `by_rules` are observations of the same events by rules, which say in few words what the raw
/// events say in many. `data` has at most `max_bytes` bytes, the same share for each event.
ModelPrompt observation_prompt(const ObserveRequest& request,
                               const std::vector<Observation>& by_rules, std::size_t max_bytes);

ModelPrompt summary_prompt(const SummarizeRequest& request, std::size_t max_bytes);

}  // namespace codexmem::observe
