// Each row becomes a line of an export (memory/transfer/transfer.h), so that there is one way in.
// Sessions that are only referred to are imported first, by themselves, so that they are not
// counted.
//
// Tested by observe/record_import_test.cpp.
#include "observe/intake/record_import.h"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "text/parse_json.h"
#include "base/text.h"
#include "text/json_lists.h"
#include "memory/times.h"
#include "memory/transfer/transfer.h"

namespace codexmem::observe {
namespace {

void copy_text(Json& line, const char* name, const Json& row, const char* key) {
  if (std::string text = text_member(row, key); !text.empty()) line[name] = std::move(text);
}

void copy_number(Json& line, const char* name, const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at != row.end() && at->is_number_integer()) line[name] = *at;
}

// An array, or the text of one.
void copy_list(Json& line, const char* name, const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end()) return;
  const auto list = read_json_list(at->is_string() ? at->get<std::string>() : dump_json(*at));
  if (!list.empty()) line[name] = list;
}

std::optional<std::int64_t> time_of(const Json& row, const char* epoch, const char* iso) {
  if (const auto at = row.find(epoch); at != row.end() && at->is_number()) {
    return memory::read_epoch(at->get<double>());
  }
  const std::string text = text_member(row, iso);
  return text.empty() ? std::nullopt : memory::read_time(text);
}

// The rows of one list of the body as lines.
class Lines {
 public:
  Lines(const memory::Clock& clock) : now_ms_(clock()) {}

  // Sessions are known by two names.
  void add_session(const Json& row) {
    const std::string id = text_member(row, "content_session_id");
    const std::string other = text_member(row, "memory_session_id");
    if (!other.empty()) names_[other] = id.empty() ? other : id;
    known_.insert(id.empty() ? other : id);
    Json line = {{"kind", "session"}, {"session", id.empty() ? other : id}};
    copy_text(line, "project", row, "project");
    copy_text(line, "platform", row, "platform");
    const std::string status = text_member(row, "status");
    line["status"] = status == "active" || status == "failed" ? status : "completed";
    line["started_at_ms"] = time_of(row, "started_at_epoch", "started_at").value_or(now_ms_);
    if (const auto ended = time_of(row, "completed_at_epoch", "completed_at")) {
      line["completed_at_ms"] = *ended;
    }
    lines_.push_back(dump_json(line));
  }

  void add_summary(const Json& row) {
    Json line = {{"kind", "summary"}, {"session", session_of(row)}};
    for (const char* key :
         {"request", "investigated", "learned", "completed", "next_steps", "notes"}) {
      copy_text(line, key, row, key);
    }
    copy_list(line, "files_read", row, "files_read");
    copy_list(line, "files_edited", row, "files_edited");
    finish(std::move(line), row);
  }

  void add_observation(const Json& row) {
    Json line = {{"kind", "entry"}, {"session", session_of(row)}};
    const std::string text = text_member(row, "text"), narrative = text_member(row, "narrative");
    // What was saved by hand has its text in both.
    line["source"] = !text.empty() && text == narrative ? "manual" : "import";
    line["text"] = !narrative.empty() ? narrative : text;
    for (const char* key : {"project", "type", "title", "subtitle", "source_ref"}) {
      copy_text(line, key, row, key);
    }
    for (const char* key : {"facts", "concepts", "files_read", "files_modified"}) {
      copy_list(line, key, row, key);
    }
    if (line["text"] == "") line["text"] = fallback_text(line);
    if (const auto at = row.find("metadata"); at != row.end() && at->is_object()) {
      line["metadata"] = *at;
    }
    finish(std::move(line), row);
  }

  void add_prompt(const Json& row) {
    Json line = {{"kind", "prompt"}, {"session", session_of(row)}};
    copy_text(line, "text", row, "prompt_text");
    copy_number(line, "number", row, "prompt_number");
    finish(std::move(line), row);
  }

  const std::vector<std::string>& lines() const { return lines_; }

  // Lines of the sessions that rows refer to and that have no row.
  std::vector<std::string> implied_sessions() const {
    std::vector<std::string> lines;
    for (const auto& [session, line] : implied_) {
      if (!known_.contains(session)) lines.push_back(line);
    }
    return lines;
  }

 private:
  std::string session_of(const Json& row) const {
    const std::string id = text_member(row, "content_session_id");
    if (!id.empty()) return id;
    const std::string name = text_member(row, "memory_session_id");
    const auto known = names_.find(name);
    return known == names_.end() ? name : known->second;
  }

