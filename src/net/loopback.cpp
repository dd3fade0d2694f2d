// Tested by net/http_server_test.cpp and, over HTTP, by tests/worker/routes_test.py.
#include "net/loopback.h"

#include <string>
#include <string_view>

#include "base/text.h"

namespace codexmem::net {
namespace {

// The port of a loopback host.
std::string_view port_of(std::string_view host) {
  const std::size_t name = host.starts_with('[') ? host.find(']') : 0;
  const std::size_t colon = host.find(':', name);
  return colon == std::string_view::npos ? "80" : host.substr(colon + 1);
}

bool is_loopback_host(std::string_view host) {
  std::string_view name = host;
  if (name.starts_with('[')) {
    name = name.substr(0, name.find(']') + 1);
    host.remove_prefix(name.size());
  } else {
    name = name.substr(0, name.find(':'));
    host.remove_prefix(name.size());
  }
  const bool has_port = host.starts_with(':') && host.size() > 1 &&
                        host.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!host.empty() && !has_port) return false;
  const std::string lower = to_lower_ascii(name);
  return lower == "localhost" || lower == "127.0.0.1" || lower == "[::1]";
}

}  // namespace

bool is_of_this_machine(const ServedRequest& request) {
  const auto host = request.header("Host");
  if (!host || !is_loopback_host(*host)) return false;
  const auto origin = request.header("Origin");
  if (!origin) return true;
  constexpr std::string_view kScheme = "http://";
  if (!origin->starts_with(kScheme)) return false;
  const std::string_view from = std::string_view(*origin).substr(kScheme.size());
  return is_loopback_host(from) && port_of(from) == port_of(*host);
}

bool is_of_another_site(const ServedRequest& request) {
  const auto site = request.header("Sec-Fetch-Site");
  return site && *site != "same-origin" && *site != "none";
}

}  // namespace codexmem::net
