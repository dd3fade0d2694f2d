// net/loopback.h - whether a request comes from a program or page of this machine.
//
// A page of another site can have its reader's browser ask a server on loopback; the browser says
// so in Origin and Sec-Fetch-Site, and a name that was made to lead here (DNS rebinding) stands in
// Host. Design: docs/design/net.md.
#pragma once

#include "net/http_server.h"

namespace codexmem::net {

/// Host is there and names loopback ("localhost", "127.0.0.1" or "[::1]", with or without a port),
/// and so does Origin where there is one.
bool is_of_this_machine(const ServedRequest& request);

/// True for what a page of another site, or of another port, has its reader's browser ask; browsers
/// say so of everything that they send here.
bool is_of_another_site(const ServedRequest& request);

}  // namespace codexmem::net
