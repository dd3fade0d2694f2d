// One pass over the pieces of a file. Names lead to routers through the scopes of the file, and
// else through the resolver, by the place where they are defined; so the order of files does not
// matter. A function is read once, with a router for each parameter: each call mounts these below
// the routers that it passes.
//
// Tested by graph/routes_test.cpp.
#include "graph/routes/router_reader.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/stored/repository_map.h"

namespace codexmem::graph {

using parse::Piece;
using parse::PieceKind;

namespace {

constexpr std::uint32_t kWholeFile = 0xFFFFFFFF;  // the offset of what a file exports as a whole
constexpr int kMaxReaderDepth = 150;
constexpr std::size_t kMaxSteps = 5'000'000;  // calls and names; jellyfin needs 0.2 million

bool is_create(RouteAct act) { return act == RouteAct::kCreate || act == RouteAct::kCreateRoot; }

}  // namespace

RouterReader::Arguments::Arguments(const Piece& given) : call(given) {
  for (const Piece& part : given.parts) {
    if (part.kind != PieceKind::kPair) plain.push_back(&part);
  }
  if (!plain.empty() && plain.back()->kind == PieceKind::kFunction) block = plain.back();
}

const Piece* RouterReader::Arguments::option(std::string_view name) const {
  if (name.empty()) return nullptr;
  const auto find = [&](const std::vector<Piece>& in) -> const Piece* {
    for (const Piece& each : in) {
      if (each.kind == PieceKind::kPair && each.name == name && !each.parts.empty()) {
        return &each.parts.front();
      }
    }
    return nullptr;
  };
  if (const Piece* const found = find(call.parts)) return found;
  for (const Piece* const each : plain) {
    if (each->kind != PieceKind::kList) continue;
    if (const Piece* const found = find(each->parts)) return found;
  }
  return nullptr;
}

const RouterReader::File* RouterReader::load(store::FileId id) {
  auto& kept = loaded_[id];
  if (kept != nullptr) return kept->row == nullptr ? nullptr : kept.get();
  kept = std::make_unique<File>();
  const store::FileRow* const row = files_.find(id);
  const parse::Language* const language =
      row == nullptr ? nullptr : parse::find_language(row->language);
  if (language == nullptr || !language->has_grammar) return nullptr;
  auto text = reader_.find_content(id);
  if (!text.ok()) return nullptr;
  kept->text = std::move(*text).value_or("");
  kept->family = language->family.empty() ? language->name : language->family;
  kept->pieces = parse::read_outline(*language, kept->text);
  kept->model = resolver_.model(id);
  if (kept->model == nullptr) return nullptr;
  kept->row = row;
  return kept.get();
}

Result<void> RouterReader::read(const store::FileRow& row, const Framework& framework) {
  CODEXMEM_TRY(go_on());
  if (!read_.insert(row.id).second) return {};
  const File* const file = load(row.id);
  CODEXMEM_TRY(resolver_.status());
  if (file == nullptr) return {};
  file_ = file;
  framework_ = &framework;
  scopes_.assign(1, {});
  blocks_.clear();
  functions_around_.clear();
  // In some languages a file is a block.
  if (has_blocks(file->family) || file->family == "php") {
    const int whole = router_by({row.id, kWholeFile});
    graph_[whole].framework = framework_;
    graph_[whole].is_server = graph_[whole].mounts.empty();
    if (graph_[whole].mounts.empty() && row.path.ends_with("routes/api.php")) {
      graph_[whole].prefix = "/api";  // as Laravel does
    }
    blocks_.push_back(whole);
  }
  walk(file->pieces);
  return resolver_.status();
}

void RouterReader::follow(store::FileId file, int router) {
  if (router != kNoRouter && !read_.contains(file)) followed_.push_back({file, router, framework_});
}

Result<void> RouterReader::read_followed() {
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const Followed& each : std::exchange(followed_, {})) {
      if (read_.contains(each.file)) continue;
      if (each.router != kNoRouter && !graph_.is_live(each.router)) {
        followed_.push_back(each);
        continue;
      }
      is_new = true;
      const store::FileRow* const row = files_.find(each.file);
      if (row != nullptr) CODEXMEM_TRY(read(*row, *each.framework));
    }
  }
  return {};
}

