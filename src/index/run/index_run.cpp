// One run, step by step. Each step has its own file; this one has their order and the data passed
// between them:
//
//   1. the mark and notes of the last run
//   2. run_tree.h    differences from the last run's record of the tree
//      discover.h    without one, or when rules have changed: all files on disk, skipped entries
//   3. change_plan.h differences from the store: jobs, deletions, moves
//   4. file_reader.h on the threads, write_session.h on this one: files in the order of their paths
//   5. dependency_update.h  imports to files
//   6. vector_update.h      missing vectors
//   7. the list of skipped files, the report; the mark is removed
//   8. vector_file.h, search/snapshot_file.h  the files that a search starts from, if old
//   9. run_tree.h           the record of the tree, for the next run
//
// A run whose changes fit in one transaction uses only one, so a reader sees a changed file, its
// edges and its vectors at once. A run that finds nothing to do writes nothing.
//
// Tested by index/indexer_test.cpp.
#include "index/run/index_run.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "text/json.h"
#include "base/log.h"
#include "base/stop_scope.h"
#include "embed/static_model.h"
#include "embed/vector_snapshot.h"
#include "index/changes/change_plan.h"
#include "index/run/configurations.h"
#include "index/run/dependency_update.h"
#include "index/discovery/discover.h"
#include "index/run/empty_run.h"
#include "index/discovery/file_reader.h"
#include "index/run/index_version.h"
#include "index/run/ordered_pipeline.h"
#include "index/run/parked_files.h"
#include "index/packs/pack_check.h"
#include "index/packs/pack_set.h"
#include "index/packs/store_check.h"
#include "index/run/reporter.h"
#include "index/run/run_tree.h"
#include "index/discovery/selection.h"
#include "index/packs/text_book.h"
#include "index/packs/vector_file.h"
#include "search/snapshot_file.h"
#include "index/run/vector_update.h"
#include "index/run/write_session.h"
#include "store/code/file_counts.h"
#include "store/code_vectors.h"

namespace codexmem::index {
namespace {

constexpr char kVersionKey[] = "index_version";
constexpr char kConfigurationsKey[] = "configurations";   // that imports were resolved with
constexpr char kVectorsPendingKey[] = "vectors_pending";  // a run made no vectors for what it wrote
constexpr std::size_t kMaxWarnings = 100;

class IndexRun {
 public:
  IndexRun(store::Workspace& workspace, const IndexOptions& options, Selection selection,
           const RootDirectory& root, store::Database& database, Reporter& reporter,
           std::stop_token stop)
      : workspace_(workspace),
        options_(options),
        skip_embeddings_(options.skip_embeddings),
        is_everything_(selection.is_everything()),
        selection_(std::move(selection)),
        root_(root),
        database_(database),
        session_(database, dump_json({{"pid", ::getpid()}, {"started_at", utc_now()}})),
        reporter_(reporter),
        stop_(std::move(stop)),
        threads_(options.threads != 0 ? options.threads
                                      : std::max(1U, std::thread::hardware_concurrency())),
        tree_(workspace, root, options),
        packs_(options.packs) {}

  Result<IndexReport> run() {
    auto done = run_steps();
    if (!done.ok()) {
      // Files written completely are kept; the mark informs the next run.
      if (done.error().code() == ErrorCode::kCancelled) CODEXMEM_TRY(session_.commit());
      return std::move(done).error();
    }
    return std::move(report_);
  }

