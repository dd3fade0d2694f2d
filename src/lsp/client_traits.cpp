#include "lsp/client_traits.h"

namespace codexmem::lsp {
namespace {

bool has(const JsonValue& list, std::string_view wanted) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.element(i).string() == wanted) return true;
  }
  return false;
}

}  // namespace

ClientTraits read_client(const JsonValue& capabilities) {
  ClientTraits client;
  const JsonValue encodings = capabilities.member("general").member("positionEncodings");
  for (std::size_t i = 0; i < encodings.size(); ++i) {
    if (const auto known = parse_encoding(encodings.element(i).string().value_or(""))) {
      client.encoding = *known;
      break;
    }
  }
  const JsonValue document = capabilities.member("textDocument");
  const JsonValue edits = capabilities.member("workspace").member("workspaceEdit");
  const auto is_set = [](const JsonValue& value) { return value.boolean().value_or(false); };
  client.takes_nested_symbols =
      is_set(document.member("documentSymbol").member("hierarchicalDocumentSymbolSupport"));
  client.takes_markdown = has(document.member("hover").member("contentFormat"), "markdown");
  client.takes_document_changes = is_set(edits.member("documentChanges"));
  client.takes_file_renames =
      client.takes_document_changes && has(edits.member("resourceOperations"), "rename");
  client.takes_prepared_renames = is_set(document.member("rename").member("prepareSupport"));
  client.takes_progress = is_set(capabilities.member("window").member("workDoneProgress"));
  return client;
}

JsonText server_capabilities(const ClientTraits& client) {
  constexpr int kIncremental = 2;
  const JsonText rename =
      client.takes_prepared_renames ? json_object("prepareProvider", true) : json_value(true);
  return json_object(
      "positionEncoding", encoding_name(client.encoding), "textDocumentSync",
      json_object("openClose", true, "change", kIncremental), "definitionProvider", true,
      "declarationProvider", true, "typeDefinitionProvider", true, "implementationProvider", true,
      "referencesProvider", json_object("workDoneProgress", true), "documentHighlightProvider",
      true, "documentSymbolProvider", true, "workspaceSymbolProvider", true, "hoverProvider", true,
      "callHierarchyProvider", true, "typeHierarchyProvider", true, "renameProvider", rename);
}

}  // namespace codexmem::lsp
