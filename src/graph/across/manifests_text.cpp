// Manifests that are read line by line: TOML, XML, and programs. Values that a program computes are
// unknown and left out. Tested by graph/across_test.cpp.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/across/published.h"
#include "graph/rust/rust_modules.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxRequired = 4096;   // packages that one manifest requires
constexpr std::size_t kLongestElement = 400;  // bytes of an element that requires a package

// Calls `visit` with each line of `text`, trimmed.
template <typename Visit>
void each_manifest_line(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    visit(trim(text.substr(at, end - at)));
    at = end + 1;
  }
}

// The strings in quotes of `line`.
std::vector<std::string_view> quoted_texts(std::string_view line) {
  std::vector<std::string_view> found;
  for (std::size_t at = line.find_first_of("\"'"); at != std::string_view::npos;
       at = line.find_first_of("\"'", at)) {
    const std::size_t end = line.find(line[at], at + 1);
    if (end == std::string_view::npos) break;
    found.push_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return found;
}

// The quoted string behind `key`, with only signs between: name = "x", name: 'x', .name("x").
std::string quoted_after(std::string_view text, std::string_view key, std::string_view signs) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const bool begins =
        at == 0 || (!is_alnum(text[at - 1]) && text[at - 1] != '_' && text[at - 1] != '-');
    const std::size_t quote = text.find_first_not_of(signs, at + key.size());
    if (!begins || quote == std::string_view::npos || quote == at + key.size()) continue;
    if (text[quote] != '"' && text[quote] != '\'') continue;
    const char until[] = {text[quote], '\n', '\0'};
    const std::size_t end = text.find_first_of(until, quote + 1);
    if (end == std::string_view::npos || text[end] == '\n') continue;
    return std::string(text.substr(quote + 1, end - quote - 1));
  }
  return {};
}

// A requirement of Python, "name[extra]>=1,<2; marker".
void add_python_requirement(std::string_view text, Manifest& manifest) {
  text = trim(text.substr(0, text.find(';')));
  std::size_t end = 0;
  while (end < text.size() &&
         (is_alnum(text[end]) || text[end] == '-' || text[end] == '_' || text[end] == '.')) {
    ++end;
  }
  if (end == 0 || manifest.required.size() >= kMaxRequired) return;
  std::string_view rest = trim(text.substr(end));
  if (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    rest = close == std::string_view::npos ? std::string_view() : trim(rest.substr(close + 1));
  }
  if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
  manifest.required.emplace(python_distribution(text.substr(0, end)), rest);
}

void read_pyproject(std::string_view text, Manifest& manifest) {
  std::string section;
  bool is_list = false;  // in a list of requirements over several lines
  each_manifest_line(text, [&](std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (!is_list && line.front() == '[') {
      section = line.substr(0, line.find(']'));
      section.erase(0, section.find_first_not_of('['));
      return;
    }
    const std::size_t sign = line.find('=');
    const std::string_view key = trim(line.substr(0, sign));
    const bool is_poetry = section.starts_with("tool.poetry");
    if (!is_list && sign != std::string_view::npos) {
      const bool is_package = section == "project" || section == "tool.poetry";
      if (is_package && (key == "name" || key == "version")) {
        std::string& field = key == "name" ? manifest.package.name : manifest.package.version;
        const auto texts = quoted_texts(line.substr(sign));
        if (field.empty() && !texts.empty()) field = texts.front();
        return;
      }
      if (is_poetry && section.ends_with("dependencies")) {
        const std::string_view value = line.substr(sign + 1);
        const std::string named = quoted_after(value, "version", " =");
        const auto texts = quoted_texts(value);
        const bool is_table = trim(value).starts_with('{');
        manifest.required.emplace(python_distribution(key),
                                  is_table || texts.empty() ? named : std::string(texts.front()));
        return;
      }
      const bool lists = (section == "project" && key == "dependencies") ||
                         section == "project.optional-dependencies" ||
                         section == "dependency-groups";
      if (!lists || !trim(line.substr(sign + 1)).starts_with('[')) return;
      is_list = true;
      line = line.substr(sign + 1);
    }
    if (!is_list) return;
    for (const std::string_view one : quoted_texts(line)) add_python_requirement(one, manifest);
    if (line.ends_with(']') || line.ends_with("],") || line == "]") is_list = false;
  });
}

