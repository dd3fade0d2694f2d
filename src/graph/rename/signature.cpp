// The plan is made in three steps. (1) The declarations: the family of a rename (rename_family.h),
// of which overloads with other numbers of parameters are left out. (2) Its uses, as references
// find them: each is a call, which gets other arguments, or an obstacle. (3) What texts and
// unread parts may hide: the rest of the account.
//
// Parameters are numbered as calls give them: without self, this and marks. The numbers of a call's
// arguments are moved by one where it gives the receiver as an argument: A.run(a, 1), A::run(a, 1).
//
// Tested by git/change_test.py, and against compilers by bench/change.
#include "graph/rename/signature.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/stop_scope.h"
#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/uses/parameters.h"
#include "graph/core/source_texts.h"
#include "graph/core/use_account.h"
#include "graph/nominal/members.h"
#include "graph/rename/outside_callers.h"
#include "graph/rename/plan_parts.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_lookups.h"
#include "graph/rename/rename_meant.h"
#include "graph/rename/rename_reach.h"
#include "graph/rename/signature_edits.h"
#include "graph/uses/quoted_uses.h"
#include "parse/walk/lists.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Role;

struct TakingFunction {
  UsageTarget at;
  parse::WrittenList list;
  std::vector<WrittenParameter> parameters;
  std::vector<std::size_t> given;  // the parameters that calls give

  // The item of the list with the given parameter `number`; behind the last: the number of items.
  std::size_t item(std::size_t number) const {
    return number < given.size() ? parameters[given[number]].item : list.items.size();
  }
  // True if the given parameter `number` and the one before share an item: (a, b int).
  bool is_joined(std::size_t number) const {
    return number > 0 && number < given.size() && item(number) == item(number - 1);
  }
};

struct Argument {
  std::string_view text, keyword;
};

class SignaturePlanner {
 public:
  SignaturePlanner(FactsCache::Impl& cache, store::CodeReader& reader, const SignatureQuery& query)
      : reader_(reader),
        query_(query),
        resolver_(cache, reader),
        texts_(reader),
        family_(resolver_),
        reach_(resolver_),
        obstacles_(texts_, query.named, plan_, /*takes_values=*/false) {}

  Result<RenamePlan> run() {
    CODEXMEM_TRY(find_declarations());
    CODEXMEM_TRY(choose_parameters());
    for (const TakingFunction& each : declarations_) CODEXMEM_TRY(change_declaration(each));
    CODEXMEM_TRY(change_calls());
    std::vector<UsageTarget> members;
    for (const TakingFunction& each : declarations_) members.push_back(each.at);
    CODEXMEM_TRY(add_files());
    CODEXMEM_TRY(finish_plan(reader_, members, plan_));
    CODEXMEM_TRY(resolver_.status());
    return std::move(plan_);
  }

 private:
  static Error wrong(std::string message) {
    return Error{ErrorCode::kInvalidArgument, std::move(message)};
  }

  // ---- 1. The declarations.

  Result<void> find_declarations() {
    CODEXMEM_ASSIGN(auto meant, find_meant(resolver_, reader_, query_.named));
    const auto is_field = [](const Entity& each) { return !is_function(*each.file, each.index); };
    if (!std::ranges::all_of(meant, is_field)) std::erase_if(meant, is_field);
    const Entity& first = meant.front();
    plan_.old_name = plan_.new_name = symbol_of(first).name;
    language_ = first.file->language;
    if (!resolves_names(first.file->family)) {
      return wrong(fmt::format("calls in {} are known by their spelling only", language_));
    }
    if (!is_function(*first.file, first.index)) {
      return wrong(plan_.old_name + " is not a function or method");
    }
    CODEXMEM_TRY(family_.add(*first.file, first.index));
    if (!std::ranges::all_of(meant, [&](const Entity& each) { return family_.holds(each); })) {
      return several_meant(query_.named, meant);
    }
    for (const UsageTarget& member : family_.members()) CODEXMEM_TRY(add_declaration(member));
    CODEXMEM_TRY(choose_overload(meant));
    for (const OutsideTie& tie : family_.ties()) {
      obstacles_.add(ObstacleKind::kOutside, *tie.member.file, name_offset(tie.member), tie.why);
    }
    for (const TakingFunction& each : declarations_) {
      const FileModel& file = *each.at.file;
      std::string why = file.semantics.tied_outside(resolver_, file, each.at.symbol);
      if (!why.empty()) {
        obstacles_.add(ObstacleKind::kOutside, file, name_offset(each.at), std::move(why));
      }
      const store::SymbolRow* row = resolver_.row_of(file, each.at.symbol);
      why = row == nullptr ? "" : file.semantics.objection_to(file, *row, plan_.old_name);
      if (!why.empty()) {
        obstacles_.add(ObstacleKind::kFixedName, file, name_offset(each.at), std::move(why));
      }
      why = row == nullptr ? "" : outside_caller(file, *row);
      if (!why.empty()) {
        obstacles_.add(ObstacleKind::kValue, file, name_offset(each.at), std::move(why));
      }
    }
    for (const TakingFunction& each : declarations_) {
      if (each.given.size() == declarations_.front().given.size()) continue;
      obstacles_.add(ObstacleKind::kArguments, *each.at.file, name_offset(each.at),
                     "this declaration takes another number of parameters");
    }
    return {};
  }

