// Tested by tests/mcp/wrong_calls_test.py.
#include "ask/code/meant_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "ask/code/code_answer.h"
#include "ask/code/code_place.h"
#include "ask/fresh.h"
#include "ask/meant.h"
#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/uses/symbol_search.h"
#include "text/json.h"
#include "text/path_globs.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxNamed = 5;  // files or extensions in a note
constexpr std::size_t kMaxNoteBytes = 600;

// Before the name in a declaration.
constexpr std::string_view kDeclaringWords[] = {
    "class",  "def",    "function", "fn",        "func",   "fun",    "struct", "interface",
    "enum",   "trait",  "type",     "namespace", "module", "object", "record", "protocol",
    "method", "const",  "let",      "var",       "val",    "sub",    "impl",   "defmodule",
    "defp",   "symbol", "variable", "property",  "mod",    "union",  "macro",  "extension"};

// `text` without the signs around a name: "*Flask,", "Flask:", "List<T>".
std::string_view bare_name(std::string_view text) {
  const std::size_t first = text.find_first_not_of("*&@$,;:{}[]<>=()");
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  if (const std::size_t angle = text.find('<'); angle != std::string_view::npos && angle > 0) {
    text = text.substr(0, angle);
  }
  const std::size_t last = text.find_last_not_of("*&,;:{}[]<>=().");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool is_plain_name(std::string_view text) { return std::ranges::all_of(text, is_identifier_char); }

// The names that a declaration, a call or a quoted text may mean, the likelier first.
std::vector<std::string> names_in(std::string_view written) {
  std::string text(unquoted(written));
  for (std::size_t arrow;
       (arrow = text.find("->")) != std::string::npos && arrow > 0 && text.find('(') > arrow;) {
    text.replace(arrow, 2, ".");
  }
  // A receiver in Go: (*Server).Serve.
  if (text.starts_with('(')) {
    if (const std::size_t end = text.find(')'); end != std::string::npos) {
      text = std::string(bare_name(text.substr(0, end))) + text.substr(end + 1);
    }
  }
  const std::string_view head = std::string_view(text).substr(0, text.find('('));
  const std::string folded = fold_whitespace(head);
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    name = bare_name(name);
    if (!name.empty()) names.emplace_back(name);
  };
  const auto words = split(folded, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (is_one_of(words[i], kDeclaringWords) && !is_one_of(words[i + 1], kDeclaringWords)) {
      add(words[i + 1]);
    }
  }
  add(words.back());
  if (words.size() > 1) add(words.front());
  return names;
}

// Whether `path` is `end` or ends with all of its names.
bool ends_path(std::string_view path, std::string_view end) {
  return path == end || (path.ends_with(end) && path[path.size() - end.size() - 1] == '/');
}

class Places {
 public:
  Places(const Context& context, store::CodeReader& reader) : context_(context), reader_(reader) {}

  Result<MeantPlaces> find(const Question& question, const JsonValue& given);

 private:
  struct Files {
    std::optional<std::string> only;
    std::vector<std::string> all;  // that it may mean, when these are several
  };

  // Names of files with their extensions, or of modules.
  enum class Names { kWhole, kModule };

  Result<void> load_paths();
  Result<bool> is_indexed(const std::string& path);
  Result<Files> files_of(const std::string& written, Names how = Names::kWhole);
  Result<bool> is_symbol(const std::string& name);
  Result<std::optional<std::string>> symbol_of(const std::string& written);

  Result<bool> read_file(const Param& param, const std::string& text, Names how, Json& to);
  Result<void> say_where(const Question& question);
  void read_path(const Param& param, const std::string& text, Json& to);
  Result<void> read_place(const Question& question, const std::string& text);
  Result<void> read_symbol(const Param& param, const std::string& text, Json& to);
  Result<void> read_globs(const Param& param, Json& list);
  Result<void> read_extensions(const Param& param, const Json& list);

  void say(std::string sentence) {
    if (!note_.empty()) note_ += " ";
    note_ += std::move(sentence);
  }
  void replace(const Param& param, const std::string& from, std::string to, Json& at) {
    say(fmt::format("{} \"{}\" was read as \"{}\".", param.name, utf8_prefix(from, 100), to));
    at = std::move(to);
    is_changed_ = true;
  }

  const Context& context_;
  store::CodeReader& reader_;
  std::vector<std::string> paths_;
  Json arguments_;
  bool is_changed_ = false;
  std::string note_;
};

Result<void> Places::load_paths() {
  if (!paths_.empty()) return {};
  return reader_.visit_files([&](const store::FileStamp& file) { paths_.emplace_back(file.path); });
}

