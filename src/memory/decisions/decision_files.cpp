// A file of a decision is written after its commit, with the store locked for that moment: the file
// has the stored content, even if another process writes files at the same time.
//
// Tested by memory/decision_files_test.cpp.
#include "memory/decisions/decision_files.h"

#include <fmt/core.h>

#include <system_error>

#include "base/file.h"
#include "base/log.h"
#include "memory/decisions/decision_text.h"
#include "memory/decisions/decisions.h"
#include "privacy/gate.h"
#include "memory/times.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kExportBatch = 20;

// U+0080 to U+009F, U+2028, U+2029, U+FEFF, U+FFFE and U+FFFF: not printable in YAML, or a line
// break. Returns its length at text[i], 0 for others.
std::size_t unprintable_length(std::string_view text, std::size_t i, unsigned* code) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) {
    *code = byte(1);
    return 2;
  }
  if ((byte(0) & 0xF0) != 0xE0) return 0;
  *code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  const bool is_unprintable =
      *code == 0x2028 || *code == 0x2029 || *code == 0xFEFF || *code == 0xFFFE || *code == 0xFFFF;
  return is_unprintable ? 3 : 0;
}

void add_yaml_list(std::string& yaml, std::string_view name,
                   const std::vector<std::string>& items) {
  yaml += fmt::format("  {}:{}\n", name, items.empty() ? " []" : "");
  for (const std::string& item : items)
    yaml += "    - " + yaml_string(privacy::redacted(item)) + "\n";
}

void add_id(std::string& yaml, std::string_view name, const std::string& id) {
  yaml += fmt::format("  {}: {}\n", name, id.empty() ? "null" : yaml_string(id));
}

Result<void> write_file(store::Database& database, const std::filesystem::path& directory,
                        std::string_view id) {
  // A store that somebody else has written into might name a path.
  CODEXMEM_ASSIGN(const std::string name, parse_decision_id(id));
  CODEXMEM_ASSIGN(const auto decision, find_decision(database, id));
  if (!decision) return {};
  return replace_file(directory / name, decision_markdown(*decision));
}

}  // namespace

std::string yaml_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    unsigned code = static_cast<unsigned char>(c);
    if (const std::size_t length = unprintable_length(text, i, &code); length > 0) {
      out += fmt::format("\\u{:04X}", code);
      i += length;
      continue;
    }
    ++i;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string decision_markdown(const Decision& decision) {
  const std::string title = privacy::redacted(decision.title);
  const std::string rationale = privacy::redacted(decision.rationale);
  std::string text = "---\n";
  text += fmt::format("kind: {}\nsource: {}\ncontent: {}\n", decision_kind(decision.status),
                      source_name(decision.source), yaml_string(title));
  text += "context:\n";
  text += fmt::format("  title: {}\n  target: {}\n  status: {}\n  rationale: {}\n",
                      yaml_string(title), yaml_string(privacy::redacted(decision.target)),
                      status_name(decision.status), yaml_string(rationale));
  add_yaml_list(text, "consequences", decision.consequences);
  add_yaml_list(text, "supersedes", decision.supersedes);
  add_id(text, "superseded_by", decision.superseded_by);
  text += fmt::format("  project: {}\n", yaml_string(decision.project));
  if (is_proposal(decision.status)) {
    if (decision.source == DecisionSource::kReflection) {
      text += fmt::format("  confidence: {:.4f}\n", decision.confidence);
    }
    std::string evidence;
    for (const EntryId id : decision.evidence) {
      if (!evidence.empty()) evidence += ", ";
      evidence += std::to_string(static_cast<std::int64_t>(id));
    }
    text += fmt::format("  evidence: [{}]\n", evidence);
    add_yaml_list(text, "replaces", decision.replaces);
    text += fmt::format("  first_observed_at: {}\n",
                        yaml_string(iso_time(decision.first_observed_at_ms)));
    add_id(text, "converted_to", decision.converted_to);
  }
  text += fmt::format("timestamp: {}\n---\n\n", yaml_string(iso_time(decision.created_at_ms)));
  text += fmt::format("# {}\n\n{}\n", title, without_marker(rationale));
  if (!decision.consequences.empty()) text += "\n## Consequences\n\n";
  for (const std::string& consequence : decision.consequences) {
    text += "- " + privacy::redacted(consequence) + "\n";
  }
  return text;
}

void Decisions::write_files(const std::vector<std::string>& ids) {
  if (options_.files.empty()) return;
  const auto write = [&]() -> Result<void> {
    CODEXMEM_TRY(make_private_folder(options_.files));
    CODEXMEM_ASSIGN(auto writer, store_->writer());
    CODEXMEM_ASSIGN(const auto lock, store::Transaction::begin(*writer));
    for (const std::string& id : ids) CODEXMEM_TRY(write_file(*writer, options_.files, id));
    return {};
  };
  if (const auto written = write(); !written.ok()) {
    log_warn("decisions are stored, but their files are not written: {}",
             written.error().message());
  }
}

Result<std::size_t> Decisions::export_files(const std::filesystem::path& directory) {
  if (directory.empty()) {
    return Error{ErrorCode::kInvalidArgument, "there is no folder to export decisions to"};
  }
  CODEXMEM_TRY(make_private_folder(directory));
  std::size_t count = 0;
  DecisionKey last{};
  for (;;) {
    // Some at a time, so that others can write between.
    CODEXMEM_ASSIGN(auto writer, store_->writer());
    CODEXMEM_ASSIGN(const auto lock, store::Transaction::begin(*writer));
    CODEXMEM_ASSIGN(const auto ids, store::list_decision_ids(*writer, last, kExportBatch));
    if (ids.empty()) return count;
    for (const auto& [key, id] : ids) CODEXMEM_TRY(write_file(*writer, directory, id));
    last = ids.back().first;
    count += ids.size();
  }
}

}  // namespace codexmem::memory
