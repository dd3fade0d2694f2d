// Each form of declaration has a reader of its own over the outlines of files (EntryReader).
//
// Tested by graph/entry_points_test.cpp; tried on real programs in bench/routes.md.
#include "graph/routes/entry_points.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/subtypes.h"
#include "graph/routes/entry_rules.h"
#include "graph/routes/framework_files.h"
#include "graph/stored/repository_map.h"
#include "parse/walk/outline.h"
#include "text/line_index.h"

namespace codexmem::graph {
namespace {

using parse::Piece;
using parse::PieceKind;

constexpr std::size_t kMaxBases = 1000;  // whose subtypes are looked for

std::string_view last_name(std::string_view name) {
  const std::size_t end = name.find_last_of(".:");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

// "serve [flags]", "build:all <dir>": what is typed.
std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t\n[<{("));
}

// AddUser: add-user.
std::string with_hyphens(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if (is_upper(c) && !made.empty()) made += '-';
    made += c == '_' ? '-' : to_lower(c);
  }
  return made;
}

// Calls `visit` with each piece, the outer before the inner, and the definition around it.
template <typename Visit>
void visit_pieces(const std::vector<Piece>& pieces, const Piece* around, const Visit& visit) {
  for (const Piece& piece : pieces) {
    visit(piece, around);
    const Piece* const inner = piece.kind == PieceKind::kDefinition ? &piece : around;
    visit_pieces(piece.parts, inner, visit);
    visit_pieces(piece.receiver, inner, visit);
    visit_pieces(piece.inside, inner, visit);
  }
}

const Piece* first_text(const Piece& call) {
  const auto found = std::ranges::find(call.parts, PieceKind::kText, &Piece::kind);
  return found == call.parts.end() || found->is_computed ? nullptr : &*found;
}

// The value of the first pair with a name of `names` among `pieces`.
const Piece* option(const std::vector<Piece>& pieces, std::string_view names) {
  for (const Piece& piece : pieces) {
    if (piece.kind == PieceKind::kPair && is_listed(names, piece.name) && !piece.parts.empty()) {
      return &piece.parts.front();
    }
  }
  return nullptr;
}

// Whether a call is one of `names`: "f", ".f" on anything, "A.f" on A.
bool is_called(std::string_view names, const Piece& call) {
  const std::string_view on =
      call.receiver.empty() ? std::string_view() : last_name(call.receiver.front().name);
  return std::ranges::any_of(split(names, ','), [&](std::string_view each) {
    const std::size_t dot = each.find('.');
    if (dot == std::string_view::npos) return each == call.name;
    return each.substr(dot + 1) == call.name && !call.receiver.empty() &&
           (dot == 0 || each.substr(0, dot) == on);
  });
}

// Reads one file by one rule.
class EntryReader {
 public:
  EntryReader(const EntryRule& rule, const store::FileRow& row, const FileModel& model,
              std::string_view text, const std::vector<Piece>& pieces, char separator,
              std::vector<EntryPoint>& found)
      : rule_(rule),
        row_(row),
        model_(model),
        text_(text),
        pieces_(pieces),
        separator_(separator),
        found_(found) {}

  void read() {
    switch (rule_.form) {
      case EntryForm::kDecorator:
        return read_decorators();
      case EntryForm::kAbove:
        return read_types();
      case EntryForm::kInside:
        return read_inside(pieces_, {});
      case EntryForm::kCall:
        return read_calls(pieces_, {});
      case EntryForm::kTable:
        return read_tables();
      case EntryForm::kVariants:
        return read_variants();
      case EntryForm::kPlace:
        return read_place();
    }
  }

  // The types that the rule's names stand above.
  const std::vector<std::uint32_t>& types() const { return types_; }

  // A base class of commands or tasks is not one itself.
  void add_type(std::uint32_t symbol) {
    const parse::Symbol& type = model_.facts.symbols[symbol];
    std::string_view line = text_.substr(0, type.name_range.begin);
    line.remove_prefix(line.rfind('\n') + 1);  // 0 without one
    if (is_listed(rule_.names, type.name) || line.find("abstract ") != std::string_view::npos) {
      return;
    }
    std::string name(type.name);
    if (!rule_.option.empty()) {
      name = named_in(type);
    } else if (!rule_.framework.paths.empty()) {
      name = place();
      constexpr std::string_view kIndex = "/index";
      if (name.ends_with(kIndex)) name.resize(name.size() - kIndex.size());
      std::ranges::replace(name, '/', separator_);
    }
    add(name, type.name, type.name_range.begin);
  }

 private:
  void add(std::string_view name, std::string_view handler, std::uint32_t offset) {
    if (name.empty()) return;
    if (!lines_) lines_.emplace(text_);
    found_.push_back({std::string(rule_.kind), std::string(name), std::string(handler),
                      std::string(rule_.framework.name), row_.path, lines_->line_of(offset)});
  }

  // The path of the file below the framework's folder.
  std::string_view place() const {
    for (const std::string_view each : split(rule_.framework.paths, ',')) {
      const std::size_t at = row_.path.find(each);
      if (each.ends_with('/') && at != std::string::npos) {
        const std::string_view inner = std::string_view(row_.path).substr(at + each.size());
        return inner.substr(0, inner.rfind('.'));
      }
    }
    return {};
  }

  static std::string method_name(const Piece& definition, const Piece* around) {
    std::string name(definition.name);
    if (around != nullptr && around->is_type && !definition.is_type) {
      name = std::string(around->name) + "." + name;
    }
    return name;
  }

  void read_decorators() {
    // A group's functions by name: the commands below it have its name before theirs.
    std::map<std::string_view, std::string> groups;
    visit_pieces(pieces_, nullptr, [&](const Piece& piece, const Piece*) {
      if (piece.kind != PieceKind::kCall || piece.name != "add_typer" || piece.parts.empty())
        return;
      const Piece* const name = option(piece.parts, "name");
      if (name != nullptr) groups[piece.parts.front().name] = std::string(name->name) + " ";
    });
    visit_pieces(pieces_, nullptr, [&](const Piece& piece, const Piece* around) {
      if (piece.kind != PieceKind::kDefinition) return;
      for (const Piece& decorator : piece.parts) {
        if (decorator.kind == PieceKind::kCall && is_called(rule_.names, decorator)) {
          add_decorated(decorator, piece, around, groups);
        }
      }
    });
  }

  void add_decorated(const Piece& decorator, const Piece& piece, const Piece* around,
                     std::map<std::string_view, std::string>& groups) {
    const std::string handler = method_name(piece, around);
    const Piece* named = option(decorator.parts, rule_.option);
    const bool is_command = rule_.kind == "command";
    if (named == nullptr && is_command) named = first_text(decorator);
    std::string name = named != nullptr && named->kind == PieceKind::kText
                           ? std::string(first_word(named->name))
                       : is_command && !piece.is_type && rule_.framework.family == "python"
                           ? with_hyphens(piece.name)
                           : handler;
    const std::string_view on =
        decorator.receiver.empty() ? std::string_view() : decorator.receiver.front().name;
    if (const auto group = groups.find(on); group != groups.end()) {
      name = group->second + name;
    } else if (around != nullptr && std::ranges::find(around->parameters, on, &Piece::name) !=
                                        around->parameters.end()) {
      name = std::string(on) + " " + name;  // a group that the function is given
    }
    if (decorator.name == "group") {
      // What the framework's own module makes is the program.
      const bool is_root = on.empty() || is_listed(rule_.framework.modules, on);
      groups[piece.name] = is_root ? "" : name + " ";
      return;
    }
    add(name, handler, piece.at);
  }

  // Whether the supertype at an occurrence is one of the rule's.
  bool is_above(const parse::Heritage& heritage) const {
    const parse::Occurrence& above = model_.facts.occurrences[heritage.occurrence];
    const std::string& last = model_.name(above.name);
    const std::string_view until = text_.substr(0, above.offset + last.size());
    return std::ranges::any_of(split(rule_.names, ','), [&](std::string_view each) {
      return last_name(each) == last && (each == last || until.ends_with(each));
    });
  }

  void read_types() {
    for (std::uint32_t symbol = 0; symbol < model_.facts.symbols.size(); ++symbol) {
      const auto all = model_.heritage_of(symbol);
      if (std::ranges::none_of(all, [&](const auto* each) { return is_above(*each); })) continue;
      types_.push_back(symbol);
      add_type(symbol);
    }
  }

  // The text of a member that holds the name of a type's command.
  std::string named_in(const parse::Symbol& type) const {
    std::string name;
    visit_pieces(pieces_, nullptr, [&](const Piece& piece, const Piece* around) {
      if (around == nullptr || around->at != type.name_range.begin || !name.empty()) return;
      if (piece.kind != PieceKind::kAssignment || !is_listed(rule_.option, piece.name)) return;
      if (!piece.parts.empty() && piece.parts.front().kind == PieceKind::kText) {
        name = first_word(piece.parts.front().name);
      }
    });
    return name;
  }

  // In Ruby's classes, and in what Elixir's `defmodule` defines.
  void read_inside(const std::vector<Piece>& pieces, const Piece& around) {
    for (const Piece& piece : pieces) {
      if (piece.kind == PieceKind::kCall && is_one_of(piece.name, {"include", "use"}) &&
          !piece.parts.empty() && is_listed(rule_.names, piece.parts.front().name)) {
        constexpr std::string_view kMix = "Mix.Tasks.";
        std::string name(around.name);
        if (name.starts_with(kMix)) name = with_dots(name.substr(kMix.size()));
        add(name, around.name, around.at);
      }
      if (piece.kind == PieceKind::kDefinition && piece.is_type) {
        read_inside(piece.inside, piece);
      } else if (piece.name == "defmodule" && !piece.parts.empty()) {
        for (const Piece& part : piece.parts) read_inside(part.inside, piece.parts.front());
      } else {
        read_inside(piece.inside, around);
        for (const Piece& part : piece.parts) read_inside(part.inside, around);
      }
    }
  }

  // Phx.Gen.AuthToken: phx.gen.auth_token, as Mix calls it.
  static std::string with_dots(std::string_view module) {
    std::string made;
    for (const char c : module) {
      if (is_upper(c) && !made.empty() && made.back() != '.') made += '_';
      made += to_lower(c);
    }
    return made;
  }

  // `below`: Rake's namespaces.
  void read_calls(const std::vector<Piece>& pieces, const std::string& below) {
    for (const Piece& piece : pieces) {
      std::string inner = below;
      if (piece.kind == PieceKind::kCall && is_called(rule_.names, piece)) {
        add_call(piece, below);
      } else if (piece.kind == PieceKind::kCall && piece.name == "namespace" &&
                 !piece.parts.empty()) {
        inner += std::string(piece.parts.front().name) + ":";
      }
      read_calls(piece.parts, inner);
      read_calls(piece.receiver, inner);
      read_calls(piece.inside, inner);
    }
  }

  void add_call(const Piece& call, const std::string& below) {
    if (call.parts.empty()) return;
    const Piece* first = &call.parts.front();
    std::string_view name = first->name;
    // Rake's `task name: :needed` and `task :name => :needed`; yargs' list of names.
    if (first->kind == PieceKind::kList && !first->parts.empty()) first = &first->parts.front();
    if (first->kind == PieceKind::kPair || first->kind == PieceKind::kText) name = first->name;
    const bool is_text = first->kind == PieceKind::kText && !first->is_computed;
    if (!is_text && first->kind != PieceKind::kPair) return;
    if (row_.language == "rust" && !is_of_module(call)) return;
    std::string_view handler;
    if (call.parts.size() > 1 && call.parts[1].kind == PieceKind::kName) {
      handler = call.parts[1].name;
    }
    add(below + std::string(first_word(name)), handler, call.at);
  }

  // Of a type with a name that others have too (std::process::Command).
  bool is_of_module(const Piece& call) const {
    const std::string_view on = call.receiver.empty() ? "" : call.receiver.front().name;
    if (on.find(':') != std::string_view::npos) return on.starts_with(rule_.framework.modules);
    return std::ranges::any_of(model_.facts.imports, [&](const parse::Import& each) {
      return each.path.starts_with(rule_.framework.modules) &&
             (last_name(each.path) == on ||
              std::ranges::any_of(each.names, [&](const parse::ImportedName& name) {
                return name.local != parse::kNoIndex && model_.name(name.local) == on;
              }));
    });
  }

  void read_tables() {
    visit_pieces(pieces_, nullptr, [&](const Piece& piece, const Piece*) {
      if (piece.kind != PieceKind::kList) return;
      const Piece* const name = option(piece.parts, rule_.option);
      if (name == nullptr || name->kind != PieceKind::kText) return;
      if (!rule_.names.empty() && option(piece.parts, rule_.names) == nullptr) return;
      const Piece* const handler = option(piece.parts, rule_.handler);
      const bool is_named = handler != nullptr && handler->kind == PieceKind::kName;
      add(first_word(name->name), is_named ? handler->name : std::string_view(), name->at);
    });
  }

  void read_variants() {
    visit_pieces(pieces_, nullptr, [&](const Piece& piece, const Piece*) {
      if (piece.kind != PieceKind::kDefinition || !piece.is_type) return;
      const bool is_derived = std::ranges::any_of(piece.parts, [&](const Piece& each) {
        return each.name == "derive" && std::ranges::any_of(each.parts, [&](const Piece& part) {
                 return is_listed(rule_.names, last_name(part.name));
               });
      });
      if (!is_derived) return;
      for (const Piece& variant : piece.inside) {
        if (variant.kind == PieceKind::kDefinition && !variant.is_type) {
          add(variant_name(variant), variant.name, variant.at);
        }
      }
    });
  }

  // #[command(name = "x")]: a name, then a text.
  std::string variant_name(const Piece& variant) const {
    for (const Piece& each : variant.parts) {
      const Piece* before = nullptr;
      for (const Piece& part : each.parts) {
        if (is_one_of(part.name, {"external_subcommand", "skip", "flatten"})) return {};
        if (before != nullptr && before->name == rule_.option && part.kind == PieceKind::kText) {
          return std::string(part.name);
        }
        before = &part;
      }
    }
    return with_hyphens(variant.name);
  }

  void read_place() {
    const std::string_view name = place();
    if (name.starts_with('_')) return;
    for (const parse::Symbol& symbol : model_.facts.symbols) {
      if (symbol.name != rule_.names) continue;
      return add(name, symbol.name, symbol.name_range.begin);
    }
    for (const parse::Import& each : model_.facts.imports) {
      for (const parse::ImportedName& imported : each.names) {
        if (imported.local == parse::kNoIndex || model_.name(imported.local) != rule_.names)
          continue;
        return add(name, rule_.names, imported.offset);
      }
    }
  }

  const EntryRule& rule_;
  const store::FileRow& row_;
  const FileModel& model_;
  std::string_view text_;
  const std::vector<Piece>& pieces_;
  const char separator_;  // of oclif's names
  std::vector<EntryPoint>& found_;
  std::optional<LineIndex> lines_;
  std::vector<std::uint32_t> types_;
};

class EntrySearch {
 public:
  EntrySearch(FactsCache& cache, store::CodeReader& reader, const FileTable& files)
      : reader_(reader), files_(files), resolver_(cache.impl(), reader) {}

  Result<EntryPoints> run(const std::stop_token& stop) {
    for (const EntryRule& rule : entry_rules()) CODEXMEM_TRY(add_files(rule));
    CODEXMEM_TRY(read_separator());
    for (const auto& [row, rules] : read_for_) CODEXMEM_TRY(read(*row, rules, stop));
    CODEXMEM_ASSIGN(const auto below, files_below(stop));
    for (const auto& [row, rules] : below) CODEXMEM_TRY(read(*row, rules, stop));
    CODEXMEM_TRY(resolver_.status());
    std::ranges::sort(found_.list, {}, [](const EntryPoint& each) {
      return std::tie(each.kind, each.framework, each.file, each.line, each.name);
    });
    return std::move(found_);
  }

 private:
  // In the order of the table; with the types to add, of a rule that has found what is above them.
  using Rules = std::map<const EntryRule*, std::vector<std::uint32_t>>;

  // The types below those that were found, which are in other files.
  Result<std::map<const store::FileRow*, Rules>> files_below(const std::stop_token& stop) {
    std::map<const store::FileRow*, Rules> below;
    std::set<std::pair<const FileModel*, std::uint32_t>> seen;
    for (const Type& type : types_) seen.emplace(type.file, type.symbol);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "stopped"};
      if (i == kMaxBases) {
        found_.not_read = "classes below more than a thousand others";
        break;
      }
      const Type type = types_[i];
      for (const Entity& each : subtypes(resolver_, *type.file, type.symbol)) {
        if (!is_known(each) || each.file == nullptr) continue;
        if (!seen.emplace(each.file, each.index).second) continue;
        types_.push_back({each.file, each.index, type.rule});
        const store::FileRow* const row = files_.find(each.file->id);
        if (row != nullptr && is_main_file(*row)) below[row][type.rule].push_back(each.index);
      }
    }
    return below;
  }

  // How a program of oclif joins the parts of a name.
  Result<void> read_separator() {
    const store::FileRow* const package = files_.find("package.json");
    if (package == nullptr) return {};
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(package->id));
    const std::string text = content.value_or("");
    const std::size_t at = text.find("\"topicSeparator\"");
    if (at != std::string::npos && text.substr(at, 30).find("\" \"") != std::string::npos) {
      separator_ = ' ';
    }
    return {};
  }

