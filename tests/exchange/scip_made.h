// tests/exchange/scip_made.h - SCIP indexes made by hand, for tests and the fuzzer.
#pragma once

#include <cstdint>
#include <optional>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <vector>

#include "exchange/scip_schema.h"

namespace codexmem::testing {

struct MadeOccurrence {
  std::vector<std::int32_t> range;
  std::string symbol;
  std::int32_t roles = 0;
};

struct MadeDocument {
  std::string path;
  std::vector<MadeOccurrence> occurrences;
  std::optional<std::string> text = {};
  std::int32_t columns = 1;
};

/// The bytes of an index by "tester 1".
inline std::string made_scip(const std::vector<MadeDocument>& documents,
                             const std::string& root = "file:///elsewhere") {
  namespace scip = exchange::scip;
  std::string bytes;
  protozero::pbf_builder<scip::Index> index(bytes);
  {
    protozero::pbf_builder<scip::Metadata> metadata(index, scip::Index::kMetadata);
    {
      protozero::pbf_builder<scip::ToolInfo> tool(metadata, scip::Metadata::kToolInfo);
      tool.add_string(scip::ToolInfo::kName, "tester");
      tool.add_string(scip::ToolInfo::kVersion, "1");
    }
    metadata.add_string(scip::Metadata::kProjectRoot, root);
  }
  for (const MadeDocument& each : documents) {
    protozero::pbf_builder<scip::Document> document(index, scip::Index::kDocuments);
    document.add_string(scip::Document::kRelativePath, each.path);
    document.add_enum(scip::Document::kPositionEncoding, each.columns);
    if (each.text) document.add_string(scip::Document::kText, *each.text);
    for (const MadeOccurrence& at : each.occurrences) {
      protozero::pbf_builder<scip::Occurrence> occurrence(document, scip::Document::kOccurrences);
      occurrence.add_packed_int32(scip::Occurrence::kRange, at.range.begin(), at.range.end());
      occurrence.add_string(scip::Occurrence::kSymbol, at.symbol);
      occurrence.add_int32(scip::Occurrence::kRoles, at.roles);
    }
  }
  return bytes;
}

}  // namespace codexmem::testing
