// Tested by graph/routes_test.cpp.
#include "graph/routes/annotated_routes.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/path.h"
#include "base/text.h"
#include "graph/stored/repository_map.h"
#include "text/line_index.h"

namespace codexmem::graph {

using parse::Piece;
using parse::PieceKind;

namespace {

struct Annotated {
  std::vector<std::string> paths, methods;
  std::vector<std::pair<std::string, std::string>> routes;  // method and path of one annotation
  std::string_view framework;
  bool has_verb = false, is_computed = false;
};

// What the annotations of a class or method say together.
Annotated annotated(RouterReader& reader, const RouterReader::File& file, const Piece& definition) {
  Annotated said;
  for (const Piece& each : definition.parts) {
    if (each.kind != PieceKind::kCall) continue;
    const auto rules = annotation_rules();
    const auto rule = std::ranges::find_if(rules, [&](const AnnotationRule& one) {
      return is_listed(one.family, file.family) && one.name == each.name;
    });
    if (rule == rules.end()) continue;
    if (said.framework.empty()) said.framework = rule->framework;
    said.has_verb = said.has_verb || !rule->method.empty();
    const std::size_t first = said.paths.size();
    const auto add_path = [&](const Piece& piece) {
      const auto add = [&](const Piece& one) {
        said.paths.push_back(reader.constant(file, one, said.is_computed));
      };
      if (piece.kind != PieceKind::kList) return add(piece);
      for (const Piece& one : piece.parts) add(one);
    };
    bool is_first = true;
    for (const Piece& part : each.parts) {
      // Nest's @Controller({path: "x"})
      if (part.kind == PieceKind::kList && !part.parts.empty() &&
          part.parts.front().kind == PieceKind::kPair) {
        for (const Piece& pair : part.parts) {
          if (pair.name == "path" && !pair.parts.empty()) add_path(pair.parts.front());
        }
      } else if (part.kind != PieceKind::kPair) {
        if (is_first) add_path(part);
        is_first = false;
      } else if (!part.parts.empty()) {
        const Piece& value = part.parts.front();
        if (is_one_of(part.name, {"value", "path", "template"})) add_path(value);
        if (is_one_of(part.name, {"method", "methods"})) {
          if (value.kind != PieceKind::kList) said.methods.push_back(method_named(value.name));
          for (const Piece& one : value.parts) said.methods.push_back(method_named(one.name));
        }
      }
    }
    if (rule->method.empty()) continue;
    if (said.paths.size() == first) said.methods.emplace_back(rule->method);
    for (std::size_t i = first; i < said.paths.size(); ++i) {
      said.routes.emplace_back(rule->method, std::move(said.paths[i]));
    }
    said.paths.resize(first);
  }
  return said;
}

const Piece* definition_at(const std::vector<Piece>& pieces, std::uint32_t offset) {
  for (const Piece& piece : pieces) {
    if (piece.kind != PieceKind::kDefinition) continue;
    if (piece.at == offset) return &piece;
    if (const Piece* const found = definition_at(piece.inside, offset)) return found;
  }
  return nullptr;
}

// The annotations of a class, or else of the nearest type above it.
Annotated annotated_type(RouterReader& reader, const RouterReader::File& file, const Piece& type,
                         int depth) {
  Annotated said = annotated(reader, file, type);
  const std::uint32_t symbol = file.model->symbol_named_at(type.at);
  if (!said.paths.empty() || depth == 0 || symbol == parse::kNoIndex) return said;
  for (const Entity& above : reader.resolver().supertypes(*file.model, symbol)) {
    if (!is_known(above) || (above.kind != EntityKind::kSymbol && !is_instance(above))) continue;
    const RouterReader::File* const holder = reader.load(above.file->id);
    const Piece* const found =
        holder == nullptr ? nullptr
                          : definition_at(holder->pieces, symbol_of(above).name_range.begin);
    if (found == nullptr) continue;
    Annotated inherited = annotated_type(reader, *holder, *found, depth - 1);
    if (!inherited.paths.empty()) return inherited;
  }
  return said;
}

std::string with_names(std::string path, std::string_view type, std::string_view method) {
  if (type.ends_with("Controller")) type.remove_suffix(10);
  for (const auto& [word, name] :
       {std::pair<std::string_view, std::string_view>{"[controller]", type},
        {"[action]", method}}) {
    if (const std::size_t at = path.find(word); at != std::string::npos) {
      path.replace(at, word.size(), name);
    }
  }
  return path;
}

// "~/x" and "/x" of ASP.NET do not stand below the class's path.
bool is_whole(std::string_view framework, std::string_view path) {
  return framework == "ASP.NET" && (path.starts_with("~/") || path.starts_with('/'));
}

void add_class(RouterReader& reader, const RouterReader::File& file, const Piece& type,
               const LineIndex& lines, std::vector<Route>& routes) {
  constexpr int kMaxTypesAbove = 5;
  const Annotated above = annotated_type(reader, file, type, kMaxTypesAbove);
  const std::vector<std::string> none{""};
  for (const Piece& member : type.inside) {
    if (member.kind != PieceKind::kDefinition) continue;
    if (member.is_type) {
      add_class(reader, file, member, lines, routes);
      continue;
    }
    Annotated own = annotated(reader, file, member);
    if (own.framework.empty()) continue;
    if (own.framework == "JAX-RS" && !own.has_verb) continue;
    if (own.framework == "ASP.NET" && own.paths.empty() && own.routes.empty() &&
        above.paths.empty()) {
      reader.count_not_read("an action without a path, which conventions route");
      continue;
    }
    if (own.routes.empty() || !own.paths.empty() || !own.methods.empty()) {
      if (own.methods.empty()) own.methods.emplace_back("ANY");
      for (const std::string& path : own.paths.empty() ? none : own.paths) {
        for (const std::string& method : own.methods) own.routes.emplace_back(method, path);
      }
    }
    for (const std::string& prefix : above.paths.empty() ? none : above.paths) {
      for (const auto& [method, path] : own.routes) {
        std::string all = is_whole(own.framework, path) ? path.substr(path.starts_with('~') ? 1 : 0)
                                                        : joined_path(prefix, path);
        all = with_names(std::move(all), type.name, member.name);
        if (!all.starts_with('/')) all = "/" + all;
        routes.push_back({method, std::move(all),
                          std::string(type.name) + "." + std::string(member.name),
                          std::string(own.framework), file.row->path, lines.line_of(member.at),
                          above.is_computed || own.is_computed ? "computed" : ""});
      }
    }
  }
}

bool is_http_method(std::string_view name) {
  return is_one_of(name, {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"});
}

// The path of a file's folder or name within a router's folder; nothing when it is not a route.
std::optional<std::string> placed_path(std::string_view inner) {
  std::string path;
  for (const std::string_view part : split(inner, '/')) {
    if (part.empty()) continue;
    if (part.starts_with('_') || part.starts_with("(.")) return std::nullopt;
    if ((part.starts_with('(') && part.ends_with(')')) || part.starts_with('@')) continue;
    path += "/" + std::string(part);
  }
  return path.empty() ? "/" : path;
}

}  // namespace

std::string global_prefix(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.kind == PieceKind::kCall && piece.name == "setGlobalPrefix" && !piece.parts.empty() &&
        piece.parts.front().kind == PieceKind::kText) {
      return std::string(piece.parts.front().name);
    }
    for (const auto* const within : {&piece.inside, &piece.parts, &piece.receiver}) {
      if (std::string found = global_prefix(*within); !found.empty()) return found;
    }
  }
  return {};
}

void add_annotated(RouterReader& reader, const RouterReader::File& file, std::string_view prefix,
                   std::vector<Route>& routes) {
  const std::size_t first = routes.size();
  const LineIndex lines(file.text);
  const auto search = [&](const auto& self, const std::vector<Piece>& pieces) -> void {
    for (const Piece& piece : pieces) {
      if (piece.kind != PieceKind::kDefinition) continue;
      if (piece.is_type)
        add_class(reader, file, piece, lines, routes);
      else
        self(self, piece.inside);
    }
  };
  search(search, file.pieces);
  for (std::size_t i = first; i < routes.size() && !prefix.empty(); ++i) {
    routes[i].path =
        joined_path(prefix.starts_with('/') ? prefix : "/" + std::string(prefix), routes[i].path);
    while (routes[i].path.size() > 1 && routes[i].path.ends_with('/')) routes[i].path.pop_back();
  }
}

void add_placed(RouterReader& reader, const FileTable& files, std::vector<Route>& routes) {
  // The folders of programs, by their configuration.
  std::set<std::string> roots;
  for (const store::FileRow& row : files.rows()) {
    if (file_stem(row.path) == "next.config") {
      const std::string_view folder = folder_of(row.path);
      roots.insert(folder.empty() ? "" : std::string(folder) + "/");
    }
  }
  if (roots.empty()) return;
  for (const store::FileRow& row : files.rows()) {
    const std::string_view name = file_name(row.path);
    const std::string_view stem = file_stem(row.path);
    if (!is_main_file(row) ||
        !is_one_of(name.substr(name.rfind('.') + 1), {"ts", "tsx", "js", "jsx"})) {
      continue;
    }
    for (const std::string& root : roots) {
      if (!row.path.starts_with(root)) continue;
      std::string_view inner = std::string_view(row.path).substr(root.size());
      if (inner.starts_with("src/")) inner.remove_prefix(4);
      const bool is_app = inner.starts_with("app/"), is_page = inner.starts_with("pages/");
      if (!is_app && !is_page) continue;
      inner.remove_prefix(is_app ? 4 : 6);
      std::string_view place = folder_of(inner);
      if (is_app && stem != "route" && stem != "page") continue;
      std::string own(place);
      if (is_page && stem != "index") own += "/" + std::string(stem);
      const auto path = placed_path(own);
      if (!path || (is_page && is_one_of(stem, {"404", "500"}))) continue;
      const FileModel* const model = reader.resolver().model(row.id);
      if (model == nullptr) continue;
      std::set<std::string> methods;
      std::string handler;
      for (const parse::Export& each : model->facts.exports) {
        const std::string& exported = model->name(each.exported);
        if (is_app && stem == "route" && is_http_method(exported)) methods.insert(exported);
        if (exported == "default" && each.local != parse::kNoIndex)
          handler = model->name(each.local);
        if (exported == "default" && each.symbol != parse::kNoIndex) {
          handler = model->facts.symbols[each.symbol].name;
        }
      }
      if (!(is_app && stem == "route")) {
        methods.insert(is_page && path->starts_with("/api") ? "ANY" : "GET");
      }
      for (const std::string& method : methods) {
        routes.push_back({method, *path, is_app && stem == "route" ? method : handler, "Next.js",
                          row.path, 1, ""});
      }
      break;
    }
  }
}

}  // namespace codexmem::graph
