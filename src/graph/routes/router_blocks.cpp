// Calls that speak to the block around them, as in Rails, Phoenix and Laravel: groups, and the
// usual routes of resources.
//
// Tested by graph/routes_test.cpp.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "graph/routes/router_reader.h"

namespace codexmem::graph {

using parse::Piece;
using parse::PieceKind;

namespace {

// The usual routes of a resource; "*" is the parameter.
struct UsualRoute {
  std::string_view family, action, method, path;
};
constexpr UsualRoute kUsualRoutes[] = {
    {"ruby", "index", "GET", ""},       {"ruby", "create", "POST", ""},
    {"ruby", "new", "GET", "/new"},     {"ruby", "edit", "GET", "/*/edit"},
    {"ruby", "show", "GET", "/*"},      {"ruby", "update", "PATCH", "/*"},
    {"ruby", "update", "PUT", "/*"},    {"ruby", "destroy", "DELETE", "/*"},
    {"elixir", "index", "GET", ""},     {"elixir", "create", "POST", ""},
    {"elixir", "new", "GET", "/new"},   {"elixir", "edit", "GET", "/*/edit"},
    {"elixir", "show", "GET", "/*"},    {"elixir", "update", "PATCH", "/*"},
    {"elixir", "update", "PUT", "/*"},  {"elixir", "delete", "DELETE", "/*"},
    {"php", "index", "GET", ""},        {"php", "create", "GET", "/create"},
    {"php", "store", "POST", ""},       {"php", "show", "GET", "/*"},
    {"php", "edit", "GET", "/*/edit"},  {"php", "update", "PUT", "/*"},
    {"php", "destroy", "DELETE", "/*"},
};

// "users": "user", "categories": "category".
std::string one_of_many(std::string_view name) {
  std::string one(name);
  if (one.ends_with("ies") && one.size() > 4) {
    return one.substr(0, one.size() - 3) + "y";
  }
  for (const std::string_view end : {"sses", "xes", "ches", "shes"}) {
    if (one.ends_with(end)) return one.substr(0, one.size() - 2);
  }
  if (one.ends_with("uses") || one.ends_with("ases")) return one.substr(0, one.size() - 2);
  if (one.ends_with("s") && !one.ends_with("ss") && !one.ends_with("us") &&
      !one.ends_with("news")) {
    one.pop_back();
  }
  return one;
}

std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && !out.empty()) out += '_';
    out += is_capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string with_slash(std::string_view path) {
  return path.empty() || path.starts_with('/') ? std::string(path) : "/" + std::string(path);
}

std::string within(std::string_view module, std::string_view separator, std::string_view name) {
  return module.empty() || name.empty()
             ? std::string(module.empty() ? name : module)
             : std::string(module) + std::string(separator) + std::string(name);
}

// The first text in `piece` that ends so.
std::string_view text_ending(const Piece& piece, std::string_view end) {
  if (piece.kind == PieceKind::kText && piece.name.ends_with(end)) return piece.name;
  for (const Piece& part : piece.parts) {
    if (const auto found = text_ending(part, end); !found.empty()) return found;
  }
  return {};
}

std::string text_of(const Piece* piece) { return piece == nullptr ? "" : std::string(piece->name); }

}  // namespace

std::vector<std::string> words_of(const Piece& piece) {
  if (piece.kind == PieceKind::kText) return {std::string(piece.name)};
  std::vector<std::string> words;
  for (const Piece& part : piece.parts) {
    for (std::string& word : words_of(part)) words.push_back(std::move(word));
  }
  return words;
}

