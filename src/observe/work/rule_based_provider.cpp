// A rule a kind of action. Every text is cut as it is put together, so that no event makes a long
// observation. What failed, but was no run of tests, build or check - a search that found nothing,
// a command that was mistyped - says nothing of a file.
//
// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/rule_based_provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "observe/work/edit_observation.h"
#include "observe/work/rule_based_summary.h"
#include "observe/work/rule_text.h"
#include "observe/work/run_observation.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxOutlineBytes = 128 << 10;

// "[main 1a2b3c4] subject": what git says when a commit is made; empty when it does not.
std::string_view commit_line(std::string_view output) {
  for (const std::string_view line : split(output.substr(0, 64U << 10), '\n')) {
    const std::size_t end = line.find("] ");
    if (!line.starts_with('[') || end == std::string_view::npos) continue;
    const std::string_view hash = line.substr(0, end).substr(line.substr(0, end).rfind(' ') + 1);
    if (hash.size() >= 7 && hash.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      return line;
    }
  }
  return {};
}

bool shows_failed_push(std::string_view output) {
  for (const std::string_view words :
       {"failed to push", "[rejected]", "[remote rejected]", "Could not read from remote",
        "does not appear to be a git repository", "has no upstream branch",
        "No configured push destination", "could not read Username", "unable to access"}) {
    if (output.find(words) != std::string_view::npos) return true;
  }
  return false;
}

bool is_check(CommandPurpose purpose) {
  return purpose == CommandPurpose::kTest || purpose == CommandPurpose::kBuild ||
         purpose == CommandPurpose::kLint;
}

class Observer {
 public:
  Observer(const ObserveRequest& request, EditReader& reader, RedRuns& red_runs)
      : request_(request), reader_(reader), red_runs_(red_runs) {}

  // One observation, or several of a line with several commands that matter. `before` is what was
  // observed of the session before.
  std::vector<Observation> observe(const ToolAction& action, std::int64_t at_ms,
                                   const std::vector<EarlierObservation>& before) {
    at_ms_ = at_ms;
    before_ = &before;
    switch (action.kind) {
      case ActionKind::kRead:
        return {of_read(action)};
      case ActionKind::kSearch:
      case ActionKind::kFind:
        return {of_search(action)};
      case ActionKind::kEdit:
        return {of_edit(action)};
      case ActionKind::kCommand:
        return of_commands(action);
      case ActionKind::kFetch:
        return {of_fetch(action)};
      case ActionKind::kWebSearch:
        return {of_web_search(action)};
      case ActionKind::kAgent:
        return {of_agent(action)};
      case ActionKind::kOther:
        break;
    }
    return {of_other(action)};
  }

 private:
  RunPlace place() const { return {request_.project, red_runs_, at_ms_}; }

  static Observation discovery(std::string title) {
    Observation observation;
    observation.type = "discovery";
    observation.title = std::move(title);
    observation.concepts = {"how-it-works"};
    return observation;
  }

  // What only looked.
  static Observation look(std::string title) {
    Observation observation = discovery(std::move(title));
    observation.is_routine = true;
    return observation;
  }

  Observation of_read(const ToolAction& action) {
    Observation observation = look("Read " + listed(action.files, kNamesInTitle));
    for (const std::string& file : action.files) add_file(observation.files_read, file);
    if (action.has_failed) {
      observation.title = "Could not read " + listed(action.files, kNamesInTitle);
      observation.narrative = shortened_line(action.output, 300);
      return observation;
    }
    const std::size_t first = action.first_line.value_or(1);
    if (action.line_count && *action.line_count > 0 &&
        (first > 1 || (action.total_lines && *action.line_count < *action.total_lines) ||
         !action.total_lines)) {
      observation.subtitle = fmt::format("lines {} to {}", first, first + *action.line_count - 1);
      if (action.total_lines) observation.subtitle += fmt::format(" of {}", *action.total_lines);
    } else if (action.total_lines) {
      observation.subtitle = counted(*action.total_lines, "line");
    }
    if (!action.content.empty() && action.content.size() <= kMaxOutlineBytes &&
        action.files.size() == 1) {
      const auto outline = reader_.outline(action.files[0], action.content);
      if (!outline.empty()) {
        observation.narrative = fmt::format("Declares {}.", listed(outline, kNamesInFact));
      }
    }
    return observation;
  }

