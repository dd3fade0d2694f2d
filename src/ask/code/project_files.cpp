// Each kind of file has a reader here; a further one is a function and a row in kReaders. Names
// become words of a shell: the repository chose them.
//
// Tested by ask/project_files_test.cpp.
#include "ask/code/project_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/ascii.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "text/json_value.h"

namespace codexmem::ask {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == ':' || c == '.';
  });
}

constexpr std::size_t kMaxScripts = 200;  // commands of one file

void add_command(ProjectFile& file, std::string name, std::string_view runs = {}) {
  if (file.commands.size() == kMaxScripts) return;
  const bool is_known = std::ranges::any_of(
      file.commands, [&](const NamedCommand& each) { return each.name == name; });
  if (!is_known) file.commands.push_back({std::move(name), fold_whitespace(runs)});
}

// ---- JSON.

void read_package_json(std::string_view text, ProjectFile& file) {
  std::optional<std::string> ignored;
  const auto json = JsonValue::parse(text, {}, ignored);
  if (!json.ok()) return;
  file.name = json->member("name").string().value_or("");
  file.about = json->member("description").string().value_or("");
  file.entry = json->member("main").string().value_or("");
  if (file.entry.starts_with("./")) file.entry.erase(0, 2);
  const JsonValue bin = json->member("bin");
  if (const auto path = bin.string()) {
    file.programs.push_back({std::string(file_name(file.name)), *path});
  }
  for (const std::string& name : bin.member_names()) {
    file.programs.push_back({name, bin.member(name).string().value_or("")});
  }
  std::string manager = json->member("packageManager").string().value_or("npm");
  manager.resize(std::min(manager.find('@'), manager.size()));
  if (!is_word(manager)) manager = "npm";
  const JsonValue scripts = json->member("scripts");
  const std::vector<std::string> names = scripts.member_names();
  for (const std::string& name : names) {
    // What runs by itself around another script, or on installing.
    const auto runs_around = [&](std::string_view prefix) {
      return name.starts_with(prefix) &&
             (std::ranges::find(names, name.substr(prefix.size())) != names.end() ||
              name == "prepare" || name == "prepublishOnly" || name == "preinstall" ||
              name == "postinstall" || name == "prepack" || name == "postpack");
    };
    if (runs_around("pre") || runs_around("post")) continue;
    // (bun test is a runner of its own.)
    const bool is_short = manager != "bun" && (name == "test" || name == "start");
    add_command(file, fmt::format("{}{} {}", manager, is_short ? "" : " run", shell_word(name)),
                scripts.member(name).string().value_or(""));
  }
}

void read_composer(std::string_view text, ProjectFile& file) {
  const auto json = JsonValue::parse(text);
  if (!json.ok()) return;
  file.name = json->member("name").string().value_or("");
  file.about = json->member("description").string().value_or("");
  const JsonValue scripts = json->member("scripts");
  std::vector<std::string> names = scripts.member_names();
  names.resize(std::min(names.size(), kMaxScripts));
  for (const std::string& name : names) {
    // Composer's own events: post-install-cmd.
    if (name.starts_with("pre-") || name.starts_with("post-")) continue;
    std::string runs = scripts.member(name).string().value_or("");
    if (runs.empty()) runs = scripts.member(name).element(0).string().value_or("");
    add_command(file, fmt::format("composer {}", shell_word(name)), runs);
  }
}

void read_cmake_presets(std::string_view text, ProjectFile& file) {
  const auto json = JsonValue::parse(text);
  if (!json.ok()) return;
  const auto add = [&](std::string_view member, std::string_view command) {
    const JsonValue presets = json->member(member);
    for (std::size_t i = 0; i < presets.size(); ++i) {
      const JsonValue preset = presets.element(i);
      const auto name = preset.member("name").string();
      if (!name || preset.member("hidden").boolean().value_or(false)) continue;
      add_command(file, fmt::format("{} {}", command, shell_word(*name)),
                  preset.member("description")
                      .string()
                      .value_or(preset.member("displayName").string().value_or("")));
    }
  };
  add("workflowPresets", "cmake --workflow --preset");
  if (!file.commands.empty()) return;
  add("configurePresets", "cmake --preset");
  add("buildPresets", "cmake --build --preset");
  add("testPresets", "ctest --preset");
}