// ---- Names

std::optional<RouterReader::Key> RouterReader::key_at(std::uint32_t offset) {
  const std::uint32_t occurrence = file_->model->occurrence_at(offset);
  if (occurrence == parse::kNoIndex) return std::nullopt;
  for (const Entity& entity : resolver_.resolve(*file_->model, occurrence)) {
    if (entity.file == nullptr || is_of_library(entity)) continue;
    const store::FileId id = entity.file->id;
    switch (entity.kind) {
      case EntityKind::kSymbol:
        if (symbol_of(entity).name_range.empty()) return Key{id, kWholeFile};
        return Key{id, symbol_of(entity).name_range.begin};
      case EntityKind::kLocal:
        return Key{id, entity.file->facts.bindings[entity.index].offset};
      case EntityKind::kModule:
      case EntityKind::kFunction:
      case EntityKind::kObject:
        return Key{id, kWholeFile};
      default:
        break;
    }
  }
  return std::nullopt;
}

std::optional<store::FileId> RouterReader::required_file(const Piece& piece) {
  if (piece.name != "require" || piece.kind != PieceKind::kCall) return std::nullopt;
  const auto& imports = file_->model->facts.imports;
  for (const store::DependencyRow& row : resolver_.dependencies(file_->row->id)) {
    if (!row.target || row.import_index >= imports.size()) continue;
    const std::uint32_t at = imports[row.import_index].path_offset;
    if (at >= piece.range.begin && at < piece.range.end) return row.target;
  }
  return std::nullopt;
}

// The framework of require("express")().
const Framework* RouterReader::required_framework(const Piece& piece) const {
  if (!piece.name.empty() || piece.receiver.empty()) return nullptr;
  const Piece& call = piece.receiver.front();
  if (call.name != "require" || call.parts.empty()) return nullptr;
  for (const Framework& each : frameworks()) {
    if (each.family == file_->family && is_listed(each.modules, call.parts.front().name)) {
      return &each;
    }
  }
  return nullptr;
}

int RouterReader::router_by(const Key& given) {
  Key key = given;
  if (const auto known = defaults_.find(key.first);
      key.second == kWholeFile && known != defaults_.end()) {
    key = known->second;
  }
  const auto [found, is_new] = routers_.emplace(key, kNoRouter);
  if (is_new) found->second = graph_.add({});
  return found->second;
}

int RouterReader::parameter_of(const Key& given, std::size_t index) {
  Key key = given;
  if (const auto known = defaults_.find(key.first);
      key.second == kWholeFile && known != defaults_.end()) {
    key = known->second;
  }
  std::vector<int>& parameters = functions_[key].parameters;
  while (parameters.size() <= index) parameters.push_back(graph_.add({.framework = framework_}));
  return parameters[index];
}

int RouterReader::lookup(const Piece& piece) {
  if (const Piece* const item = item_of(piece); item != nullptr && item != &piece) {
    return evaluate(*item).router;
  }
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].find(piece.name);
    if (found != scopes_[i].end()) return found->second;
  }
  const auto key = key_at(piece.at);
  if (!key) return kNoRouter;
  if (const auto known = routers_.find(*key); known != routers_.end()) return known->second;
  if (key->first == file_->row->id && key->second != kWholeFile) return kNoRouter;
  if (!read_.contains(key->first)) return router_by(*key);
  const auto known = defaults_.find(key->first);
  return key->second == kWholeFile && known != defaults_.end() ? router_by(*key) : kNoRouter;
}

