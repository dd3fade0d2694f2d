// One pass of the keywords over the text finds which rules to try and where; a rule's pattern is
// matched at that one place and looks a bounded way on, so that the whole is linear. What it finds
// is then judged (privacy/secret_values.h), since most texts after "password" are harmless.
//
// Tested by privacy/policy_test.cpp; fuzz/policy_fuzz.cpp.
#include "privacy/secret_scan.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/base64.h"
#include "privacy/secret_names.h"
#include "privacy/secret_rules.h"
#include "text/byte_pattern.h"

namespace codexmem::privacy {
namespace {

constexpr std::size_t kMaxName = 64;  // bytes of a name to either side of its keyword
constexpr std::size_t kMaxRun = 128;  // bytes that Anchor::kRun goes back
constexpr std::size_t kMaxRunAfter = 256;
constexpr std::size_t kMaxJudged = 256;  // bytes of a value that are judged
constexpr std::size_t kMaxKeyBlock = 64 << 10;
constexpr std::size_t kMinBase64 = 24;  // characters
constexpr std::size_t kMinKeyBlock = 40;
constexpr std::size_t kMinKnown = 8, kMaxKnown = 256;  // bytes
constexpr std::size_t kMaxKnownBytes = 16 << 10;       // of all: the automaton takes 64 times that

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool is_name_char(char c) { return is_word_char(c) || c == '.' || c == '-' || c == '$'; }
bool is_token_char(char c) {
  return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '=';
}
bool is_arn_char(char c) {
  return is_alnum(c) || c == ':' || c == '/' || c == '-' || c == '_' || c == '.' || c == '+' ||
         c == '@' || c == '*' || c == '!';
}
bool is_base64_char(char c) { return is_alnum(c) || c == '+' || c == '/' || c == '-' || c == '_'; }

// The rules with what finding them takes. The table is the program's: never freed.
class RuleSet {
 public:
  static const RuleSet& get() {
    static const RuleSet& set = *new RuleSet();
    return set;
  }

  std::span<const SecretRule> rules() const { return secret_rules(); }
  const KeywordSet& keywords() const { return *keywords_; }
  std::string_view keyword(std::size_t k) const { return words_[k]; }
  const std::vector<std::uint16_t>& rules_of(std::size_t keyword) const { return of_[keyword]; }

  const BytePattern& pattern(std::size_t rule) const {
    Compiled& slot = patterns_[slots_[rule]];
    std::call_once(slot.once,
                   [&] { slot.pattern = std::make_unique<BytePattern>(text_of(rules()[rule])); });
    return *slot.pattern;
  }

 private:
  struct Compiled {
    std::once_flag once;
    std::unique_ptr<BytePattern> pattern;
  };

  static std::string text_of(const SecretRule& rule) {
    if (rule.anchor != Anchor::kRun) return rule.pattern;
    return "(?:\\S*?[^A-Za-z0-9])?(" + rule.pattern + ")";
  }

  RuleSet() : patterns_(std::make_unique<Compiled[]>(rules().size())) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    std::unordered_map<std::string, std::size_t> slots;
    for (std::size_t r = 0; r < rules().size(); ++r) {
      slots_.push_back(slots.emplace(text_of(rules()[r]), r).first->second);
      for (const std::string_view word : rules()[r].keywords) {
        const auto [at, is_new] = numbers.emplace(word, words_.size());
        if (is_new) {
          words_.push_back(word);
          of_.emplace_back();
        }
        std::vector<std::uint16_t>& of = of_[at->second];
        if (of.empty() || of.back() != r) of.push_back(static_cast<std::uint16_t>(r));
      }
    }
    keywords_.emplace(words_);
  }