// ---- TOML and INI, by lines.

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return text;
  const std::size_t end = text.find(text[0], 1);
  return end == std::string_view::npos ? text.substr(1) : text.substr(1, end - 1);
}

using Visit =
    std::function<void(std::string_view section, std::string_view key, std::string_view value)>;

// Calls `visit` with each key of one line ("[[bin]]" is the section "bin"), and with each section
// and no key where it begins.
void read_toml(std::string_view text, const Visit& visit) {
  std::string section;
  std::string_view until;  // the end of a text of many lines
  for (const std::string_view whole : split(text, '\n')) {
    const std::string_view line = trim(whole);
    if (!until.empty()) {
      if (line.find(until) != std::string_view::npos) until = {};
      continue;
    }
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      const std::size_t end = line.find(']');
      section = std::string(trim(line.substr(0, end)));
      section.erase(0, section.find_first_not_of("[ "));
      visit(section, {}, {});
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view value = trim(line.substr(equals + 1));
    for (const std::string_view quotes : {"\"\"\"", "'''"}) {
      if (value.starts_with(quotes) && value.find(quotes, 3) == std::string_view::npos) {
        until = quotes;
      }
    }
    if (until.empty()) visit(section, unquoted(line.substr(0, equals)), unquoted(value));
  }
}

// Calls `visit` with each key, its lines that go on joined, and with each section likewise.
void read_ini(std::string_view text, const Visit& visit) {
  std::string section, key, value;
  const auto end = [&] {
    if (!key.empty()) visit(section, key, value);
    key.clear();
  };
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view said = trim(line);
    if (said.empty() || said[0] == '#' || said[0] == ';') continue;
    if ((line[0] == ' ' || line[0] == '\t') && !key.empty()) {
      value += "\n" + std::string(said);
      continue;
    }
    end();
    if (said[0] == '[') {
      section = std::string(said.substr(1, said.find(']') - 1));
      visit(section, {}, {});
      continue;
    }
    const std::size_t equals = said.find('=');
    if (equals == std::string_view::npos) continue;
    key = trim(said.substr(0, equals));
    value = trim(said.substr(equals + 1));
  }
  end();
}

void read_pyproject(std::string_view text, ProjectFile& file) {
  bool is_package = false;
  read_toml(text, [&](std::string_view section, std::string_view key, std::string_view value) {
    is_package = is_package || section == "project" || section == "tool.poetry";
    constexpr std::string_view kToxEnvironment = "tool.tox.env.", kHatch = "tool.hatch.envs.",
                               kPoe = "tool.poe.tasks.";
    if (key.empty()) {
      if (section.starts_with(kToxEnvironment)) {
        add_command(file,
                    fmt::format("tox -e {}", shell_word(section.substr(kToxEnvironment.size()))));
      }
      return;
    }
    if (is_one_of(section, {"project", "tool.poetry", "tool.flit.metadata"})) {
      if (key == "name") file.name = value;
      if (key == "description") file.about = value;
    } else if (is_one_of(section, {"project.scripts", "project.gui-scripts", "tool.poetry.scripts",
                                   "tool.flit.scripts"})) {
      file.programs.push_back({std::string(key), std::string(value)});
    } else if (section == "tool.taskipy.tasks") {
      add_command(file, fmt::format("task {}", shell_word(key)), value);
    } else if (section == "tool.poe.tasks" || section.starts_with(kPoe)) {
      // test = "x", test.cmd = "x", [tool.poe.tasks.test] cmd = "x".
      const std::string path = std::string(section.substr(std::min(section.size(), kPoe.size()))) +
                               (section == "tool.poe.tasks" ? "" : ".") + std::string(key);
      const std::size_t dot = path.find('.');
      const bool is_said = dot == std::string::npos ||
                           is_one_of(path.substr(dot + 1), {"cmd", "shell", "script", "sequence"});
      if (is_said) {
        add_command(file, fmt::format("poe {}", shell_word(path.substr(0, dot))),
                    value.starts_with('[') || value.starts_with('{') ? std::string_view() : value);
      }
    } else if (section == "tool.pdm.scripts") {
      add_command(file, fmt::format("pdm run {}", shell_word(key)), value);
    } else if (section.starts_with(kToxEnvironment) && key == "description") {
      const std::string name =
          fmt::format("tox -e {}", shell_word(section.substr(kToxEnvironment.size())));
      for (NamedCommand& each : file.commands) {
        if (each.name == name) each.runs = value;
      }
    } else if (section.starts_with(kHatch) && section.ends_with(".scripts")) {
      std::string_view name = section.substr(kHatch.size());
      name.remove_suffix(8);
      add_command(file,
                  name == "default"
                      ? fmt::format("hatch run {}", shell_word(key))
                      : fmt::format("hatch run {}", shell_word(fmt::format("{}:{}", name, key))),
                  value);
    }
  });
  if (is_package) add_command(file, "pip install -e .");
}

