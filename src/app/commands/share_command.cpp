// codexmem share: memories and decisions as files of the repository.
//
// Tested by team/share_test.py.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/memory_question.h"
#include "ask/arguments.h"
#include "ask/team.h"
#include "base/terminal_text.h"
#include "memory/transfer/team_memory.h"
#include "serve/repository.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace {

constexpr std::size_t kCommitDigits = 12;

// An entry by its number, a decision by its id.
Result<memory::DocumentKey> find_document(memory::Memory& memory, const std::string& id) {
  const auto key = ask::read_id(id);
  if (key && memory::kind_of(*key) == memory::DocumentKind::kEntry) return *key;
  if (key) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("entries and decisions can be shared, got \"{}\"", id)};
  }
  CODEXMEM_ASSIGN(const memory::Decision decision, memory.decisions().get(id));
  return memory::document_key(decision.key);
}

std::string shown_id(const memory::SharedFile& file, const std::string& decision_id) {
  if (!file.document) return {};
  return decision_id.empty() ? "#" + ask::id_text(*file.document) : decision_id;
}

std::string origin_text(const memory::SharedOrigin& origin) {
  if (!origin.is_known()) return "not committed";
  const std::string commit = origin.commit_id.substr(0, kCommitDigits);
  return origin.author.empty() ? commit : terminal_line(origin.author) + ", " + commit;
}

class ShareCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.texts("ID", ids_, "Ids of entries (12) and decisions (decision_...)");
    arguments.flag("--remove", removes_, "Remove their files; what you saved yourself stays");
    arguments.flag("--on", turns_on_, "Read what is shared in this repository, from now on");
    arguments.flag("--off", turns_off_, "Stop reading it, and remove what came from it");
    question_.declare(arguments);
  }

  ExitCode run(Console& console) override {
    if ((turns_on_ ? 1 : 0) + (turns_off_ ? 1 : 0) + (ids_.empty() ? 0 : 1) > 1 ||
        (removes_ && ids_.empty())) {
      return fail(console, {ErrorCode::kInvalidArgument,
                            "share takes ids (with or without --remove), or --on, or --off"});
    }
    return with_memory(question_, console, [&](memory::Memory& memory) -> Result<ExitCode> {
      memory::TeamPlace place = ask::team_place_of(memory.root());
      const auto workspace = serve::open_index(place.root);
      if (workspace.ok()) place.cite = ask::citing(**workspace, memory.clock());
      if (turns_on_ || turns_off_) {
        CODEXMEM_TRY(memory::set_team_memory(memory, place, turns_on_));
      }
      // A removed file may have been read from a file that came a moment ago.
      if (removes_) CODEXMEM_TRY(memory::take_in_shared(memory, place));
      for (const std::string& id : split_ids(ids_)) {
        CODEXMEM_TRY(removes_ ? remove(memory, place, id, console)
                              : share(memory, place, id, console));
      }
      CODEXMEM_ASSIGN(const memory::TakenIn taken, memory::take_in_shared(memory, place));
      if (!ids_.empty() && !question_.json) return ExitCode::kFound;
      CODEXMEM_ASSIGN(const ExitCode found, list(memory, place, taken, console));
      return turns_on_ || turns_off_ ? ExitCode::kFound : found;
    });
  }

 private:
  Result<void> share(memory::Memory& memory, const memory::TeamPlace& place, const std::string& id,
                     Console& console) const {
    CODEXMEM_ASSIGN(const memory::DocumentKey document, find_document(memory, id));
    CODEXMEM_ASSIGN(const memory::SharedHere done, memory::share(memory, place, document));
    if (question_.json) return {};
    const char* const what = done.is_new ? "written" : done.is_changed ? "updated" : "is current";
    console.print_line(fmt::format("{} {}", terminal_line(done.path), what));
    return {};
  }

  Result<void> remove(memory::Memory& memory, const memory::TeamPlace& place, const std::string& id,
                      Console& console) const {
    CODEXMEM_ASSIGN(const memory::DocumentKey document, find_document(memory, id));
    CODEXMEM_ASSIGN(const std::string path, memory::unshare(memory, place, document));
    if (!question_.json) console.print_line(fmt::format("{} removed", terminal_line(path)));
    return {};
  }

  Result<ExitCode> list(memory::Memory& memory, const memory::TeamPlace& place,
                        const memory::TakenIn& taken, Console& console) const {
    CODEXMEM_ASSIGN(const auto files, memory::list_shared(memory, place));
    std::vector<JsonText> items;
    std::string text;
    for (const memory::SharedFile& file : files) {
      std::string title, decision_id;
      if (file.document && memory::kind_of(*file.document) == memory::DocumentKind::kDecision) {
        CODEXMEM_ASSIGN(const auto decision, find_shared_decision(memory, *file.document));
        title = decision.title + fmt::format(" ({})", memory::status_name(decision.status));
        decision_id = decision.id;
      } else if (file.document) {
        const auto id = static_cast<memory::EntryId>(memory::id_of(*file.document));
        CODEXMEM_ASSIGN(const auto entries, memory.entries().get(std::span(&id, 1)));
        if (!entries.empty()) title = entries.front().title;
      }
      const std::string id = shown_id(file, decision_id);
      if (!file.refused.empty()) {
        items.push_back(json_object("file", file.path, "refused", file.refused));
        text +=
            fmt::format("  {}\n      {}\n", terminal_line(file.path),
                        console.painted(Paint::kBad, "not read: " + terminal_line(file.refused)));
      } else {
        const bool is_ahead = memory::is_dated_ahead(memory, place, file);
        items.push_back(json_object(
            "file", file.path, "id",
            decision_id.empty() ? ask::id_text(*file.document) : decision_id, "title", title, "by",
            some(file.origin.author), "commit",
            json_if(file.origin.is_known(), file.origin.commit_id.substr(0, kCommitDigits)),
            "rival", some(file.rival), "datedAhead", some(is_ahead)));
        text +=
            fmt::format("  {}  {}\n      {} ({})\n", console.painted(Paint::kPath, id),
                        terminal_line(title), terminal_line(file.path), origin_text(file.origin));
        if (is_ahead) {
          text += "      " +
                  console.painted(Paint::kBad, "dated in the future: the date does not count") +
                  "\n";
        }
        if (!file.rival.empty()) {
          text += "      " +
                  console.painted(Paint::kBad, "in conflict with " + terminal_line(file.rival) +
                                                   ", which is active: supersede both") +
                  "\n";
        }
      }
    }
    if (question_.json) {
      console.print_json(json_object("read", taken.is_on.value_or(false), "files", taken.files,
                                     "items", items, "cut", some(taken.is_cut))
                             .text);
    } else {
      console.print_paged(text);
      if (!taken.is_on.value_or(false)) {
        console.note(taken.files == 0 ? std::string("nothing is shared in this repository")
                                      : counted(taken.files, "shared file") +
                                            " not read: `codexmem share --on` reads what is shared "
                                            "in this repository");
      } else if (files.empty()) {
        console.note("nothing is shared in this repository");
      }
      if (taken.is_cut) {
        console.note(fmt::format("only {} of the files are read", memory::kMaxSharedFiles));
      }
    }
    return files.empty() ? ExitCode::kNothingFound : ExitCode::kFound;
  }

  static Result<memory::Decision> find_shared_decision(memory::Memory& memory,
                                                       memory::DocumentKey document) {
    const auto key = static_cast<memory::DecisionKey>(memory::id_of(document));
    CODEXMEM_ASSIGN(auto reader, memory.store().reader());
    CODEXMEM_ASSIGN(auto found, memory::get_decisions(*reader, std::span(&key, 1)));
    if (!found.empty()) return std::move(found.front());
    return Error{ErrorCode::kNotFound, "a shared decision is gone: try once more"};
  }

  MemoryQuestion question_;
  std::vector<std::string> ids_;
  bool removes_ = false, turns_on_ = false, turns_off_ = false;
};

}  // namespace

std::unique_ptr<Command> make_share_command() { return std::make_unique<ShareCommand>(); }

}  // namespace codexmem::app
