// How a citation finds its code again.
//
// The hash is of the body with the symbol's own name blanked, unindented, and without white space
// at the ends of lines. So the order of questions is: is a symbol of that name there, and the same?
// Does another one of its file have that body (renamed)? Does one of its name elsewhere (moved), or
// one in a file of the same name (the file moved, too)? Is there but one of its name (moved, and
// changed since)? Else it is gone: also what was renamed and changed at once, or renamed and moved
// to a file of another name, between two index runs. follow_moves() keeps such steps apart.
//
// Tested by memory/citations_test.cpp.
#include "memory/entries/citations.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "memory/entries/code_mentions.h"
#include "store/code/vector_cache.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxCitations = 32;
constexpr std::size_t kMaxMentions = 128;  // of a text that are looked for
constexpr std::size_t kMaxSamePaths = 1;   // files that a path may mean
constexpr std::size_t kMaxSameNames = 8;   // files of a moved file's name that are looked at
constexpr std::size_t kMaxNotes = 500;     // rows that are looked at for one question

std::string_view last_name(std::string_view qualified) {
  const std::size_t dot = qualified.rfind('.');
  return dot == std::string_view::npos ? qualified : qualified.substr(dot + 1);
}

// `body` with each whole word `name` replaced by one byte that no source holds.
std::string blank_name(std::string_view body, std::string_view name) {
  std::string blanked;
  blanked.reserve(body.size());
  for (std::size_t i = 0; i < body.size();) {
    const bool is_it =
        !name.empty() && body.substr(i).starts_with(name) &&
        (i == 0 || !is_identifier_char(body[i - 1])) &&
        (i + name.size() == body.size() || !is_identifier_char(body[i + name.size()]));
    blanked += is_it ? '\1' : body[i];
    i += is_it ? name.size() : 1;
  }
  return blanked;
}

// Without what indents all lines but the first, and without white space at the ends of lines.
std::string unindent(std::string_view body) {
  constexpr std::string_view kBlank = " \t\r";
  std::vector<std::string_view> lines = split(body, '\n');
  std::size_t indent = std::string_view::npos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t last = lines[i].find_last_not_of(kBlank);
    lines[i] = last == std::string_view::npos ? std::string_view() : lines[i].substr(0, last + 1);
    if (i > 0 && !lines[i].empty()) indent = std::min(indent, lines[i].find_first_not_of(" \t"));
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += i == 0 || lines[i].empty() ? lines[i] : lines[i].substr(indent);
    text += '\n';
  }
  return text;
}

std::string body_hash(const CodeSymbol& symbol) {
  return store::text_key(unindent(blank_name(symbol.body, last_name(symbol.name))));
}

Citation cite(const CodeView& view, const CodeSymbol& symbol, bool is_explicit) {
  Citation citation;
  citation.workspace = view.workspace();
  citation.path = symbol.path;
  citation.symbol = symbol.name;
  citation.kind = symbol.kind;
  citation.body_hash = body_hash(symbol);
  citation.is_explicit = is_explicit;
  return citation;
}

class CitationFinder {
 public:
  explicit CitationFinder(CodeView& view) : view_(view) {}

  Result<std::vector<Citation>> find(const Mentions& mentions) {
    for (const std::string& file : mentions.files) CODEXMEM_TRY(add_given_file(file));
    for (const std::string& symbol : mentions.symbols) CODEXMEM_TRY(add_given_symbol(symbol));
    const std::vector<CodeMention> found = find_mentions(mentions.text, kMaxMentions);
    // Files first: a name that several definitions have means the one in a file that is cited.
    for (const CodeMention& mention : found) {
      if (!mention.path.empty()) CODEXMEM_TRY(add_path(mention));
    }
    for (const CodeMention& mention : found) {
      if (mention.path.empty()) CODEXMEM_TRY(add_name(mention.symbol));
    }
    return std::move(citations_);
  }

