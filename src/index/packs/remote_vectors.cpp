// Works in rounds, until all files have vectors:
//
//   gather    sends the texts of files without vectors to the model, unless the cache has them, and
//             stores the answers in the cache; a few requests at a time, since they mostly wait
//   put       copies vectors from the cache to the index, a few files per transaction
//
// A file that changes in between is found without vectors by the next round. Putting begins when
// everything is gathered, and its first transaction drops the vectors of other models. So the index
// never contains a mixture, and keeps its old vectors while the provider is working.
//
// A text is identified by its bytes. It begins with the names of its folder and file
// (embedded_text.h), so code that moves along with its folder keeps its vectors.
//
// Tested by index/remote_vectors_test.cpp.
#include "index/packs/remote_vectors.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"
#include "embed/vector_codes.h"
#include "index/discovery/embedded_text.h"
#include "index/run/ordered_pipeline.h"
#include "index/packs/pack_file.h"
#include "index/run/run_lock.h"
#include "index/packs/vector_file.h"
#include "store/code_vectors.h"
#include "store/code/vector_cache.h"

namespace codexmem::index {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatchTexts = 96;
constexpr unsigned kRequests = 4;  // at a time
constexpr std::size_t kWindowTexts = kBatchTexts * kRequests;
constexpr std::size_t kTakenAtOnce = 4'096;  // from packs
constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
constexpr std::size_t kFilesAtOnce = 64;  // per transaction: about 20 ms
constexpr int kMaxRounds = 5;
// The cache may hold as many unused texts as the index has texts, plus this number.
constexpr std::int64_t kSpareTexts = 4096;

struct FileText {
  store::ChunkId id{};
  std::string key;
  std::string text;
};

Result<std::vector<FileText>> keyed_texts(store::StoreReader& reader, store::FileId id) {
  CODEXMEM_ASSIGN(auto texts, read_embedded_texts(reader, id));
  std::vector<FileText> keyed;
  keyed.reserve(texts.size());
  for (EmbeddedText& text : texts) {
    keyed.push_back({text.id, store::text_key(text.text), std::move(text.text)});
  }
  return keyed;
}

class Update {
 public:
  Update(store::Workspace& workspace, const embed::Embedder& embedder,
         const ProgressCallback& progress, std::stop_token stop,
         std::span<const std::shared_ptr<const Pack>> packs, store::VectorCache cache)
      : workspace_(workspace),
        embedder_(embedder),
        progress_(progress),
        stop_(std::move(stop)),
        packs_(packs),
        cache_(std::move(cache)) {}

  Result<RemoteVectorsReport> run() {
    auto done = run_rounds();
    report_.elapsed = elapsed();
    if (done.ok()) return report_;
    if (done.error().code() != ErrorCode::kCancelled) {
      noted_.error = done.error().message();
      if (auto noted = cache_.put_progress(noted_); !noted.ok()) {
        log_warn("{}", noted.error().message());
      }
    }
    return std::move(done).error();
  }

 private:
  Result<void> run_rounds() {
    noted_.model = embedder_.model_id();
    CODEXMEM_TRY(find_dimension());
    for (int round = 0; round < kMaxRounds; ++round) {
      CODEXMEM_ASSIGN(const auto files, list_files());
      if (files.empty()) return finish();
      CODEXMEM_ASSIGN(const bool all, gather(files));
      if (!all) continue;  // the model has another dimension than before
      CODEXMEM_TRY(put(files));
    }
    return {};
  }

  // Reads the model's last known dimension; its answers may have another.
  Result<void> find_dimension() {
    dimension_ = embedder_.dimension();
    if (dimension_ == 0) {
      CODEXMEM_ASSIGN(dimension_, cache_.find_dimension(embedder_.model_id()));
    }
    if (dimension_ == 0) {
      CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_.reader());
      CODEXMEM_ASSIGN(const auto model, reader->find_model(embedder_.model_id()));
      if (model) dimension_ = model->dimension;
    }
    if (dimension_ == 0) {
      const auto pack = std::ranges::find_if(
          packs_, [&](const auto& given) { return given->header().model == embedder_.model_id(); });
      if (pack != packs_.end()) dimension_ = (*pack)->header().dimension;
    }
    if (dimension_ == 0) return {};
    CODEXMEM_ASSIGN(kept_model_, cache_.put_model(embedder_.model_id(), dimension_));
    return {};
  }