  Observation of_search(const ToolAction& action) {
    const bool by_name = action.kind == ActionKind::kFind;
    std::string title;
    if (by_name && action.query.empty()) {
      title = fmt::format("Listed {}", action.where.empty() ? "the folder" : action.where);
    } else {
      title = fmt::format("{} \"{}\"", by_name ? "Looked for files" : "Searched for",
                          shortened_line(action.query, 80));
      if (!action.where.empty()) title += " in " + shorten(action.where, 80);
    }
    if (action.found) {
      title += *action.found == 0 ? ": nothing found"
                                  : ": " + counted(*action.found, by_name ? "file" : "hit");
    }
    Observation observation = look(std::move(title));
    // The place of a search is not a file that was read: it is shown in words.
    if (!action.files.empty() && action.found != 0U) {
      observation.narrative = fmt::format("Found in {}.", listed(action.files, kNamesInFact));
    }
    return observation;
  }

  Observation of_edit(const ToolAction& action) {
    if (action.edits.empty()) return of_other(action);
    if (action.has_failed) {
      std::vector<std::string> paths;
      for (const FileEdit& edit : action.edits) paths.push_back(edit.path);
      Observation observation =
          discovery(fmt::format("Could not edit {}", listed(paths, kNamesInTitle)));
      for (const std::string& path : paths) add_file(observation.files_read, path);
      observation.narrative = shortened_line(action.output, 300);
      observation.concepts = {"gotcha"};
      return observation;
    }
    return observe_edits(action.edits, reader_);
  }

  std::vector<Observation> of_commands(const ToolAction& action) {
    const ShellCommand command = read_command(action.command);
    std::vector<Observation> observations;
    if (command.purpose == CommandPurpose::kCommit && command.parts.size() > 1) {
      observations = of_commit_among(action, command);
    } else {
      observations.push_back(of_command(action, command));
    }
    Observation& first = observations.front();
    for (const std::string& path : command.files_read) {
      add_file(first.files_read, shown_path(path, action.cwd, action.root));
    }
    if (!action.has_failed) {
      for (const std::string& path : command.files_modified) {
        add_file(first.files_modified, shown_path(path, action.cwd, action.root));
      }
    }
    if (first.subtitle.empty()) first.subtitle = shortened_line(action.description, 200);
    return observations;
  }

  // A line such as `npm test && git commit -m x && git push`: the run, the commit, and what failed.
  std::vector<Observation> of_commit_among(const ToolAction& action, const ShellCommand& command) {
    std::size_t commit = 0;
    while (command.parts[commit].purpose != CommandPurpose::kCommit) {
      if (++commit == command.parts.size()) return {of_command(action, command)};
    }
    const CommandPart* check = nullptr;
    const CommandPart* later = nullptr;
    for (std::size_t i = 0; i < command.parts.size(); ++i) {
      const CommandPart& part = command.parts[i];
      if (is_check(part.purpose)) check = &part;
      if (i > commit && later == nullptr && !is_read_only(part.purpose)) later = &part;
    }
    const bool has_failed = action.has_failed || action.exit_code.value_or(0) != 0;
    const bool is_committed =
        !has_failed || !commit_line(action.output).empty() ||
        (later != nullptr && later->object == "push" && shows_failed_push(action.output));
    std::vector<Observation> observations;
    bool is_red = false;
    if (check != nullptr) {
      if (auto run = read_test_output(action.output)) {
        is_red = run->is_red;
        ToolAction its = action;
        its.exit_code.reset();  // of the whole line, as the failure is
        its.has_failed = false;
        observations.push_back(observe_run(its, *check, *std::move(run), place()));
      }
    }
    if (is_committed) observations.push_back(of_commit(action, command.parts[commit]));
    if (has_failed && is_committed && later != nullptr) {
      observations.push_back(of_failed(action, *later));
    } else if (has_failed && !is_committed && !is_red) {
      observations.push_back(of_failed(action, command.parts[commit]));
    }
    if (observations.empty()) observations.push_back(of_failed(action, command));
    return observations;
  }