 private:
  Result<void> run_steps() {
    CODEXMEM_TRY(read_notes());
    CODEXMEM_TRY(plan());
    CODEXMEM_TRY(choose_packs());
    CODEXMEM_TRY(choose_parking());
    if (!skip_embeddings_ && (!plan_.jobs.empty() || find_missing_vectors_)) {
      CODEXMEM_ASSIGN(vectors_, load_vector_state(session_.reader()));
      find_missing_vectors_ = find_missing_vectors_ || !vectors_.is_stored;
      report_.vectors_rebuilt = !vectors_.is_stored;
      CODEXMEM_TRY(enter_model(vectors_, session_));
    }
    CODEXMEM_TRY(remove_deleted());
    CODEXMEM_TRY(read_files());
    CODEXMEM_TRY(resolve_imports());
    CODEXMEM_TRY(go_on());
    CODEXMEM_TRY(make_vectors());
    CODEXMEM_TRY(trim_parked());
    const std::string why = why_empty(workspace_.root(), options_.path,
                                      is_everything_ && !any_failed_, plan_.skipped, report_);
    if (!why.empty()) warn(why);
    if (!kept_model_.empty()) warn(embed::why_other_vectors(kept_model_));
    CODEXMEM_TRY(write_skipped());
    CODEXMEM_TRY(finish());
    if (auto saved = save_vector_file(); !saved.ok()) {  // a search then starts more slowly
      warn("the vectors' file is not written: " + saved.error().message());
    }
    std::vector<FileJob>().swap(plan_.jobs);  // the ranking needs room
    auto saved = options_.leaves_ranking
                     ? Result<void>()
                     : search::update_ranking_file(workspace_, database_, session_.has_written());
    if (!saved.ok()) {
      warn("the ranking's file is not written: " + saved.error().message());
    }
    if (auto saved = save_tree(); !saved.ok()) {
      log_debug("the record of the tree is not written: {}", saved.error().message());
    }
    return {};
  }

  // Reads the notes of the last run.
  Result<void> read_notes() {
    store::StoreReader& reader = session_.reader();
    CODEXMEM_ASSIGN(left_mark_, reader.find_meta("run"));
    CODEXMEM_ASSIGN(was_complete_, has_complete_index(reader));
    CODEXMEM_ASSIGN(const auto pending, reader.find_meta(kVectorsPendingKey));
    // If the store has vectors of another model, the built-in model's vectors are missing.
    CODEXMEM_ASSIGN(const auto other_model, reader.find_meta(store::kVectorsModelKey));
    if (other_model && !options_.replace_vectors && !skip_embeddings_) {
      skip_embeddings_ = true;
      kept_model_ = *other_model;
    }
    find_missing_vectors_ =
        left_mark_.has_value() || pending.has_value() || other_model.has_value();
    if (!skip_embeddings_) {
      // The existing vectors are from another release's built-in model.
      CODEXMEM_ASSIGN(const auto stored, reader.find_model(embed::StaticModel::built_in_id()));
      find_missing_vectors_ = find_missing_vectors_ || !stored.has_value();
    }
    CODEXMEM_ASSIGN(const auto version, reader.find_meta(kVersionKey));
    other_version_ = version != index_version();
    CODEXMEM_ASSIGN(counts_before_, store::find_noted_counts(reader));
    return {};
  }

  Result<void> plan() {
    reporter_.enter(IndexPhase::kDiscovering);
    DiscoverOptions discovering;
    discovering.max_file_bytes = options_.max_file_bytes;
    discovering.below = options_.path;
    discovering.only = options_.only;
    discovering.observer = options_.observer;
    force_ = options_.force || other_version_;
    // Until a run has ended, rows may be of another worktree, whose times say nothing.
    const bool reads_all = force_ || options_.distrust_times || !was_complete_;
    CODEXMEM_TRY(tree_.load(session_.reader()));
    if (is_everything_ && !reads_all && was_complete_ && !left_mark_) {
      CODEXMEM_TRY(tree_.look(threads_, stop_));
    }
    if (tree_.is_as_recorded()) {
      report_.unchanged = tree_.recorded_files();
      return {};
    }
    if (tree_.has_looked()) {
      selection_ = Selection(tree_.changed());
      discovering.only = tree_.changed();
    }
    discovering.record = &tree_.walked();
    auto known = tree_.has_looked() ? tree_.find_known() : std::nullopt;
    if (!known) {
      CODEXMEM_ASSIGN(known, discover(root_, discovering, stop_,
                                      [&](std::size_t files) { reporter_.advance(files); }));
    }
    Discovery found = *std::move(known);
    CODEXMEM_ASSIGN(const auto rows, list_rows(session_.reader(), discovering.only));
    CODEXMEM_ASSIGN(skipped_rows_, session_.reader().list_skipped());
    if (!options_.path.empty() && found.files.empty() && found.skipped.empty() &&
        !root_.stat(options_.path).ok() &&
        std::none_of(rows.begin(), rows.end(),
                     [&](const store::FileRow& row) { return selection_.holds(row.path); })) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: no such file or folder", options_.path)};
    }
    if (other_version_ && rows.empty()) CODEXMEM_TRY(note_version());
    if (selection_.is_everything()) tree_.take_walk(found.files.size());
    plan_ = make_plan(root_, std::move(found), selection_, rows, skipped_rows_, reads_all,
                      tree_.distrusted());
    rows_selected_ = static_cast<std::uint64_t>(
        std::ranges::count_if(rows, [&](const auto& row) { return selection_.holds(row.path); }));
    report_.unchanged =
        plan_.unchanged + (tree_.has_looked() ? tree_.recorded_files() - rows_selected_ : 0);
    return {};
  }

