// ask/code/overview_answer.h - the answer of repository_overview, cut to a size and written.
#pragma once

#include <cstddef>

#include "ask/code/repository_overview.h"

namespace codexmem::ask {

/// Maximum length, in bytes, of the stated purpose of a package or folder.
inline constexpr std::size_t kAboutBytes = 140;

/// Cuts the lists of `answer` so that its JSON has about `max_bytes` at most, counts what it cut in
/// `omitted`, and puts the folders that are left in the order of their paths.
void cut_overview(RepositoryOverviewAnswer& answer, std::size_t max_bytes);

}  // namespace codexmem::ask