void read_setup_cfg(std::string_view text, ProjectFile& file) {
  read_ini(text, [&](std::string_view section, std::string_view key, std::string_view value) {
    if (section == "metadata" && key == "name") file.name = value;
    if (section == "metadata" && key == "description") file.about = value;
    if (section != "options.entry_points" || !is_one_of(key, {"console_scripts", "gui_scripts"})) {
      return;
    }
    for (const std::string_view line : split(value, '\n')) {
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      file.programs.push_back(
          {std::string(trim(line.substr(0, equals))), std::string(trim(line.substr(equals + 1)))});
    }
  });
}

void read_tox(std::string_view text, ProjectFile& file) {
  read_ini(text, [&](std::string_view section, std::string_view key, std::string_view value) {
    constexpr std::string_view kEnvironment = "testenv:";
    if (!section.starts_with(kEnvironment) || !is_word(section.substr(kEnvironment.size()))) {
      return;  // "py{310,311}" are several
    }
    const std::string name = fmt::format("tox -e {}", section.substr(kEnvironment.size()));
    if (key.empty()) add_command(file, name);
    for (NamedCommand& each : file.commands) {
      if (each.name == name && key == "description") each.runs = fold_whitespace(value);
    }
  });
  if (file.commands.empty()) add_command(file, "tox");
}

// Functions below @nox.session.
void read_nox(std::string_view text, ProjectFile& file) {
  bool is_session = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("@nox.session") || line.starts_with("@session")) is_session = true;
    if (!line.starts_with("def ")) continue;
    const std::string_view name = line.substr(4, line.find('(') - 4);
    if (is_session && is_word(name)) add_command(file, fmt::format("nox -s {}", name));
    is_session = false;
  }
}

void read_cargo(std::string_view text, ProjectFile& file) {
  bool is_workspace = false;
  std::string program;
  read_toml(text, [&](std::string_view section, std::string_view key, std::string_view value) {
    is_workspace = is_workspace || section == "workspace";
    if (section == "package" && key == "name") file.name = value;
    if (section == "package" && key == "description") file.about = value;
    if (section == "bin" && key == "name") file.programs.push_back({std::string(value), ""});
    if (section == "bin" && key == "path" && !file.programs.empty()) {
      file.programs.back().runs = value;
    }
  });
  add_command(file, is_workspace ? "cargo build --workspace" : "cargo build");
  add_command(file, is_workspace ? "cargo test --workspace" : "cargo test");
}

// ---- Others.

void read_go_mod(std::string_view text, ProjectFile& file) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("module ")) file.name = unquoted(line.substr(7));
  }
  add_command(file, "go build ./...");
  add_command(file, "go test ./...");
}

// The text of the first element `name` outside of those that have names of their own.
std::string xml_text(std::string_view text, std::string_view name) {
  const std::string open = fmt::format("<{}>", name), close = fmt::format("</{}>", name);
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find(close, begin);
  if (end == std::string_view::npos) return {};
  return fold_whitespace(text.substr(begin + open.size(), end - begin - open.size()));
}

