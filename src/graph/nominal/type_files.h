// graph/nominal/type_files.h - files that are called like the type that they declare.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "graph/core/file_model.h"

namespace codexmem::graph {

/// Where `file` goes when its type `symbol` is called `new_name`: beside where it is, with the same
/// extension. Empty unless the file is called like the type and that is in no other, or, with
/// `has_namespaces`, in a namespace.
std::string path_of_type(const FileModel& file, std::uint32_t symbol, std::string_view new_name,
                         bool has_namespaces);

/// The names of symbols that are in no other.
std::set<std::string> outermost_names(const parse::FileFacts& facts);

}  // namespace codexmem::graph
