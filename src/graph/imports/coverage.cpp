#include "graph/imports/coverage.h"

#include <algorithm>
#include <functional>

#include "graph/stored/facts_cache_impl.h"
#include "graph/stored/qualified_name.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {
namespace {

constexpr std::uint32_t kNotParsedWhole = store::kFileTruncated | store::kFileUnparsed;

std::size_t& count_of(DynamicCounts& counts, parse::DynamicKind kind) {
  switch (kind) {
    case parse::DynamicKind::kEval:
      return counts.eval;
    case parse::DynamicKind::kComputedMember:
      return counts.computed_member;
    case parse::DynamicKind::kReflection:
      return counts.reflection;
    case parse::DynamicKind::kComputedImport:
      break;
  }
  return counts.computed_import;
}

// All files of the languages that `is_meant`.
template <typename Predicate>
Result<AnswerCoverage> cover_all(FactsCache& cache, store::CodeReader& reader, Predicate is_meant) {
  AnswerCoverage coverage;
  CODEXMEM_ASSIGN(const auto counts, cache.impl().language_counts(reader));
  for (const store::LanguageCount& count : *counts) {
    const parse::Language* language = parse::find_language(count.language);
    if (language == nullptr || !std::invoke(is_meant, *language)) continue;
    coverage.files_searched += count.files;
    coverage.files_unparsed += count.files_unparsed;
  }
  CODEXMEM_ASSIGN(coverage.files_skipped, reader.count_skipped());
  return coverage;
}

// Of a few files that were not parsed whole, those where a part that was not understood may import.
Result<void> find_hidden_imports(FactsCache& cache, store::CodeReader& reader,
                                 FactsCoverage& coverage) {
  constexpr std::size_t kFew = 3;
  constexpr std::string_view kWords[] = {"import", "include", "require", "use", "from"};
  coverage.may_hide_imports = coverage.files_unparsed > 0;
  if (coverage.files_unparsed == 0 || coverage.files_unparsed > kFew) return {};
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  for (const store::FileRow& row : files) {
    if ((row.flags & kNotParsedWhole) == 0 || !finds_imports(family_of(row.language))) continue;
    CODEXMEM_ASSIGN(const auto model, cache.impl().model(reader, row));
    CODEXMEM_ASSIGN(const auto content, reader.find_content(row.id));
    const bool is_cut = model == nullptr || !content || model->facts.truncated;
    const auto may_import = [&](const ByteRange& range) {
      return std::ranges::any_of(kWords, [&](std::string_view word) {
        return std::string_view(*content).substr(range.begin, range.size()).find(word) !=
               std::string_view::npos;
      });
    };
    if (is_cut || std::ranges::any_of(model->facts.unparsed, may_import)) {
      coverage.unparsed.push_back(row.path);
    }
  }
  coverage.may_hide_imports = !coverage.unparsed.empty();
  return {};
}

}  // namespace

void add_facts(FactsCoverage& coverage, const FileModel& file) {
  coverage.unparsed_ranges += file.facts.unparsed.size();
  for (const parse::DynamicConstruct& dynamic : file.facts.dynamics) {
    ++count_of(coverage.dynamic, dynamic.kind);
  }
}

Result<DefinitionCoverage> cover_definitions(FactsCache& cache, store::CodeReader& reader,
                                             std::string_view symbol,
                                             const std::optional<std::string>& path, bool in_vain) {
  DefinitionCoverage coverage;
  std::optional<store::FileRow> file;
  if (path) {
    CODEXMEM_ASSIGN(file, reader.find_file(*path));
    coverage.files_searched = 1;
    coverage.files_unparsed = file && (file->flags & kNotParsedWhole) != 0 ? 1 : 0;
    CODEXMEM_ASSIGN(coverage.files_skipped, reader.count_skipped());
  } else {
    CODEXMEM_ASSIGN(static_cast<AnswerCoverage&>(coverage),
                    cover_all(cache, reader, &parse::Language::has_grammar));
  }
  if (!in_vain) return coverage;
  CODEXMEM_ASSIGN(const auto holders,
                  reader.list_files_with_identifier(parse_qualified_name(symbol).name));
  coverage.files_with_name = !path ? holders.size()
                             : file && std::ranges::find(holders, file->id) != holders.end() ? 1U
                                                                                             : 0U;
  return coverage;
}

Result<FactsCoverage> cover_imports(FactsCache& cache, store::CodeReader& reader,
                                    const std::string& path) {
  FactsCoverage coverage;
  CODEXMEM_ASSIGN(static_cast<AnswerCoverage&>(coverage),
                  cover_all(cache, reader, [](const parse::Language& language) {
                    return finds_imports(parse::family_of(language));
                  }));
  CODEXMEM_TRY(find_hidden_imports(cache, reader, coverage));
  CODEXMEM_ASSIGN(const auto file, reader.find_file(path));
  if (!file) return coverage;
  const parse::Language* language = parse::find_language(file->language);
  if (language != nullptr && language->has_grammar && !finds_imports(parse::family_of(*language))) {
    coverage.unresolved_language = language->name;
  }
  CODEXMEM_ASSIGN(const auto model, cache.impl().model(reader, *file));
  if (model == nullptr) {
    ++coverage.files_unparsed;
    return coverage;
  }
  add_facts(coverage, *model);
  coverage.dynamic = {.computed_import = coverage.dynamic.computed_import};
  return coverage;
}

}  // namespace codexmem::graph