RouterReader::Value RouterReader::group(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  const auto& plain = arguments.plain;
  std::string prefix;
  bool is_computed = false;
  const Piece* path = arguments.option(rule.act == RouteAct::kNamespace ? "path" : rule.option);
  const bool has_path = !plain.empty() && plain[0] != arguments.block &&
                        plain[0]->kind != PieceKind::kList && piece.name != "controller" &&
                        plain[0]->kind != PieceKind::kCall;
  std::string module, controller;
  if (file_->family == "ruby") {
    module = text_of(arguments.option("module"));
    controller = text_of(arguments.option("controller"));
    if (piece.name == "controller" && !plain.empty()) controller = plain[0]->name;
    if (rule.act == RouteAct::kNamespace && has_path) {
      if (module.empty()) module = plain[0]->name;
    }
  } else if (file_->family == "elixir") {
    module = text_of(arguments.option("alias"));
    for (const Piece* const each : plain) {
      if (each->kind == PieceKind::kName) module = each->name;
    }
  } else if (file_->family == "php" && piece.name == "controller" && !plain.empty()) {
    controller = handler_of(*plain[0]);
  }
  if (path == nullptr && has_path && plain[0]->kind != PieceKind::kName) path = plain[0];
  if (path == nullptr && has_path && file_->family != "elixir" &&
      plain[0]->kind == PieceKind::kName) {
    path = plain[0];
  }
  if (path != nullptr && path->kind != PieceKind::kList)
    prefix = constant(*file_, *path, is_computed);
  if (file_->family != "python") prefix = with_slash(prefix);
  if (prefix == "/") prefix.clear();
  int parent = router;
  const Router around = graph_[router];
  if (rule.act == RouteAct::kMember || rule.act == RouteAct::kCollection) {
    if (around.mounts.empty()) return {router};
    parent = rule.act == RouteAct::kMember ? around.mounts.front().parent : around.outer;
    if (parent == kNoRouter) parent = router;
    prefix = rule.act == RouteAct::kMember ? around.member : around.collection;
  }
  const int below = group_below(parent, std::move(prefix), is_computed);
  if (parent != router) graph_[below].controller = around.controller;
  if (!module.empty()) {
    graph_[below].module =
        within(graph_[below].module, file_->family == "ruby" ? "/" : ".", module);
  }
  if (!controller.empty()) graph_[below].controller = controller;
  // A function, or a file, that declares the routes of the group.
  for (const Piece* const each : plain) {
    if (each->kind == PieceKind::kFunction) {
      read_block(*each, below, piece.receiver.empty() ? nullptr : &piece.receiver.front());
    } else if (each != path && file_->family == "go" && each->kind == PieceKind::kName) {
      if (const auto key = key_at(each->at)) {
        follow(key->first, below);
        graph_.mount(parameter_of(*key, 0), {below, ""});
      }
    } else if (file_->family == "php") {
      std::string_view file = text_ending(*each, ".php");
      while (file.starts_with('/')) file.remove_prefix(1);
      const int drawn = file.empty() ? kNoRouter : file_router(file);
      if (drawn == kNoRouter) continue;
      graph_[drawn].prefix.clear();  // it is said here
      graph_[drawn].is_server = false;
      graph_.mount(drawn, {below, ""});
    }
  }
  return {below};
}

