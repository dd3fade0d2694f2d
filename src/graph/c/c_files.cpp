// Tested by graph/c_test.cpp.
#include "graph/c/c_files.h"

#include <algorithm>
#include <unordered_map>

#include "base/ascii.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/c/c_macros.h"
#include "graph/c/c_pastes.h"

namespace codexmem::graph {
namespace {

constexpr std::size_t kMaxKeptSetBytes = std::size_t{64}
                                         << 20U;  // of sets, while a question is asked

// Cached while one question is answered.
struct IncludeMemory : Resolver::Memory {
  using Sets = std::unordered_map<store::FileId, std::shared_ptr<const FileSet>>;
  Sets seen;    // by the file that sees them, itself too
  Sets around;  // by the file that they see
  std::size_t bytes = 0;
};

// The file, and all files reached from it by `step`, which calls its argument with the next files.
template <typename Step>
std::shared_ptr<const FileSet> reached(Resolver& resolver,
                                       IncludeMemory::Sets IncludeMemory::*table, store::FileId id,
                                       Step step) {
  auto& memory = resolver.memory<IncludeMemory>();
  if (const auto known = (memory.*table).find(id); known != (memory.*table).end()) {
    return known->second;
  }
  auto files = std::make_shared<FileSet>();
  files->insert(id);
  std::vector<store::FileId> open = {id};
  while (!open.empty()) {
    const store::FileId file = open.back();
    open.pop_back();
    step(file, [&](store::FileId next) {
      if (files->insert(next)) open.push_back(next);
    });
  }
  memory.bytes += files->bytes();
  if (memory.bytes > kMaxKeptSetBytes) {
    memory.seen.clear();
    memory.around.clear();
    memory.bytes = files->bytes();
  }
  (memory.*table).emplace(id, files);
  return files;
}

}  // namespace

bool FileSet::contains(store::FileId id) const {
  const auto bit = static_cast<std::uint64_t>(id);
  return bit / 64 < words_.size() && (words_[bit / 64] >> (bit % 64) & 1) != 0;
}

bool FileSet::insert(store::FileId id) {
  const auto bit = static_cast<std::uint64_t>(id);
  if (bit / 64 >= words_.size()) words_.resize(bit / 64 + 1);
  const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
  if ((words_[bit / 64] & mask) != 0) return false;
  words_[bit / 64] |= mask;
  return true;
}

std::shared_ptr<const FileSet> files_seen(Resolver& resolver, store::FileId id) {
  return reached(resolver, &IncludeMemory::seen, id, [&](store::FileId file, const auto& add) {
    for (const store::DependencyRow& row : resolver.dependencies(file)) {
      if (row.target) add(*row.target);
    }
  });
}

std::shared_ptr<const FileSet> files_around(Resolver& resolver, store::FileId id) {
  return reached(resolver, &IncludeMemory::around, id, [&](store::FileId file, const auto& add) {
    for (const store::DependencyRow& row : resolver.dependents(file)) add(row.source);
  });
}

std::vector<const store::SymbolRow*> declarations_of_one(
    Resolver& resolver, const store::SymbolRow& own,
    const std::vector<const store::SymbolRow*>& rows) {
  const auto definitions =
      std::ranges::count_if(rows, [](const auto* row) { return !is_prototype(*row); });
  const store::FileId own_file = store::file_of(own.id);
  const auto seen = files_seen(resolver, own_file);
  std::vector<store::FileId> prototypes;  // files with one that `own` sees
  for (const store::SymbolRow* row : rows) {
    const store::FileId file = store::file_of(row->id);
    if (is_prototype(*row) && seen->contains(file)) prototypes.push_back(file);
  }
  std::vector<const store::SymbolRow*> found;
  for (const store::SymbolRow* row : rows) {
    if (row->id == own.id) continue;
    const store::FileId file = store::file_of(row->id);
    const auto is_one = [&] {
      if (definitions <= 1 || seen->contains(file)) return true;
      const auto theirs = files_seen(resolver, file);
      return theirs->contains(own_file) || std::ranges::any_of(prototypes, [&](store::FileId id) {
               return theirs->contains(id);
             });
    };
    if (is_one()) found.push_back(row);
  }
  return found;
}

bool IncludingSemantics::names_a_file(std::string_view import_path) const {
  return !import_path.starts_with('<');
}

std::vector<UnwrittenUse> IncludingSemantics::unwritten_uses(Resolver& resolver,
                                                             const FileModel& file,
                                                             std::uint32_t symbol) const {
  return uses_by_paste(resolver, file.facts.symbols[symbol].name);
}

namespace {

// "ifdef X" of "  #  ifdef X"; empty for any other line.
std::string_view directive_of(std::string_view line) {
  line = trim(line);
  return line.starts_with('#') ? trim(line.substr(1)) : std::string_view();
}

// The conditions, "ifdef X", around the end of `text`, without the header's `guard`; the text of
// each begins at its directive.
std::vector<std::string_view> conditions_at_end(std::string_view text, std::string_view guard) {
  std::vector<std::string_view> open;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view directive = directive_of(line);
    if (directive.starts_with("if")) {
      open.push_back(directive);
    } else if (directive.starts_with("el") && !open.empty()) {
      open.back() = directive;
    } else if (directive.starts_with("endif") && !open.empty()) {
      open.pop_back();
    }
  }
  if (!open.empty() && !guard.empty() && has_word(open.front(), guard)) open.erase(open.begin());
  return open;
}

// The end of the branch in whose lines `begin` is: its #else or #endif.
std::size_t branch_end(std::string_view text, std::size_t begin) {
  int depth = 1;
  for (const std::string_view line : split(text.substr(begin), '\n')) {
    const std::string_view directive = directive_of(line);
    if (directive.starts_with("if")) ++depth;
    if (directive.starts_with("el") && depth == 1) --depth;
    if (directive.starts_with("endif")) --depth;
    if (depth == 0) return static_cast<std::size_t>(line.data() - text.data());
  }
  return text.size();
}

std::string_view guard_of(Resolver& resolver, const FileModel& file) {
  for (std::uint32_t i = 0; i < file.facts.symbols.size(); ++i) {
    const store::SymbolRow* row = resolver.row_of(file, i);
    if (row != nullptr && row->kind == "include_guard") return file.facts.symbols[i].name;
  }
  return {};
}

}  // namespace

