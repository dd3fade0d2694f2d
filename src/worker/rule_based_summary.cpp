// Tested by worker/rule_based_provider_test.cpp.
#include "worker/rule_based_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace codexmem::worker {
namespace {

constexpr std::size_t kMaxPromptBytes = 600;
constexpr std::size_t kMaxItems = 15;  // of a field
constexpr std::size_t kMaxItemBytes = 240;
constexpr std::size_t kMaxFiles = 100;
constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 16;

std::string cut(std::string_view text, std::size_t max_bytes) {
  text = trim(text);
  if (text.size() <= max_bytes) return std::string(text);
  return std::string(trim(utf8_prefix(text, max_bytes - 3))) + "...";
}

std::string line_of(std::string_view text, std::size_t max_bytes) {
  return cut(fold_whitespace(utf8_prefix(text, 8 * max_bytes)), max_bytes);
}

void add_once(std::vector<std::string>& items, std::string item, std::size_t most) {
  if (item.empty() || items.size() >= most) return;
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

std::string listed(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& item : items) {
    if (shown == kMaxItems || text.size() + item.size() > kMaxSummaryFieldBytes - 40) break;
    if (shown++ > 0) text += separator;
    text += item;
  }
  if (shown < items.size()) text += fmt::format("{}and {} more", separator, items.size() - shown);
  return text;
}

// ---- what the assistant said

std::vector<std::string_view> paragraphs_of(std::string_view message) {
  std::vector<std::string_view> paragraphs;
  std::size_t begin = 0;
  while (begin < message.size()) {
    std::size_t end = message.find("\n\n", begin);
    if (end == std::string_view::npos) end = message.size();
    const std::string_view paragraph = trim(message.substr(begin, end - begin));
    if (!paragraph.empty()) paragraphs.push_back(paragraph);
    begin = end + 2;
  }
  return paragraphs;
}

bool speaks_of_next(std::string_view paragraph) {
  std::string head = to_lower_ascii(utf8_prefix(paragraph, 120));
  head.erase(0, std::min(head.find_first_not_of("#*_-> \n"), head.size()));
  static constexpr std::array<std::string_view, 18> kBegins = {
      "next",       "remaining", "todo",          "to do",       "still to",
      "still open", "follow-up", "followup",      "you can now", "you may want",
      "you should", "you might", "i recommend",   "i'd suggest", "i would suggest",
      "left to do", "not done",  "open questions"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](std::string_view begin) { return head.starts_with(begin); }) ||
         head.find("next step") != std::string::npos;
}

// What is to be done next, as the end of the message has it: from the last paragraph that speaks of
// it, else a question at the end.
std::string next_steps_in(std::string_view message) {
  const std::vector<std::string_view> paragraphs = paragraphs_of(message);
  const std::size_t first = paragraphs.size() > 6 ? paragraphs.size() - 6 : 0;
  for (std::size_t i = paragraphs.size(); i > first; --i) {
    if (!speaks_of_next(paragraphs[i - 1])) continue;
    const std::size_t begin = static_cast<std::size_t>(paragraphs[i - 1].data() - message.data());
    return cut(message.substr(begin), kMaxSummaryFieldBytes);
  }
  if (!paragraphs.empty()) {
    const std::string_view last = paragraphs.back();
    if (last.ends_with('?') || last.ends_with("\xEF\xBC\x9F")) return cut(last, 500);
  }
  return {};
}

// ---- what was done

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix);
}

// Of several edits of one file each title says a part: "src/auth.ts: added login(); changed x()".
std::vector<std::string> completed_in(const std::vector<Observation>& observations) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> by_file;
  std::vector<std::string> others;
  for (const Observation& observation : observations) {
    if (observation.outcome == "error") continue;
    const std::string title = line_of(observation.title, kMaxItemBytes);
    const bool is_looking = observation.type == "discovery" && observation.files_modified.empty();
    if (is_looking || title.empty()) continue;
    const std::string& file =
        observation.files_modified.size() == 1 ? observation.files_modified[0] : std::string();
    const std::string edited = "Edited " + file + ": ", edited_in = "Edited " + file + " in ";
    std::string change;
    if (!file.empty() && begins_with(title, edited)) change = title.substr(edited.size());
    if (!file.empty() && begins_with(title, edited_in)) change = title.substr(edited_in.size() - 3);
    if (change.empty()) {
      add_once(others, title, 200);
      continue;
    }
    auto& changes = by_file[file];
    if (changes.empty()) order.push_back(file);
    add_once(changes, change, 6);
  }
  std::vector<std::string> completed;
  for (const std::string& file : order) {
    completed.push_back(line_of(file + ": " + join(by_file[file], "; "), 2 * kMaxItemBytes));
  }
  completed.insert(completed.end(), others.begin(), others.end());
  return completed;
}

