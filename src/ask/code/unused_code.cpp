// Tested by git/unused_test.py.
#include "ask/code/unused_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "ask/code/code_answer.h"
#include "ask/fresh.h"
#include "ask/united.h"
#include "base/file.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "text/counted.h"
#include "text/json_object.h"

namespace codexmem::ask {
namespace {

using graph::UnusedCertainty;

constexpr std::chrono::seconds kUnusedSearchTime{60};

// The repository of the workspace whose root is `given`; null: no repository's.
const UnitedRepository* find_whole(const UnitedCode& united, const std::string& given) {
  const auto split = store::split_united_path(given);
  const auto is_it = [&](const UnitedRepository& each) {
    std::error_code ignored;
    return (split && split->path.empty() && split->name == each.name) ||
           std::filesystem::equivalent(given, each.root, ignored);
  };
  const auto found = std::ranges::find_if(united.repositories(), is_it);
  return found == united.repositories().end() ? nullptr : &*found;
}

// The paths asked about, as the reader has them; none: all.
Result<std::vector<std::string>> wanted_paths(const Context& context,
                                              const UnusedCodeParams& params) {
  const CodeServices& code = context.code();
  std::vector<std::string> paths;
  for (const std::string& given : params.paths) {
    std::error_code ignored;
    if (code.united != nullptr) {
      if (const UnitedRepository* const whole = find_whole(*code.united, given)) {
        paths.push_back(store::member_folder(whole->name));
        continue;
      }
    } else if (std::filesystem::equivalent(given, code.workspace.root(), ignored)) {
      return std::vector<std::string>();
    }
    CODEXMEM_ASSIGN(std::string path, asked_path(context, "paths", given));
    paths.push_back(std::move(path));
  }
  return paths;
}

bool is_in_paths(const std::vector<std::string>& paths, std::string_view path) {
  return paths.empty() || std::ranges::any_of(paths, [&](const std::string& each) {
           return path == each || (path.starts_with(each) && path[each.size()] == '/');
         });
}

bool is_certain(const graph::UnusedSymbol& each) {
  return each.certainty == UnusedCertainty::kCertain;
}

void make_possible(graph::UnusedSymbol& symbol, std::string reason) {
  symbol.certainty = UnusedCertainty::kPossible;
  symbol.why.clear();
  symbol.reasons.push_back(std::move(reason));
}

// What is used by `symbol`, which may be used, may be as well.
void doubt_used_by(const graph::UnusedSymbol& symbol, std::vector<graph::UnusedSymbol>& symbols) {
  const std::string name = symbol.symbol.qualified_name();
  for (graph::UnusedSymbol& each : symbols) {
    if (!is_certain(each) || std::ranges::find(each.users, name) == each.users.end()) continue;
    make_possible(each, name + ", which uses it, is possible to be unused");
    doubt_used_by(each, symbols);
  }
}

// A template, or code in a language that is not known, may use what nothing else does: what seems
// certain is looked for in the files that are not indexed.
Result<void> doubt_by_skipped(const Context& context, store::CodeReader& reader,
                              std::vector<graph::UnusedSymbol>& symbols) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
  if (std::ranges::none_of(symbols, is_certain)) return {};
  CODEXMEM_ASSIGN(const auto skipped, reader.list_skipped());
  for (const store::SkippedFile& file : skipped) {
    if (file.reason != "unknown_type") continue;
    const OwnCode own = own_code(context, reader, file.path);
    const auto text = read_file(own.code.workspace.root() / own.path, kMaxBytes);
    if (!text.ok()) continue;
    for (graph::UnusedSymbol& each : symbols) {
      if (!is_certain(each) || !graph::has_word(*text, each.symbol.name)) continue;
      make_possible(each, "named in " + file.path + ", which is not indexed");
      doubt_used_by(each, symbols);
    }
  }
  std::ranges::sort(symbols, graph::is_surer);
  return {};
}

Result<UnusedCodeAnswer> find_unused(const Context& context, store::CodeReader& reader,
                                     const std::vector<std::string>& paths,
                                     const UnusedCodeParams& params) {
  graph::FactsCache& facts = context.code().facts;
  CODEXMEM_ASSIGN(const auto files, facts.files(reader));
  for (const std::string& path : paths) {
    if (files->find(path) == nullptr && !files->has_folder(path)) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: no indexed file or folder", path)};
    }
  }
  CODEXMEM_ASSIGN(
      graph::UnusedCode found,
      graph::find_unused_code(facts, reader, std::chrono::steady_clock::now() + kUnusedSearchTime,
                              context.stop));
  CODEXMEM_TRY(doubt_by_skipped(context, reader, found.symbols));
  UnusedCodeAnswer answer;
  answer.definitions = found.definitions;
  std::erase_if(found.symbols, [&](const graph::UnusedSymbol& each) {
    return each.certainty < params.least || !is_in_paths(paths, each.path) ||
           !is_asked(context, each.path);
  });
  answer.total = found.symbols.size();
  const auto count = [&](UnusedCertainty certainty) {
    return static_cast<std::size_t>(
        std::ranges::count(found.symbols, certainty, &graph::UnusedSymbol::certainty));
  };
  answer.certain = count(UnusedCertainty::kCertain);
  answer.likely = count(UnusedCertainty::kLikely);
  const std::size_t first = std::min(params.offset, answer.total);
  const std::size_t end =
      params.limit == 0 ? answer.total : std::min(first + params.limit, answer.total);
  const auto at = [&](std::size_t place) {
    return std::make_move_iterator(found.symbols.begin() + static_cast<std::ptrdiff_t>(place));
  };
  answer.symbols.assign(at(first), at(end));
  answer.rest = Rest::after(end, answer.total);
  if (found.files_not_read > 0) {
    add_sentence(answer.note,
                 fmt::format("Time ran out: {} not read, and what they name is not listed.",
                             counted(found.files_not_read, "file")));
  }
  if (files->skipped() > 0) {
    add_sentence(answer.note, fmt::format("{} not indexed: what they use is not known.",
                                          counted(files->skipped(), "path")));
  }
  return answer;
}