void read_pom(std::string_view text, ProjectFile& file) {
  std::string own(text);
  for (const std::string_view other :
       {"parent", "dependencies", "dependencyManagement", "build", "profiles", "licenses",
        "developers", "organization", "scm", "properties", "modules"}) {
    for (std::size_t begin = own.find(fmt::format("<{}>", other)); begin != std::string::npos;
         begin = own.find(fmt::format("<{}>", other))) {
      const std::string close = fmt::format("</{}>", other);
      const std::size_t end = own.find(close, begin);
      own.erase(begin, end == std::string::npos ? end : end + close.size() - begin);
    }
  }
  file.name = xml_text(own, "artifactId");
  file.about = xml_text(own, "description");
  add_command(file, "mvn package");
  add_command(file, "mvn test");
}

void read_gradle(std::string_view, ProjectFile& file) {
  add_command(file, "gradle build");
  add_command(file, "gradle test");
}

void read_cmake(std::string_view text, ProjectFile& file) {
  const std::size_t at = to_lower_ascii(text).find("\nproject(");
  if (at != std::string::npos) {
    const std::string_view inner = text.substr(at + 9, text.find(')', at) - at - 9);
    file.name = trim(inner.substr(0, inner.find_first_of(" \n\t")));
    if (const std::size_t about = inner.find("DESCRIPTION"); about != std::string_view::npos) {
      file.about = unquoted(inner.substr(about + 11));
    }
  }
  add_command(file, "cmake -B build && cmake --build build");
}

// Targets of a Makefile, recipes of a justfile; with the comment behind a target.
void read_make(std::string_view text, ProjectFile& file) {
  const bool is_just = to_lower_ascii(file_name(file.path)) == "justfile";
  std::string_view before;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view comment = before.starts_with("# ") ? trim(before.substr(2)) : "";
    before = line;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon + 1 < line.size()) {
      if (colon == std::string_view::npos || line[colon + 1] == '=' || line[colon + 1] == ':') {
        continue;
      }
    }
    std::string_view name = trim(line.substr(0, colon));
    if (is_just && name.starts_with('@')) name.remove_prefix(1);  // a quiet recipe
    if (is_just) name = name.substr(0, name.find(' '));
    if (line[0] == '\t' || line[0] == ' ' || !is_word(name) ||
        name.find('.') != std::string_view::npos) {
      continue;
    }
    const std::size_t help = line.find("## ");
    add_command(file, fmt::format("{} {}", is_just ? "just" : "make", name),
                help != std::string_view::npos ? line.substr(help + 3)
                : is_just                      ? comment
                                               : std::string_view());
  }
}

// mix.exs: `app: :shop`, `mod: {Shop.Application, []}`, `description: "x"`, and the aliases.
void read_mix(std::string_view text, ProjectFile& file) {
  const auto behind = [&](std::string_view key) {
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? std::string_view()
                                        : trim(text.substr(at + key.size(), 200));
  };
  const auto word = [](std::string_view from) {
    const auto end = std::ranges::find_if_not(
        from, [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; });
    return std::string(from.substr(0, static_cast<std::size_t>(end - from.begin())));
  };
  if (const std::string_view app = behind("app: :"); !app.empty()) file.name = word(app);
  if (const std::string_view about = behind("description: "); about.starts_with('"')) {
    const std::size_t close = about.find('"', 1);
    if (close != std::string_view::npos) file.about = about.substr(1, close - 1);
  }
  if (const std::string_view mod = behind("mod: {"); !mod.empty()) {
    file.programs.push_back({"mix run", word(mod)});
  }
  add_command(file, "mix test");
  const std::size_t aliases = text.find("defp aliases do");
  if (aliases == std::string_view::npos) return;
  const std::string_view inner = text.substr(aliases, text.find("\n  end", aliases) - aliases);
  for (const std::string_view whole : split(inner, '\n')) {
    const std::string_view line = trim(whole);
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view name = unquoted(line.substr(0, colon));
    const std::string_view runs = line.substr(colon + 2);
    if (is_word(name)) add_command(file, fmt::format("mix {}", name), runs == "[" ? "" : runs);
  }
}

