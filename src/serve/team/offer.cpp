#include "serve/team/offer.h"

#include <algorithm>
#include <utility>

#include "mcp/prompts.h"
#include "mcp/tools.h"
#include "serve/served_server.h"

namespace codexmem::serve {

Result<std::shared_ptr<TeamOffer>> TeamOffer::make(const std::string& tools, int most_calls) {
  CODEXMEM_ASSIGN(auto table, mcp::ToolTable::make(mcp::tools(), tools));
  auto offer = std::shared_ptr<TeamOffer>(new TeamOffer());
  offer->none_.missing_code = "no repository is known";
  auto options = mcp::server_options(CODEXMEM_VERSION, table);
  options.workers.threads =
      std::min(options.workers.threads, static_cast<std::size_t>(std::max(most_calls, 1)));
  offer->prompts_ = mcp::prompts_for(table);
  const bool has_code = !names_of(table, "code").empty();
  offer->server_ =
      std::make_unique<mcp::Server>(mcp::Offer{.tools = std::move(table),
                                               .resources = has_code ? &offer->resources_ : nullptr,
                                               .prompts = offer->prompts_},
                                    &offer->none_, std::move(options));
  return offer;
}

TeamOffer::~TeamOffer() { server_->close(); }

}  // namespace codexmem::serve
