#include "ask/cited_code.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/path_kind.h"
#include "base/log.h"
#include "base/path.h"
#include "graph/uses/symbol_search.h"
#include "ask/fresh.h"

namespace codexmem::ask {
namespace {

constexpr std::size_t kMaxSymbols = 50;

bool has_gone(const CitedStates& cited) {
  return std::any_of(cited.begin(), cited.end(), [](const auto& each) {
    return memory::code_state_of(each.second) == memory::CodeState::kGone;
  });
}

}  // namespace

Result<std::vector<std::string>> IndexedCode::find_paths(std::string_view path) {
  if (const auto below = path_below(root_, std::filesystem::path(path)); below && !below->empty()) {
    CODEXMEM_ASSIGN(const auto file, reader_.find_file(*below));
    if (file) return std::vector<std::string>{file->path};
  }
  if (path.starts_with('/')) return std::vector<std::string>();
  if (paths_by_name_.empty()) {
    CODEXMEM_ASSIGN(const auto files, reader_.list_files());
    for (const store::FileRow& file : files) {
      paths_by_name_[std::string(file_name(file.path))].push_back(file.path);
    }
  }
  std::vector<std::string> ending;
  const std::string end = "/" + std::string(path);
  for (const std::string& candidate : paths_by_name_[std::string(file_name(path))]) {
    if (candidate.ends_with(end)) ending.push_back(candidate);
  }
  return ending;
}

Result<std::string> IndexedCode::find_file_hash(std::string_view path) {
  CODEXMEM_ASSIGN(const auto file, reader_.find_file(path));
  return file ? file->hash : std::string();
}

Result<std::vector<std::string>> IndexedCode::find_files_with_hash(std::string_view hash) {
  CODEXMEM_ASSIGN(const auto ids, reader_.list_files_with_hash(hash));
  std::vector<std::string> paths;
  for (const store::FileId id : ids) {
    CODEXMEM_ASSIGN(const auto file, reader_.find_file(id));
    if (file) paths.push_back(file->path);
  }
  return paths;
}

Result<std::vector<memory::CodeSymbol>> IndexedCode::list_symbols(std::string_view path) {
  std::vector<memory::CodeSymbol> symbols;
  CODEXMEM_ASSIGN(const auto file, reader_.find_file(path));
  if (!file) return symbols;
  CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols(file->id));
  for (const store::SymbolRow& row : rows) {
    CODEXMEM_ASSIGN(auto symbol, make_symbol(row, file->path));
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

Result<bool> IndexedCode::has(std::string_view path, std::string_view symbol) {
  const auto [place, is_new] = names_.try_emplace(std::string(path));
  if (is_new) {
    CODEXMEM_ASSIGN(const auto file, reader_.find_file(path));
    if (file) {
      place->second.insert("");
      CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols(file->id));
      for (const store::SymbolRow& row : rows) place->second.insert(row.qualified_name());
    }
  }
  return place->second.count(symbol) != 0;
}

Result<std::vector<memory::CodeSymbol>> IndexedCode::find_symbols(std::string_view symbol) {
  std::vector<memory::CodeSymbol> symbols;
  graph::SymbolQuery query;
  query.symbol = symbol;
  query.limit = kMaxSymbols;
  const auto found = graph::find_symbols(reader_, query);
  // A text may also hold words that are not names.
  if (!found.ok() && found.error().code() == ErrorCode::kInvalidArgument) return symbols;
  if (!found.ok()) return found.error();
  for (const graph::SymbolMatch& match : found->results) {
    if (match.match != graph::NameMatch::kExact) continue;
    CODEXMEM_ASSIGN(auto made, make_symbol(match.symbol, match.path));
    symbols.push_back(std::move(made));
  }
  return symbols;
}

Result<memory::CodeSymbol> IndexedCode::make_symbol(const store::SymbolRow& row,
                                                    const std::string& path) {
  CODEXMEM_ASSIGN(const std::string* content, content_of(store::file_of(row.id)));
  memory::CodeSymbol symbol;
  symbol.path = path;
  symbol.name = row.qualified_name();
  symbol.kind = row.kind;
  if (row.range.end <= content->size() && row.range.begin <= row.range.end) {
    symbol.body = content->substr(row.range.begin, row.range.size());
  }
  symbol.start_line = row.start.line;
  symbol.end_line = row.end.line;
  symbol.is_test = is_secondary_path(path);
  return symbol;
}

Result<const std::string*> IndexedCode::content_of(store::FileId file) {
  const auto key = static_cast<std::int64_t>(file);
  auto known = contents_.find(key);
  if (known == contents_.end()) {
    CODEXMEM_ASSIGN(auto content, reader_.find_content(file));
    known = contents_.emplace(key, std::move(content).value_or("")).first;
  }
  return &known->second;
}

Result<std::vector<memory::Citation>> find_cited_code(const Context& context,
                                                      const memory::Mentions& mentions) {
  using Citations = std::vector<memory::Citation>;
  if (!context.has_code()) return Citations();
  return answer_fresh<Citations>(
      context, {},
      [&](store::CodeReader& reader) {
        IndexedCode code(context.code().workspace, reader);
        return memory::find_citations(code, mentions);
      },
      [](const Citations& citations, std::set<std::string>& paths) {
        for (const memory::Citation& citation : citations) paths.insert(citation.path);
      });
}

Result<CitedStates> look_up_cited_code(const Context& context, store::UserStore& memory,
                                       std::span<const memory::DocumentKey> documents) {
  std::map<memory::DocumentKey, std::vector<memory::Citation>> citations;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, memory.reader());
    CODEXMEM_ASSIGN(citations, memory::list_citations(*reader, documents));
  }
  const auto look_up = [&](memory::CodeView* view) -> Result<CitedStates> {
    CitedStates cited;
    memory::CodeLookup lookup(view);
    for (const auto& [document, all] : citations) {
      for (const memory::Citation& citation : all) {
        CODEXMEM_ASSIGN(auto state, lookup.look_up(citation));
        cited[document].push_back(std::move(state));
      }
    }
    return cited;
  };
  if (citations.empty() || !context.has_code()) return look_up(nullptr);
  store::Workspace& workspace = context.code().workspace;
  const auto generation = [&workspace]() -> std::int64_t {
    auto reader = workspace.reader();
    const auto number = reader.ok() ? (*reader)->generation() : Result<std::int64_t>(0);
    return number.ok() ? *number : 0;
  };
  const auto ask = [&] {
    return answer_fresh<CitedStates>(
        context, {},
        [&](store::CodeReader& reader) {
          IndexedCode code(workspace, reader);
          return look_up(&code);
        },
        [&](const CitedStates& all, std::set<std::string>& paths) {
          for (const auto& [document, states] : all) {
            for (const memory::CitationState& state : states) {
              if (state.citation.workspace != workspace.root()) continue;
              paths.insert(state.citation.path);
              paths.insert(state.path);
            }
          }
        });
  };
  const std::int64_t before = generation();
  auto cited = ask();
  // A file that has gone just now may have moved: only a run over everything learns where to.
  if (cited.ok() && has_gone(*cited) && generation() != before) {
    index::IndexOptions everything;
    everything.wait = false;
    const auto run = context.code().index(everything, {}, context.stop);
    if (run.ok()) cited = ask();
  }
  if (cited.ok() || cited.error().code() == ErrorCode::kCancelled) return cited;
  log_warn("the state of cited code is unknown: {}", cited.error().message());
  return look_up(nullptr);
}

Result<void> follow_cited_code(store::Workspace& workspace,
                               const std::filesystem::path& directory) {
  CODEXMEM_ASSIGN(const bool is_cited, memory::is_cited(directory, workspace.root().string()));
  if (!is_cited) return {};
  CODEXMEM_ASSIGN(const auto memory, store::UserStore::open(directory));
  CODEXMEM_ASSIGN(store::ReaderLease reader, workspace.reader());
  CODEXMEM_ASSIGN(const auto moment, store::Transaction::begin_read(reader->database()));
  IndexedCode code(workspace, *reader);
  CODEXMEM_ASSIGN(const std::size_t moved, memory::follow_moves(*memory, code));
  if (moved > 0) log_info("{} citations have followed their code", moved);
  return {};
}

}  // namespace codexmem::ask
