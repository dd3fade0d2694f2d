// app/text_diff.h - the difference of two small texts, as `diff -u` shows it.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::app {

/// The unified diff, three lines of context, that turns `before` into `after`; empty when they are
/// the same. `name` stands in its head; `created` says that there was no file before. Cost: the
/// product of both line counts between the first and the last difference; where that is more than
/// 16 million, all of it is one change.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         bool created);

}  // namespace codexmem::app
