// Signs are not stored as facts: nearly all are between numbers and pointers, and would make the
// facts a tenth larger. So a question about an operator searches the texts of the files that see it
// for its sign. Operands that are names or calls have values from the facts; any other operand is
// unknown.
//
// Tested by graph/cpp_operators_test.cpp.
#include "graph/cpp/cpp_operators.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "graph/c/c_files.h"
#include "graph/cpp/cpp_makers.h"
#include "graph/cpp/cpp_scopes.h"
#include "graph/nominal/overloads.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::string_view kOperatorWord = "operator";
constexpr std::size_t kMaxOperatorFiles = 2000;
// The longest first.
constexpr std::string_view kSigns[] = {"<=>", "<<=", ">>=", "->*", "->", "++", "--", "<<",
                                       ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                       "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "::"};
constexpr std::string_view kJoining = "+ - * / % << >> & | ^ < > <= >= == !=";
constexpr std::string_view kBeforeOperands[] = {"return", "case", "co_return", "co_yield", "throw",
                                                "else",   "not",  "and",       "or"};

constexpr std::string_view kBeforeBrackets[] = {"if", "for", "while", "switch", "catch"};

// The operand on one side of a sign.
struct Operand {
  enum class Sort : std::uint8_t { kNone, kName, kCall, kLiteral, kOther } sort = Sort::kNone;
  std::uint32_t occurrence = kNoIndex;  // of the name, or of the callee
};

struct SignPlace {
  Operand left, right;  // a prefix has no left operand
};

struct SignMemory : Resolver::Memory {
  std::map<std::pair<const FileModel*, std::string>, std::vector<SignPlace>> places;
};

// Reads the code of a file from operand to operand.
class SignReader {
 public:
  SignReader(const FileModel& file, std::string_view text, std::string_view sign)
      : file_(file), text_(text), sign_(sign) {}

  std::vector<SignPlace> read() {
    while (at_ < text_.size()) step();
    return std::move(places_);
  }

 private:
  void step() {
    const char c = text_[at_];
    const std::string_view rest = text_.substr(at_);
    if (c == '\n') is_line_start_ = true;
    if (is_space(c)) {
      ++at_;
    } else if (rest.starts_with("//") || (c == '#' && is_line_start_)) {
      skip_line();
    } else if (rest.starts_with("/*")) {
      at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
    } else if (c == '"' || c == '\'') {
      skip_string(c);
      set({Operand::Sort::kLiteral, kNoIndex});
    } else if (is_word_char(c)) {
      read_word();
    } else {
      is_line_start_ = false;
      read_sign(c, rest);
    }
  }

  void skip_line() {
    do {
      at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    } while (at_ < text_.size() && text_[at_ - 1] == '\\');
  }

  void skip_string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void read_word() {
    is_line_start_ = false;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const std::uint32_t occurrence = file_.occurrence_at(static_cast<std::uint32_t>(begin));
    if (is_digit(word.front()) || word.ends_with("_cast")) {
      set({Operand::Sort::kLiteral, kNoIndex});
    } else if (word == kOperatorWord) {
      while (at_ < text_.size() && text_[at_] != '(') ++at_;  // a definition, or a call by name
      if (text_.substr(at_).starts_with("()")) at_ += 2;
      set({Operand::Sort::kOther, kNoIndex});
    } else if (std::ranges::find(kBeforeBrackets, word) != std::end(kBeforeBrackets)) {
      set({});
      is_control_ = true;
    } else if (std::ranges::find(kBeforeOperands, word) != std::end(kBeforeOperands)) {
      set({});
    } else {
      set({occurrence == kNoIndex ? Operand::Sort::kOther : Operand::Sort::kName, occurrence});
    }
  }

  void read_sign(char c, std::string_view rest) {
    std::string_view sign = rest.substr(0, 1);
    for (const std::string_view known : kSigns) {
      if (rest.starts_with(known)) {
        sign = known;
        break;
      }
    }
    at_ += sign.size();
    const bool is_chain = sign == "." || sign == "->" || sign == "::";
    if (!is_chain && c != '(' && c != '[') end_operand();
    if (c == '(' || c == '[') {
      const bool is_use = sign_ == (c == '(' ? "()" : "[]") && last_.sort != Operand::Sort::kNone;
      if (is_use) places_.push_back({last_, {}});
      open_.push_back({last_, is_joined_, is_control_});
      last_ = {};
      is_joined_ = is_control_ = false;
    } else if (c == ')' || c == ']') {
      Level level;
      if (!open_.empty()) level = open_.back();
      if (!open_.empty()) open_.pop_back();
      const bool is_call = c == ')' && level.before.sort == Operand::Sort::kName;
      last_ = {is_call ? Operand::Sort::kCall : Operand::Sort::kOther, level.before.occurrence};
      if (level.is_control) last_ = {};
      is_joined_ = level.is_joined;
    } else if (c == '{' || c == '}' || c == ';') {
      open_.clear();
      waiting_.clear();
      last_ = {};
      is_joined_ = false;
    } else {
      // In a + b == c the left operand is not a name.
      if (is_joined_ && !is_chain) last_.sort = Operand::Sort::kOther;
      if (sign == sign_) {
        places_.push_back({last_, {}});
        if (!is_chain) waiting_.push_back({places_.size() - 1, open_.size()});
      }
      is_arrow_ = is_chain && sign == sign_;
      is_joined_ = is_chain ? is_joined_ : kJoining.find(sign) != std::string_view::npos;
      last_ = {};
    }
  }

  void set(Operand operand) {
    last_ = operand;
    if (is_arrow_) places_.back().right = operand;
    is_arrow_ = false;
  }

  // What was read is what signs of this level have at their right.
  void end_operand() {
    while (!waiting_.empty() && waiting_.back().second >= open_.size()) {
      if (waiting_.back().second == open_.size()) places_[waiting_.back().first].right = last_;
      waiting_.pop_back();
    }
  }

  const FileModel& file_;
  const std::string_view text_;
  const std::string_view sign_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
  Operand last_;
  bool is_joined_ = false;   // an operator of the same expression precedes the operand
  bool is_control_ = false;  // the word before the bracket is one of control
  bool is_arrow_ = false;    // the name behind -> is to come
  struct Level {
    Operand before;
    bool is_joined = false;
    bool is_control = false;  // if (
  };
  std::vector<Level> open_;                                   // the text before each open bracket
  std::vector<std::pair<std::size_t, std::size_t>> waiting_;  // places, and their level
  std::vector<SignPlace> places_;
};

class OperatorSearch {
 public:
  OperatorSearch(Resolver& resolver, const Entity& function)
      : resolver_(resolver),
        function_(function),
        sign_(symbol_of(function).name.substr(kOperatorWord.size())) {
    const std::uint32_t owner = function.file->owner_of(function.index);
    if (owner != kNoIndex) types_ = {{{EntityKind::kSymbol, function.file, owner}}};
    // (Defined outside of its class.)
    const std::uint32_t named = function.file->occurrence_at(symbol_of(function).name_range.begin);
    if (types_.empty() && named != kNoIndex) {
      for (const Entity& type : resolver.receivers(*function.file, named)) {
        if (is_class(type)) types_.push_back({type});
      }
    }
    is_member_ = !types_.empty();
    if (is_member_ || symbol_of(function).term == kNoIndex) return;
    const parse::Term& term = function.file->facts.terms[symbol_of(function).term];
    if (term.kind != parse::TermKind::kFunction) return;
    for (const auto& parameter : function.file->facts.functions[term.at].parameters) {
      Entities classes;
      for (const Entity& value : resolver.evaluate(*function.file, parameter.term)) {
        if (is_instance(value)) {
          add(classes, {EntityKind::kSymbol, value.file, value.index});
        }
      }
      types_.push_back(std::move(classes));
    }
  }

  std::vector<UnwrittenUse> run() {
    const bool has_class = std::ranges::any_of(types_, [](const Entities& types) {
      return std::ranges::any_of(types, [](const Entity& type) { return !is_of_library(type); });
    });
    if (!has_class) return {};
    const auto around = files_around(resolver_, function_.file->id);
    std::size_t files = 0;
    for (const store::FileRow& row : resolver_.files().rows()) {
      if (!around->contains(row.id) || ++files > kMaxOperatorFiles) continue;
      const FileModel* file = resolver_.model(row.id);
      if (file != nullptr && family_of(row.language) == family_of("cpp")) search(*file);
    }
    return std::move(found_);
  }

 private:
  enum class Answer : std::uint8_t { kNo, kUnknown, kYes };

  void search(const FileModel& file) {
    const auto [at, is_new] = resolver_.memory<SignMemory>().places.try_emplace({&file, sign_});
    if (is_new) {
      const std::string_view text = text_before(resolver_, file, kNoIndex);
      if (text.find(sign_.substr(0, 1)) != std::string_view::npos) {
        at->second = SignReader(file, text, sign_).read();
      }
    }
    for (const SignPlace& place : at->second) judge(file, place);
  }

  void judge(const FileModel& file, const SignPlace& place) {
    const bool is_step = sign_ == "++" || sign_ == "--";
    const bool is_prefix = place.left.sort == Operand::Sort::kNone;
    std::vector<Operand> operands;
    if (is_step) {
      operands = {is_prefix ? place.right : place.left};
    } else if (sign_ == "()" || sign_ == "[]" || sign_ == "->") {
      operands = {place.left};
    } else if (is_prefix) {
      operands = {place.right};
    } else {
      operands = {place.left, place.right};
    }
    const std::size_t wanted = is_member_ ? 1 : types_.size();
    const bool is_unary = operands.size() == 1;
    const bool takes_one = takes_so_many(function_, is_member_ ? 0 : 1);
    const bool takes_any = is_step || sign_ == "()" || sign_ == "[]" || sign_ == "->";
    if (!takes_any && is_unary != takes_one) return;
    Answer best = Answer::kNo;
    std::uint32_t where = kNoIndex;
    for (std::size_t i = 0; i < operands.size() && i < wanted; ++i) {
      // (Types that are not classes do not decide.)
      const Answer answer = types_[i].empty() ? Answer::kNo : is_of(file, operands[i], types_[i]);
      if (answer == Answer::kNo && !types_[i].empty()) return;
      if (operands[i].occurrence == kNoIndex || answer == Answer::kNo) continue;
      if (where == kNoIndex || answer > best) where = operands[i].occurrence;
      best = std::max(best, answer);
    }
    if (where == kNoIndex || best == Answer::kNo) return;
    if (sign_ == "->" && !gives_member(file, place.right)) return;
    const UnwrittenUse use{&file, where, best == Answer::kUnknown};
    if (std::ranges::find(found_, use) == found_.end()) found_.push_back(use);
  }

  Answer is_of(const FileModel& file, const Operand& operand, const Entities& types) {
    if (operand.sort == Operand::Sort::kLiteral) return Answer::kNo;
    const bool is_known =
        operand.sort == Operand::Sort::kName || operand.sort == Operand::Sort::kCall;
    if (!is_known || operand.occurrence == kNoIndex) return Answer::kUnknown;
    constexpr parse::Role kNoOperands[] = {parse::Role::kDefinition, parse::Role::kType,
                                           parse::Role::kInherit, parse::Role::kImport};
    const parse::Role role = file.facts.occurrences[operand.occurrence].role;
    const bool takes_nothing = std::ranges::find(kNoOperands, role) != std::end(kNoOperands);
    if (takes_nothing || is_pointer(file, operand.occurrence)) return Answer::kNo;
    const Entities values = values_of(file, operand);
    Answer answer = values.empty() ? Answer::kUnknown : Answer::kNo;
    for (const Entity& value : values) {
      const bool is_one = std::ranges::any_of(
          types, [&](const Entity& type) { return is_same_or_derived(resolver_, value, type); });
      if (is_one) return Answer::kYes;
      if (value.kind == EntityKind::kUnknown || value.kind == EntityKind::kTypeParameter ||
          value.kind == EntityKind::kLate || is_foreign(value)) {
        answer = Answer::kUnknown;
      }
    }
    return answer;
  }

  Entities values_of(const FileModel& file, const Operand& operand) {
    if (operand.sort == Operand::Sort::kName) return resolver_.values_at(file, operand.occurrence);
    const auto call = file.call_of(operand.occurrence);
    if (call && *call != kNoIndex) return resolver_.evaluate(file, *call);
    return resolver_.call_results(Entities(resolver_.resolve(file, operand.occurrence)));
  }

  // True for a name that is declared as a pointer or an array, which have operators of their own.
  bool is_pointer(const FileModel& file, std::uint32_t index) {
    for (const Entity& meant : Entities(resolver_.resolve(file, index))) {
      std::uint32_t begin = kNoIndex;
      if (meant.kind == EntityKind::kLocal) begin = meant.file->facts.bindings[meant.index].offset;
      if (meant.kind == EntityKind::kSymbol) begin = symbol_of(meant).name_range.begin;
      if (begin == kNoIndex || meant.file->is_library) continue;
      const std::string_view text = text_before(resolver_, *meant.file, kNoIndex);
      std::size_t before = std::min<std::size_t>(begin, text.size());
      while (before > 0 && is_space(text[before - 1])) --before;
      std::size_t behind = begin;
      while (behind < text.size() && is_word_char(text[behind])) ++behind;
      if ((before > 0 && text[before - 1] == '*') || text.substr(behind).starts_with('[')) {
        return true;
      }
    }
    return false;
  }

  // True for a member of what the operator gives that its own class has not.
  bool gives_member(const FileModel& file, const Operand& member) {
    if (member.occurrence == kNoIndex) return false;
    const std::string& name = file.name(file.facts.occurrences[member.occurrence].name);
    const auto has = [&](const Entities& values) {
      return has_kind(class_members(resolver_, values, name), EntityKind::kSymbol);
    };
    return !has(resolver_.instances(types_.front())) && has(resolver_.call_results({function_}));
  }

  Resolver& resolver_;
  const Entity function_;
  const std::string sign_;
  std::vector<Entities> types_;  // of the operands, as far as they are classes
  bool is_member_ = false;
  std::vector<UnwrittenUse> found_;
};

}  // namespace

bool is_operator_sign(std::string_view name) {
  return name.size() > kOperatorWord.size() && name.starts_with(kOperatorWord) &&
         !is_word_char(name[kOperatorWord.size()]) && !is_space(name[kOperatorWord.size()]) &&
         name[kOperatorWord.size()] != '"';
}

std::vector<UnwrittenUse> uses_of_operator(Resolver& resolver, const Entity& function) {
  return OperatorSearch(resolver, function).run();
}

}  // namespace codexmem::graph
