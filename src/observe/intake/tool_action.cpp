// Tested by observe/rule_based_provider_test.cpp.
#include "observe/intake/tool_action.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <initializer_list>

#include "config/git_root.h"
#include "text/parse_json.h"
#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxActionFiles = 100;
constexpr std::size_t kMaxPathBytes = 1'000;
constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;  // of an output, and of a file
constexpr int kMaxArgumentDepth = 8;                         // of an answer

using Names = std::initializer_list<std::string_view>;

// Names of tools, in lower case, letters and digits only.
constexpr struct {
  ActionKind kind;
  std::string_view names;
} kToolNames[] = {
    {ActionKind::kRead,
     "read readfile readmanyfiles viewfile view openfile notebookread viewimage"},
    {ActionKind::kSearch,
     "grep grepsearch grepfiles ripgrep codebasesearch semanticsearch "
     "searchfilecontent searchfiles search"},
    {ActionKind::kFind, "glob globfilesearch filesearch ls list listdir listdirectory listfiles"},
    {ActionKind::kEdit,
     "edit multiedit write notebookedit writefile editfile createfile deletefile "
     "delete searchreplace replace strreplace strreplaceeditor "
     "strreplacebasededittool applypatch applydiff patch"},
    {ActionKind::kCommand,
     "bash shell localshell shellcommand execcommand containerexec runshellcommand "
     "runterminalcmd runterminalcommand runcommand executecommand terminal "
     "powershell"},
    {ActionKind::kFetch, "webfetch fetch"},
    {ActionKind::kWebSearch, "websearch googlewebsearch"},
    {ActionKind::kAgent, "task agent spawnagent"},
};

// Arguments by any of the names that hosts give them.
const Names kPathNames = {
    "file_path",    "filePath", "path",          "target_file", "notebook_path",
    "notebookPath", "file",     "absolute_path", "filename",    "relative_workspace_path"};
const Names kOldNames = {"old_string", "oldString", "old_str", "oldText", "old_text", "search"};
const Names kNewNames = {"new_string", "newString", "new_str", "newText", "new_text", "replace"};
const Names kContentNames = {"content", "contents", "file_text", "fileText", "text", "code_edit"};
const Names kQueryNames = {"pattern", "query", "regex", "search_term", "glob_pattern", "q"};
const Names kWhereNames = {"path",
                           "relative_workspace_path",
                           "dir_path",
                           "directory",
                           "target_directory",
                           "dir",
                           "include",
                           "glob"};

std::string plain_name(std::string_view name) {
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
  }
  std::string plain;
  for (const char c : to_lower_ascii(name)) {
    if (c != '_' && c != '-' && c != ' ') plain += c;
  }
  return plain;
}

const Json* find_any(const Json& object, const Names& names) {
  for (const std::string_view name : names) {
    if (const Json* value = find_member(object, name); value != nullptr && !value->is_null())
      return value;
  }
  return nullptr;
}

std::optional<std::string> find_text(const Json& object, const Names& names) {
  for (const std::string_view name : names) {
    const Json* value = find_member(object, name);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
  }
  return std::nullopt;
}
std::string text_of(const Json& object, const Names& names) {
  return find_text(object, names).value_or("");
}

std::optional<std::size_t> find_number(const Json& object, const Names& names) {
  const Json* value = find_any(object, names);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  const auto number = value->get<std::int64_t>();
  return number < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(number));
}