// get "x", to: "c#a"; get "x" => "c#a"; get :action; get "/x", Controller, :action
void RouterReader::add_block_route(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  std::vector<std::string> methods;
  if (rule.act == RouteAct::kRoot || !rule.method.empty()) {
    methods.emplace_back(rule.act == RouteAct::kRoot ? "GET" : rule.method);
  } else {
    methods.emplace_back(piece.name);
  }
  std::vector<const Piece*> paths;
  const auto said = [&](std::string_view option) {
    bool is_unknown = false;
    const Piece* const value = arguments.option(option);
    return value == nullptr ? "" : constant(*file_, *value, is_unknown);
  };
  std::string handler, action = said("action"), controller = said("controller");
  if (file_->family == "elixir") {
    const auto& plain = arguments.plain;
    const std::size_t at = rule.act == RouteAct::kRoute ? 1 : 0;
    if (plain.size() < at + 2) return;
    if (at == 1) methods = words_of(*plain[0]);
    paths.push_back(plain[at]);
    handler = within(graph_[router].module, ".", handler_of(*plain[at + 1]));
    if (plain.size() > at + 2 && plain[at + 2]->kind == PieceKind::kText) {
      handler += "." + std::string(plain[at + 2]->name);
    }
  } else {
    const Piece* const via = arguments.option("via");
    if (via != nullptr && rule.act == RouteAct::kRoute) methods = words_of(*via);
    const Piece* to = arguments.option("to");
    for (const Piece* const each : arguments.plain) {
      if (each->kind == PieceKind::kFunction) continue;
      rule.act == RouteAct::kRoot ? void(to = each) : paths.push_back(each);
    }
    std::optional<Piece> keyed;
    for (const Piece& part : piece.parts) {
      const auto key = std::string_view(file_->text).substr(part.range.begin, 1);
      if (part.kind != PieceKind::kPair || (key != "'" && key != "\"") || part.parts.empty())
        continue;
      keyed = Piece{.kind = PieceKind::kText, .name = part.name, .range = part.range};
      to = &part.parts.front();
    }
    if (keyed) paths.push_back(&*keyed);
    if (to != nullptr && to->kind == PieceKind::kText &&
        to->name.find('#') == std::string_view::npos) {
      action = to->name;
      to = nullptr;
    }
    if (to != nullptr) {
      handler = to->kind == PieceKind::kText ? within(graph_[router].module, "/", to->name)
                                             : handler_of(*to);
    }
    const std::string on = text_of(arguments.option("on"));
    const Router around = graph_[router];
    if ((on == "member" || on == "collection") && around.outer != kNoRouter) {
      router = group_below(on == "member" ? around.mounts.front().parent : around.outer,
                           on == "member" ? around.member : around.collection);
      graph_[router].controller = around.controller;
    }
    if (controller.empty()) controller = around.controller;
    Piece root{.kind = PieceKind::kText, .name = ""};
    if (rule.act == RouteAct::kRoot) {
      const std::string path = handler;
      add_path(router, "GET", "/", handler);
      return;
    }
    if (paths.empty()) return;
    for (const Piece* const path : paths) {
      bool is_computed = false;
      std::string text = constant(*file_, *path, is_computed);
      std::string which = handler;
      if (which.empty()) {
        std::string_view bare = text;
        if (const std::size_t end = bare.find_first_of("(:");
            end != std::string_view::npos && end > 0) {
          bare = bare.substr(0, end);
        }
        while (bare.starts_with('/')) bare.remove_prefix(1);
        while (bare.ends_with('/')) bare.remove_suffix(1);
        const std::size_t slash = bare.rfind('/');
        std::string_view last = bare.substr(slash == std::string_view::npos ? 0 : slash + 1);
        std::string owner = controller;
        if (owner.empty() && slash != std::string_view::npos) owner = bare.substr(0, slash);
        which = within(graph_[router].module, "/", owner) + "#" +
                (action.empty() ? std::string(last) : action);
      }
      for (const std::string& method : methods) {
        std::string word = method;
        for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        add_path(router, word == "ALL" ? "ANY" : word, with_slash(text), which, is_computed);
      }
    }
    return;
  }
  for (const std::string& method : methods) {
    std::string word = method;
    for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    add_route(router, word == "*" ? "ANY" : word, paths.front(), handler);
  }
}

