#include "graph/uses/use_drawers.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "base/text.h"
#include "text/counted.h"

namespace codexmem::graph {
namespace {

constexpr std::array<std::string_view, 4> kConfidences = {"name", "possible", "likely", "resolved"};
constexpr std::array<std::string_view, kDrawers> kDrawerNames = {
    "definition", "certain", "likely", "possible", "other", "text", "unread"};

}  // namespace

std::string_view confidence_name(Confidence confidence) {
  return kConfidences[static_cast<std::size_t>(confidence)];
}

std::optional<Confidence> parse_confidence(std::string_view name) {
  for (std::size_t i = 0; i < kConfidences.size(); ++i) {
    if (kConfidences[i] == name) return static_cast<Confidence>(i);
  }
  return std::nullopt;
}

std::string_view doubt_text(Doubt doubt) {
  switch (doubt) {
    case Doubt::kReceiver:
      return "what it belongs to is unknown";
    case Doubt::kScope:
      return "no known scope declares the name";
    case Doubt::kKey:
      return "what it is a key of is unknown";
    case Doubt::kOverload:
      return "it may mean another overload";
    case Doubt::kByName:
      return "names of this language are not resolved";
    case Doubt::kQuoted:
      return "a text that code may look it up by";
    case Doubt::kNoFacts:
      return "this code is not resolved";
    case Doubt::kUnparsed:
      return "this part was not understood";
    case Doubt::kNoGrammar:
      return "this language is read as text";
    case Doubt::kNone:
      break;
  }
  return "";
}

std::string_view drawer_name(Drawer drawer) {
  return kDrawerNames[static_cast<std::size_t>(drawer)];
}

Confidence confidence_of(Drawer drawer) {
  switch (drawer) {
    case Drawer::kDefinition:
    case Drawer::kCertain:
      return Confidence::kResolved;
    case Drawer::kLikely:
      return Confidence::kLikely;
    case Drawer::kPossible:
      return Confidence::kPossible;
    default:
      return Confidence::kName;
  }
}

std::size_t UseAccount::total() const {
  return std::accumulate(places.begin(), places.end(), std::size_t{0});
}

void UseAccount::add(const UseAccount& other) {
  for (std::size_t i = 0; i < kDrawers; ++i) places[i] += other.places[i];
  renamed += other.renamed;
  renamed_possible += other.renamed_possible;
  others += other.others;
}

std::string account_text(const UseAccount& account) {
  const auto of = [&](Drawer drawer) { return account[drawer]; };
  std::vector<std::string> uses, rest;
  if (of(Drawer::kDefinition) > 0) {
    uses.push_back(counted(of(Drawer::kDefinition), "definition"));
  }
  uses.push_back(fmt::format("{} certain", of(Drawer::kCertain)));
  for (const Drawer drawer : {Drawer::kLikely, Drawer::kPossible}) {
    if (of(drawer) > 0) uses.push_back(fmt::format("{} {}", of(drawer), drawer_name(drawer)));
  }
  rest.push_back(join(uses, ", "));
  if (of(Drawer::kOther) > 0) {
    rest.push_back(fmt::format("{} of something else", of(Drawer::kOther)));
    if (account.others > 0) {
      rest.back() += fmt::format(" ({} of that name)", counted(account.others, "other definition"));
    }
  }
  if (of(Drawer::kText) > 0) rest.push_back(fmt::format("{} in text", of(Drawer::kText)));
  if (of(Drawer::kUnread) > 0) rest.push_back(fmt::format("{} unread", of(Drawer::kUnread)));
  std::string text = fmt::format("{} = {}", join(rest, "; "), counted(account.total(), "place"));
  if (account.renamed > 0) {
    text += fmt::format(", and {} that {} not write the name", counted(account.renamed, "use"),
                        account.renamed == 1 ? "does" : "do");
    if (account.renamed_possible > 0) {
      text += fmt::format(", {} of them possible", account.renamed_possible);
    }
  }
  return text;
}

}  // namespace codexmem::graph
