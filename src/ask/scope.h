// ask/scope.h - which repositories a caller may see.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::ask {

/// What the server's configuration lets a caller see; never what the caller says of itself.
struct Scope {
  std::string caller = {};                     // for the audit log
  std::vector<std::string> repositories = {};  // names that may be seen; "*" is every one

  /// Whether the repository called `name` may be seen.
  bool admits(std::string_view name) const;
};

}  // namespace codexmem::ask
