// app/given_rules.h - the rules that a repository's changes are held to: those of its decisions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/change_check.h"

namespace codexmem::app {

/// The rules of the active decisions of the project around `folder`; `unread` gets why some, or
/// all, are missing.
std::vector<index::GivenRule> read_given_rules(const std::filesystem::path& folder,
                                               std::vector<std::string>& unread);

}  // namespace codexmem::app
