// hook/transcript.h - what the assistant said last, by a session's transcript.
//
// Claude Code and Codex write a JSON object a line. Thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace codexmem::hook {

/// How much of a transcript's end is looked at, in bytes.
inline constexpr std::size_t kMaxTranscriptTail = std::size_t{4} << 20;

/// The text of the last line of `transcript` in which the assistant says something: its text blocks
/// with an empty line between, reminders of the host taken out, trimmed. "" when there is none, or
/// the file cannot be read.
std::string last_assistant_text(const std::filesystem::path& transcript);

}  // namespace codexmem::hook
