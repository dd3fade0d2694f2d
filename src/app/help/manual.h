// app/help/manual.h - manual pages, made of the command table and what the commands declare.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"

namespace codexmem::app {

/// What the command of `row`, which is not a group, declares. Stateless.
std::vector<ArgumentFacts> declared_arguments(const CommandRow& row);

/// The page of `program` ("codexmem" or "codexmem-hook") for man(1); empty for another. Stateless.
std::string manual_page(std::string_view program);

}  // namespace codexmem::app
