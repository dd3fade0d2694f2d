// codexmem version: of the program, of the contracts it keeps and of what it is made of.
#include <fmt/core.h>

#include "app/command.h"
#include "text/json.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "index/git/git_repository.h"
#include "mcp/protocol.h"
#include "mcp/tools.h"
#include "parse/rules/grammar_table.h"
#include "store/schema.h"
#include "store/sqlite_version.h"

namespace codexmem::app {

extern const char* const kCommit;  // written by CMakeLists.txt; empty where it is not known

namespace {

Json model_versions() {
  const auto model = embed::StaticModel::built_in();
  if (!model.ok()) return nullptr;
  return Json{{"id", (*model)->id()}, {"dimension", (*model)->dimension()}};
}

class VersionCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the versions as JSON");
  }

  ExitCode run(Console& console) override {
    const Json contracts = Json::parse(mcp::contract_versions(), nullptr, false);
    if (json_) {
      console.print_json(dump_json(all_versions(contracts)));
      return ExitCode::kFound;
    }
    const std::string commit = *kCommit == '\0' ? "" : fmt::format(" ({})", kCommit);
    console.print_line(fmt::format("codexmem {}{}", CODEXMEM_VERSION, commit));
    for (const auto& [name, version] : contracts.items()) {
      console.print_line(fmt::format("contract {} {}", name, version.get<std::string>()));
    }
    console.print_line(fmt::format("MCP {} to {}", mcp::kHandshakeRevisions.back(),
                                   mcp::kStatelessRevisions.front()));
    return ExitCode::kFound;
  }

 private:
  static Json all_versions(const Json& contracts) {
    Json revisions = Json::array();
    for (const auto revision : mcp::kStatelessRevisions) revisions.push_back(revision);
    for (const auto revision : mcp::kHandshakeRevisions) revisions.push_back(revision);
    Json grammars = Json::object();
    for (const auto& row : parse::grammar_table())
      grammars[std::string(row.language)] = row.version;
    Json all = {{"name", "codexmem"}, {"version", CODEXMEM_VERSION}};
    if (*kCommit != '\0') all["commit"] = kCommit;
    all["build"] = {{"type", CODEXMEM_BUILD_TYPE},
                    {"compiler", CODEXMEM_COMPILER},
                    {"architecture", CODEXMEM_ARCHITECTURE}};
    all["contracts"] = contracts;
    all["mcpRevisions"] = std::move(revisions);
    all["schemas"] = {{"index", store::code_schema().version},
                      {"memory", store::user_schema().version}};
    all["libraries"] = {{"sqlite", store::sqlite_version()},
                        {"faiss", embed::faiss_version()},
                        {"treeSitter", parse::tree_sitter_version()},
                        {"libgit2", index::libgit2_version()}};
    all["grammars"] = std::move(grammars);
    all["model"] = model_versions();
    return all;
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace codexmem::app
