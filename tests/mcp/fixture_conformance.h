// What the conformance suite of MCP wants to find in a server: tools, resources and prompts by the
// names that its scenarios call.
//
// Source: the scenarios of @modelcontextprotocol/conformance 0.2.0-alpha.12, which say what each of
// them answers. test_trigger_resource_change is ours, for the tests of subscriptions.
#pragma once

#include <span>
#include <string>

#include "mcp/server.h"

namespace codexmem::mcp::testing {

std::span<const Tool> conformance_tools();

/// Everything. The lists do not change, but tools and prompts can be reported as changed
/// (report_changes_to).
Offer conformance_offer();

/// The content of test://watched-resource from now on. Empty: it is not in the list.
void set_watched(std::string text);

/// How often test://watched-resource was read.
int watched_reads();

/// Whether reading test://slow-resource, which is in no list, lasts until it is asked to stop, and
/// a while longer.
void set_slow(bool is_slow);

/// How many such reads are under way.
int slow_reads();

/// Where the tools test_trigger_*_change report a change; null: nowhere. One server at a time.
void report_changes_to(Server* server);

}  // namespace codexmem::mcp::testing
