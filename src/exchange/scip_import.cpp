// Two passes over the bytes, which are in memory. The first finds for each symbol of the index
// which symbols of ours it is: those with a name where it is defined. The second packs, for each
// document, what its names mean. Nothing is said of a name whose symbol is defined in a document
// that was refused.
//
// Tested by exchange/scip_import_test.cpp, fuzz/scip_fuzz.cpp, and by bench/scip.py.
#include "exchange/scip_import.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/ascii.h"
#include "base/file.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "exchange/scip_read.h"
#include "graph/core/file_model.h"
#include "graph/stored/facts_cache_impl.h"
#include "index/run/run_lock.h"
#include "store/code/code_writer.h"
#include "text/line_index.h"

namespace codexmem::exchange {
namespace {

namespace fs = std::filesystem;
using graph::CompilerUses;
using graph::FileModel;
using parse::kNoIndex;

bool is_definition(const ReadOccurrence& occurrence) {
  return (occurrence.roles & (scip::kDefinition | scip::kForwardDefinition)) != 0;
}

bool is_local(std::string_view symbol) { return symbol.starts_with("local "); }

// Scip.proto: relative, canonical, with '/' between names.
bool is_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != std::string_view::npos ||
      path.find('\0') != std::string_view::npos) {
    return false;
  }
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (name.empty() || name == "." || name == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

// True unless the range cuts an identifier.
bool is_whole_name(std::string_view text, ByteRange range) {
  const auto joins = [&](std::uint32_t at) {
    return at > 0 && at < text.size() && is_identifier_char(text[at - 1]) &&
           is_identifier_char(text[at]) && text[at - 1] != '$' && text[at] != '$';
  };
  return !joins(range.begin) && !joins(range.end);
}

std::int64_t modified_ns(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return 0;
  return std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
}

// A document with its file.
struct Taken {
  store::FileRow row;
  std::shared_ptr<const FileModel> model;
  std::string text;
  std::vector<std::pair<const ReadOccurrence*, ByteRange>> places;  // in the text
};

class ScipImport {
 public:
  ScipImport(store::Workspace& workspace, store::Database& database, const fs::path& path)
      : workspace_(workspace), reader_(database), writer_(database), path_(path) {}

  Result<void> read(std::string_view bytes) {
    bytes_ = bytes;
    return pass([&](const ReadDocument& document, const std::string& path) {
      return find_definitions(document, path);
    });
  }

  Result<ScipImportReport> write() {
    CODEXMEM_TRY(writer_.begin_generation());
    CODEXMEM_TRY(pass([&](const ReadDocument& document, const std::string& path) {
      return refused_.contains(path) ? Result<void>() : write_uses(document, path);
    }));
    for (const auto& [path, reason] : refused_) report_.refused.emplace_back(path, reason);
    return std::move(report_);
  }

 private:
  // A symbol of ours.
  struct Symbol {
    store::FileId file{};
    std::uint32_t ordinal = 0;
    std::string qualified_name;
    std::uint32_t number = 0;
  };
  struct Symbols {
    std::vector<Symbol> ours;
    bool is_unknown = false;  // some definition is in a document that was refused
  };
  using SymbolMap = std::unordered_map<std::string_view, Symbols>;

  template <typename Visit>
  Result<void> pass(const Visit& visit) {
    ScipVisitor visitor;
    visitor.metadata = [&](const ReadMetadata& metadata) { return begin(metadata); };
    visitor.document = [&](const ReadDocument& document) -> Result<void> {
      CODEXMEM_TRY(go_on());
      if (!is_inside(document.path)) {
        return Error{ErrorCode::kCorrupt,
                     fmt::format("the path \"{}\" leads out of the repository", document.path)};
      }
      return visit(document, prefix_ + std::string(document.path));
    };
    auto done = read_scip(bytes_, visitor);
    return done.ok() ? std::move(done) : std::move(done).error().with_context(path_.string());
  }

  // Documents are relative to the folder that was indexed, if that is in the repository here.
  Result<void> begin(const ReadMetadata& metadata) {
    if (metadata.tool == scip::kOwnTool) {
      return invalid_argument("codexmem has written this index, so it says nothing new");
    }
    report_.tool = std::string(metadata.tool.empty() ? "an indexer" : metadata.tool);
    if (!metadata.version.empty()) report_.tool += " " + std::string(metadata.version);
    const auto folder = path_of_uri(metadata.project_root);
    const auto below = folder ? path_below(workspace_.root(), *folder) : std::nullopt;
    prefix_ = below && !below->empty() ? *below + "/" : "";
    return {};
  }

  // The file of a document, if the index is of its text; else notes why not.
  Result<std::optional<Taken>> take(const ReadDocument& document, const std::string& path) {
    const auto refuse = [&](std::string_view reason) -> std::optional<Taken> {
      refused_.emplace(path, reason);
      return std::nullopt;
    };
    CODEXMEM_ASSIGN(const auto row, reader_.find_file(path));
    if (!row) return refuse("it is not indexed here");
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(row->id));
    if (!content) return refuse("it is not indexed here");
    if (document.text ? *document.text != *content : written_ns() < row->mtime_ns) {
      return refuse(document.text ? "it has another text"
                                  : "it has changed after the index was written");
    }
    CODEXMEM_ASSIGN(auto model, cache_.impl().model(reader_, *row));
    if (model == nullptr) return refuse("its facts cannot be read");
    Taken taken{*row, std::move(model), *content, {}};
    if (!place(document, taken)) return refuse("its names are at other places");
    return std::optional(std::move(taken));
  }

  // When the index was written.
  std::int64_t written_ns() {
    if (written_ns_ == 0) written_ns_ = modified_ns(path_);
    return written_ns_;
  }

  // Finds the ranges in the text. Without an encoding it is the one in which most are whole names.
  static bool place(const ReadDocument& document, Taken& taken) {
    using scip::Columns;
    const bool has_columns = document.columns != Columns::kUnspecified;
    std::size_t best = 0;
    bool is_best_good = false;
    const LineIndex lines(taken.text);
    for (const Columns columns : {Columns::kUtf8, Columns::kUtf16, Columns::kUtf32}) {
      if (has_columns && columns != document.columns) continue;
      std::vector<std::pair<const ReadOccurrence*, ByteRange>> places;
      std::size_t wrong = 0;
      for (const ReadOccurrence& occurrence : document.occurrences) {
        if (occurrence.end_line != occurrence.line) continue;  // a module, an operator
        const auto range = range_in(taken.text, lines, columns, occurrence);
        if (range && range->empty()) continue;  // a file as a whole, or no written name
        if (!range || !is_whole_name(taken.text, *range)) {
          ++wrong;
        } else {
          places.emplace_back(&occurrence, *range);
        }
      }
      if (!is_best_good || places.size() > best) {
        constexpr std::size_t kTolerated = 50;  // one in so many
        is_best_good = wrong * kTolerated <= places.size();
        best = places.size();
        taken.places = std::move(places);
      }
      if (is_best_good && wrong == 0) break;
    }
    return is_best_good;
  }

  // The symbol whose name is at `range`.
  static std::uint32_t symbol_at(const FileModel& model, ByteRange range) {
    for (std::uint32_t offset = range.begin; offset < range.end; ++offset) {
      const std::uint32_t symbol = model.symbol_named_at(offset);
      if (symbol != kNoIndex) return symbol;
      if (offset > range.begin + 1) break;  // a sign before the name: #x, 'x'
    }
    return kNoIndex;
  }

  Result<void> find_definitions(const ReadDocument& document, const std::string& path) {
    CODEXMEM_ASSIGN(const auto taken, take(document, path));
    if (!taken) {
      for (const ReadOccurrence& occurrence : document.occurrences) {
        if (is_definition(occurrence) && !is_local(occurrence.symbol)) {
          symbols_[occurrence.symbol].is_unknown = true;
        }
      }
      return {};
    }
    for (const auto& [occurrence, range] : taken->places) {
      if (is_definition(*occurrence) && !is_local(occurrence->symbol)) {
        add_definition(*taken, range, symbols_[occurrence->symbol]);
      }
    }
    return {};
  }

  static void add_definition(const Taken& taken, ByteRange range, Symbols& symbols) {
    const std::uint32_t symbol = symbol_at(*taken.model, range);
    if (symbol == kNoIndex) return;
    symbols.ours.push_back({taken.row.id, symbol, taken.model->qualified_name(symbol),
                            taken.model->number_of(symbol)});
  }

  Result<void> write_uses(const ReadDocument& document, const std::string& path) {
    CODEXMEM_ASSIGN(const auto taken, take(document, path));
    if (!taken) return {};
    SymbolMap locals;
    std::set<std::uint32_t> defined;
    for (const auto& [occurrence, range] : taken->places) {
      if (!is_definition(*occurrence)) continue;
      if (is_local(occurrence->symbol)) add_definition(*taken, range, locals[occurrence->symbol]);
      const std::uint32_t symbol = symbol_at(*taken->model, range);
      if (symbol != kNoIndex) {
        defined.insert(taken->model->facts.symbols[symbol].name_range.begin);
      }
    }
    CompilerUses uses;
    uses.tool = report_.tool;
    uses.defined.assign(defined.begin(), defined.end());
    std::map<std::pair<store::FileId, std::uint32_t>, std::uint32_t> targets;
    for (const auto& [occurrence, range] : taken->places) {
      if (is_definition(*occurrence)) continue;
      const SymbolMap& known = is_local(occurrence->symbol) ? locals : symbols_;
      const auto symbol = known.find(occurrence->symbol);
      if (symbol != known.end() && symbol->second.is_unknown) continue;
      const std::uint32_t offset = name_in(*taken->model, taken->text, range);
      if (symbol == known.end() || symbol->second.ours.empty()) {
        uses.uses.push_back({offset, kNoIndex});
        continue;
      }
      for (const Symbol& ours : symbol->second.ours) {
        const auto [at, is_new] = targets.try_emplace(
            {ours.file, ours.ordinal}, static_cast<std::uint32_t>(uses.targets.size()));
        if (is_new) {
          const std::int64_t step =
              static_cast<std::int64_t>(ours.file) - static_cast<std::int64_t>(taken->row.id);
          uses.targets.push_back({step, ours.qualified_name, ours.number});
        }
        uses.uses.push_back({offset, at->second});
      }
    }
    std::ranges::sort(uses.uses);
    uses.uses.erase(std::unique(uses.uses.begin(), uses.uses.end()), uses.uses.end());
    if (!is_written_.insert(path).second) return {};  // a document that comes twice
    ++report_.files;
    report_.uses += uses.uses.size();
    return writer_.put_compiler_uses(taken->row.id, uses.tool, graph::encode_compiler_uses(uses));
  }

  // Where the facts have the name that is at `range`: there, or with a sign or quote before it.
  static std::uint32_t name_in(const FileModel& model, std::string_view text, ByteRange range) {
    for (std::uint32_t offset = range.begin; offset < range.end && offset <= range.begin + 2;
         ++offset) {
      if (model.occurrence_at(offset) != kNoIndex) return offset;
    }
    const bool is_quoted = range.begin > 0 && model.occurrence_at(range.begin - 1) != kNoIndex &&
                           !is_identifier_char(text[range.begin - 1]);
    return is_quoted ? range.begin - 1 : range.begin;
  }

  store::Workspace& workspace_;
  store::StoreReader reader_;
  store::CodeWriter writer_;
  const fs::path& path_;
  std::string_view bytes_;
  std::string prefix_;
  std::int64_t written_ns_ = 0;
  graph::FactsCache cache_;
  SymbolMap symbols_;
  std::map<std::string, std::string> refused_;
  std::unordered_set<std::string> is_written_;
  ScipImportReport report_;
};

}  // namespace

Result<ScipImportReport> import_scip(store::Workspace& workspace, const fs::path& path,
                                     const std::stop_token& stop) {
  const StopScope scope(stop);
  CODEXMEM_ASSIGN(const std::string bytes, read_file(path, kMaxScipBytes));
  CODEXMEM_ASSIGN(const FileLock lock,
                  index::take_run_lock(workspace.lock_path(), /*wait=*/true, {}, stop));
  CODEXMEM_ASSIGN(store::Database * database, workspace.writer());
  CODEXMEM_ASSIGN(auto transaction, store::Transaction::begin(*database));
  ScipImport import(workspace, *database, path);
  CODEXMEM_TRY(import.read(bytes));
  CODEXMEM_ASSIGN(auto report, import.write());
  CODEXMEM_TRY(transaction.commit());
  return report;
}

}  // namespace codexmem::exchange