std::string RouterReader::constant(const File& file, const Piece& piece, bool& is_computed) {
  const auto by_name = [&](std::string_view name, std::uint32_t at) -> std::optional<std::string> {
    if (++depth_ > kMaxReaderDepth) return std::nullopt;
    const File* holder = &file;
    const std::size_t dot = name.find_last_of(".:");
    const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
    std::uint32_t wanted = parse::kNoIndex;
    if (at != parse::kNoIndex) {
      const File* const before = std::exchange(file_, &file);
      const auto key = key_at(at);
      file_ = before;
      if (key) {
        holder = load(key->first);
        wanted = key->second;
      }
    }
    if (holder == nullptr) return std::nullopt;
    std::optional<std::string> found;
    const auto search = [&](const auto& self, const std::vector<Piece>& pieces) -> void {
      for (const Piece& each : pieces) {
        if (found) return;
        const bool is_it = wanted == parse::kNoIndex ? each.name == last : each.at == wanted;
        if (each.kind == PieceKind::kAssignment && is_it && !each.parts.empty()) {
          const Piece& value = each.parts.front();
          if (value.kind == PieceKind::kCall || value.kind == PieceKind::kFunction) continue;
          found = constant(*holder, value, is_computed);
        }
        if (each.kind == PieceKind::kDefinition && each.is_type) self(self, each.inside);
      }
    };
    search(search, holder->pieces);
    return found;
  };
  // The offset of the last part of a name in the text.
  const auto last_at = [&](std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return static_cast<std::uint32_t>(name.data() - file.text.data()) +
           static_cast<std::uint32_t>(dot == std::string_view::npos ? 0 : dot + 1);
  };
  if (depth_ > kMaxReaderDepth) {
    is_computed = true;
    return {};
  }
  const int depth = depth_;
  std::string out;
  if (piece.kind == PieceKind::kText && !piece.is_computed) {
    out = piece.name;
  } else if (piece.kind == PieceKind::kText) {
    for (std::size_t at = 0; at < piece.name.size();) {
      const std::size_t open = piece.name.find('{', at);
      const std::size_t close = piece.name.find('}', open);
      if (close == std::string_view::npos) {
        out += piece.name.substr(at);
        break;
      }
      std::string_view before = piece.name.substr(at, open - at);
      if (before.ends_with('$') || before.ends_with('#')) before.remove_suffix(1);
      out += before;
      const std::string_view name = trim(piece.name.substr(open + 1, close - open - 1));
      const Piece* const item = item_of({.kind = PieceKind::kName, .name = name});
      const auto value =
          item != nullptr ? std::optional(constant(file, *item, is_computed))
                          : by_name(name, file.model == nullptr ? parse::kNoIndex : last_at(name));
      is_computed = is_computed || !value;
      out += value ? *value : std::string(piece.name.substr(open, close + 1 - open));
      at = close + 1;
    }
  } else if (const Piece* const item = piece.kind == PieceKind::kName ? item_of(piece) : nullptr) {
    out = constant(file, *item, is_computed);
  } else if (piece.kind == PieceKind::kName) {
    const auto value = by_name(piece.name, piece.at);
    is_computed = is_computed || !value;
    out = value ? *value : "{" + std::string(piece.name) + "}";
  } else if (piece.kind == PieceKind::kOther && piece.parts.size() > 1) {
    for (const Piece& part : piece.parts) out += constant(file, part, is_computed);
  } else {
    const auto source = std::string_view(file.text).substr(piece.range.begin, piece.range.size());
    const bool is_pattern = source.starts_with('/');
    is_computed = is_computed || !is_pattern;
    out = is_pattern ? std::string(source) : "{" + fold_whitespace(source.substr(0, 60)) + "}";
  }
  depth_ = depth;
  return out;
}

// ---- Pieces

void RouterReader::walk(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) walk_piece(piece);
}

