// A macro's body is text: the type that it casts to is read from the body, once per question.
//
// Tested by graph/c_macros_test.cpp.
#include "graph/c/c_macros.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "graph/c/c_files.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using store::SymbolRow;

constexpr std::string_view kBlanks = " \t\r\n\\";
constexpr int kMaxMacros = 4;  // that call each other

// The type that a macro casts to: the type at occurrence `type` of `file`, or the argument for
// parameter `parameter`.
struct Cast {
  const FileModel* file = nullptr;
  std::uint32_t type = kNoIndex;
  std::uint32_t parameter = kNoIndex;

  bool is_identified() const { return type != kNoIndex || parameter != kNoIndex; }
};

struct CastMemory : Resolver::Memory {
  std::map<std::pair<const FileModel*, std::uint32_t>, Cast> casts;  // by macro
  std::map<std::pair<const FileModel*, parse::NameId>, bool> asked_for;
};

// A part of a file's text, read from its begin on.
class Reader {
 public:
  Reader(std::string_view text, std::size_t begin, std::size_t end)
      : text_(text.substr(0, end)), at_(begin) {}

  std::size_t at() const { return at_; }

  /// Skips blanks and `sign`; true if the sign was found.
  bool take(char sign) {
    at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  /// Takes the words that come next and returns the last one: a of `const struct a`. Empty if there
  /// are no words.
  std::string_view take_name() {
    std::string_view name;
    while (true) {
      const std::size_t begin = text_.find_first_not_of(kBlanks, at_);
      std::size_t end = std::min(begin, text_.size());
      while (end < text_.size() &&
             (is_identifier_char(text_[end]) || text_.substr(end, 2) == "::")) {
        end += text_[end] == ':' ? 2 : 1;
      }
      if (begin == std::string_view::npos || end == begin) return name;
      at_ = end;
      name = text_.substr(begin, end - begin);
      name.remove_prefix(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
    }
  }

  /// Skips past the end of `open` open parentheses.
  void close(int open) {
    for (; at_ < text_.size() && open > 0; ++at_) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')') --open;
    }
  }

  /// True if only closing signs follow.
  bool ends() const { return text_.find_first_not_of(" \t\r\n\\);}", at_) == text_.npos; }

  /// Skips `count` arguments; the position is behind their `(`.
  void skip_arguments(std::uint32_t count) {
    for (int depth = 0; at_ < text_.size() && count > 0 && depth >= 0; ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')') --depth;
      if (text_[at_] == ',' && depth == 0) --count;
    }
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

// The begin of the value in ({ a; b; }): of b.
std::size_t value_begin(std::string_view text, std::size_t begin, std::size_t end) {
  Reader reader(text, begin, end);
  if (!reader.take('(') || !reader.take('{')) return begin;
  const std::size_t last = text.substr(0, end).rfind(';');
  const std::size_t before = last == std::string_view::npos ? last : text.rfind(';', last - 1);
  return before == std::string_view::npos || before < reader.at() ? reader.at() : before + 1;
}

class CastReader {
 public:
  explicit CastReader(Resolver& resolver) : resolver_(resolver) {}

  Cast read(const FileModel& file, std::uint32_t symbol, int depth = 0) {
    const auto [at, is_new] = resolver_.memory<CastMemory>().casts.try_emplace({&file, symbol});
    if (!is_new || depth > kMaxMacros) return at->second;
    const ByteRange body = file.facts.symbols[symbol].body;
    const auto text = body.empty() ? std::nullopt : resolver_.text_of(file.id);
    if (!text || body.end > text->size()) return {};
    return at->second = read_body(file, symbol, *text, body, depth);
  }

 private:
  Cast read_body(const FileModel& file, std::uint32_t symbol, std::string_view text, ByteRange body,
                 int depth) {
    Reader reader(text, value_begin(text, body.begin, body.end), body.end);
    int open = 0;
    while (reader.take('(')) ++open;
    const std::string_view name = reader.take_name();
    if (name.empty()) return {};
    const auto begin = static_cast<std::uint32_t>(name.data() - text.data());
    if (name.ends_with("_cast") && reader.take('<')) {
      const std::string_view type = reader.take_name();
      const bool is_pointer = reader.take('*') && reader.take('>') && reader.take('(');
      reader.close(1);
      return is_pointer && reader.ends() ? named(file, symbol, text, type) : Cast{};
    }
    if (open > 0 && reader.take('*')) {
      while (reader.take('*')) continue;
      if (!reader.take(')')) return {};
      reader.close(open - 1);
      return open == 1 || reader.ends() ? named(file, symbol, text, name) : Cast{};
    }
    const std::uint32_t callee = file.occurrence_at(begin);
    if (!reader.take('(') || callee == kNoIndex) return {};
    Reader behind = reader;
    behind.close(1);
    if (!behind.ends()) return {};
    for (const Entity& called : Entities(resolver_.resolve(file, callee))) {
      if (called.kind != EntityKind::kSymbol || called.file->is_library ||
          macro_row(resolver_, *called.file, called.index) == nullptr) {
        continue;
      }
      const Cast inner = read(*called.file, called.index, depth + 1);
      if (inner.parameter == kNoIndex) return inner;
      reader.skip_arguments(inner.parameter);
      return named(file, symbol, text, reader.take_name());
    }
    return {};
  }

