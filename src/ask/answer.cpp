#include "ask/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ask/united.h"
#include "text/json.h"
#include "text/json_object.h"
#include "base/log.h"
#include "base/text.h"
#include "store/plain_message.h"

namespace codexmem::ask {

namespace {

// Answers are long enough without a list of everything that somebody is writing.
constexpr std::size_t kMaxStaleFiles = 20;

constexpr std::size_t kMaxFailureBytes = 2'000;  // of its message

std::vector<std::string> shown_files(const Staleness& staleness) {
  std::vector<std::string> files = staleness.files;
  files.resize(std::min(files.size(), kMaxStaleFiles));
  return files;
}

void say_stale(const Staleness& staleness, Written& written) {
  const std::vector<std::string> files = shown_files(staleness);
  const bool text_is_object = written.text == written.structured;
  const std::string member =
      "\"stale\":" + json_object("why", staleness.why, "files", some(files)).text;
  if (written.structured.size() > 2) {
    written.structured.insert(written.structured.size() - 1, "," + member);
  } else {
    written.structured = "{" + member + "}";
  }
  if (text_is_object) written.text = written.structured;
}

// Sets members of the object, if there is one.
template <typename Change>
void change_object(Written& written, Change change) {
  Json json = Json::parse(written.structured, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return;
  const bool text_is_object = written.text == written.structured;
  change(json);
  written.structured = dump_json(json);
  if (text_is_object) written.text = written.structured;
}

void say_only(const OnlyRepository& only, Written& written) {
  change_object(written, [&](Json& json) {
    json["only"] = {{"repository", only.name}, {"others", only.others}};
  });
}

// Behind the object's own note.
void say_note(const std::string& note, Written& written) {
  change_object(written, [&](Json& json) {
    const std::string own = json.contains("note") && json["note"].is_string()
                                ? json["note"].get<std::string>() + " "
                                : std::string();
    json["note"] = own + note;
  });
}

}  // namespace

std::string OnlyRepository::text(std::string_view argument) const {
  return fmt::format("about {} only; {} names another: {}", name, argument, join(others, ", "));
}

Written list_json(const std::vector<std::string>& items, std::string_view siblings) {
  Written written{"[" + join(items, ",") + "]", {}};
  const bool has_siblings = siblings.size() > 2;
  const std::string rest = has_siblings ? std::string(siblings.substr(1)) : std::string();
  written.structured = "{\"results\":" + written.text + (has_siblings ? "," + rest : "}");
  if (has_siblings) written.siblings = "{" + rest;
  return written;
}

Written object_json(std::string object) { return {object, object}; }

std::string failure_message(std::string_view message) {
  std::string plain = store::plain_message(message);
  if (plain != message) log_warn("{}", message);
  if (plain.size() <= kMaxFailureBytes) return plain;
  return std::string(utf8_prefix(plain, kMaxFailureBytes)) + "...";
}

Failure named_failure(std::string_view type, std::string_view message) {
  Failure failure{std::string(type), failure_message(message), {}, {}};
  failure.text = fmt::format("Error: {} - {}", type, failure.message);
  failure.structured = json_object("type", failure.type, "message", failure.message).text;
  return failure;
}

void add_to_message(Failure& failure, std::string_view more) {
  Json object = Json::parse(failure.structured, nullptr, /*allow_exceptions=*/false);
  if (failure.message.size() + more.size() > kMaxFailureBytes) return;
  if (more.empty() || !object.is_object() || !object.contains("message")) return;
  const bool text_is_object = failure.text == failure.structured;
  failure.message += more;
  object["message"] = object["message"].get<std::string>() + std::string(more);
  failure.structured = dump_json(object);
  failure.text = text_is_object ? failure.structured : failure.text + std::string(more);
}

Written Outcome::to_json() const {
  Written written = ok() ? answer->to_json() : Written{failure.text, failure.structured};
  if (!staleness.empty()) say_stale(staleness, written);
  if (ok() && !only.name.empty()) say_only(only, written);
  if (ok() && !note.empty()) say_note(note, written);
  if (ok() && !repositories.empty()) write_repositories(repositories, written);
  written.note = notes();
  return written;
}

std::string Outcome::notes() const {
  std::vector<std::string> sentences;
  if (!staleness.empty()) {
    const std::vector<std::string> files = shown_files(staleness);
    sentences.push_back(fmt::format("This answer may be out of date: {}{}{}", staleness.why,
                                    files.empty() ? "" : "; changed since: ", join(files, ", ")));
  }
  if (ok() && !only.name.empty()) {
    sentences.push_back(fmt::format("This answer is {}.", only.text("repository")));
  }
  if (ok() && !note.empty()) sentences.push_back(note);
  return join(sentences, " ");
}

}  // namespace codexmem::ask
