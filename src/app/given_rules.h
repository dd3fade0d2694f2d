// app/given_rules.h - the rules that changes must keep, read from the repository's decisions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/changes/change_check.h"

namespace codexmem::app {

/// The rules of the active decisions of the project around `folder`; `unread` gets why some, or
/// all, are missing.
std::vector<index::GivenRule> read_given_rules(const std::filesystem::path& folder,
                                               std::vector<std::string>& unread);

}  // namespace codexmem::app
