// Tested by fleet/question_test.cpp.
#include "fleet/question.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/path_kind.h"
#include "parse/rules/languages.h"
#include "search/path_facts.h"

namespace codexmem::fleet {
namespace {

bool has(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

// The language for `given`, a name or a file extension; empty if unknown.
std::string_view language_named(std::string_view given) {
  std::string name = to_lower_ascii(trim(given));
  if (name.starts_with('.')) name.erase(0, 1);
  for (const parse::Language& language : parse::languages()) {
    if (has({language.aliases.begin(), language.aliases.end()}, name)) return language.name;
  }
  if (const auto* language = parse::find_language(name)) return language->name;
  if (name.empty() || name.find('/') != std::string::npos) return {};
  const auto* language = parse::detect_language("x." + name, "");
  return language == nullptr ? std::string_view() : language->name;
}

}  // namespace

Result<Filter> Filter::make(const search::SearchRequest& request) {
  Filter made;
  made.extensions_ = request.file_extensions;
  made.tests_ = request.tests;
  made.is_empty_ = request.file_extensions.empty() && request.languages.empty() &&
                   request.paths.empty() && request.kinds.empty() &&
                   request.tests == search::TestFiles::kInclude;
  CODEXMEM_ASSIGN(made.paths_, PathGlobs::make(request.paths));
  for (const std::string& given : request.languages) {
    const std::string_view language = language_named(given);
    if (language.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("language: there is none called \"{}\"", utf8_prefix(given, 60))};
    }
    made.languages_.emplace_back(language);
  }
  for (const std::string& kind : request.kinds) made.kinds_.push_back(to_lower_ascii(trim(kind)));
  return made;
}

bool Filter::keeps(const FileRow& file) const {
  if (is_empty_) return true;
  if (!search::has_extension(file.path, extensions_)) return false;
  if (!languages_.empty() && !has(languages_, file.language)) return false;
  if (!paths_.keeps(file.path)) return false;
  if (tests_ == search::TestFiles::kInclude) return true;
  return is_test_path(file.path) == (tests_ == search::TestFiles::kOnly);
}

bool Filter::keeps(const PieceRow& piece) const {
  if (kinds_.empty()) return true;
  return std::ranges::any_of(piece.definitions, [&](const NamedPlace& definition) {
    return has(kinds_, definition.type) || has(kinds_, definition.kind);
  });
}

Result<Question> Question::make(const search::SearchRequest& request, const View& view,
                                const embed::Embedder& embedder) {
  Question question;
  question.exact = search::read_exact_query(request.query);
  question.query = search::parse_query(question.exact.words);
  if (!question.exact.parts.empty()) {
    CODEXMEM_ASSIGN(auto matcher, search::ExactMatcher::make(question.exact.parts));
    question.matcher = std::move(matcher);
  }
  if (question.query.stems.empty()) {
    return Error{ErrorCode::kInvalidArgument, "query must hold a letter or a digit"};
  }
  CODEXMEM_ASSIGN(question.filter, Filter::make(request));
  CODEXMEM_ASSIGN(question.vector, embedder.embed_query(question.exact.words));
  if (std::ranges::all_of(question.vector, [](float x) { return x == 0; })) {
    question.vector.clear();
  }
  double files = 0, pieces = 0, terms = 0;
  const auto count = [&](const RepositoryRow& repository, std::vector<double>* counted) {
    for (std::size_t i = 0; i < counted->size(); ++i) {
      const auto at = repository.frequencies.find(question.query.terms[i].text);
      if (at != repository.frequencies.end()) (*counted)[i] += at->second;
    }
  };
  question.counted.assign(question.query.terms.size(), 0);
  question.counted_in_all = question.counted;
  for (const RepositoryRow& repository : view.all_repositories()) {
    count(repository, &question.counted_in_all);
  }
  for (const RepositoryRow* const repository : view.repositories()) {
    files += static_cast<double>(repository->files);
    pieces += static_cast<double>(repository->pieces);
    terms += static_cast<double>(repository->terms);
    count(*repository, &question.counted);
  }
  question.files = std::max(files, 1.0);
  question.pieces = std::max(pieces, 1.0);
  question.average_file = std::max(terms / question.files, 1.0);
  question.average_piece = std::max(terms / question.pieces, 1.0);
  return question;
}

}  // namespace codexmem::fleet
