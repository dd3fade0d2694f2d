// Tested by git/impact_test.py.
#include "ask/code/analyze_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "ask/cited_code.h"
#include "ask/code/analyze_change_answer.h"
#include "ask/code/code_answer.h"
#include "ask/code/get_context.h"
#include "ask/decision_rules.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "base/shell_word.h"
#include "base/log.h"
#include "base/text.h"
#include "config/git_root.h"
#include "config/path_kind.h"
#include "graph/stored/qualified_name.h"
#include "index/changes/worktree_changes.h"
#include "index/git/git_changes.h"
#include "search/search.h"
#include "text/counted.h"

namespace codexmem::ask {

namespace {

constexpr std::size_t kMaxHistories = 12;  // changed files whose history is asked for
constexpr std::size_t kImportSteps = 3;
constexpr std::size_t kMaxTests = 30, kMaxCompanions = 10, kMaxNotes = 10, kMaxMeetings = 20;
constexpr std::size_t kMaxAlikeQueryBytes = 600, kMaxAlike = 20;
constexpr double kAlikeScore = 0.35;
constexpr double kMinLikely = 0.01;                        // a test below it is not worth a run,
constexpr std::ptrdiff_t kMinTests = 3, kShownTests = 10;  // unless there are few
constexpr double kMinCompanion = 0.02;
constexpr std::chrono::milliseconds kSearchTime{2'000}, kWorktreeTime{500};

// The known facts of a change, before it is cut.
struct FoundChange {
  AnalyzeChangeAnswer answer;
  std::set<std::string> paths;  // that it mentions
};

class ChangeAnalysis {
 public:
  ChangeAnalysis(const Context& context, const AnalyzeChangeParams& params,
                 const index::ChangedCode& changed, const index::ChangeReport& check,
                 store::CodeReader& reader)
      : context_(context), params_(params), changed_(changed), check_(check), reader_(reader) {
    const std::set<std::string> only_text(changed.text_only.begin(), changed.text_only.end());
    for (const std::string& path : changed.files) {
      if (!only_text.contains(path)) touched_.push_back(path);
    }
  }

  Result<FoundChange> run() {
    AnalyzeChangeAnswer& answer = found_.answer;
    answer.changed = changed_;
    CODEXMEM_ASSIGN(graph::Impact impact,
                    graph::find_impact(context_.code().facts, reader_, seeds(),
                                       {.depth = params_.depth,
                                        .deadline = std::chrono::steady_clock::now() + kSearchTime},
                                       context_.stop));
    if (impact.not_followed > 0) {
      answer.not_seen.push_back(fmt::format("the users of {}: there are too many to follow",
                                            counted(impact.not_followed, "more definition")));
    }
    answer.account = impact.account;
    if (const std::size_t open = impact.account.open(); open > 0) {
      answer.not_seen.push_back(fmt::format(
          "{} with the names of what changes: `get_references` lists them as possible or unread",
          counted(open, "place")));
    }
    CODEXMEM_ASSIGN(const auto importing,
                    graph::find_importing_files(reader_, touched_, kImportSteps));
    CODEXMEM_TRY(read_history());
    CODEXMEM_TRY(read_words());
    std::vector<std::string> broken;
    for (const index::ChangeFinding& finding : check_.findings) broken.push_back(finding.path);
    CODEXMEM_ASSIGN(answer.tests, rank_tests(reader_, {.changed = touched_,
                                                       .impact = impact,
                                                       .importing = importing,
                                                       .history = history_,
                                                       .names = names(),
                                                       .words = words_,
                                                       .alike = tests_alike(),
                                                       .broken = broken}));
    std::erase_if(answer.tests,
                  [&](const TestToRun& test) { return !is_asked(context_, test.path); });
    fold_tests();
    CODEXMEM_TRY(add_importers(impact));
    std::erase_if(impact.code, [](const graph::AffectedCode& code) {
      return is_runnable_test(code.path);  // listed as tests
    });
    answer.affected = std::move(impact.code);
    if (!context_.repository.empty()) {
      const auto is_elsewhere = [&](const auto& item) { return !is_asked(context_, item.path); };
      std::erase_if(answer.affected, is_elsewhere);
    }
    CODEXMEM_TRY(add_companions());
    add_notes();
    CODEXMEM_TRY(add_meetings());
    note_unread();
    note_unchecked();
    for (const graph::AffectedCode& code : answer.affected) found_.paths.insert(code.path);
    for (const TestToRun& test : answer.tests) found_.paths.insert(test.path);
    return std::move(found_);
  }

 private:
  std::vector<graph::ImpactSeed> seeds() const {
    std::vector<graph::ImpactSeed> seeds;
    for (const index::ChangedSymbol& symbol : changed_.symbols) {
      // New definitions have no uses yet; the check reports uses of removed ones.
      if (symbol.change == index::SymbolChange::kAdded ||
          symbol.change == index::SymbolChange::kRemoved) {
        continue;
      }
      // A definition may have other lines by now than in a commit.
      seeds.push_back({symbol.path, symbol.name, params_.until.empty() ? symbol.line : 0});
    }
    return seeds;
  }

  // Leaves a few tests; of others the path is enough.
  void fold_tests() {
    AnalyzeChangeAnswer& answer = found_.answer;
    limit("lessLikelyTests", answer.tests, kMaxTests);
    const auto is_less_likely = [&](const TestToRun& test) {
      return test.likelihood < kMinLikely && &test - answer.tests.data() >= kMinTests;
    };
    auto first = std::ranges::find_if(answer.tests, is_less_likely);
    first = std::min(first, answer.tests.begin() + std::min(std::ssize(answer.tests), kShownTests));
    for (auto each = first; each != answer.tests.end(); ++each) {
      answer.less_likely_tests.push_back(each->path);
    }
    answer.tests.erase(first, answer.tests.end());
  }

  // What the check could not see.
  void note_unchecked() {
    std::vector<std::string>& not_seen = found_.answer.not_seen;
    for (const auto& [language, files] : check_.other) {
      not_seen.push_back(fmt::format("uses of what is gone from {} of {}: they are not checked",
                                     counted(files, "file"), language));
    }
    not_seen.insert(not_seen.end(), check_.rules_not_checked.begin(),
                    check_.rules_not_checked.end());
    if (!check_.unchecked.empty()) {
      not_seen.push_back(fmt::format("{} of what is gone or new: codexmem check lists them",
                                     counted(check_.unchecked.size(), "use")));
    }
    for (const auto& [name, places] : check_.possible) {
      not_seen.push_back(index::possible_use(name, places));
    }
    if (!check_.is_complete) {
      not_seen.emplace_back("a part of the uses of what is gone: there are too many");
    }
  }

  void note_unread() {
    constexpr std::size_t kMaxNamed = 3;
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const auto& [path, why] : changed_.unread) by_reason[why].push_back(path);
    for (auto& [why, paths] : by_reason) {
      const std::size_t more = paths.size() - std::min(paths.size(), kMaxNamed);
      paths.resize(paths.size() - more);
      found_.answer.not_seen.push_back(
          fmt::format("what changed in {}{}: {}", join(paths, ", "),
                      more == 0 ? "" : fmt::format(" and {}", counted(more, "more file")), why));
    }
  }

  // Tests with the words of the change. Without an answer there is one sign less.
  std::vector<std::string> tests_alike() {
    if (changed_.words.empty()) return {};
    std::vector<std::string> words = changed_.words;
    std::ranges::move(names(), std::back_inserter(words));
    const std::string query = join(words, " ");
    const auto answer =
        search_code(context_, {.query = std::string(utf8_prefix(query, kMaxAlikeQueryBytes)),
                               .limit = kMaxAlike,
                               .threshold = kAlikeScore,
                               .is_local = true,
                               .tests = search::TestFiles::kOnly});
    std::vector<std::string> paths;
    if (!answer.ok()) return paths;
    for (const search::SearchHit& hit : answer->hits) {
      if (std::ranges::find(paths, hit.path) == paths.end()) paths.push_back(hit.path);
    }
    return paths;
  }

  // Files that run when code outside of definitions does.
  Result<void> add_importers(graph::Impact& impact) {
    if (changed_.top_level.empty()) return {};
    std::set<std::string> known;
    for (const graph::AffectedCode& code : impact.code) known.insert(code.path);
    CODEXMEM_ASSIGN(const auto importers,
                    graph::find_importing_files(reader_, changed_.top_level, 1));
    for (const auto& [path, steps] : importers) {
      if (known.contains(path)) continue;
      impact.code.push_back({.path = path,
                             .symbol = "",
                             .first = {},
                             .uses = 1,
                             .depth = steps,
                             .confidence = graph::Confidence::kLikely,
                             .kind = graph::UsageKind::kImport,
                             .via = "code outside of definitions"});
    }
    return {};
  }

  // Of the files with most changed definitions.
  Result<void> read_history() {
    std::map<std::string, std::size_t> counts;
    for (const index::ChangedSymbol& symbol : changed_.symbols) ++counts[symbol.path];
    std::vector<std::string> files = touched_;
    std::erase_if(files, [](const std::string& path) { return is_runnable_test(path); });
    std::ranges::stable_sort(files, std::ranges::greater(),
                             [&](const std::string& path) { return counts[path]; });
    const std::size_t asked = std::min(files.size(), kMaxHistories);
    bool is_cut = false, is_shallow = false;
    for (std::size_t i = 0; i < asked; ++i) {
      CODEXMEM_ASSIGN(auto history, find_history(context_, files[i]));
      is_cut = is_cut || history.is_cut;
      is_shallow = is_shallow || history.is_shallow;
      if (history.looked_at > 0) history_.emplace(files[i], std::move(history));
    }
    const auto add_note = [&](std::string what) {
      found_.answer.not_seen.push_back("what changed together: " + std::move(what));
    };
    if (asked < files.size()) {
      add_note(fmt::format("{} with fewer changes were not asked about",
                           counted(files.size() - asked, "file")));
    }
    if (is_cut) add_note("the history is still being read");
    if (is_shallow) add_note("the clone has no older commits");
    return {};
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const index::ChangedSymbol& symbol : changed_.symbols) names.push_back(symbol.name);
    return names;
  }

