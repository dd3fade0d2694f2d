// The facts about a name: signature, documentation, uses, memories.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "ask/code/get_context.h"
#include "base/ascii.h"
#include "base/text.h"
#include "graph/uses/found_usages.h"
#include "lsp/call.h"
#include "text/counted.h"

namespace codexmem::lsp {
namespace {

constexpr std::size_t kMaxShown = 3;  // definitions
constexpr std::size_t kMaxDocumentation = 4000;

// `text` as Markdown that shows it as it is: no link, image, code or HTML comes of it.
std::string plain_markdown(std::string_view text) {
  constexpr std::string_view kSigns = "\\`*_{}[]()<>#|~&:$";
  std::string shown;
  for (const char c : text) {
    if (c == '\n') shown += "  ";  // a line stays one
    if (kSigns.find(c) != std::string_view::npos) shown += '\\';
    shown += c;
  }
  return shown;
}

// `code` in a fence that it cannot end.
std::string fenced(std::string_view language, std::string_view code) {
  std::size_t longest = 2, run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, code, fence);
}

std::string uses_text(const std::vector<graph::Hit>& hits) {
  const auto possible = static_cast<std::size_t>(std::ranges::count_if(
      hits, [](const graph::Hit& hit) { return hit.drawer == graph::Drawer::kPossible; }));
  std::string text = counted(hits.size() - possible, "use");
  if (possible > 0) text += fmt::format(", {} more possible", possible);
  return text;
}

class Hover {
 public:
  explicit Hover(Call& call) : call_(call) {}

  Result<void> add(const store::SymbolRow& symbol, const std::string& path,
                   const std::string& language) {
    part(is_markdown() ? fenced(language, symbol.signature) : symbol.signature + "\n");
    add_text(utf8_prefix(ask::shown_docstring(symbol), kMaxDocumentation));
    const std::vector<std::string> notes =
        call_.repository.list_notes(call_.moment, path, symbol.qualified_name());
    for (const std::string& note : notes) add_text(note);
    return {};
  }

  void add_text(std::string_view text) {
    if (!text.empty()) part(is_markdown() ? plain_markdown(text) : std::string(text));
  }

  std::string json(const JsonText& range) const {
    return json_object(
        "contents", json_object("kind", is_markdown() ? "markdown" : "plaintext", "value", text_),
        "range", range);
  }
  bool empty() const { return text_.empty(); }

 private:
  bool is_markdown() const { return call_.client.takes_markdown; }
  void part(std::string text) {
    if (!text_.empty()) text_ += text_.ends_with('\n') ? "\n" : "\n\n";
    text_ += std::move(text);
  }

  Call& call_;
  std::string text_;
};

}  // namespace

Result<std::string> answer_hover(Call& call) {
  CODEXMEM_ASSIGN(const auto asked, call.asked_place());
  if (!asked || !asked->named || asked->named->empty()) return std::string("null");
  const graph::NamedPlace& named = *asked->named;
  CODEXMEM_ASSIGN(auto rows, call.rows(named.symbols));
  std::stable_partition(rows.begin(), rows.end(), std::not_fn(store::is_prototype));
  const std::size_t all = rows.size();
  rows.resize(std::min(all, kMaxShown));
  CODEXMEM_TRY(call.reader().read_texts(rows));
  Hover hover(call);
  if (named.is_guess) hover.add_text("What this is is not known here; it may be:");
  for (const store::SymbolRow& row : rows) {
    CODEXMEM_ASSIGN(const auto file, call.reader().find_file(store::file_of(row.id)));
    if (file) CODEXMEM_TRY(hover.add(row, file->path, file->language));
  }
  if (all > rows.size()) hover.add_text(fmt::format("and {} more", all - rows.size()));
  if (!named.symbols.empty() && !named.is_guess) {
    CODEXMEM_ASSIGN(const auto found,
                    graph::find_uses(call.facts(), call.resolver, call.reader(), named.symbols));
    hover.add_text(uses_text(found->uses.hits));
  }
  for (const graph::FilePlace& local : named.locals) {
    CODEXMEM_ASSIGN(const auto* text, call.text(local.file));
    const std::uint32_t line = text->lines.line_of(local.range.begin);
    hover.add_text(graph::quoted_line(*text, line));
  }
  for (const store::FileId file : named.files) {
    CODEXMEM_ASSIGN(const std::string path, call.path_of(file));
    hover.add_text(path);
  }
  if (hover.empty()) return std::string("null");
  CODEXMEM_ASSIGN(const JsonText range, call.range(asked->file.id, named.range));
  return hover.json(range);
}

}  // namespace codexmem::lsp
