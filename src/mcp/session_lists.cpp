// What a session lists at once: tools, prompts, templates. All three are fixed for the life of the
// process; resources, which are not, are listed in session_calls.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "text/json_object.h"
#include "mcp/session.h"

namespace codexmem::mcp {

namespace {

struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The page of `keys` that `cursor` names: a cursor is the key that comes next.
std::variant<Page, RpcError> find_page(const std::vector<std::string>& keys, const Message& message,
                                       std::size_t page_size) {
  Page page;
  const JsonValue cursor = message.params.member("cursor");
  if (!cursor.is_absent()) {
    const auto found = std::find(keys.begin(), keys.end(), cursor.string().value_or(""));
    if (found == keys.end()) {
      return invalid_params(fmt::format("cursor is not one that {} has given", message.method));
    }
    page.begin = static_cast<std::size_t>(found - keys.begin());
  }
  page.end = std::min(keys.size(), page.begin + page_size);
  return page;
}

// The page as an object: `member` holds what `listing` has for each index.
template <typename Listing>
std::variant<std::string, RpcError> list_page(std::string_view member,
                                              const std::vector<std::string>& keys,
                                              const Message& message, std::size_t page_size,
                                              const Listing& listing) {
  const auto found = find_page(keys, message, page_size);
  if (const auto* const error = std::get_if<RpcError>(&found)) return *error;
  const Page& page = std::get<Page>(found);
  std::string json = fmt::format("{{\"{}\":[", member);
  for (std::size_t i = page.begin; i < page.end; ++i) {
    const auto& row = listing(i);
    if (row.empty()) continue;
    if (!json.ends_with('[')) json += ',';
    json += row;
  }
  json += ']';
  if (page.end < keys.size()) json += ",\"nextCursor\":" + json_quote(keys[page.end]);
  return json + "}";
}

std::string prompt_listing(const Prompt& prompt) {
  const JsonText arguments = json_list(prompt.arguments, [](const PromptArgument& each) {
    return json_object("name", each.name, "title", some(each.title), "description",
                       each.description, "required", each.required);
  });
  return json_object("name", prompt.name, "title", prompt.title, "description", prompt.description,
                     "arguments", some(arguments));
}

std::string template_listing(const ResourceTemplate& row) {
  return json_object("uriTemplate", row.uri_template, "name", row.name, "title", some(row.title),
                     "description", some(row.description), "mimeType", some(row.mime_type));
}

}  // namespace

Session::Outcome Session::list_tools(const Message& message, const RequestContext&) {
  const ToolTable& tools = core_.offer.tools;
  auto page = list_page("tools", tools.names(), message, core_.options.page_size,
                        [&](std::size_t i) { return tools.listing(i); });
  if (auto* const error = std::get_if<RpcError>(&page)) return std::move(*error);
  return Answer{std::get<std::string>(std::move(page)), kCacheTtlMs};
}

Session::Outcome Session::list_prompts(const Message& message, const RequestContext&) {
  const std::span<const Prompt> prompts = core_.offer.prompts;
  std::vector<std::string> names;
  for (const Prompt& prompt : prompts) names.emplace_back(prompt.name);
  auto page = list_page("prompts", names, message, core_.options.page_size,
                        [&](std::size_t i) { return prompt_listing(prompts[i]); });
  if (auto* const error = std::get_if<RpcError>(&page)) return std::move(*error);
  return Answer{std::get<std::string>(std::move(page)), kCacheTtlMs};
}

Session::Outcome Session::list_templates(const Message& message, const RequestContext&) {
  const std::span<const ResourceTemplate> templates = core_.offer.resources->templates();
  std::vector<std::string> keys;
  for (const ResourceTemplate& row : templates) keys.emplace_back(row.uri_template);
  auto page = list_page("resourceTemplates", keys, message, core_.options.page_size,
                        [&](std::size_t i) { return template_listing(templates[i]); });
  if (auto* const error = std::get_if<RpcError>(&page)) return std::move(*error);
  return Answer{std::get<std::string>(std::move(page)), kCacheTtlMs};
}

}  // namespace codexmem::mcp
