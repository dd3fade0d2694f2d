#include "memory/recall.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "base/words.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kMaxTerms = 64;

constexpr char kMatchSql[] = R"sql(
SELECT rowid, -bm25(document_terms, 2.0, 1.0, 0.5) FROM document_terms
WHERE document_terms MATCH ?1 ORDER BY bm25(document_terms, 2.0, 1.0, 0.5), rowid DESC LIMIT 10000)sql";
constexpr char kNewestSql[] = R"sql(
SELECT id << 2 FROM entries ORDER BY created_at_ms DESC, id DESC LIMIT 10000)sql";
constexpr char kEntrySql[] = R"sql(
SELECT p.name, e.entry_type, e.title, e.created_at_ms, e.body, e.files_read, e.files_modified,
  e.concepts FROM entries AS e JOIN projects AS p ON p.id = e.project_id WHERE e.id = ?1)sql";

std::string match_expression(std::string_view query) {
  std::string expression;
  std::unordered_set<std::string> seen;
  for_each_term(query, [&](const Term& term) {
    if (seen.size() == kMaxTerms || !seen.emplace(term.text).second) return;
    expression += (expression.empty() ? "\"" : " OR \"") + std::string(term.text) + "\"";
  });
  return expression;
}

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

struct Recall::Impl {
  store::UserStore& store;
  const DocumentVectors& vectors;
  Clock clock;
  RecallOptions options;
};

Recall::Recall(store::UserStore& store, const DocumentVectors& vectors, Clock clock,
               RecallOptions options)
    : impl_(new Impl{store, vectors, std::move(clock), std::move(options)}) {}
Recall::~Recall() = default;

Result<RecallAnswer> Recall::search(const RecallRequest& request, std::stop_token) {
  CODEXMEM_ASSIGN(store::UserReader reader, impl_->store.reader());
  const std::string expression = match_expression(request.query);
  RecallAnswer answer;
  if (!request.query.empty() && expression.empty()) return answer;
  CODEXMEM_ASSIGN(store::Statement match,
                  reader->statement(expression.empty() ? kNewestSql : kMatchSql));
  if (!expression.empty()) match.bind(1, expression);
  CODEXMEM_ASSIGN(store::Statement entry, reader->statement(kEntrySql));
  double best = 0;
  for (;;) {
    CODEXMEM_ASSIGN(const bool more, match.step());
    if (!more) break;
    RecallHit hit;
    hit.key = match.id<DocumentKey>(0);
    if (kind_of(hit.key) != DocumentKind::kEntry) continue;
    entry.reset();
    entry.bind(1, id_of(hit.key));
    CODEXMEM_ASSIGN(const bool found, entry.step());
    if (!found) continue;
    hit.project = entry.text(0);
    hit.type = entry.text(1);
    hit.title = entry.text(2);
    hit.created_at_ms = entry.integer(3);
    hit.text_chars = code_point_count(entry.text(4));
    if (!contains(request.projects, hit.project) || !contains(request.types, hit.type) ||
        hit.created_at_ms < request.from_ms.value_or(hit.created_at_ms) ||
        hit.created_at_ms > request.to_ms.value_or(hit.created_at_ms)) {
      continue;
    }
    const double words = expression.empty() ? 0 : match.real(1);
    best = std::max(best, words);
    hit.score = best > 0 ? std::clamp(words / best, 0.0, 1.0) : 0;
    ++answer.total;
    ++answer.counts[0];
    ++answer.lexical_hits;
    answer.hits.push_back(std::move(hit));
  }
  auto& hits = answer.hits;
  if (request.order == RecallOrder::kNewest || request.order == RecallOrder::kOldest) {
    std::stable_sort(hits.begin(), hits.end(), [&](const RecallHit& a, const RecallHit& b) {
      return request.order == RecallOrder::kNewest ? a.created_at_ms > b.created_at_ms
                                                   : a.created_at_ms < b.created_at_ms;
    });
  }
  hits.erase(hits.begin(),
             hits.begin() + static_cast<std::ptrdiff_t>(std::min(request.offset, hits.size())));
  if (hits.size() > request.limit) hits.resize(request.limit);
  return answer;
}

Result<std::vector<ScoredDocument>> Recall::candidates(std::string_view text, DocumentKind kind,
                                                       std::size_t k, std::stop_token) {
  CODEXMEM_ASSIGN(store::UserReader reader, impl_->store.reader());
  std::vector<ScoredDocument> found;
  const std::string expression = match_expression(text);
  if (expression.empty()) return found;
  CODEXMEM_ASSIGN(store::Statement match, reader->statement(kMatchSql));
  match.bind(1, expression);
  for (double best = 0; found.size() < k;) {
    CODEXMEM_ASSIGN(const bool more, match.step());
    if (!more) break;
    if (kind_of(match.id<DocumentKey>(0)) != kind) continue;
    best = std::max(best, match.real(1));
    found.push_back({match.id<DocumentKey>(0), std::clamp(match.real(1) / best, 0.0, 1.0)});
  }
  return found;
}

Result<void> Recall::maintain(std::stop_token) { return {}; }

}  // namespace codexmem::memory
