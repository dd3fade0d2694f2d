// codexmem languages: which languages are known, how, and how well.
#include <fmt/core.h>

#include <cstdlib>

#include "app/render/columns.h"
#include "app/command.h"
#include "app/help/known_languages.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace {

std::optional<double> figure(std::string_view text) {
  return json_if(!text.empty(), std::strtod(std::string(text).c_str(), nullptr));
}

JsonText language_json(const KnownLanguage& known) {
  const parse::Language& language = *known.language;
  const parse::Measured& measured = language.measured;
  const std::size_t slash = measured.calls.find('/');
  const bool has_calls = slash != std::string_view::npos;
  const JsonText figures =
      json_object("against", measured.against, "definitions", figure(measured.definitions),
                  "references", figure(measured.references), "imports", figure(measured.imports),
                  "callPrecision", figure(has_calls ? measured.calls.substr(0, slash) : ""),
                  "callRecall", figure(has_calls ? measured.calls.substr(slash + 1) : ""));
  const bool has_grammar = !known.package.empty();
  return json_object(
      "name", language.name, "knownBy", known.known_by, "aliases", some(language.aliases),
      "extensions", language.extensions, "fileNames", some(language.file_names), "grammar",
      json_if(has_grammar, json_object("package", known.package, "version", known.version)),
      "measured", json_if(has_grammar && !measured.against.empty(), figures));
}

class LanguagesCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.flag("--json", json_, "Print the table as JSON");
  }

  ExitCode run(Console& console) override {
    const auto all = languages_by_knowledge();
    if (json_) {
      console.print_json(json_object("languages", json_list(all, language_json)).text);
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
