// The program codexmem: one command line, one command.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/command.h"
#include "base/log.h"
#include "config/settings.h"
#include "privacy/shown_code.h"

int main(int argc, char** argv) {
  codexmem::app::Console console;
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails as on a full disk
  codexmem::set_log_level_source([] {
    using namespace codexmem;
    return std::string(Settings::load({.user = user_settings_file()}).value("CODEXMEM_LOG"));
  });
  try {
    using codexmem::Settings;
    const auto settings = Settings::load({.user = codexmem::user_settings_file()});
    codexmem::privacy::set_code_masking(settings.value("CODEXMEM_CODE_SECRETS") != "shown");
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int code = codexmem::app::run_command_line(words, console);
    if (std::fflush(stdout) != 0 || !console.ok()) {
      console.error("standard output could not be written");
      return static_cast<int>(codexmem::app::ExitCode::kError);
    }
    return code;
  } catch (const std::exception& error) {
    console.error(std::string("unexpected failure: ") + error.what());
    return static_cast<int>(codexmem::app::ExitCode::kError);
  }
}
