// Tested by config/settings_test.cpp.
#include "config/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "base/file.h"
#include "text/json.h"
#include "text/json_comments.h"
#include "text/name_list.h"
#include "base/text.h"
#include "config/user_directory.h"

namespace codexmem {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxTextBytes = 4'096;
constexpr std::int64_t kMany = 1'000'000'000'000;

constexpr SettingRow kRows[] = {
    // The tools of a server, and its project.
    {.name = "CODEXMEM_TOOLS",
     .key = "tools",
     .kind = SettingKind::kList,
     .summary = "The tools that a server offers: names, or the groups code, memory, decisions, all",
     .usual = "all",
     .project = ProjectRule::kAny},
    {.name = "CODEXMEM_PROJECT",
     .key = "project",
     .summary = "The project of what is saved; unset: the name of its folder",
     .project = ProjectRule::kAny},
    {.name = "CODEXMEM_SCOPE",
     .key = "scope",
     .kind = SettingKind::kChoice,
     .summary = "project: other projects are neither found nor shown",
     .usual = "all",
     .choices = "all|project",
     .project = ProjectRule::kChoices,
     .project_choices = "project"},
    {.name = "CODEXMEM_MEMORY_BRANCHES",
     .key = "memoryBranches",
     .kind = SettingKind::kChoice,
     .summary = "staged: memories of a branch are seen only there until it is merged",
     .usual = "all",
     .choices = "all|staged",
     .project = ProjectRule::kChoices,
     .project_choices = "staged"},
    {.name = "CODEXMEM_WATCHES",
     .key = "watches",
     .kind = SettingKind::kNumber,
     .summary = "The most folders that a server watches for changes; unset: all",
     .least = 0,
     .most = kMany,
     .project = ProjectRule::kLowers},
    {.name = "CODEXMEM_UNCHECKED",
     .key = "unchecked",
     .kind = SettingKind::kChoice,
     .summary = "When `check --hook` could check nothing: pass or fail; strict: fail if not all",
     .usual = "pass",
     .choices = "pass|fail|strict"},
    {.name = "CODEXMEM_CHECK_SECONDS",
     .key = "checkSeconds",
     .kind = SettingKind::kNumber,
     .summary = "How long `check --hook` may index, in seconds",
     .usual = "30",
     .least = 0,
     .most = 86'400},
    {.name = "CODEXMEM_LOG",
     .key = "log",
     .kind = SettingKind::kChoice,
     .summary = "What is logged to standard error",
     .usual = "warn",
     .choices = "debug|info|warn|error|off"},

    {.name = "CODEXMEM_PACK",
     .key = "pack",
     .summary = "A pack for codexmem index and a server's first index: a file or an https address"},

    {.name = "CODEXMEM_CODE_SECRETS",
     .key = "codeSecrets",
     .kind = SettingKind::kChoice,
     .summary = "Secrets in code that answers quote; shown: as the files have them",
     .usual = "masked",
     .choices = "masked|shown"},

    // Vectors of code and memory.
    {.name = "CODEXMEM_EMBEDDING_PROVIDER",
     .key = "embeddingProvider",
     .kind = SettingKind::kChoice,
     .summary = "Who makes vectors; unset: openai if a model is named, else builtin",
     .choices = "builtin|openai|none",
     .project = ProjectRule::kChoices,
     .project_choices = "builtin|none"},
    {.name = "CODEXMEM_OPENAI_EMBEDDING_MODEL",
     .key = "openaiEmbeddingModel",
     .summary = "The embedding model, as its endpoint knows it"},
    {.name = "CODEXMEM_OPENAI_EMBEDDING_BASE_URL",
     .key = "openaiEmbeddingBaseUrl",
     .kind = SettingKind::kUrl,
     .summary = "Its endpoint, up to /v1; unset: openaiBaseUrl, else OpenAI's own"},
    {.name = "CODEXMEM_OPENAI_EMBEDDING_API_KEY",
     .key = "openaiEmbeddingApiKey",
     .kind = SettingKind::kSecret,
     .summary = "Its key; unset: openaiApiKey, else OPENAI_API_KEY"},
    {.name = "CODEXMEM_VECTOR_BACKEND",
     .key = "vectorBackend",
     .kind = SettingKind::kChoice,
     .summary = "Where vectors of the memory are searched",
     .usual = "sqlite",
     .choices = "sqlite|chroma|hybrid"},
    {.name = "CODEXMEM_CHROMA_URL",
     .key = "chromaUrl",
     .kind = SettingKind::kUrl,
     .summary = "The Chroma server of the backends chroma and hybrid"},
    {.name = "CODEXMEM_CHROMA_COLLECTION",
     .key = "chromaCollection",
     .summary = "One collection for all projects; unset: each has its own"},
    {.name = "CODEXMEM_CHROMA_TOKEN",
     .key = "chromaToken",
     .kind = SettingKind::kSecret,
     .summary = "Sent to Chroma as x-chroma-token"},
    {.name = "CODEXMEM_FLEET_URL",
     .key = "fleetUrl",
     .kind = SettingKind::kUrl,
     .summary = "The Chroma server of an organisation's index, or several with commas between"},
    {.name = "CODEXMEM_FLEET_TOKEN",
     .key = "fleetToken",
     .kind = SettingKind::kSecret,
     .summary = "What these are sent as x-chroma-token"},
    {.name = "CODEXMEM_FLEET_REPOSITORIES",
     .key = "fleetRepositories",
     .kind = SettingKind::kList,
     .summary = "Repositories of it that may be seen, by name or glob; unset: all"},

    // Decisions.
    {.name = "CODEXMEM_ROLE",
     .key = "role",
     .kind = SettingKind::kChoice,
     .summary = "The role of the decision tools; unset: agent (in the shell admin) with a secret",
     .choices = "viewer|agent|admin",
     .project = ProjectRule::kChoices,
     .project_choices = "viewer"},
    {.name = "AGENT_MEMORY_SECRET",
     .key = "agentMemorySecret",
     .kind = SettingKind::kSecret,
     .summary = "Without it decisions can only be read"},
    {.name = "AGENT_MEMORY_SECRET_SHA256",
     .key = "agentMemorySecretSha256",
     .kind = SettingKind::kSecret,
     .summary = "What the secret must be, as a SHA-256"},
    {.name = "CODEXMEM_DECISION_COOLDOWN_MS",
     .key = "decisionCooldownMs",
     .kind = SettingKind::kNumber,
     .summary = "Time between two decisions, in milliseconds",
     .usual = "2000",
     .least = 0,
     .most = 4'294'967'295},
    {.name = "CODEXMEM_DECISIONS_DIR",
     .key = "decisionsDir",
     .kind = SettingKind::kPath,
     .summary = "A folder where decisions are written as files, too"},

    // The worker and the events that hooks send to it.
    {.name = "CODEXMEM_WORKER_PORT",
     .key = "workerPort",
     .kind = SettingKind::kNumber,
     .summary = "Where the worker listens; 0: any free port",
     .usual = "37877",
     .least = 0,
     .most = 65'535},
    {.name = "CODEXMEM_PROVIDER",
     .key = "provider",
     .kind = SettingKind::kChoice,
     .summary =
         "Who makes observations; unset: openai if anything of its model is set, else rule-based",
     .choices = "openai|rule-based"},
    {.name = "CODEXMEM_OPENAI_MODEL",
     .key = "openaiModel",
     .summary = "The model that makes observations"},
    {.name = "CODEXMEM_OPENAI_BASE_URL",
     .key = "openaiBaseUrl",
     .kind = SettingKind::kUrl,
     .summary = "Its endpoint, up to /v1; unset: OpenAI's own"},
    {.name = "CODEXMEM_OPENAI_API_KEY",
     .key = "openaiApiKey",
     .kind = SettingKind::kSecret,
     .summary = "Its key; unset: OPENAI_API_KEY"},
    {.name = "CODEXMEM_OPENAI_TIMEOUT",
     .key = "openaiTimeout",
     .kind = SettingKind::kNumber,
     .summary = "How long one call of it may take, in seconds",
     .usual = "45",
     .least = 1,
     .most = 600},
    {.name = "CODEXMEM_TOKEN_BUDGET",
     .key = "tokenBudget",
     .kind = SettingKind::kNumber,
     .summary = "Tokens that observations may take in a day; 0: no limit",
     .usual = "0",
     .least = 0,
     .most = kMany},
    {.name = "CODEXMEM_FALLBACK",
     .key = "fallback",
     .kind = SettingKind::kChoice,
     .summary = "What makes an observation when the model cannot; none: it waits as failed",
     .usual = "rule-based",
     .choices = "rule-based|none"},
    {.name = "CODEXMEM_SKIP_TOOLS",
     .key = "skipTools",
     .kind = SettingKind::kList,
     .summary = "Tools whose use is not captured, by their exact names",
     .usual = "ListMcpResourcesTool,SlashCommand,Skill,TodoWrite,AskUserQuestion,update_plan",
     .project = ProjectRule::kAdds},
    {.name = "CODEXMEM_EXCLUDED_PROJECTS",
     .key = "excludedProjects",
     .kind = SettingKind::kList,
     .summary = "Projects of which nothing is captured, by name or glob",
     .project = ProjectRule::kAdds},

    // Only from the environment.
    {.name = "CODEXMEM_DATA_DIR",
     .kind = SettingKind::kPath,
     .summary = "The folder of the user's memory and settings",
     .usual = "~/.codexmem"},
    {.name = "OPENAI_API_KEY",
     .kind = SettingKind::kSecret,
     .summary =
         "The key of a model that a setting above chooses; it does not choose one by itself"},
};

constexpr std::size_t kRowCount = std::size(kRows);

// The problem reported for a repository's settings file that is a link.
constexpr std::string_view kNotFollowed = "is a symbolic link, which is not followed";

std::size_t index_of(const SettingRow& row) { return static_cast<std::size_t>(&row - kRows); }

bool is_choice(std::string_view choices, std::string_view text) {
  return std::ranges::count(split(choices, '|'), text) > 0;
}

// "all or project", "builtin, openai or none"
std::string in_words(std::string_view choices) {
  std::string words;
  const auto all = split(choices, '|');
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) words += i + 1 == all.size() ? " or " : ", ";
    words += all[i];
  }
  return words;
}

Error invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string home() { return setting_of_environment("HOME"); }

// A value in a file, written as in the environment. Errors: kInvalidArgument.
Result<std::string> read_json(const SettingRow& row, const Json& value) {
  if (value.is_null()) return std::string();
  if (row.kind == SettingKind::kNumber) {
    if (value.is_number_integer()) return read_setting_text(row, value.dump());
    if (value.is_number()) return invalid("must be a whole number");
  }
  if (row.kind == SettingKind::kList && value.is_array()) {
    std::vector<std::string> items;
    for (const Json& item : value) {
      if (!item.is_string()) return invalid("must be a list of strings");
      std::string text(trim(item.get_ref<const std::string&>()));
      if (text.find(',') != std::string::npos) {
        return invalid("an item of the list must hold no comma");
      }
      if (!text.empty()) items.push_back(std::move(text));
    }
    return read_setting_text(row, join(items, ","));
  }
  if (value.is_string()) return read_setting_text(row, value.get_ref<const std::string&>());
  switch (row.kind) {
    case SettingKind::kNumber:
      return invalid("must be a number");
    case SettingKind::kList:
      return invalid("must be a list of strings");
    default:
      return invalid("must be a string");
  }
}

// The line of byte `at` in `text`, from 1.
std::size_t line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

std::string unknown_key(const std::string& key) {
  if (const SettingRow* named = find_setting(key); named != nullptr) {
    if (named->key.empty()) return "can be set only in the environment";
    return fmt::format("is the name in the environment; in a file it is \"{}\"", named->key);
  }
  std::vector<std::string> keys;
  for (const SettingRow& row : kRows) {
    if (!row.key.empty()) keys.emplace_back(row.key);
  }
  const auto near = nearest(key, keys);
  return near ? fmt::format("there is no such setting; did you mean \"{}\"?", *near)
              : std::string("there is no such setting");
}

// A settings file as an object, or the problem with the whole file.
struct ParsedFile {
  Json object;
  std::string problem;
};
ParsedFile parse_file(const std::string& text) {
  const std::string plain = strip_json_comments(text);
  if (trim(plain).empty()) return {Json::object(), ""};
  try {
    Json object = Json::parse(plain);
    if (!object.is_object()) return {nullptr, "must be a JSON object"};
    return {std::move(object), ""};
  } catch (const Json::parse_error& error) {
    return {nullptr, fmt::format("is not JSON: line {}", line_of(plain, error.byte))};
  } catch (const Json::exception&) {
    return {nullptr, "holds a number that is too large"};
  }
}

}  // namespace

std::span<const SettingRow> setting_rows() { return kRows; }

const SettingRow* find_setting(std::string_view name_or_key) {
  if (name_or_key.empty()) return nullptr;
  const auto* const found = std::ranges::find_if(kRows, [&](const SettingRow& row) {
    return row.name == name_or_key || row.key == name_or_key;
  });
  return found == std::end(kRows) ? nullptr : found;
}

Result<std::string> read_setting_text(const SettingRow& row, std::string_view given) {
  const std::string_view text = trim(given);
  if (text.empty()) return std::string();
  if (text.size() > kMaxTextBytes) {
    return invalid(fmt::format("must have at most {} bytes", kMaxTextBytes));
  }
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    return invalid("must hold no control characters");
  }
  switch (row.kind) {
    case SettingKind::kText:
    case SettingKind::kSecret:
      break;
    case SettingKind::kNumber: {
      const auto number = read_number(text);
      if (number && *number >= row.least && *number <= row.most) return std::to_string(*number);
      return invalid(row.most == kMany ? fmt::format("must be a whole number from {} on", row.least)
                                       : fmt::format("must be a whole number from {} to {}",
                                                     row.least, row.most));
    }
    case SettingKind::kList:
      return join(read_comma_list(text), ",");
    case SettingKind::kChoice:
      if (!is_choice(row.choices, text)) {
        return invalid(fmt::format("must be {}", in_words(row.choices)));
      }
      break;
    case SettingKind::kUrl: {
      const auto at = text.find("://");
      const bool is_http = text.starts_with("http://") || text.starts_with("https://");
      if (!is_http || text.size() == at + 3 || text[at + 3] == '/') {
        return invalid("must be an http:// or https:// address");
      }
      break;
    }
    case SettingKind::kPath: {
      std::string path(text);
      if (path == "~" || path.starts_with("~/")) path.replace(0, 1, home());
      if (!path.starts_with('/')) return invalid("must be an absolute path, or begin with ~/");
      return path;
    }
  }
  return std::string(text);
}

