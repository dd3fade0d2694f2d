// A small repository on disk, indexed by a real run, and the product's tools over it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "text/json.h"
#include "graph/stored/facts_cache.h"
#include "ask/context.h"
#include "mcp/tool_table.h"
#include "search/search.h"
#include "store/code/workspace.h"
#include "support/temporary_directory.h"

namespace codexmem::mcp::testing {

/// The files that ToolsFixture starts with: TypeScript under web/, Python under py/.
const std::map<std::string, std::string>& sample_files();

class ToolsFixture {
 public:
  ToolsFixture();

  /// Calls a tool through the table; the arguments are checked. The answer's structuredContent; in
  /// a failure `is_error` is among its members.
  Json call(const std::string& tool, const Json& arguments, const CallContext* base = nullptr);

  /// The same, as the table gives it.
  ToolResult call_raw(const std::string& tool, const Json& arguments,
                      const CallContext* base = nullptr);

  void write(const std::string& path, const std::string& text) { directory_.write(path, text); }
  void remove(const std::string& path) { std::filesystem::remove(directory_.path() / path); }
  const std::filesystem::path& root() const { return directory_.path(); }
  ask::CodeServices& services() { return *code_; }
  ask::Services& all_services() { return services_; }
  const ToolTable& table() const { return *table_; }

 private:
  codexmem::testing::TemporaryDirectory directory_;
  std::unique_ptr<store::Workspace> workspace_;
  std::unique_ptr<search::SearchEngine> search_;
  graph::FactsCache facts_;
  std::mutex run_mutex_;  // one index run at a time
  std::unique_ptr<ask::CodeServices> code_;
  ask::Services services_;
  std::unique_ptr<ToolTable> table_;
};

}  // namespace codexmem::mcp::testing