bool is_true(const Json& object, const Names& names) {
  const Json* value = find_any(object, names);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

// The text in a tool's answer: a string, blocks of content, what went to both outputs, ...
void append_text(const Json& value, int depth, std::string& text) {
  if (text.size() > kMaxTextBytes || depth > kMaxArgumentDepth) return;
  if (value.is_string()) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += utf8_prefix(value.get_ref<const std::string&>(), kMaxTextBytes);
  } else if (value.is_array()) {
    for (const Json& item : value) append_text(item, depth + 1, text);
  } else if (value.is_object()) {
    bool any = false;
    for (const std::string_view name :
         {"stdout", "stderr", "output", "aggregated_output", "content", "text", "result", "results",
          "message", "error", "title", "url", "snippet"}) {
      if (const Json* part = find_member(value, name); part != nullptr && !part->is_null()) {
        append_text(*part, depth + 1, text);
        any = any || part->is_string() || part->is_structured();
      }
    }
    if (!any && depth <= 1 && !value.empty()) {
      text += utf8_prefix(dump_json(value), 4'000);
    }
  }
}

std::optional<int> number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  while (!text.empty() && (text[0] == ' ' || text[0] == ':')) text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// "Exit code: 1\nWall time: 2 seconds\nOutput:\n...": takes the head off.
void read_output_head(ToolAction& action) {
  const std::string_view head = std::string_view(action.output).substr(0, 400);
  const std::string_view first = head.substr(0, head.find("\n\n"));
  for (const std::string_view name : {"Exit code", "exited with code", "exit_code", "exit code",
                                      "Exit Code", "status code", "exit status"}) {
    if (action.exit_code) break;
    action.exit_code = number_after(first, name);
  }
  const std::size_t body = head.find("Output:\n");
  if (body != std::string_view::npos && (body == 0 || head[body - 1] == '\n')) {
    action.output.erase(0, body + 8);
  } else if (head.starts_with("Exit code ") || head.starts_with("Error: Exit code ")) {
    action.output.erase(0, std::min(head.find('\n'), head.size() - 1) + 1);
  }
}

class ActionReader {
 public:
  ActionReader(const ToolEvent& event, const FindRoot& find_root)
      : event_(event),
        input_(parse_json(event.input)),
        response_(parse_json(event.response)),
        root_(event.cwd.empty() ? "" : find_root(event.cwd)) {
    if (input_.is_string()) {
      // Free-form tools are given one text.
      raw_input_ = input_.get<std::string>();
      if (Json inner = parse_json(raw_input_); inner.is_object()) input_ = std::move(inner);
    } else if (input_.is_discarded()) {
      raw_input_ = event.input;
    }
    if (response_.is_discarded()) response_ = Json(event.response);
    if (response_.is_string() && response_.get_ref<const std::string&>().starts_with('{')) {
      if (Json inner = parse_json(response_.get_ref<const std::string&>()); inner.is_object()) {
        response_ = std::move(inner);
      }
    }
    if (root_.empty()) root_ = event.cwd;
  }

  ToolAction read() {
    action_.cwd = event_.cwd;
    action_.root = root_;
    read_name();
    read_response();
    switch (action_.kind) {
      case ActionKind::kRead:
        read_read();
        break;
      case ActionKind::kSearch:
      case ActionKind::kFind:
        read_search();
        break;
      case ActionKind::kEdit:
        read_edit();
        break;
      case ActionKind::kCommand:
        read_command();
        break;
      case ActionKind::kFetch:
        action_.url = text_of(input_, {"url", "uri"});
        action_.query = text_of(input_, {"prompt"});
        if (action_.url.empty()) action_.kind = ActionKind::kOther;
        break;
      case ActionKind::kWebSearch:
        action_.query = text_of(input_, {"query", "q", "search_term"});
        break;
      case ActionKind::kAgent:
        action_.description = text_of(input_, {"description", "title"});
        action_.query = text_of(input_, {"prompt", "message", "task"});
        break;
      case ActionKind::kOther:
        break;
    }
    if (action_.kind == ActionKind::kOther) read_other();
    return std::move(action_);
  }

 private:
  void read_name() {
    const std::string_view name = event_.tool_name;
    action_.tool = std::string(utf8_prefix(name, 120));
    if (name.starts_with("mcp__")) {
      const std::size_t end = name.find("__", 5);
      if (end != std::string_view::npos) {
        action_.tool =
            std::string(name.substr(5, end - 5)) + ": " + std::string(name.substr(end + 2));
      }
      return;
    }
    const std::string plain = plain_name(name);
    for (const auto& [kind, names] : kToolNames) {
      if (std::ranges::count(split(names, ' '), std::string_view(plain)) > 0) action_.kind = kind;
    }
    // The editor tools that do several things say which.
    const std::string verb = text_of(input_, {"command"});
    if (action_.kind == ActionKind::kEdit && verb == "view") action_.kind = ActionKind::kRead;
    if (action_.kind != ActionKind::kOther) return;
    // Unknown: by its arguments.
    if (find_any(input_, kPathNames) != nullptr &&
        (find_any(input_, kOldNames) != nullptr || find_member(input_, "edits") != nullptr)) {
      action_.kind = ActionKind::kEdit;
    } else if (find_any(input_, {"command", "cmd"}) != nullptr) {
      action_.kind = ActionKind::kCommand;
    } else if (holds_patch(raw_input_)) {
      action_.kind = ActionKind::kEdit;
    }
  }

  void read_response() {
    if (const Json* code =
            find_any(response_, {"exit_code", "exitCode", "returncode", "returnCode"});
        code != nullptr && code->is_number_integer()) {
      action_.exit_code = code->get<int>();
    } else if (const Json* metadata = find_member(response_, "metadata")) {
      const Json* inner = find_any(*metadata, {"exit_code", "exitCode"});
      if (inner != nullptr && inner->is_number_integer()) action_.exit_code = inner->get<int>();
    }
    const Json* error = find_member(response_, "error");
    const Json* success = find_member(response_, "success");
    action_.was_interrupted = is_true(response_, {"interrupted", "is_interrupt"});
    action_.has_failed = action_.was_interrupted || is_true(response_, {"is_error", "isError"}) ||
                         (error != nullptr && error->is_string() && !error->empty() &&
                          !error->get_ref<const std::string&>().empty()) ||
                         (success != nullptr && success->is_boolean() && !success->get<bool>());
    append_text(response_, 0, action_.output);
    if (action_.kind == ActionKind::kCommand || action_.kind == ActionKind::kEdit) {
      read_output_head(action_);
    }
    if (action_.exit_code && *action_.exit_code != 0) action_.has_failed = true;
    if (action_.output.starts_with("Error: ") || action_.output.starts_with("<tool_use_error>")) {
      action_.has_failed = true;
    }
  }

  std::string shown(std::string_view path) const {
    return shown_path(utf8_prefix(path, kMaxPathBytes), event_.cwd, root_);
  }

  void add_file(std::string_view path) {
    if (path.empty() || action_.files.size() >= kMaxActionFiles) return;
    std::string file = shown(path);
    if (std::find(action_.files.begin(), action_.files.end(), file) == action_.files.end()) {
      action_.files.push_back(std::move(file));
    }
  }

  void read_read() {
    if (const auto path = find_text(input_, kPathNames)) add_file(*path);
    if (const Json* paths = find_any(input_, {"paths", "files", "file_paths"});
        paths != nullptr && paths->is_array()) {
      for (const Json& path : *paths) {
        if (path.is_string()) {
          add_file(path.get_ref<const std::string&>());
        } else {
          add_file(text_of(path, kPathNames));
        }
      }
    }
    if (action_.files.empty()) {
      action_.kind = ActionKind::kOther;
      return;
    }
    action_.first_line =
        find_number(input_, {"offset", "start_line", "startLine", "start_line_one_indexed"});
    action_.line_count = find_number(input_, {"limit", "num_lines"});
    const Json* file = find_member(response_, "file");
    if (file == nullptr) return;
    action_.first_line = find_number(*file, {"startLine"});
    action_.line_count = find_number(*file, {"numLines"});
    action_.total_lines = find_number(*file, {"totalLines"});
    if (action_.first_line.value_or(1) <= 1 &&
        (!action_.total_lines || action_.line_count.value_or(0) >= *action_.total_lines)) {
      action_.content = utf8_prefix(text_of(*file, {"content"}), kMaxTextBytes);
    }
  }

  void read_search() {
    action_.query = text_of(input_, kQueryNames);
    const Names where_names = kWhereNames;
    for (const std::string_view name : where_names) {
      const std::string where = text_of(input_, {name});
      if (where.empty() || where == action_.query) continue;
      action_.where = shown(where);
      break;
    }
    if (action_.where == ".") action_.where.clear();
    if (const Json* names = find_any(response_, {"filenames", "files", "matches"});
        names != nullptr && names->is_array()) {
      for (const Json& name : *names) {
        if (name.is_string()) add_file(name.get_ref<const std::string&>());
      }
      action_.found = names->size();
    }
    if (const auto count = find_number(response_, {"numFiles", "numMatches", "count"})) {
      action_.found = std::max(count, action_.found);
    }
    if (!action_.found || *action_.found == 0) {
      // "path:12:text" or a path a line.
      std::size_t lines = 0;
      for (const std::string_view line : split(action_.output, '\n')) {
        if (trim(line).empty()) continue;
        ++lines;
        if (lines > 5'000) break;
        const std::string_view path = line.substr(0, line.find(':'));
        if (path.size() < 300 && path.find('/') != std::string_view::npos &&
            path.find(' ') == std::string_view::npos) {
          add_file(path);
        }
      }
      const std::string head = to_lower_ascii(std::string_view(action_.output).substr(0, 60));
      if (head.starts_with("no ") || head.find("not found") != std::string::npos ||
          (lines == 0 && !response_.is_null())) {
        action_.found = 0;
      } else if (!action_.files.empty()) {
        action_.found = action_.files.size();
      }
    }
  }

  void read_command() {
    const Json* command = find_any(input_, {"command", "cmd", "script"});
    if (command != nullptr && command->is_string()) {
      action_.command = command->get<std::string>();
    } else if (command != nullptr && command->is_array()) {
      std::vector<std::string> words;
      for (const Json& word : *command) {
        if (word.is_string()) words.push_back(word.get<std::string>());
      }
      const bool is_shell = words.size() >= 3 && (words[1] == "-lc" || words[1] == "-c");
      action_.command = is_shell ? words[2] : join(words, " ");
    } else if (!raw_input_.empty()) {
      action_.command = raw_input_;
    }
    if (const auto directory = find_text(input_, {"workdir", "cwd", "directory"})) {
      action_.where = shown(*directory);
    }
    action_.description = text_of(input_, {"description", "explanation", "justification"});
    if (holds_patch(action_.command)) {
      action_.kind = ActionKind::kEdit;
      take_patch(action_.command);
    } else if (trim(action_.command).empty()) {
      action_.kind = ActionKind::kOther;
    }
  }

  void take_patch(std::string_view text) {
    for (FileEdit& edit : read_patch(text)) {
      edit.path = shown(edit.path);
      if (!edit.moved_to.empty()) edit.moved_to = shown(edit.moved_to);
      action_.edits.push_back(std::move(edit));
    }
  }

  // Puts `edits` (pairs of an old and a new text) on `edit`: on the whole file where it is known.
  void take_replacements(const std::vector<const Json*>& pairs, FileEdit& edit) {
    const auto original = find_text(response_, {"originalFile", "originalFileContents"});
    TextChange whole;
    bool is_whole = original.has_value() && original->size() <= kMaxEditBytes;
    if (is_whole) whole.before = whole.after = *original;
    std::vector<TextChange> parts;
    std::size_t work = 0;
    for (const Json* pair : pairs) {
      TextChange part;
      part.before = text_of(*pair, kOldNames);
      part.after = text_of(*pair, kNewNames);
      work += whole.after.size() + part.after.size();
      if (is_whole && !part.before.empty() && work < 20 * kMaxEditBytes) {
        const bool all = is_true(*pair, {"replace_all", "replaceAll"});
        std::string replaced;
        std::size_t at = 0;
        for (std::size_t next = whole.after.find(part.before); next != std::string::npos;
             next = whole.after.find(part.before, at)) {
          replaced.append(whole.after, at, next - at);
          replaced += part.after;
          at = next + part.before.size();
          if (!all || replaced.size() > 2 * kMaxEditBytes) break;
        }
        is_whole = at > 0;
        replaced.append(whole.after, at);
        whole.after = std::move(replaced);
      } else {
        is_whole = false;
      }
      if (parts.size() < kMaxEdits) parts.push_back(std::move(part));
    }
    if (is_whole) {
      whole.is_whole = true;
      edit.changes.push_back(std::move(whole));
    } else {
      edit.changes = std::move(parts);
    }
  }

  // Hunks as Claude Code gives them: {oldStart, newStart, lines: [" a", "-b", "+c"]}.
  bool take_hunks(FileEdit& edit) {
    const Json* hunks = find_member(response_, "structuredPatch");
    if (hunks == nullptr || !hunks->is_array() || hunks->empty()) return false;
    for (const Json& hunk : *hunks) {
      const Json* lines = find_member(hunk, "lines");
      if (lines == nullptr || !lines->is_array() || edit.changes.size() >= kMaxEdits) continue;
      TextChange& change = edit.changes.emplace_back();
      for (const Json& item : *lines) {
        if (!item.is_string()) continue;
        const std::string_view line = item.get_ref<const std::string&>();
        if (line.empty() || line[0] == '\\') continue;
        if (line[0] != '+') (change.before += line.substr(1)) += '\n';
        if (line[0] != '-') (change.after += line.substr(1)) += '\n';
      }
    }
    return !edit.changes.empty();
  }

  void read_edit() {
    std::string patch = raw_input_;
    if (patch.empty()) patch = text_of(input_, {"patch", "input", "diff", "command", "patchText"});
    if (holds_patch(patch)) return take_patch(patch);

    const auto path = find_text(input_, kPathNames);
    if (!path) {
      action_.kind = ActionKind::kOther;
      return;
    }
    FileEdit edit;
    edit.path = shown(*path);
    const std::string name = plain_name(event_.tool_name);
    const auto content = find_text(input_, kContentNames);
    std::vector<const Json*> pairs;
    if (const Json* edits = find_member(input_, "edits"); edits != nullptr && edits->is_array()) {
      for (const Json& pair : *edits) pairs.push_back(&pair);
    } else if (find_any(input_, kNewNames) != nullptr && find_any(input_, kOldNames) != nullptr) {
      pairs.push_back(&input_);
    }
    if (name.starts_with("delete")) {
      edit.is_deleted = true;
    } else if (const auto source = find_text(input_, {"new_source"})) {
      edit.changes.push_back({text_of(input_, {"old_source"}), *source, "", false});
      edit.is_deleted = false;
      if (text_of(input_, {"cell_type"}) != "markdown") edit.read_as = "cell.py";
    } else if (!pairs.empty()) {
      take_replacements(pairs, edit);
      const bool starts_empty = edit.changes.size() == 1 && edit.changes[0].before.empty();
      edit.is_new = starts_empty && (edit.changes[0].is_whole || pairs.size() == 1) &&
                    text_of(response_, {"originalFile"}).empty() && name != "strreplaceeditor";
      if (edit.is_new) edit.changes[0].is_whole = true;
    } else if (content) {
      take_content(*content, edit);
    } else if (const auto inserted = find_text(input_, {"insert_text", "new_str"})) {
      edit.changes.push_back({"", *inserted, "", false});
    } else if (!take_hunks(edit) && !name.starts_with("write") && !name.starts_with("edit") &&
               !name.starts_with("create")) {
      action_.kind = ActionKind::kOther;
      return;
    }
    action_.edits.push_back(std::move(edit));
  }

  void take_content(const std::string& content, FileEdit& edit) {
    const auto original = find_text(response_, {"originalFile"});
    const std::string type = text_of(response_, {"type"});
    const std::string head = to_lower_ascii(std::string_view(action_.output).substr(0, 200));
    if (original && type != "create") {
      edit.changes.push_back({*original, content, "", true});
    } else if (type == "create" || head.find("created") != std::string::npos ||
               plain_name(event_.tool_name) == "createfile") {
      edit.is_new = true;
      edit.changes.push_back({"", content, "", true});
    } else if (type != "update" || !take_hunks(edit)) {
      edit.is_before_known = false;
      edit.changes.push_back({"", content, "", true});
    }
  }

  // An unknown tool: its first short argument says what it was about.
  void read_other() {
    if (const auto path = find_text(input_, kPathNames)) {
      if (path->find('/') != std::string::npos || path->find('.') != std::string::npos) {
        add_file(*path);
      }
    }
    action_.query = text_of(input_, kQueryNames);
    action_.url = text_of(input_, {"url", "uri"});
    action_.description = text_of(input_, {"description", "title", "name"});
    if (!action_.query.empty() || !action_.description.empty() || !action_.url.empty() ||
        !input_.is_object()) {
      return;
    }
    for (const auto& item : input_.items()) {
      if (item.value().is_string() && !item.value().get_ref<const std::string&>().empty()) {
        action_.query = item.value().get<std::string>();
        return;
      }
    }
  }

  const ToolEvent& event_;
  Json input_, response_;
  std::string raw_input_;  // when it is one text
  std::string root_;
  ToolAction action_;
};

}  // namespace

std::string repository_root(const std::string& directory) {
  std::filesystem::path folder(directory);
  if (!folder.is_absolute()) return {};
  const std::filesystem::path root = git_root(folder);
  std::error_code failed;
  // As it is written: what tools report is below that.
  for (; !root.empty() && folder.has_relative_path(); folder = folder.parent_path()) {
    if (std::filesystem::equivalent(folder, root, failed)) return folder.string();
  }
  return root.string();
}

std::string shown_path(std::string_view path, std::string_view cwd, std::string_view root) {
  namespace fs = std::filesystem;
  if (path.find('\\') != std::string_view::npos && path.find('/') == std::string_view::npos) {
    std::string windows(path);
    std::replace(windows.begin(), windows.end(), '\\', '/');
    return windows;
  }
  if (path.find('\0') != std::string_view::npos)
    return std::string(path.substr(0, path.find('\0')));
  fs::path whole(path);
  if (whole.is_relative() && !cwd.empty()) whole = fs::path(cwd) / whole;
  whole = whole.lexically_normal();
  std::string shown = whole.generic_string();
  if (!root.empty()) {
    std::string base = fs::path(root).lexically_normal().generic_string();
    while (base.size() > 1 && base.ends_with('/')) base.pop_back();
    if (shown == base) return ".";
    if (shown.size() > base.size() && shown.starts_with(base) && shown[base.size()] == '/') {
      return shown.substr(base.size() + 1);
    }
  }
  return shown;
}

ToolAction read_action(const ToolEvent& event, const FindRoot& find_root) {
  return ActionReader(event, find_root).read();
}

}  // namespace codexmem::observe