  Result<void> read_words() {
    std::vector<std::string> words = changed_.words;
    if (words.empty()) {
      for (const std::string& name : names()) {
        words.push_back(graph::parse_qualified_name(name).name);
      }
    }
    CODEXMEM_ASSIGN(words_, score_words(reader_, words));
    return {};
  }

  Result<void> add_companions() {
    const auto is_wanted = [&](const std::string& path) {
      std::error_code ignored;
      const OwnCode own = own_code(context_, reader_, path);
      // It may have been there once.
      return std::filesystem::exists(own.code.workspace.root() / own.path, ignored) &&
             is_asked(context_, path);
    };
    CODEXMEM_ASSIGN(
        found_.answer.companions,
        rank_companions(reader_, {.changed = changed_.files, .words = words_, .history = history_},
                        {.most = kMaxCompanions, .least = kMinCompanion, .is_wanted = is_wanted}));
    return {};
  }

  void add_notes() {
    const auto find = [&]() -> Result<void> {
      if (context_.services->memory == nullptr) return {};
      CODEXMEM_ASSIGN(memory::Memory * memory, context_.services->memory->find());
      if (memory == nullptr) return {};
      const auto scope = memory->seen_now();
      CODEXMEM_ASSIGN(store::UserReader user, memory->store().reader());
      std::set<std::string> seen;
      for (const std::string& path : changed_.files) {
        if (found_.answer.notes.size() > kMaxNotes) break;
        const OwnCode own = own_code(context_, reader_, path);
        IndexedCode code(own.code.workspace, own.reader);
        CODEXMEM_ASSIGN(auto notes, memory::find_notes(
                                        *user, code,
                                        {.path = own.path,
                                         .project = memory->is_isolated() ? memory->project() : "",
                                         .limit = kMaxNotes,
                                         .scope = scope}));
        for (memory::CodeNote& note : notes.notes) {
          if (seen.insert(note.id).second) found_.answer.notes.push_back(std::move(note));
        }
      }
      return {};
    };
    if (const auto done = find(); !done.ok()) {
      log_warn("analyze_change without memories: {}", done.error().message());
      found_.answer.not_seen.push_back("memories: " + done.error().message());
    }
    limit("memories", found_.answer.notes, kMaxNotes);
  }

