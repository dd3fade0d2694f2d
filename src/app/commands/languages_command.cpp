// codexmem languages: which languages are known, how, and how well.
#include <fmt/core.h>

#include <cstdlib>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/help/known_languages.h"
#include "text/json.h"

namespace codexmem::app {
namespace {

Json json_list(std::span<const std::string_view> list) {
  Json all = Json::array();
  for (const std::string_view each : list) all.push_back(std::string(each));
  return all;
}

Json json_of(const KnownLanguage& known) {
  const parse::Language& language = *known.language;
  Json row = {{"name", std::string(language.name)}, {"knownBy", std::string(known.known_by)}};
  if (!language.aliases.empty()) row["aliases"] = json_list(language.aliases);
  row["extensions"] = json_list(language.extensions);
  if (!language.file_names.empty()) row["fileNames"] = json_list(language.file_names);
  if (known.package.empty()) return row;
  row["grammar"] = {{"package", std::string(known.package)},
                    {"version", std::string(known.version)}};
  const parse::Measured& measured = language.measured;
  if (measured.against.empty()) return row;
  Json figures = {{"against", std::string(measured.against)}};
  const auto add = [&](const char* name, std::string_view figure) {
    if (!figure.empty()) figures[name] = std::strtod(std::string(figure).c_str(), nullptr);
  };
  add("definitions", measured.definitions);
  add("references", measured.references);
  add("imports", measured.imports);
  const std::size_t slash = measured.calls.find('/');
  if (slash != std::string_view::npos) {
    add("callPrecision", measured.calls.substr(0, slash));
    add("callRecall", measured.calls.substr(slash + 1));
  }
  row["measured"] = std::move(figures);
  return row;
}

class LanguagesCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the table as JSON");
  }

  ExitCode run(Console& console) override {
    const auto all = languages_by_knowledge();
    if (json_) {
      Json rows = Json::array();
      for (const KnownLanguage& known : all) rows.push_back(json_of(known));
      console.print_json(dump_json({{"languages", std::move(rows)}}));
      return ExitCode::kFound;
    }
    console.print_paged(table(all, console.width()));
    return ExitCode::kFound;
  }

 private:
  static std::string table(std::span<const KnownLanguage> all, std::size_t width) {
    constexpr std::string_view kRow = "{:<16}{:<11}{:<13}{:<12}{:<9}{:<13}{}";
    std::string text = fmt::format(fmt::runtime(kRow), "language", "known by", "definitions",
                                   "references", "imports", "calls", "files") +
                       "\n";
    std::string as_text;
    for (const KnownLanguage& known : all) {
      const parse::Language& language = *known.language;
      if (known.known_by == "text") {
        as_text += (as_text.empty() ? "" : ", ") + std::string(language.name);
        continue;
      }
      const parse::Measured& measured = language.measured;
      text += cut_code(fmt::format(fmt::runtime(kRow), language.name, known.known_by,
                                   measured.definitions, measured.references, measured.imports,
                                   measured.calls, recognised_by(language)),
                       0, width) +
              "\n";
    }
    text += "\n" + wrapped("As text: " + as_text + ".", 0, width) + "\n";
    return text + wrapped(meaning_of_columns(), 0, width);
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_languages_command() { return std::make_unique<LanguagesCommand>(); }

}  // namespace codexmem::app
