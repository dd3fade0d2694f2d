// Lines are looked at from the last one on. One without the word "assistant" is not even parsed,
// and what a tool answered, which makes up most of a transcript, rarely has it.
//
// Tested by hook/transcript_test.cpp.
#include "hook/transcript.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "text/json_text.h"
#include "text/parse_json.h"
#include "base/text.h"
#include "privacy/private_text.h"

namespace codexmem::hook {
namespace {

// The last bytes of a regular file, whole lines of it.
std::string read_tail(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return "";
  std::string text;
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    const std::size_t begin = size > kMaxTranscriptTail ? size - kMaxTranscriptTail : 0;
    text.resize(size - begin);
    std::size_t got = 0;
    while (got < text.size()) {
      const ssize_t count =
          ::pread(file, text.data() + got, text.size() - got, static_cast<off_t>(begin + got));
      if (count <= 0) break;
      got += static_cast<std::size_t>(count);
    }
    text.resize(got);
    if (begin > 0) text.erase(0, text.find('\n') == std::string::npos ? got : text.find('\n') + 1);
  }
  ::close(file);
  return text;
}

// The text of a message: {"role":"assistant","content":"..."} or blocks of {"type","text"}.
std::string message_text(const Json& message) {
  if (text_member(message, "role") != "assistant") return "";
  std::string text = text_member(message, "content");
  const Json* content = find_member(message, "content");
  if (content == nullptr || !content->is_array()) return text;
  for (const Json& block : *content) {
    const std::string type = text_member(block, "type");
    const Json* inner = find_member(block, "text");
    if ((type != "text" && type != "output_text") || !inner || !inner->is_string()) continue;
    if (!text.empty()) text += "\n\n";
    text += inner->get_ref<const std::string&>();
  }
  return text;
}

// Claude Code: {"type":"assistant","message":{...}}. Codex:
// {"type":"response_item","payload":{...}}.
std::string line_text(std::string_view line) {
  if (line.find("assistant") == std::string_view::npos) return "";
  if (is_too_deep(line)) return line_text(flatten_json(line));
  const Json json = parse_json(line);
  if (!json.is_object()) return "";
  for (const char* name : {"message", "payload"}) {
    const auto message = json.find(name);
    if (message != json.end()) return message_text(*message);
  }
  return message_text(json);
}

}  // namespace

std::string last_assistant_text(const std::filesystem::path& transcript) {
  const std::string tail = read_tail(transcript);
  std::string_view rest = tail;
  while (!rest.empty()) {
    const std::size_t newline = rest.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? rest : rest.substr(newline + 1);
    const std::string text(trim(privacy::strip_private(line_text(line))));
    if (!text.empty()) return text;
    rest = newline == std::string_view::npos ? std::string_view() : rest.substr(0, newline);
  }
  return "";
}

}  // namespace codexmem::hook