  // Where the change meets changes in the repository's other worktrees.
  Result<void> add_meetings() {
    const std::filesystem::path& root = context_.code().workspace.root();
    // (A commit of the past meets nobody's work of today.)
    const bool is_past = !params_.until.empty();
    if (is_past || context_.code().united != nullptr || other_worktrees(root).empty()) return {};
    const auto worktrees = index::list_worktree_changes(
        root, {.here = &changed_, .time = kWorktreeTime}, context_.stop);
    if (!worktrees.ok()) {
      if (worktrees.error().code() == ErrorCode::kCancelled) return worktrees.error();
      found_.answer.not_seen.push_back("other worktrees: " + worktrees.error().message());
      return {};
    }
    for (const index::WorktreeChanges& each : *worktrees) {
      if (each.unknown.empty()) continue;
      found_.answer.not_seen.push_back(
          fmt::format("what {} changes: {}", each.root.string(), each.unknown));
    }
    for (const index::MeetingChange& meeting : index::find_meeting_changes(*worktrees, true)) {
      found_.answer.meetings.push_back(index::describe_meeting(meeting, *worktrees));
    }
    limit("otherWorktrees", found_.answer.meetings, kMaxMeetings);
    return {};
  }

  template <typename Item>
  void limit(const char* part, std::vector<Item>& items, std::size_t most) {
    if (items.size() <= most) return;
    add_omitted(found_.answer.omitted, part, items.size() - most);
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(most), items.end());
  }