  static std::uint32_t name_offset(const UsageTarget& at) {
    return at.file->facts.symbols[at.symbol].name_range.begin;
  }

  static bool is_function(const FileModel& file, std::uint32_t symbol) {
    const parse::Symbol& at = file.facts.symbols[symbol];
    const bool is_one =
        at.type == SymbolType::kFunction || at.type == SymbolType::kMethod || at.kind == "macro" ||
        (at.term != kNoIndex && file.facts.terms[at.term].kind == parse::TermKind::kFunction);
    return is_one && !is_constructor(file, symbol);
  }

  // True in languages where a type may have a field and a method of one name.
  static bool keeps_fields_apart(const FileModel& file) {
    return is_one_of(file.language, {"java", "kotlin", "php", "rust"});
  }

  Result<void> add_declaration(const UsageTarget& member) {
    const FileModel& file = *member.file;
    const parse::Symbol& symbol = file.facts.symbols[member.symbol];
    CODEXMEM_ASSIGN(const auto* lists, lists_of(file));
    const auto list = is_function(file, member.symbol)
                          ? lists->parameters_of(symbol.name_range.begin)
                          : std::nullopt;
    if (!list || list->is_broken) {
      obstacles_.add(ObstacleKind::kArguments, file, symbol.name_range.begin,
                     "the parameters of this declaration cannot be read");
      return {};
    }
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    const bool is_method =
        symbol.type == SymbolType::kMethod && !has_modifier(member, "staticmethod");
    TakingFunction found{
        member, *list, read_parameters(*list, text->content, file.language, is_method), {}};
    for (std::size_t i = 0; i < found.parameters.size(); ++i) {
      const WrittenParameter& each = found.parameters[i];
      if (!each.is_receiver && !each.is_mark) found.given.push_back(i);
    }
    declarations_.push_back(std::move(found));
    return {};
  }

  bool has_modifier(const UsageTarget& at, std::string_view name) {
    const store::SymbolRow* row = resolver_.row_of(*at.file, at.symbol);
    return row != nullptr && row->modifiers.find(fmt::format("{}\"", name)) != std::string::npos;
  }