Result<bool> Places::is_indexed(const std::string& path) {
  CODEXMEM_ASSIGN(const auto file, reader_.find_file(path));
  return file.has_value();
}

Result<Places::Files> Places::files_of(const std::string& written, Names how) {
  const std::filesystem::path& root = context_.code().workspace.root();
  std::string plain = plain_path(written);
  if (const auto asked = asked_path(context_, "file_path", plain); asked.ok()) {
    CODEXMEM_ASSIGN(const bool is_file, is_indexed(*asked));
    if (is_file) return Files{*asked, {}};
  }
  // C:/shop/src/a.py, of another machine: the longest end of it that is a file here.
  if (plain.size() > 2 && plain.substr(1, 2) == ":/") {
    for (std::size_t at = 2; at != std::string::npos; at = plain.find('/', at + 1)) {
      CODEXMEM_ASSIGN(const bool is_file, is_indexed(plain.substr(at + 1)));
      if (is_file) return Files{plain.substr(at + 1), {}};
    }
  }
  while (plain.starts_with('/')) plain.erase(0, 1);  // of the root of the repository
  if (const std::string own = root.filename().string() + "/"; plain.starts_with(own)) {
    CODEXMEM_ASSIGN(const bool is_file, is_indexed(plain.substr(own.size())));
    if (is_file) return Files{plain.substr(own.size()), {}};
  }
  Files files;
  if (plain.empty()) return files;
  CODEXMEM_TRY(load_paths());
  std::string module = plain;  // shop.app
  if (module.find('/') == std::string::npos) std::ranges::replace(module, '.', '/');
  const auto is_meant = [&](std::string_view path) {
    if (how == Names::kWhole) return ends_path(path, plain);
    return ends_path(path.substr(0, path.rfind('.')), module);
  };
  for (const std::string& path : paths_) {
    if (is_meant(path)) files.all.push_back(path);
  }
  if (files.all.size() == 1) files.only = std::exchange(files.all, {}).front();
  return files;
}

Result<bool> Places::is_symbol(const std::string& name) {
  const auto found = graph::find_symbols(reader_, {.symbol = name, .limit = 1, .near_limit = 1});
  if (!found.ok()) {
    if (found.error().code() == ErrorCode::kInvalidArgument) return false;
    return found.error();
  }
  return !found->results.empty() && found->results.front().match == graph::NameMatch::kExact;
}

// Nothing: the index has it as it is written, or nothing that it can mean. To look for a name that
// is not there takes long, and a plain name cannot mean another.
Result<std::optional<std::string>> Places::symbol_of(const std::string& written) {
  if (is_plain_name(written)) return std::optional<std::string>();
  CODEXMEM_ASSIGN(const bool is_right, is_symbol(written));
  if (is_right) return std::optional<std::string>();
  const std::string text(unquoted(written));
  for (const std::string_view between : {"::", ":", "#"}) {
    const std::size_t at = text.find(between);
    if (at == std::string::npos || at + between.size() >= text.size()) continue;
    CODEXMEM_ASSIGN(const Files files, files_of(text.substr(0, at)));
    if (!files.only) continue;
    std::vector<std::string> names = names_in(text.substr(at + between.size()));
    names.push_back(text.substr(at + between.size()));
    for (const std::string& name : names) {
      const std::string whole = *files.only + "::" + name;
      CODEXMEM_ASSIGN(const bool is_known, is_symbol(whole));
      if (is_known) return std::optional(whole);
    }
  }
  for (const std::string& name : names_in(text)) {
    if (name == written) continue;
    CODEXMEM_ASSIGN(const bool is_known, is_symbol(name));
    if (is_known) return std::optional(name);
  }
  return std::optional<std::string>();
}

// Whether it is a file, or may be one of several.
Result<bool> Places::read_file(const Param& param, const std::string& text, Names how, Json& to) {
  if (const auto asked = asked_path(context_, param.name, text); asked.ok()) {
    CODEXMEM_ASSIGN(const bool is_file, is_indexed(*asked));
    if (is_file) return true;
  }
  CODEXMEM_ASSIGN(Files files, files_of(text, how));
  if (files.only) {
    replace(param, text, *std::move(files.only), to);
    return true;
  }
  if (files.all.empty()) return false;
  const std::size_t all = files.all.size();
  files.all.resize(std::min(all, kMaxNamed));
  say(fmt::format("{} \"{}\" may be {}{}: name one.", param.name, text, join(files.all, ", "),
                  all > kMaxNamed ? ", ..." : ""));
  return true;
}

