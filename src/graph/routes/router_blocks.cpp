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

// The folder and the class of handlers that a group names.
void RouterReader::name_handlers(const CallRule& rule, const Arguments& arguments, int group) {
  const std::string_view family = file_->family, called = arguments.call.name;
  const Piece* const first = arguments.plain.empty() ? nullptr : arguments.plain.front();
  std::string module = text_of(arguments.option(family == "elixir" ? "alias" : "module"));
  std::string controller = text_of(arguments.option("controller"));
  if (called == "controller" && first != nullptr) controller = handler_of(*first);
  if (family == "elixir") {
    for (const Piece* const each : arguments.plain) {
      if (each->kind == PieceKind::kName) module = each->name;
    }
  } else if (rule.act == RouteAct::kNamespace && module.empty() && first != nullptr) {
    module = first->name;
  }
  Router& made = graph_[group];
  if (!module.empty()) made.module = within(made.module, family == "ruby" ? "/" : ".", module);
  if (!controller.empty()) made.controller = controller;
}

// Reads the functions and files that declare the routes of a group.
void RouterReader::read_group(const Arguments& arguments, int group) {
  const Piece& call = arguments.call;
  for (const Piece* const each : arguments.plain) {
    if (each->kind == PieceKind::kFunction) {
      read_block(*each, group, call.receiver.empty() ? nullptr : &call.receiver.front());
    } else if (file_->family == "go" && each->kind == PieceKind::kName) {
      if (const auto key = key_at(each->at)) {
        follow(key->first, group);
        graph_.mount(parameter_of(*key, 0), {group, ""});
      }
    } else if (file_->family == "php") {
      std::string_view file = text_ending(*each, ".php");
      while (file.starts_with('/')) file.remove_prefix(1);
      const int drawn = file.empty() ? kNoRouter : file_router(file);
      if (drawn == kNoRouter) continue;
      graph_[drawn].prefix.clear();  // it is said here
      graph_[drawn].is_server = false;
      graph_.mount(drawn, {group, ""});
    }
  }
}

RouterReader::Value RouterReader::group(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  const Router around = graph_[router];
  std::string prefix;
  bool is_computed = false;
  int parent = router;
  if (rule.act == RouteAct::kMember || rule.act == RouteAct::kCollection) {
    const bool is_member = rule.act == RouteAct::kMember;
    if (around.outer == kNoRouter) return {router};
    parent = is_member ? around.mounts.front().parent : around.outer;
    prefix = is_member ? around.member : around.collection;
  } else {
    const Piece* path = arguments.option(rule.act == RouteAct::kNamespace ? "path" : rule.option);
    const Piece* const first = arguments.plain.empty() ? nullptr : arguments.plain.front();
    const bool may_be_path = first != nullptr && piece.name != "controller" &&
                             (first->kind == PieceKind::kText || first->kind == PieceKind::kOther ||
                              (first->kind == PieceKind::kName && file_->family != "elixir"));
    if (path == nullptr && may_be_path) path = first;
    if (path != nullptr) prefix = with_slash(constant(*file_, *path, is_computed));
    if (prefix == "/") prefix.clear();
  }
  const int below = group_below(parent, std::move(prefix), is_computed);
  graph_[below].controller = around.controller;
  name_handlers(rule, arguments, below);
  read_group(arguments, below);
  return {below};
}

// concern :name do ... end, to be read where `concerns :name` is.
void RouterReader::use_concerns(const Piece& piece, int router) {
  const Arguments arguments(piece);
  std::vector<std::string> names;
  for (const Piece* const each : arguments.plain) {
    for (std::string& name : words_of(*each)) names.push_back(std::move(name));
  }
  if (piece.name == "concern" && !names.empty() && arguments.block != nullptr) {
    concerns_[names.front()] = arguments.block;
    return;
  }
  if (const Piece* const option = arguments.option("concerns")) names = words_of(*option);
  for (const std::string& name : names) {
    const auto found = concerns_.find(name);
    if (found != concerns_.end() && blocks_.size() < 20) read_block(*found->second, router);
  }
}