  // Of overloads, those with the number of parameters that is asked for.
  Result<void> choose_overload(const std::vector<Entity>& meant) {
    std::set<std::size_t> numbers;
    for (const TakingFunction& each : declarations_) {
      const Entity entity{EntityKind::kSymbol, each.at.file, each.at.symbol};
      if (std::ranges::any_of(meant, [&](const Entity& one) { return one.is_same(entity); })) {
        numbers.insert(each.given.size());
      }
    }
    if (numbers.empty()) return wrong("the parameters of " + plan_.old_name + " cannot be read");
    const bool are_distinct =
        declarations_.front().at.file->semantics.traits().overloads_are_distinct;
    if (!are_distinct && !query_.takes) return {};
    if (numbers.size() > 1 && !query_.takes) {
      std::string all;
      for (const std::size_t each : numbers) all += fmt::format(" {}", each);
      return wrong(fmt::format("{} has overloads; say how many parameters the meant one takes:{}",
                               plan_.old_name, all));
    }
    const std::size_t wanted = query_.takes.value_or(*numbers.begin());
    std::erase_if(declarations_,
                  [&](const TakingFunction& each) { return each.given.size() != wanted; });
    std::set<std::string> known;
    for (const TakingFunction& each : declarations_) {
      const parse::Symbol& symbol = each.at.file->facts.symbols[each.at.symbol];
      if (!known
               .insert(fmt::format("{} {} {}", each.at.file->path, symbol.qualified_name,
                                   symbol.body.empty()))
               .second) {
        return wrong(fmt::format("{} of {} has several overloads with {} parameters",
                                 plan_.old_name, each.at.file->path, wanted));
      }
    }
    if (!declarations_.empty()) return {};
    return wrong(fmt::format("{} has no overload with {} parameters", plan_.old_name, wanted));
  }

  // ---- What changes.

