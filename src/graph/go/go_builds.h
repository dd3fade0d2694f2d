// graph/go/go_builds.h - which builds a Go file is a part of.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::graph {

/// What a build must be to have the file: "linux && amd64", as its name, its //go:build line (or
/// the older // +build) and `import "C"` say; "" for any.
std::string go_build_condition(std::string_view path, std::string_view text);

/// False if the names of two files say that no build has both: a_linux.go, b_windows.go.
bool may_build_together(std::string_view path, std::string_view other);

}  // namespace codexmem::graph