// A file or folder on disk.
void Places::read_path(const Param& param, const std::string& text, Json& to) {
  const std::filesystem::path& root = context_.code().workspace.root();
  std::string plain = plain_path(text);
  while (plain.starts_with('/') && !path_below(root, plain)) plain.erase(0, 1);
  std::error_code ignored;
  if (plain != text && !plain.empty() && std::filesystem::exists(root / plain, ignored)) {
    replace(param, text, std::move(plain), to);
  }
}

// A place is a file, or else a symbol, where the question has another parameter for one.
Result<void> Places::read_place(const Question& question, const std::string& text) {
  const Param* place = nullptr;
  const Param* symbol = nullptr;
  for (const Param& param : question.params) {
    if (param.takes == Takes::kPlace) place = &param;
    if (param.takes == Takes::kSymbol) symbol = &param;
  }
  Json& file = arguments_[std::string(place->name)];
  CODEXMEM_ASSIGN(const bool is_file, read_file(*place, text, Names::kWhole, file));
  if (is_file || symbol == nullptr) return {};
  if (!arguments_.contains(symbol->name)) {
    CODEXMEM_ASSIGN(const auto meant, symbol_of(text));
    const auto as_it_is = [](const std::string& typed) { return typed; };
    const auto keep = [&](const std::string& path) { return is_asked(context_, path); };
    const auto found = find_code_place(reader_, context_.code().workspace.root(),
                                       meant.value_or(text), as_it_is, keep);
    if (found.ok() && found->symbol) {
      say(fmt::format("{} \"{}\" was read as \"{}\", {} \"{}\".", place->name,
                      utf8_prefix(text, 100), found->path, symbol->name, *found->symbol));
      if (!found->note.empty()) say(found->note + ".");
      file = found->path;
      arguments_[std::string(symbol->name)] = *found->symbol;
      is_changed_ = true;
      return {};
    }
    CODEXMEM_ASSIGN(const bool is_module, read_file(*place, text, Names::kModule, file));
    if (!is_module && !found.ok()) say(found.error().message() + ".");
    return {};
  }
  CODEXMEM_TRY(read_file(*place, text, Names::kModule, file));
  return {};
}

// Says where a symbol is that the file of the call does not define.
Result<void> Places::say_where(const Question& question) {
  std::string symbol, path;
  for (const Param& param : question.params) {
    if (!arguments_.contains(param.name)) continue;
    const Json& value = arguments_[std::string(param.name)];
    if (!value.is_string()) continue;
    if (param.takes == Takes::kSymbol) symbol = value.get<std::string>();
    if (param.takes == Takes::kFile || param.takes == Takes::kPlace)
      path = value.get<std::string>();
  }
  if (symbol.empty() || path.empty()) return {};
  auto found = graph::find_symbols(reader_, {.symbol = symbol, .limit = kMaxNamed});
  if (!found.ok() || found->results.empty()) return {};
  std::vector<std::string> paths;
  for (const graph::SymbolMatch& match : found->results) {
    if (match.match != graph::NameMatch::kExact || match.path == path) return {};
    if (std::ranges::find(paths, match.path) == paths.end()) paths.push_back(match.path);
  }
  say(fmt::format("{} is defined in {}.", symbol, join(paths, ", ")));
  return {};
}

Result<void> Places::read_symbol(const Param& param, const std::string& text, Json& to) {
  CODEXMEM_ASSIGN(auto meant, symbol_of(text));
  if (meant) {
    replace(param, text, *std::move(meant), to);
    return {};
  }
  if (is_plain_name(text)) return {};
  CODEXMEM_ASSIGN(const Files files, files_of(text));
  if (files.only) {
    say(fmt::format("\"{}\" is a file: `get_context` shows the symbols of {}.", text, *files.only));
  }
  return {};
}