  Observation of_command(const ToolAction& action, const ShellCommand& command) {
    const bool is_checked = is_check(command.purpose);
    std::optional<TestRun> run;
    if (is_checked || command.purpose == CommandPurpose::kOther ||
        command.purpose == CommandPurpose::kFiles) {
      run = read_test_output(action.output);
      // Only what runs something is believed that it did.
      if (run && !is_checked && !run->has_counts && run->failed_names.empty()) run.reset();
    }
    Observation observation;
    const bool has_run = !action.exit_code || *action.exit_code < 126 || run.has_value();
    if (run || (is_checked && has_run && (action.exit_code || action.has_failed))) {
      observation = observe_run(action, command, run.value_or(TestRun{}), place());
    } else if (!command.written.empty() && !action.has_failed) {
      std::vector<FileEdit> edits;
      for (const WrittenFile& file : command.written) {
        FileEdit& edit = edits.emplace_back();
        edit.path = shown_path(file.path, action.cwd, action.root);
        edit.is_before_known = false;
        edit.changes.push_back({"", file.text, "", true});
      }
      observation = observe_edits(edits, reader_);
    } else if (action.has_failed && (!is_read_only(command.purpose) || !action.exit_code)) {
      observation = of_failed(action, command);
    } else {
      observation = of_done(action, command);
    }
    return observation;
  }

