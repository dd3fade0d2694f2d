// mcp/product_resources.h - what clients attach: the index's status, indexed files, symbols.
//
//     codexmem://status           what `codexmem status --json` says
//     codexmem://file/{+path}     the text of an indexed file, as it is on disk now
//     codexmem://symbol/{+name}   definitions with signature, documentation and code, as Markdown;
//                                 name, Class.method or path/to/file.ts::name
//
// They use CallContext::services; without a repository there are no resources. Stateless; safe to
// use from many threads. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <string>
#include <string_view>

#include "mcp/resource.h"

namespace codexmem::mcp {

class ProductResources : public Resources {
 public:
  /// The status, then the files by path, kResourcesAPage at a time.
  Result<ResourcePage> list(std::string_view cursor, const CallContext& context) const override;
  std::span<const ResourceTemplate> templates() const override;
  Result<std::vector<ResourceContent>> read(std::string_view uri,
                                            const CallContext& context) const override;
  Result<Completion> complete(std::string_view uri_template, const CompletionQuestion& question,
                              const CallContext& context) const override;
};

inline constexpr std::size_t kResourcesAPage = 100;
inline constexpr std::string_view kStatusUri = "codexmem://status";

/// The URI of the indexed file at `path`, or of the symbol `name`.
std::string file_uri(std::string_view path);
std::string symbol_uri(std::string_view name);

/// The resource of a file. Errors: kInvalidArgument for a path outside the repository, kNotFound
/// for a file that is not indexed, errors of answer_fresh().
Result<ResourceContent> read_file_resource(const CallContext& context, std::string_view path);

/// The resource of the definitions called exactly `name`, or inherited under it. At most
/// `max_bytes`, plus the names of the definitions; the definitions left out are counted. Errors:
/// kNotFound, with similar names, when there is no such definition; errors of answer_fresh().
Result<ResourceContent> read_symbol_resource(const CallContext& context, std::string_view name,
                                             std::size_t max_bytes);

/// The media type of an indexed file's language.
std::string mime_type_of(std::string_view language);

}  // namespace codexmem::mcp
