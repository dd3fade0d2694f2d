// What a peer wants to be told of. Resources that are subscribed to are read once, and again when
// something may have changed: what reads differently is told of. So is the list, once it was asked
// for.
//
// Tested by mcp/session_offer_test.cpp.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/log.h"
#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

// The URI of a subscription, or what is wrong with it.
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

// What is asked for and what `offer` can tell of.
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

// Longer lists are told by this many pages of theirs.
constexpr int kMostPages = 100;

// The names in the list, in a few bytes; nothing when it cannot be had.
std::optional<std::string> digest_list(const Resources& resources, const CallContext& context) {
  std::string all, cursor;
  for (int i = 0; i < kMostPages; ++i) {
    const auto page = resources.list(cursor, context);
    if (!page.ok()) return std::nullopt;
    for (const Resource& each : page->resources) all += each.uri + "\n";
    cursor = page->next_cursor;
    if (cursor.empty()) break;
  }
  return sha256_hex(all);
}

// What `contents` are, in a few bytes.
std::string digest(const std::vector<ResourceContent>& contents) {
  std::string all;
  for (const ResourceContent& each : contents) {
    all += fmt::format("{} {} {}\n{}{}", each.uri.size(), each.mime_type.size(), each.text.size(),
                       each.uri, each.mime_type);
    all += each.text;
  }
  return sha256_hex(all);
}

}  // namespace

void Session::listen(const Message& message, const Sink& sink, const Reply& reply) {
  const Offer& offer = core_.offer;
  // Who has nothing to tell does not have the method.
  if (offer.resources == nullptr && !offer.tools_change && !offer.prompts_change) {
    return reply(make_error(message.id, method_not_found(message.method)));
  }
  auto filter = read_filter(message.params.member("notifications"), offer);
  if (const auto* const error = std::get_if<RpcError>(&filter)) {
    return reply(make_error(message.id, *error));
  }
  bool is_in_flight = false;
  {
    const std::lock_guard lock(mutex_);
    is_in_flight = calls_.contains(message.id.json);
  }
  const bool at_list = std::get<ListenFilter>(filter).resources;
  if (is_in_flight ||
      !subscriptions_.listen(message.id, std::get<ListenFilter>(std::move(filter)), sink)) {
    reply(make_error(message.id,
                     invalid_request(fmt::format("a request with this id is in flight, or {} "
                                                 "subscriptions are",
                                                 Subscriptions::kMaxListens))));
    return;
  }
  look_soon(at_list);
}

Session::Outcome Session::subscribe(const Message& message, const RequestContext&) {
  auto uri = read_uri(message.params.member("uri"));
  if (auto* const error = std::get_if<RpcError>(&uri)) return std::move(*error);
  if (!subscriptions_.subscribe(std::get<std::string>(std::move(uri)))) {
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

void Session::look_soon(bool at_list) {
  if (core_.offer.resources == nullptr) return;
  core_.workers->submit(
      [weak = weak_from_this(), at_list] {
        if (const auto self = weak.lock()) self->look(at_list);
      },
      sizeof(Session));
}

void Session::look(bool at_list) {
  const std::lock_guard looking(look_mutex_);
  const std::set<std::string> uris = subscriptions_.uris();
  std::erase_if(
      seen_, [&](const auto& each) { return !each.first.empty() && !uris.contains(each.first); });
  at_list = at_list || seen_.contains("");
  if (uris.empty() && !at_list) return;
  try {
    const std::shared_ptr<Services> own = own_services();
    CallContext context;
    context.services = own ? own.get() : core_.services;
    {
      const std::lock_guard lock(mutex_);
      context.stop = ending_.get_token();
      context.request.revision = state_.revision;
      context.request.roots = state_.roots;
    }
    // Whether what had a digest has another one now.
    const auto is_another = [&](const std::string& uri, std::string now) {
      const auto [seen, is_new] = seen_.try_emplace(uri, now);
      if (is_new || seen->second == now) return false;
      seen->second = std::move(now);
      return true;
    };
    for (const std::string& uri : uris) {
      const auto contents = core_.offer.resources->read(uri, context);
      if (context.stop.stop_requested()) return;
      // One that is gone, or cannot be read, is another one too.
      std::string now = contents.ok() ? digest(*contents) : contents.error().message();
      if (is_another(uri, std::move(now))) subscriptions_.tell({Changed::kResource, uri});
    }
    if (!at_list) return;
    auto list = digest_list(*core_.offer.resources, context);
    if (list && is_another("", *std::move(list))) subscriptions_.tell({Changed::kResources});
  } catch (const std::exception& error) {
    log_error("looking at resources: {}", error.what());
  }
}

}  // namespace codexmem::mcp
