// index/changes/text_diff.h - the difference of two small texts in the format of `diff -u`.
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::index {

/// The unified diff, with three lines of context, that turns `before` into `after`; empty when they
/// are equal. `name` is used in its head; `created` says that the file is new. Source: libgit2.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         bool created);

}  // namespace codexmem::index
