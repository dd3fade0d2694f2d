// ask/questions.h - every question.
#pragma once

#include <span>
#include <string_view>

#include "ask/question.h"

namespace codexmem::ask {

/// Every question, in the order of tools/list.
std::span<const Question* const> questions();

/// The question called `name`, which there is.
const Question& get_question(std::string_view name);

}  // namespace codexmem::ask