  const Context& context_;
  const AnalyzeChangeParams& params_;
  const index::ChangedCode& changed_;
  const index::ChangeReport& check_;
  store::CodeReader& reader_;
  std::vector<std::string> touched_;  // files of which more than comments has changed
  std::map<std::string, index::FileHistory> history_;
  WordScores words_;
  FoundChange found_;
};

// The rules of decisions that the check is to have; `unread` gets why some are missing.
std::vector<index::GivenRule> rules_to_check(const Context& context,
                                             std::vector<std::string>& unread) {
  if (context.services->memory == nullptr) return {};
  auto rules = list_decision_rules(*context.services->memory);
  if (!rules.ok()) {
    unread.push_back("rules of decisions: " + rules.error().message());
    return {};
  }
  for (const std::string& why : rules->unreadable) unread.push_back("a rule: " + why);
  return rules->given();
}

// Makes paths in the repository called home paths of the context's reader.
void unite_paths(const UnitedCode& united, index::ChangedCode& changed,
                 index::ChangeReport& check) {
  const auto unite = [&](std::string& path) {
    if (!path.empty()) path = store::united_path(united.home().name, path);
  };
  for (auto* const list : {&changed.files, &changed.top_level, &changed.text_only}) {
    std::ranges::for_each(*list, unite);
  }
  for (auto& [path, why] : changed.unread) unite(path);
  for (index::ChangedSymbol& symbol : changed.symbols) {
    unite(symbol.path);
    unite(symbol.old_path);
  }
  for (index::ChangeFinding& finding : check.findings) unite(finding.path);
}

// What the check of one repository cannot see in a workspace.
void note_other_repositories(const index::ChangedCode& changed, std::vector<std::string>& notes) {
  const bool is_any_gone =
      std::ranges::any_of(changed.symbols, [](const index::ChangedSymbol& symbol) {
        return symbol.change == index::SymbolChange::kRemoved;
      });
  if (is_any_gone) notes.emplace_back("uses of what is gone in the other repositories");
}

