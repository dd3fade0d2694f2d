// graph/across/version_range.h - whether the version of a package is one that its users ask for.
//
// Reads what manifests write: "^1.2", "~> 1.2", ">=1,<2", "[1.0,2.0)". Stateless.
#pragma once

#include <optional>
#include <string_view>

#include "graph/across/ecosystem.h"

namespace codexmem::graph {

/// True if `version` is one that `range` allows, both as the manifests of `ecosystem` write them;
/// nothing when one of them is no version (a branch, an address, a variable) or is empty.
///
/// A version before a release ("2.0.0-rc.1") is below it, and no bound of `^` and `~` lets it in
/// from above. Sources: semver.org 2.0.0, docs.npmjs.com (semver), doc.rust-lang.org/cargo
/// (specifying dependencies), getcomposer.org (versions), PEP 440, guides.rubygems.org (patterns),
/// hexdocs.pm (Version), maven.apache.org (POM), learn.microsoft.com (NuGet versioning).
std::optional<bool> allows_version(Ecosystem ecosystem, std::string_view range,
                                   std::string_view version);

}  // namespace codexmem::graph