  // Files whose vectors in the index are not from this model.
  Result<std::vector<store::FileId>> list_files() {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_.reader());
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
    CODEXMEM_ASSIGN(const auto model, reader->find_model(embedder_.model_id()));
    const bool fits = model && model->dimension == dimension_;
    CODEXMEM_ASSIGN(auto files,
                    reader->list_files_without_vectors(fits ? model->id : store::ModelId{}));
    CODEXMEM_ASSIGN(const auto all, reader->list_files_without_vectors(store::ModelId{}));
    noted_.files_total = static_cast<std::int64_t>(all.size());
    noted_.files_done = static_cast<std::int64_t>(all.size() - files.size());
    return files;
  }

  // Fills the cache with the missing vectors for the texts of `files`. False when the model's
  // dimension turns out to be different.
  Result<bool> gather(const std::vector<store::FileId>& files) {
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_.reader());
    std::vector<FileText> window;
    std::unordered_set<std::string> keys;  // in the window
    std::vector<store::TextVector> from_packs;
    std::size_t bytes = 0;
    const std::size_t dimension = dimension_;
    const std::int64_t done_before = noted_.files_done;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "embedding was cancelled"};
      CODEXMEM_ASSIGN(auto texts, read_texts(*reader, files[i]));
      for (FileText& text : texts) {
        if (keys.contains(text.key)) continue;
        if (dimension_ != 0) {
          CODEXMEM_ASSIGN(const auto known, cache_.find(*kept_model_, text.key));
          if (known) continue;
          if (auto taken = find_in_packs(text.key)) {
            from_packs.push_back({text.key, *std::move(taken)});
            keys.insert(std::move(text.key));
            continue;
          }
        }
        keys.insert(text.key);
        bytes += text.text.size();
        window.push_back(std::move(text));
      }
      const bool last = i + 1 == files.size();
      if (!last && window.size() < kWindowTexts && bytes < kWindowBytes &&
          from_packs.size() < kTakenAtOnce) {
        continue;
      }
      if (!from_packs.empty()) CODEXMEM_TRY(cache_.put(*kept_model_, from_packs));
      report_.texts_taken += from_packs.size();
      from_packs.clear();
      if (!window.empty()) CODEXMEM_TRY(send(window));
      if (dimension != 0 && dimension_ != dimension) return false;
      window.clear();
      keys.clear();
      bytes = 0;
      noted_.files_done = done_before + static_cast<std::int64_t>(i) + 1;
      noted_.error.clear();
      // After gathering, the rest takes a moment, and is noted when it is done.
      if (!last) CODEXMEM_TRY(cache_.put_progress(noted_));
      report_progress(i + 1, files.size());
    }
    return true;
  }

  // A vector of this model with the assumed dimension; nothing from a pack that cannot be read.
  std::optional<std::string> find_in_packs(std::string_view key) const {
    for (const auto& pack : packs_) {
      const PackHeader& header = pack->header();
      if (header.model != embedder_.model_id() || header.dimension != dimension_) continue;
      auto found = pack->find_vector(key);
      if (found.ok() && *found) return *std::move(*found);
    }
    return std::nullopt;
  }

  // The current texts of a file; empty when it is gone or has no vectors.
  static Result<std::vector<FileText>> read_texts(store::StoreReader& reader, store::FileId id) {
    CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader.database()));
    return keyed_texts(reader, id);
  }

  // Embeds all `texts` and keeps the results, even when one of the requests fails.
  Result<void> send(std::span<const FileText> texts) {
    using Answer = Result<std::vector<float>>;
    const std::size_t batches = (texts.size() + kBatchTexts - 1) / kBatchTexts;
    const auto batch = [&](std::size_t i) {
      return texts.subspan(i * kBatchTexts, std::min(kBatchTexts, texts.size() - i * kBatchTexts));
    };
    std::optional<Error> failure;
    std::size_t taken = 0;
    const auto take = [&](Answer answer) -> Result<void> {
      const auto asked = batch(taken++);
      if (answer.ok()) return keep(asked, *answer);
      if (!failure) failure = std::move(answer).error();
      return {};
    };
    CODEXMEM_TRY(run_ordered<Answer>(
        {.count = batches, .threads = kRequests},
        [&]() -> std::function<Answer(std::size_t)> {
          return [&](std::size_t i) {
            std::vector<std::string_view> views;
            for (const FileText& text : batch(i)) views.emplace_back(text.text);
            return embedder_.embed_documents(views, stop_);
          };
        },
        take, stop_));
    return failure ? Result<void>(*std::move(failure)) : Result<void>();
  }

  Result<void> keep(std::span<const FileText> texts, const std::vector<float>& vectors) {
    const std::size_t dimension = vectors.size() / texts.size();
    if (dimension != dimension_) {
      dimension_ = dimension;
      CODEXMEM_ASSIGN(kept_model_, cache_.put_model(embedder_.model_id(), dimension_));
    }
    CODEXMEM_ASSIGN(const std::string codes, embed::encode_vectors(vectors, dimension));
    std::vector<store::TextVector> rows;
    rows.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      rows.push_back({texts[i].key, codes.substr(i * dimension, dimension)});
    }
    report_.texts_sent += texts.size();
    return cache_.put(*kept_model_, rows);
  }

  // Copies the vectors of `files` to the index, for files whose vectors are all in the cache.
  Result<void> put(const std::vector<store::FileId>& files) {
    for (std::size_t begin = 0; begin < files.size(); begin += kFilesAtOnce) {
      const std::span some =
          std::span(files).subspan(begin, std::min(kFilesAtOnce, files.size() - begin));
      CODEXMEM_ASSIGN(const FileLock lock,
                      take_run_lock(workspace_.lock_path(), /*wait=*/true, {}, stop_));
      CODEXMEM_ASSIGN(store::Database * database, workspace_.writer());
      CODEXMEM_ASSIGN(store::Transaction transaction, store::Transaction::begin(*database));
      store::StoreReader reader(*database);
      store::CodeWriter writer(*database);
      CODEXMEM_TRY(writer.begin_generation());
      CODEXMEM_ASSIGN(const store::ModelId model, enter_model(reader, writer));
      for (const store::FileId id : some) CODEXMEM_TRY(put_file(reader, writer, model, id));
      CODEXMEM_TRY(transaction.commit());
    }
    return {};
  }

  // The model's number in the index, which from now on contains only its vectors.
  Result<store::ModelId> enter_model(store::StoreReader& reader, store::CodeWriter& writer) {
    CODEXMEM_ASSIGN(const auto owner, reader.find_meta(store::kVectorsModelKey));
    CODEXMEM_ASSIGN(const auto known, reader.find_model(embedder_.model_id()));
    if (owner == embedder_.model_id() && known && known->dimension == dimension_) return known->id;
    CODEXMEM_ASSIGN(const store::ModelId model,
                    replace_models(writer, embedder_.model_id(), dimension_));
    CODEXMEM_TRY(writer.put_meta(store::kVectorsModelKey, embedder_.model_id()));
    CODEXMEM_ASSIGN(const std::int64_t generation, reader.generation());
    CODEXMEM_TRY(note_all_vectors_changed(generation, writer));
    return model;
  }

  Result<void> put_file(store::StoreReader& reader, store::CodeWriter& writer, store::ModelId model,
                        store::FileId id) {
    CODEXMEM_ASSIGN(const auto texts, keyed_texts(reader, id));
    if (texts.empty()) return {};
    std::vector<store::VectorRow> rows;
    rows.reserve(texts.size());
    for (const FileText& text : texts) {
      CODEXMEM_ASSIGN(auto codes, cache_.find(*kept_model_, text.key));
      if (!codes) return {};  // it has changed since: wait for the next round
      rows.push_back({text.id, *std::move(codes)});
    }
    report_.vectors_written += rows.size();
    CODEXMEM_TRY(writer.put_vectors(model, rows));
    return writer.renew_file(id);
  }

  // Called when no vectors are missing.
  Result<void> finish() {
    if (report_.vectors_written > 0) {
      CODEXMEM_ASSIGN(const FileLock lock,
                      take_run_lock(workspace_.lock_path(), /*wait=*/true, {}, stop_));
      CODEXMEM_ASSIGN(store::Database * database, workspace_.writer());
      if (auto saved = save_vector_file_if_due(*database); !saved.ok()) {
        log_warn("the vectors' file is not written: {}", saved.error().message());
      }
    }
    if (kept_model_) CODEXMEM_TRY(trim_cache());
    const auto before = store::VectorCache::read_progress(workspace_.vector_cache_path());
    noted_.error.clear();
    if (before && before->model == noted_.model && before->error.empty() &&
        before->files_done == noted_.files_done && before->files_total == noted_.files_total) {
      return {};
    }
    return cache_.put_progress(noted_);
  }

  Result<void> save_vector_file_if_due(store::Database& database) {
    store::StoreReader reader(database);
    CODEXMEM_ASSIGN(const bool due, is_vector_file_due(workspace_, reader, /*has_written=*/true));
    return due ? save_vector_file(workspace_, database, embedder_.model_id()) : Result<void>();
  }

  Result<void> trim_cache() {
    CODEXMEM_TRY(cache_.remove_others(*kept_model_));
    CODEXMEM_ASSIGN(store::ReaderLease reader, workspace_.reader());
    CODEXMEM_ASSIGN(const auto counts, reader->counts());
    CODEXMEM_ASSIGN(const std::int64_t kept, cache_.count(*kept_model_));
    if (kept <= 2 * counts.vectors + kSpareTexts) return {};
    std::unordered_set<std::string> live;
    CODEXMEM_ASSIGN(const auto files, reader->list_files_without_vectors(store::ModelId{}));
    for (const store::FileId id : files) {
      CODEXMEM_ASSIGN(auto texts, read_texts(*reader, id));
      for (FileText& text : texts) live.insert(std::move(text.key));
    }
    CODEXMEM_ASSIGN(const std::size_t dropped, cache_.trim(*kept_model_, live));
    log_info("dropped {} vectors of texts that no longer exist", dropped);
    return {};
  }

  void report_progress(std::size_t done, std::size_t total) {
    if (!progress_) return;
    IndexProgress now;
    now.phase = IndexPhase::kEmbedding;
    now.files_done = done;
    now.files_total = total;
    now.elapsed = elapsed();
    progress_(now);
  }

  std::chrono::milliseconds elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
  }

  store::Workspace& workspace_;
  const embed::Embedder& embedder_;
  const ProgressCallback& progress_;
  const std::stop_token stop_;
  const std::span<const std::shared_ptr<const Pack>> packs_;
  store::VectorCache cache_;
  const Clock::time_point begin_ = Clock::now();

  std::size_t dimension_ = 0;                 // 0: unknown
  std::optional<store::ModelId> kept_model_;  // the cache's number for model and dimension_
  store::EmbeddingProgress noted_;
  RemoteVectorsReport report_;
};

}  // namespace

Result<RemoteVectorsReport> update_remote_vectors(
    store::Workspace& workspace, const embed::Embedder& embedder, const ProgressCallback& progress,
    std::stop_token stop, std::span<const std::shared_ptr<const Pack>> packs) {
  const auto waiting = [&] {
    IndexProgress now;
    now.phase = IndexPhase::kWaiting;
    if (progress) progress(now);
  };
  // A lock of its own: the index is still updated meanwhile.
  const std::filesystem::path lock_path = workspace.vector_cache_path().string() + ".lock";
  CODEXMEM_ASSIGN(const FileLock lock, take_run_lock(lock_path, /*wait=*/true, waiting, stop));
  CODEXMEM_ASSIGN(auto cache, store::VectorCache::open(workspace.vector_cache_path()));
  return Update(workspace, embedder, progress, std::move(stop), packs, std::move(cache)).run();
}

}  // namespace codexmem::index
