// The changes that a peer subscribes to. Subscribed resources are read once, and again when they
// may have changed; if the content differs, the peer is notified. The list is watched in the same
// way once the peer has read it.
//
// Tested by mcp/session_offer_test.cpp.
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/log.h"
#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// The URI of a subscription, or an error.
std::variant<std::string, RpcError> read_uri(const JsonValue& uri) {
  if (!uri.is_string()) {
    return invalid_params(fmt::format("uri must be a string, got {}", uri.type_name()));
  }
  std::string text = *uri.string();
  if (text.empty() || text.size() > Subscriptions::kMaxUriBytes) {
    return invalid_params(fmt::format("uri must have 1 to {} bytes", Subscriptions::kMaxUriBytes));
  }
  return text;
}

// The requested notifications that `offer` can send.
std::variant<ListenFilter, RpcError> read_filter(const JsonValue& wanted, const Offer& offer) {
  if (!wanted.is_object()) {
    return invalid_params(
        fmt::format("notifications must be an object, got {}", wanted.type_name()));
  }
  ListenFilter filter;
  const struct {
    std::string_view name;
    bool offered;
    bool& wanted;
  } flags[] = {
      {"toolsListChanged", offer.tools_change, filter.tools},
      {"promptsListChanged", offer.prompts_change, filter.prompts},
      {"resourcesListChanged", offer.resources != nullptr, filter.resources},
  };
  for (const auto& flag : flags) {
    const JsonValue value = wanted.member(flag.name);
    if (!value.is_absent() && !value.is_boolean()) {
      return invalid_params(fmt::format("notifications.{} must be true or false, got {}", flag.name,
                                        value.type_name()));
    }
    flag.wanted = flag.offered && value.boolean().value_or(false);
  }
  const JsonValue uris = wanted.member("resourceSubscriptions");
  if (!uris.is_absent() && !uris.is_array()) {
    return invalid_params(fmt::format(
        "notifications.resourceSubscriptions must be an array, got {}", uris.type_name()));
  }
  if (uris.size() > Subscriptions::kMaxUris) {
    return invalid_params(fmt::format("notifications.resourceSubscriptions has more than {} URIs",
                                      Subscriptions::kMaxUris));
  }
  for (std::size_t i = 0; i < uris.size(); ++i) {
    auto uri = read_uri(uris.element(i));
    if (auto* const error = std::get_if<RpcError>(&uri)) return std::move(*error);
    if (offer.resources) filter.uris.insert(std::get<std::string>(std::move(uri)));
  }
  return filter;
}

// The key of the list's digest: no URI is empty.
constexpr char kList[] = "";

// Only this many pages of a list are compared.
constexpr int kMaxPages = 100;

// The names in the list, in a few bytes; nothing when it cannot be had.
std::optional<std::string> digest_list(const Resources& resources, const CallContext& context) {
  std::string all, cursor;
  for (int i = 0; i < kMaxPages && !context.stop.stop_requested(); ++i) {
    const auto page = resources.list(cursor, context);
    if (!page.ok()) return std::nullopt;
    for (const Resource& each : page->resources) all += each.uri + "\n";
    cursor = page->next_cursor;
    if (cursor.empty()) break;
  }
  return sha256_hex(all);
}

// A digest of the resource at `uri`. If the resource is gone, or cannot be read, the digest changes
// too.
std::string digest_resource(const Resources& resources, const std::string& uri,
                            const CallContext& context) {
  const auto contents = resources.read(uri, context);
  if (!contents.ok()) return contents.error().message();
  std::string all;
  for (const ResourceContent& each : *contents) {
    all += fmt::format("{} {} {}\n{}{}", each.uri.size(), each.mime_type.size(), each.text.size(),
                       each.uri, each.mime_type);
    all += each.text;
  }
  return sha256_hex(all);
}

// What `digest` gives, once for `uri` and the services.
std::optional<std::string> digest_once(const std::string& uri, const CallContext& context,
                                       LookCache& cache,
                                       const std::function<std::optional<std::string>()>& digest) {
  const std::pair<const ask::Services*, std::string> key(context.services, uri);
  if (const auto known = cache.digests.find(key); known != cache.digests.end()) {
    return known->second;
  }
  auto made = digest();
  if (context.stop.stop_requested()) return std::nullopt;
  if (made) cache.digests.emplace(key, *made);
  return made;
}

}  // namespace

