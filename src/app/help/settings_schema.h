// app/help/settings_schema.h - the settings files as a JSON Schema, for editors.
//
// Made of the table of config/settings.h; docs/codexmem.schema.json and docs/settings.schema.json
// are what it gives (app_test --update writes them).
#pragma once

#include <string>

namespace codexmem::app {

/// The schema (draft-07) of a repository's codexmem.json, or of the user's settings.json; lines of
/// two spaces each, a line break at the end.
std::string settings_schema(bool of_project);

}  // namespace codexmem::app