  Observation of_failed(const ToolAction& action, const CommandPart& command) {
    const std::string error = error_line(action.output);
    Observation observation = discovery(fmt::format("{} did not work", shown(command)));
    if (!error.empty()) observation.title += ": " + error;
    observation.concepts = {"gotcha"};
    if (action.exit_code)
      add_fact(observation, fmt::format("it exited with {}", *action.exit_code));
    if (trim(action.output) != error) observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_done(const ToolAction& action, const ShellCommand& command) {
    const auto list_paths = [&](const std::vector<std::string>& paths) {
      std::vector<std::string> files;
      for (const auto& path : paths) files.push_back(shown_path(path, action.cwd, action.root));
      return listed(files, kNamesInTitle);
    };
    const std::string name = shown(command), ran = "Ran " + name;
    Observation observation;
    observation.type = "change";
    observation.concepts = {"what-changed"};
    switch (command.purpose) {
      case CommandPurpose::kCommit:
        return of_commit(action, command);
      case CommandPurpose::kInstall:
        observation.title =
            command.object.empty()
                ? "Installed dependencies: " + name
                : fmt::format("Dependencies: {} ({})", shorten(command.object, 100), name);
        break;
      case CommandPurpose::kGit:
        observation.title = ran;
        break;
      case CommandPurpose::kFiles:
        observation.title =
            command.files_modified.empty()
                ? ran
                : fmt::format("Changed {} with {}", list_paths(command.files_modified), name);
        break;
      case CommandPurpose::kSearch:
        observation =
            look(command.object.empty()
                     ? "Looked for files with " + name
                     : fmt::format("Searched for \"{}\"", shortened_line(command.object, 80)));
        if (trim(action.output).empty()) observation.title += ": nothing found";
        break;
      case CommandPurpose::kRead:
        observation = look(command.files_read.empty() ? "Looked at " + name
                                                      : "Read " + list_paths(command.files_read));
        break;
      case CommandPurpose::kList:
        observation = look("Looked at " + name);
        break;
      default:
        observation =
            look(action.description.empty() ? ran
                                            : shortened_line(action.description, 90) + ": " + name);
        observation.concepts.clear();
        break;
    }
    if (command.purpose == CommandPurpose::kRead ||
        observation.title.find('`') == std::string::npos) {
      observation.narrative = ran + ".\n";
    }
    observation.narrative += in_quotes(plain_terminal_text(utf8_prefix(action.output, 4'000)));
    return observation;
  }

  // The message as it was meant: not the here-document around it.
  static std::string commit_message(std::string_view text) {
    text = trim(text);
    if (text.starts_with("$(cat <<")) {
      const std::size_t begin = text.find('\n');
      if (begin == std::string_view::npos) return {};
      text = text.substr(begin + 1);
      if (text.ends_with(')')) text.remove_suffix(1);
      text = trim(text);
      if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos) {
        text = text.substr(0, end);  // the word that ends it
      }
    }
    return std::string(trim(text));
  }

  Observation of_commit(const ToolAction& action, const CommandPart& command) {
    std::string message = commit_message(command.object);
    const std::string_view output = trim(action.output);
    if (const std::string_view line = commit_line(output); message.empty() && !line.empty()) {
      message = line.substr(line.find("] ") + 2);
    }
    const std::string_view subject = std::string_view(message).substr(0, message.find('\n'));
    const std::string lower = to_lower_ascii(subject.substr(0, 40));
    Observation observation;
    observation.type = "change";
    for (const auto& [prefix, type] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"feat", "feature"},
             {"add ", "feature"},
             {"refactor", "refactor"},
             {"fix", "bugfix"}}) {
      if (lower.starts_with(prefix)) observation.type = type;
    }
    observation.concepts = {"what-changed"};
    observation.title = subject.empty() ? fmt::format("Committed with {}", shown(command))
                                        : fmt::format("Committed: {}", shorten(subject, 150));
    observation.narrative = trim(std::string_view(message).substr(subject.size()));
    if (!observation.narrative.empty()) observation.concepts.push_back("why-it-exists");
    for (const std::string_view line : split(output.substr(0, 4'000), '\n')) {
      if (line.starts_with('[')) {
        add_fact(observation, line.substr(0, line.find(']') + 1));
      } else if (line.find(" changed") != std::string_view::npos &&
                 line.find(" file") != std::string_view::npos) {
        add_fact(observation, line);
      } else if (trim(line).starts_with("create mode ") || trim(line).starts_with("delete mode ")) {
        add_file(observation.files_modified, std::string(trim(line).substr(19)));
      }
    }
    if (observation.narrative.empty()) {
      observation.narrative = join(observation.facts, "\n");
      observation.facts.clear();
    }
    // Git names no others: the files edited since the last commit are taken as its files.
    for (auto it = before_->rbegin(); it != before_->rend(); ++it) {
      if (it->title.starts_with("Committed")) break;
      for (const std::string& file : it->files_modified) {
        if (!file.starts_with('/')) add_file(observation.files_modified, file);
      }
    }
    return observation;
  }

  Observation of_fetch(const ToolAction& action) {
    Observation observation =
        discovery(fmt::format("{} {}", action.has_failed ? "Could not fetch" : "Fetched",
                              shortened_line(action.url, 150)));
    observation.subtitle = shortened_line(action.query, 200);
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_web_search(const ToolAction& action) {
    Observation observation =
        discovery(fmt::format("Searched the web for \"{}\"", shortened_line(action.query, 140)));
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  Observation of_agent(const ToolAction& action) {
    const std::string task =
        shortened_line(action.description.empty() ? action.query : action.description, 140);
    Observation observation = discovery(
        task.empty() ? "Asked another agent" : fmt::format("Asked another agent: {}", task));
    observation.subtitle = shortened_line(action.query, 200);
    observation.narrative = shorten(trim(action.output), 1'500);
    // Without its answer it means nothing.
    observation.is_routine = observation.narrative.empty();
    if (!observation.is_routine) observation.title += " -> " + shortened_line(action.output, 120);
    return observation;
  }

  Observation of_other(const ToolAction& action) {
    std::string about = shortened_line(!action.query.empty()         ? action.query
                                       : !action.url.empty()         ? action.url
                                       : !action.description.empty() ? action.description
                                                                     : std::string_view(),
                                       120);
    if (about.empty() && !action.files.empty()) about = action.files[0];
    Observation observation = discovery(fmt::format("Used {}", action.tool));
    if (!about.empty()) observation.title += ": " + about;
    for (const std::string& file : action.files) add_file(observation.files_read, file);
    if (action.has_failed) observation.concepts = {"gotcha"};
    observation.narrative = in_quotes(action.output);
    return observation;
  }

  const ObserveRequest& request_;
  EditReader& reader_;
  RedRuns& red_runs_;
  std::int64_t at_ms_ = 0;
  const std::vector<EarlierObservation>* before_ = nullptr;
};

// Looks: a second one adds nothing.
bool only_looks(const ToolAction& action) {
  switch (action.kind) {
    case ActionKind::kRead:
    case ActionKind::kSearch:
    case ActionKind::kFind:
    case ActionKind::kFetch:
    case ActionKind::kWebSearch:
      return true;
    case ActionKind::kCommand:
      return is_read_only(read_command(action.command).purpose);
    default:
      return false;
  }
}

// Whether a look was shown for this prompt already, and where in `before`; an edit in
// between of what was looked at makes it new.
std::optional<std::size_t> shown_before(const Observation& observation,
                                        const std::vector<EarlierObservation>& before) {
  for (std::size_t i = before.size(); i-- > 0 && before[i].is_of_prompt;) {
    const EarlierObservation& one = before[i];
    if (one.title == observation.title && one.facts == observation.facts) return i;
    const bool is_edit_of_it = std::any_of(
        one.files_modified.begin(), one.files_modified.end(), [&](const std::string& file) {
          return observation.files_read.empty() ||
                 std::find(observation.files_read.begin(), observation.files_read.end(), file) !=
                     observation.files_read.end();
        });
    if (is_edit_of_it) break;
  }
  return std::nullopt;
}

// What may mend a test.
bool is_change(const Observation& observation) {
  return !observation.title.starts_with("Committed") &&
         (!observation.files_modified.empty() || observation.type == "change");
}

void bound(Observation& observation) {
  observation.title = shortened_line(observation.title, kMaxRuleTitleBytes);
  observation.subtitle = shortened_line(observation.subtitle, kMaxRuleTitleBytes);
  observation.narrative = shorten(observation.narrative, kMaxRuleNarrativeBytes);
  // What a tool happened to print is no word of ours.
  if (observation.outcome.empty()) observation.outcome = "none";
}

class RuleBasedProvider : public Provider {
 public:
  explicit RuleBasedProvider(FindRoot find_root) : find_root_(std::move(find_root)) {}

  std::string_view name() const override { return kRuleBasedName; }
  std::string_view model() const override { return {}; }
  bool wants_batches() const override { return false; }

  ObserveReply observe(const ObserveRequest& request, std::stop_token stop) const override {
    ObserveReply reply;
    EditReader reader;
    Observer observer(request, reader, red_runs_);
    std::vector<EarlierObservation> before = request.earlier;
    for (const ToolEvent& event : request.events) {
      if (stop.stop_requested()) {
        reply.observations.clear();
        reply.failure = ProviderFailure{FailureClass::kUnknown, "stopped", true};
        return reply;
      }
      const ToolAction action = read_action(event, find_root_);
      const bool is_look = only_looks(action);
      for (Observation& observation : observer.observe(action, event.at_ms, before)) {
        bound(observation);
        if (const auto seen_at = is_look ? shown_before(observation, before) : std::nullopt) {
          if (*seen_at >= request.earlier.size()) {
            reply.observations[*seen_at - request.earlier.size()].message_ids.push_back(
                event.message_id);
          }
          continue;
        }
        if (is_change(observation)) red_runs_.note_edit(request.project);
        before.push_back({observation.title, observation.facts, observation.files_read,
                          observation.files_modified, /*is_of_prompt=*/true});
        observation.message_ids = {event.message_id};
        reply.observations.push_back(std::move(observation));
      }
    }
    return reply;
  }

  SummarizeReply summarize(const SummarizeRequest& request, std::stop_token) const override {
    SummarizeReply reply;
    reply.summary = summarize_by_rules(request);
    return reply;
  }

 private:
  FindRoot find_root_;
  mutable RedRuns red_runs_;
};

}  // namespace

std::unique_ptr<Provider> make_rule_based_provider(FindRoot find_root) {
  return std::make_unique<RuleBasedProvider>(std::move(find_root));
}

}  // namespace codexmem::observe