void read_setup_cfg(std::string_view text, Manifest& manifest) {
  std::string section;
  bool is_list = false;
  for (const std::string_view whole : split(text, '\n')) {
    const std::string_view line = trim(whole);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const bool is_inner = whole.front() == ' ' || whole.front() == '\t';
    if (is_inner && is_list) {
      add_python_requirement(line, manifest);
      continue;
    }
    is_list = false;
    if (line.front() == '[') {
      section = line;
      continue;
    }
    const std::size_t sign = line.find_first_of("=:");
    if (sign == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, sign));
    const std::string_view value = trim(line.substr(sign + 1));
    if (section == "[metadata]" && key == "name") manifest.package.name = value;
    if (section == "[metadata]" && key == "version" && value.find(':') == std::string_view::npos) {
      manifest.package.version = value;
    }
    is_list = (section == "[options]" && key == "install_requires") ||
              section == "[options.extras_require]";
    if (is_list && !value.empty()) add_python_requirement(value, manifest);
  }
}

void read_setup_py(std::string_view text, Manifest& manifest) {
  const std::size_t call = text.find("setup(");
  if (call == std::string_view::npos) return;
  const std::string_view arguments = text.substr(call);
  manifest.package.name = quoted_after(arguments, "name", " =");
  manifest.package.version = quoted_after(arguments, "version", " =");
  constexpr std::string_view kRequires = "_requires";  // install_requires=[
  for (std::size_t at = arguments.find(kRequires); at != std::string_view::npos;
       at = arguments.find(kRequires, at)) {
    at += kRequires.size();
    const std::size_t open = arguments.find_first_not_of(" =\n", at);
    if (open == std::string_view::npos || arguments[open] != '[') continue;
    const std::size_t close = arguments.find(']', open);
    if (close == std::string_view::npos) return;
    for (const std::string_view one : quoted_texts(arguments.substr(open, close - open))) {
      add_python_requirement(one, manifest);
    }
    at = close;
  }
}

std::string xml_text(std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find("</", begin);
  if (end == std::string_view::npos) return {};
  return std::string(trim(text.substr(begin + open.size(), end - begin - open.size())));
}

std::string xml_attribute(std::string_view tag, std::string_view name) {
  return quoted_after(tag, name, " =");
}

// `text` without its elements `name`.
std::string without_element(std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  std::string kept;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(open), text.size());
    kept += text.substr(0, begin);
    const std::size_t end = text.find(close, begin);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + close.size());
  }
  return kept;
}

// Visits the text between the parentheses of each call of `name` in a CMakeLists.txt.
template <typename Visit>
void each_cmake_call(std::string_view lower, std::string_view text, std::string_view name,
                     Visit visit) {
  std::size_t close = 0;
  for (std::size_t at = lower.find(name); at != std::string_view::npos;
       at = lower.find(name, std::max(at + 1, close))) {
    if (at > 0 && (is_alnum(lower[at - 1]) || lower[at - 1] == '_')) continue;
    const std::size_t open = lower.find_first_not_of(" \t", at + name.size());
    if (open == std::string_view::npos || lower[open] != '(') continue;
    close = lower.find(')', open);
    if (close == std::string_view::npos) return;
    std::vector<std::string_view> words;
    const std::string_view inner = text.substr(open + 1, close - open - 1);
    for (std::size_t i = 0; i < inner.size();) {
      const std::size_t begin = inner.find_first_not_of(" \t\r\n\"", i);
      if (begin == std::string_view::npos) break;
      i = std::min(inner.find_first_of(" \t\r\n\"", begin), inner.size());
      words.push_back(inner.substr(begin, i - begin));
    }
    if (!words.empty()) visit(words);
  }
}

}  // namespace

std::string python_distribution(std::string_view name) {
  std::string plain;
  for (const char c : trim(name)) {
    const bool is_sign = c == '-' || c == '_' || c == '.';
    if (!is_sign) {
      plain += to_lower(c);
    } else if (!plain.ends_with('-')) {
      plain += '-';
    }
  }
  return plain;
}

