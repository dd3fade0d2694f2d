// A hit's probability is calibrated: it means the same in each repository. It and the score descend
// along a member's answer, so repeatedly taking the best head keeps each member's order.
//
// Members are searched at once, by as many threads as processors: each search has its own
// connection and its own engine's snapshot. The merge uses the order of the members, whichever
// finishes first. Threads are started for each query, which takes 0.05 ms.
//
// Tested by search/united_search_test.cpp.
#include "search/united_search.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

#include "base/stop_scope.h"
#include "base/at_once.h"
#include "base/text.h"
#include "store/code/united_reader.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxAtOnce = 50;  // in one answer, the maximum of SearchRequest::limit

template <typename Answer>
struct Named {
  std::string name;
  Answer answer;
};

using MemberAnswer = Named<SearchAnswer>;

bool is_shown(double score, bool is_exact, double threshold) {
  return is_exact || score >= threshold;
}

// The members' results so far: members need not build hits that cannot be among the first `wanted`
// of all. Which ones are built depends on timing; the merged answer does not. Thread-safe.
class FirstOfAll {
 public:
  FirstOfAll(std::size_t wanted, double threshold) : wanted_(wanted), threshold_(threshold) {}

  // How many hits of the member `member` may be among them.
  std::size_t count(std::size_t member, std::span<const HitRank> own) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    while (count < own.size() && count + count_better(own[count]) < wanted_) ++count;
    counted_.insert(member);
    if (count < own.size()) cut_.insert(member);
    for (const HitRank& each : own) {
      if (is_shown(each.score, each.is_exact, threshold_)) known_.push_back(each);
    }
    return count;
  }

  // True if the member's hits counted here; and whether it was asked to leave out some of them.
  bool has_counted(std::size_t member) const { return counted_.contains(member); }
  bool has_cut(std::size_t member) const { return cut_.contains(member); }

 private:
  std::size_t count_better(const HitRank& own) const {
    return static_cast<std::size_t>(std::ranges::count_if(known_, [&](const HitRank& each) {
      return std::tie(each.probability, each.score) > std::tie(own.probability, own.score);
    }));
  }

  const std::size_t wanted_;
  const double threshold_;
  std::mutex mutex_;                     // guards all members below while members are queried
  std::vector<HitRank> known_;           // that are shown in any case
  std::set<std::size_t> counted_, cut_;  // members
};

// The first `wanted` hits of `member`, from as many answers as needed; fewer if one answer is
// enough and `choose`, if set, takes fewer.
Result<SearchAnswer> first_hits(CodeSearch& member, SearchRequest request, std::size_t wanted,
                                const decltype(SearchRequest::choose)& choose,
                                const std::stop_token& stop) {
  if (wanted <= kMaxAtOnce) {
    request.offset = 0;
    request.limit = wanted;
    request.choose = choose;
    return member.search(request, stop);
  }
  std::optional<SearchAnswer> all;
  for (request.offset = 0;; request.offset = all->hits.size()) {
    request.limit = std::min(wanted - request.offset, kMaxAtOnce);
    CODEXMEM_ASSIGN(SearchAnswer page, member.search(request, stop));
    const bool is_last = page.hits.empty() || page.beyond_limit == 0;
    if (!all) {
      all = std::move(page);
    } else {
      all->beyond_limit = page.beyond_limit;
      for (SearchHit& hit : page.hits) all->hits.push_back(std::move(hit));
    }
    if (is_last || all->hits.size() >= wanted) return *std::move(all);
  }
}

// The members' notes for display: once if several are equal, with the member's name if only one has
// it.
template <typename Answer>
std::string join_notes(const std::vector<Named<Answer>>& answers, bool all_weak) {
  std::vector<std::string> notes;
  std::set<std::string_view> said;
  for (const Named<Answer>& own : answers) {
    for (const std::string_view part : split(own.answer.note, ';')) {
      const std::string_view note = trim(part);
      if (note.empty() || (note == kNothingMatchedWell && !all_weak)) continue;
      const bool is_of_all = std::ranges::all_of(answers, [&](const auto& other) {
        return other.answer.note.find(note) != std::string::npos;
      });
      if (!said.insert(note).second && is_of_all) continue;
      notes.push_back(is_of_all ? std::string(note) : own.name + ": " + std::string(note));
    }
  }
  return join(notes, "; ");
}

