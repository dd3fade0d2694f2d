// app/render/question_text.h - which function prints the answer of which code question. Stateless.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/render/render.h"
#include "ask/question.h"

namespace codexmem::app {

/// The function for the question called `question`, or null.
Render find_render(std::string_view question);

/// `answer` as text for a model (mcp::ToolTable::TextForm); nothing for a question without such a
/// function.
std::optional<std::string> text_for_model(const ask::Question& question, const ask::Answer& answer);

}  // namespace codexmem::app
