// Tested by lsp/documents_test.cpp.
#include "lsp/documents.h"

#include "text/line_index.h"

namespace codexmem::lsp {

Result<void> Documents::change(const std::string& uri, const JsonValue& changes,
                               std::optional<std::int64_t> version, Encoding encoding) {
  const auto found = open_.find(uri);
  if (found == open_.end()) return Error{ErrorCode::kInvalidArgument, uri + " is not open"};
  Document& document = found->second;
  document.version = version;
  document.is_new_text = true;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const JsonValue change = changes.element(i);
    auto text = change.member("text").string();
    if (!text) return Error{ErrorCode::kInvalidArgument, "a change without a text"};
    const JsonValue range = change.member("range");
    if (range.is_absent() || range.is_null()) {
      document.text = *std::move(text);
      continue;
    }
    const auto begin = read_place(range.member("start")), end = read_place(range.member("end"));
    if (!begin || !end) return Error{ErrorCode::kInvalidArgument, "a change without its range"};
    const LineIndex lines(document.text);
    const std::uint32_t from = offset_of(document.text, lines, *begin, encoding);
    const std::uint32_t to = offset_of(document.text, lines, *end, encoding);
    if (to < from) return Error{ErrorCode::kInvalidArgument, "a change that ends before it begins"};
    document.text.replace(from, to - from, *text);
  }
  return {};
}

const Document* Documents::find(const std::string& uri) const {
  const auto found = open_.find(uri);
  return found == open_.end() ? nullptr : &found->second;
}

const std::string* Documents::uri_of(const std::string& path) const {
  for (const auto& [uri, document] : open_) {
    if (document.path == path) return &uri;
  }
  return nullptr;
}

}  // namespace codexmem::lsp