// Phoenix: get "/x", Controller, :action
void RouterReader::add_phoenix_route(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  const auto& plain = arguments.plain;
  const std::size_t at = rule.act == RouteAct::kRoute ? 1 : 0;
  if (plain.size() < at + 2) return;
  std::string handler = within(graph_[router].module, ".", handler_of(*plain[at + 1]));
  if (plain.size() > at + 2 && plain[at + 2]->kind == PieceKind::kText) {
    handler += "." + std::string(plain[at + 2]->name);
  }
  std::vector<std::string> methods{std::string(rule.method.empty() ? piece.name : rule.method)};
  if (at == 1) methods = words_of(*plain[0]);
  for (const std::string& method : methods) {
    add_route(router, method == "*" ? "ANY" : method_named(method), plain[at], handler);
  }
}

// The handler that Rails takes for `path` when none is named.
std::string RouterReader::usual_handler(int router, std::string_view path, std::string controller,
                                        const std::string& action) {
  if (const std::size_t end = path.find_first_of("(:"); end != std::string_view::npos && end > 0) {
    path = path.substr(0, end);
  }
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  if (controller.empty() && slash != std::string_view::npos) controller = path.substr(0, slash);
  const std::string_view last = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  return within(graph_[router].module, "/", controller) + "#" +
         (action.empty() ? std::string(last) : action);
}

// Rails: get "x", to: "c#a"; get "x" => "c#a"; get :action; root "c#a"
void RouterReader::add_rails_route(const CallRule& rule, const Piece& piece, int router) {
  const Arguments arguments(piece);
  const auto said = [&](std::string_view option) {
    bool is_unknown = false;
    const Piece* const value = arguments.option(option);
    return value == nullptr ? "" : constant(*file_, *value, is_unknown);
  };
  std::string handler, action = said("action"), controller = said("controller");
  std::vector<std::string> methods{std::string(rule.act == RouteAct::kVerb ? piece.name : "ANY")};
  const Piece* const via = arguments.option("via");
  if (via != nullptr && rule.act == RouteAct::kRoute) methods = words_of(*via);
  std::vector<Piece> paths;
  const Piece* to = arguments.option("to");
  for (const Piece& part : piece.parts) {
    const bool is_quoted =
        file_->text[part.range.begin] == '\'' || file_->text[part.range.begin] == '"';
    if (part.kind == PieceKind::kPair && is_quoted && !part.parts.empty()) {
      paths.push_back({.kind = PieceKind::kText, .name = part.name, .range = part.range});
      to = &part.parts.front();
    } else if (part.kind != PieceKind::kPair && part.kind != PieceKind::kFunction) {
      paths.push_back(part);
    }
  }
  if (rule.act == RouteAct::kRoot && to == nullptr && !paths.empty()) to = &paths.front();
  const bool is_text = to != nullptr && to->kind == PieceKind::kText;
  if (is_text && to->name.find('#') == std::string_view::npos) {
    action = to->name;
  } else if (to != nullptr) {
    handler = is_text ? within(graph_[router].module, "/", to->name) : handler_of(*to);
  }
  if (rule.act == RouteAct::kRoot) return add_path(router, "GET", "/", handler);
  const std::string on = text_of(arguments.option("on"));
  const Router around = graph_[router];
  if ((on == "member" || on == "collection") && around.outer != kNoRouter) {
    router = group_below(on == "member" ? around.mounts.front().parent : around.outer,
                         on == "member" ? around.member : around.collection);
  }
  if (controller.empty()) controller = around.controller;
  for (const Piece& path : paths) {
    bool is_computed = false;
    const std::string text = constant(*file_, path, is_computed);
    const std::string leads =
        handler.empty() ? usual_handler(router, text, controller, action) : handler;
    for (const std::string& method : methods) {
      const std::string name = method_named(method);
      add_path(router, name == "ALL" ? "ANY" : name, with_slash(text), leads, is_computed);
    }
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
    while ((is_shallow || around.is_shallow) && !graph_[base].member.empty())
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
    if (arguments.block != nullptr || arguments.option("concerns") != nullptr) {
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
      if (arguments.block != nullptr) read_block(*arguments.block, below);
      if (arguments.option("concerns") != nullptr) use_concerns(piece, below);
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
