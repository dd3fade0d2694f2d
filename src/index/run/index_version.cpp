// Tested by index/indexer_test.cpp.
#include "index/run/index_version.h"

#include <fmt/core.h>

#include "parse/facts/facts_codec.h"

namespace codexmem::index {
namespace {

// Raised when the same bytes would give other rows. Everything is then read again, as it is when
// the format of packed facts changes.
constexpr int kRowsVersion = 20;

}  // namespace

std::string index_version() { return fmt::format("{}.{}", kRowsVersion, parse::kFactsVersion); }

}  // namespace codexmem::index