std::optional<Manifest> read_python_manifest(std::string_view folder, std::string_view file,
                                             std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kPython, folder);
  if (file == "pyproject.toml") read_pyproject(text, manifest);
  if (file == "setup.cfg") read_setup_cfg(text, manifest);
  if (file == "setup.py") read_setup_py(text, manifest);
  if (file == "requirements.txt") {
    each_manifest_line(text, [&](std::string_view line) {
      if (!line.starts_with('#') && !line.starts_with('-')) {
        add_python_requirement(line.substr(0, line.find(" #")), manifest);
      }
    });
  }
  manifest.package.name = python_distribution(manifest.package.name);
  return manifest;
}

std::optional<Manifest> read_go_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kGo, folder);
  std::string block;
  each_manifest_line(text, [&](std::string_view line) {
    line = trim(line.substr(0, line.find("//")));
    std::vector<std::string_view> words;
    for (const std::string_view word : split(line, ' ')) {
      if (const std::string_view kept = trim(word); !kept.empty()) words.push_back(kept);
    }
    if (words.empty()) return;
    if (words.front() == ")") {
      block.clear();
    } else if (words.size() > 1 && words[1] == "(") {
      block = words.front();
    } else if (words.front() == "module" && words.size() > 1) {
      manifest.package.name = words[1].front() == '"' && words[1].size() > 2
                                  ? words[1].substr(1, words[1].size() - 2)
                                  : words[1];
    } else if (words.front() == "require" && words.size() > 2) {
      manifest.required.emplace(words[1], words[2]);
    } else if (block == "require" && words.size() > 1) {
      manifest.required.emplace(words[0], words[1]);
    }
  });
  if (!manifest.package.name.empty()) manifest.package.roots.push_back(manifest.package.name);
  return manifest;
}

std::optional<Manifest> read_cargo_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kCargo, folder);
  PublishedPackage& package = manifest.package;
  std::string section;
  std::string crate;
  each_manifest_line(text, [&](std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (line.front() == '[') {
      section = line.substr(0, line.find(']'));
      section.erase(0, section.find_first_not_of('['));
      return;
    }
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos) return;
    const std::string_view key = trim(line.substr(0, sign));
    const std::string_view value = trim(line.substr(sign + 1));
    const auto texts = quoted_texts(value);
    const std::string_view first = texts.empty() ? std::string_view() : texts.front();
    if (section == "package") {
      if (key == "name") package.name = first;
      if (key == "version") package.version = first;
      if (key == "publish" && value == "false") package.is_private = true;
    } else if (section == "lib" && key == "name") {
      crate = first;
    } else if (section == "workspace.package" && key == "version") {
      if (package.version.empty()) package.version = first;
    } else if (section.ends_with("dependencies")) {
      const bool is_table = value.starts_with('{');
      const std::string renamed = is_table ? quoted_after(value, "package", " =") : "";
      const std::string_view name = key.substr(0, key.find('.'));
      manifest.required.emplace(
          renamed.empty() ? std::string(name) : renamed,
          is_table ? quoted_after(value, "version", " =") : std::string(first));
    } else if (const std::size_t of = section.rfind("dependencies.");
               of != std::string::npos && key == "version") {
      manifest.required.emplace(section.substr(of + 13), first);
    }
  });
  if (!package.name.empty()) {
    package.roots.push_back(crate.empty() ? rust_crate(package.name) : crate);
  }
  return manifest;
}

