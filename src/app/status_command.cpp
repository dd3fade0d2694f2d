// codexmem status: what the index holds, what it left out, and whether the last run was completed.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/command.h"
#include "app/embedding_provider.h"
#include "app/repository.h"
#include "base/json.h"
#include "index/indexer.h"
#include "search/vectors.h"
#include "store/vector_cache.h"

namespace codexmem::app {
namespace fs = std::filesystem;

namespace {

struct LanguageCount {
  std::int64_t files = 0, lines = 0, bytes = 0;
};

struct Status {
  fs::path root;
  fs::path directory;        // that holds the store
  std::string why_in_cache;  // empty: it is in the repository
  std::int64_t generation = 0;
  store::StoreCounts counts;
  std::int64_t piece_vectors = 0;  // the others are those of whole files
  std::vector<std::pair<std::string, LanguageCount>> languages;  // most bytes first
  std::vector<std::pair<std::string, std::int64_t>> skipped;     // reason, files; most first
  std::vector<std::pair<std::string, std::int64_t>> stored;      // file name, bytes
  std::int64_t stored_bytes = 0;
  std::int64_t files_unparsed = 0, files_generated = 0, files_repaired = 0, files_truncated = 0;
  std::string vectors_model;  // empty: none
  std::size_t vectors_dimension = 0;
  std::string provider, provider_model;  // by the settings; no model: none, or it cannot be used
  std::string provider_problem;          // why not, or what went wrong last; empty: nothing
  std::int64_t files_pending = 0;        // without vectors of provider_model
  Json last_run;                         // object or null
  Json incomplete_run;                   // object or null: a run is under way, or was broken off
};

Result<Json> find_json_meta(store::CodeReader& reader, std::string_view key) {
  CODEXMEM_ASSIGN(const std::optional<std::string> text, reader.find_meta(key));
  if (!text) return Json(nullptr);
  return Json::parse(*text, nullptr, /*allow_exceptions=*/false);
}

// What the settings name, and how far its vectors are.
Result<void> read_provider(store::Workspace& workspace, store::CodeReader& reader, Status* status) {
  const EmbeddingProvider provider = choose_provider();
  status->provider = provider.name;
  status->provider_model = provider.model();
  status->provider_problem = provider.problem;
  if (status->provider_model.empty()) return {};
  CODEXMEM_ASSIGN(const auto model, reader.find_model(status->provider_model));
  CODEXMEM_ASSIGN(const auto pending,
                  reader.list_files_without_vectors(model ? model->id : store::ModelId{}));
  status->files_pending = static_cast<std::int64_t>(pending.size());
  if (provider.is_built_in() && !provider.is_named) {
    CODEXMEM_ASSIGN(const auto other, reader.find_meta(search::kVectorsModelKey));
    if (other) status->provider_problem = search::why_other_vectors(*other);
  }
  if (provider.embedder == nullptr) return {};
  const auto progress = store::VectorCache::read_progress(workspace.vector_cache_path());
  if (progress && progress->model == status->provider_model)
    status->provider_problem = progress->error;
  return {};
}

Result<Status> read_status(store::Workspace& workspace) {
  Status status;
  status.root = workspace.root();
  status.directory = workspace.directory();
  status.why_in_cache = workspace.why_in_cache();
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(status.generation, reader->generation());
  CODEXMEM_ASSIGN(status.counts, reader->counts());
  CODEXMEM_ASSIGN(const std::vector<store::FileRow> files, reader->list_files());
  std::map<std::string, LanguageCount> languages;
  for (const store::FileRow& file : files) {
    LanguageCount& count = languages[file.language];
    ++count.files;
    count.lines += file.line_count;
    count.bytes += file.size;
    status.files_generated += (file.flags & store::kFileGenerated) != 0 ? 1 : 0;
    status.files_repaired += (file.flags & store::kFileRepaired) != 0 ? 1 : 0;
    status.files_truncated += (file.flags & store::kFileTruncated) != 0 ? 1 : 0;
    status.files_unparsed += (file.flags & store::kFileUnparsed) != 0 ? 1 : 0;
  }
  status.languages.assign(languages.begin(), languages.end());
  std::stable_sort(status.languages.begin(), status.languages.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  CODEXMEM_ASSIGN(const std::vector<store::SkippedFile> skipped, reader->list_skipped());
  std::map<std::string, std::int64_t> reasons;
  for (const store::SkippedFile& file : skipped) ++reasons[file.reason];
  status.skipped.assign(reasons.begin(), reasons.end());
  std::stable_sort(status.skipped.begin(), status.skipped.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  CODEXMEM_ASSIGN(store::Statement models,
                  reader->database().statement(
                      "SELECT name, dimension FROM embedding_models ORDER BY id DESC LIMIT 1"));
  CODEXMEM_ASSIGN(const bool has_model, models.step());
  if (has_model) {
    status.vectors_model = models.text(0);
    status.vectors_dimension = static_cast<std::size_t>(models.integer(1));
  }
  CODEXMEM_ASSIGN(
      const auto piece_vectors,
      reader->database().find_integer(fmt::format(
          "SELECT count(*) FROM chunk_vectors WHERE (id & {0}) <> {0}", store::kFileVectorIndex)));
  status.piece_vectors = piece_vectors.value_or(0);
  CODEXMEM_TRY(read_provider(workspace, *reader, &status));
  CODEXMEM_ASSIGN(status.last_run, find_json_meta(*reader, "last_run"));
  CODEXMEM_ASSIGN(status.incomplete_run, find_json_meta(*reader, "run"));
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(workspace.directory(), ignored)) {
    const auto bytes = static_cast<std::int64_t>(entry.file_size(ignored));
    if (ignored || bytes == 0) continue;
    status.stored.emplace_back(entry.path().filename().string(), bytes);
    status.stored_bytes += bytes;
  }
  std::sort(status.stored.begin(), status.stored.end());
  return status;
}

Json to_json(const Status& status) {
  Json languages = Json::object(), skipped = Json::object(), stored = Json::object();
  for (const auto& [name, count] : status.languages) {
    languages[name] = {{"files", count.files}, {"lines", count.lines}, {"bytes", count.bytes}};
  }
  for (const auto& [reason, count] : status.skipped) skipped[reason] = count;
  for (const auto& [name, bytes] : status.stored) stored[name] = bytes;
  const auto& counts = status.counts;
  return {{"root", status.root.string()},
          {"storeDirectory", status.directory.string()},
          {"whyInCache", status.why_in_cache.empty() ? Json(nullptr) : Json(status.why_in_cache)},
          {"generation", status.generation},
          {"files", counts.files},
          {"lines", counts.lines},
          {"symbols", counts.symbols},
          {"chunks", counts.chunks},
          {"dependencies", counts.dependencies},
          {"vectors",
           {{"count", counts.vectors},
            {"ofPieces", status.piece_vectors},
            {"ofFiles", counts.vectors - status.piece_vectors},
            {"model", status.vectors_model.empty() ? Json(nullptr) : Json(status.vectors_model)},
            {"dimension", status.vectors_dimension},
            {"provider", status.provider},
            {"providerModel",
             status.provider_model.empty() ? Json(nullptr) : Json(status.provider_model)},
            {"pendingFiles", status.files_pending},
            {"lastError",
             status.provider_problem.empty() ? Json(nullptr) : Json(status.provider_problem)}}},
          {"languages", languages},
          {"notes",
           {{"withUnparsedParts", status.files_unparsed},
            {"generated", status.files_generated},
            {"repairedText", status.files_repaired},
            {"truncatedParse", status.files_truncated}}},
          {"skipped", counts.skipped},
          {"skippedByReason", skipped},
          {"sourceBytes", counts.source_bytes},
          {"storedBytes", status.stored_bytes},
          {"storedFiles", stored},
          {"lastRun", status.last_run},
          {"incompleteRun", status.incomplete_run}};
}

void print_row(Console& console, std::string_view name, std::string_view value) {
  console.print_line(fmt::format("{:<14}{}", name, value));
}

void print_status(const Status& status, Console& console) {
  const auto& counts = status.counts;
  print_row(console, "repository", console.painted(Paint::kPath, printable(status.root.string())));
  print_row(console, "files",
            fmt::format("{} ({} lines, {})", with_thousands(counts.files),
                        with_thousands(counts.lines), readable_bytes(counts.source_bytes)));
  print_row(console, "symbols", with_thousands(counts.symbols));
  print_row(console, "imports", with_thousands(counts.dependencies));
  print_row(console, "vectors",
            status.vectors_model.empty()
                ? std::string("none: search answers by words and names alone")
                : fmt::format("{} of {} pieces, {} of {} files, {} ({} dimensions)",
                              with_thousands(status.piece_vectors), with_thousands(counts.chunks),
                              with_thousands(counts.vectors - status.piece_vectors),
                              with_thousands(counts.files), status.vectors_model,
                              status.vectors_dimension));
  std::string provider = status.provider;
  if (status.files_pending > 0) {
    provider += fmt::format(", {}: {} files have no vectors of it yet", status.provider_model,
                            with_thousands(status.files_pending));
  }
  if (!status.provider_problem.empty()) {
    provider += (status.provider_model.empty() ? ": " : "; the last attempt failed: ") +
                printable(status.provider_problem);
  }
  print_row(console, "provider",
            status.provider_problem.empty() ? provider : console.painted(Paint::kBad, provider));
  const double ratio = counts.source_bytes > 0 ? static_cast<double>(status.stored_bytes) /
                                                     static_cast<double>(counts.source_bytes)
                                               : 0.0;
  print_row(console, "on disk",
            fmt::format("{} ({:.2f} x the sources)", readable_bytes(status.stored_bytes), ratio));
  if (!status.why_in_cache.empty()) {
    print_row(console, "kept in",
              fmt::format("{} ({})", printable(status.directory.string()),
                          printable(status.why_in_cache)));
  }
  if (status.incomplete_run.is_object()) {
    print_row(
        console, "last run",
        console.painted(Paint::kBad,
                        "not completed: it is under way, or `codexmem index` goes on with it"));
  } else if (status.last_run.is_object()) {
    print_row(console, "last run",
              fmt::format("{} {}", status.last_run.value("finished_at", ""),
                          status.last_run.value("timeElapsed", "")));
  }
  console.print_line("");
  for (const auto& [name, count] : status.languages) {
    console.print_line(fmt::format("  {:<14}{:>9} files {:>12} lines {:>10}", name,
                                   with_thousands(count.files), with_thousands(count.lines),
                                   readable_bytes(count.bytes)));
  }
  const auto note = [&](std::int64_t files, std::string_view what) {
    if (files > 0) console.print_line(fmt::format("  {:>9} {}", with_thousands(files), what));
  };
  if (!status.skipped.empty()) {
    console.print_line("\nskipped (`codexmem status --why PATH` tells the rule)");
    for (const auto& [reason, files] : status.skipped) note(files, reason);
  }
  if (status.files_unparsed + status.files_generated + status.files_repaired +
          status.files_truncated >
      0) {
    console.print_line("\nindexed, with a note");
    note(status.files_unparsed, "with parts that do not parse");
    note(status.files_generated, "generated or minified: names, no vectors");
    note(status.files_repaired, "with text that was not UTF-8");
    note(status.files_truncated, "not parsed to the end: it took too long or too much memory");
  }
}

class StatusCommand : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.text("PATH", path_, "A folder of the repository (default: the current one)")
        .are_folders();
    arguments.flag("--json", json_, "Print the status as JSON");
    arguments.text("--why", why_, "Tell why this file or folder is indexed, or is not").are_files();
  }