// Globs that keep no file, as the paths that they may mean; else the nearest folder or file.
Result<void> Places::read_globs(const Param& param, Json& list) {
  CODEXMEM_TRY(load_paths());
  const auto keeps_some = [&](const std::vector<std::string>& globs) {
    const auto made = PathGlobs::make(globs);
    return !made.ok() ||
           std::ranges::any_of(paths_, [&](const auto& path) { return made->keeps(path); });
  };
  std::vector<std::string> written, plain;
  for (const Json& each : list) {
    if (!each.is_string()) return {};
    written.push_back(each.get<std::string>());
    const bool excludes = written.back().starts_with('!');
    std::string path = plain_path(written.back().substr(excludes ? 1 : 0));
    path = path_below(context_.code().workspace.root(), path).value_or(path);
    while (path.starts_with('/')) path.erase(0, 1);
    plain.push_back((excludes ? "!" : "") + path);
  }
  if (written.empty() || keeps_some(written)) return {};
  if (plain != written && keeps_some(plain)) {
    say(fmt::format("{} \"{}\" was read as \"{}\".", param.name, join(written, "\", \""),
                    join(plain, "\", \"")));
    list = plain;
    is_changed_ = true;
    return {};
  }
  std::set<std::string> places(paths_.begin(), paths_.end());
  for (const std::string& path : paths_) {
    for (std::string_view folder = folder_of(path); !folder.empty(); folder = folder_of(folder)) {
      places.emplace(folder);
    }
  }
  const std::string wanted = plain.front().substr(0, plain.front().find_first_of("*?[{"));
  const auto near = nearest(wanted, {places.begin(), places.end()});
  say(fmt::format("no file matches {} \"{}\"{}.", param.name, join(written, "\", \""),
                  near ? fmt::format("; the nearest is \"{}\"", *near) : ""));
  return {};
}

Result<void> Places::read_extensions(const Param& param, const Json& list) {
  CODEXMEM_TRY(load_paths());
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : paths_) {
    const std::string_view name = file_name(path);
    if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0) {
      ++counts[std::string(name.substr(dot))];
    }
  }
  std::vector<std::string> wanted;
  for (const Json& each : list) {
    if (!each.is_string()) return {};
    wanted.push_back(each.get<std::string>());
    std::string ending = wanted.back();
    ending.erase(0, std::min(ending.find_first_not_of("*."), ending.size()));
    ending.insert(0, ".");
    if (std::ranges::any_of(paths_, [&](const auto& path) { return path.ends_with(ending); })) {
      return {};
    }
  }
  if (wanted.empty()) return {};
  std::vector<std::pair<std::string, std::size_t>> common(counts.begin(), counts.end());
  std::ranges::stable_sort(common, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  common.resize(std::min(common.size(), kMaxNamed));
  std::vector<std::string> there;
  for (const auto& [extension, files] : common) there.push_back(extension);
  say(fmt::format("no file matches {} \"{}\"; there are {}.", param.name, join(wanted, "\", \""),
                  join(there, ", ")));
  return {};
}

Result<MeantPlaces> Places::find(const Question& question, const JsonValue& given) {
  arguments_ = *static_cast<const Json*>(given.node());
  for (const Param& param : question.params) {
    const std::string name(param.name);
    if (!arguments_.contains(name)) continue;
    const Json value = arguments_[name];
    Json& to = arguments_[name];
    if (param.takes == Takes::kGlobs && value.is_array()) {
      CODEXMEM_TRY(read_globs(param, to));
    } else if (param.takes == Takes::kExtension && value.is_array()) {
      CODEXMEM_TRY(read_extensions(param, value));
    } else if (param.takes == Takes::kFile && value.is_string()) {
      CODEXMEM_ASSIGN(const bool is_file,
                      read_file(param, value.get<std::string>(), Names::kWhole, to));
      if (!is_file) CODEXMEM_TRY(read_file(param, value.get<std::string>(), Names::kModule, to));
    } else if (param.takes == Takes::kHere && value.is_string()) {
      read_path(param, value.get<std::string>(), to);
    } else if (param.takes == Takes::kPlace && value.is_string()) {
      CODEXMEM_TRY(read_place(question, value.get<std::string>()));
    } else if (param.takes == Takes::kSymbol && value.is_string()) {
      CODEXMEM_TRY(read_symbol(param, value.get<std::string>(), to));
    } else if (param.takes == Takes::kSymbol && value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!value[i].is_string()) continue;
        CODEXMEM_TRY(read_symbol(param, value[i].get<std::string>(), to[i]));
      }
    }
  }
  CODEXMEM_TRY(say_where(question));
  if (const std::string& why = context_.services->missing_code; !why.empty()) {
    CODEXMEM_ASSIGN(const auto first, reader_.list_files_after("", 1));
    if (first.empty()) say(why + ".");
  }
  MeantPlaces meant{{}, shorten(note_, kMaxNoteBytes)};  // texts of any length are quoted
  if (!is_changed_) return meant;
  CODEXMEM_ASSIGN(meant.arguments, JsonValue::parse(dump_json(arguments_)));
  return meant;
}

}  // namespace

Result<MeantPlaces> find_meant_places(const Question& question, const Context& context,
                                      const JsonValue& given) {
  CODEXMEM_ASSIGN(const auto moment, internal::open_moment(context, Reach::kAll));
  return Places(context, moment->reader()).find(question, given);
}

}  // namespace codexmem::ask
