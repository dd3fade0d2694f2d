// The calls of route_rules.h; router_blocks.cpp has the calls of blocks.
//
// Tested by graph/routes_test.cpp.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/routes/router_reader.h"

namespace codexmem::graph {

using parse::Piece;
using parse::PieceKind;

namespace {

constexpr std::uint32_t kWholeModule = 0xFFFFFFFF;

std::string as_method(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

bool is_method(std::string_view text) {
  return is_one_of(as_method(text), {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"});
}

bool is_text(const Piece& piece) { return piece.kind == PieceKind::kText; }

// What may be a path: everything but functions, lists and numbers.
bool may_be_path(const Piece& piece) {
  return is_text(piece) || piece.kind == PieceKind::kName || piece.kind == PieceKind::kOther;
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.find_last_of(".:\\") + 1);
}

}  // namespace

std::string method_named(std::string_view name) {
  name = last_part(name);
  if (name.starts_with("Method")) name.remove_prefix(6);
  return as_method(name);
}

// False for a name that is known to be no function, and in Go for one that is not known to be one:
// what NewHandler(config) is given.
bool RouterReader::may_be_function(const Piece& name) {
  const auto key = key_at(name.at);
  const FileModel* const model = key ? resolver_.model(key->first) : nullptr;
  if (model == nullptr)
    return file_->family != "go" || name.name.find('.') != std::string_view::npos;
  const std::uint32_t symbol = model->symbol_named_at(key->second);
  if (symbol == parse::kNoIndex) return false;  // a local
  return model->facts.symbols[symbol].type != SymbolType::kVariable || file_->family != "go";
}

std::string RouterReader::handler_of(const Piece& piece) {
  switch (piece.kind) {
    case PieceKind::kName: {
      std::string_view name = piece.name;
      if (file_->family == "php") name = last_part(name);
      return std::string(name);
    }
    case PieceKind::kText:
      return std::string(file_->family == "php" ? last_part(piece.name) : piece.name);
    case PieceKind::kList: {  // [X::class, "method"], [check, handler]
      std::string out;
      for (const Piece& part : piece.parts) {
        std::string each = handler_of(part);
        if (file_->family == "php" && !out.empty()) {
          out += "@" + each;
        } else if (!each.empty()) {
          out = std::move(each);
        }
      }
      return out;
    }
    case PieceKind::kCall: {  // wrap(handler), View.as_view()
      for (std::size_t i = piece.parts.size(); i-- > 0;) {
        const Piece& part = piece.parts[i];
        if (part.kind != PieceKind::kName && part.kind != PieceKind::kCall) continue;
        if (part.kind == PieceKind::kName && !may_be_function(part)) continue;
        if (std::string name = handler_of(part); !name.empty()) return name;
      }
      if (piece.name == "as_view" && !piece.receiver.empty()) {
        return handler_of(piece.receiver.front());
      }
      std::string before = piece.receiver.empty() ? "" : handler_of(piece.receiver.front());
      if (!before.empty()) before += ".";
      return before + std::string(piece.name);
    }
    default:
      return {};
  }
}

void RouterReader::add_path(int router, std::string method, std::string path, std::string handler,
                            bool is_computed, std::string action) {
  graph_.routes.push_back({router, std::move(method), std::move(path), std::move(handler),
                           is_computed, file_->row->id, at_, std::move(action)});
}

RouterReader::Value RouterReader::add_route(int router, std::string method, const Piece* path,
                                            std::string handler) {
  const std::size_t first = graph_.routes.size();
  if (path != nullptr && path->kind == PieceKind::kList) {
    for (const Piece& each : path->parts) add_route(router, method, &each, handler);
  } else {
    bool is_computed = false;
    std::string text = path == nullptr ? "" : constant(*file_, *path, is_computed);
    if (is_computed && path->kind == PieceKind::kName) {
      ++not_read_["a path that is a variable"];
      return {router};
    }
    add_path(router, std::move(method), std::move(text), std::move(handler), is_computed);
  }
  return {router, first, graph_.routes.size()};
}

int RouterReader::group_below(int parent, std::string prefix, bool is_computed) {
  Router router{.prefix = std::move(prefix), .is_computed = is_computed};
  router.module = graph_[parent].module;
  router.controller = graph_[parent].controller;
  router.has_no_slash = graph_[parent].has_no_slash;
  const int made = graph_.add(std::move(router));
  graph_.mount(made, {parent, ""});
  return made;
}

// Reads a function to which `router` is passed, or a block within it.
void RouterReader::read_block(const Piece& piece, int router, const Piece* receiver) {
  scopes_.emplace_back();
  blocks_.push_back(router);
  if (!piece.parameters.empty()) {
    scopes_.back()[std::string(piece.parameters.front().name)] = router;
  } else if (receiver != nullptr && receiver->kind == PieceKind::kName) {
    scopes_.back()[std::string(receiver->name)] = router;  // m.Group("/x", func() { m.Get(...) })
  }
  walk(piece.inside);
  blocks_.pop_back();
  scopes_.pop_back();
}

RouterReader::Value RouterReader::apply(const CallRule& rule, const Piece& piece, int router,
                                        const std::string* decorated) {
  const bool is_route =
      rule.act == RouteAct::kVerb || rule.act == RouteAct::kRoute || rule.act == RouteAct::kRoot;
  if (is_route && has_blocks(file_->family)) {
    file_->family == "ruby" ? add_rails_route(rule, piece, router)
                            : add_phoenix_route(rule, piece, router);
    return {router};
  }
  switch (rule.act) {
    case RouteAct::kVerb:
      return add_verb(rule, piece, router, decorated);
    case RouteAct::kRoute:
      return add_any_route(rule, piece, router, decorated);
    case RouteAct::kResource:
      return add_class(piece, router);
    case RouteAct::kMount:
    case RouteAct::kDraw:
      return mount(rule, piece, router);
    case RouteAct::kGroup:
    case RouteAct::kNamespace:
    case RouteAct::kMember:
    case RouteAct::kCollection:
      return group(rule, piece, router);
    case RouteAct::kPrefix:
      if (!piece.parts.empty()) {
        bool is_computed = false;
        graph_[router].prefix = constant(*file_, piece.parts.front(), is_computed);
        graph_[router].is_computed |= is_computed;
      }
      return {router};
    case RouteAct::kTable:
      return add_entry(piece, router);
    case RouteAct::kSet:
      return add_set(piece, router);
    case RouteAct::kResources:
    case RouteAct::kSingular:
      return add_resources(rule, piece, router);
    case RouteAct::kConcern:
      use_concerns(piece, router);
      return {router};
    case RouteAct::kOpaque:
      ++not_read_[std::string(piece.name) + ", which adds routes of a package"];
      for (const Piece& part : piece.parts) {
        if (part.kind == PieceKind::kFunction) read_block(part, router);
      }
      return {router};
    default:
      return {router};
  }
}

RouterReader::Value RouterReader::make_router(const CallRule& rule, const Piece& piece) {
  const Arguments arguments(piece);
  Router router{
      .is_server = rule.act == RouteAct::kCreateRoot, .is_made = true, .framework = framework_};
  for (const Framework& each : frameworks()) {
    if (!is_listed(each.family, file_->family)) continue;
    const bool is_receiver =
        !piece.receiver.empty() && is_listed(each.words, last_part(piece.receiver.front().name));
    const bool is_it = piece.name != "Router" && is_listed(each.words, piece.name);
    if (is_receiver || is_it) router.framework = &each;
  }
  const Piece* const option = arguments.option(rule.option);
  if (option != nullptr && rule.option != "routes") {
    router.prefix = constant(*file_, *option, router.is_computed);
  }
  if (const Piece* const slash = arguments.option("trailing_slash")) {
    router.has_no_slash = std::string_view(file_->text).substr(slash->range.begin, 5) == "False";
  }
  const int made = graph_.add(std::move(router));
  if (option != nullptr && rule.option == "routes") {
    blocks_.push_back(made);
    evaluate(*option);
    blocks_.pop_back();
  }
  // Api(blueprint): its routes are the blueprint's.
  if (!arguments.plain.empty() && file_->family == "python") {
    const int owner = evaluate(*arguments.plain.front()).router;
    if (owner != kNoRouter && graph_[owner].is_made) graph_.mount(made, {owner, ""});
  }
  return {made};
}

RouterReader::Value RouterReader::add_verb(const CallRule& rule, const Piece& piece, int router,
                                           const std::string* decorated) {
  const Arguments arguments(piece);
  std::string method(rule.method);
  if (method.empty()) {
    method = as_method(piece.name.starts_with("Map") ? piece.name.substr(3) : piece.name);
  }
  std::vector<const Piece*> plain = arguments.plain;
  const Piece* path = nullptr;
  if (!graph_[router].is_one_path) {
    path = arguments.option("path");
    // Koa's routes may have a name before the path.
    if (plain.size() > 2 && is_text(*plain[0]) && !plain[0]->name.starts_with('/') &&
        is_text(*plain[1]) && plain[1]->name.starts_with('/')) {
      plain.erase(plain.begin());
    }
    if (path == nullptr && !plain.empty()) {
      path = plain.front();
      plain.erase(plain.begin());
    }
    if (path == nullptr || (!may_be_path(*path) && path->kind != PieceKind::kList)) return {router};
  }
  std::string handler = decorated != nullptr ? *decorated : "";
  if (decorated == nullptr) {
    // Python's app.get("/x") is a decorator; session.get(User, 1) is not.
    if (plain.empty() || file_->family == "python") return {router};
    // A client's call passes what it sends.
    if (plain.back()->kind == PieceKind::kText && file_->family != "php") return {router};
    handler = handler_of(*plain.back());
    const std::string& controller = graph_[router].controller;
    if (!controller.empty() && is_text(*plain.back())) handler = controller + "@" + handler;
    if (rule.method == "GET" && file_->family == "php") handler = "view " + handler;
  }
  return add_route(router, std::move(method), path, std::move(handler));
}

// A route for each of `methods`, a list or a text.
void RouterReader::add_methods(const Piece& methods, int router, const Piece& path,
                               const std::string& handler) {
  std::vector<const Piece*> each;
  if (methods.kind == PieceKind::kList || methods.kind == PieceKind::kOther) {
    for (const Piece& part : methods.parts) each.push_back(&part);
  }
  if (each.empty()) each.push_back(&methods);
  for (const Piece* const method : each) {
    const std::string name = method_named(method->name);
    add_route(router, name == "ALL" ? "ANY" : name, &path, handler);
  }
}

RouterReader::Value RouterReader::add_any_route(const CallRule& rule, const Piece& piece,
                                                int router, const std::string* decorated) {
  const Arguments arguments(piece);
  const auto& plain = arguments.plain;
  const std::size_t first = graph_.routes.size();
  const auto added = [&] { return Value{router, first, graph_.routes.size()}; };
  const bool is_one_path = is_one_of(piece.name, {"route", "Combo"}) && plain.size() == 1 &&
                           file_->family != "python" && may_be_path(*plain[0]);
  if (file_->family == "ecmascript") {
    const Piece* path = arguments.option("url");
    if (path == nullptr) path = arguments.option("path");
    if (path != nullptr) {
      const Piece* const handler = arguments.option("handler");
      const Piece* const method = arguments.option("method");
      if (method != nullptr) {
        add_methods(*method, router, *path, handler == nullptr ? "" : handler_of(*handler));
      }
      return added();
    }
    if (!is_one_path) return mount(rule, piece, router);
  }
  if (is_one_path) {  // router.route("/x").get(...).post(...)
    bool is_computed = false;
    const std::string prefix = constant(*file_, *plain[0], is_computed);
    const int below = group_below(router, prefix, is_computed);
    graph_[below].is_one_path = true;
    return {below};
  }
  if (file_->family == "go" && plain.size() >= 2) {
    const bool is_said = plain.size() > 2 && (is_method(plain[0]->name) ||
                                              plain[0]->name.find("Method") != std::string::npos);
    const Piece& path = *plain[is_said ? 1 : 0];
    const bool is_path = path.kind != PieceKind::kName && may_be_path(path);
    if (!is_path || (!is_said && !piece.name.starts_with("Handle"))) return {router};
    if (const int child = evaluate(*plain.back()).router;
        child != kNoRouter && graph_.is_live(child)) {
      return mount(rule, piece, router);
    }
    bool is_computed = false;
    std::string text = constant(*file_, path, is_computed);
    std::string method = is_said ? method_named(plain[0]->name) : std::string(rule.method);
    const std::size_t blank = text.find(' ');  // net/http: "GET /x"
    if (blank != std::string::npos && is_method(text.substr(0, blank))) {
      method = text.substr(0, blank);
      text = trim(std::string_view(text).substr(blank));
    }
    add_path(router, method, text, handler_of(*plain.back()), is_computed);
    return added();
  }
  if (file_->family == "php" && plain.size() > 2) {
    add_methods(*plain[0], router, *plain[1], handler_of(*plain[2]));
    return added();
  }
  if (file_->family == "csharp" && plain.size() > 2) {
    add_methods(*plain[1], router, *plain[0], handler_of(*plain[2]));
    return added();
  }
  if (file_->family != "python") return {router};
  const Piece* path = arguments.option(piece.name == "add_url_rule" ? "rule" : "path");
  if (path == nullptr && !plain.empty()) path = plain.front();
  if (path == nullptr || !may_be_path(*path)) return {router};
  const Piece* endpoint = arguments.option(piece.name == "add_url_rule" ? "view_func" : "endpoint");
  const std::size_t place = piece.name == "add_url_rule" ? 2 : 1;
  if (endpoint == nullptr && plain.size() > place) endpoint = plain[place];
  if (decorated == nullptr && endpoint == nullptr) return {router};
  const std::string handler = decorated != nullptr ? *decorated : handler_of(*endpoint);
  const Piece* const methods = arguments.option(rule.option);
  if (methods != nullptr) {
    add_methods(*methods, router, *path, handler);
  } else if (endpoint != nullptr && endpoint->name == "as_view" && !endpoint->receiver.empty()) {
    for (std::string& method : methods_of(endpoint->receiver.front())) {
      add_route(router, std::move(method), path, handler);
    }
  } else {
    add_route(router, std::string(rule.method), path, handler);
  }
  return added();
}

void RouterReader::set_methods(const Piece& piece, const Value& value) {
  std::vector<std::string> methods;
  for (const Piece& part : piece.parts) {
    methods.push_back(method_named(part.name));
  }
  for (std::size_t i = value.first_route; i < value.route_end && !methods.empty(); ++i) {
    graph_.routes[i].method = methods.front();
    for (std::size_t each = 1; each < methods.size(); ++each) {
      FoundRoute more = graph_.routes[i];
      more.method = methods[each];
      graph_.routes.push_back(std::move(more));
    }
  }
}

// The methods of HTTP that a class handles; ANY when they are not known.
std::vector<std::string> RouterReader::methods_of(const Piece& piece) {
  std::vector<std::string> methods;
  const auto key = key_at(piece.at);
  const FileModel* const model = key ? resolver_.model(key->first) : nullptr;
  const std::uint32_t symbol =
      model == nullptr ? parse::kNoIndex : model->symbol_named_at(key->second);
  if (symbol != parse::kNoIndex) {
    for (const std::uint32_t member : model->all_members(symbol)) {
      const std::string& name = model->facts.symbols[member].name;
      if (is_method(name)) methods.push_back(as_method(name));
    }
  }
  if (methods.empty()) methods.emplace_back("ANY");
  return methods;
}

// add_resource(Class, "/x", "/y")
RouterReader::Value RouterReader::add_class(const Piece& piece, int router) {
  const Arguments arguments(piece);
  if (arguments.plain.size() < 2) return {router};
  const std::string handler = handler_of(*arguments.plain.front());
  for (const std::string& method : methods_of(*arguments.plain.front())) {
    for (std::size_t i = 1; i < arguments.plain.size(); ++i) {
      add_route(router, method, arguments.plain[i], handler);
    }
  }
  return {router};
}

RouterReader::Value RouterReader::mount(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  if (file_->family == "ruby") {
    if (rule.act == RouteAct::kDraw) {
      const int drawn =
          arguments.plain.empty()
              ? kNoRouter
              : file_router("config/routes/" + std::string(arguments.plain[0]->name) + ".rb");
      if (drawn != kNoRouter) graph_[drawn].is_server = false;
      graph_.mount(drawn, {router, ""});
      return {router};
    }
    // mount Sidekiq::Web => "/sidekiq"
    for (const Piece& part : piece.parts) {
      if (part.kind == PieceKind::kPair && part.name != rule.option &&
          part.name.find("::") != std::string::npos) {
        add_route(router, "ANY", &part.parts.front(), std::string(part.name));
      }
    }
    if (const Piece* const at = arguments.option(rule.option);
        at != nullptr && !arguments.plain.empty()) {
      add_route(router, "ANY", at, handler_of(*arguments.plain.front()));
    }
    return {router};
  }
  Router::Mount mounted{.parent = router};
  if (const Piece* const option = arguments.option(rule.option)) {
    mounted.prefix = constant(*file_, *option, mounted.is_computed);
    mounted.replaces = rule.option == "url_prefix";
  }
  if (const Piece* const folder = arguments.option("dir")) {
    mount_folder(*folder, arguments.option("dirNameRoutePrefix") == nullptr, mounted);
  }
  for (std::size_t i = 0; i < arguments.plain.size(); ++i) {
    const Piece* const item = item_of(*arguments.plain[i]);
    const Piece& part = item != nullptr ? *item : *arguments.plain[i];
    const bool is_path = i == 0 && arguments.plain.size() > 1 && piece.name != "register";
    if (is_path && (is_text(part) || part.kind == PieceKind::kOther)) {
      mounted.prefix = constant(*file_, part, mounted.is_computed);
      continue;
    }
    if (part.kind == PieceKind::kFunction && piece.name == "register") {
      graph_.mount(parameter_of({file_->row->id, part.range.begin}, 0), mounted);
    }
    const int child = evaluate(part).router;
    if (is_path && child == kNoRouter && part.kind == PieceKind::kName) {
      mounted.prefix = constant(*file_, part, mounted.is_computed);
      continue;
    }
    // A router, or a function that puts its routes into the one that it is given.
    graph_.mount(child, mounted);
    std::optional<Key> key;
    if (part.kind == PieceKind::kName) key = key_at(part.at);
    if (const auto file = required_file(part)) key = Key{*file, kWholeModule};
    if (part.kind == PieceKind::kCall && !key) key = key_at(part.at);
    if (!key) continue;
    follow(key->first, router);
    if (piece.name == "register" && part.kind != PieceKind::kFunction) {
      followed_.push_back({key->first, kNoRouter, framework_});
      graph_.mount(parameter_of(*key, 0), mounted);
    }
  }
  return {router};
}

// Fastify's autoload: each file in a folder is given a router below the path of its folder.
void RouterReader::mount_folder(const Piece& folder, bool has_folders, const Router::Mount& at) {
  const std::vector<std::string> words = words_of(folder);
  if (words.empty()) return;
  std::string root(folder_of(file_->row->path));
  for (std::string_view word : words) {
    while (word.starts_with('.') || word.starts_with('/')) word.remove_prefix(1);
    if (!word.empty()) root += (root.empty() ? "" : "/") + std::string(word);
  }
  for (const store::FileRow& row : files_.rows()) {
    if (!row.path.starts_with(root + "/")) continue;
    Router::Mount mounted = at;
    const File* const file = load(row.id);
    if (file == nullptr) continue;
    const auto own = std::ranges::find(file->pieces, "autoPrefix", &Piece::name);
    if (own != file->pieces.end() && !own->parts.empty()) {
      mounted.prefix = constant(*file, own->parts.front(), mounted.is_computed);
    }
    const std::string_view inner = folder_of(std::string_view(row.path).substr(root.size() + 1));
    if (!inner.empty() && has_folders)
      mounted.prefix = joined_path(mounted.prefix, "/" + std::string(inner));
    graph_.mount(parameter_of({row.id, kWholeModule}, 0), std::move(mounted));
    followed_.push_back({row.id, kNoRouter, framework_});
  }
}

// ---- Tables of Django

// path("x/", view), path("x/", include(...))
RouterReader::Value RouterReader::add_entry(const Piece& piece, int router) {
  const Arguments arguments(piece);
  const Piece* path = arguments.option("route");
  if (path == nullptr && !arguments.plain.empty()) path = arguments.plain.front();
  const Piece* view = arguments.option("view");
  if (view == nullptr && arguments.plain.size() > 1) view = arguments.plain[1];
  if (path == nullptr || view == nullptr || path == view) return {router};
  if (view->kind == PieceKind::kCall && view->name == "include") {
    bool is_computed = false;
    std::string prefix = constant(*file_, *path, is_computed);
    const int child = included(*view);
    if (child == kNoRouter) {
      const std::string name(view->parts.empty() ? "" : view->parts.front().name);
      add_path(router, "ANY", prefix, "include " + name);
      ++not_read_["include(\"" + name + "\"), which adds routes of a package"];
      return {router};
    }
    graph_.mount(child, {router, std::move(prefix), is_computed});
    return {router};
  }
  const std::size_t first = graph_.routes.size();
  const Piece* const methods = view->kind == PieceKind::kCall && view->name == "as_view" &&
                                       !view->parts.empty() &&
                                       view->parts.front().kind == PieceKind::kList
                                   ? &view->parts.front()
                                   : nullptr;
  if (methods == nullptr) {
    add_route(router, "ANY", path, handler_of(*view));
  } else {
    for (const Piece& each : methods->parts) {
      if (each.kind != PieceKind::kPair || each.parts.empty()) continue;
      add_route(router, as_method(each.name), path,
                handler_of(*view) + "." + std::string(each.parts.front().name));
    }
  }
  return {router, first, graph_.routes.size()};
}

// The router that include(...) means: a module, a list, a router's urls.
int RouterReader::included(const Piece& call) {
  if (call.parts.empty()) return kNoRouter;
  const Piece* what = &call.parts.front();
  if (what->kind == PieceKind::kList && !what->parts.empty() &&
      what->parts.front().kind != PieceKind::kCall) {
    what = &what->parts.front();  // (patterns, "namespace")
  }
  if (is_text(*what)) {
    std::string path(what->name);
    std::ranges::replace(path, '.', '/');
    return file_router(path + ".py");
  }
  if (what->kind == PieceKind::kList) {
    const int table = graph_.add({.is_made = true, .framework = framework_});
    blocks_.push_back(table);
    for (const Piece& part : what->parts) evaluate(part);
    blocks_.pop_back();
    return table;
  }
  const int router = evaluate(*what).router;
  if (const auto key = key_at(what->at))
    follow(key->first, blocks_.empty() ? router : blocks_.back());
  return router;
}

// The router of the file whose path ends so.
int RouterReader::file_router(std::string_view path) {
  const store::FileRow* found = files_.find(path);
  for (const store::FileRow& row : files_.rows()) {
    if (found != nullptr) break;
    if (row.path.ends_with("/" + std::string(path))) found = &row;
  }
  if (found == nullptr) return kNoRouter;
  const int router = router_by({found->id, kWholeModule});
  graph_[router].is_made = true;
  follow(found->id, router);
  return router;
}

// The routes of Django REST framework's router.register("x", ViewSet).
RouterReader::Value RouterReader::add_set(const Piece& piece, int router) {
  const Arguments arguments(piece);
  if (arguments.plain.size() < 2 || !is_text(*arguments.plain.front())) return {router};
  const std::string handler = handler_of(*arguments.plain[1]);
  const std::string end = graph_[router].has_no_slash ? "" : "/";
  const std::string path(arguments.plain.front()->name);
  add_path(router, "ANY", path + end, handler);
  add_path(router, "ANY", joined_path(path, "<pk>") + end, handler);
  return {router};
}

}  // namespace codexmem::graph
