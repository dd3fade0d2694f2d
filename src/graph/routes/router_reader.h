// graph/routes/router_reader.h - reads the routes of files into a RouterGraph.
//
// A small interpreter of calls (route_rules.h): it follows routers through variables, parameters,
// results, blocks and imports, and reads the files that these lead to. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/imports/file_table.h"
#include "graph/routes/router_graph.h"
#include "parse/walk/outline.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// Whether a call without a receiver speaks to the block around it, in languages of `family`.
inline bool has_blocks(std::string_view family) { return family == "ruby" || family == "elixir"; }

/// The words of a text, or of a list of them.
std::vector<std::string> words_of(const parse::Piece& piece);

/// "get": "GET"; "http.MethodGet", "RequestMethod.GET" likewise.
std::string method_named(std::string_view name);

class RouterReader {
 public:
  RouterReader(FactsCache& cache, store::CodeReader& reader, const FileTable& files)
      : resolver_(cache.impl(), reader), reader_(reader), files_(files) {}

  /// Reads `row`, which declares routes of `framework`. Errors: the store's errors; kCancelled.
  Result<void> read(const store::FileRow& row, const Framework& framework);

  /// Reads the files that routers were passed to.
  Result<void> read_followed();

  RouterGraph& graph() { return graph_; }
  /// What could not be read, and how often.
  const std::map<std::string, std::size_t>& not_read() const { return not_read_; }
  void count_not_read(std::string what) { ++not_read_[std::move(what)]; }
  Resolver& resolver() { return resolver_; }

  struct File {
    const store::FileRow* row = nullptr;
    const FileModel* model = nullptr;
    std::string text, family;
    std::vector<parse::Piece> pieces;
  };
  /// The outline of a file; nullptr when it is not indexed. Kept as long as this object.
  const File* load(store::FileId id);

  /// The text of `piece`, with the constants it names; `is_computed` when a part is not known.
  std::string constant(const File& file, const parse::Piece& piece, bool& is_computed);

 private:
  using Piece = parse::Piece;
  // A definition, by the offset of its name.
  using Key = std::pair<store::FileId, std::uint32_t>;
  struct Value {
    int router = kNoRouter;
    std::size_t first_route = 0, route_end = 0;  // that it declares
  };
  struct Function {
    std::vector<int> parameters;
    int result = kNoRouter;
  };
  // The arguments of a call without and with names; a name may also be in an object.
  struct Arguments {
    explicit Arguments(const Piece& call);
    std::vector<const Piece*> plain;
    const Piece* option(std::string_view name) const;
    const Piece* block = nullptr;  // a function that is the last argument
    const Piece& call;
  };

  void walk(const std::vector<Piece>& pieces);
  void walk_piece(const Piece& piece);
  void walk_definition(const Piece& piece);
  void walk_function(const Piece& piece, const Key& key, int first);
  void assign(const Piece& piece);
  Value evaluate(const Piece& piece);
  Value evaluate_call(const Piece& piece, const std::string* decorated);
  Value apply(const CallRule& rule, const Piece& piece, int router, const std::string* decorated);
  Value call_function(const Piece& piece);
  void follow(store::FileId file, int router);
  void follow_users(std::string_view name, int router);
  std::optional<Key> key_at(std::uint32_t offset);
  std::optional<store::FileId> required_file(const Piece& piece);
  int lookup(const Piece& name);
  int router_by(const Key& key);
  int parameter_of(const Key& key, std::size_t index);
  const CallRule* rule_for(std::string_view name) const;
  bool is_framework_call(const Piece& piece) const;
  int unknown_router(const Piece& piece, const CallRule& rule);
  void set_methods(const Piece& piece, const Value& value);
  bool walk_each(const Piece& piece);
  bool is_own_block(const Piece& piece) const;
  const Framework* required_framework(const Piece& piece) const;
  void mount_folder(const Piece& folder, bool has_folders, const Router::Mount& at);
  const Piece* item_of(const Piece& name) const;

  Value make_router(const CallRule& rule, const Piece& piece);
  Value add_route(int router, std::string method, const Piece* path, std::string handler);
  void add_path(int router, std::string method, std::string path, std::string handler,
                bool is_computed = false, std::string action = {});
  Value add_verb(const CallRule& rule, const Piece& piece, int router,
                 const std::string* decorated);
  Value add_any_route(const CallRule& rule, const Piece& piece, int router,
                      const std::string* decorated);
  Value mount(const CallRule& rule, const Piece& piece, int router);
  Value group(const CallRule& rule, const Piece& piece, int router);
  Value add_entry(const Piece& piece, int router);
  Value add_set(const Piece& piece, int router);
  Value add_class(const Piece& piece, int router);
  Value add_resources(const CallRule& rule, const Piece& piece, int router);
  void limit(const std::vector<std::string>& listed, std::string_view word, const Value& value);
  void read_block(const Piece& piece, int router, const Piece* receiver = nullptr);
  int group_below(int parent, std::string prefix, bool is_computed = false);
  int included(const Piece& piece);
  int file_router(std::string_view path);
  std::vector<std::string> methods_of(const Piece& piece);
  void name_handlers(const CallRule& rule, const Arguments& arguments, int group);
  void read_group(const Arguments& arguments, int group);
  void use_concerns(const Piece& piece, int router);
  void add_phoenix_route(const CallRule& rule, const Piece& piece, int router);
  void add_rails_route(const CallRule& rule, const Piece& piece, int router);
  std::string usual_handler(int router, std::string_view path, std::string controller,
                            const std::string& action);
  void add_methods(const Piece& methods, int router, const Piece& path, const std::string& handler);
  bool may_be_function(const Piece& name);
  std::string handler_of(const Piece& piece);

  Resolver resolver_;
  store::CodeReader& reader_;
  const FileTable& files_;
  RouterGraph graph_;
  std::map<store::FileId, std::unique_ptr<File>> loaded_;
  std::set<store::FileId> read_;
  // A file to read once `router` is known to be one, or in any case: it was passed to a function.
  struct Followed {
    store::FileId file{};
    int router = kNoRouter;
    const Framework* framework = nullptr;
  };
  std::vector<Followed> followed_;
  std::map<Key, int> routers_;
  std::map<Key, Function> functions_;
  std::map<store::FileId, Key> defaults_;  // what a file exports as a whole
  std::map<std::string, std::size_t> not_read_;

  // Of the file that is being read:
  const File* file_ = nullptr;
  const Framework* framework_ = nullptr;
  std::vector<std::map<std::string, int, std::less<>>> scopes_;
  std::vector<int> blocks_;  // the routers of calls without a receiver, innermost last
  std::vector<Key> functions_around_;
  std::map<std::string, const Piece*> concerns_;    // blocks of Rails by name
  std::map<std::string_view, const Piece*> items_;  // variables of loops over lists in the text
  std::uint32_t at_ = 0;                            // the call that is read
  int depth_ = 0;
  std::size_t steps_ = 0;  // of all files
};

}  // namespace codexmem::graph