  // From here on, the rows have this version.
  Result<void> note_version() {
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    other_version_ = false;
    CODEXMEM_TRY(writer->put_meta(kVersionKey, index_version()));
    return writer->put_meta("root", workspace_.root().string());
  }

  Result<void> remove_deleted() {
    for (const store::FileRow& row : plan_.deleted) CODEXMEM_TRY(remove(row));
    return {};
  }

  Result<void> choose_parking() {
    CODEXMEM_ASSIGN(const auto parked, session_.reader().list_parked_ids());
    has_parked_ = !parked.empty();
    if (force_ || !is_worth_parking(plan_)) return {};
    CODEXMEM_ASSIGN(parks_, are_packs_compared(session_.reader()));
    return {};
  }

  Result<void> remove(const store::FileRow& row) {
    CODEXMEM_TRY(count_changes_.remove(session_.reader(), row));
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    const bool parks = parks_ && may_be_parked(row);
    if (parks) {
      CODEXMEM_ASSIGN(auto dependents, writer->park_file(row.id));
      CODEXMEM_TRY(writer->add_dependents(std::move(dependents), row.id, std::nullopt));
    } else {
      CODEXMEM_ASSIGN(const std::string identifiers, stored_names_.find(session_.reader(), row.id));
      CODEXMEM_TRY(writer->remove_file(row.id, identifiers));
    }
    ++report_.deleted;
    note_path_change(row.path);
    return session_.end_file(0, !parks);
  }

  // Notes that the set of paths has changed.
  void note_path_change(std::string_view path) {
    resolve_all_ = true;
    log_debug("files changed: {}", path);
  }

  // Chooses the packs that may provide facts of files.
  Result<void> choose_packs() {
    if (packs_.empty()) return {};
    report_.packs.emplace();
    if (plan_.jobs.empty()) return {};
    const std::size_t sample = options_.pack_sample.value_or(usual_pack_sample(plan_.jobs.size()));
    while (!packs_.empty()) {
      CODEXMEM_ASSIGN(const PackCheck check, check_packs(root_, plan_.jobs, packs_, sample,
                                                         options_.max_file_bytes, threads_, stop_));
      report_.packs->compared += check.compared;
      if (check.liar == nullptr) break;
      warn(fmt::format("{} is not used: it says something else of {} than this program finds there",
                       check.liar->name(), check.path));
      packs_.drop(check.liar);
    }
    return {};
  }

  Result<void> read_files() {
    std::uint64_t bytes_total = 0;
    for (const FileJob& job : plan_.jobs) bytes_total += job.found.size;
    if (plan_.jobs.empty()) return {};
    reporter_.enter(IndexPhase::kParsing, plan_.jobs.size(), bytes_total);
    CODEXMEM_ASSIGN(const auto book,
                    choose_book(root_, plan_.jobs, force_, options_.max_file_bytes, session_));
    const FileReaderContext context{.root = root_,
                                    .workspace = workspace_,
                                    .stored_names = stored_names_,
                                    .max_file_bytes = options_.max_file_bytes,
                                    .force = force_,
                                    .parks = parks_,
                                    .has_parked = has_parked_,
                                    .embedder = vectors_.embedder.get(),
                                    .model = vectors_.id,
                                    .book = book ? &*book : nullptr,
                                    .packs = packs_.empty() ? nullptr : &packs_,
                                    .stop = stop_};
    std::size_t done = 0;
    std::uint64_t bytes_done = 0;
    const auto take = [&](FileOutcome outcome) -> Result<void> {
      const FileJob& job = plan_.jobs[done++];
      bytes_done += job.found.size;
      CODEXMEM_TRY(apply(job, std::move(outcome)));
      reporter_.advance(done, bytes_done, job.found.path);
      return {};
    };
    CODEXMEM_TRY(run_ordered<FileOutcome>(
        {.count = plan_.jobs.size(),
         .threads = threads_,
         .bytes_of =
             [&](std::size_t i) { return static_cast<std::size_t>(plan_.jobs[i].found.size); }},
        [&]() -> std::function<FileOutcome(std::size_t)> {
          auto reader = std::make_shared<FileReader>(context);
          return [&, reader](std::size_t i) { return reader->read(plan_.jobs[i]); };
        },
        take, stop_));
    reporter_.complete();
    if (report_.packs) {
      const std::uint64_t compared = report_.packs->compared;
      report_.packs = packs_.use();
      report_.packs->compared = compared;
    }
    return note_packs();
  }

