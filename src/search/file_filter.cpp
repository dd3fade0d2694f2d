// Tested by search/file_filter_test.cpp.
#include "search/file_filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "config/path_kind.h"
#include "base/text.h"
#include "parse/rules/languages.h"
#include "search/path_facts.h"

namespace codexmem::search {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

// The language for `given`: a name, or a file extension; "" if unknown.
std::string_view language_called(std::string_view given) {
  std::string name = to_lower_ascii(trim(given));
  if (name.starts_with('.')) name.erase(0, 1);
  for (const parse::Language& language : parse::languages()) {
    if (std::ranges::find(language.aliases, name) != language.aliases.end()) return language.name;
  }
  if (const auto* language = parse::find_language(name)) return language->name;
  if (name.empty() || name.find('/') != std::string::npos) return {};
  const auto* language = parse::detect_language("x." + name, "");
  return language == nullptr ? std::string_view() : language->name;
}

Error unknown(std::string_view argument, const std::set<std::string>& known,
              std::string_view given) {
  const std::vector<std::string> names(known.begin(), known.end());
  const auto near = nearest(given, names);
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} must be one of those of the index ({}), got \"{}\"{}", argument,
                           join(names, ", "), utf8_prefix(given, 60),
                           near ? fmt::format(": did you mean \"{}\"?", *near) : "")};
}

}  // namespace

Result<FileFilter> FileFilter::make(const SearchRequest& request, const Snapshot& snapshot) {
  FileFilter made;
  made.extensions_ = request.file_extensions;
  made.tests_ = request.tests;
  made.is_empty_ = request.file_extensions.empty() && request.languages.empty() &&
                   request.paths.empty() && request.kinds.empty() &&
                   request.tests == TestFiles::kInclude;
  CODEXMEM_ASSIGN(made.paths_, PathGlobs::make(request.paths));
  for (const std::string& given : request.languages) {
    const std::string_view language = language_called(given);
    if (language.empty()) {
      std::set<std::string> known;
      for (const Snapshot::Part& part : snapshot.parts()) known.merge(part.segment->languages());
      return unknown("language", known, given);
    }
    made.languages_.emplace_back(language);
  }
  for (const std::string& given : request.kinds) {
    const std::string kind = to_lower_ascii(trim(given));
    if (!parse_symbol_type(kind).has_value()) {
      std::set<std::string> known;
      for (const Snapshot::Part& part : snapshot.parts()) {
        for (const DefinitionKind& one : part.segment->all_kinds()) known.insert(one.kind);
      }
      if (!known.contains(kind)) {
        for (int type = 0; type <= static_cast<int>(SymbolType::kProperty); ++type) {
          known.emplace(symbol_type_name(static_cast<SymbolType>(type)));
        }
        return unknown("kind", known, given);
      }
    }
    made.kinds_.push_back(kind);
  }
  return made;
}

bool FileFilter::keeps(const Snapshot& snapshot, FileNumber file) const {
  if (is_empty_) return true;
  const std::string_view path = snapshot.path(file);
  if (!languages_.empty() && !contains(languages_, snapshot.language(file))) return false;
  if (!has_extension(path, extensions_)) return false;
  if (tests_ != TestFiles::kInclude && is_test_path(path) != (tests_ == TestFiles::kOnly)) {
    return false;
  }
  if (!paths_.keeps(path)) return false;
  return kinds_.empty() ||
         std::ranges::any_of(snapshot.kinds(file), [&](const DefinitionKind* one) {
           return keeps(one->type, one->kind);
         });
}

bool FileFilter::keeps(SymbolType type, std::string_view kind) const {
  return kinds_.empty() || contains(kinds_, symbol_type_name(type)) || contains(kinds_, kind);
}

}  // namespace codexmem::search
