// mcp/resource.h - resources: texts that clients attach and read by URI.
//
// The product's are in mcp/product_resources.h, tests bring their own. Source: the resources and
// completion pages of MCP 2025-11-25 and 2026-07-28. Design: docs/how-it-works.md, "MCP".
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/tool.h"

namespace codexmem::mcp {

struct Resource {
  std::string uri;
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  std::optional<std::size_t> size_bytes = {};
};

struct ResourceTemplate {
  std::string_view uri_template;  // RFC 6570, "codexmem://file/{+path}"
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type = {};
};

struct ResourceContent {
  std::string uri;
  std::string mime_type = {};
  std::string text = {};
  bool is_binary = false;  // text is base64
};

struct ResourcePage {
  std::vector<Resource> resources;
  std::string next_cursor = {};  // empty: there are no more
};

/// Values that complete a client's input. At most kMaxCompletions values go out.
struct Completion {
  std::vector<std::string> values;  // best first
  std::size_t total = 0;
  bool has_more = false;
};
inline constexpr std::size_t kMaxCompletions = 100;

/// Half-typed: the argument's name, what there is of it, and the other arguments that are known.
struct CompletionQuestion {
  std::string_view argument;
  std::string_view value;
  std::map<std::string, std::string> known = {};
};

/// Safe to use from many threads. Nothing here throws; reading may wait for an index run, so calls
/// are made on the threads that run tools.
class Resources {
 public:
  virtual ~Resources() = default;

  /// A page, in an order that stays. Errors: kInvalidArgument for a cursor that no page has given.
  virtual Result<ResourcePage> list(std::string_view cursor, const CallContext& context) const = 0;

  virtual std::span<const ResourceTemplate> templates() const = 0;

  /// Errors: kNotFound when there is no such resource; kInvalidArgument for an invalid URI.
  virtual Result<std::vector<ResourceContent>> read(std::string_view uri,
                                                    const CallContext& context) const = 0;

  /// For an argument of the template `uri_template`. Errors: kInvalidArgument for one that there is
  /// not.
  virtual Result<Completion> complete(std::string_view uri_template,
                                      const CompletionQuestion& question,
                                      const CallContext& context) const = 0;
};

}  // namespace codexmem::mcp
