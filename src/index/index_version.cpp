// Tested by index/indexer_test.cpp.
#include "index/index_version.h"

#include <fmt/core.h>

#include "parse/facts_codec.h"

namespace codexmem::index {
namespace {

// Raised when the same bytes would give other rows: then everything is read again, as it is when
// the packed facts have another form.
constexpr int kRowsVersion = 13;

}  // namespace

std::string index_version() { return fmt::format("{}.{}", kRowsVersion, parse::kFactsVersion); }

}  // namespace codexmem::index
