// lsp/call.h - one request that is being answered. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/core/source_texts.h"
#include "graph/uses/named_place.h"
#include "lsp/client_traits.h"
#include "lsp/documents.h"
#include "lsp/positions.h"
#include "lsp/repository.h"
#include "text/json_object.h"
#include "text/json_value.h"

namespace codexmem::lsp {

/// The folder of the repository and how the client writes it.
class Roots {
 public:
  Roots() = default;
  /// `root` has no links; `named` is the folder that the client named, which leads to it, or to a
  /// folder below it.
  Roots(std::filesystem::path root, const std::filesystem::path& named);

  /// The file of `uri`, relative to the root; nothing outside of it. Nothing is read for that.
  std::optional<std::string> path_of(const std::string& uri) const;
  /// The address of the file at `path`.
  std::string uri_of(std::string_view path) const;

 private:
  std::filesystem::path root_;
  std::filesystem::path named_;  // the same folder, as the client writes it
};

/// A position that is asked about.
struct AskedPlace {
  store::FileRow file;
  std::uint32_t offset = 0;
  std::optional<graph::NamedPlace> named;  // nothing where no name is
};

class Call {
 public:
  Call(const JsonValue& params, const ClientTraits& client, const Roots& roots,
       Repository& repository, const Documents& documents, Moment& moment)
      : params(params),
        client(client),
        repository(repository),
        moment(moment),
        documents(documents),
        resolver(repository.facts().impl(), moment.reader()),
        roots_(roots),
        texts_(moment.reader()) {}

  const JsonValue& params;
  const ClientTraits& client;
  Repository& repository;
  Moment& moment;
  const Documents& documents;
  graph::Resolver resolver;                      // of this request
  std::function<void(std::string)> report = {};  // for people, what the answer lacks; may be empty

  store::CodeReader& reader() { return moment.reader(); }
  graph::FactsCache& facts() { return repository.facts(); }

  /// The file of params.textDocument; nothing when it is not known. Errors: kInvalidArgument
  /// without an address; the store's.
  Result<std::optional<store::FileRow>> asked_file();

  /// The place of params.position in that file. Errors: as asked_file().
  Result<std::optional<AskedPlace>> asked_place();

  /// The place `position` of the file that `uri` names. Errors: the store's.
  Result<std::optional<AskedPlace>> place_at(const std::string& uri, const JsonValue& position);

  Result<const graph::SourceTexts::Text*> text(store::FileId file) { return texts_.get(file); }
  Result<JsonText> range(store::FileId file, ByteRange range);
  Result<JsonText> location(store::FileId file, ByteRange range);
  /// Of a symbol's name.
  Result<ByteRange> name_range_of(const store::SymbolRow& symbol);
  Result<JsonText> symbol_location(const store::SymbolRow& symbol);
  /// The `symbols` that exist.
  Result<std::vector<store::SymbolRow>> rows(const std::vector<store::SymbolId>& symbols);

  /// The path of a file; empty for an unknown one.
  Result<std::string> path_of(store::FileId file);
  std::string uri_of(const std::string& path) const;

 private:
  Result<std::optional<store::FileRow>> find_file(const std::string& uri);

  const Roots& roots_;
  graph::SourceTexts texts_;
  std::map<store::FileId, std::string> paths_;
};

/// Answers a request: JSON text.
using Handler = Result<std::string> (*)(Call& call);

/// How requests are answered; null for an unknown method.
Handler find_handler(std::string_view method);

// places.cpp
Result<std::string> answer_definition(Call& call);
Result<std::string> answer_declaration(Call& call);
Result<std::string> answer_type_definition(Call& call);
Result<std::string> answer_implementation(Call& call);
Result<std::string> answer_references(Call& call);
Result<std::string> answer_highlights(Call& call);
// symbols.cpp
Result<std::string> answer_document_symbols(Call& call);
Result<std::string> answer_workspace_symbols(Call& call);
int symbol_kind(const store::SymbolRow& symbol);
// hover.cpp
Result<std::string> answer_hover(Call& call);
// hierarchies.cpp
Result<std::string> prepare_calls(Call& call);
Result<std::string> answer_incoming_calls(Call& call);
Result<std::string> answer_outgoing_calls(Call& call);
Result<std::string> prepare_types(Call& call);
Result<std::string> answer_supertypes(Call& call);
Result<std::string> answer_subtypes(Call& call);
// renames.cpp
Result<std::string> prepare_rename(Call& call);
Result<std::string> answer_rename(Call& call);

}  // namespace codexmem::lsp