std::optional<Manifest> read_pom_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kMaven, folder);
  PublishedPackage& package = manifest.package;
  std::string own(text);
  const std::size_t begin = own.find("<parent>");
  const std::size_t end = own.find("</parent>");
  const std::string parent = begin == std::string::npos || end < begin || end == std::string::npos
                                 ? std::string()
                                 : own.substr(begin, end - begin);
  for (std::size_t at = own.find("<dependency>"); at != std::string::npos;
       at = own.find("<dependency>", at + 1)) {
    const std::size_t close = own.find("</dependency>", at);
    if (close == std::string::npos || manifest.required.size() >= kMaxRequired) break;
    const std::string block = own.substr(at, close - at);
    at = close;
    manifest.required.emplace(xml_text(block, "groupId") + ":" + xml_text(block, "artifactId"),
                              xml_text(block, "version"));
  }
  for (const char* inner : {"parent", "dependencies", "dependencyManagement", "build", "profiles",
                            "reporting", "distributionManagement"}) {
    own = without_element(own, inner);
  }
  std::string group = xml_text(own, "groupId");
  if (group.empty()) group = xml_text(parent, "groupId");
  const std::string artifact = xml_text(own, "artifactId");
  if (!artifact.empty()) package.name = group + ":" + artifact;
  package.version = xml_text(own, "version");
  if (package.version.empty()) package.version = xml_text(parent, "version");
  if (package.version.find('$') != std::string::npos) package.version.clear();
  return manifest;
}

std::optional<Manifest> read_gradle_manifest(std::string_view folder, std::string_view text,
                                             std::string_view settings,
                                             std::string_view properties) {
  Manifest manifest = begin_manifest(Ecosystem::kMaven, folder);
  PublishedPackage& package = manifest.package;
  const auto said = [&](std::string_view key) {
    std::string value = quoted_after(text, key, " =");
    if (!value.empty()) return value;
    each_manifest_line(properties, [&](std::string_view line) {
      const std::size_t sign = line.find('=');
      std::string_view name = trim(line.substr(0, sign));
      if (sign != std::string_view::npos && to_lower_ascii(name) == key && value.empty()) {
        value = trim(line.substr(sign + 1));
      }
    });
    return value;
  };
  std::string artifact = quoted_after(settings, "rootProject.name", " =");
  if (artifact.empty()) {
    const std::string_view name = file_name(folder);
    artifact = name.substr(0, name.find(':'));
  }
  package.name = said("group") + ":" + artifact;
  package.version = said("version");
  if (package.version.find('$') != std::string::npos) package.version.clear();
  return manifest;
}

std::optional<Manifest> read_gem_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kGem, folder);
  PublishedPackage& package = manifest.package;
  each_manifest_line(text, [&](std::string_view line) {
    const auto texts = quoted_texts(line);
    if (texts.empty() || line.front() == '#') return;
    const std::size_t sign = line.find('=');
    const std::string_view left = trim(line.substr(0, sign));
    if (sign != std::string_view::npos && left.ends_with(".name")) package.name = texts.front();
    if (sign != std::string_view::npos && left.ends_with(".version")) {
      package.version = texts.front();
    }
    const bool asks = line.starts_with("gem ") || line.starts_with("gem(") ||
                      line.find(".add_dependency") != std::string_view::npos ||
                      line.find(".add_runtime_dependency") != std::string_view::npos ||
                      line.find(".add_development_dependency") != std::string_view::npos;
    if (!asks) return;
    std::string range;
    for (std::size_t i = 1; i < texts.size(); ++i) {
      const std::size_t digit = texts[i].find_first_not_of("~><=! ");
      if (digit == std::string_view::npos || !is_digit(texts[i][digit])) break;
      range += (range.empty() ? "" : ", ") + std::string(texts[i]);
    }
    manifest.required.emplace(texts.front(), range);
  });
  return manifest;
}

std::optional<Manifest> read_mix_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kHex, folder);
  PublishedPackage& package = manifest.package;
  if (const std::size_t app = text.find("app: :"); app != std::string_view::npos) {
    std::size_t end = app + 6;
    while (end < text.size() && (is_alnum(text[end]) || text[end] == '_')) ++end;
    package.name = text.substr(app + 6, end - app - 6);
  }
  package.version = quoted_after(text, "version:", " ");
  if (package.version.empty()) package.version = quoted_after(text, "@version", " ");
  each_manifest_line(text, [&](std::string_view line) {
    for (std::size_t at = line.find("{:"); at != std::string_view::npos;
         at = line.find("{:", at + 1)) {
      const std::size_t end = line.find_first_of(",}", at);
      if (end == std::string_view::npos) return;
      const std::string_view rest = trim(line.substr(end + 1, kLongestElement));
      const auto texts = quoted_texts(rest);
      const bool has_version = rest.starts_with('"') && !texts.empty();
      manifest.required.emplace(trim(line.substr(at + 2, end - at - 2)),
                                has_version ? texts.front() : std::string_view());
    }
  });
  return manifest;
}

