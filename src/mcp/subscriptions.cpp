#include "mcp/subscriptions.h"

#include <fmt/format.h>

#include <utility>

#include "text/json_object.h"
#include "mcp/protocol.h"

namespace codexmem::mcp {

namespace {

std::string_view method_of(Changed what) {
  switch (what) {
    case Changed::kTools:
      return "notifications/tools/list_changed";
    case Changed::kPrompts:
      return "notifications/prompts/list_changed";
    case Changed::kResources:
      return "notifications/resources/list_changed";
    case Changed::kResource:
      return "notifications/resources/updated";
    case Changed::kMaybe:
      break;
  }
  return {};
}

bool wants(const ListenFilter& filter, const Change& change) {
  switch (change.what) {
    case Changed::kTools:
      return filter.tools;
    case Changed::kPrompts:
      return filter.prompts;
    case Changed::kResources:
      return filter.resources;
    case Changed::kResource:
      return filter.uris.contains(change.uri);
    case Changed::kMaybe:
      break;
  }
  return false;
}

// The id is kept as it came: no JSON library reads every id (RequestId).
std::string subscription_meta(const RequestId& id) {
  return fmt::format(R"("_meta":{{"{}":{}}})", kMetaSubscriptionId, id.json);
}

// The notification of `change`; `id` is the subscription that it is sent for, or null.
std::string notification(const Change& change, const RequestId& id) {
  std::string params;
  if (!id.is_null()) params = "{" + subscription_meta(id);
  if (change.what == Changed::kResource) {
    params += (params.empty() ? "{\"uri\":" : ",\"uri\":") + json_quote(change.uri);
  }
  return make_notification(method_of(change.what), params.empty() ? params : params + "}");
}

std::string acknowledgement(const RequestId& id, const ListenFilter& filter) {
  const JsonText honoured = json_object(
      "toolsListChanged", some(filter.tools), "promptsListChanged", some(filter.prompts),
      "resourcesListChanged", some(filter.resources), "resourceSubscriptions", some(filter.uris));
  return make_notification(
      "notifications/subscriptions/acknowledged",
      fmt::format(R"({{{},"notifications":{}}})", subscription_meta(id), honoured.text));
}

}  // namespace

void Subscriptions::set_peer(Sink peer) {
  const std::lock_guard lock(mutex_);
  std::swap(peer_, peer);
}

bool Subscriptions::send_to_peer(std::string_view message) {
  const std::lock_guard lock(mutex_);
  if (peer_) peer_->send(message);
  return peer_ != nullptr;
}

void Subscriptions::notify_of_lists(bool wanted) {
  const std::lock_guard lock(mutex_);
  wants_lists_ = wanted;
  uris_.clear();
}

bool Subscriptions::subscribe(std::string uri) {
  const std::lock_guard lock(mutex_);
  if (uris_.size() >= kMaxUris && !uris_.contains(uri)) return false;
  uris_.insert(std::move(uri));
  return true;
}

void Subscriptions::unsubscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  uris_.erase(uri);
}

std::set<std::string> Subscriptions::uris() const {
  const std::lock_guard lock(mutex_);
  std::set<std::string> uris = uris_;
  for (const auto& [id, each] : listens_)
    uris.insert(each.filter.uris.begin(), each.filter.uris.end());
  return uris;
}

bool Subscriptions::listen(const RequestId& id, ListenFilter filter, Sink sink) {
  const std::lock_guard lock(mutex_);
  if (listens_.size() >= kMaxListens || listens_.contains(id)) return false;
  sink->send(acknowledgement(id, filter));
  listens_.emplace(id, Listen{std::move(filter), std::move(sink)});
  return true;
}

bool Subscriptions::close(const RequestId& id) {
  const std::lock_guard lock(mutex_);
  return listens_.erase(id) > 0;
}

void Subscriptions::notify(const Change& change) {
  const std::lock_guard lock(mutex_);
  const bool wanted = change.what == Changed::kResource ? uris_.contains(change.uri) : wants_lists_;
  if (wanted && peer_) peer_->send(notification(change, {}));
  for (const auto& [id, each] : listens_) {
    if (wants(each.filter, change)) each.sink->send(notification(change, id));
  }
}

}  // namespace codexmem::mcp