  ExitCode run(Console& console) override {
    const fs::path start = start_directory(path_);
    auto workspace = open_index(start);
    if (!workspace.ok()) return fail(console, workspace.error());
    if (why_) return tell_why(**workspace, start, console);
    auto status = read_status(**workspace);
    if (!status.ok()) return fail(console, status.error());
    if (json_) {
      console.print_line(dump_json(to_json(*status)));
    } else {
      print_status(*status, console);
    }
    return ExitCode::kFound;
  }

 private:
  ExitCode tell_why(store::Workspace& workspace, const fs::path& start, Console& console) {
    using State = index::PathExplanation::State;
    const auto why =
        index::explain_path(workspace, relative_to_root(workspace.root(), start, *why_));
    if (!why.ok()) return fail(console, why.error());
    const ExitCode code =
        why->state == State::kMissing ? ExitCode::kNothingFound : ExitCode::kFound;
    if (json_) {
      console.print_line(dump_json(Json{{"path", why->path},
                                        {"state", index::path_state_name(why->state)},
                                        {"language", why->language},
                                        {"reason", why->reason},
                                        {"detail", why->detail},
                                        {"size", why->size},
                                        {"files", why->files},
                                        {"indexedAt", why->indexed_at},
                                        {"notes", why->notes}}));
      return code;
    }
    std::string line = fmt::format("{}: {}", console.painted(Paint::kPath, printable(why->path)),
                                   index::path_state_name(why->state));
    if (!why->reason.empty()) line += fmt::format(", {}", why->reason);
    if (!why->detail.empty()) line += fmt::format(": {}", printable(why->detail));
    if (!why->language.empty()) {
      line +=
          fmt::format(", {}, {}", why->language, readable_bytes(static_cast<long long>(why->size)));
    }
    if (!why->indexed_at.empty()) line += fmt::format(", indexed at {} UTC", why->indexed_at);
    if (why->state == State::kFolder) {
      line += fmt::format(", {} indexed files", with_thousands(static_cast<long long>(why->files)));
    }
    console.print_line(line);
    for (const std::string& note : why->notes) console.print_line("  " + printable(note));
    return code;
  }

  std::string path_;
  bool json_ = false;
  std::optional<std::string> why_;
};

}  // namespace

std::unique_ptr<Command> make_status_command() { return std::make_unique<StatusCommand>(); }

}  // namespace codexmem::app
