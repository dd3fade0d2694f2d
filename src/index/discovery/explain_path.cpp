// Explains why a path is in the index or not, with the same discovery as an index run, for one
// path.
//
// Tested by index/indexer_test.cpp.
#include <algorithm>
#include <utility>

#include "index/discovery/decode.h"
#include "index/discovery/discover.h"
#include "index/run/indexer.h"
#include "index/discovery/root_directory.h"
#include "index/discovery/selection.h"
#include "parse/rules/languages.h"
#include "store/index_facts.h"

namespace codexmem::index {
namespace {

std::vector<std::string> describe_flags(std::uint32_t flags) {
  std::vector<std::string> notes;
  if ((flags & store::kFileGenerated) != 0) {
    notes.emplace_back("generated or minified: its symbols are indexed, but it has no vectors");
  }
  if ((flags & store::kFileRepaired) != 0) {
    notes.emplace_back("its text was converted to UTF-8; what was not valid became U+FFFD");
  }
  if ((flags & store::kFileTruncated) != 0) {
    notes.emplace_back(
        "parsing took too long or too much memory: a part of its symbols is known, or none");
  }
  if ((flags & store::kFileUnparsed) != 0) {
    notes.emplace_back("parts of it were not understood");
  }
  return notes;
}

// Reads a file that has no row, to say how a run would treat it.
void judge_content(const RootDirectory& root, const FoundFile& file, std::uint64_t max_bytes,
                   PathExplanation& out) {
  const auto skip = [&](SkipReason reason, std::string detail) {
    out.state = PathExplanation::State::kSkipped;
    out.reason = skip_reason_name(reason);
    out.detail = std::move(detail);
  };
  if (has_binary_extension(file.path)) return skip(SkipReason::kBinary, "by its name");
  auto bytes = root.read(file.path, max_bytes);
  if (!bytes.ok()) return skip(SkipReason::kUnreadable, bytes.error().message());
  const auto decoded = decode_text(*std::move(bytes));
  if (!decoded) return skip(SkipReason::kBinary, "it holds NUL bytes");
  const std::string_view text = decoded->text;
  const parse::Language* language = parse::detect_language(file.path, text);
  if (language == nullptr) {
    return skip(SkipReason::kUnknownType, "no language is known by its name or first line");
  }
  out.state = PathExplanation::State::kPending;
  out.language = language->name;
}

}  // namespace

std::string_view path_state_name(PathExplanation::State state) {
  switch (state) {
    case PathExplanation::State::kIndexed:
      return "indexed";
    case PathExplanation::State::kOutdated:
      return "outdated";
    case PathExplanation::State::kPending:
      return "pending";
    case PathExplanation::State::kSkipped:
      return "skipped";
    case PathExplanation::State::kDeleted:
      return "deleted";
    case PathExplanation::State::kMissing:
      return "missing";
    case PathExplanation::State::kFolder:
      return "folder";
  }
  return "";
}

Result<PathExplanation> explain_path(store::Workspace& workspace, std::string_view path) {
  using State = PathExplanation::State;
  PathExplanation out;
  CODEXMEM_ASSIGN(out.path, relative_to_root(workspace.root(), path));
  CODEXMEM_ASSIGN(const RootDirectory root, RootDirectory::open(workspace.root()));
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto row, reader->find_file(out.path));
  if (row) {
    out.language = row->language;
    CODEXMEM_ASSIGN(out.indexed_at, store::read_indexed_at(*reader, row->id));
    out.notes = describe_flags(row->flags);
  }

  const auto stat = root.stat(out.path);
  if (stat.ok()) out.size = stat->size;
  DiscoverOptions options;
  options.only = {out.path};
  Discovery found;
  if (!out.path.empty()) {
    CODEXMEM_ASSIGN(found, discover(root, options));
  }
  // The path itself, or the skipped folder above it.
  const auto skipped =
      std::find_if(found.skipped.begin(), found.skipped.end(), [&](const SkippedEntry& entry) {
        return entry.path == out.path || entry.path == out.path + "/" ||
               (entry.path.ends_with('/') && out.path.starts_with(entry.path));
      });
  if (skipped != found.skipped.end()) {
    out.state = State::kSkipped;
    out.reason = skip_reason_name(skipped->reason);
    out.detail = skipped->detail;
    return out;
  }
  const auto file = std::find_if(found.files.begin(), found.files.end(),
                                 [&](const FoundFile& one) { return one.path == out.path; });
  if (file == found.files.end() && is_own_data(out.path)) {
    out.state = State::kSkipped;
    out.reason = "own_data";
    out.detail = "what version control and codexmem keep for themselves is never indexed";
    return out;
  }
  if (stat.ok() && stat->kind == EntryKind::kDirectory) {
    out.state = State::kFolder;
    out.size = 0;
    CODEXMEM_ASSIGN(const auto files, reader->list_files());
    const Selection below({out.path});
    out.files = static_cast<std::uint64_t>(
        std::count_if(files.begin(), files.end(),
                      [&](const store::FileRow& one) { return below.holds(one.path); }));
    return out;
  }
  if (file == found.files.end()) {
    out.state = row ? State::kDeleted : State::kMissing;
    return out;
  }
  if (row) {
    const bool same = static_cast<std::uint64_t>(row->size) == file->size &&
                      (row->mtime_ns == file->mtime_ns || row->mtime_ns == file->mtime_ns - 1);
    out.state = same ? State::kIndexed : State::kOutdated;
    return out;
  }
  judge_content(root, *file, options.max_file_bytes, out);
  return out;
}

}  // namespace codexmem::index