// test_commands() from home; of another repository in its folder.
Result<std::vector<std::string>> list_commands(const Context& context,
                                               const std::vector<std::string>& tests) {
  const UnitedCode* const united = context.code().united;
  if (united == nullptr) {
    CODEXMEM_ASSIGN(store::ReaderLease reader, context.code().workspace.reader());
    return test_commands(*reader, tests);
  }
  std::vector<std::string> commands;
  for (const UnitedRepository& each : united->repositories()) {
    std::vector<std::string> own;
    for (const std::string& test : tests) {
      const auto split = store::split_united_path(test);
      if (split && split->name == each.name) own.emplace_back(split->path);
    }
    if (own.empty() || each.code == nullptr) continue;
    CODEXMEM_ASSIGN(store::ReaderLease reader, each.code->workspace.reader());
    CODEXMEM_ASSIGN(const auto found, test_commands(*reader, own));
    for (const std::string& command : found) {
      commands.push_back(&each == &united->home()
                             ? command
                             : fmt::format("cd {} && {}", shell_word(each.root.string()), command));
    }
  }
  return commands;
}

// The definitions that the question names, as if their bodies had changed.
Result<index::ChangedCode> named_symbols(store::CodeReader& reader,
                                         const std::vector<std::string>& names) {
  index::ChangedCode changed;
  std::set<std::string> files;
  for (const std::string& name : names) {
    CODEXMEM_ASSIGN(const auto found, find_exactly(reader, name));
    for (const graph::SymbolMatch& match : found) {
      files.insert(match.path);
      changed.symbols.push_back({.change = index::SymbolChange::kBody,
                                 .path = match.path,
                                 .name = match.symbol.qualified_name(),
                                 .type = match.symbol.type,
                                 .kind = match.symbol.kind,
                                 .line = match.symbol.name_start.line,
                                 .is_exported = match.symbol.exported});
    }
  }
  changed.files.assign(files.begin(), files.end());
  return changed;
}

// `error`, and how to ask about a revision where one was given in the place of a symbol.
Error with_hint(Error error, const store::Workspace& workspace, const AnalyzeChangeParams& params) {
  if (error.code() != ErrorCode::kNotFound || params.symbols.size() != 1) return error;
  const std::string& name = params.symbols.front();
  const auto changes = index::GitChanges::find(workspace.root(), workspace.root(), {.since = name});
  if (!changes.ok()) return error;
  return Error{
      error.code(),
      fmt::format("nothing is called \"{}\", which is a revision: `since` takes it", name)};
}

constexpr Param kAnalyzeChangeParams[] = {
    {.name = "symbols",
     .also = "symbol,name,names,functions",
     .type = ParamType::kTextOrList,
     .description = "Default: by git",
     .option = "SYMBOLS",
     .help = "Treat these as changed (default: what git sees)",
     .takes = Takes::kSymbol,
     .into = into<&AnalyzeChangeParams::symbols>},
    {.name = "since",
     .also = "base,ref,revision,commit,from",
     .description = "Default: HEAD",
     .option = "--since",
     .help = "Compare with this revision (default: the last commit)",
     .into = into<&AnalyzeChangeParams::since>},
    {.name = "staged",
     .type = ParamType::kFlag,
     .listed = false,
     .default_json = "false",
     .option = "--staged",
     .help = "Use what is staged instead of the work tree",
     .into = into<&AnalyzeChangeParams::is_staged>},
    {.name = "depth",
     .type = ParamType::kWhole,
     .listed = false,
     .least = 1,
     .most = 5,
     .default_json = "2",
     .option = "-d,--depth",
     .help = "Steps from users to their users (1 to 5, default 2)",
     .into = into<&AnalyzeChangeParams::depth>},
    repository_param(),
    max_tokens_param(into_by<read_bytes, &AnalyzeChangeParams::max_bytes>, "4000", "25000"),
};

}  // namespace

