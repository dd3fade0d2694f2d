// codexmem version: of the program, of the contracts it keeps and of what it is made of.
#include <fmt/core.h>

#include "app/command.h"
#include "text/json.h"
#include "text/json_object.h"
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

JsonText model_versions() {
  const auto model = embed::StaticModel::built_in();
  if (!model.ok()) return json_value(nullptr);
  return json_object("id", (*model)->id(), "dimension", (*model)->dimension());
}

class VersionCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the versions as JSON");
  }

  ExitCode run(Console& console) override {
    const Json contracts = Json::parse(mcp::contract_versions(), nullptr, false);
    if (json_) {
      console.print_json(all_versions());
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
  static std::string all_versions() {
    std::vector<std::string_view> revisions(mcp::kStatelessRevisions.begin(),
                                            mcp::kStatelessRevisions.end());
    for (const auto revision : mcp::kHandshakeRevisions) revisions.push_back(revision);
    std::vector<std::pair<std::string_view, std::string_view>> grammars;
    for (const auto& row : parse::grammar_table()) {
      grammars.emplace_back(row.language, row.version);
    }
    return json_object(
        "name", "codexmem", "version", CODEXMEM_VERSION, "commit", some(std::string(kCommit)),
        "build",
        json_object("type", CODEXMEM_BUILD_TYPE, "compiler", CODEXMEM_COMPILER, "architecture",
                    CODEXMEM_ARCHITECTURE),
        "contracts", JsonText{mcp::contract_versions()}, "mcpRevisions", revisions, "schemas",
        json_object("index", store::code_schema().version, "memory", store::user_schema().version),
        "libraries",
        json_object("sqlite", store::sqlite_version(), "faiss", embed::faiss_version(),
                    "treeSitter", parse::tree_sitter_version(), "libgit2",
                    index::libgit2_version()),
        "grammars", grammars, "model", model_versions());
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace codexmem::app