  std::vector<std::string_view> words_;
  std::vector<std::vector<std::uint16_t>> of_;
  std::optional<KeywordSet> keywords_;
  std::vector<std::size_t>
      slots_;  // by rule: rules with one pattern share it, since that takes time
  std::unique_ptr<Compiled[]> patterns_;
};

// The key behind the header of a PEM block, to the end of its footer when that is there. Base64 may
// be broken by white space, escaped line feeds and what joins string literals.
std::optional<TextSpan> key_block(std::string_view text, std::size_t begin,
                                  std::size_t header_end) {
  const std::size_t limit = std::min(text.size(), header_end + kMaxKeyBlock);
  std::size_t count = 0, line = 0, longest = 0;
  std::size_t end = header_end;
  for (std::size_t i = header_end; i < limit;) {
    const char c = text[i];
    if (c == '\\' && i + 1 < limit &&
        (text[i + 1] == 'n' || text[i + 1] == 'r' || text[i + 1] == 't' || text[i + 1] == '\\')) {
      i += 2;
      line = 0;
      continue;
    }
    if (is_alnum(c) || c == '/' || c == '+' || c == '=') {
      ++count;
      longest = std::max(longest, ++line);
      end = ++i;
      continue;
    }
    if (text.substr(i).starts_with("-----END ") || text.substr(i).starts_with("---- END ")) {
      const std::size_t close = text.substr(0, std::min(limit, i + 80)).find("----", i + 8);
      end = close == std::string_view::npos ? i : close + 4;
      while (end < limit && text[end] == '-') ++end;
      break;
    }
    // Headers within: Proc-Type, DEK-Info, Comment, Version.
    const bool joins = is_space(c) || is_quote(c) || c == ',' || c == '>' || c == '#' || c == '*' ||
                       c == '\\' || c == '|' || c == ':' || c == '-' || c == '.' || c == '@' ||
                       c == '(' || c == ')';
    if (!joins || (c == '-' && text.substr(i).starts_with("-----"))) break;
    if (is_space(c)) line = 0;
    ++i;
  }
  // Prose has letters too, but no lines of them.
  if (count < kMinKeyBlock || longest < kMinKeyBlock / 2) return std::nullopt;
  return TextSpan{begin, end};
}

class Scan {
 public:
  // With `passed` what was let pass is found too.
  Scan(std::string_view text, bool passed, std::vector<FoundSecret>* found)
      : text_(text),
        passed_(passed),
        found_(*found),
        has_markers_(text.find(kMarker) != std::string_view::npos),
        skip_until_(set_.rules().size(), 0) {}

  void run() {
    set_.keywords().scan(text_, [this](std::size_t keyword, std::size_t end) {
      const std::size_t begin = end - set_.keyword(keyword).size();
      for (const std::uint16_t rule : set_.rules_of(keyword)) try_rule(rule, begin, end);
    });
  }

 private:
  char before(std::size_t at) const { return at == 0 ? '\n' : text_[at - 1]; }
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\n'; }

  void try_rule(std::size_t number, std::size_t begin, std::size_t end) {
    if (begin < skip_until_[number]) return;
    const SecretRule& rule = set_.rules()[number];
    std::size_t start = begin;
    TextSpan name;
    switch (rule.anchor) {
      case Anchor::kToken:
        if (is_alnum(before(begin)) && is_alnum(text_[begin])) return;
        break;
      case Anchor::kText:
        break;
      case Anchor::kRun:
        // The one keyword of one character: most dots are not followed by another at a distance.
        if (end - begin == 1 && at(begin + 7) != text_[begin]) return;
        while (start > 0 && begin - start < kMaxRun && !is_space(text_[start - 1])) --start;
        break;
      case Anchor::kLabel:
        if (is_letter(before(begin)) && !(is_lower(before(begin)) && is_upper(text_[begin])))
          return;
        // Not the beginning of another word.
        if (is_letter(text_[end - 1]) && is_letter(at(end)) &&
            (is_lower(at(end)) || is_upper(text_[end - 1]))) {
          return;
        }
        start = end;
        break;
      case Anchor::kName:
      case Anchor::kSetting:
      case Anchor::kFlag:
        if (!read_name(rule.anchor, begin, end, &name)) return;
        start = end;
        break;
    }
    if (has_markers_ && open_marker(begin) != begin) return;
    std::array<ByteRange, BytePattern::kMaxGroups> groups;
    const std::size_t window = rule.anchor == Anchor::kRun ? kMaxRunAfter : kRuleWindow;
    const std::size_t limit = std::min(text_.size(), end + window);
    if (!set_.pattern(number).match(text_, start, limit, groups)) {
      skip_what_failed(number, begin, limit);
      return;
    }
    // A value that the window cut goes on.
    if (groups[0].end == limit && limit < text_.size() && is_token_char(text_[limit - 1])) {
      std::size_t value_end = limit;
      while (value_end < text_.size() && is_token_char(text_[value_end])) ++value_end;
      for (ByteRange& range : groups) {
        if (!range.empty() && range.end == limit) range.end = static_cast<std::uint32_t>(value_end);
      }
    }

    ByteRange group = groups[0];
    for (const ByteRange& range : groups) {
      if (!range.empty()) group = range;
    }
    judge(number, {begin, end}, name, {group.begin, group.end}, groups[0].end);
  }