SearchAnswer merge(std::vector<MemberAnswer> answers, const SearchRequest& request) {
  SearchAnswer all;
  const auto is_weak = [](const MemberAnswer& own) { return own.answer.is_weak; };
  all.is_weak = std::ranges::any_of(answers, is_weak) &&
                std::ranges::all_of(answers, [&](const MemberAnswer& own) {
                  return is_weak(own) || own.answer.hits.empty();
                });
  all.note = join_notes(answers, all.is_weak);
  std::vector<SearchHit> hits;
  for (MemberAnswer& own : answers) {
    SearchAnswer& found = own.answer;
    all.matched_files += found.matched_files;
    all.below_threshold += found.below_threshold;
    all.beyond_limit += found.beyond_limit;
    all.matched_lines += found.matched_lines;
    all.is_partial = all.is_partial || found.is_partial;
    all.known = std::max(all.known, found.known);
    all.degraded = all.degraded || found.degraded;
    for (SearchHit& hit : found.hits) {
      hit.path = store::united_path(own.name, hit.path);
      if (hit.symbol) hit.symbol->id = {};  // from the member's store
      hits.push_back(std::move(hit));
    }
  }
  std::ranges::stable_sort(hits, [](const SearchHit& a, const SearchHit& b) {
    return std::tie(b.probability, b.score) < std::tie(a.probability, a.score);
  });
  // Each member's answer includes its best hit regardless of the score.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i > 0 && !is_shown(hits[i].score, hits[i].match_count > 0, request.threshold)) {
      ++all.below_threshold;
      continue;
    }
    if (kept != i) hits[kept] = std::move(hits[i]);
    ++kept;
  }
  hits.resize(kept);
  const std::size_t limit = std::clamp<std::size_t>(request.limit, 1, kMaxAtOnce);
  const std::size_t begin = std::min(request.offset, hits.size());
  const std::size_t end = std::min(begin + limit, hits.size());
  all.beyond_limit += hits.size() - end;
  double score = 1;
  for (std::size_t i = 0; i < end; ++i) {
    hits[i].score = score = std::min(score, hits[i].score);
    if (i >= begin) all.hits.push_back(std::move(hits[i]));
  }
  return all;
}

// The results of `ask` for each of `count` members, by number. It is called from several threads.
template <typename Ask>
auto ask_at_once(std::size_t count, const Ask& ask) {
  using Answer = decltype(ask(std::size_t{}));
  std::vector<std::optional<Answer>> answers(count);
  run_at_once(count, std::thread::hardware_concurrency(), [&](std::size_t i) {
    try {
      answers[i].emplace(ask(i));
    } catch (const std::exception& error) {  // out of memory
      answers[i].emplace(Error{ErrorCode::kIo, error.what()});
    }
  });
  std::vector<Answer> all;
  all.reserve(count);
  for (auto& answer : answers) all.push_back(*std::move(answer));
  return all;
}

// The successful answers. If a filter is unknown to a member, its files are left out; if a member
// cannot be searched, the note says so.
template <typename Answer>
Result<std::vector<Named<Answer>>> take_answers(const std::vector<UnitedSearch::Member>& members,
                                                std::vector<Result<Answer>> found) {
  std::vector<Named<Answer>> answers;
  std::vector<Named<Answer>> failed;
  std::optional<Error> refused, trouble;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const UnitedSearch::Member& member = members[i];
    Result<Answer>& answer = found[i];
    if (answer.ok()) {
      answers.push_back({member.name, std::move(answer).value()});
    } else if (answer.error().code() == ErrorCode::kInvalidArgument) {
      refused = std::move(answer).error();
    } else if (answer.error().code() == ErrorCode::kCancelled) {
      return std::move(answer).error();
    } else {
      failed.push_back({member.name, {}});
      failed.back().answer.degraded = true;
      failed.back().answer.note = "not searched: " + answer.error().message();
      trouble = std::move(answer).error().with_context(member.name);
    }
  }
  if (answers.empty() && trouble) return *std::move(trouble);
  if (answers.empty() && refused) return *std::move(refused);
  for (Named<Answer>& each : failed) answers.push_back(std::move(each));
  return answers;
}

}  // namespace