  // What `status` says of files that were not parsed here.
  Result<void> note_packs() {
    const bool has_taken = report_.packs && report_.packs->taken > 0;
    if (!has_taken && !force_) return {};
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    if (!has_taken) return writer->remove_meta(kPacksKey);
    return writer->put_meta(kPacksKey, dump_json({{"from", packs_.origins()},
                                                  {"files", report_.packs->taken},
                                                  {"compared", report_.packs->compared}}));
  }

  // Writes the result for one file.
  Result<void> apply(const FileJob& job, FileOutcome outcome) {
    if (!outcome.warning.empty()) warn(outcome.warning);
    if (outcome.kind == FileOutcome::Kind::kFailed || outcome.kind == FileOutcome::Kind::kGone ||
        (outcome.kind == FileOutcome::Kind::kSkip &&
         outcome.skipped.reason == SkipReason::kUnreadable)) {
      tree_.distrust(job.found.path);
    }
    switch (outcome.kind) {
      case FileOutcome::Kind::kWrite:
        return write(job, std::move(outcome));
      case FileOutcome::Kind::kRevive:
        return revive(job, std::move(outcome));
      case FileOutcome::Kind::kTouch: {
        ++report_.unchanged;
        ++touched_;
        if (job.known->mtime_ns == outcome.record.file.mtime_ns) return {};
        CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
        CODEXMEM_TRY(writer->touch_file(job.known->id, outcome.record.file.mtime_ns));
        return session_.end_file(0);
      }
      case FileOutcome::Kind::kRename: {
        CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
        const store::FileRow& file = outcome.record.file;
        CODEXMEM_TRY(writer->rename_file(job.known->id, file.path, file.mtime_ns));
        // They contain the words of the old path; without new ones, the file's vectors are missing.
        CODEXMEM_TRY(writer->remove_vectors(job.known->id));
        CODEXMEM_TRY(write_vectors(*writer, job.known->id, outcome));
        ++report_.renamed;
        note_path_change(file.path);
        return session_.end_file(0);
      }
      case FileOutcome::Kind::kSkip:
        plan_.skipped.push_back(std::move(outcome.skipped));
        if (plan_.skipped.back().reason == SkipReason::kUnreadable) {
          warn(fmt::format("{}: {}", job.found.path, plan_.skipped.back().detail));
        }
        break;
      case FileOutcome::Kind::kGone:
        break;
      case FileOutcome::Kind::kFailed:
        if (outcome.failure->code() == ErrorCode::kCancelled) return *std::move(outcome.failure);
        any_failed_ = true;
        warn(fmt::format("{}: {}", job.found.path, outcome.failure->message()));
        // A row with other bytes is retried by the next run.
        if (!job.known) plan_.skipped.push_back(std::move(outcome.skipped));
        return {};
    }
    return job.known ? remove(*job.known) : Result<void>();
  }