  // Rules that look for the rest of what they need anywhere on the way have looked for it behind
  // the next keywords too, so that those need not be tried: this keeps the whole linear.
  void skip_what_failed(std::size_t number, std::size_t begin, std::size_t limit) {
    const SecretRule& rule = set_.rules()[number];
    std::size_t until = 0;
    if (rule.anchor == Anchor::kRun) {
      until = begin;
      while (until < limit && !is_space(text_[until])) ++until;
      if (until == limit && limit < text_.size()) until = std::max(begin, limit - kMaxRun);
    } else if (rule.anchor == Anchor::kToken && rule.id == "command-line") {
      until = std::min(limit, text_.find('\n', begin));
    }
    skip_until_[number] = std::max(skip_until_[number], until);
  }

  // The name around a keyword, and whether the keyword is a word of it.
  bool read_name(Anchor anchor, std::size_t begin, std::size_t end, TextSpan* name) const {
    // Not a word that ends or goes on otherwise: compass, passage, tokenizer.
    const bool is_short = end - begin <= 4;
    if (is_short && (is_letter(text_[begin]) && is_alnum(before(begin))) &&
        !(is_lower(before(begin)) && is_upper(text_[begin]))) {
      return false;
    }
    // Nor the end of base64.
    if (is_short && at(end) == '=' && at(end + 1) == '=') return false;
    if (is_short && is_lower(at(end))) return false;
    *name = {begin, end};
    while (name->begin > 0 && begin - name->begin < kMaxName &&
           is_name_char(text_[name->begin - 1]))
      --name->begin;
    while (name->end < text_.size() && name->end - end < kMaxName && is_name_char(text_[name->end]))
      ++name->end;
    if (anchor == Anchor::kFlag) {
      const char c = before(name->begin);
      return text_[name->begin] == '-' && name->begin < begin && (is_space(c) || is_quote(c));
    }
    if (anchor == Anchor::kSetting) {
      const std::string_view all = text_.substr(name->begin, end - name->begin);
      const char c = before(name->begin);
      return std::ranges::none_of(all, is_lower) && (is_space(c) || is_quote(c));
    }
    return true;
  }

  // The begin of the marker that byte `at` is in; `at` outside of markers.
  std::size_t open_marker(std::size_t at) const {
    const std::size_t from = at > 64 ? at - 64 : 0;
    const std::size_t open = text_.substr(from, at - from + kMarker.size() - 1).rfind(kMarker);
    if (open == std::string_view::npos) return at;
    return text_.substr(from + open, at - from - open).find(']') == std::string_view::npos
               ? from + open
               : at;
  }

  // Whether the keyword is part of a resource's name (arn:aws:...:secret:shop/db-x1) that goes on
  // to `end`.
  bool in_arn(std::size_t keyword, std::size_t end) const {
    std::size_t begin = keyword;
    while (begin > 0 && keyword - begin < kMaxRun && is_arn_char(text_[begin - 1])) --begin;
    const std::string_view run = text_.substr(begin, end - begin);
    const std::size_t arn = run.find("arn:");
    return arn != std::string_view::npos && arn < keyword - begin &&
           std::ranges::all_of(run, is_arn_char);
  }

  // Whether [begin, end) is in the braces of a template: {{ .Values.password | b64enc }}.
  bool in_template(std::size_t begin, std::size_t end) const {
    const std::size_t from = begin > kMaxRun ? begin - kMaxRun : 0;
    const std::string_view left = text_.substr(from, begin - from);
    const std::size_t open = left.rfind("{{");
    if (open == std::string_view::npos ||
        left.substr(open).find_first_of("}\n") != std::string_view::npos) {
      return false;
    }
    const std::string_view right = text_.substr(end, kMaxRun);
    const std::size_t close = right.find("}}");
    return close != std::string_view::npos && right.find('\n') > close;
  }

  // Whether the name is a shell's variable whose value goes on through a pipe: "$password" | sha1.
  bool is_piped_variable(TextSpan name, std::size_t value) const {
    const bool is_variable =
        text_[name.begin] == '$' || (name.begin > 1 && text_.substr(name.begin - 2, 2) == "${");
    const std::string_view between = text_.substr(name.end, value - name.end);
    return is_variable && between.find('|') != std::string_view::npos &&
           between.find('=') == std::string_view::npos;
  }

  // What passes because of what surrounds it.
  Allowed judge_place(TextSpan keyword, TextSpan name, TextSpan value, bool is_quoted) const {
    std::size_t begin = value.begin;
    while (begin > 0 && value.begin - begin < 8 &&
           (is_letter(text_[begin - 1]) || text_[begin - 1] == '_' || text_[begin - 1] == '.')) {
      --begin;
    }
    if (begin < value.begin && is_public_key(text_.substr(begin, value.end - begin))) {
      return Allowed::kDigest;
    }
    if (name.end == name.begin || is_quoted) return Allowed::kNone;
    if (in_template(name.begin, value.end) || in_arn(keyword.begin, value.end)) {
      return Allowed::kReference;
    }
    return is_piped_variable(name, value.begin) ? Allowed::kCode : Allowed::kNone;
  }