 private:
  Result<void> add_given_file(const std::string& file) {
    CODEXMEM_ASSIGN(const auto paths, view_.find_paths(file));
    if (!paths.empty()) return add_file(paths.front(), true);
    Citation citation;
    citation.workspace = view_.workspace();
    citation.path = file;
    citation.is_explicit = true;
    put(std::move(citation));
    return {};
  }

  Result<void> add_given_symbol(const std::string& symbol) {
    CODEXMEM_ASSIGN(const auto all, view_.find_symbols(symbol));
    const std::vector<CodeSymbol> meant = choose(all, true);
    for (const CodeSymbol& each : meant) put(cite(view_, each, true));
    if (!meant.empty()) return {};
    Citation citation;
    citation.workspace = view_.workspace();
    citation.symbol = symbol;
    citation.is_explicit = true;
    put(std::move(citation));
    return {};
  }

  Result<void> add_path(const CodeMention& mention) {
    CODEXMEM_ASSIGN(const auto paths, view_.find_paths(mention.path));
    if (paths.empty() || paths.size() > kMaxSamePaths) return {};
    const std::string& path = paths.front();
    files_.insert(path);
    if (mention.symbol.empty() && mention.line == 0) return add_file(path, false);
    CODEXMEM_ASSIGN(const auto symbols, view_.list_symbols(path));
    const CodeSymbol* innermost = nullptr;
    bool named = false;
    for (const CodeSymbol& symbol : symbols) {
      if (!mention.symbol.empty()) {
        if (symbol.name == mention.symbol || last_name(symbol.name) == mention.symbol) {
          put(cite(view_, symbol, false));
          named = true;
        }
      } else if (symbol.start_line <= mention.line && mention.line <= symbol.end_line) {
        innermost = &symbol;  // source order: the last one that holds the line
      }
    }
    if (innermost != nullptr) put(cite(view_, *innermost, false));
    return innermost != nullptr || named ? Result<void>() : add_file(path, false);
  }

  Result<void> add_name(const std::string& name) {
    CODEXMEM_ASSIGN(const auto all, view_.find_symbols(name));
    for (const CodeSymbol& symbol : choose(all, false)) put(cite(view_, symbol, false));
    return {};
  }

  // What a name means: what a cited file defines; else the only definition, tests not counted when
  // there is another; given by somebody, a few may be meant.
  std::vector<CodeSymbol> choose(const std::vector<CodeSymbol>& all, bool is_explicit) const {
    std::vector<CodeSymbol> in_files, source;
    for (const CodeSymbol& symbol : all) {
      if (files_.count(symbol.path) != 0) in_files.push_back(symbol);
      if (!symbol.is_test) source.push_back(symbol);
    }
    if (!in_files.empty()) return in_files;
    const std::vector<CodeSymbol>& rest = source.empty() ? all : source;
    constexpr std::size_t kMaxGiven = 8;
    return rest.size() == 1 || (is_explicit && rest.size() <= kMaxGiven)
               ? rest
               : std::vector<CodeSymbol>();
  }

  Result<void> add_file(const std::string& path, bool is_explicit) {
    files_.insert(path);
    CODEXMEM_ASSIGN(const std::string hash, view_.find_file_hash(path));
    Citation citation;
    citation.workspace = view_.workspace();
    citation.path = path;
    citation.body_hash = hash;
    citation.is_explicit = is_explicit;
    put(std::move(citation));
    return {};
  }

  void put(Citation citation) {
    if (citations_.size() == kMaxCitations) return;
    if (seen_.emplace(citation.path, citation.symbol).second) {
      citations_.push_back(std::move(citation));
    }
  }

  CodeView& view_;
  std::set<std::string> files_;  // that are cited
  std::set<std::pair<std::string, std::string>> seen_;
  std::vector<Citation> citations_;
};

}  // namespace