  Result<void> write(const FileJob& job, FileOutcome outcome) {
    const store::FileRecord& record = outcome.record;
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    store::FileId id{};
    // The rows parked for these bytes cannot be used.
    if (outcome.parked) CODEXMEM_TRY(remove_parked(*writer, *outcome.parked));
    if (job.known && parks_ && may_be_parked(*job.known)) {
      CODEXMEM_ASSIGN(auto dependents, retire(*writer, *job.known));
      CODEXMEM_ASSIGN(id, writer->add_file(record, outcome.prepared));
      CODEXMEM_TRY(writer->add_dependents(std::move(dependents), job.known->id, id));
    } else if (job.known) {
      id = job.known->id;
      CODEXMEM_TRY(count_changes_.remove(session_.reader(), *job.known));
      if (parks_) {
        CODEXMEM_ASSIGN(outcome.old_identifiers, stored_names_.find(session_.reader(), id));
      }
      CODEXMEM_TRY(writer->replace_file(id, record, outcome.old_identifiers, outcome.prepared));
    } else {
      CODEXMEM_ASSIGN(id, writer->add_file(record, outcome.prepared));
    }
    CODEXMEM_TRY(write_vectors(*writer, id, outcome));
    take_written(job, id, record.file, outcome);
    ++report_.files_processed;
    report_.symbols_extracted += record.symbols.size();
    report_.bytes_processed += static_cast<std::uint64_t>(record.file.size);
    return session_.end_file(record.content.size());
  }

  // Notes that the file has the rows of `id`.
  void take_written(const FileJob& job, store::FileId id, const store::FileRow& file,
                    FileOutcome& outcome) {
    count_changes_.add(id);
    const bool moved = job.known && job.known->path != file.path;
    if (!job.known || moved) note_path_change(file.path);
    if (job.known && job.known->id != id) successors_.emplace(job.known->id, id);
    imports_.insert_or_assign(id, std::move(outcome.imports));
    changed_names_.merge(outcome.changed_names);
    ++(moved ? report_.renamed : job.known ? report_.changed : report_.added);
  }

  // Brings the rows of an earlier content back.
  Result<void> revive(const FileJob& job, FileOutcome outcome) {
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    const store::FileId id = *outcome.parked;
    std::vector<store::DependencyRow> dependents;
    if (job.known) {
      CODEXMEM_ASSIGN(dependents, retire(*writer, *job.known));
    }
    CODEXMEM_TRY(writer->revive_file(id, outcome.record.file.mtime_ns));
    if (job.known) {
      CODEXMEM_TRY(writer->add_dependents(std::move(dependents), job.known->id, id));
    }
    take_written(job, id, outcome.record.file, outcome);
    ++report_.files_revived;
    return session_.end_file(0, false);
  }

  // Takes the rows of a file away; they may come back. Returns what led to them.
  Result<std::vector<store::DependencyRow>> retire(store::CodeWriter& writer,
                                                   const store::FileRow& row) {
    CODEXMEM_TRY(count_changes_.remove(session_.reader(), row));
    CODEXMEM_ASSIGN(auto dependents, writer.park_file(row.id));
    if (!parks_ || !may_be_parked(row)) CODEXMEM_TRY(remove_parked(writer, row.id));
    return dependents;
  }

  Result<void> remove_parked(store::CodeWriter& writer, store::FileId id) {
    CODEXMEM_ASSIGN(const std::string identifiers, stored_names_.find(session_.reader(), id));
    return writer.remove_parked(id, identifiers);
  }

  // Parked files that are too many or too old.
  Result<void> trim_parked() {
    if (!parks_ && !(force_ && has_parked_)) return {};
    CODEXMEM_ASSIGN(const auto surplus, list_surplus(session_.reader(), force_));
    for (const store::FileId id : surplus) {
      CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
      CODEXMEM_TRY(remove_parked(*writer, id));
      CODEXMEM_TRY(session_.end_file(0));
    }
    return {};
  }

  // Writes the vectors of a file whose rows were just written.
  Result<void> write_vectors(store::CodeWriter& writer, store::FileId id, FileOutcome& outcome) {
    if (outcome.vectors.empty()) return {};
    for (store::VectorRow& row : outcome.vectors) {
      row.id = store::chunk_id(id, store::ordinal_of(row.id));
    }
    report_.embeddings_generated += outcome.vectors.size();
    return writer.put_vectors(vectors_.id, outcome.vectors);
  }