std::optional<Manifest> read_csproj_manifest(std::string_view folder, std::string_view stem,
                                             std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kNuget, folder);
  PublishedPackage& package = manifest.package;
  package.name = xml_text(text, "PackageId");
  if (package.name.empty()) package.name = xml_text(text, "AssemblyName");
  if (package.name.empty() || package.name.find('$') != std::string::npos) package.name = stem;
  package.version = xml_text(text, "Version");
  if (package.version.empty()) package.version = xml_text(text, "VersionPrefix");
  if (package.version.find('$') != std::string::npos) package.version.clear();
  package.is_private = to_lower_ascii(xml_text(text, "IsPackable")) == "false" ||
                       to_lower_ascii(xml_text(text, "IsTestProject")) == "true" ||
                       text.find("Microsoft.NET.Test.Sdk") != std::string_view::npos;
  for (const std::string_view tag : {"<PackageReference", "<PackageVersion"}) {
    for (std::size_t at = text.find(tag); at != std::string_view::npos;
         at = text.find(tag, at + 1)) {
      const std::string_view element = text.substr(at, kLongestElement);
      const std::string_view inner = element.substr(0, element.find('>'));
      const std::string name = xml_attribute(inner, "Include");
      if (name.empty() || manifest.required.size() >= kMaxRequired) continue;
      std::string version = xml_attribute(inner, "Version");
      if (version.empty() && !inner.ends_with('/')) {
        version = xml_text(element.substr(0, element.find("</PackageReference>")), "Version");
      }
      manifest.required.emplace(name, version);
    }
  }
  return manifest;
}

std::optional<Manifest> read_cmake_manifest(std::string_view folder, std::string_view text) {
  Manifest manifest = begin_manifest(Ecosystem::kCmake, folder);
  PublishedPackage& package = manifest.package;
  const std::string lower = to_lower_ascii(text);
  using Texts = std::vector<std::string_view>;
  each_cmake_call(lower, text, "project", [&](const Texts& words) {
    if (!package.name.empty() || words.front().find('$') != std::string_view::npos) return;
    package.name = words.front();
    const auto version = std::ranges::find(words, "VERSION");
    if (version != words.end() && version + 1 != words.end() && is_digit((version + 1)->front())) {
      package.version = *(version + 1);
    }
  });
  each_cmake_call(lower, text, "find_package", [&](const Texts& words) {
    const bool has_version = words.size() > 1 && is_digit(words[1].front());
    manifest.required.emplace(words.front(), has_version ? words[1] : std::string_view());
  });
  for (const std::string_view call : {"fetchcontent_declare", "fetchcontent_makeavailable",
                                      "externalproject_add", "target_link_libraries"}) {
    each_cmake_call(lower, text, call, [&](const Texts& words) {
      for (std::string_view word : words) {
        word = word.substr(0, word.find("::"));
        if (!word.empty() && manifest.required.size() < kMaxRequired) {
          manifest.required.emplace(word, "");
        }
      }
    });
  }
  // Folders from which users of a library include.
  each_cmake_call(lower, text, "target_include_directories", [&](const Texts& words) {
    bool is_public = false;
    for (std::string_view word : words) {
      if (word == "PUBLIC" || word == "INTERFACE") is_public = true;
      if (word == "PRIVATE") is_public = false;
      for (const std::string_view prefix : {"$<BUILD_INTERFACE:", "${CMAKE_CURRENT_SOURCE_DIR}",
                                            "${PROJECT_SOURCE_DIR}", "${CMAKE_SOURCE_DIR}", "/"}) {
        if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
      }
      word = word.substr(0, word.find('>'));
      if (!is_public || word.empty() || word.find('$') != std::string_view::npos) continue;
      if (const auto path = join_path(folder, word)) package.roots.push_back(*path);
    }
  });
  return manifest;
}

}  // namespace codexmem::graph
