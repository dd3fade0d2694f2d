// Tested by app/settings_schema_test.cpp.
#include "app/help/settings_schema.h"

#include <charconv>

#include "text/json.h"
#include "text/name_list.h"
#include "config/settings.h"
#include "base/text.h"

namespace codexmem::app {
namespace {

Json choices_of(std::string_view choices) {
  Json names = Json::array();
  for (const std::string_view name : split(choices, '|')) names.push_back(name);
  return names;
}

Json value_schema(const SettingRow& row, bool of_project) {
  Json schema = {{"description", std::string(row.summary) + "."}};
  switch (row.kind) {
    case SettingKind::kText:
      schema["type"] = "string";
      break;
    case SettingKind::kSecret:
      schema["type"] = "string";
      schema["writeOnly"] = true;
      break;
    case SettingKind::kNumber: {
      schema["type"] = "integer";
      schema["minimum"] = row.least;
      schema["maximum"] = row.most;
      std::int64_t usual = 0;
      const char* const end = row.usual.data() + row.usual.size();
      if (!row.usual.empty() && std::from_chars(row.usual.data(), end, usual).ptr == end) {
        schema["default"] = usual;
      }
      return schema;
    }
    case SettingKind::kList:
      schema["anyOf"] = Json::array(
          {Json{{"type", "array"}, {"items", {{"type", "string"}, {"pattern", "^[^,]*$"}}}},
           Json{{"type", "string"}, {"description", "A list with commas between."}}});
      if (!row.usual.empty()) schema["default"] = read_comma_list(row.usual);
      return schema;
    case SettingKind::kChoice:
      schema["enum"] = choices_of(of_project ? row.project_choices : row.choices);
      if (of_project) return schema;
      break;
    case SettingKind::kUrl:
      schema["type"] = "string";
      schema["pattern"] = "^https?://[^/]";
      break;
    case SettingKind::kPath:
      schema["type"] = "string";
      schema["pattern"] = "^(/|~$|~/)";
      break;
  }
  if (!row.usual.empty()) schema["default"] = row.usual;
  return schema;
}

}  // namespace

std::string settings_schema(bool of_project) {
  Json properties = {{"$schema", {{"type", "string"}}}};
  for (const SettingRow& row : setting_rows()) {
    if (row.key.empty() || (of_project && row.project == ProjectRule::kNever)) continue;
    properties[std::string(row.key)] = value_schema(row, of_project);
  }
  const Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", of_project ? "codexmem.json, in the root of a repository"
                           : "settings.json of codexmem, in ~/.codexmem"},
      {"description",
       of_project ? "What a repository may set for codexmem in it. Only the user can set what "
                    "sends something somewhere, holds a key, or names a folder."
                  : "The user's settings. The environment goes before them, and so does what the "
                    "repository's codexmem.json may say."},
      {"type", "object"},
      {"properties", properties},
      {"additionalProperties", false},
      {"allowComments", true},
      {"allowTrailingCommas", true}};
  return schema.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace codexmem::app