// Where the condition does not hold, the name of the macro is somebody else's: the library's, or
// that of who defined it before.
std::string IncludingSemantics::tied_outside(Resolver& resolver, const FileModel& file,
                                             std::uint32_t symbol) const {
  const store::SymbolRow* row = resolver.row_of(file, symbol);
  if (row == nullptr) return {};
  if (row->type == SymbolType::kFunction && row->exported && !is_macro(*row) &&
      library().has("linked", row->name)) {
    return "the C library has a function " + row->name + " too";
  }
  if (row->kind != "macro") return {};
  const std::string text = resolver.text_of(file.id).value_or("");
  const parse::Symbol& own = file.facts.symbols[symbol];
  // (Up to the definition, whose own line is left out.)
  const auto conditions = conditions_at_end(std::string_view(text).substr(0, own.range.begin),
                                            guard_of(resolver, file));
  if (conditions.empty()) return {};
  const bool asks = std::ranges::any_of(conditions, [&](std::string_view condition) {
    return condition.starts_with("ifndef") && trim(condition.substr(6)) == own.name;
  });
  if (asks) return "it is only defined if others have not defined it";
  // Another branch declares it too, or nothing outside of this one uses it.
  for (const store::SymbolRow& other : resolver.symbol_rows(file.family, own.name)) {
    if (other.id != row->id && store::file_of(other.id) == file.id) return {};
  }
  const auto begin = static_cast<std::size_t>(conditions.back().data() - text.data());
  const std::size_t end = branch_end(text, own.range.begin);
  const auto is_inside = [&](std::uint32_t index) {
    const std::uint32_t offset = file.facts.occurrences[index].offset;
    return offset >= begin && offset < end;
  };
  const auto name = file.find_name(own.name);
  const bool is_here_alone = resolver.files_naming(file.family, own.name).size() <= 1 && name &&
                             std::ranges::all_of(file.occurrences_of(*name), is_inside);
  return is_here_alone ? "" : "it is only defined under a condition";
}

std::optional<Entities> IncludingSemantics::called(Resolver& resolver, const FileModel& file,
                                                   const Entity& callee,
                                                   std::span<const parse::TermId> arguments) const {
  return cast_by(resolver, file, callee, arguments);
}

}  // namespace codexmem::graph