RouterReader::Value RouterReader::add_resources(const CallRule& rule, const Piece& piece,
                                                int router) {
  const Arguments arguments(piece);
  const std::string_view family = file_->family;
  const std::size_t all = graph_.routes.size();
  bool is_single = rule.act == RouteAct::kSingular;
  const Piece* const singleton = arguments.option("singleton");
  is_single = is_single || singleton != nullptr;
  struct Named {
    std::string name, handler;
    bool is_computed = false;
  };
  std::vector<Named> named;
  const auto& plain = arguments.plain;
  if (family == "ruby") {
    for (const Piece* const each : plain) {
      if (each->kind == PieceKind::kText) named.push_back({std::string(each->name), ""});
    }
  } else if (!plain.empty() && plain[0]->kind == PieceKind::kList) {  // ["x" => X::class]
    for (const Piece& part : plain[0]->parts) {
      if (part.kind == PieceKind::kPair && !part.parts.empty()) {
        named.push_back({std::string(part.name), handler_of(part.parts.front())});
      }
    }
  } else if (plain.size() > 1) {
    Named each;
    each.name = constant(*file_, *plain[0], each.is_computed);
    each.handler = handler_of(*plain[1]);
    named.push_back(std::move(each));
  }
  const bool is_shallow = arguments.option("shallow") != nullptr;
  for (const Named& each : named) {
    const Router around = graph_[router];
    std::string path = text_of(arguments.option("path"));
    if (path.empty() || family != "ruby") path = each.name;
    std::string controller = each.handler;
    if (family == "ruby") {
      controller = text_of(arguments.option("controller"));
      if (controller.empty()) {
        controller = each.name;
        if (is_single && !controller.ends_with('s')) controller += "s";
      }
      controller =
          within(within(around.module, "/", text_of(arguments.option("module"))), "/", controller);
    } else if (family == "elixir") {
      controller = within(around.module, ".", controller);
    }
    // The parameter's name: in the resource's own routes, in blocks within.
    std::string param = ":id", outer = ":" + one_of_many(each.name) + "_id";
    if (family == "php") {
      const std::size_t dot = path.rfind('.');  // users.posts: below a user
      std::string whole;
      for (const std::string_view part : split(path, '.')) {
        if (!whole.empty()) whole += "/";
        std::string one = one_of_many(part.substr(part.rfind('/') + 1));
        std::ranges::replace(one, '-', '_');
        whole += part;
        if (dot != std::string::npos && whole.size() < path.size() - 1 &&
            part != split(path, '.').back()) {
          whole += "/{" + one + "}";
        }
        param = "{" + one + "}";
      }
      path = whole;
    } else if (const std::string given = text_of(arguments.option("param")); !given.empty()) {
      param = ":" + given;
      outer = ":" + one_of_many(each.name) + "_" + given;
    }
    if (family == "elixir") {
      std::string_view name = each.handler;
      if (name.ends_with("Controller")) name.remove_suffix(10);
      outer = ":" + snake_case(name.substr(name.rfind('.') + 1)) + "_id";
    }
    const std::string whole = with_slash(path);
    // Members of a shallow resource are not below the resources around it.
    int base = router;
    while (around.is_shallow && !graph_[base].member.empty())
      base = graph_[base].mounts.front().parent;
    const std::size_t first = graph_.routes.size();
    for (const UsualRoute& usual : kUsualRoutes) {
      if (usual.family != family) continue;
      if (is_single && usual.action == "index") continue;
      if (rule.method == "api" && is_one_of(usual.action, {"create", "edit"})) continue;
      std::string end(usual.path);
      if (const std::size_t star = end.find("/*"); star != std::string::npos) {
        end.replace(star, 2, is_single ? "" : "/" + param);
      }
      const std::string separator = family == "ruby" ? "#" : family == "php" ? "@" : ".";
      const bool is_member = !usual.path.empty() && usual.path != "/new";
      add_path(is_member ? base : router, std::string(usual.method), whole + end,
               controller + separator + std::string(usual.action), each.is_computed,
               std::string(usual.action));
    }
    for (const std::string_view word : {"only", "except"}) {
      if (const Piece* const option = arguments.option(word)) {
        limit(words_of(*option), word, {router, first, graph_.routes.size()});
      }
    }
    if (arguments.block != nullptr) {
      Router block{.prefix = whole + (is_single ? "" : "/" + outer)};
      block.module = around.module;
      block.controller = text_of(arguments.option("controller"));
      if (block.controller.empty()) block.controller = controller.substr(controller.rfind('/') + 1);
      block.outer = router;
      block.is_shallow = is_shallow || around.is_shallow;
      block.collection = whole;
      block.member = is_single ? whole : whole + "/" + param;
      const int below = graph_.add(std::move(block));
      graph_.mount(below, {base, ""});
      read_block(*arguments.block, below);
    }
  }
  return {router, all, graph_.routes.size()};
}

// Only the usual routes whose actions are listed, or all but these.
void RouterReader::limit(const std::vector<std::string>& listed, std::string_view word,
                         const Value& value) {
  for (std::size_t i = value.first_route; i < value.route_end && i < graph_.routes.size(); ++i) {
    FoundRoute& route = graph_.routes[i];
    const bool is_in = std::ranges::find(listed, route.action) != listed.end();
    if (!route.action.empty() && route.file == file_->row->id && is_in != (word == "only")) {
      route.router = kNoRouter;
    }
  }
}

}  // namespace codexmem::graph
