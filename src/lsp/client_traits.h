// lsp/client_traits.h - what client and server can do, as `initialize` says it.
#pragma once

#include "lsp/positions.h"
#include "text/json_object.h"
#include "text/json_value.h"

namespace codexmem::lsp {

/// What the client can take.
struct ClientTraits {
  Encoding encoding = Encoding::kUtf16;
  bool takes_nested_symbols = false;    // of documentSymbol
  bool takes_markdown = false;          // of hover
  bool takes_document_changes = false;  // of a rename
  bool takes_file_renames = false;      // likewise
  bool takes_prepared_renames = false;
  bool takes_progress = false;  // window/workDoneProgress/create
};

/// Reads the client's capabilities. Positions are in the first encoding that it offers and we know.
ClientTraits read_client(const JsonValue& capabilities);

/// What the server promises to such a client.
JsonText server_capabilities(const ClientTraits& client);

}  // namespace codexmem::lsp