std::string_view code_state_name(CodeState state) {
  switch (state) {
    case CodeState::kUnchanged:
      return "unchanged";
    case CodeState::kChanged:
      return "changed";
    case CodeState::kGone:
      return "gone";
    case CodeState::kUnknown:
      break;
  }
  return "unknown";
}

std::optional<CodeState> code_state_of(std::span<const CitationState> states) {
  if (states.empty()) return std::nullopt;
  const auto is_told_by_symbols = [&](const CitationState& file) {
    return file.citation.symbol.empty() && file.state == CodeState::kChanged &&
           std::any_of(states.begin(), states.end(), [&](const CitationState& other) {
             return !other.citation.symbol.empty() && other.citation.path == file.citation.path;
           });
  };
  for (const CodeState worst : {CodeState::kGone, CodeState::kChanged, CodeState::kUnknown}) {
    for (const CitationState& each : states) {
      if (each.state == worst && !is_told_by_symbols(each)) return worst;
    }
  }
  return CodeState::kUnchanged;
}

Result<std::vector<Citation>> find_citations(CodeView& view, const Mentions& mentions) {
  return CitationFinder(view).find(mentions);
}

std::vector<Citation> cite_by_name(const std::filesystem::path& workspace,
                                   const Mentions& mentions) {
  std::vector<Citation> citations;
  const auto add = [&](std::string path, std::string symbol) {
    if (citations.size() == kMaxCitations) return;
    Citation& citation = citations.emplace_back();
    citation.workspace = workspace.string();
    citation.path = std::move(path);
    citation.symbol = std::move(symbol);
    citation.is_explicit = true;
  };
  for (const std::string& file : mentions.files) {
    add(path_below(workspace, file).value_or(file), "");
  }
  for (const std::string& symbol : mentions.symbols) add("", symbol);
  return citations;
}

Result<const std::vector<CodeLookup::Known>*> CodeLookup::list_symbols(const std::string& path) {
  const auto known = files_.find(path);
  if (known != files_.end()) return &known->second;
  CODEXMEM_ASSIGN(const auto symbols, view_->list_symbols(path));
  std::vector<Known>& all = files_[path];
  for (const CodeSymbol& symbol : symbols) {
    all.push_back({symbol.path, symbol.name, symbol.kind, body_hash(symbol)});
  }
  return &all;
}

Result<CitationState> CodeLookup::look_up(const Citation& citation) {
  if (view_ == nullptr || view_->workspace() != citation.workspace || citation.body_hash.empty()) {
    return CitationState{.citation = citation};
  }
  return citation.symbol.empty() ? look_up_file(citation) : look_up_symbol(citation);
}

Result<CitationState> CodeLookup::look_up_file(const Citation& citation) {
  CitationState state{.citation = citation};
  CODEXMEM_ASSIGN(const std::string hash, view_->find_file_hash(citation.path));
  if (!hash.empty()) {
    state.state = hash == citation.body_hash ? CodeState::kUnchanged : CodeState::kChanged;
    return state;
  }
  CODEXMEM_ASSIGN(const auto moved, view_->find_files_with_hash(citation.body_hash));
  state.state = moved.empty() ? CodeState::kGone : CodeState::kUnchanged;
  if (!moved.empty()) state.path = moved.front();
  return state;
}

