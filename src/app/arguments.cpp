#include "app/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "app/help/help_text.h"
#include "base/text.h"

namespace codexmem::app {

struct Arguments::Impl {
  CLI::App app;
  bool takes_words = false;
  std::map<const CLI::Option*, Values> values;

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
      auto near = nearest(given, names);
      for (const std::string& name : names) {
        if (name.starts_with(given)) near = name;
      }
      if (near) return "there is no option " + given + "; did you mean " + *near + "?";
      return "there is no option " + given +
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

std::string value_name(Values::Kind kind, const std::string& otherwise) {
  switch (kind) {
    case Values::Kind::kFile:
      return "FILE";
    case Values::Kind::kFolder:
      return "FOLDER";
    case Values::Kind::kSymbol:
      return "NAME";
    case Values::Kind::kPlace:
    case Values::Kind::kText:
      break;
  }
  return otherwise;
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
}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& names, bool& value, const std::string& help) {
  impl_->app.add_flag(names, value, help);
}

Values& Arguments::text(const std::string& names, std::string& value, const std::string& help,
                        bool required) {
  return impl_->values[add(impl_->app, names, value, help)->required(required)];
}

Values& Arguments::text(const std::string& names, std::optional<std::string>& value,
                        const std::string& help) {
  return impl_->values[add(impl_->app, names, value, help)];
}

void Arguments::number(const std::string& names, std::optional<double>& value,
                       const std::string& help) {
  const auto read = [&value, name = long_name(names)](const std::string& given) {
    value = read_number(given);
    if (!value) throw CLI::ValidationError(name + " must be a number, got \"" + given + "\"");
  };
  impl_->app.add_option_function<std::string>(names, read, help)->type_name("NUMBER");
}

Values& Arguments::texts(const std::string& names, std::vector<std::string>& values,
                         const std::string& help, bool required, bool has_commas) {
  CLI::Option* option = add(impl_->app, names, values, help)->required(required);
  if (is_word(names)) {
    impl_->takes_words = true;
  } else if (has_commas) {
    option->expected(1)->allow_extra_args(false)->take_all();
  } else {
    option->delimiter(',')->take_all();
  }
  return impl_->values[option];
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

std::string Arguments::usage() const {
  std::string out = impl_->app.get_name() + " [OPTIONS]";
  for (const ArgumentFacts& argument : facts()) {
    if (!argument.is_word) continue;
    const std::string word = argument.names.front() + (argument.is_list ? "..." : "");
    out += argument.is_required ? " " + word : " [" + word + "]";
  }
  return out;
}

std::string Arguments::help() const {
  std::vector<HelpRow> words;
  std::vector<HelpRow> options;
  for (const ArgumentFacts& argument : facts()) {
    if (argument.is_word) {
      words.push_back({argument.names.front(), argument.help});
      continue;
    }
    std::string name = argument.names.front().starts_with("--") ? "    " : "";
    name += join(argument.names, ", ");
    if (!argument.value_name.empty()) name += " " + argument.value_name;
    if (argument.is_list) name += ",...";
    options.push_back({name, argument.help});
  }
  options.push_back({"-h, --help", "Show this"});
  std::string out = fitted(impl_->app.get_description()) + "\nUsage: " + usage() + "\n";
  if (!words.empty()) out += "\n" + two_columns(words);
  out += "\nOptions:\n" + two_columns(options);
  if (!impl_->app.get_footer().empty()) out += "\n" + fitted(impl_->app.get_footer());
  return out;
}

std::vector<ArgumentFacts> Arguments::facts() const {
  std::vector<ArgumentFacts> all;
  for (const CLI::Option* option : impl_->app.get_options()) {
    if (option == impl_->app.get_help_ptr()) continue;
    ArgumentFacts& facts = all.emplace_back();
    facts.is_word = option->get_positional();
    if (facts.is_word) facts.names.push_back(option->get_name(true));
    for (const std::string& name : option->get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) facts.names.push_back("--" + name);
    facts.help = option->get_description();
    facts.is_required = option->get_required();
    facts.is_list = option->get_items_expected_max() > 1;
    if (const auto found = impl_->values.find(option); found != impl_->values.end()) {
      facts.values = found->second;
    }
    if (option->get_items_expected_max() > 0) {
      facts.value_name = value_name(facts.values.kind, option->get_type_name());
    }
  }
  return all;
}

}  // namespace codexmem::app