// What the last stage runs: ENTRYPOINT, then CMD.
void read_dockerfile(std::string_view text, ProjectFile& file) {
  std::string entry, command, line;
  const auto words_of = [](std::string_view said) {
    std::string words(trim(said));
    if (!words.starts_with('[')) return fold_whitespace(words);
    std::erase_if(words, [](char c) { return c == '"'; });
    std::ranges::replace(words, ',', ' ');
    return fold_whitespace(words.substr(1, words.find(']') - 1));
  };
  for (const std::string_view whole : split(text, '\n')) {
    line += trim(whole);
    if (line.ends_with('\\')) {  // it goes on
      line.back() = ' ';
      continue;
    }
    const std::string_view said = line;
    if (said.starts_with("FROM ")) entry = command = "";
    if (said.starts_with("ENTRYPOINT ")) entry = words_of(said.substr(11));
    if (said.starts_with("CMD ")) command = words_of(said.substr(4));
    line.clear();
  }
  const std::string runs = fold_whitespace(entry + " " + command);
  if (!runs.empty()) file.programs.push_back({"container", runs});
}

// services: { web: { command: x } }, by lines.
void read_compose(std::string_view text, ProjectFile& file) {
  std::string_view service;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t depth = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view said = trim(line);
    constexpr std::string_view kCommand = "command:";
    if (depth == 2 && said.ends_with(':')) service = said.substr(0, said.size() - 1);
    if (depth == 4 && said.starts_with(kCommand) && !service.empty()) {
      const std::string_view runs = unquoted(said.substr(kCommand.size()));
      const bool is_written = !runs.empty() && !is_one_of(runs.substr(0, 1), {">", "|", "#"});
      if (is_written) file.programs.push_back({std::string(service), std::string(runs)});
    }
  }
}

// "web: COMMAND".
void read_procfile(std::string_view text, ProjectFile& file) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_word(line.substr(0, colon))) continue;
    file.programs.push_back(
        {std::string(line.substr(0, colon)), std::string(trim(line.substr(colon + 1)))});
  }
}

struct Reader {
  std::string_view name;  // of the file, in lower case
  std::string_view kind;
  void (*read)(std::string_view text, ProjectFile& file);
};

constexpr Reader kReaders[] = {
    {"package.json", "npm", read_package_json},
    {"composer.json", "composer", read_composer},
    {"mix.exs", "mix", read_mix},
    {"dockerfile", "docker", read_dockerfile},
    {"docker-compose.yml", "compose", read_compose},
    {"docker-compose.yaml", "compose", read_compose},
    {"compose.yml", "compose", read_compose},
    {"compose.yaml", "compose", read_compose},
    {"procfile", "procfile", read_procfile},
    {"pyproject.toml", "python", read_pyproject},
    {"setup.cfg", "python", read_setup_cfg},
    {"cargo.toml", "cargo", read_cargo},
    {"go.mod", "go", read_go_mod},
    {"pom.xml", "maven", read_pom},
    {"build.gradle", "gradle", read_gradle},
    {"build.gradle.kts", "gradle", read_gradle},
    {"cmakelists.txt", "cmake", read_cmake},
    {"cmakepresets.json", "cmake", read_cmake_presets},
    {"makefile", "make", read_make},
    {"gnumakefile", "make", read_make},
    {"justfile", "just", read_make},
    {"tox.ini", "tox", read_tox},
    {"noxfile.py", "nox", read_nox},
};

const Reader* find_reader(std::string_view path) {
  const std::string name = to_lower_ascii(file_name(path));
  const auto* const found = std::ranges::find(kReaders, std::string_view(name), &Reader::name);
  return found == std::end(kReaders) ? nullptr : found;
}

}  // namespace

bool is_project_file(std::string_view path) { return find_reader(path) != nullptr; }

ProjectFile read_project_file(std::string_view path, std::string_view text) {
  ProjectFile file;
  file.path = path;
  const Reader* const reader = find_reader(path);
  if (reader == nullptr) return file;
  file.kind = reader->kind;
  reader->read(text, file);
  file.about = fold_whitespace(file.about);
  return file;
}

}  // namespace codexmem::ask
