// A failure is shown once, with its outcome: runs that were red of the same
// tests, or with the same first error, are one.
//
// Tested by observe/rule_based_provider_test.cpp.
#include "observe/work/rule_based_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "observe/work/last_words.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxPromptBytes = 600;
constexpr std::size_t kMaxFieldItems = 15;  // of a field
constexpr std::size_t kMaxFieldItemBytes = 240;
constexpr std::size_t kMaxFiles = 100;
constexpr std::size_t kMaxReadBytes = std::size_t{1} << 16;

void add_once(std::vector<std::string>& items, std::string item, std::size_t most) {
  if (item.empty() || items.size() >= most) return;
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

std::string join_some(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& item : items) {
    if (shown == kMaxFieldItems || text.size() + item.size() > kMaxSummaryFieldBytes - 40) break;
    if (shown++ > 0) text += separator;
    text += item;
  }
  if (shown < items.size()) text += fmt::format("{}and {} more", separator, items.size() - shown);
  return text;
}

// ---- what was done

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix);
}

// Of several edits of one file each title says a part: "src/auth.ts: added login(); changed x()".
std::vector<std::string> completed_in(const std::vector<Observation>& observations) {
  const bool has_failure =
      std::any_of(observations.begin(), observations.end(),
                  [](const Observation& one) { return one.outcome == "error"; });
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> by_file;
  std::vector<std::string> others;
  for (const Observation& observation : observations) {
    // What failed is learned, with its end.
    if (observation.outcome == "error" || (observation.outcome == "success" && has_failure))
      continue;
    const std::string title = shortened_line(observation.title, kMaxFieldItemBytes);
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
    completed.push_back(
        shortened_line(file + ": " + join(by_file[file], "; "), 2 * kMaxFieldItemBytes));
  }
  completed.insert(completed.end(), others.begin(), others.end());
  return completed;
}

bool has_concept(const Observation& observation, std::string_view concept_name) {
  return std::find(observation.concepts.begin(), observation.concepts.end(), concept_name) !=
         observation.concepts.end();
}

// Not what was merely run, nor what did not work: that is learned.
bool explains_how_it_works(const Observation& observation) {
  return has_concept(observation, "how-it-works");
}

std::string investigated_in(const std::vector<Observation>& observations,
                            const std::vector<std::string>& files_read) {
  std::vector<std::string> searches, others;
  for (const Observation& observation : observations) {
    if (observation.type != "discovery" || !explains_how_it_works(observation)) continue;
    const std::string title = shortened_line(observation.title, kMaxFieldItemBytes);
    if (begins_with(title, "Read ") || begins_with(title, "Looked at ")) continue;
    const bool is_search = begins_with(title, "Searched") || begins_with(title, "Looked for");
    add_once(is_search ? searches : others, title, 200);
  }
  std::vector<std::string> parts;
  if (!files_read.empty()) parts.push_back("Read " + join_some(files_read, ", "));
  if (!searches.empty()) parts.push_back(join_some(searches, "; "));
  if (!others.empty()) parts.push_back(join_some(others, "; "));
  return shorten(join(parts, ". "), kMaxSummaryFieldBytes);
}

// What failed and what came of it.
struct Lessons {
  std::vector<std::string> learned, still_red;
};

struct Failure {
  std::vector<std::string> tests;  // as facts name them
  std::string first_error, title;
  bool is_mended = false;

  bool is_same_as(const Failure& other) const {
    return tests.empty() && other.tests.empty()
               ? !first_error.empty() && first_error == other.first_error
               : tests == other.tests;
  }
};

Failure failure_of(const Observation& observation) {
  Failure failure;
  failure.title = shortened_line(observation.title, kMaxFieldItemBytes);
  for (const std::string& fact : observation.facts) {
    if (begins_with(fact, "failed: ")) failure.tests.push_back(fact.substr(8));
    if (begins_with(fact, "first error: "))
      failure.first_error = shortened_line(fact.substr(13), 160);
  }
  return failure;
}

// A fix names one of its tests; where no test was named any fix is its end.
bool is_mended_by(const Failure& failure, const Observation& observation) {
  if (observation.type != "bugfix") return false;
  return failure.tests.empty() ||
         std::any_of(observation.facts.begin(), observation.facts.end(), [&](const auto& fact) {
           return begins_with(fact, "red before, green now: ") &&
                  std::any_of(failure.tests.begin(), failure.tests.end(), [&](const auto& test) {
                    return fact.find(test) != std::string::npos;
                  });
         });
}

Lessons lessons_of(const std::vector<Observation>& observations) {
  Lessons lessons;
  std::vector<Failure> failures;
  std::vector<std::string> others;
  std::string red;  // the last one, while nothing green came
  for (const Observation& observation : observations) {
    if (observation.outcome == "error") {
      Failure failure = failure_of(observation);
      const auto same = std::find_if(failures.begin(), failures.end(),
                                     [&](const Failure& one) { return one.is_same_as(failure); });
      if (same != failures.end()) failures.erase(same);
      failures.push_back(std::move(failure));
      red = failures.back().title;
    } else if (observation.outcome == "success") {
      for (Failure& failure : failures) failure.is_mended |= is_mended_by(failure, observation);
      red.clear();
    } else if (has_concept(observation, "gotcha")) {
      add_once(others, shortened_line(observation.title, kMaxFieldItemBytes), 50);
    }
  }
  for (const Failure& failure : failures) {
    std::string lesson = failure.title;
    if (failure.title.find(failure.first_error) == std::string::npos) {
      lesson += ": " + failure.first_error;
    }
    if (failure.is_mended) lesson += " - fixed";
    add_once(lessons.learned, lesson, 50);
  }
  lessons.learned.insert(lessons.learned.end(), others.begin(), others.end());
  if (!red.empty()) lessons.still_red.push_back("Still red: " + red);
  return lessons;
}

}  // namespace

std::optional<SessionSummary> summarize_by_rules(const SummarizeRequest& request) {
  SessionSummary summary;
  std::vector<std::string> prompts;
  for (const std::string& prompt : request.prompts) {
    if (std::string text = shorten(prompt, kMaxPromptBytes); !text.empty()) {
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
  summary.completed = join_some(completed_in(request.observations), "\n");
  const Lessons lessons = lessons_of(request.observations);
  summary.learned = join_some(lessons.learned, "\n");
  const LastWords words =
      read_last_words(trim(utf8_prefix(request.last_assistant_message, kMaxReadBytes)));
  const std::string still_red = join(lessons.still_red, "\n");
  summary.next_steps = shorten(
      still_red + (still_red.empty() || words.next_steps.empty() ? "" : "\n") + words.next_steps,
      kMaxSummaryFieldBytes);
  summary.notes = words.notes;
  if (summary.request.empty() && summary.notes.empty() && request.observations.empty()) {
    return std::nullopt;
  }
  return summary;
}

}  // namespace codexmem::observe