  // An observation without a text gets its facts as text, else its title.
  static std::string fallback_text(const Json& line) {
    if (const auto facts = line.find("facts"); facts != line.end()) {
      return join(facts->get<std::vector<std::string>>(), "\n");
    }
    return text_member(line, "title");
  }

  void finish(Json line, const Json& row) {
    copy_number(line, "prompt_number", row, "prompt_number");
    copy_number(line, "discovery_tokens", row, "discovery_tokens");
    const std::int64_t at_ms = time_of(row, "created_at_epoch", "created_at").value_or(now_ms_);
    line["created_at_ms"] = at_ms;
    if (const std::string session = text_member(line, "session"); session.empty()) {
      line.erase("session");
    } else if (!implied_.contains(session)) {
      Json implied = {{"kind", "session"}, {"session", session}, {"started_at_ms", at_ms}};
      copy_text(implied, "project", row, "project");
      implied_[session] = dump_json(implied);
    }
    lines_.push_back(dump_json(line));
  }

  std::int64_t now_ms_;
  std::vector<std::string> lines_;
  std::map<std::string, std::string> names_;    // of sessions: memory_session_id to the host's
  std::map<std::string, std::string> implied_;  // by session
  std::set<std::string> known_;
};

Result<memory::ImportReport> import_lines(memory::Memory& memory,
                                          const std::vector<std::string>& lines,
                                          const std::stop_token& stop) {
  std::size_t next = 0;
  const memory::LineSource source = [&]() -> Result<std::optional<std::string>> {
    const std::size_t line = next++;
    if (line == 0) return std::optional<std::string>(R"({"codexmem_memory":1})");
    if (line > lines.size()) return std::optional<std::string>();
    return std::optional<std::string>(lines[line - 1]);
  };
  return memory::import_memory(memory.store(), memory.entries(), memory.vectors(), source,
                               memory.clock(), /*may_decide=*/false, stop);
}

}  // namespace

Result<RecordImport> import_records(memory::Memory& memory, std::string_view body,
                                    std::stop_token stop) {
  const Json object = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    return Error{ErrorCode::kInvalidArgument, "the body must be a JSON object"};
  }
  struct List {
    const char* name;
    void (Lines::*add)(const Json&);
    ImportCounts RecordImport::*counts;
    std::size_t memory::ImportReport::*imported;
  };
  constexpr std::array kLists = {
      List{"sessions", &Lines::add_session, &RecordImport::sessions,
           &memory::ImportReport::sessions},
      List{"summaries", &Lines::add_summary, &RecordImport::summaries,
           &memory::ImportReport::summaries},
      List{"observations", &Lines::add_observation, &RecordImport::observations,
           &memory::ImportReport::entries},
      List{"prompts", &Lines::add_prompt, &RecordImport::prompts, &memory::ImportReport::prompts},
  };
  Lines lines(memory.clock());
  std::array<std::size_t, kLists.size()> begins = {};  // in lines, of each list
  for (std::size_t i = 0; i < kLists.size(); ++i) {
    begins[i] = lines.lines().size();
    const auto list = object.find(kLists[i].name);
    if (list == object.end() || list->is_null()) continue;
    const bool is_list_of_objects =
        list->is_array() &&
        std::all_of(list->begin(), list->end(), [](const Json& row) { return row.is_object(); });
    if (!is_list_of_objects) {
      return Error{ErrorCode::kInvalidArgument,
                   std::string(kLists[i].name) + " must be an array of objects"};
    }
    for (const Json& row : *list) (lines.*kLists[i].add)(row);
  }

  if (const auto implied = lines.implied_sessions(); !implied.empty()) {
    CODEXMEM_TRY(import_lines(memory, implied, stop));
  }
  CODEXMEM_ASSIGN(const memory::ImportReport report, import_lines(memory, lines.lines(), stop));
  memory.note_change();

  RecordImport result;
  for (std::size_t i = 0; i < kLists.size(); ++i) {
    const std::size_t end = i + 1 < kLists.size() ? begins[i + 1] : lines.lines().size();
    ImportCounts& counts = result.*kLists[i].counts;
    counts.imported = report.*kLists[i].imported;
    counts.skipped = end - begins[i] - counts.imported;
    for (const memory::RefusedLine& refused : report.examples) {
      const std::size_t line = refused.line - 2;  // from 1, after the header
      if (line >= begins[i] && line < end) {
        result.refused.push_back({kLists[i].name, line - begins[i], refused.reason});
      }
    }
  }
  return result;
}

}  // namespace codexmem::observe
