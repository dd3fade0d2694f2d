#include "ask/code/index_repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "ask/code/code_answer.h"
#include "text/json_object.h"

namespace codexmem::ask {

namespace {

// Progress of the protocol is one number that rises; a run is several phases, each counting from 0.
// So each phase has a share of 100: parsing most of it.
struct PhaseShare {
  index::IndexPhase phase;
  double begin;
  double size;
};

constexpr PhaseShare kShares[] = {
    {index::IndexPhase::kWaiting, 0, 0},     {index::IndexPhase::kDiscovering, 1, 0},
    {index::IndexPhase::kParsing, 5, 65},    {index::IndexPhase::kResolving, 70, 10},
    {index::IndexPhase::kEmbedding, 80, 19}, {index::IndexPhase::kDone, 100, 0},
};

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::chrono::seconds kNextAttempt{8};  // after a failure the server rests 5 s at first

Progress percent(const index::IndexProgress& progress) {
  const auto* const share =
      std::find_if(std::begin(kShares), std::end(kShares),
                   [&](const PhaseShare& each) { return each.phase == progress.phase; });
  Progress result;
  result.total = 100;
  result.done = share->begin;
  result.message = index::index_phase_name(progress.phase);
  if (progress.files_total > 0) {
    result.done += share->size * static_cast<double>(progress.files_done) /
                   static_cast<double>(progress.files_total);
    result.message += fmt::format(" {}/{} files", progress.files_done, progress.files_total);
  } else if (progress.files_done > 0) {
    result.message += fmt::format(" {} files", progress.files_done);
  }
  return result;
}

// Waits until the server's background thread has made all vectors of a remote model, or has failed.
Result<void> await_embeddings(const Context& context, IndexRepositoryAnswer* answer) {
  const CodeServices& code = context.code();
  CODEXMEM_TRY(add_embedding_state(code.workspace, code.provider(), answer));
  const std::uint64_t all = answer->embeddings_pending;
  // A failure that is noted already may be of long ago: the next attempt may be under way.
  const std::string noted = answer->embeddings_error;
  const auto until = std::chrono::steady_clock::now() + kNextAttempt;
  const auto has_failed = [&] {
    return !answer->embeddings_error.empty() &&
           (answer->embeddings_error != noted || std::chrono::steady_clock::now() > until);
  };
  while (answer->embeddings_pending > 0 && !has_failed()) {
    index::IndexProgress now;
    now.phase = index::IndexPhase::kEmbedding;
    now.files_total = all;
    now.files_done = all - std::min(all, answer->embeddings_pending);
    context.progress(percent(now));
    if (context.stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "embedding goes on in the background"};
    }
    std::this_thread::sleep_for(kBetweenLooks);
    CODEXMEM_TRY(add_embedding_state(code.workspace, code.provider(), answer));
  }
  return {};
}

constexpr Param kIndexRepositoryParams[] = {
    {.name = "force",
     .type = ParamType::kFlag,
     .description = "Every file",
     .default_json = "false",
     .into = into<&IndexRepositoryParams::options, &index::IndexOptions::force>},
    {.name = "path",
     .also = "file_path,file,folder,directory,paths",

     .description = "Only this",
     .takes = Takes::kHere,
     .into = into<&IndexRepositoryParams::options, &index::IndexOptions::path>},
    {.name = "skip_embeddings",
     .type = ParamType::kFlag,
     .description = "No vectors",
     .default_json = "false",
     .into = into<&IndexRepositoryParams::options, &index::IndexOptions::skip_embeddings>},
};

}  // namespace

Result<void> add_embedding_state(store::Workspace& workspace, const index::ProviderStatus& provider,
                                 IndexRepositoryAnswer* answer) {
  if (!provider.is_remote) {
    answer->embeddings_error = provider.problem;  // one that was named and cannot be used
    return {};
  }
  CODEXMEM_ASSIGN(const auto status, index::read_repository_status(workspace, provider));
  answer->embeddings_pending = static_cast<std::uint64_t>(status.files_pending);
  answer->embeddings_error = status.files_pending > 0 ? status.provider.problem : "";
  return {};
}