Result<AnalyzeChangeAnswer> run(const Context& context, const AnalyzeChangeParams& params) {
  store::Workspace& workspace = context.code().workspace;
  const bool is_of_git = params.symbols.empty();
  if (!is_of_git && (params.is_staged || !params.since.empty())) {
    return Error{ErrorCode::kInvalidArgument,
                 "`symbols` exclude `since` and `staged`, which say what git is asked for"};
  }
  index::ChangedCode of_git;
  index::ChangeReport check;
  const UnitedCode* const united = context.code().united;
  if (is_of_git && united != nullptr && united->how_home() == Home::kFirst) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("name symbols, or ask inside one of {}: git's changes are those of one "
                    "repository",
                    join(united->list_names(), ", "))};
  }
  if (is_of_git) {
    CODEXMEM_ASSIGN(auto changes, index::GitChanges::find(workspace.root(), workspace.root(),
                                                          {.since = params.since,
                                                           .is_staged = params.is_staged,
                                                           .until = params.until}));
    CODEXMEM_ASSIGN(of_git, index::find_changed_symbols(workspace.root(), changes, context.stop));
    if (!of_git.files.empty() && params.until.empty()) {
      // The check wants an index that describes the files as they are: not those of a commit.
      std::vector<std::string> inputs;
      for (const std::string& path : of_git.files) {
        CODEXMEM_ASSIGN(auto input, repository_path(context.code(), "file", path));
        inputs.push_back(std::move(input));
      }
      CODEXMEM_TRY(answer_fresh<bool>(
          context, inputs, [](store::CodeReader&) { return Result<bool>(true); },
          [](const bool&, std::set<std::string>&) {}));
      std::vector<std::string> unread;
      const auto rules = rules_to_check(context, unread);
      CODEXMEM_ASSIGN(check,
                      index::check_changes(workspace, std::move(changes), {}, rules, context.stop));
      check.rules_not_checked = std::move(unread);
    }
    if (context.code().united != nullptr) {
      unite_paths(*context.code().united, of_git, check);
      note_other_repositories(of_git, check.rules_not_checked);
    }
  }
  CODEXMEM_ASSIGN(FoundChange found,
                  answer_fresh<FoundChange>(
                      context, of_git.files,
                      [&](store::CodeReader& reader) -> Result<FoundChange> {
                        if (is_of_git) {
                          return ChangeAnalysis(context, params, of_git, check, reader).run();
                        }
                        auto named = named_symbols(reader, params.symbols);
                        if (!named.ok())
                          return with_hint(std::move(named).error(), workspace, params);
                        return ChangeAnalysis(context, params, *named, check, reader).run();
                      },
                      [](const FoundChange& made, std::set<std::string>& paths) {
                        paths.insert(made.paths.begin(), made.paths.end());
                      }));
  AnalyzeChangeAnswer answer = std::move(found.answer);
  answer.is_of_git = is_of_git;
  answer.check = std::move(check);
  cut_change(answer, params.max_bytes);
  std::vector<std::string> paths;
  for (const TestToRun& test : answer.tests) paths.push_back(test.path);
  CODEXMEM_ASSIGN(answer.run, list_commands(context, paths));
  return answer;
}

constinit const Question kAnalyzeChange = {
    .name = "analyze_change",
    .title = "Analyze a change",
    .description = "What a change touches: users, breaks, tests to run, what usually changes too.",
    .groups = "code",
    .is_united = true,
    .params = kAnalyzeChangeParams,
    .output_schema = R"json({"type":"object","properties":{
"changed":{"type":"array","items":{"type":"object"}},"broken":{"type":"array","items":{"type":"object"}},
"tests":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"likelihood":{"type":"number"},"why":{"type":"string"}},"required":["path","likelihood","why"]}},
"lessLikelyTests":{"type":"array","items":{"type":"string"}},
"run":{"type":"array","items":{"type":"string"}},"affected":{"type":"array","items":{"type":"object"}},
"changedTogether":{"type":"array","items":{"type":"object"}},"memories":{"type":"array","items":{"type":"object"}},
"changedFiles":{"type":"integer"},"topLevel":{"type":"array","items":{"type":"string"}},"commentsOrFormattingOnly":{"type":"array","items":{"type":"string"}},
"account":{"type":"object"},"notSeen":{"type":"array","items":{"type":"string"}},"omitted":{"type":"object"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["changed","tests","affected"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<AnalyzeChangeParams>};

}  // namespace codexmem::ask