Result<CitationState> CodeLookup::look_up_symbol(const Citation& citation) {
  CitationState state{.citation = citation};
  const auto found_at = [&](std::string_view path, std::string_view name, CodeState what) {
    state.state = what;
    state.path = path == citation.path ? "" : path;
    state.symbol = name == citation.symbol ? "" : name;
    return state;
  };
  CODEXMEM_ASSIGN(const auto* in_file, list_symbols(citation.path));
  bool is_found = false;
  const Known* renamed = nullptr;
  for (const Known& symbol : *in_file) {
    const bool is_it = symbol.name == citation.symbol;
    const bool is_same = symbol.body_hash == citation.body_hash;
    if (is_it && is_same) return found_at(symbol.path, symbol.name, CodeState::kUnchanged);
    is_found = is_found || is_it;
    if (is_same && symbol.kind == citation.kind && renamed == nullptr) renamed = &symbol;
  }
  if (is_found) return found_at(citation.path, citation.symbol, CodeState::kChanged);
  if (renamed != nullptr) return found_at(renamed->path, renamed->name, CodeState::kUnchanged);

  CODEXMEM_ASSIGN(const auto named, view_->find_symbols(last_name(citation.symbol)));
  const CodeSymbol* only = nullptr;
  std::size_t same_name = 0;
  for (const CodeSymbol& symbol : named) {
    if (body_hash(symbol) == citation.body_hash) {
      return found_at(symbol.path, symbol.name, CodeState::kUnchanged);
    }
    if (symbol.name == citation.symbol && symbol.kind == citation.kind) {
      only = &symbol;
      ++same_name;
    }
  }
  // Renamed in a file that has moved: looked for in the files of its name.
  const std::string base = citation.path.substr(citation.path.rfind('/') + 1);
  CODEXMEM_ASSIGN(auto paths, view_->find_paths(base));
  if (paths.size() > kMaxSameNames) paths.resize(kMaxSameNames);
  for (const std::string& path : paths) {
    CODEXMEM_ASSIGN(const auto* symbols, list_symbols(path));
    for (const Known& symbol : *symbols) {
      if (symbol.body_hash == citation.body_hash && symbol.kind == citation.kind) {
        return found_at(symbol.path, symbol.name, CodeState::kUnchanged);
      }
    }
  }
  if (same_name == 1) return found_at(only->path, only->name, CodeState::kChanged);
  state.state = CodeState::kGone;
  return state;
}

Result<bool> is_cited(const std::filesystem::path& directory, std::string_view workspace) {
  CODEXMEM_ASSIGN(const auto database, store::UserStore::open_to_look(directory));
  if (database == nullptr) return false;
  return store::has_citations(*database, workspace);
}

Result<std::size_t> follow_moves(store::UserStore& store, CodeView& view) {
  std::vector<CitationState> moved;
  {
    CODEXMEM_ASSIGN(store::UserReader reader, store.reader());
    CODEXMEM_ASSIGN(const auto citations,
                    store::list_workspace_citations(*reader, view.workspace()));
    CodeLookup lookup(&view);
    for (const Citation& citation : citations) {
      CODEXMEM_ASSIGN(const bool stays, view.has(citation.path, citation.symbol));
      if (stays) continue;
      CODEXMEM_ASSIGN(CitationState now, lookup.look_up(citation));
      if (!now.path.empty() || !now.symbol.empty()) moved.push_back(std::move(now));
    }
  }
  if (moved.empty()) return std::size_t{0};
  CODEXMEM_ASSIGN(store::UserTransaction writer, store.begin());
  for (const CitationState& now : moved) {
    CODEXMEM_TRY(store::move_citation(*writer, now.citation.id,
                                      now.path.empty() ? now.citation.path : now.path,
                                      now.symbol.empty() ? now.citation.symbol : now.symbol));
  }
  CODEXMEM_TRY(writer.commit());
  return moved.size();
}

namespace {

struct FoundNote {
  CodeNote note;
  bool is_of_symbol = false;
};

// Collects the documents that cite one place, each once, by its nearest citation.
class NoteFinder {
 public:
  NoteFinder(store::Database& database, CodeView& view, const NoteQuestion& question)
      : database_(database),
        view_(view),
        lookup_(&view),
        path_(question.path),
        symbol_(question.symbol),
        project_(question.project),
        scope_(question.scope) {}