std::string unused_json(const graph::UnusedSymbol& each) {
  return json_object("symbol", each.symbol.qualified_name(), "kind", each.symbol.kind, "file",
                     json_object("path", each.path), "line", each.symbol.start.line, "lines",
                     each.lines, "certainty", graph::unused_certainty_name(each.certainty), "why",
                     some(each.why), "account",
                     each.account ? std::optional(account_json(*each.account)) : std::nullopt,
                     "usedOnlyBy", some(each.users), "mayBeReached", some(each.reasons));
}

std::optional<UnusedCertainty> parse_certainty(std::string_view name) {
  for (const UnusedCertainty each :
       {UnusedCertainty::kPossible, UnusedCertainty::kLikely, UnusedCertainty::kCertain}) {
    if (name == graph::unused_certainty_name(each)) return each;
  }
  return std::nullopt;
}

constexpr Param kUnusedCodeParams[] = {
    {.name = "paths",
     .type = ParamType::kTexts,
     .option = "PATH",
     .help = "Only what is defined in these files and folders",
     .takes = Takes::kHere,
     .into = into<&UnusedCodeParams::paths>},
    {.name = "certainty",
     .choices = "certain,likely,possible",
     .default_json = "\"possible\"",
     .option = "--certainty",
     .help = "Minimum certainty: certain, likely or possible (default)",
     .into = into_named<parse_certainty, &UnusedCodeParams::least>},
    {.name = "limit",
     .type = ParamType::kWhole,
     .least = 0,
     .default_json = "50",
     .option = "-l,--limit",
     .help = "Maximum definitions, 0: all (default 50)",
     .into = into<&UnusedCodeParams::limit>},
    offset_param(into<&UnusedCodeParams::offset>, "Definitions to skip"),
    repository_param(),
};

}  // namespace

Result<UnusedCodeAnswer> run(const Context& context, const UnusedCodeParams& params) {
  CODEXMEM_ASSIGN(const auto paths, wanted_paths(context, params));
  return answer_fresh<UnusedCodeAnswer>(
      context, {},
      [&](store::CodeReader& reader) { return find_unused(context, reader, paths, params); },
      [](const UnusedCodeAnswer& made, std::set<std::string>& mentioned) {
        for (const graph::UnusedSymbol& each : made.symbols) mentioned.insert(each.path);
      });
}

Written UnusedCodeAnswer::to_json() const {
  return object_json(json_object("unused", json_list(symbols, unused_json), "total", total,
                                 "certain", certain, "likely", likely, "definitions", definitions,
                                 "note", some(note), "omitted", some(rest.omitted), "nextOffset",
                                 rest.next()));
}

constinit const Question kUnusedCode = {
    .name = "unused_code",
    .title = "Unused code",
    .description =
        "Definitions that nothing reaches from entry points, exports and tests, with how sure that "
        "is.",
    .groups = "",
    .is_united = true,
    .params = kUnusedCodeParams,
    .output_schema = R"json({"type":"object","properties":{
"unused":{"type":"array","items":{"type":"object"}},"total":{"type":"integer"},"certain":{"type":"integer"},"likely":{"type":"integer"},
"definitions":{"type":"integer"},"omitted":{"type":"integer"},"nextOffset":{"type":"integer"},"note":{"type":"string"},
"stale":{"type":"object"},"type":{"type":"string"},"message":{"type":"string"}},
"anyOf":[{"required":["unused"]},{"required":["type","message"]}]})json",
    .failure_type = "SearchError",
    .run = run_question<UnusedCodeParams>};

}  // namespace codexmem::ask
