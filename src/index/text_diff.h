// index/text_diff.h - the difference of two small texts, as `diff -u` shows it. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::index {

/// The unified diff, three lines of context, that turns `before` into `after`; empty when they are
/// the same. `name` is in its head; `created` says that there was no file before. Source: libgit2.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         bool created);

}  // namespace codexmem::index