void RouterReader::walk_piece(const Piece& piece) {
  if (depth_ > kMaxReaderDepth) return;
  ++depth_;
  const bool is_default =
      scopes_.size() == 1 && file_->family == "ecmascript" &&
      trim(std::string_view(file_->text).substr(0, piece.range.begin)).ends_with("export default");
  if (is_default) {
    Piece assigned{.kind = PieceKind::kAssignment, .name = "module.exports"};
    assigned.parts.push_back(piece);
    assign(assigned);
  } else if (piece.kind == PieceKind::kDefinition) {
    walk_definition(piece);
  } else if (piece.kind == PieceKind::kReturn) {
    for (const Piece& part : piece.parts) {
      const int router = evaluate(part).router;
      if (router == kNoRouter || functions_around_.empty()) continue;
      int& result = functions_[functions_around_.back()].result;
      if (result == kNoRouter) {
        result = router;
      } else {
        graph_.unite(result, router);
      }
      if (graph_[router].is_made) follow_users("", router);
    }
  } else {
    evaluate(piece);
  }
  --depth_;
}

void RouterReader::walk_definition(const Piece& piece) {
  const std::string name(piece.name);
  for (const Piece& decorator : piece.parts) {
    if (decorator.kind == PieceKind::kCall) evaluate_call(decorator, &name);
  }
  if (piece.is_type) return walk(piece.inside);
  const bool has_self =
      !piece.parameters.empty() && is_one_of(piece.parameters.front().name, {"self", "cls"});
  walk_function(piece, {file_->row->id, piece.name.empty() ? kWholeFile : piece.at},
                has_self ? 1 : 0);
}

// `first`: the first parameter that callers pass.
void RouterReader::walk_function(const Piece& piece, const Key& key, int first) {
  scopes_.emplace_back();
  functions_around_.push_back(key);
  for (std::size_t i = static_cast<std::size_t>(first); i < piece.parameters.size(); ++i) {
    scopes_.back()[std::string(piece.parameters[i].name)] =
        parameter_of(key, i - static_cast<std::size_t>(first));
  }
  walk(piece.inside);
  functions_around_.pop_back();
  scopes_.pop_back();
}