std::string why_not_of_project(const SettingRow& row, std::string_view text) {
  if (row.project == ProjectRule::kNever) {
    return "may not be set by a repository; set it in your settings.json or the environment";
  }
  if (row.project == ProjectRule::kChoices && !text.empty() &&
      !is_choice(row.project_choices, text)) {
    return fmt::format("may be set only to {} by a repository", in_words(row.project_choices));
  }
  return {};
}

std::string shown_setting(const SettingRow& row, std::string_view value) {
  if (value.empty()) return {};
  if (row.kind == SettingKind::kSecret) return "set";
  if (row.kind != SettingKind::kUrl) return std::string(value);
  if (const auto comma = value.find(','); comma != std::string_view::npos) {
    return fmt::format("{},{}", shown_setting(row, value.substr(0, comma)),
                       shown_setting(row, value.substr(comma + 1)));
  }
  const auto begin = value.find("://");
  if (begin == std::string_view::npos) return std::string(value);
  const std::string_view rest = value.substr(begin + 3);
  const auto at = rest.substr(0, rest.find('/')).rfind('@');
  if (at == std::string_view::npos) return std::string(value);
  return fmt::format("{}://...{}", value.substr(0, begin), rest.substr(at));
}

std::string setting_of_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(trim(value));
}

std::string_view setting_origin_name(SettingOrigin origin) {
  switch (origin) {
    case SettingOrigin::kDefault:
      return "default";
    case SettingOrigin::kUser:
      return "user";
    case SettingOrigin::kProject:
      return "project";
    case SettingOrigin::kEnvironment:
      return "environment";
  }
  return "default";
}

