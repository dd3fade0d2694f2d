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

// Adds `staleness` to `written`: to its object and, as some are shown a bare array, as a text of
// its own.
void say_stale(const Staleness& staleness, Written& written) {
  std::vector<std::string> files = staleness.files;
  files.resize(std::min(files.size(), kMaxStaleFiles));
  Json stale = {{"why", staleness.why}};
  if (!files.empty()) stale["files"] = files;
  const bool text_is_object = written.text == written.structured;
  const std::string member = "\"stale\":" + dump_json(stale);
  if (written.structured.size() > 2) {
    written.structured.insert(written.structured.size() - 1, "," + member);
  } else {
    written.structured = "{" + member + "}";
  }
  if (text_is_object) written.text = written.structured;
  written.note = fmt::format("This answer may be out of date: {}{}{}", staleness.why,
                             files.empty() ? "" : "; changed since: ", join(files, ", "));
}

void say_only(const OnlyRepository& only, Written& written) {
  Json json = Json::parse(written.structured, nullptr, /*allow_exceptions=*/false);
  if (json.is_object()) {
    const bool text_is_object = written.text == written.structured;
    json["only"] = {{"repository", only.name}, {"others", only.others}};
    written.structured = dump_json(json);
    if (text_is_object) written.text = written.structured;
  }
  if (!written.note.empty()) written.note += " ";
  written.note += fmt::format("This answer is {}.", only.text("repository"));
}

// Adds `note` to the object, after its own note, and as a text.
void say_note(const std::string& note, Written& written) {
  Json json = Json::parse(written.structured, nullptr, /*allow_exceptions=*/false);
  if (json.is_object()) {
    const bool text_is_object = written.text == written.structured;
    const std::string own = json.contains("note") && json["note"].is_string()
                                ? json["note"].get<std::string>() + " "
                                : std::string();
    json["note"] = own + note;
    written.structured = dump_json(json);
    if (text_is_object) written.text = written.structured;
  }
  written.note += (written.note.empty() ? "" : " ") + note;
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
  return written;
}

}  // namespace codexmem::ask