  Result<std::vector<FoundNote>> find() {
    CODEXMEM_ASSIGN(const auto at_path,
                    store::list_citations_of_path(database_, view_.workspace(), path_, kMaxNotes));
    for (const auto& [citation, document] : at_path) {
      if (concerns(citation.symbol)) CODEXMEM_TRY(add(document, citation));
    }
    CODEXMEM_ASSIGN(const std::string file_hash, view_.find_file_hash(path_));
    if (!file_hash.empty()) CODEXMEM_TRY(add_with_hash(file_hash));
    CODEXMEM_ASSIGN(const auto* symbols, lookup_.list_symbols(path_));
    for (const CodeLookup::Known& symbol : *symbols) {
      if (concerns(symbol.name)) CODEXMEM_TRY(add_with_hash(symbol.body_hash));
    }
    return std::move(found_);
  }

 private:
  // True of a citation of the file, of the requested symbol, and of the symbols inside it.
  bool concerns(std::string_view cited) const {
    return symbol_.empty() || cited.empty() || cited == symbol_ ||
           (cited.starts_with(symbol_) && cited.substr(symbol_.size()).starts_with('.'));
  }

  Result<void> add_with_hash(std::string_view hash) {
    CODEXMEM_ASSIGN(const auto all,
                    store::list_citations_of_hash(database_, view_.workspace(), hash, kMaxNotes));
    for (const auto& [citation, document] : all) CODEXMEM_TRY(add(document, citation));
    return {};
  }

  Result<void> add(DocumentKey document, const Citation& citation) {
    CODEXMEM_ASSIGN(CitationState cited, lookup_.look_up(citation));
    // The same text elsewhere is not this place, unless what was cited is here now.
    const std::string& path = cited.path.empty() ? citation.path : cited.path;
    const std::string& symbol = cited.symbol.empty() ? citation.symbol : cited.symbol;
    if (path != path_ || !concerns(symbol)) return {};
    const bool is_of_symbol = !symbol.empty() && (symbol_.empty() || symbol == symbol_);
    for (FoundNote& known : found_) {
      if (known.note.document != document) continue;
      if (is_of_symbol && !known.is_of_symbol) {
        known.note.cited = std::move(cited);
        known.is_of_symbol = true;
      }
      return {};
    }
    if (scope_ != nullptr && scope_->is_hidden(document)) return {};
    // Another decision is in its place here.
    const bool is_decision = kind_of(document) == DocumentKind::kDecision;
    if (scope_ != nullptr && is_decision &&
        scope_->successor_of(static_cast<DecisionKey>(id_of(document)))) {
      return {};
    }
    CODEXMEM_ASSIGN(auto note, store::find_citing_document(database_, document));
    if (!note || (!project_.empty() && note->project != project_)) return {};
    const std::string branch = scope_ == nullptr ? "" : scope_->branch_of(document);
    found_.push_back({{*std::move(note), std::move(cited), branch}, is_of_symbol});
    return {};
  }

  store::Database& database_;
  CodeView& view_;
  CodeLookup lookup_;
  std::string path_, symbol_, project_;
  std::shared_ptr<const BranchScope> scope_;
  std::vector<FoundNote> found_;
};

}  // namespace

Result<CodeNotes> find_notes(store::Database& database, CodeView& view,
                             const NoteQuestion& question) {
  CODEXMEM_ASSIGN(auto found, NoteFinder(database, view, question).find());
  const auto rank = [](const FoundNote& each) {
    return std::tuple(each.note.status != "active", !each.is_of_symbol, -each.note.created_at_ms,
                      each.note.document);
  };
  std::sort(found.begin(), found.end(),
            [&](const FoundNote& a, const FoundNote& b) { return rank(a) < rank(b); });
  CodeNotes notes;
  notes.omitted = found.size() > question.limit ? found.size() - question.limit : 0;
  found.resize(found.size() - notes.omitted);
  for (FoundNote& each : found) notes.notes.push_back(std::move(each.note));
  return notes;
}

}  // namespace codexmem::memory