  void judge(std::size_t number, TextSpan keyword, TextSpan name, TextSpan value,
             std::size_t match_end) {
    const SecretRule& rule = set_.rules()[number];
    Allowed allowed = Allowed::kNone;
    if (rule.test == ValueTest::kKeyBlock) {
      const auto block = key_block(text_, value.begin, value.end);
      if (!block) {
        allowed = Allowed::kFormat;
      } else {
        value = *block;
      }
    } else {
      const bool is_quoted = value.begin > 0 && is_quote(text_[value.begin - 1]);
      const bool is_format = rule.test == ValueTest::kFormat;
      // A token that goes on is another one.
      if (is_format && is_alnum(text_[value.end - 1]) && is_alnum(at(value.end))) {
        allowed = Allowed::kFormat;
      }
      bool is_label = false;
      if (name.end > name.begin && !is_quoted) value = cut(name, value, &is_label);
      if (value.begin >= value.end) return;
      if (is_label) allowed = Allowed::kWord;
      // A marker is taken as a whole: never one in another.
      if (has_markers_) value.begin = open_marker(value.begin);
      if (allowed == Allowed::kNone) allowed = judge_place(keyword, name, value, is_quoted);
      // The user of such an address is a public key.
      if (rule.id == "credential-url" && before(value.begin) == '/' &&
          text_.substr(value.end, 64).find("sentry.io/") != std::string_view::npos) {
        allowed = Allowed::kDigest;
      }
      if (allowed == Allowed::kNone) {
        const std::size_t size = std::min(value.end - value.begin, kMaxJudged);
        const std::string_view start = text_.substr(value.begin, size);
        // Letters and digits behind an option are no code.
        const bool is_plain = rule.anchor == Anchor::kFlag && std::ranges::all_of(start, is_alnum);
        allowed = judge_value(start, rule.test, is_quoted || is_plain, rule.min_entropy);
      }
      if (allowed == Allowed::kNone && name.end > name.begin) {
        allowed = judge_name(text_.substr(name.begin, name.end - name.begin),
                             keyword.begin - name.begin, keyword.end - name.begin);
      }
    }
    if (allowed == Allowed::kNone) {
      skip_until_[number] = std::max(match_end, value.end);
    } else {
      // A text of that length is not the name of a value.
      if (value.end - value.begin >= kMaxJudged) skip_until_[number] = value.end;
      if (!passed_) return;
    }
    found_.push_back({number, value, allowed});
  }

  // A bare value without what ends a sentence, a list or a parameter of an address.
  // `*is_label`: what follows it is its own value.
  TextSpan cut(TextSpan name, TextSpan value, bool* is_label) const {
    const std::string_view text = text_.substr(value.begin, value.end - value.begin);
    const std::size_t ampersand = text.find('&');
    if (ampersand != std::string_view::npos && ampersand > 0) {
      const char c = name.end > name.begin ? before(name.begin) : ' ';
      const std::size_t equals = text.find('=', ampersand);
      const bool is_next =
          equals != std::string_view::npos && equals > ampersand + 1 &&
          std::ranges::all_of(text.substr(ampersand + 1, equals - ampersand - 1), is_name_char);
      if (c == '?' || c == '&' || is_next) value.end = value.begin + ampersand;
    }
    while (value.end > value.begin) {
      const char last = text_[value.end - 1];
      const std::string_view left = text_.substr(value.begin, value.end - 1 - value.begin);
      const char opener = last == ')' ? '(' : last == ']' ? '[' : last == '}' ? '{' : '\0';
      const bool is_stop = std::string_view(".,;:\\|").find(last) != std::string_view::npos;
      if (!is_stop && (opener == '\0' || left.find(opener) != std::string_view::npos)) break;
      if (last == ':') *is_label = true;
      --value.end;
    }
    return value;
  }

  std::string_view text_;
  bool passed_;
  std::vector<FoundSecret>& found_;
  bool has_markers_;
  const RuleSet& set_ = RuleSet::get();
  std::vector<std::size_t> skip_until_;  // by rule: what it found ends there
};

bool is_text(std::string_view bytes) {
  std::size_t odd = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && !is_space(c)) || byte == 0x7F) ++odd;
    if (byte >= 0x80) ++odd;
  }
  return odd * 20 <= bytes.size();
}