  Result<void> choose_parameters() {
    const TakingFunction& first = declarations_.front();
    const std::size_t count = first.given.size();
    if (!query_.order.empty()) {
      std::vector<std::size_t> sorted = query_.order;
      std::ranges::sort(sorted);
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != i + 1 || i >= count) {
          return wrong(
              fmt::format("the order must have each number from 1 to at most {} once", count));
        }
      }
      return {};
    }
    if (!query_.remove.empty()) {
      std::size_t number = 0;
      const char* end = query_.remove.data() + query_.remove.size();
      const bool is_number =
          std::from_chars(query_.remove.data(), end, number).ptr == end && number > 0;
      for (std::size_t i = 0; i < count && !is_number; ++i) {
        if (first.parameters[first.given[i]].name == query_.remove) number = i + 1;
      }
      if (number == 0 || number > count) {
        return wrong(fmt::format("{} has no parameter {}", plan_.old_name, query_.remove));
      }
      number_ = number - 1;
      return {};
    }
    added_ = read_parameter(query_.add, language_);
    number_ = 0;
    for (const std::size_t item : first.given) {
      const WrittenParameter& each = first.parameters[item];
      if (each.is_keyword || each.is_rest || (each.is_optional && !added_.is_optional)) break;
      ++number_;
    }
    if (query_.at && (*query_.at == 0 || *query_.at > count + 1)) {
      return wrong(
          fmt::format("a new parameter of {} can be number 1 to {}", plan_.old_name, count + 1));
    }
    if (query_.at) number_ = *query_.at - 1;
    return {};
  }

  Result<void> change_declaration(const TakingFunction& at) {
    const FileModel& file = *at.at.file;
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    const bool is_added = query_.order.empty() && query_.remove.empty();
    bool is_joined = at.is_joined(number_) || (!is_added && at.is_joined(number_ + 1));
    for (std::size_t i = 0; i < query_.order.size(); ++i) {
      is_joined = is_joined || at.is_joined(i) || at.is_joined(i + 1);
    }
    if (leaves_gap(at)) {
      obstacles_.add(ObstacleKind::kArguments, file, name_offset(at.at),
                     "a parameter that every call gives would follow one that calls may leave out");
    } else if (is_joined) {
      obstacles_.add(ObstacleKind::kArguments, file, name_offset(at.at),
                     "parameters that are declared with one type cannot be parted");
    } else if (!query_.order.empty()) {
      std::vector<ByteRange> items;
      for (std::size_t i = 0; i < at.given.size(); ++i) items.push_back(at.list.items[at.item(i)]);
      reorder(file, text->content, items, true);
    } else if (is_added) {
      forbid_uses(at, added_.name, {}, "the new parameter would have the name of this");
      std::size_t before = number_ > at.given.size() ? at.list.items.size() : 0;
      if (number_ > 0 && before == 0) before = at.item(number_ - 1) + 1;
      while (number_ == 0 && before < at.parameters.size() && at.parameters[before].is_receiver) {
        ++before;
      }
      edit(file, insert_item(text->content, at.list, before, text_for(at)), true);
    } else if (number_ < at.given.size()) {
      forbid_uses(at, at.parameters[at.given[number_]].name, at.list.items[at.item(number_)],
                  "the parameter that goes is used here");
      edit(file, remove_item(text->content, at.list, at.item(number_)), true);
    }
    return {};
  }

  // True if the change puts a parameter without a default behind one that has one or takes the
  // rest.
  bool leaves_gap(const TakingFunction& at) const {
    if (is_one_of(language_, {"kotlin", "ruby", "javascript"})) return false;
    std::vector<WrittenParameter> after;
    for (const std::size_t item : at.given) after.push_back(at.parameters[item]);
    if (!query_.order.empty()) {
      const std::vector<WrittenParameter> before = after;
      for (std::size_t i = 0; i < query_.order.size() && i < after.size(); ++i) {
        if (query_.order[i] <= before.size()) after[i] = before[query_.order[i] - 1];
      }
    } else if (query_.remove.empty()) {
      after.insert(after.begin() + static_cast<std::ptrdiff_t>(std::min(number_, after.size())),
                   added_);
    }
    bool may_be_left_out = false;
    for (const WrittenParameter& each : after) {
      if (each.is_keyword) continue;
      if (may_be_left_out && !each.is_optional && !each.is_rest) return true;
      may_be_left_out = may_be_left_out || each.is_optional || each.is_rest;
    }
    return false;
  }

  // The new parameter as this declaration writes it. One of several in C++ has the default; one
  // that overrides has none in Kotlin; Go names all parameters or none.
  std::string text_for(const TakingFunction& at) {
    const FileModel& file = *at.at.file;
    const parse::Symbol& symbol = file.facts.symbols[at.at.symbol];
    const bool is_second = file.language == "cpp" && !symbol.body.empty() &&
                           std::ranges::any_of(declarations_, [&](const TakingFunction& other) {
                             const parse::Symbol& its =
                                 other.at.file->facts.symbols[other.at.symbol];
                             return its.body.empty() && its.qualified_name == symbol.qualified_name;
                           });
    const bool is_override = file.language == "kotlin" && has_modifier(at.at, "override");
    if (added_.is_optional && (is_second || is_override)) {
      return std::string(trim(std::string_view(query_.add).substr(0, query_.add.find('='))));
    }
    if (file.language == "go" && !at.given.empty() && symbol.term != kNoIndex) {
      const auto& declared = file.facts.functions[file.facts.terms[symbol.term].at].parameters;
      if (!declared.empty() && declared.front().name == kNoIndex) {
        return std::string(trim(std::string_view(query_.add).substr(added_.name.size())));
      }
    }
    return query_.add;
  }

  // Places of a bare name in a function: of a parameter that goes, or as the new one is called.
  void forbid_uses(const TakingFunction& at, const std::string& name, const ByteRange& except,
                   const char* why) {
    const FileModel& file = *at.at.file;
    const auto known = name.empty() ? std::nullopt : file.find_name(name);
    if (!known) return;
    const ByteRange range = file.facts.symbols[at.at.symbol].range;
    for (const std::uint32_t index : file.occurrences_of(*known)) {
      const parse::Occurrence& use = file.facts.occurrences[index];
      const bool is_bare = use.receiver_kind == parse::ReceiverKind::kNone && !use.by_syntax;
      if (!is_bare || !range.contains(use.offset) || except.contains(use.offset)) continue;
      if (file.is_documentation(use.offset) || use.role == Role::kType) continue;
      obstacles_.add(ObstacleKind::kNameTaken, file, use.offset, why);
    }
  }

  // ---- 2. The calls.

  Result<void> change_calls() {
    std::vector<UsageTarget> targets;
    for (const TakingFunction& each : declarations_) targets.push_back(each.at);
    UsageSearch search(resolver_, reader_, targets);
    CODEXMEM_ASSIGN(const auto usages, search.run());
    QuotedUses quoted(resolver_, targets);
    CODEXMEM_ASSIGN(const auto uses, account_for(resolver_, reader_, search, usages, quoted));
    plan_.account = uses.account;
    for (const Usage& usage : usages) {
      CODEXMEM_TRY(go_on());
      CODEXMEM_TRY(change_use(usage));
    }
    for (const Hit& hit : uses.hits) {
      const bool is_open = hit.drawer == Drawer::kPossible || hit.drawer == Drawer::kUnread ||
                           hit.drawer == Drawer::kLikely;
      const FileModel* file =
          is_open && hit.occurrence == kNoIndex && hit.doubt != Doubt::kNoGrammar
              ? resolver_.model(hit.file)
              : nullptr;
      if (file == nullptr) continue;
      obstacles_.add(hit.drawer == Drawer::kUnread ? ObstacleKind::kUnparsed : ObstacleKind::kText,
                     *file, hit.offset, "may be a use of it", confidence_of(hit.drawer));
    }
    obstacles_.add_open(resolver_, targets, uses.hits);
    return {};
  }

  Result<void> change_use(const Usage& usage) {
    const FileModel& file = *usage.file;
    const parse::Occurrence& at = file.facts.occurrences[usage.occurrence];
    const TakingFunction& declared = declarations_[usage.target];
    if (file.is_documentation(at.offset)) return {};
    const UsageKind kind = usage_kind(file, usage.occurrence);
    if (kind == UsageKind::kImport || kind == UsageKind::kDoc || kind == UsageKind::kInherit) {
      return {};
    }
    if (usage.confidence != Confidence::kResolved) {
      if (is_of_language(resolver_, file, usage.occurrence)) return {};
      if (usage.confidence <= Confidence::kPossible && !reach_.may_mean(file, usage, family_)) {
        return {};
      }
      const std::string name = declared.at.file->qualified_name(declared.at.symbol);
      if (!obstacles_.add(ObstacleKind::kUncertainUse, file, at.offset, "may mean " + name,
                          usage.confidence)) {
        return {};
      }
    }
    CODEXMEM_ASSIGN(const auto* lists, lists_of(file));
    const auto list = at.by_syntax ? std::nullopt : lists->arguments_of(at.offset);
    if (list) return change_call(file, usage, *list, declared);
    if (kind == UsageKind::kType || file.export_at(at.offset) != kNoIndex) return {};
    if (keeps_fields_apart(file) && means_field(file, usage.occurrence)) return {};
    obstacles_.add(ObstacleKind::kValue, file, at.offset,
                   at.role == Role::kDefinition
                       ? "this declares it as well"
                       : "it is passed on here, or called without brackets");
    if (with_values_.insert(&file).second) add_value_calls(file);
    return {};
  }

  // (A::f means the function.)
  bool means_field(const FileModel& file, std::uint32_t occurrence) {
    const std::uint32_t offset = file.facts.occurrences[occurrence].offset;
    if (content_of(file).substr(0, offset).ends_with("::")) return false;
    const Entities meant = resolver_.resolve(file, occurrence);
    return std::ranges::any_of(meant, [&](const Entity& each) {
      return each.kind == EntityKind::kSymbol && !is_function(*each.file, each.index);
    });
  }

  // The calls of variables of `file` that were given the function.
  void add_value_calls(const FileModel& file) {
    for (std::uint32_t i = 0; i < file.facts.occurrences.size(); ++i) {
      const parse::Occurrence& at = file.facts.occurrences[i];
      if (at.role != Role::kCall || at.by_syntax || file.name(at.name) == plan_.old_name) continue;
      const Entities values = resolver_.values_at(file, i);
      if (std::ranges::any_of(values, [&](const Entity& each) { return family_.holds(each); })) {
        obstacles_.add(ObstacleKind::kValue, file, at.offset, "this was given the function");
      }
    }
  }

  Result<void> change_call(const FileModel& file, const Usage& usage,
                           const parse::WrittenList& list, const TakingFunction& declared) {
    CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
    std::vector<Argument> arguments;
    std::size_t places = 0;  // arguments without a name
    for (const ByteRange& item : list.items) {
      const std::string_view argument = text_at(text->content, item);
      arguments.push_back({argument, keyword_of(argument, file.language)});
      places += arguments.back().keyword.empty() ? 1 : 0;
    }
    const std::uint32_t offset = file.facts.occurrences[usage.occurrence].offset;
    const auto object = [&](std::string why) {
      obstacles_.add(ObstacleKind::kArguments, file, offset, std::move(why));
    };
    if (list.is_broken) {
      object("its arguments cannot be read");
      return {};
    }
    const std::size_t shift = gives_receiver(file, usage.occurrence, text->content, declared);
    const std::size_t number = number_ + shift;
    const bool is_removed = !query_.remove.empty();
    const std::size_t touched =
        query_.order.empty() ? number + (is_removed ? 1 : 0) : query_.order.size() + shift;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      // `**names` may give the one that goes by its name, at any place.
      if (i >= std::max<std::size_t>(touched, 1) &&
          !(is_removed && arguments[i].text.starts_with("**"))) {
        continue;
      }
      const bool is_several = is_spread(arguments[i].text, file.language) ||
                              (file.language == "go" && arguments.size() == 1 &&
                               declared.given.size() > 1 && arguments[i].text.ends_with(')'));
      if (is_several) {
        object("an argument stands for several");
        return {};
      }
    }
    if (!query_.order.empty()) {
      const auto first = list.items.begin();
      const std::vector<ByteRange> given(
          first + static_cast<std::ptrdiff_t>(std::min(shift, places)),
          first + static_cast<std::ptrdiff_t>(places));
      if (!reorder(file, text->content, given, false)) {
        object("not all of the arguments that change places are given in their order");
      }
    } else if (!query_.remove.empty()) {
      remove_argument(file, list, arguments, places, number, declared);
    } else {
      add_argument(file, list, places, number, object);
    }
    return {};
  }

  template <typename Object>
  void add_argument(const FileModel& file, const parse::WrittenList& list, std::size_t places,
                    std::size_t number, const Object& object) {
    const bool is_needed = !added_.is_optional && !added_.is_rest;
    if (query_.value.empty()) {
      if (is_needed) object("this call needs a value for it");
      if (!is_needed && places > number)
        object("this call needs a value for it, or the next moves");
      return;
    }
    const bool is_by_name = is_keyword_added();
    if (!is_by_name && places >= number && !(list.has_block && number > list.items.size())) {
      return edit(file, insert_item(content_of(file), list, number, query_.value), false);
    }
    const std::string_view sign = keyword_sign(file.language);
    if (sign.empty() || added_.name.empty()) {
      if (is_needed || list.has_block) object("arguments before the new one are left out here");
      return;
    }
    edit(file,
         insert_item(content_of(file), list, list.items.size(),
                     fmt::format("{}{}{}", added_.name, sign, query_.value)),
         false);
  }

  // True if the new parameter is at a place where it is given by name only.
  bool is_keyword_added() const {
    const TakingFunction& first = declarations_.front();
    if (language_ != "python") return false;
    return number_ > 0 && number_ <= first.given.size() &&
           (first.parameters[first.given[number_ - 1]].is_keyword ||
            first.parameters[first.given[number_ - 1]].is_rest);
  }

  // True unless an argument is a text, a number or a name, perhaps behind others with dots.
  static bool may_do_something(const Argument& argument) {
    std::string_view value = argument.text;
    if (!argument.keyword.empty()) {
      value = value.substr(std::min(value.size(), value.find_first_of("=:") + 1));
    }
    value = trim(value);
    const bool is_text = value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
                         value.find(value.front(), 1) == value.size() - 1;
    return !is_text && !std::ranges::all_of(value, [](char c) {
      return is_identifier_char(c) || c == '.' || c == '-' || c == '&' || c == '*';
    });
  }

  void remove_argument(const FileModel& file, const parse::WrittenList& list,
                       const std::vector<Argument>& arguments, std::size_t places,
                       std::size_t number, const TakingFunction& declared) {
    if (number_ >= declared.given.size()) return;  // (another number of parameters: an obstacle)
    const WrittenParameter& gone = declared.parameters[declared.given[number_]];
    if (list.has_block && number_ + 1 == declared.given.size()) {
      obstacles_.add(ObstacleKind::kArguments, file, list.range.begin,
                     "the block behind the call is the argument that goes");
      return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool is_it = arguments[i].keyword.empty()
                             ? i < places && (i == number || (gone.is_rest && i > number))
                             : arguments[i].keyword == gone.name;
      if (!is_it) continue;
      if (may_do_something(arguments[i])) {
        obstacles_.add(ObstacleKind::kArguments, file, list.items[i].begin,
                       "the argument that goes may do something");
        continue;
      }
      edit(file, remove_item(content_of(file), list, i), false);
    }
  }

  // 1 for a call that gives the receiver as its first argument.
  std::size_t gives_receiver(const FileModel& file, std::uint32_t occurrence, std::string_view text,
                             const TakingFunction& declared) {
    const std::uint32_t offset = file.facts.occurrences[occurrence].offset;
    const FileModel& its = *declared.at.file;
    const bool has_receiver =
        std::ranges::any_of(declared.parameters, &WrittenParameter::is_receiver);
    if (file.language == "rust")
      return has_receiver && text.substr(0, offset).ends_with("::") ? 1 : 0;
    if (has_modifier(declared.at, "classmethod")) return 0;
    const bool is_method = file.language == "go" && its.is_member(declared.at.symbol);
    if (!(has_receiver || is_method) || its.language == "typescript" || its.language == "tsx") {
      return 0;
    }
    const Entities before = resolver_.receivers(file, occurrence);
    return !before.empty() && std::ranges::all_of(before,
                                                  [](const Entity& each) {
                                                    return each.kind == EntityKind::kSymbol &&
                                                           is_type_like(symbol_of(each));
                                                  })
               ? 1
               : 0;
  }

  // ---- Edits.

  void edit(const FileModel& file, RenameEdit made, bool is_definition) {
    made.is_definition = is_definition;
    made.kind = UsageKind::kCall;
    edits_[&file][made.offset] = std::move(made);
  }

  // Puts the items into the new order. False if some of them are missing.
  bool reorder(const FileModel& file, std::string_view text, const std::vector<ByteRange>& items,
               bool is_definition) {
    auto made = reorder_items(text, items, query_.order);
    if (!made) return false;
    for (RenameEdit& each : *made) edit(file, std::move(each), is_definition);
    return true;
  }

  std::string_view content_of(const FileModel& file) {
    const auto text = texts_.get(file.id);
    return text.ok() ? std::string_view((*text)->content) : std::string_view();
  }

  Result<void> add_files() {
    for (auto& [file, edits] : edits_) {
      auto changed = file_to_write(resolver_, *file, edits.begin()->first, obstacles_);
      CODEXMEM_ASSIGN(const auto* text, texts_.get(file->id));
      if (!changed) continue;
      std::uint32_t end = 0;
      for (auto& [offset, made] : edits) {
        if (offset < end) {
          obstacles_.add(ObstacleKind::kArguments, *file, offset,
                         "this call is inside an argument that moves");
          continue;
        }
        end = offset + made.size;
        made.position = text->lines.position_of(offset);
        changed->edits.push_back(std::move(made));
      }
      plan_.files.push_back(*std::move(changed));
    }
    return {};
  }

  Result<const parse::WrittenLists*> lists_of(const FileModel& file) {
    auto& known = lists_[&file];
    if (known == nullptr) {
      CODEXMEM_ASSIGN(const auto* text, texts_.get(file.id));
      known = std::make_unique<parse::WrittenLists>(*parse::find_language(file.language),
                                                    text->content);
    }
    return static_cast<const parse::WrittenLists*>(known.get());
  }

  store::CodeReader& reader_;
  const SignatureQuery& query_;
  Resolver resolver_;
  SourceTexts texts_;
  RenameFamily family_;
  ValueReach reach_;
  std::string language_;
  std::vector<TakingFunction> declarations_;
  std::set<const FileModel*> with_values_;  // that pass the function on
  WrittenParameter added_;
  std::size_t number_ = 0;  // of the parameter that comes or goes, from 0
  std::map<const FileModel*, std::unique_ptr<parse::WrittenLists>> lists_;
  std::map<const FileModel*, std::map<std::uint32_t, RenameEdit>> edits_;
  RenamePlan plan_;
  PlanObstacles obstacles_;
};

}  // namespace

Result<RenamePlan> plan_signature(FactsCache& cache, store::CodeReader& reader,
                                  const SignatureQuery& query, std::stop_token stop) {
  const StopScope scope(std::move(stop));
  return SignaturePlanner(cache.impl(), reader, query).run();
}

}  // namespace codexmem::graph
