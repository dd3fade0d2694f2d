// serve/team/offer.h - the MCP server for callers who may use the same tools.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ask/context.h"
#include "base/result.h"
#include "mcp/product_resources.h"
#include "mcp/prompt.h"
#include "mcp/server.h"

namespace codexmem::serve {

/// An MCP server with some of the tools, and the resources and prompts that go with them. Its
/// sessions provide the services for its calls. Thread-safe.
class TeamOffer {
 public:
  /// `tools` lists the names, separated by commas. Errors: kInvalidArgument.
  static Result<std::shared_ptr<TeamOffer>> make(const std::string& tools, int most_calls);

  /// No session may exist any more.
  ~TeamOffer();
  TeamOffer(const TeamOffer&) = delete;
  TeamOffer& operator=(const TeamOffer&) = delete;

  mcp::Server& server() { return *server_; }

 private:
  TeamOffer() = default;

  ask::Services none_;
  mcp::ProductResources resources_;
  std::vector<mcp::Prompt> prompts_;
  std::unique_ptr<mcp::Server> server_;
};

}  // namespace codexmem::serve
