// Vectors of the files whose rows have none, or of all.
//
// Making all again takes two passes over the bags: one sums in how many chunks each word occurs,
// one makes the vectors. Bags that this run collected are at hand; the others are collected from
// the stored texts by the threads, and kept for the second pass as far as kMaxBagBytes allows. The
// vectors are written in short transactions over the old ones, so a search meanwhile finds a
// mixture that differs in word weights and in nothing else. The note kVectorsRebuildingKey comes
// with the new statistics and goes with the last vectors, so a mixture that a broken-off run leaves
// is made again.
//
// Tested by index/indexer_test.cpp.
#include "index/vector_update.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "base/log.h"
#include "embed/vector_codes.h"
#include "index/file_reader.h"
#include "index/ordered_pipeline.h"
#include "search/vectors.h"

namespace codexmem::index {
namespace {

constexpr std::size_t kMaxBagBytes = 64 << 20;  // kept between the passes; about 250,000 chunks

// Tells readers that vectors changed under files that did not.
Result<void> raise_vectors_generation(WriteSession& session) {
  CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
  return writer->put_meta("vectors_generation", fmt::format("{}", session.generation()));
}

// Collects the bags of files that are not at hand, on many threads.
class StoredBags {
 public:
  StoredBags(store::Workspace& workspace, const embed::StaticModel& model)
      : workspace_(workspace), collector_(model) {}

  Result<std::optional<FileBags>> collect(const store::FileRow& file) {
    if (!lease_) {
      CODEXMEM_ASSIGN(store::ReaderLease lent, workspace_.reader());
      lease_.emplace(std::move(lent));
    }
    return collect_stored_bags(collector_, **lease_, file);
  }

 private:
  store::Workspace& workspace_;
  embed::WordBagCollector collector_;
  std::optional<store::ReaderLease> lease_;
};

class Run {
 public:
  Run(VectorUpdate& update, WriteSession& session, const std::stop_token& stop,
      const std::function<void(std::size_t, std::size_t)>& progress)
      : update_(update), session_(session), stop_(stop), progress_(progress) {}

  // The statistics of all of `files`; keeps bags for write().
  Result<embed::WordStatistics> count(const std::vector<store::FileRow>& files) {
    embed::WordStatistics statistics(update_.state.model->word_count());
    std::size_t kept_bytes = 0;
    for (const auto& [id, bags] : update_.bags) {
      kept_bytes += bags.size_bytes();
      for (const embed::WordBag& chunk : bags.chunks) statistics.add_chunk(chunk);
    }
    std::vector<const store::FileRow*> others;
    for (const store::FileRow& file : files) {
      if (!update_.bags.contains(file.id)) others.push_back(&file);
    }
    std::size_t next = 0;
    const auto take = [&](Result<std::optional<FileBags>> collected) -> Result<void> {
      const store::FileId id = others[next++]->id;
      if (!collected.ok()) return std::move(collected).error();
      if (!collected->has_value()) return {};
      FileBags bags = **std::move(collected);
      for (const embed::WordBag& chunk : bags.chunks) statistics.add_chunk(chunk);
      const std::size_t bytes = bags.size_bytes();
      if (kept_bytes + bytes <= kMaxBagBytes) {
        kept_bytes += bytes;
        update_.bags.emplace(id, std::move(bags));
      }
      return {};
    };
    CODEXMEM_TRY(run_ordered<Result<std::optional<FileBags>>>(
        {.count = others.size(), .threads = update_.threads},
        [&]() -> std::function<Result<std::optional<FileBags>>(std::size_t)> {
          auto source = std::make_shared<StoredBags>(update_.workspace, *update_.state.model);
          return [&others, source](std::size_t i) { return source->collect(*others[i]); };
        },
        take, stop_));
    return statistics;
  }

