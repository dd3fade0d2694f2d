#include "privacy/text_template.h"

#include <cctype>
#include <iterator>
#include <stdexcept>

namespace codexmem::privacy::testing {
namespace {

constexpr std::string_view kTemplateWords[] = {
    "billing", "orders", "catalog", "report",  "search", "gateway", "mailer", "ledger",
    "invoice", "portal", "metrics", "uploads", "photos", "stock",   "travel", "warehouse"};
constexpr std::string_view kHosts[] = {
    "db.acme.io",          "10.0.3.17",          "api.northwind.dev", "queue.internal.acme.io",
    "build.northwind.dev", "cache-2.prod.local", "git.acme.io",       "pg-main.eu.acme.cloud"};
constexpr std::string_view kUsers[] = {"app", "deploy", "svc_orders", "admin", "marta", "ci-bot"};

template <std::size_t N>
std::string pick_text(const std::string_view (&from)[N], Dice& dice) {
  return std::string(from[dice.below(N)]);
}

std::string fill_place(std::string_view place, std::string_view name, Dice& dice) {
  const std::size_t space = place.find(' ');
  const std::string_view kind = place.substr(0, space);
  const std::size_t length =
      space == std::string_view::npos ? 0 : std::stoul(std::string(place.substr(space + 1)));
  if (kind == "hex") return dice.chars(kHex, length);
  if (kind == "HEX") return dice.chars(kUpperHex, length);
  if (kind == "b64") return dice.chars(kBase64, length);
  if (kind == "url64") return dice.chars(kUrl64, length);
  if (kind == "alnum") return dice.chars(kBase62, length);
  if (kind == "lower") return dice.chars("abcdefghijklmnopqrstuvwxyz", length);
  if (kind == "base36") return dice.chars(kBase36, length);
  if (kind == "digits") return dice.chars("123456789", length);
  if (kind == "uuid") return uuid()(dice);
  if (kind == "word") return pick_text(kTemplateWords, dice);
  if (kind == "Word") return in_case(Case::kPascal, pick_text(kTemplateWords, dice));
  if (kind == "host") return pick_text(kHosts, dice);
  if (kind == "user") return pick_text(kUsers, dice);
  if (kind == "snake") return in_case(Case::kSnake, name);
  if (kind == "SCREAM") return in_case(Case::kScreaming, name);
  if (kind == "camel") return in_case(Case::kCamel, name);
  if (kind == "Pascal") return in_case(Case::kPascal, name);
  if (kind == "kebab") return in_case(Case::kKebab, name);
  if (kind == "plain") return std::string(name);
  throw std::invalid_argument("no such place: " + std::string(place));
}

}  // namespace

std::string in_case(Case style, std::string_view words) {
  std::string text;
  bool is_start = true;
  for (const char c : words) {
    if (c == ' ') {
      if (style == Case::kSnake || style == Case::kScreaming) text += '_';
      if (style == Case::kKebab) text += '-';
      is_start = true;
      continue;
    }
    const bool is_upper = style == Case::kScreaming || (is_start && style == Case::kPascal) ||
                          (is_start && style == Case::kCamel && !text.empty());
    text += is_upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_start = false;
  }
  return text;
}

std::string expand(std::string_view text, std::string_view name, Dice& dice) {
  constexpr std::string_view kOpen = "«", kClose = "»";
  std::string out;
  for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen)) {
    const std::size_t end = text.find(kClose, at);
    out += text.substr(0, at);
    out += fill_place(text.substr(at + kOpen.size(), end - at - kOpen.size()), name, dice);
    text.remove_prefix(end + kClose.size());
  }
  return out.append(text);
}

}  // namespace codexmem::privacy::testing