void RouterReader::assign(const Piece& piece) {
  if (piece.parts.empty()) return;
  const store::FileId id = file_->row->id;
  const bool is_whole = piece.name == "module.exports" || piece.name == "exports";
  const Piece* value = &piece.parts.back();
  // A plugin: its function may be wrapped.
  if (is_whole && value->kind == PieceKind::kCall && !value->parts.empty() &&
      value->parts.front().kind == PieceKind::kFunction) {
    value = &value->parts.front();
  }
  Key key{id, is_whole ? kWholeFile : piece.at};
  if (!is_whole) {
    if (const auto defined = key_at(piece.at); defined && defined->first == id) key = *defined;
  }
  if (value->kind == PieceKind::kFunction || value->kind == PieceKind::kDefinition) {
    if (value->kind == PieceKind::kDefinition && !value->name.empty() && is_whole) {
      const Key own{id, value->at};
      walk_definition(*value);
      if (const auto known = functions_.find(key); known != functions_.end()) {
        for (std::size_t i = 0; i < known->second.parameters.size(); ++i) {
          graph_.unite(known->second.parameters[i], parameter_of(own, i));
        }
      }
      defaults_[id] = own;
      return;
    }
    return walk_function(*value, key, 0);
  }
  if (is_whole && value->kind == PieceKind::kName) {
    const auto own = key_at(value->at);
    if (own && own->first == id && *own != key) {
      const auto known = routers_.find(key);
      if (known != routers_.end()) graph_.unite(known->second, router_by(*own));
      const auto function = functions_.find(key);
      if (function != functions_.end()) {
        for (std::size_t i = 0; i < function->second.parameters.size(); ++i) {
          graph_.unite(function->second.parameters[i], parameter_of(*own, i));
        }
      }
      defaults_[id] = *own;
      return;
    }
  }
  // A table of Django is a router.
  if (file_->family == "python") {
    const bool is_table =
        piece.name == "urlpatterns" ||
        (value->kind == PieceKind::kList && !value->parts.empty() &&
         value->parts.front().kind == PieceKind::kCall && value->parts.front().receiver.empty() &&
         is_one_of(value->parts.front().name, {"path", "re_path", "url"}));
    if (is_table) {
      const int table = router_by(piece.name == "urlpatterns" ? Key{id, kWholeFile} : key);
      graph_[table].framework = framework_;
      graph_[table].is_server = piece.name == "urlpatterns";
      graph_[table].is_made = true;
      blocks_.push_back(table);
      for (const Piece& part : piece.parts) {
        const auto add = [&](const Piece& each) {
          const int router = evaluate(each).router;
          if (each.kind == PieceKind::kName) graph_.mount(router, {table, ""});
        };
        if (part.kind != PieceKind::kList) add(part);
        for (const Piece& each : part.parts) {
          if (part.kind == PieceKind::kList) add(each);
        }
      }
      blocks_.pop_back();
      if (piece.name != "urlpatterns") scopes_.back()[std::string(piece.name)] = table;
      return;
    }
  }
  int router = kNoRouter;
  for (const Piece& part : piece.parts) {
    if (const int each = evaluate(part).router; each != kNoRouter) router = each;
  }
  if (router == kNoRouter) return;
  scopes_.back()[std::string(piece.name)] = router;
  // A member is set in one function and used in others.
  if (piece.name.find_first_of(".@") != std::string_view::npos) {
    scopes_.front()[std::string(piece.name)] = router;
  }
  const auto [known, is_new] = routers_.emplace(key, router);
  if (!is_new) graph_.unite(known->second, router);
  if (scopes_.size() == 1 && graph_[router].is_made) follow_users(piece.name, router);
}

// Files that import a router, or the function that makes it, may put routes into it without a word
// of the framework. `name`: of the variable; empty for any.
void RouterReader::follow_users(std::string_view name, int router) {
  for (const store::DependencyRow& row : resolver_.dependents(file_->row->id)) {
    const bool is_it = std::ranges::any_of(row.symbols, [&](const std::string& each) {
      return each == name || each == "default" || each == "*";
    });
    const store::FileRow* const source = files_.find(row.source);
    if ((is_it || name.empty()) && source != nullptr && is_main_file(*source)) {
      follow(row.source, router);
    }
  }
}

RouterReader::Value RouterReader::evaluate(const Piece& piece) {
  if (depth_ > kMaxReaderDepth) return {};
  if (++steps_ > kMaxSteps) {  // loops and concerns within others
    if (steps_ == kMaxSteps + 1) ++not_read_["code that was not read, because it is too much"];
    return {};
  }
  ++depth_;
  Value value;
  switch (piece.kind) {
    case PieceKind::kName:
      value.router = lookup(piece);
      if (value.router == kNoRouter && !piece.receiver.empty()) {  // router.urls
        const std::string_view last = piece.name.substr(piece.name.find_last_of('.') + 1);
        if (is_one_of(last, {"urls", "blueprint"})) value = evaluate(piece.receiver.front());
      }
      break;
    case PieceKind::kCall:
      value = evaluate_call(piece, nullptr);
      break;
    case PieceKind::kAssignment:
      assign(piece);
      break;
    case PieceKind::kFunction:
      walk_function(piece, {file_->row->id, piece.range.begin}, 0);
      break;
    case PieceKind::kDefinition:
    case PieceKind::kReturn:
      walk_piece(piece);
      break;
    default:
      for (const Piece& part : piece.parts) {
        if (const Value each = evaluate(part); each.router != kNoRouter) value = each;
      }
  }
  --depth_;
  return value;
}

