// codexmem memory ...: the memory, from the shell. Most commands ask the question of their
// name; forget, export, import and check do what no question does.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <utility>

#include "app/commands/staged_command.h"
#include "app/memory_question.h"
#include "app/render/render_memory.h"
#include "app/signals.h"
#include "ask/memory/get_records.h"
#include "ask/memory/ingest_docs.h"
#include "ask/memory/retention_dry_run.h"
#include "ask/memory/save_memory.h"
#include "ask/memory/search.h"
#include "ask/memory/timeline.h"
#include "base/file.h"
#include "base/text.h"
#include "store/user/erasure.h"
#include "memory/entries/forget.h"
#include "memory/entries/retention.h"
#include "memory/transfer/transfer.h"
#include "privacy/policy.h"
#include "text/counted.h"
#include "text/json.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace {

// "1 entry, 0 sessions, ...", of an export or an import.
template <typename Report>
std::string counted_records(const Report& report) {
  return fmt::format("{}, {}, {}, {}, {}", counted(report.entries, "entry", "entries"),
                     counted(report.sessions, "session"), counted(report.prompts, "prompt"),
                     counted(report.summaries, "summary", "summaries"),
                     counted(report.decisions, "decision"));
}

Rendered render_titles(const ask::SearchAnswer& answer, const Console& console) {
  return render_memories(answer, {}, console);
}

Rendered render_times(const ask::TimelineAnswer& answer, const Console& console) {
  return render_timeline(answer, {}, console);
}

// The max_tokens of what a shell is shown.
constexpr char kWholeAnswer[] = "25000";

class SaveCommand : public MemoryQuestionCommand {
 public:
  SaveCommand()
      : MemoryQuestionCommand(ask::kSaveMemory, render_as<ask::SaveMemoryAnswer, render_saved>) {}

 protected:
  void declare_more(Arguments& arguments) override {
    arguments.flag("--pin", is_pinned_, "Retention leaves it alone: metadata {\"pinned\":true}");
  }

  Result<void> complete() override {
    if (!is_pinned_) return {};
    CODEXMEM_ASSIGN(const JsonValue given, options().read());
    const JsonValue metadata = given.member("metadata");
    Json pinned = metadata.is_object() ? Json::parse(metadata.dump()) : Json::object();
    pinned["pinned"] = true;
    options().put("metadata", dump_json(pinned));
    return {};
  }

 private:
  bool is_pinned_ = false;
};

// The records of `rows`. What cannot be read is missing.
RowRecords read_rows(std::span<const ask::IndexRow> rows, memory::LazyMemory& memory) {
  const auto opened = memory.get();
  if (!opened.ok()) return {};
  std::vector<memory::DocumentKey> keys;
  for (const ask::IndexRow& row : rows) keys.push_back(row.key);
  auto records = ask::read_records({.memory = **opened}, keys);
  return records.ok() ? *std::move(records) : RowRecords();
}

// search, and list, which takes no words.
class SearchMemoryCommand : public MemoryQuestionCommand {
 public:
  explicit SearchMemoryCommand(bool takes_words)
      : MemoryQuestionCommand(ask::kSearch, render_as<ask::SearchAnswer, render_titles>),
        takes_words_(takes_words) {}

  void declare(Arguments& arguments) override {
    options().declare(arguments, takes_words_);
    shell().look.declare(arguments);
    shell().declare(arguments);
  }

 protected:
  Result<void> complete() override {
    options().put("max_tokens", kWholeAnswer);
    // The question wants words or a filter; this one lets everything pass.
    for (const char* name :
         {"query", "type", "project", "concepts", "files", "dateStart", "dateEnd"}) {
      if (options().has(name)) return {};
    }
    options().put("type", R"("observations,sessions,prompts")");
    return {};
  }

  Rendered rendered(const ask::Answer& answer, memory::LazyMemory& memory,
                    const Console& console) const override {
    const auto& found = static_cast<const ask::SearchAnswer&>(answer);
    return render_memories(found, read_rows(found.rows, memory), console);
  }

 private:
  bool takes_words_;
};

class TimelineCommand : public MemoryQuestionCommand {
 public:
  TimelineCommand()
      : MemoryQuestionCommand(ask::kTimeline, render_as<ask::TimelineAnswer, render_times>) {}

 protected:
  Result<void> complete() override {
    options().put("max_tokens", kWholeAnswer);
    return {};
  }

