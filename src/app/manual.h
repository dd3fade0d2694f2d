// app/manual.h - manual pages, made of the command table and what the commands declare.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::app {

/// The page of `program` ("codexmem" or "codexmem-hook") for man(1); empty for another. Stateless.
std::string manual_page(std::string_view program);

}  // namespace codexmem::app
