#include "text/json_lists.h"

#include "text/json.h"

namespace codexmem {

std::vector<std::string> read_json_list(std::string_view json) {
  std::vector<std::string> list;
  if (json == "[]") return list;
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