const CallRule* RouterReader::rule_for(std::string_view name) const {
  for (const CallRule& rule : call_rules()) {
    if (rule.family == file_->family && is_listed(rule.names, name)) return &rule;
  }
  return nullptr;
}

// Go's New() is of many packages.
bool RouterReader::is_framework_call(const Piece& piece) const {
  if (file_->family != "go") return true;
  for (const Framework& each : frameworks()) {
    if (each.family != "go") continue;
    if (is_listed(each.words, piece.name)) return true;
    if (!piece.receiver.empty() && is_listed(each.words, piece.receiver.front().name)) return true;
  }
  return false;
}

RouterReader::Value RouterReader::evaluate_call(const Piece& piece, const std::string* decorated) {
  const CallRule* const rule = rule_for(piece.name);
  if (rule != nullptr && is_create(rule->act) && is_framework_call(piece)) {
    return make_router(*rule, piece);
  }
  if (walk_each(piece)) return {};
  if (const Framework* const required = required_framework(piece)) {
    const bool is_router =
        piece.receiver.front().parts.front().name.find("router") != std::string_view::npos;
    return {graph_.add({.is_server = !is_router, .is_made = true, .framework = required})};
  }
  if (rule == nullptr && is_own_block(piece)) {
    ++not_read_[std::string(piece.name) + ", a word of its own for routes"];
    const std::string prefix = "/{" + std::string(piece.name) + "}";
    read_block(piece.parts.back(), group_below(blocks_.back(), prefix, /*is_computed=*/true));
    return {};
  }
  if (rule == nullptr || is_create(rule->act)) return call_function(piece);
  Value receiver;
  if (piece.receiver.empty()) {
    const bool is_entry = rule->act == RouteAct::kTable;
    if ((has_blocks(file_->family) || is_entry) && !blocks_.empty())
      receiver.router = blocks_.back();
  } else {
    const Piece& before = piece.receiver.front();
    receiver = evaluate(before);
    if (receiver.router == kNoRouter && before.kind == PieceKind::kName) {
      const bool is_facade = file_->family == "php" && !blocks_.empty() &&
                             is_one_of(before.name, {"Route", "$router", "$app", "$this->router"});
      receiver.router = is_facade ? blocks_.back() : unknown_router(piece, *rule);
    }
  }
  if (receiver.router == kNoRouter) return call_function(piece);
  if (rule->act == RouteAct::kPass) {
    const bool before = graph_[receiver.router].is_shallow;
    graph_[receiver.router].is_shallow = before || piece.name == "shallow";
    for (const Piece& part : piece.parts) {
      if (part.kind == PieceKind::kFunction) read_block(part, receiver.router);
    }
    graph_[receiver.router].is_shallow = before;
    return receiver;
  }
  if (rule->act == RouteAct::kLimit) {
    std::vector<std::string> listed;
    for (const Piece& part : piece.parts) {
      for (std::string& each : words_of(part)) listed.push_back(std::move(each));
    }
    limit(listed, piece.name, receiver);
    return receiver;
  }
  if (rule->act == RouteAct::kMethods) {
    set_methods(piece, receiver);
    return receiver;
  }
  at_ = piece.at;
  return apply(*rule, piece, receiver.router, decorated);
}

// A block of Rails' routes that is given to a method of the program.
bool RouterReader::is_own_block(const Piece& piece) const {
  return file_->family == "ruby" && !blocks_.empty() && piece.receiver.empty() &&
         !piece.parts.empty() && piece.parts.back().kind == PieceKind::kFunction;
}

// The value in the item of a loop: x, x.path.
const Piece* RouterReader::item_of(const Piece& name) const {
  const std::size_t dot = name.name.find('.');
  const auto item = items_.find(name.name.substr(0, dot));
  if (item == items_.end()) return nullptr;
  if (dot == std::string_view::npos) return item->second;
  for (const Piece& part : item->second->parts) {
    const bool is_it = part.kind == PieceKind::kPair && part.name == name.name.substr(dot + 1);
    if (is_it && !part.parts.empty()) return &part.parts.front();
  }
  return nullptr;
}

