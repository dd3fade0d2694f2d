// codexmem doctor: problems of the setup, and how to fix each.
#include <fmt/core.h>

#include <algorithm>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/doctor/doctor.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "text/json_object.h"
#include "base/text.h"

namespace codexmem::app {
using doctor::CheckState;
using doctor::Finding;

namespace {

class DoctorCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)");
    arguments.flag("-a,--all", all_, "Also list what is fine");
    arguments.flag("--json", json_, "Print the findings as JSON");
  }

  ExitCode run(Console& console) override {
    const doctor::Patient patient = doctor::meet_patient(serve::start_directory(path_));
    const std::vector<Finding> findings = doctor::look_at(patient);
    if (json_) {
      print_json(findings, console);
    } else {
      print(findings, console);
    }
    const auto has = [&](CheckState state) {
      return std::ranges::any_of(findings,
                                 [&](const Finding& each) { return each.state == state; });
    };
    if (has(CheckState::kTrouble)) return ExitCode::kError;
    return has(CheckState::kWarning) ? ExitCode::kNothingFound : ExitCode::kFound;
  }

 private:
  static void print_json(const std::vector<Finding>& findings, Console& console) {
    std::vector<JsonText> rows;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      rows.push_back(json_object("check", doctor::checks()[i].name, "state",
                                 doctor::check_state_name(findings[i].state), "found",
                                 findings[i].found, "cure", findings[i].cure));
    }
    console.print_json(json_object("checks", rows, "warnings",
                                   count(findings, CheckState::kWarning), "troubles",
                                   count(findings, CheckState::kTrouble))
                           .text);
  }

  static std::size_t count(const std::vector<Finding>& findings, CheckState state) {
    return static_cast<std::size_t>(std::ranges::count(findings, state, &Finding::state));
  }

  // `text` in wrapped lines behind a column that holds `label`.
  static std::string behind(std::string_view label, std::string_view text, std::size_t column,
                            std::size_t width) {
    std::string lines = wrapped(text, column, width);
    lines.replace(0, std::min(lines.size(), column), fmt::format("{:<{}}", label, column));
    return lines;
  }

  // Troubles first, then warnings, then how many are fine.
  void print(const std::vector<Finding>& findings, Console& console) const {
    print_those(CheckState::kTrouble, findings, console);
    print_those(CheckState::kWarning, findings, console);
    const std::size_t troubles = count(findings, CheckState::kTrouble);
    const std::size_t warnings = count(findings, CheckState::kWarning);
    if (troubles + warnings > 0) console.print_line("");
    print_those(CheckState::kOk, findings, console, !all_);
    if (all_) {
      console.print_line("");
    } else {
      console.print_line(fmt::format("{} of {} checks are fine (--all lists them)",
                                     count(findings, CheckState::kOk), findings.size()));
    }
    if (troubles + warnings == 0) {
      console.print_line(console.painted(Paint::kGood, "all is well"));
      return;
    }
    std::vector<std::string> parts;
    if (troubles > 0) parts.push_back(counted(troubles, "trouble"));
    if (warnings > 0) parts.push_back(counted(warnings, "warning"));
    console.print_line(join(parts, ", ") + "; the lines that begin with > say what to do");
  }

  static void print_those(CheckState state, const std::vector<Finding>& findings, Console& console,
                          bool only_news = false) {
    constexpr std::size_t kColumn = 20;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Finding& finding = findings[i];
      if (finding.state != state || (only_news && !finding.is_news)) continue;
      const bool is_ok = finding.state == CheckState::kOk;
      std::string text = finding.found;
      if (!is_ok) text = fmt::format("{}: {}", doctor::check_state_name(finding.state), text);
      const std::string lines = behind(doctor::checks()[i].name, text, kColumn, console.width());
      console.print(
          is_ok ? lines
                : console.painted(
                      finding.state == CheckState::kTrouble ? Paint::kBad : Paint::kBold, lines));
      if (!finding.cure.empty()) {
        // On a line of its own, so that it can be copied.
        console.print_line(std::string(kColumn, ' ') + "> " + finding.cure);
      }
    }
  }

  std::string path_;
  bool all_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() { return std::make_unique<DoctorCommand>(); }

}  // namespace codexmem::app
