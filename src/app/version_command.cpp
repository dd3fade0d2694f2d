#include <fmt/core.h>

#include "app/command.h"
#include "base/json.h"

namespace codexmem::app {
namespace {

// The versions of the contracts that this program keeps.
constexpr const char* kCodeContract = "1.0.0";

class VersionCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the versions as JSON");
  }

  ExitCode run(Console& console) override {
    if (json_) {
      Json contracts = Json::object();
      contracts["code_tools"] = kCodeContract;
      console.print_line(dump_json(
          Json{{"name", "codexmem"}, {"version", CODEXMEM_VERSION}, {"contracts", contracts}}));
    } else {
      console.print_line(
          fmt::format("codexmem {} (code tools contract {})", CODEXMEM_VERSION, kCodeContract));
    }
    return ExitCode::kFound;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace codexmem::app
