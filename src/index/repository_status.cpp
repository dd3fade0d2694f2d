// Tested by mcp/product_resources_test.cpp and app/cli_test.cpp.
#include "index/repository_status.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "text/json.h"
#include "embed/vector_snapshot.h"
#include "index/packs/pack_use.h"
#include "index/packs/vector_file.h"
#include "store/code_vectors.h"
#include "store/index_facts.h"
#include "store/code/vector_cache.h"

namespace codexmem::index {
namespace {

Result<std::string> find_text(store::StoreReader& reader, std::string_view key) {
  CODEXMEM_ASSIGN(auto text, reader.find_meta(key));
  return std::move(text).value_or("");
}

Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json(nullptr) : json;
}

// Reads the progress of the vectors of the configured model.
Result<void> read_vectors(store::Workspace& workspace, store::StoreReader& reader,
                          RepositoryStatus* status) {
  ProviderStatus& provider = status->provider;
  if (provider.model.empty()) return {};
  CODEXMEM_ASSIGN(const auto model, reader.find_model(provider.model));
  CODEXMEM_ASSIGN(const auto pending,
                  reader.list_files_without_vectors(model ? model->id : store::ModelId{}));
  status->files_pending = static_cast<std::int64_t>(pending.size());
  if (!provider.is_remote && !provider.is_named) {
    CODEXMEM_ASSIGN(const auto other, reader.find_meta(store::kVectorsModelKey));
    if (other) provider.problem = embed::why_other_vectors(*other);
  }
  if (!provider.is_remote) return {};
  const auto progress = store::VectorCache::read_progress(workspace.vector_cache_path());
  if (progress && progress->model == provider.model) provider.problem = progress->error;
  return {};
}

}  // namespace

Result<RepositoryStatus> read_repository_status(store::Workspace& workspace,
                                                ProviderStatus provider) {
  RepositoryStatus status;
  status.provider = std::move(provider);
  status.root = workspace.root();
  status.directory = workspace.directory();
  status.why_in_cache = workspace.why_in_cache();
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  CODEXMEM_ASSIGN(status.generation, reader->generation());
  CODEXMEM_ASSIGN(status.counts, reader->counts());
  CODEXMEM_ASSIGN(const std::vector<store::FileRow> files, reader->list_files());
  std::map<std::string, LanguageSize> languages;
  for (const store::FileRow& file : files) {
    LanguageSize& count = languages[file.language];
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
  CODEXMEM_ASSIGN(const auto model, store::find_newest_model(*reader));
  if (model) {
    status.vectors_model = model->name;
    status.vectors_dimension = model->dimension;
  }
  if (const auto file = find_vector_file(workspace)) status.vector_file = file->kind;
  CODEXMEM_ASSIGN(status.piece_vectors, store::count_piece_vectors(*reader));
  CODEXMEM_TRY(read_vectors(workspace, *reader, &status));
  CODEXMEM_ASSIGN(status.last_run, find_text(*reader, "last_run"));
  CODEXMEM_ASSIGN(status.packs, find_text(*reader, kPacksKey));
  CODEXMEM_ASSIGN(status.compilers, reader->count_compiler_uses());
  CODEXMEM_ASSIGN(status.incomplete_run, find_text(*reader, "run"));
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(workspace.directory(), ignored)) {
    const auto bytes = static_cast<std::int64_t>(entry.file_size(ignored));
    if (ignored || bytes == 0) continue;
    status.stored.emplace_back(entry.path().filename().string(), bytes);
    status.stored_bytes += bytes;
  }
  std::sort(status.stored.begin(), status.stored.end());
  return status;
}

std::string repository_status_json(const RepositoryStatus& status) {
  Json languages = Json::object(), skipped = Json::object(), stored = Json::object();
  Json compilers = Json::object();
  for (const auto& tool : status.compilers) compilers[tool.language] = tool.files;
  for (const auto& [name, count] : status.languages) {
    languages[name] = {{"files", count.files}, {"lines", count.lines}, {"bytes", count.bytes}};
  }
  for (const auto& [reason, count] : status.skipped) skipped[reason] = count;
  for (const auto& [name, bytes] : status.stored) stored[name] = bytes;
  const auto& counts = status.counts;
  const ProviderStatus& provider = status.provider;
  const Json json = {
      {"root", status.root.string()},
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
        {"index", status.vector_file ? Json(status.vector_file->type()) : Json(nullptr)},
        {"indexed", status.vector_file ? status.vector_file->vectors : 0},
        {"provider", provider.name},
        {"providerModel", provider.model.empty() ? Json(nullptr) : Json(provider.model)},
        {"pendingFiles", status.files_pending},
        {"lastError", provider.problem.empty() ? Json(nullptr) : Json(provider.problem)}}},
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
      {"lastRun", parsed(status.last_run)},
      {"packs", parsed(status.packs)},
      {"compilers", compilers},
      {"incompleteRun", parsed(status.incomplete_run)}};
  return dump_json(json);
}

}  // namespace codexmem::index
