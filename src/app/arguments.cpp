#include "app/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace codexmem::app {

struct Arguments::Impl {
  CLI::App app;
  bool takes_words = false;

  // What to say of an option that there is not; nothing when it is a word too many.
  std::optional<std::string> unexpected() const {
    for (const std::string& word : app.remaining()) {
      if (!word.starts_with('-')) continue;
      const std::string given = word.substr(0, word.find('='));
      std::vector<std::string> names;
      for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        // `--title X` where the title is a word.
        const std::string& place = option->get_name(true);
        if (option->get_positional() && "--" + to_lower_ascii(place) == given) {
          return "there is no option " + given + ": " + place + " stands as a word of its own";
        }
      }
      const auto near = nearest(given, names);
      return "there is no option " + given + (near ? "; did you mean " + *near + "?" : "") +
             (takes_words
                  ? "; words that begin with a dash go behind -- or into one pair of quotes "
                    "with the others"
                  : "");
    }
    return app.remaining().empty()
               ? std::nullopt
               : std::optional("\"" + app.remaining().front() + "\" is a word too many");
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

// "--limit" of "-l,--limit".
std::string long_name(const std::string& names) {
  const std::size_t at = names.find("--");
  return at == std::string::npos ? names : names.substr(at, names.find(',', at) - at);
}

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one =
      error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_one ? std::optional(number) : std::nullopt;
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
  const auto read = [&value, name = long_name(names)](const std::string& given) {
    value = read_number(given);
    if (!value) throw CLI::ValidationError(name + " must be a number, got \"" + given + "\"");
  };
  impl_->app.add_option_function<std::string>(names, read, help)->type_name("NUMBER");
}

void Arguments::texts(const std::string& names, std::vector<std::string>& values,
                      const std::string& help, bool required) {
  CLI::Option* option = add(impl_->app, names, values, help)->required(required);
  if (is_word(names)) {
    impl_->takes_words = true;
  } else {
    option->delimiter(',')->take_all();
  }
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
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string message = error.what();
    const std::size_t colon = message.find(": ");
    return {Outcome::kWrong,
            colon == std::string::npos ? message : message.substr(0, colon) + " needs a value"};
  } catch (const CLI::Error& error) {
    return {Outcome::kWrong, error.what()};
  } catch (const std::exception& error) {
    return {Outcome::kWrong, error.what()};
  }
}

std::string Arguments::help() const { return impl_->app.help(); }

}  // namespace codexmem::app