  Result<void> resolve_imports() {
    Configurations configurations(root_, options_.observer);
    CODEXMEM_ASSIGN(const auto stored, session_.reader().find_meta(kConfigurationsKey));
    if (!stored || !configurations.load(*stored) || configurations.have_changed() ||
        left_mark_.has_value()) {
      resolve_all_ = true;
    }
    // If nothing differs, the skipped files are the last run's, which were not read yet.
    if (tree_.is_as_recorded()) {
      if (!resolve_all_) return {};
      CODEXMEM_ASSIGN(plan_.outside, session_.reader().list_skipped());
    }
    std::vector<std::string> unindexed = list_ignored_configurations(plan_);
    const auto is_new = [&](const std::string& path) { return !configurations.has_note(path); };
    resolve_all_ = resolve_all_ || std::any_of(unindexed.begin(), unindexed.end(), is_new);
    if (!resolve_all_ && imports_.empty()) return {};
    if (resolve_all_) {
      configurations.clear();
      for (const std::string& path : unindexed) (void)configurations.read(path);
    }
    reporter_.enter(IndexPhase::kResolving);
    for (auto& [id, imports] : imports_) {
      if (!imports.rows || successors_.empty()) continue;
      for (store::DependencyRow& row : *imports.rows) {
        const auto next = row.target ? successors_.find(*row.target) : successors_.end();
        if (next != successors_.end()) row.target = next->second;
      }
    }
    DependencyUpdate update{.workspace = workspace_,
                            .configurations = configurations,
                            .unindexed_configurations = std::move(unindexed),
                            .threads = threads_,
                            .imports = std::exchange(imports_, {}),
                            .changed_names = std::exchange(changed_names_, {}),
                            .all = resolve_all_};
    CODEXMEM_ASSIGN(
        report_.dependencies_written,
        update_dependencies(update, session_, stop_,
                            [&](std::size_t done, std::size_t) { reporter_.advance(done); }));
    const std::string noted = configurations.to_json();
    if (stored == noted) return {};
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    return writer->put_meta(kConfigurationsKey, noted);
  }

  Result<void> make_vectors() {
    const bool written =
        report_.files_processed > 0 || report_.files_revived > 0 || report_.renamed > 0;
    if (skip_embeddings_) {
      // An interrupted run may have left files without vectors, and this run removes its mark.
      if (!written && !left_mark_) return {};
      CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
      return writer->put_meta(kVectorsPendingKey, "1");
    }
    if (!vectors_.embedder || !find_missing_vectors_) return {};
    reporter_.enter(IndexPhase::kEmbedding);
    CODEXMEM_ASSIGN(const std::uint64_t made,
                    add_missing_vectors(workspace_, vectors_, threads_, session_, stop_,
                                        [&](std::size_t done, std::size_t total) {
                                          if (done == 1) {
                                            reporter_.enter(IndexPhase::kEmbedding, total);
                                          }
                                          reporter_.advance(done);
                                        }));
    report_.embeddings_generated += made;
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    return writer->remove_meta(kVectorsPendingKey);
  }

  // Writes the list of skipped files if it differs from the stored one.
  Result<void> write_skipped() {
    if (tree_.is_as_recorded()) {
      for (const auto& [reason, count] : tree_.recorded_skipped()) report_.skipped[reason] = count;
      return {};
    }
    std::vector<store::SkippedFile> list = std::move(plan_.outside);
    for (const store::SkippedFile& note : list) {
      if (tree_.has_looked()) ++report_.skipped[note.reason];
    }
    for (SkippedEntry& entry : plan_.skipped) {
      const std::string_view reason = skip_reason_name(entry.reason);
      ++report_.skipped[std::string(reason)];
      list.push_back({std::move(entry.path), std::string(reason), std::move(entry.detail),
                      static_cast<std::int64_t>(entry.size), entry.mtime_ns});
    }
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::stable_sort(list.begin(), list.end(), by_path);
    // Two names that are not UTF-8 may look the same.
    list.erase(std::unique(list.begin(), list.end(),
                           [](const auto& a, const auto& b) { return a.path == b.path; }),
               list.end());
    const bool same =
        std::equal(list.begin(), list.end(), skipped_rows_.begin(), skipped_rows_.end(),
                   [](const store::SkippedFile& a, const store::SkippedFile& b) {
                     return a.path == b.path && a.reason == b.reason && a.detail == b.detail &&
                            a.size == b.size && a.mtime_ns == b.mtime_ns;
                   });
    for (const store::SkippedFile& note : list) ++all_skipped_[note.reason];
    skipped_count_ = list.size();
    if (same) return {};
    CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
    return writer->put_skipped(list);
  }

