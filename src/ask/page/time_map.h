// ask/page/time_map.h - the commits of the last years, for a map with a slider of time.
#pragma once

#include <string>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

/// {repo, files, commits, shallow, missing}: `files` are paths, also of files that are gone; a
/// commit is {time, author, changed, added}, the oldest first: seconds since 1970, a number for
/// each person, and numbers of files. `missing` says why there are none: "being counted" (ask
/// again), "no git history". Errors: kCancelled.
Result<std::string> make_time_map(const PageCall& call);

}  // namespace codexmem::ask
