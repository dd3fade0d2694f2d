#include "lsp/call.h"

#include <utility>

#include "base/path.h"
#include "base/percent.h"

namespace codexmem::lsp {

Roots::Roots(std::filesystem::path root, const std::filesystem::path& named)
    : root_(std::move(root)), named_(root_) {
  const auto below = path_below(root_, named);
  const std::string whole = named.lexically_normal().generic_string();
  if (!below) return;
  const std::string tail = below->empty() ? "" : "/" + *below;
  std::string_view rest = whole;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.ends_with(tail)) named_ = rest.substr(0, rest.size() - tail.size());
}

std::optional<std::string> Roots::path_of(const std::string& uri) const {
  const auto path = path_of_uri(uri);
  if (!path) return std::nullopt;
  auto below = path_below(named_, *path);
  if (!below) below = path_below(root_, *path);
  if (below && below->empty()) return std::nullopt;
  return below;
}

std::string Roots::uri_of(std::string_view path) const {
  return "file://" + percent_encoded(named_.generic_string() + "/" + std::string(path), "/-._~");
}

Result<std::optional<store::FileRow>> Call::find_file(const std::string& uri) {
  const auto path = roots_.path_of(uri);
  return path ? reader().find_file(*path) : Result(std::optional<store::FileRow>());
}

Result<std::optional<store::FileRow>> Call::asked_file() {
  const auto uri = params.member("textDocument").member("uri").string();
  if (!uri) return Error{ErrorCode::kInvalidArgument, "textDocument.uri is missing"};
  return find_file(*uri);
}

Result<std::optional<AskedPlace>> Call::asked_place() {
  const auto uri = params.member("textDocument").member("uri").string();
  if (!uri) return Error{ErrorCode::kInvalidArgument, "textDocument.uri is missing"};
  return place_at(*uri, params.member("position"));
}

Result<std::optional<AskedPlace>> Call::place_at(const std::string& uri,
                                                 const JsonValue& position) {
  const auto place = read_place(position);
  if (!place) return Error{ErrorCode::kInvalidArgument, "a position is missing"};
  CODEXMEM_ASSIGN(auto file, find_file(uri));
  if (!file) return std::optional<AskedPlace>();
  AskedPlace asked{.file = *std::move(file), .offset = 0, .named = {}};
  CODEXMEM_ASSIGN(const auto* text, texts_.get(asked.file.id));
  asked.offset = offset_of(text->content, text->lines, *place, client.encoding);
  CODEXMEM_ASSIGN(asked.named,
                  graph::find_named_place(resolver, reader(), asked.file.id, asked.offset));
  return std::optional(std::move(asked));
}

Result<JsonText> Call::range(store::FileId file, ByteRange range) {
  CODEXMEM_ASSIGN(const auto* text, texts_.get(file));
  const auto place = [&](std::uint32_t offset) {
    return place_of(text->content, text->lines, offset, client.encoding);
  };
  return range_json(place(range.begin), place(range.end));
}

Result<std::string> Call::path_of(store::FileId file) {
  const auto [known, is_new] = paths_.try_emplace(file);
  if (is_new) {
    CODEXMEM_ASSIGN(const auto row, reader().find_file(file));
    if (row) known->second = row->path;
  }
  return known->second;
}

std::string Call::uri_of(const std::string& path) const {
  const std::string* open = documents.uri_of(path);
  return open != nullptr ? *open : roots_.uri_of(path);
}

Result<JsonText> Call::location(store::FileId file, ByteRange range) {
  CODEXMEM_ASSIGN(const std::string path, path_of(file));
  CODEXMEM_ASSIGN(const JsonText where, this->range(file, range));
  return json_object("uri", uri_of(path), "range", where);
}

Result<ByteRange> Call::name_range_of(const store::SymbolRow& symbol) {
  CODEXMEM_ASSIGN(const auto* text, texts_.get(store::file_of(symbol.id)));
  // (A symbol without a name is at its begin.)
  if (symbol.name_byte == 0 && symbol.range.begin > 0) {
    return ByteRange{symbol.range.begin, symbol.range.begin};
  }
  return graph::name_range(text->content, symbol.name_byte, symbol.name);
}

Result<JsonText> Call::symbol_location(const store::SymbolRow& symbol) {
  CODEXMEM_ASSIGN(const ByteRange name, name_range_of(symbol));
  return location(store::file_of(symbol.id), name);
}

Result<std::vector<store::SymbolRow>> Call::rows(const std::vector<store::SymbolId>& symbols) {
  std::vector<store::SymbolRow> found;
  for (const store::SymbolId id : symbols) {
    CODEXMEM_ASSIGN(auto row, reader().find_symbol(id));
    if (row) found.push_back(*std::move(row));
  }
  return found;
}

Handler find_handler(std::string_view method) {
  static constexpr std::pair<std::string_view, Handler> kHandlers[] = {
      {"textDocument/definition", answer_definition},
      {"textDocument/declaration", answer_declaration},
      {"textDocument/typeDefinition", answer_type_definition},
      {"textDocument/implementation", answer_implementation},
      {"textDocument/references", answer_references},
      {"textDocument/documentHighlight", answer_highlights},
      {"textDocument/documentSymbol", answer_document_symbols},
      {"workspace/symbol", answer_workspace_symbols},
      {"textDocument/hover", answer_hover},
      {"textDocument/prepareCallHierarchy", prepare_calls},
      {"callHierarchy/incomingCalls", answer_incoming_calls},
      {"callHierarchy/outgoingCalls", answer_outgoing_calls},
      {"textDocument/prepareTypeHierarchy", prepare_types},
      {"typeHierarchy/supertypes", answer_supertypes},
      {"typeHierarchy/subtypes", answer_subtypes},
      {"textDocument/prepareRename", prepare_rename},
      {"textDocument/rename", answer_rename},
  };
  for (const auto& [name, handler] : kHandlers) {
    if (name == method) return handler;
  }
  return nullptr;
}

}  // namespace codexmem::lsp