bool tells_outcome(const Observation& observation) {
  return observation.outcome == "error" || observation.outcome == "success";
}

std::string investigated_in(const std::vector<Observation>& observations,
                            const std::vector<std::string>& files_read) {
  std::vector<std::string> searches, others;
  for (const Observation& observation : observations) {
    if (observation.type != "discovery" || tells_outcome(observation)) continue;
    const std::string title = line_of(observation.title, kMaxItemBytes);
    if (begins_with(title, "Read ") || begins_with(title, "Looked at ")) continue;
    const bool is_search = begins_with(title, "Searched") || begins_with(title, "Looked for");
    add_once(is_search ? searches : others, title, 200);
  }
  std::vector<std::string> parts;
  if (!files_read.empty()) parts.push_back("Read " + listed(files_read, ", "));
  if (!searches.empty()) parts.push_back(listed(searches, "; "));
  if (!others.empty()) parts.push_back(listed(others, "; "));
  return cut(join(parts, ". "), kMaxSummaryFieldBytes);
}

// What failed and what came of it.
struct Lessons {
  std::vector<std::string> learned, still_red;
};
Lessons lessons_of(const std::vector<Observation>& observations) {
  Lessons lessons;
  const Observation* red = nullptr;
  for (const Observation& observation : observations) {
    if (observation.outcome == "error") {
      red = &observation;
      std::string told = line_of(observation.title, kMaxItemBytes);
      for (const std::string& fact : observation.facts) {
        if (begins_with(fact, "first error: ")) told += " (" + line_of(fact.substr(13), 160) + ')';
      }
      add_once(lessons.learned, told, 50);
    } else if (observation.outcome == "success") {
      if (red != nullptr || observation.type == "bugfix") {
        add_once(lessons.learned, line_of(observation.title, kMaxItemBytes), 50);
      }
      if (!begins_with(observation.title, "Committed")) red = nullptr;
    } else if (std::find(observation.concepts.begin(), observation.concepts.end(), "gotcha") !=
               observation.concepts.end()) {
      add_once(lessons.learned, line_of(observation.title, kMaxItemBytes), 50);
    }
  }
  if (red != nullptr) {
    std::string told = line_of(red->title, kMaxItemBytes);
    lessons.still_red.push_back("Still red: " + told);
  }
  return lessons;
}

}  // namespace

std::optional<SessionSummary> summarize_by_rules(const SummarizeRequest& request) {
  SessionSummary summary;
  std::vector<std::string> prompts;
  for (const std::string& prompt : request.prompts) {
    if (std::string text = cut(prompt, kMaxPromptBytes); !text.empty()) {
      prompts.push_back(std::move(text));
    }
  }
  if (!prompts.empty()) {
    summary.request = prompts.front();
    if (prompts.size() > 1) summary.request += "\n\nLast: " + prompts.back();
  }
  for (const Observation& observation : request.observations) {
    for (const std::string& file : observation.files_read) {
      add_once(summary.files_read, file, kMaxFiles);
    }
    for (const std::string& file : observation.files_modified) {
      add_once(summary.files_edited, file, kMaxFiles);
    }
  }
  summary.investigated = investigated_in(request.observations, summary.files_read);
  summary.completed = listed(completed_in(request.observations), "\n");
  const Lessons lessons = lessons_of(request.observations);
  summary.learned = listed(lessons.learned, "\n");
  const std::string_view message =
      trim(utf8_prefix(request.last_assistant_message, kMaxMessageBytes));
  const std::string next = next_steps_in(message);
  summary.next_steps = cut(join(lessons.still_red, "\n") +
                               (lessons.still_red.empty() || next.empty() ? "" : "\n") + next,
                           kMaxSummaryFieldBytes);
  // What was said first is what came of it.
  const std::vector<std::string_view> paragraphs = paragraphs_of(message);
  for (const std::string_view paragraph : paragraphs) {
    if (summary.notes.size() > 500 || speaks_of_next(paragraph)) break;
    if (!summary.notes.empty()) summary.notes += "\n\n";
    summary.notes += cut(paragraph, 900);
  }
  summary.notes = cut(summary.notes, kMaxSummaryFieldBytes);
  if (summary.request.empty() && summary.notes.empty() && request.observations.empty()) {
    return std::nullopt;
  }
  return summary;
}

}  // namespace codexmem::worker
