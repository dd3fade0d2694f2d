// app/render/check_formats.h - the findings of `codexmem check` in the formats that CI systems
// read. Pure.
#pragma once

#include <string>
#include <vector>

#include "index/changes/change_check.h"

namespace codexmem::app {

/// A workflow command of GitHub Actions, which shows the finding next to its line:
/// "::error file=a.py,line=3,col=1,title=codexmem use::message". Source:
/// docs.github.com/actions/reference/workflow-commands-for-github-actions; characters are escaped
/// as in @actions/core (command.ts).
std::string to_annotation(const index::ChangeFinding& finding);

/// What `report` could not check, and what may be broken, a line each; without the uses not
/// checked.
std::vector<std::string> check_notes(const index::ChangeReport& report);

/// The report as SARIF 2.1.0 (OASIS): one run, a rule for each kind of finding, paths relative to
/// SRCROOT. Uses, files and rules that were not checked are notifications of the run.
std::string to_sarif(const index::ChangeReport& report);

}  // namespace codexmem::app
