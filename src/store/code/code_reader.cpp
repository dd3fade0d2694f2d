#include "store/code/code_reader.h"

#include <algorithm>

#include "text/declaration_text.h"

namespace codexmem::store {

void cut_texts(std::string_view content, SymbolRow* symbol) {
  const auto slice = [&](ByteRange range) {
    const std::size_t begin = std::min<std::size_t>(range.begin, content.size());
    return content.substr(begin, range.size());
  };
  symbol->signature = signature_text(slice(symbol->signature_range));
  symbol->docstring = docstring_text(slice(symbol->docstring_range));
}

Result<void> CodeReader::read_texts(std::span<SymbolRow> symbols) {
  std::optional<FileId> file;
  std::string content;
  for (SymbolRow& symbol : symbols) {
    if (file != file_of(symbol.id)) {
      file = file_of(symbol.id);
      CODEXMEM_ASSIGN(auto found, find_content(*file));
      content = std::move(found).value_or("");
    }
    cut_texts(content, &symbol);
  }
  return {};
}

}  // namespace codexmem::store
