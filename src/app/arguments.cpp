#include "app/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"

namespace codexmem::app {

struct Arguments::Impl {
  CLI::App app;

  // What to say of an option that there is not; nothing when it is a word too many.
  std::optional<std::string> unexpected() const {
    for (const std::string& word : app.remaining()) {
      if (!word.starts_with('-')) continue;
      const std::string given = word.substr(0, word.find('='));
      std::vector<std::string> names;
      for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      }
      const auto near = nearest(given, names);
      return "there is no option " + given + (near ? "; did you mean " + *near + "?" : "");
    }
    return std::nullopt;
  }
};

namespace {

bool is_word(const std::string& names) { return names.empty() || names.front() != '-'; }

template <typename T>
CLI::Option* add(CLI::App& app, const std::string& names, T& value, const std::string& help) {
  CLI::Option* option = app.add_option(names, value, help);
  // Without this the help names C++ types; a word is its own name.
  option->type_name(is_word(names) ? "" : option->get_type_name());
  return option;
}

}  // namespace

Arguments::Arguments(std::string_view name, std::string_view summary, std::string_view examples)
    : impl_(std::make_unique<Impl>()) {
  impl_->app.description(std::string(summary));
  impl_->app.name("codexmem " + std::string(name));
  impl_->app.footer(std::string(examples));
  impl_->app.get_formatter()->column_width(30);
}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& names, bool& value, const std::string& help) {
  impl_->app.add_flag(names, value, help);
}

void Arguments::text(const std::string& names, std::string& value, const std::string& help,
                     bool required) {
  add(impl_->app, names, value, help)->required(required);
}

void Arguments::text(const std::string& names, std::optional<std::string>& value,
                     const std::string& help) {
  add(impl_->app, names, value, help);
}

void Arguments::number(const std::string& names, std::optional<double>& value,
                       const std::string& help) {
  add(impl_->app, names, value, help)->type_name("NUMBER");
}

void Arguments::texts(const std::string& names, std::vector<std::string>& values,
                      const std::string& help, bool required) {
  CLI::Option* option = add(impl_->app, names, values, help)->required(required);
  if (!is_word(names)) option->delimiter(',')->take_all();
}

Arguments::Parsed Arguments::parse(std::vector<std::string> words) {
  // CLI11 takes them from the back.
  std::reverse(words.begin(), words.end());
  try {
    impl_->app.parse(std::move(words));
    return {};
  } catch (const CLI::CallForHelp&) {
    return {Outcome::kHelp, help()};
  } catch (const CLI::ExtrasError& error) {
    return {Outcome::kWrong, impl_->unexpected().value_or(error.what())};
  } catch (const CLI::Error& error) {
    return {Outcome::kWrong, error.what()};
  } catch (const std::exception& error) {
    return {Outcome::kWrong, error.what()};
  }
}

std::string Arguments::help() const { return impl_->app.help(); }

}  // namespace codexmem::app