void note_values(std::string_view text, const std::vector<FoundSecret>& found, KnownValues* known) {
  if (known == nullptr) return;
  for (const FoundSecret& one : found) {
    if (one.allowed != Allowed::kNone) continue;
    known->add(text.substr(one.span.begin, one.span.end - one.span.begin), one.rule);
  }
}

// What base64 in `text` says. A run may go over lines, as long as they are of one length.
void scan_base64(std::string_view text, std::vector<FoundSecret>* found, KnownValues* known) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_base64_char(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    std::size_t line = i;
    while (i < text.size()) {
      while (i < text.size() && is_base64_char(text[i])) ++i;
      std::size_t next = i;
      while (next < text.size() && is_space(text[next]) && next - i < 12) ++next;
      const bool is_broken = i - line >= 60 && next > i && next < text.size() &&
                             is_base64_char(text[next]) &&
                             text.substr(i, next - i).find('\n') != std::string_view::npos;
      if (!is_broken) break;
      line = i = next;
    }
    if (i - begin < kMinBase64) continue;
    std::size_t end = i;
    while (end < text.size() && text[end] == '=' && end - i < 2) ++end;
    const std::string_view run = text.substr(begin, i - begin);
    // Most runs are names, digests and pictures: their beginning shows it.
    if (!is_text(decode_base64(run.substr(0, kMinBase64), Base64::kAny).value_or(""))) continue;
    const std::size_t whole = run.size() % 4 == 1 ? run.size() - 1 : run.size();
    const std::string decoded = decode_base64(run.substr(0, whole), Base64::kAny).value_or("");
    if (!is_text(decoded)) continue;
    std::vector<FoundSecret> inner;
    Scan(decoded, false, &inner).run();
    if (inner.empty()) continue;
    note_values(decoded, inner, known);
    const auto first = std::ranges::min_element(inner, {}, &FoundSecret::rule);
    found->push_back({first->rule, {begin, end}, Allowed::kNone});
  }
}

}  // namespace

void KnownValues::add(std::string_view value, std::size_t rule) {
  if (value.size() < kMinKnown || value.size() > kMaxKnown ||
      bytes_ + value.size() > kMaxKnownBytes ||
      !(std::ranges::any_of(value, is_letter) && std::ranges::any_of(value, is_digit)) ||
      judge_value(value, ValueTest::kPassword, true, 0) != Allowed::kNone) {
    return;
  }
  if (!rules_.emplace(value, rule).second) return;
  bytes_ += value.size();
  set_.reset();
}

void KnownValues::find(std::string_view text, std::vector<FoundSecret>* found) const {
  if (empty() || !is_looking_) return;
  if (!set_) {
    words_.clear();
    for (const auto& [value, rule] : rules_) words_.push_back(value);
    set_.emplace(words_);
  }
  set_->scan(text, [&](std::size_t word, std::size_t end) {
    const std::size_t begin = end - words_[word].size();
    const bool is_within = (begin > 0 && is_alnum(text[begin - 1]) && is_alnum(text[begin])) ||
                           (end < text.size() && is_alnum(text[end]) && is_alnum(text[end - 1]));
    if (is_within || text.substr(begin, end - begin) != words_[word]) return;
    found->push_back({rules_.find(words_[word])->second, {begin, end}, Allowed::kNone});
  });
}

std::vector<FoundSecret> scan_secrets(std::string_view text, bool passed, KnownValues* known) {
  std::vector<FoundSecret> all;
  const auto keep = [&](const PlainText& view, std::vector<FoundSecret>& found) {
    note_values(view.text(), found, known);
    for (FoundSecret& one : found) {
      one.span = view.original(one.span);
      all.push_back(one);
    }
    found.clear();
  };
  std::vector<FoundSecret> found;
  const PlainText forms(text, Undo::kForms);
  Scan(forms.text(), passed, &found).run();
  keep(forms, found);

  const PlainText escapes(text, Undo::kFormsAndEscapes);
  if (escapes.text() != forms.text()) {
    Scan(escapes.text(), passed, &found).run();
    keep(escapes, found);
  }
  scan_base64(escapes.text(), &found, known);
  keep(escapes, found);
  if (known != nullptr) {
    for (const PlainText* view : {&forms, &escapes}) {
      known->find(view->text(), &found);
      for (const FoundSecret& one : found) all.push_back({one.rule, view->original(one.span)});
      found.clear();
    }
  }
  return all;
}

}  // namespace codexmem::privacy