std::string SettingProblem::text() const {
  return name.empty() ? fmt::format("{}: {}", place, what)
                      : fmt::format("{}: {}: {}", place, name, what);
}

fs::path user_settings_file() {
  const fs::path directory = user_directory();
  return directory.empty() || directory.is_relative() ? fs::path() : directory / kUserSettingsName;
}

Settings Settings::load(const SettingFiles& files, const ReadSetting& environment) {
  Settings settings;
  settings.files_ = files;
  settings.rows_.resize(kRowCount);
  for (std::size_t i = 0; i < kRowCount; ++i) {
    std::string& value = settings.rows_[i].environment;
    value = environment(kRows[i].name.data());
    if (value.empty()) continue;
    // Readers of the setting refuse or ignore a wrong value, as they always did.
    if (const auto read = read_setting_text(kRows[i], value); !read.ok()) {
      settings.problems_.push_back({SettingOrigin::kEnvironment, "the environment",
                                    std::string(kRows[i].name), read.error().message()});
    }
  }
  settings.read_file_of(SettingOrigin::kProject, files.project);
  settings.read_file_of(SettingOrigin::kUser, files.user);
  settings.keep_isolation();
  settings.settle();
  return settings;
}

void Settings::read_file_of(SettingOrigin origin, const fs::path& path) {
  if (path.empty()) return;
  const auto problem = [&](std::string name, std::string what) {
    problems_.push_back({origin, path.string(), std::move(name), std::move(what)});
  };
  const bool is_of_project = origin == SettingOrigin::kProject;
  std::error_code failed;
  if (is_of_project && fs::is_symlink(fs::symlink_status(path, failed))) {
    return problem("", std::string(kNotFollowed));
  }
  const auto text = read_file(path, kMaxFileBytes);
  if (!text.ok()) {
    if (text.error().code() == ErrorCode::kNotFound) return;
    return problem("",
                   text.error().code() == ErrorCode::kUnsupported
                       ? fmt::format("is not a regular file of at most {} KB", kMaxFileBytes >> 10)
                       : "cannot be read");
  }
  const ParsedFile parsed = parse_file(*text);
  if (!parsed.problem.empty()) return problem("", parsed.problem);
  for (const auto& [key, value] : parsed.object.items()) {
    if (key == "$schema") continue;
    const SettingRow* const row = find_setting(key);
    if (row == nullptr || row->key != key) {
      problem(std::string(utf8_prefix(key, 60)), unknown_key(key));
      continue;
    }
    auto read = read_json(*row, value);
    // Report first that the key is not allowed there: its value must not be shown.
    std::string why = is_of_project && (row->project == ProjectRule::kNever || read.ok())
                          ? why_not_of_project(*row, read.ok() ? *read : std::string())
                          : std::string();
    if (why.empty() && !read.ok()) why = read.error().message();
    if (!why.empty()) {
      problem(key, std::move(why));
      continue;
    }
    (is_of_project ? rows_[index_of(*row)].project : rows_[index_of(*row)].user) = *std::move(read);
  }
}

