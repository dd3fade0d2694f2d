// Tested by graph/cpp_test.cpp.
#include "graph/cpp/macro_namespaces.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/ascii.h"
#include "base/text.h"
#include "graph/c/c_files.h"
#include "graph/core/code_text.h"
#include "graph/cpp/cpp_scopes.h"

namespace codexmem::graph {
namespace {

constexpr std::string_view kSpace = " \t\r\n\\";

struct NamespaceMemory : Resolver::Memory {
  std::map<const FileModel*, std::vector<MacroNamespace>> by_file;
};

// Reads a macro's body word by word.
class BodyReader {
 public:
  explicit BodyReader(std::string_view text) : rest_(text) {}

  bool take(std::string_view sign) {
    skip_space();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  std::string_view take_word() {
    skip_space();
    const std::string_view word = first_word(rest_);
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
  }

  std::string_view rest_;
};

// What the parameters of `macro` stand for in its call `NAME(a, b)`, of which `text` follows the
// name.
std::map<std::string_view, std::string_view> arguments_of(const Entity& macro,
                                                          std::string_view text) {
  std::map<std::string_view, std::string_view> values;
  const parse::TermId term = symbol_of(macro).term;
  const FileModel& file = *macro.file;
  BodyReader reader(text);
  if (term == parse::kNoIndex || file.facts.terms[term].kind != parse::TermKind::kFunction ||
      !reader.take("(")) {
    return values;
  }
  for (const auto& parameter : file.facts.functions[file.facts.terms[term].at].parameters) {
    const std::string_view word = reader.take_word();
    if (parameter.name != parse::kNoIndex) values.emplace(file.name(parameter.name), word);
    if (!reader.take(",")) break;
  }
  return values;
}

// What follows a macro's name and parameters.
std::string_view replacement_of(std::string_view text) {
  if (!text.starts_with('(')) return text;
  const std::size_t close = text.find(')');
  return close == std::string_view::npos ? std::string_view() : text.substr(close + 1);
}

// Adds what a macro's body opens: `namespace a { inline namespace b {`.
void read_opened(std::string_view body, const std::map<std::string_view, std::string_view>& values,
                 std::uint32_t offset, std::vector<MacroNamespace>* opened) {
  BodyReader reader(body);
  std::string path;
  while (true) {
    std::string_view word = reader.take_word();
    const bool is_inline = word == "inline";
    if (is_inline) word = reader.take_word();
    if (word != "namespace") return;
    do {
      std::string_view name = reader.take_word();
      if (const auto value = values.find(name); value != values.end()) name = value->second;
      if (name.empty() || is_inline) continue;
      if (!path.empty()) path += '.';
      path += name;
      opened->push_back({path, offset});
    } while (reader.take("::"));
    if (!reader.take("{")) return;
  }
}

// STRING_OF_CAPITALS, as macros are called that stand in the place of a declaration.
bool is_macro_like(std::string_view name) {
  return name.size() > 2 && is_upper(name.front()) && is_upper_name(name);
}

}  // namespace

const std::vector<MacroNamespace>& macro_namespaces(Resolver& resolver, const FileModel& file) {
  const auto [known, is_new] = resolver.memory<NamespaceMemory>().by_file.try_emplace(&file);
  if (!is_new || file.is_library) return known->second;
  std::vector<MacroNamespace> opened;
  for (const parse::Occurrence& at : file.facts.occurrences) {
    const std::string& name = file.name(at.name);
    if (at.receiver_kind != parse::ReceiverKind::kNone || !is_macro_like(name)) continue;
    if (file.scope_at(at.offset) != 0) continue;
    for (const store::SymbolRow* row : cpp_rows(resolver, name)) {
      if (!is_macro(*row)) continue;
      const auto macro = resolver.symbol(row->id);
      if (!macro) continue;
      const parse::Symbol& symbol = symbol_of(*macro);
      if (macro->file == &file && symbol.name_range.begin == at.offset) continue;
      const ByteRange body{symbol.name_range.end, symbol.range.end};
      const std::string_view text = text_before(resolver, *macro->file, body.end);
      if (body.end > text.size()) continue;
      const std::string_view own = text_before(resolver, file, file.facts.scopes[0].range.end);
      const std::size_t end = std::min(own.size(), at.offset + name.size());
      read_opened(replacement_of(text.substr(body.begin)), arguments_of(*macro, own.substr(end)),
                  at.offset, &opened);
    }
  }
  return resolver.memory<NamespaceMemory>().by_file[&file] = std::move(opened);
}

}  // namespace codexmem::graph