void IndexRepositoryParams::complete(const Context&, const ToolArguments& given) {
  wants_embeddings = given.has("skip_embeddings") && !options.skip_embeddings;
}

Result<IndexRepositoryAnswer> run(const Context& context, const IndexRepositoryParams& params) {
  const store::Workspace& workspace = context.code().workspace;
  IndexRepositoryAnswer answer;
  answer.root = workspace.root().string();
  index::IndexOptions options = params.options;
  if (!options.path.empty()) {
    std::error_code failed;
    const bool is_root =
        std::filesystem::equivalent(workspace.root() / options.path, workspace.root(), failed);
    if (is_root && !failed) {
      options.path.clear();
    } else {
      CODEXMEM_ASSIGN(options.path, repository_path(workspace, "path", options.path));
    }
  }
  answer.path = options.path;
  const auto report = [&](const index::IndexProgress& progress) {
    context.progress(percent(progress));
  };
  CODEXMEM_ASSIGN(answer.report, context.code().index(options, report, context.stop));
  if (context.code().watch_gap) {
    if (const std::string gap = context.code().watch_gap(); !gap.empty()) {
      answer.report.warnings.push_back("changes are not noticed by themselves: " + gap +
                                       "; every question looks the files over first");
    }
  }
  if (!options.skip_embeddings) {
    CodeServices& code = context.code();
    CODEXMEM_TRY(params.wants_embeddings
                     ? await_embeddings(context, &answer)
                     : add_embedding_state(code.workspace, code.provider(), &answer));
  }
  for (const std::string& warning : answer.report.warnings) {
    if (context.on_warning) context.on_warning(warning);
  }
  if (params.wants_embeddings && !answer.embeddings_error.empty()) {
    return Error{ErrorCode::kIo,
                 answer.embeddings_error +
                     ": files and symbols are indexed; search answers by words and names",
                 std::string(kEmbeddingFailure)};
  }
  return answer;
}

Written IndexRepositoryAnswer::to_json() const {
  std::optional<JsonText> packs;
  if (report.packs) {
    packs = json_object("taken", report.packs->taken, "made", report.packs->made, "otherVersion",
                        report.packs->other_version, "refused", report.packs->refused, "compared",
                        report.packs->compared);
  }
  const JsonText stats = json_object(
      "filesProcessed", report.files_processed, "symbolsExtracted", report.symbols_extracted,
      "embeddingsGenerated", report.embeddings_generated, "embeddingsPending",
      some(embeddings_pending), "embeddingsError", some(embeddings_error), "timeElapsed",
      index::format_elapsed(report.elapsed), "added", report.added, "changed", report.changed,
      "deleted", report.deleted, "renamed", report.renamed, "unchanged", report.unchanged,
      "skipped", report.skipped, "packs", packs);
  return object_json(json_object(
      "status", "completed", "message",
      fmt::format("Repository indexing completed for: {}{}{}", root, path.empty() ? "" : "/", path),
      "stats", stats, "warnings", some(report.warnings)));
}

constinit const Question kIndexRepository = {
    .name = "index_repository",
    .title = "Index repository",
    .description = "Bring the index up to date; each answer does so itself.",
    .groups = "code",
    .read_only = false,
    .params = kIndexRepositoryParams,
    .output_schema = R"json({"type":"object","properties":{
"status":{"type":"string"},"message":{"type":"string"},
"stats":{"type":"object","properties":{"filesProcessed":{"type":"integer"},"symbolsExtracted":{"type":"integer"},"embeddingsGenerated":{"type":"integer"},"embeddingsPending":{"type":"integer"},"embeddingsError":{"type":"string"},"timeElapsed":{"type":"string"}},"required":["filesProcessed","symbolsExtracted","embeddingsGenerated","timeElapsed"]},
"warnings":{"type":"array","items":{"type":"string"}},"type":{"type":"string"}},
"anyOf":[{"required":["status","message","stats"]},{"required":["type","message"]}]})json",
    .failure_type = "IndexingError",
    .run = run_question<IndexRepositoryParams>};

}  // namespace codexmem::ask