// If projects must not see each other, a repository may not choose its own project.
void Settings::keep_isolation() {
  Row& scope = rows_[index_of(*find_setting("scope"))];
  Row& project = rows_[index_of(*find_setting("project"))];
  const std::string& wanted = scope.environment.empty() ? scope.user : scope.environment;
  if (wanted != "project" || project.project.empty()) return;
  project.project.clear();
  problems_.push_back({SettingOrigin::kProject, files_.project.string(), "project",
                       "may not be set by a repository while the scope is \"project\""});
}

void Settings::settle() {
  for (std::size_t i = 0; i < kRowCount; ++i) {
    Row& row = rows_[i];
    const bool has_environment = !row.environment.empty();
    row.value = has_environment ? row.environment : row.user;
    row.origin = has_environment      ? SettingOrigin::kEnvironment
                 : !row.value.empty() ? SettingOrigin::kUser
                                      : SettingOrigin::kDefault;
    if (row.project.empty()) continue;
    switch (kRows[i].project) {
      case ProjectRule::kNever:
        break;
      case ProjectRule::kAny:
      case ProjectRule::kChoices:
        if (has_environment) break;
        row.value = row.project;
        row.origin = SettingOrigin::kProject;
        break;
      case ProjectRule::kAdds: {
        // Restrict the default as well.
        std::vector<std::string> items =
            read_comma_list(row.value.empty() ? kRows[i].usual : std::string_view(row.value));
        const std::size_t before = items.size();
        for (std::string& item : read_comma_list(row.project)) {
          if (std::ranges::count(items, item) == 0) items.push_back(std::move(item));
        }
        if (items.size() == before) break;
        row.value = join(items, ",");
        row.origin = SettingOrigin::kProject;
        break;
      }
      case ProjectRule::kLowers: {
        const auto given = read_number(row.value);
        if (given && *given <= *read_number(row.project)) break;
        row.value = row.project;
        row.origin = SettingOrigin::kProject;
        break;
      }
    }
  }
}

