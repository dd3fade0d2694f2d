// net/loopback.h - checks that a request comes from a program or page on this machine.
//
// A page of another site can make its reader's browser send requests to a server on loopback; the
// browser then says so in Origin and Sec-Fetch-Site. A name that was pointed at this machine (DNS
// rebinding) is in
// Host. Design: docs/how-it-works.md, "Network".
#pragma once

#include "net/http_server.h"

namespace codexmem::net {

/// True if Host names loopback ("localhost", "127.0.0.1" or "[::1]", with or without a port), and
/// Origin, if present, does as well and has the same port.
bool is_of_this_machine(const ServedRequest& request);

/// True for requests that a page of another site, or of another port, made its reader's browser
/// send; browsers mark all such requests.
bool is_of_another_site(const ServedRequest& request);

}  // namespace codexmem::net