  // The type called `name`, a part of `text`, or the macro's parameter of that name.
  static Cast named(const FileModel& file, std::uint32_t symbol, std::string_view text,
                    std::string_view name) {
    if (name.empty()) return {};
    const parse::TermId term = file.facts.symbols[symbol].term;
    if (term != kNoIndex && file.facts.terms[term].kind == parse::TermKind::kFunction) {
      const auto& parameters = file.facts.functions[file.facts.terms[term].at].parameters;
      for (std::uint32_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].name != kNoIndex && file.name(parameters[i].name) == name) {
          return {&file, kNoIndex, i};
        }
      }
    }
    return {&file, file.occurrence_at(static_cast<std::uint32_t>(name.data() - text.data())),
            kNoIndex};
  }

  Resolver& resolver_;
};

}  // namespace

const SymbolRow* macro_row(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  const SymbolRow* row = resolver.row_of(file, symbol);
  return row != nullptr && is_macro(*row) ? row : nullptr;
}

bool is_replaced(const SymbolRow& row, const std::vector<const SymbolRow*>& rows) {
  return is_macro(row) && std::ranges::any_of(rows, [&](const SymbolRow* other) {
           return row.id < other->id && store::file_of(row.id) == store::file_of(other->id) &&
                  is_macro(*other) && other->is(store::Modifier::kRedefines);
         });
}

std::optional<Entities> own_macros(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  if (file.bindings_in(0, at.name).empty()) return std::nullopt;
  std::vector<const SymbolRow*> own;  // in the order of the text
  for (const SymbolRow& row : resolver.symbol_rows(file.family, file.name(at.name))) {
    if (store::file_of(row.id) != file.id) continue;
    if (is_macro(row)) own.push_back(&row);
    if (!is_macro(row) && row.container.empty()) return std::nullopt;
  }
  if (own.empty()) return std::nullopt;
  std::ranges::sort(own, {}, &SymbolRow::id);
  if (own.size() == 1 && own.front()->name_byte < at.offset) return std::nullopt;
  // The body of a macro is read where the macro is used.
  const std::uint32_t around = file.symbol_at(at.offset);
  if (around != kNoIndex && macro_row(resolver, file, around) != nullptr) return std::nullopt;
  std::erase_if(own, [&](const SymbolRow* row) { return row->name_byte > at.offset; });
  Entities found;
  for (const SymbolRow* row : own) {
    if (!is_replaced(*row, own)) {
      found.push_back({EntityKind::kSymbol, &file, store::ordinal_of(row->id)});
    }
  }
  return found;
}

bool is_asked_for(Resolver& resolver, const FileModel& file, parse::NameId name) {
  const auto bindings = file.bindings_in(0, name);
  if (bindings.empty()) return false;
  const parse::Binding& first = file.facts.bindings[bindings.front()];
  const std::uint32_t before = file.facts.occurrences[file.occurrences_of(name).front()].offset;
  if (before >= first.offset || first.kind != parse::BindingKind::kSymbol) return false;
  const auto [known, is_new] =
      resolver.memory<CastMemory>().asked_for.try_emplace({&file, name}, false);
  if (!is_new || macro_row(resolver, file, first.target) == nullptr) return known->second;
  const std::string text = resolver.text_of(file.id).value_or(std::string());
  for (const std::uint32_t index : file.occurrences_of(name)) {
    const std::uint32_t offset = file.facts.occurrences[index].offset;
    if (offset >= first.offset || offset > text.size()) break;
    const std::string_view line = std::string_view(text).substr(0, offset);
    const std::string_view asking = line.substr(0, line.find_last_not_of(" \t(") + 1);
    known->second |= asking.ends_with("ifndef") || asking.ends_with("defined");
  }
  return known->second;
}

std::optional<Entities> cast_by(Resolver& resolver, const FileModel& file, const Entity& macro,
                                std::span<const parse::TermId> arguments) {
  if (macro.kind != EntityKind::kSymbol || macro.file->is_library ||
      !is_callable(symbol_of(macro)) || macro_row(resolver, *macro.file, macro.index) == nullptr) {
    return std::nullopt;
  }
  const Cast cast = CastReader(resolver).read(*macro.file, macro.index);
  if (cast.type != kNoIndex) return resolver.typed(*cast.file, cast.type, {});
  if (cast.parameter >= arguments.size() || arguments[cast.parameter] == kNoIndex) {
    return std::nullopt;
  }
  const parse::TermId given = arguments[cast.parameter];
  const parse::Term& term = file.facts.terms[given];
  if (term.kind == parse::TermKind::kName) return resolver.typed(file, term.at, {});
  return resolver.evaluate(file, given);
}

}  // namespace codexmem::graph