const Settings::Row& Settings::row_of(std::string_view name) const {
  const SettingRow* const row = find_setting(name);
  CODEXMEM_CHECK(row != nullptr);
  return rows_[index_of(*row)];
}

std::string Settings::value(std::string_view name) const { return row_of(name).value; }

SettingOrigin Settings::origin(std::string_view name) const { return row_of(name).origin; }

std::string Settings::why_unknown(std::string_view name) const {
  const SettingRow* const row = find_setting(name);
  if (row == nullptr || !row_of(name).environment.empty()) return {};
  for (const SettingProblem& problem : problems_) {
    const bool is_file = problem.name.empty();
    if (!is_file && problem.name != row->key) continue;
    // A setting that a repository may not set had no effect, whatever its value.
    const bool is_refused =
        problem.origin == SettingOrigin::kProject &&
        problem.what == (is_file ? kNotFollowed : why_not_of_project(*row, "?"));
    if (!is_refused) return problem.text();
  }
  return {};
}

std::string Settings::project_value(std::string_view name) const { return row_of(name).project; }

Settings Settings::of_user() const {
  Settings user = *this;
  user.files_.project.clear();
  for (Row& row : user.rows_) row.project.clear();
  std::erase_if(user.problems_,
                [](const SettingProblem& each) { return each.origin == SettingOrigin::kProject; });
  user.settle();
  return user;
}

ReadSetting Settings::reader() const {
  return [settings = *this](const char* name) { return settings.value(name); };
}

}  // namespace codexmem