  Result<void> save_tree() {
    if (other_version_) return {};
    const RunTree::End end{
        .selection = selection_,
        .has_written = session_.has_written(),
        .has_expired = session_.has_expired(),
        .rows_before = rows_selected_,
        .rows_now = report_.added + report_.changed + report_.renamed + plan_.unchanged + touched_,
        .skipped = all_skipped_};
    return tree_.save(end, session_.reader());
  }

  Result<void> finish() {
    report_.elapsed = reporter_.elapsed();
    // Other files' imports, or vectors, are written too.
    if (resolve_all_ || find_missing_vectors_ || report_.renamed > 0) count_changes_.recount();
    const auto note_counts = [&](store::CodeWriter& writer) {
      return count_changes_.note(counts_before_, skipped_count_, session_.generation(),
                                 session_.reader(), writer);
    };
    if (!is_everything_) {
      // A partial run does not complete an unfinished full run.
      return session_.has_written() ? session_.finish(report_.to_json(), left_mark_, note_counts)
                                    : Result<void>();
    }
    if (other_version_ && !any_failed_) CODEXMEM_TRY(note_version());
    if (!was_complete_) {
      CODEXMEM_ASSIGN(store::CodeWriter * writer, session_.writer());
      CODEXMEM_TRY(writer->put_meta(kCompleteKey, "1"));
    }
    if (!session_.has_written() && !left_mark_) return {};
    if (force_) {
      CODEXMEM_TRY(session_.writer());
      CODEXMEM_TRY(store::remove_unused_books(database_));
    }
    return session_.finish(report_.to_json(), std::nullopt, note_counts);
  }

  // Updates the file from which a search starts, if it lags far enough behind.
  Result<void> save_vector_file() {
    if (skip_embeddings_) return {};
    CODEXMEM_ASSIGN(const bool due,
                    is_vector_file_due(workspace_, session_.reader(), session_.has_written()));
    if (!due) return {};
    return index::save_vector_file(workspace_, database_, embed::StaticModel::built_in_id());
  }

  void warn(std::string message) {
    log_info("{}", message);
    if (report_.warnings.size() < kMaxWarnings) report_.warnings.push_back(std::move(message));
  }

  store::Workspace& workspace_;
  const IndexOptions& options_;
  bool skip_embeddings_;      // as requested, or to keep the vectors of a remote model
  std::string kept_model_;    // that model, else empty
  const bool is_everything_;  // the run covers all files, even if it only checks them
  Selection selection_;       // the files that it reads
  const RootDirectory& root_;
  store::Database& database_;
  WriteSession session_;
  Reporter& reporter_;
  const std::stop_token stop_;
  const unsigned threads_;

  std::optional<std::string> left_mark_;  // of an interrupted run
  bool was_complete_ = false;             // has_complete_index() at the begin
  bool other_version_ = false;            // the rows are from another version
  bool force_ = false;
  bool find_missing_vectors_ = false;  // some files may lack vectors
  bool resolve_all_ = false;
  bool any_failed_ = false;  // a file could not be read, for a reason that is not its own
  RunTree tree_;
  PackSet packs_;
  bool parks_ = false;       // rows of files that change or go are kept, to come back
  bool has_parked_ = false;  // there are such rows
  std::map<store::FileId, store::FileId> successors_;  // the row of a path before and after
  std::uint64_t rows_selected_ = 0, touched_ = 0;
  RunTree::Skipped all_skipped_;
  std::optional<store::FileCounts> counts_before_;
  store::FileCountChanges count_changes_;
  std::optional<std::size_t> skipped_count_;  // nothing: unchanged
  std::vector<store::SkippedFile> skipped_rows_;
  ChangePlan plan_;
  VectorState vectors_;
  std::map<store::FileId, ImportFacts> imports_;
  std::set<std::string> changed_names_;  // declared in the files of imports_
  StoredNames stored_names_;
  IndexReport report_;
};

}  // namespace

Result<IndexReport> run_index(store::Workspace& workspace, const IndexOptions& options,
                              Selection selection, const RootDirectory& root,
                              store::Database& database, Reporter& reporter, std::stop_token stop) {
  return IndexRun(workspace, options, std::move(selection), root, database, reporter,
                  std::move(stop))
      .run();
}

}  // namespace codexmem::index