Result<SearchAnswer> UnitedSearch::search(const SearchRequest& request,
                                          const std::stop_token& stop) {
  const std::size_t wanted = request.offset + std::clamp<std::size_t>(request.limit, 1, kMaxAtOnce);
  FirstOfAll first(wanted, request.threshold);
  auto found = ask_at_once(members_.size(), [&](std::size_t i) {
    const auto choose = [&first, i](std::span<const HitRank> own) { return first.count(i, own); };
    return first_hits(*members_[i].search, request, wanted, choose, stop);
  });
  // Find members that left out hits in favour of hits from a member that failed.
  bool is_any_lost = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    is_any_lost = is_any_lost || (!found[i].ok() && first.has_counted(i));
  }
  for (std::size_t i = 0; is_any_lost && i < found.size(); ++i) {
    if (!found[i].ok() || !first.has_cut(i)) continue;
    found[i] = first_hits(*members_[i].search, request, wanted, {}, stop);
  }
  CODEXMEM_ASSIGN(auto answers, take_answers(members_, std::move(found)));
  return merge(std::move(answers), request);
}

Result<SearchAnswer> UnitedSearch::find_related(const RelatedRequest& request,
                                                const std::stop_token& stop) {
  SearchRequest cut{.limit = request.limit, .threshold = 0};
  const auto split = store::split_united_path(request.path);
  std::vector<Member> asked;
  for (const Member& member : members_) {
    if (!split || split->name == member.name) asked.push_back(member);
  }
  auto found = ask_at_once(asked.size(), [&](std::size_t i) {
    const Member& member = asked[i];
    RelatedRequest own = request;
    if (split) own.path = split->path;
    own.exclude_paths.clear();
    for (const std::string& path : request.exclude_paths) {
      const auto excluded = store::split_united_path(path);
      if (excluded && excluded->name == member.name) {
        own.exclude_paths.emplace_back(excluded->path);
      }
    }
    const StopScope scope(stop);  // of this thread
    return member.search->find_related(own);
  });
  std::vector<MemberAnswer> answers;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!found[i].ok()) return std::move(found[i]).error().with_context(asked[i].name);
    answers.push_back({asked[i].name, std::move(found[i]).value()});
  }
  if (answers.empty()) {
    return Error{ErrorCode::kNotFound, request.path + " is not in the index"};
  }
  return merge(std::move(answers), cut);
}

Result<LocateAnswer> UnitedSearch::locate(const LocateRequest& request,
                                          const std::stop_token& stop) {
  auto found = ask_at_once(
      members_.size(), [&](std::size_t i) { return members_[i].search->locate(request, stop); });
  CODEXMEM_ASSIGN(auto answers, take_answers(members_, std::move(found)));
  LocateAnswer all;
  all.is_weak = std::ranges::all_of(
      answers, [](const auto& own) { return own.answer.is_weak || own.answer.functions.empty(); });
  all.note = join_notes(answers, all.is_weak);
  for (auto& own : answers) {
    all.beyond_limit += own.answer.beyond_limit;
    all.degraded = all.degraded || own.answer.degraded;
    for (LocatedFunction& function : own.answer.functions) {
      function.path = store::united_path(own.name, function.path);
      all.functions.push_back(std::move(function));
    }
  }
  std::ranges::stable_sort(all.functions, [](const LocatedFunction& a, const LocatedFunction& b) {
    return std::tie(b.probability, b.score) < std::tie(a.probability, a.score);
  });
  const std::size_t limit = std::clamp<std::size_t>(request.limit, 1, kMaxAtOnce);
  if (all.functions.size() > limit) {
    all.beyond_limit += all.functions.size() - limit;
    all.functions.resize(limit);
  }
  // Each member shows the code of its own best.
  for (std::size_t i = 1; i < all.functions.size(); ++i) all.functions[i].code.clear();
  return all;
}

}  // namespace codexmem::search