// list.forEach((x) => ...), %w(a b).each do |x|: reads the block for each item of a list that is
// written out.
bool RouterReader::walk_each(const Piece& piece) {
  if (!is_one_of(piece.name, {"each", "forEach"}) || piece.receiver.empty()) return false;
  const Arguments arguments(piece);
  if (arguments.block == nullptr || arguments.block->parameters.size() != 1) return false;
  const Piece* list = &piece.receiver.front();
  if (list->kind == PieceKind::kName) {
    const auto defined = std::ranges::find_if(file_->pieces, [&](const Piece& each) {
      return each.kind == PieceKind::kAssignment && each.name == list->name &&
             each.parts.size() == 1;
    });
    if (defined == file_->pieces.end()) return false;
    list = &defined->parts.front();
  }
  if (list->kind != PieceKind::kList || list->parts.size() > 200) return false;
  const std::string_view name = arguments.block->parameters.front().name;
  const auto before = items_;
  for (const Piece& item : list->parts) {
    items_[name] = &item;
    walk(arguments.block->inside);
  }
  items_ = before;
  return true;
}

// A router of which only the name is known: a field, a variable of another package.
int RouterReader::unknown_router(const Piece& piece, const CallRule& rule) {
  const Piece& receiver = piece.receiver.front();
  if (framework_ == nullptr || piece.parts.empty()) return kNoRouter;
  if (!is_one_of(file_->family, {"go", "csharp", "ecmascript"})) return kNoRouter;
  if (rule.act != RouteAct::kVerb && rule.act != RouteAct::kRoute && rule.act != RouteAct::kGroup) {
    return kNoRouter;
  }
  const Piece& path = piece.parts.front();
  const bool is_path = path.kind == PieceKind::kText && path.name.find('/') != std::string::npos;
  if (!is_path || (piece.parts.size() < 2 && rule.act != RouteAct::kGroup)) return kNoRouter;
  Router router{.framework = framework_};
  router.is_server = receiver.name == "http" || file_->family == "csharp";
  if (file_->family == "ecmascript") {
    // A client has the same methods; a route has a function.
    const Piece& last = piece.parts.back();
    if (last.kind != PieceKind::kFunction) return kNoRouter;
  }
  const int made = graph_.add(std::move(router));
  scopes_.front()[std::string(receiver.name)] = made;
  return made;
}

// Passes routers to a function, and gives the router that it returns.
RouterReader::Value RouterReader::call_function(const Piece& piece) {
  std::optional<Key> key;
  int self = kNoRouter;
  if (!piece.receiver.empty()) {
    const Piece& before = piece.receiver.front();
    if (const auto file = required_file(before); piece.name.empty() && file) {
      key = Key{*file, kWholeFile};
    } else {
      self = evaluate(before).router;
    }
  }
  if (const auto file = required_file(piece)) {
    return {.router = router_by({*file, kWholeFile})};
  }
  std::vector<int> passed;
  // C#'s methods that extend a router.
  if (file_->family == "csharp" && self != kNoRouter) passed.push_back(self);
  for (const Piece& part : piece.parts) passed.push_back(evaluate(part).router);
  if (!key && !piece.name.empty()) key = key_at(piece.at);
  // The framework's own methods give what they are called on, where calls are chained so.
  if (!key) return {file_->family == "csharp" ? self : kNoRouter};
  for (std::size_t i = 0; i < passed.size(); ++i) {
    follow(key->first, passed[i]);
    if (passed[i] != kNoRouter) graph_.mount(parameter_of(*key, i), {passed[i], ""});
  }
  int& result = functions_[*key].result;
  if (result == kNoRouter) result = graph_.add({});
  return {.router = result};
}

}  // namespace codexmem::graph
