// A message is cut into paragraphs and those into sentences. Of the last paragraphs the last one
// about the next steps is taken: from its first sentence to the end of the paragraph,
// with the lists below it.
//
// Tested by observe/last_words_test.cpp.
#include "observe/work/last_words.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kLastParagraphs = 6;  // are looked through
constexpr std::string_view kMarks = "#*_`-> \t";

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

// Ends of lines end sentences, and so do marks before a blank; they keep their marks.
std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  const auto end_at = [&](std::size_t end) {
    const std::string_view sentence = trim(text.substr(begin, end - begin));
    if (!sentence.empty()) sentences.push_back(sentence);
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = text[i] == '.' || text[i] == '!' || text[i] == '?';
    if (text[i] == '\n' || (is_mark && i + 1 < text.size() && text[i + 1] == ' ')) end_at(i + 1);
  }
  end_at(text.size());
  return sentences;
}

bool is_list_item(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("\xE2\x80\xA2")) {
    return true;
  }
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
}

// Headings and labels, which are left out: "Next steps", "**Remaining:**".
constexpr std::array<std::string_view, 20> kLabels = {
    "next steps",  "next step",      "suggested next steps", "possible next steps",
    "what's next", "what is next",   "what is left",         "what's left",
    "next up",     "next",           "remaining work",       "remaining",
    "still to do", "still open",     "left to do",           "to do",
    "todo",        "open questions", "follow-ups",           "follow-up"};

// What follows the label that `text` begins with; null data without one.
std::string_view after_label(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kMarks);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  const std::string lower = to_lower_ascii(utf8_prefix(text, 40));
  for (const std::string_view label : kLabels) {
    if (!lower.starts_with(label)) continue;
    std::string_view rest = text.substr(label.size());
    const bool was_marked = rest.starts_with('*') || rest.starts_with('_');
    while (rest.starts_with('*') || rest.starts_with('_')) rest.remove_prefix(1);
    const bool ends_line = rest.empty() || rest.starts_with('\n');
    const bool is_label = ends_line || rest.starts_with(':') ||
                          (rest.starts_with(',') && label == "next") || was_marked ||
                          (rest.starts_with(' ') && text.starts_with("TODO"));
    if (!is_label) continue;
    const std::size_t text_begin = rest.find_first_not_of(":,*_ \t\n");
    return text_begin == std::string_view::npos ? rest.substr(rest.size())
                                                : rest.substr(text_begin);
  }
  return {};
}

// A sentence about the next steps, without a label.
bool speaks_of_next(std::string_view sentence) {
  std::string text = to_lower_ascii(utf8_prefix(sentence, 400));
  text.erase(0, std::min(text.find_first_not_of(kMarks), text.size()));
  while (!text.empty() && std::string_view(".!;*_` \n").find(text.back()) != std::string::npos) {
    text.pop_back();
  }
  const auto begins = [&](std::initializer_list<std::string_view> any) {
    return std::any_of(any.begin(), any.end(),
                       [&](std::string_view begin) { return text.starts_with(begin); });
  };
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  if (begins({"you should ", "you may want", "you might want", "you can now ", "you could ",
              "i recommend", "i'd recommend", "i suggest", "i'd suggest", "i would suggest",
              "still to do", "left to do", "not done", "it remains to", "what remains", "next i ",
              "next we ", "next you "})) {
    return true;
  }
  if (begins({"i will ", "i'll ", "we should ", "we need to ", "then ", "you need to "}) &&
      (text.ends_with(" next") || has(" next "))) {
    return true;
  }
  if (has("next step")) return true;
  return (has(" no ") || has("not ") || has("n't ")) && text.ends_with(" yet");
}

// The part of `message` about the next steps: where it begins, and its text.
struct Next {
  const char* begin = nullptr;
  std::string text;
};

Next next_in(const std::vector<std::string_view>& paragraphs) {
  const std::size_t first =
      paragraphs.size() > kLastParagraphs ? paragraphs.size() - kLastParagraphs : 0;
  for (std::size_t i = paragraphs.size(); i > first; --i) {
    const std::string_view paragraph = paragraphs[i - 1];
    for (const std::string_view sentence : sentences_of(paragraph)) {
      const std::string_view rest_of_paragraph =
          paragraph.substr(static_cast<std::size_t>(sentence.data() - paragraph.data()));
      const std::string_view labelled = after_label(rest_of_paragraph);
      if (labelled.data() == nullptr && !speaks_of_next(sentence)) continue;
      Next next{sentence.data(),
                std::string(labelled.data() == nullptr ? rest_of_paragraph : labelled)};
      for (std::size_t n = i; n < paragraphs.size(); ++n) {
        if (!next.text.empty() && !is_list_item(paragraphs[n])) break;
        if (!next.text.empty()) next.text += '\n';
        next.text += paragraphs[n];
      }
      if (!trim(next.text).empty()) return next;
    }
  }
  if (!paragraphs.empty()) {
    const std::string_view last = paragraphs.back();
    if (last.ends_with('?') || last.ends_with("\xEF\xBC\x9F")) {
      const std::string_view question = sentences_of(last).back();
      return {question.data(), std::string(question)};
    }
  }
  return {};
}

}  // namespace

LastWords read_last_words(std::string_view message) {
  const Next next = next_in(paragraphs_of(message));
  LastWords words;
  words.next_steps = shorten(next.text, kMaxNextStepsBytes);
  if (next.begin != nullptr) {
    message = message.substr(0, static_cast<std::size_t>(next.begin - message.data()));
  }
  // What was said first is what came of it.
  for (const std::string_view paragraph : paragraphs_of(message)) {
    if (words.notes.size() > 500) break;
    if (!words.notes.empty()) words.notes += "\n\n";
    words.notes += shorten(paragraph, 900);
  }
  words.notes = shorten(words.notes, kMaxNotesBytes);
  return words;
}

}  // namespace codexmem::observe