Session::Outcome Session::listen(const Message& message, const CallContext& context) {
  const Offer& offer = core_.offer;
  // A server without notifications does not have the method.
  if (offer.resources == nullptr && !offer.tools_change && !offer.prompts_change) {
    return method_not_found(message.method);
  }
  auto filter = read_filter(message.params.member("notifications"), offer);
  if (auto* const error = std::get_if<RpcError>(&filter)) return std::move(*error);
  auto& wanted = std::get<ListenFilter>(filter);
  LookCache cache;
  look_at(wanted.uris, context, cache);
  if (wanted.resources) know_list(context);
  return Answer{.listens = std::move(wanted)};
}

Session::Outcome Session::subscribe(const Message& message, const CallContext& context) {
  const auto read = read_uri(message.params.member("uri"));
  if (const auto* const error = std::get_if<RpcError>(&read)) return *error;
  const auto& uri = std::get<std::string>(read);
  LookCache cache;
  look_at({uri}, context, cache);
  if (!subscriptions_.subscribe(uri)) {
    return invalid_params(fmt::format("a session holds {} subscriptions", Subscriptions::kMaxUris));
  }
  return Answer{};
}

Session::Outcome Session::unsubscribe(const Message& message, const RequestContext&) {
  const auto uri = read_uri(message.params.member("uri"));
  if (const auto* const error = std::get_if<RpcError>(&uri)) return *error;
  subscriptions_.unsubscribe(std::get<std::string>(uri));
  return Answer{};
}

bool Session::is_another(const std::string& uri, std::string digest) {
  const auto [seen, is_new] = seen_.try_emplace(uri, digest);
  if (is_new || seen->second == digest) return false;
  seen->second = std::move(digest);
  return true;
}

void Session::look_at(const std::set<std::string>& uris, const CallContext& context,
                      LookCache& cache) {
  if (core_.offer.resources == nullptr) return;
  const std::lock_guard looking(look_mutex_);
  for (const std::string& uri : uris) {
    auto now = digest_once(uri, context, cache, [&] {
      return std::optional(digest_resource(*core_.offer.resources, uri, context));
    });
    if (!now) return;
    if (is_another(uri, *std::move(now))) subscriptions_.notify({Changed::kResource, uri});
  }
}

void Session::look_at_list(const CallContext& context, LookCache& cache) {
  const std::lock_guard looking(look_mutex_);
  auto now = digest_once(kList, context, cache,
                         [&] { return digest_list(*core_.offer.resources, context); });
  if (now && is_another(kList, *std::move(now))) subscriptions_.notify({Changed::kResources});
}

void Session::know_list(const CallContext& context) {
  {
    const std::lock_guard looking(look_mutex_);
    if (seen_.contains(kList)) return;
  }
  LookCache cache;
  look_at_list(context, cache);
}

void Session::look(LookCache& cache) {
  CallContext context;
  {
    const std::lock_guard lock(mutex_);
    if (ending_.stop_requested()) return;
    ++unanswered_;  // the end of the session waits for this too
    context.stop = ending_.get_token();
  }
  try {
    const std::set<std::string> uris = subscriptions_.uris();
    bool has_list = false;
    {
      const std::lock_guard looking(look_mutex_);
      has_list = seen_.contains(kList);
      // Not those alone that nobody subscribes to: somebody may be about to.
      if (seen_.size() > 2 * (Subscriptions::kMaxUris + uris.size())) {
        std::erase_if(seen_, [&](const auto& each) {
          return each.first != kList && !uris.contains(each.first);
        });
      }
    }
    if (has_list || !uris.empty()) {
      const std::shared_ptr<ask::Services> own = own_services();
      context.services = own ? own.get() : core_.services;
      cache.kept.push_back(own);
      look_at(uris, context, cache);
      if (has_list) look_at_list(context, cache);
    }
  } catch (const std::exception& error) {
    log_error("looking at resources: {}", error.what());
  }
  const std::lock_guard lock(mutex_);
  --unanswered_;
  idle_.notify_all();
}

}  // namespace codexmem::mcp
