// Renames, by the plan that codexmem rename makes: whole or refused.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "graph/rename/rename.h"
#include "graph/rename/rename_local.h"
#include "lsp/call.h"

namespace codexmem::lsp {
namespace {

constexpr std::size_t kMaxReasons = 3;

// The name that is to be renamed. Errors: kUnsupported, saying why it cannot be.
Result<AskedPlace> place_to_rename(Call& call) {
  CODEXMEM_ASSIGN(auto asked, call.asked_place());
  if (!asked || !asked->named) return Error{ErrorCode::kUnsupported, "there is no name here"};
  const graph::NamedPlace& named = *asked->named;
  if (named.symbols.empty() && named.locals.empty()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} is not defined in this repository, or not known", named.name)};
  }
  if (named.is_guess) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("what {} means here is not known", named.name)};
  }
  return *std::move(asked);
}

Error refusal(const graph::RenamePlan& plan) {
  std::vector<std::string> reasons;
  for (const graph::RenameObstacle& each : plan.obstacles) {
    if (reasons.size() == kMaxReasons) break;
    reasons.push_back(fmt::format("{}:{}: {}", each.path, each.position.line, each.why));
  }
  return Error{
      ErrorCode::kUnsupported,
      fmt::format("renaming {} to {} is not certain to be right: {}{}; codexmem rename "
                  "shows the whole plan",
                  plan.old_name, plan.new_name, join(reasons, "; "),
                  plan.obstacles.size() > reasons.size()
                      ? fmt::format("; and {} more", plan.obstacles.size() - reasons.size())
                      : "")};
}

// Whether the plan changes each of `locals` where it is declared.
bool changes_all(const graph::RenamePlan& plan, const std::vector<graph::FilePlace>& locals) {
  return std::ranges::all_of(locals, [&](const graph::FilePlace& local) {
    return std::ranges::any_of(plan.files, [&](const graph::RenamedFile& file) {
      return file.id == local.file &&
             std::ranges::any_of(file.edits, [&](const graph::RenameEdit& edit) {
               return edit.offset == local.range.begin;
             });
    });
  });
}

Result<std::vector<JsonText>> edits_json(Call& call, const graph::RenamedFile& file) {
  std::vector<JsonText> edits;
  for (const graph::RenameEdit& edit : file.edits) {
    CODEXMEM_ASSIGN(const JsonText range,
                    call.range(file.id, {edit.offset, edit.offset + edit.size}));
    edits.push_back(json_object("range", range, "newText", edit.text));
  }
  return edits;
}

// A WorkspaceEdit.
Result<std::string> edit_json(Call& call, const graph::RenamePlan& plan) {
  std::vector<JsonText> documents, moves;
  std::map<std::string, std::vector<JsonText>> changes;
  for (const graph::RenamedFile& file : plan.files) {
    const std::string uri = call.uri_of(file.path);
    CODEXMEM_ASSIGN(auto edits, edits_json(call, file));
    const Document* open = call.documents.find(uri);
    const JsonText version =
        json_value(open != nullptr ? open->version.value_or(0) : std::int64_t{0});
    documents.push_back(json_object(
        "textDocument",
        json_object("uri", uri, "version", open != nullptr ? version : JsonText{"null"}), "edits",
        edits));
    changes.emplace(uri, std::move(edits));
    if (file.new_path.empty()) continue;
    if (!call.client.takes_file_renames) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("{} has to become {}, which this editor cannot do by a rename",
                               file.path, file.new_path)};
    }
    moves.push_back(
        json_object("kind", "rename", "oldUri", uri, "newUri", call.uri_of(file.new_path)));
  }
  if (!call.client.takes_document_changes) return std::string(json_object("changes", changes));
  documents.insert(documents.end(), moves.begin(), moves.end());
  return std::string(json_object("documentChanges", documents));
}

}  // namespace

Result<std::string> prepare_rename(Call& call) {
  CODEXMEM_ASSIGN(const AskedPlace asked, place_to_rename(call));
  CODEXMEM_ASSIGN(const JsonText range, call.range(asked.file.id, asked.named->range));
  return std::string(json_object("range", range, "placeholder", asked.named->name));
}

Result<std::string> answer_rename(Call& call) {
  const auto new_name = call.params.member("newName").string();
  if (!new_name) return Error{ErrorCode::kInvalidArgument, "newName is missing"};
  CODEXMEM_ASSIGN(const AskedPlace asked, place_to_rename(call));
  const graph::NamedPlace& named = *asked.named;
  auto plan = named.symbols.empty()
                  ? graph::plan_local_rename(call.facts(), call.reader(), named.locals.front(),
                                             named.name, *new_name)
                  : graph::plan_rename(
                        call.facts(), call.reader(),
                        {.symbol = named.name, .new_name = *new_name, .symbols = named.symbols});
  if (!plan.ok()) return std::move(plan).error();
  if (!plan->is_certain()) return refusal(*plan);
  if (named.symbols.empty() && !changes_all(*plan, named.locals)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} means several variables here", named.name)};
  }
  return edit_json(call, *plan);
}

}  // namespace codexmem::lsp
