// Tested by app/check_formats_test.cpp and, as a whole, by tests/git/check_test.py.
#include "app/render/check_formats.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/percent.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::app {
namespace {

struct Rule {
  index::ChangeFinding::Kind kind;
  const char* text;
};

constexpr Rule kRules[] = {
    {index::ChangeFinding::Kind::kImport, "An import leads to no file of the repository any more."},
    {index::ChangeFinding::Kind::kName, "An imported name is not defined by its module any more."},
    {index::ChangeFinding::Kind::kUse, "A definition that is used has been removed or renamed."},
    {index::ChangeFinding::Kind::kCall, "A call does not fit the function's parameters any more."},
    {index::ChangeFinding::Kind::kSyntax, "A file cannot be read by its grammar any more."},
    {index::ChangeFinding::Kind::kRule, "A rule of a decision is broken."},
    {index::ChangeFinding::Kind::kShared, "A shared memory must not be committed as it is."},
};

// What the path of a URI holds unescaped (RFC 3986, 3.3), and the slash.
constexpr std::string_view kPlainInUri = "-._~/!$&'()*+,;=@";

// Of a property colons and commas end the value.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','))) {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out;
}

JsonText rule_json(const Rule& rule) {
  const std::string id(index::finding_kind_name(rule.kind));
  return json_object("id", id, "name", "broken-" + id, "shortDescription",
                     json_object("text", rule.text), "defaultConfiguration",
                     json_object("level", "error"));
}

// A list of one.
std::array<JsonText, 1> place(std::string_view path, std::size_t line, std::size_t column,
                              const std::string& text) {
  const JsonText file =
      json_object("uri", percent_encoded(path, kPlainInUri), "uriBaseId", "SRCROOT");
  const JsonText region = json_object("startLine", line, "startColumn", column, "snippet",
                                      json_if(!text.empty(), json_object("text", text)));
  return {json_object("physicalLocation", json_object("artifactLocation", file, "region", region))};
}

JsonText result(const index::ChangeFinding& finding) {
  const std::string kind(index::finding_kind_name(finding.kind));
  std::size_t rule = 0;
  while (kRules[rule].kind != finding.kind) ++rule;
  // The same finding after lines were put before it.
  const std::string mark =
      fmt::format("{}\n{}\n{}\n{}", finding.path, kind, finding.name, finding.context);
  return json_object("ruleId", kind, "ruleIndex", rule, "level", "error", "message",
                     json_object("text", finding.message), "locations",
                     place(finding.path, finding.line, finding.column, finding.context),
                     "partialFingerprints", json_object("codexmem/v1", sha256_hex(mark)));
}

JsonText notification(const std::string& text) {
  return json_object("level", "warning", "message", json_object("text", text));
}

}  // namespace

std::string to_annotation(const index::ChangeFinding& finding) {
  return fmt::format(
      "::error file={},line={},col={},title={}::{}", escaped(finding.path, true), finding.line,
      finding.column,
      escaped(fmt::format("codexmem {}", index::finding_kind_name(finding.kind)), true),
      escaped(finding.message, false));
}

std::vector<std::string> check_notes(const index::ChangeReport& report) {
  std::vector<std::string> notes, others;
  for (const auto& [name, places] : report.possible) {
    notes.push_back(index::possible_use(name, places));
  }
  for (const auto& [language, files] : report.other) {
    const bool is_read = graph::resolves_names(graph::family_of(language));
    others.push_back(fmt::format("{} of {}{}", counted(files, "file"), language,
                                 is_read ? " (imports and uses)" : ""));
  }
  if (!others.empty()) notes.push_back("not checked: " + join(others, ", "));
  for (const std::string& why : report.rules_not_checked) notes.push_back("not checked: " + why);
  if (report.left_out > 0) {
    notes.push_back(fmt::format("not checked: {} that the sparse checkout leaves out",
                                counted(report.left_out, "file")));
  }
  if (!report.is_complete) {
    notes.emplace_back("not checked: a part of the uses, the change is too large");
  }
  return notes;
}

std::string to_sarif(const index::ChangeReport& report) {
  std::vector<JsonText> notes;
  for (const index::UncheckedUse& use : report.unchecked) {
    notes.push_back(
        json_joined(notification(fmt::format("not checked: {}: {}", use.name, use.why)),
                    json_object("locations", place(use.path, use.line, use.column, ""))));
  }
  for (const std::string& note : check_notes(report)) notes.push_back(notification(note));
  const JsonText driver = json_object("name", "codexmem", "version", CODEXMEM_VERSION, "rules",
                                      json_list(kRules, rule_json));
  const std::array invocations = {
      json_object("executionSuccessful", true, "toolExecutionNotifications", notes)};
  const std::array runs = {
      json_object("tool", json_object("driver", driver), "columnKind", "utf16CodeUnits", "results",
                  json_list(report.findings, result), "invocations", invocations)};
  return json_object("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                     "runs", runs);
}

}  // namespace codexmem::app
