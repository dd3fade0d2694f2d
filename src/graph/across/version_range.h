// graph/across/version_range.h - checks whether a package's version is in the range that its users
// require.
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
/// A pre-release ("2.0.0-rc.1") is below its release, and not within an upper bound of `^` and `~`.
/// Sources: semver.org 2.0.0, docs.npmjs.com (semver), doc.rust-lang.org/cargo (specifying
/// dependencies), getcomposer.org (versions), PEP 440, guides.rubygems.org (patterns), hexdocs.pm
/// (Version), maven.apache.org (POM), learn.microsoft.com (NuGet versioning).
std::optional<bool> allows_version(Ecosystem ecosystem, std::string_view range,
                                   std::string_view version);

}  // namespace codexmem::graph