  Result<void> add_files(const EntryRule& rule) {
    FrameworkFiles files(resolver_, reader_, files_);
    Framework framework = rule.framework;
    if (rule.has_spread) framework.paths = {};  // a place alone does not make it this framework
    CODEXMEM_ASSIGN(auto rows, files.of(framework, CodeOf::kProgram));
    if (rule.has_spread && !rows.empty()) {
      std::string words;
      for (const std::string_view each : split(rule.names, ',')) {
        words += (words.empty() ? "" : ",") + std::string(last_name(each));
      }
      const Framework named = {rule.framework.name, rule.framework.family, words, "", ""};
      CODEXMEM_ASSIGN(rows, files.of(named, CodeOf::kProgram));
    }
    for (const store::FileRow* row : rows) read_for_[row][&rule];
    return {};
  }

  Result<void> read(const store::FileRow& row, const Rules& rules, const std::stop_token& stop) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "stopped"};
    const FileModel* const model = resolver_.model(row.id);
    const parse::Language* const language = parse::find_language(row.language);
    if (model == nullptr || language == nullptr) return {};
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(row.id));
    const std::string text = content.value_or("");
    const std::vector<Piece> pieces = parse::read_outline(*language, text);
    for (const auto& [rule, types] : rules) {
      std::vector<EntryPoint> found;
      EntryReader file(*rule, row, *model, text, pieces, separator_, found);
      for (const std::uint32_t type : types) file.add_type(type);
      if (types.empty()) file.read();
      for (const std::uint32_t type : file.types()) types_.push_back({model, type, rule});
      for (EntryPoint& each : found) {
        const bool is_new = seen_.emplace(each.file, each.line, each.name).second;
        if (is_new) found_.list.push_back(std::move(each));
      }
    }
    return {};
  }

  store::CodeReader& reader_;
  const FileTable& files_;
  Resolver resolver_;
  char separator_ = ':';
  std::map<const store::FileRow*, Rules> read_for_;  // most files name one framework
  struct Type {
    const FileModel* file = nullptr;
    std::uint32_t symbol = 0;
    const EntryRule* rule = nullptr;
  };
  std::vector<Type> types_;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> seen_;  // by two rules
  EntryPoints found_;
};

}  // namespace

Result<EntryPoints> find_entry_points(FactsCache& cache, store::CodeReader& reader,
                                      const std::stop_token& stop) {
  CODEXMEM_ASSIGN(const auto files, cache.files(reader));
  return EntrySearch(cache, reader, *files).run(stop);
}

}  // namespace codexmem::graph