  Rendered rendered(const ask::Answer& answer, memory::LazyMemory& memory,
                    const Console& console) const override {
    const auto& timeline = static_cast<const ask::TimelineAnswer&>(answer);
    return render_timeline(timeline, read_rows(timeline.rows, memory), console);
  }
};

// What removes entries: shows them first, and does it with --yes alone.
class RemovingCommand : public Command {
 protected:
  MemoryQuestion question_;

  void declare_removal(Arguments& arguments) {
    arguments.flag("--yes", yes_, "Remove them, after showing what goes");
    question_.declare(arguments);
  }

  template <typename Act>
  ExitCode with_memory(Console& console, const Act& act) {
    return app::with_memory(question_, console, act);
  }

  // Shows `head` and what `plan` lists, and removes it with --yes: how many, else nothing.
  Result<std::optional<std::size_t>> remove(memory::Memory& memory,
                                            const memory::RetentionPlan& plan,
                                            const std::string& head, Console& console) const {
    if (!question_.json) {
      std::vector<memory::EntryId> ids;
      for (const auto& each : plan.candidates) {
        if (ids.size() < kMaxShown) ids.push_back(each.id);
      }
      CODEXMEM_ASSIGN(const auto entries, memory.entries().get(ids));
      std::vector<Removal> rows;
      for (const memory::Entry& entry : entries) {
        rows.push_back(
            {"#" + ask::id_text(memory::document_key(entry.id)), entry.created_at_ms, entry.title});
      }
      console.print(head + render_removals(rows, plan.candidates.size(), plan.now_ms, console));
    }
    return execute(memory, plan.candidates.empty(), console,
                   [&] { return memory::execute_retention(memory.store(), plan); });
  }

  // Removes with --yes, and says what was done.
  template <typename Remove>
  Result<std::optional<std::size_t>> execute(memory::Memory& memory, bool is_empty,
                                             Console& console, const Remove& remove) const {
    std::optional<std::size_t> removed;
    if (yes_) {
      CODEXMEM_ASSIGN(removed, remove());
      CODEXMEM_ASSIGN(const bool is_erased, store::is_erased(memory.store()));
      if (!is_erased) {
        console.note(
            fmt::format("another program is reading the memory, so the files in {} still hold the "
                        "words of what was removed: codexmem erases them when it next runs after "
                        "that has ended",
                        memory.store().directory().string()));
      }
      if (!question_.json) {
        console.print_line(
            fmt::format("{} removed", with_thousands(static_cast<long long>(*removed))));
      }
    } else if (!question_.json && !is_empty) {
      console.note("nothing was removed: --yes removes them");
    }
    return removed;
  }

  static constexpr std::size_t kMaxShown = 20;

 private:
  bool yes_ = false;
};

class RetentionCommand : public RemovingCommand {
 public:
  void declare(Arguments& arguments) override {
    options_.declare(arguments);
    declare_removal(arguments);
  }

  ExitCode run(Console& console) override {
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      CODEXMEM_ASSIGN(const JsonValue arguments, options_.read());
      auto given = ask::answer_to<ask::RetentionParams>(ask::kRetentionDryRun, {memory},
                                                        ask::ToolArguments::of(arguments));
      if (!given.ok()) {
        return Error{given.error().code(), options_.in_options(given.error().message())};
      }
      ask::RetentionAnswer answer = *std::move(given);
      CODEXMEM_ASSIGN(answer.removed,
                      remove(memory, answer.plan, render_retention(answer), console));
      if (question_.json) console.print_json(answer.to_json().structured);
      return answer.plan.candidates.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
    });
  }

 private:
  ParamOptions options_{ask::kRetentionDryRun};
};

