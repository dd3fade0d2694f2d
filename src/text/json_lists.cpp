#include "text/json_lists.h"

#include <algorithm>
#include <optional>

#include "text/json.h"

namespace codexmem {

namespace {

// The strings of a list of nothing but strings of printable ASCII without escapes, as most are.
std::optional<std::vector<std::string>> read_plain_list(std::string_view json) {
  const bool is_plain =
      std::ranges::all_of(json, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
  if (!is_plain || json.size() < 4 || !json.starts_with("[\"") || !json.ends_with("\"]")) return {};
  std::vector<std::string> list;
  for (json = json.substr(2, json.size() - 3); !json.empty();) {
    const std::size_t size = json.find('"');
    list.emplace_back(json.substr(0, size));
    json.remove_prefix(size + 1);
    if (json.empty()) return list;
    if (!json.starts_with(",\"")) return {};
    json.remove_prefix(2);
  }
  return {};
}

}  // namespace

std::vector<std::string> read_json_list(std::string_view json) {
  std::vector<std::string> list;
  if (json == "[]") return list;
  if (auto plain = read_plain_list(json)) return *std::move(plain);
  const Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!value.is_array()) return list;
  for (const Json& item : value) {
    if (item.is_string()) list.push_back(item.get<std::string>());
  }
  return list;
}

std::string write_json_list(const std::vector<std::string>& list) {
  return list.empty() ? "[]" : dump_json(Json(list));
}

}  // namespace codexmem