  // Makes and writes the vectors of `files`; returns their number.
  Result<std::uint64_t> write(const std::vector<store::FileRow>& files) {
    using Made = Result<std::vector<store::VectorRow>>;
    std::uint64_t written = 0;
    std::size_t done = 0;
    const auto take = [&](Made made) -> Result<void> {
      if (!made.ok()) return std::move(made).error();
      if (progress_) progress_(++done, files.size());
      if (made->empty()) return {};
      CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
      CODEXMEM_TRY(writer->put_vectors(update_.state.id, *made));
      CODEXMEM_TRY(raise_vectors_generation(session_));  // in the same transaction
      written += made->size();
      return session_.end_file(made->size() * update_.state.model->dimension());
    };
    CODEXMEM_TRY(run_ordered<Made>(
        {.count = files.size(), .threads = update_.threads},
        [&]() -> std::function<Made(std::size_t)> {
          auto source = std::make_shared<StoredBags>(update_.workspace, *update_.state.model);
          return [&, source](std::size_t i) -> Made {
            const embed::StaticModel& model = *update_.state.model;
            const store::FileRow& file = files[i];
            if (const auto at_hand = update_.bags.find(file.id); at_hand != update_.bags.end()) {
              return make_vectors(model, *update_.state.weights, file.id, at_hand->second);
            }
            CODEXMEM_ASSIGN(const auto bags, source->collect(file));
            if (!bags) return std::vector<store::VectorRow>();
            return make_vectors(model, *update_.state.weights, file.id, *bags);
          };
        },
        take, stop_));
    return written;
  }

 private:
  VectorUpdate& update_;
  WriteSession& session_;
  const std::stop_token& stop_;
  const std::function<void(std::size_t, std::size_t)>& progress_;
};

}  // namespace

Result<VectorState> load_vector_state(store::CodeReader& reader) {
  VectorState state;
  CODEXMEM_ASSIGN(state.model, embed::StaticModel::built_in());
  CODEXMEM_ASSIGN(const auto stored, reader.find_model(state.model->id()));
  CODEXMEM_ASSIGN(const auto rebuilding, reader.find_meta(kVectorsRebuildingKey));
  if (!stored || stored->dimension != state.model->dimension() || rebuilding) return state;
  const auto statistics =
      embed::WordStatistics::parse(stored->statistics, state.model->word_count());
  if (!statistics.ok()) {
    log_warn("the stored word statistics are made again: {}", statistics.error().message());
    return state;
  }
  state.id = stored->id;
  state.chunk_count = statistics->chunk_count();
  state.weights = std::make_shared<const embed::DocumentWeights>(*state.model, *statistics);
  return state;
}

Result<VectorUpdateReport> update_vectors(
    VectorUpdate update, WriteSession& session, const std::stop_token& stop,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  VectorUpdateReport report;
  CODEXMEM_ASSIGN(const std::int64_t chunks, session.reader().count_chunks_to_embed());
  report.rebuilt =
      !update.state.weights ||
      embed::vectors_are_outdated(update.state.chunk_count, static_cast<std::uint32_t>(chunks));
  if (!report.rebuilt && !update.find_missing) return report;

  // The threads read through other connections: they must see the files.
  CODEXMEM_TRY(session.commit());
  std::vector<store::FileRow> files;
  Run run(update, session, stop, progress);
  if (report.rebuilt) {
    CODEXMEM_ASSIGN(files, session.reader().list_files());
    std::erase_if(files, [](const store::FileRow& file) {
      return (file.flags & store::kFileGenerated) != 0;
    });
    CODEXMEM_ASSIGN(const embed::WordStatistics statistics, run.count(files));
    update.state.weights =
        std::make_shared<const embed::DocumentWeights>(*update.state.model, statistics);
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
    CODEXMEM_ASSIGN(const auto other_model, session.reader().find_meta(search::kVectorsModelKey));
    if (other_model) {
      CODEXMEM_TRY(writer->keep_model(store::ModelId{}));  // none
      CODEXMEM_TRY(writer->remove_meta(search::kVectorsModelKey));
    }
    CODEXMEM_ASSIGN(const std::string code_values, embed::code_values());
    CODEXMEM_ASSIGN(update.state.id,
                    writer->put_model({.name = update.state.model->id(),
                                       .dimension = update.state.model->dimension(),
                                       .statistics = statistics.serialize(),
                                       .code_values = code_values}));
    CODEXMEM_TRY(writer->put_meta(kVectorsRebuildingKey, "1"));
  } else {
    CODEXMEM_ASSIGN(const auto missing,
                    session.reader().list_files_without_vectors(update.state.id));
    for (const store::FileId id : missing) {
      CODEXMEM_ASSIGN(const auto file, session.reader().find_file(id));
      if (file) files.push_back(*file);
    }
  }
  CODEXMEM_ASSIGN(report.vectors_written, run.write(files));
  if (report.rebuilt) {
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session.writer());
    CODEXMEM_TRY(writer->remove_meta(kVectorsRebuildingKey));
  }
  // Also when nothing was missing: a run that was broken off may have written vectors and not said
  // so.
  CODEXMEM_TRY(raise_vectors_generation(session));
  return report;
}

}  // namespace codexmem::index