class ForgetCommand : public RemovingCommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.texts("ID", ids_, "Ids of entries, summaries and prompts: 12, S3, P4");
    arguments.text("--session", session_,
                   "Everything of this session, by the coding tool's id for it");
    arguments.text("--project", project_, "Everything of this project except its decisions");
    declare_removal(arguments);
  }

  ExitCode run(Console& console) override {
    if ((ids_.empty() ? 0 : 1) + (session_ ? 1 : 0) + (project_ ? 1 : 0) != 1) {
      return fail(console,
                  {ErrorCode::kInvalidArgument, "forget takes ids, or --session, or --project"});
    }
    return with_memory(console, [&](memory::Memory& memory) -> Result<ExitCode> {
      CODEXMEM_ASSIGN(const memory::ForgetPlan plan, plan_of(memory, console));
      if (!question_.json) {
        std::vector<Removal> rows;
        for (const memory::ForgetItem& item : plan.items) {
          if (rows.size() == kMaxShown) break;
          rows.push_back({"#" + ask::id_text(item.key), item.created_at_ms,
                          (item.is_pinned ? "(pinned) " : "") + item.title});
        }
        console.print(render_removals(rows, plan.items.size(), plan.now_ms, console));
        if (plan.queued > 0) {
          console.print_line(fmt::format("and {} messages that wait for the worker", plan.queued));
        }
        if (plan.is_empty() && ids_.empty()) console.note("there is nothing of it");
      }
      CODEXMEM_ASSIGN(const auto removed, execute(memory, plan.is_empty(), console, [&] {
                        return memory::execute_forget(memory.store(), plan);
                      }));
      if (question_.json) {
        std::vector<std::string> ids;
        for (const memory::ForgetItem& item : plan.items) ids.push_back(ask::id_text(item.key));
        std::optional<bool> is_erased;
        if (removed) {
          CODEXMEM_ASSIGN(is_erased, store::is_erased(memory.store()));
        }
        console.print_json(json_object("mode", removed ? "executed" : "dry-run", "candidate_ids",
                                       ids, "queued", plan.queued, "removed", removed, "erased",
                                       is_erased)
                               .text);
      }
      return plan.is_empty() ? ExitCode::kNothingFound : ExitCode::kFound;
    });
  }

 private:
  Result<memory::ForgetPlan> plan_of(memory::Memory& memory, Console& console) const {
    if (project_ && !memory.shows(*project_)) {
      return Error{ErrorCode::kInvalidArgument,
                   "--project must be the current one while CODEXMEM_SCOPE=project"};
    }
    if (project_) return memory::plan_forget_project(memory.store(), *project_, memory.clock());
    memory::ForgetPlan plan;
    if (session_) {
      CODEXMEM_ASSIGN(plan, memory::plan_forget_session(memory.store(), *session_, memory.clock()));
      const auto is_hidden = [&](const auto& item) { return !memory.shows(item.project); };
      if (std::ranges::any_of(plan.items, is_hidden)) return memory::ForgetPlan{};
      return plan;
    }
    return plan_of_ids(memory, console);
  }

  // The records found, oldest first; missing ids are reported.
  Result<memory::ForgetPlan> plan_of_ids(memory::Memory& memory, Console& console) const {
    std::vector<memory::DocumentKey> keys;
    for (const std::string& id : split_ids(ids_)) {
      const auto key = ask::read_id(id);
      if (!key || memory::kind_of(*key) == memory::DocumentKind::kDecision) {
        return Error{ErrorCode::kInvalidArgument,
                     fmt::format("entries, summaries and prompts can be forgotten, by ids such as "
                                 "12, S3 and P4; got \"{}\"",
                                 id)};
      }
      keys.push_back(*key);
    }
    CODEXMEM_ASSIGN(memory::ForgetPlan plan,
                    memory::plan_forget(memory.store(), keys, memory.clock()));
    std::erase_if(plan.items, [&](const auto& item) { return !memory.shows(item.project); });
    for (const memory::DocumentKey key : keys) {
      if (std::ranges::find(plan.items, key, &memory::ForgetItem::key) == plan.items.end()) {
        console.note("there is no #" + ask::id_text(key));
      }
    }
    return plan;
  }

  std::vector<std::string> ids_;
  std::optional<std::string> session_, project_;
};

class ExportCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("FILE", file_, "Where to (default: standard output)").are_files();
    arguments.text("-p,--project", project_, "Only of this project");
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    serve::MemorySetup setup;
    const auto opened = open_memory(question_, &setup, console);
    if (!opened.ok()) return fail(console, opened.error());
    if (project_ && !(*opened)->shows(*project_)) {
      return fail(console, {ErrorCode::kInvalidArgument,
                            "--project must be the current one while CODEXMEM_SCOPE=project"});
    }
    if ((*opened)->is_isolated()) project_ = (*opened)->project();
    // What was exported before stays until this export is whole. As the store's own files, it is
    // for its user alone.
    std::optional<FileReplacement> file;
    if (!file_.empty() && file_ != "-") {
      if (auto wrong = find_fault((*opened)->store().directory())) return fail(console, *wrong);
      std::error_code failed;
      auto begun = FileReplacement::begin(std::filesystem::absolute(file_, failed), 0600);
      if (!begun.ok()) return fail(console, begun.error());
      file.emplace(*std::move(begun));
    }
    std::string buffer;
    const auto flush = [&]() -> Result<void> {
      auto done = file->write(buffer);
      buffer.clear();
      return done;
    };
    const memory::LineSink sink = [&](std::string_view line) -> Result<void> {
      if (!file) {
        console.print_json(line);
        if (console.ok()) return {};
        return Error{ErrorCode::kIo, "the export could not be written"};
      }
      buffer.append(line) += '\n';
      return buffer.size() < kBufferBytes ? Result<void>() : flush();
    };
    const auto report = memory::export_memory((*opened)->store(), sink, (*opened)->clock(),
                                              project_.value_or(""), signals.token());
    if (!report.ok()) return fail(console, report.error());
    if (file) {
      auto written = flush();
      if (written.ok()) written = file->commit();
      if (!written.ok()) return fail(console, written.error());
    }
    console.note(counted_records(*report));
    return ExitCode::kFound;
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  // Why FILE must not be replaced.
  std::optional<Error> find_fault(const std::filesystem::path& store) const {
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::weakly_canonical(file_, failed);
    if (std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed)) {
      return Error{ErrorCode::kInvalidArgument,
                   file_ + " is not a regular file; - writes to standard output"};
    }
    if (file.parent_path() == std::filesystem::weakly_canonical(store, failed)) {
      return Error{ErrorCode::kInvalidArgument,
                   file_ + " lies in the memory's own folder: export to another one"};
    }
    return std::nullopt;
  }

  MemoryQuestion question_;
  std::string file_;
  std::optional<std::string> project_;
};

class ImportCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("FILE", file_, "What `export` wrote; - reads standard input", true).are_files();
  }

  ExitCode run(Console& console) override {
    const StopOnSignal signals;
    serve::MemorySetup setup;
    const auto opened = open_memory(question_, &setup, console);
    if (!opened.ok()) return fail(console, opened.error());
    std::ifstream file;
    if (file_ != "-") {
      file.open(file_, std::ios::binary);
      if (!file) return fail(console, {ErrorCode::kNotFound, file_ + " cannot be read"});
    }
    std::istream& input = file.is_open() ? file : std::cin;
    const memory::LineSource source = [&]() -> Result<std::optional<std::string>> {
      std::string line;
      if (std::getline(input, line)) return std::optional(std::move(line));
      if (input.bad()) return Error{ErrorCode::kIo, file_ + " cannot be read"};
      return std::optional<std::string>();
    };
    memory::Memory& memory = **opened;
    const auto report = memory::import_memory(
        memory.store(), memory.entries(), memory.vectors(), source, memory.clock(),
        memory.caller().role == memory::Role::kAdmin, signals.token());
    if (!report.ok()) return fail(console, report.error());
    console.print_line(fmt::format("{}; {} already there", counted_records(*report),
                                   counted(report->duplicates, "record")));
    for (const memory::RefusedLine& refused : report->examples) {
      console.note(fmt::format("line {}: {}", refused.line, refused.reason));
    }
    if (report->refused > 0) console.error(fmt::format("{} lines refused", report->refused));
    return report->refused > 0 ? ExitCode::kError : ExitCode::kFound;
  }

 private:
  MemoryQuestion question_;
  std::string file_;
};

class MemoryCheckCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("TEXT", text_, "A text, a file, or - for standard input", true).are_files();
    question_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    std::error_code ignored;
    const auto text = text_ != "-" && std::filesystem::is_regular_file(text_, ignored)
                          ? read_file(text_)
                          : text_or_input(text_);
    if (!text.ok()) return fail(console, text.error());
    const auto verdicts = privacy::explain_secrets(*text);
    bool is_blocked = false;
    for (const privacy::Verdict& verdict : verdicts) {
      is_blocked = is_blocked || verdict.is_blocked;
      if (question_.json) continue;
      console.print_line(fmt::format(
          "{}:{}  {}  {} ({}){}", verdict.place.line, verdict.place.column,
          verdict.is_blocked ? console.painted(Paint::kBad, "blocked")
                             : console.painted(Paint::kGood, "passes "),
          verdict.what, verdict.rule, verdict.is_blocked ? "" : ": " + verdict.let_pass_by));
    }
    if (question_.json) {
      const auto write = [](const privacy::Verdict& verdict) {
        return json_object("rule", verdict.rule, "what", verdict.what, "line", verdict.place.line,
                           "column", verdict.place.column, "blocked", verdict.is_blocked,
                           "let_pass_by", json_if(!verdict.is_blocked, verdict.let_pass_by));
      };
      console.print_json(
          json_object("blocked", is_blocked, "verdicts", json_list(verdicts, write)).text);
    } else if (!is_blocked) {
      console.print_line("nothing in it is taken for a secret: it may be saved");
    }
    return is_blocked ? ExitCode::kError : ExitCode::kFound;
  }

 private:
  MemoryQuestion question_;
  std::string text_;
};

// The command that asks `question`, of which the answers are of the type T.
template <const ask::Question& question, typename T, Rendered (*render)(const T&, const Console&)>
std::unique_ptr<Command> make_question() {
  return std::make_unique<MemoryQuestionCommand>(question, render_as<T, render>);
}

constexpr CommandRow kMemoryCommands[] = {
    {"save", "Remember a text",
     "Examples:\n"
     "  codexmem memory save \"The API needs an X-API-Key header\" --title Auth\n"
     "  codexmem memory save \"Retries back off\" --type bugfix --file src/gateway.ts\n"
     "  git log -1 --format=%B | codexmem memory save - --type change",
     make_command<SaveCommand>},
    {"search", "Search the memory of all projects",
     "Dates and times without an offset are local, as they are shown.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory search which header the API needs\n"
     "  codexmem memory search --type bugfix --from 2026-01-01 --project my-app\n"
     "  codexmem memory search retries --from 7d --json\n"
     "  codexmem memory search -- less -R",
     [] { return std::unique_ptr<Command>(std::make_unique<SearchMemoryCommand>(true)); }},
    {"list", "List the newest memories of all projects",
     "Dates and times without an offset are local, as they are shown.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory list\n"
     "  codexmem memory list --from yesterday --project my-app\n"
     "  codexmem memory list --type bugfix --limit 5",
     [] { return std::unique_ptr<Command>(std::make_unique<SearchMemoryCommand>(false)); }},
    {"timeline", "Show what happened around a record or a time",
     "Examples:\n"
     "  codexmem memory timeline 12\n"
     "  codexmem memory timeline --query retries --before 10 --after 0\n"
     "  codexmem memory timeline 2026-01-02T09:00",
     make_command<TimelineCommand>},
    {"get", "Show records in full",
     "Examples:\n"
     "  codexmem memory get 12\n"
     "  codexmem memory get 12 S3 P4 --json",
     make_question<ask::kGetEntries, ask::EntriesAnswer, render_entries>},
    {"ingest", "Remember the sections of project documents",
     "Run again, it adds only what has changed.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory ingest\n"
     "  codexmem memory ingest docs NOTES.md",
     make_question<ask::kIngestDocs, ask::IngestDocsAnswer, render_ingested>},
    {"retention", "List entries that are too old or too many; --yes removes them",
     "Decisions and entries whose metadata has \"pinned\":true stay.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory retention --max-age 90\n"
     "  codexmem memory retention --project old-app --max-entries 100 --yes",
     make_command<RetentionCommand>},
    {"forget", "Remove records, a session or a project; without --yes, only list them",
     "They are gone from the store's files, pinned ones too. Decisions stay: see codexmem "
     "decision.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory forget 12\n"
     "  codexmem memory forget 12,P14,S7 --yes\n"
     "  codexmem memory forget --session 3f1c9a52-7d51-4a55-9a4e-000000000000\n"
     "  codexmem memory forget --project old-app --yes",
     make_command<ForgetCommand>},
    {"export", "Write all of the memory as lines of JSON",
     "Examples:\n"
     "  codexmem memory export memory.jsonl\n"
     "  codexmem memory export --project my-app | gzip > my-app.jsonl.gz",
     make_command<ExportCommand>},
    {"import", "Add what `export` wrote; existing records stay",
     "Examples:\n"
     "  codexmem memory import memory.jsonl\n"
     "  zcat my-app.jsonl.gz | codexmem memory import -",
     make_command<ImportCommand>},
    {"staged", "List what was written on branches that are not merged",
     "Decisions made on a branch hold on that branch until it is merged; so do memories if the "
     "setting\n"
     "memoryBranches is staged. If the branch is gone, they wait here.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory staged\n"
     "  codexmem memory staged --release 12",
     make_command<StagedCommand>},
    {"check", "Say whether a text would be refused as a secret, and why",
     "Shows rules and places, never a value. The exit code is 2 if it would be refused.\n"
     "\n"
     "Examples:\n"
     "  codexmem memory check .env\n"
     "  git diff | codexmem memory check -",
     make_command<MemoryCheckCommand>},
};

}  // namespace

std::span<const CommandRow> memory_commands() { return kMemoryCommands; }

}  // namespace codexmem::app
