// Tested by observe/journal_test.cpp.
#include "observe/intake/journal.h"

#include "base/text.h"
#include "privacy/gate.h"

namespace codexmem::observe {
namespace {

constexpr std::size_t kMaxMessageBytes = 1'000;

// What `read` reads, all of one moment.
template <typename Read>
auto read_moment(store::UserStore& store, const Read& read)
    -> std::invoke_result_t<Read, store::Database&> {
  CODEXMEM_ASSIGN(store::UserMoment reader, store.moment());
  return read(*reader);
}

}  // namespace

Result<void> write_failure(store::Database& database, MessageFailure failure) {
  failure.message = utf8_prefix(privacy::captured(failure.message), kMaxMessageBytes);
  return store::add_failure(database, failure);
}

Result<SearchTraces> Journal::searches(const JournalFilter& filter) {
  if (searches_ != nullptr) searches_->write_pending();
  CODEXMEM_ASSIGN(SearchTraces traces, read_moment(*store_, [&](store::Database& database) {
                    return store::list_searches(database, filter);
                  }));
  for (SearchTrace& trace : traces.rows) trace.query = privacy::redacted(trace.query);
  return traces;
}

Result<MessageTimings> Journal::timings(const JournalFilter& filter) {
  return read_moment(
      *store_, [&](store::Database& database) { return store::list_timings(database, filter); });
}

Result<MessageFailures> Journal::failures(const JournalFilter& filter) {
  CODEXMEM_ASSIGN(MessageFailures failures, read_moment(*store_, [&](store::Database& database) {
                    return store::list_failures(database, filter);
                  }));
  for (MessageFailure& failure : failures.rows) {
    failure.message = privacy::redacted(failure.message);
  }
  return failures;
}

Result<std::vector<TrendBucket>> Journal::trends(std::int64_t bucket_ms, std::size_t count) {
  if (searches_ != nullptr) searches_->write_pending();
  const std::int64_t last_ms = clock_() / bucket_ms * bucket_ms;
  const std::int64_t first_ms = last_ms - static_cast<std::int64_t>(count - 1) * bucket_ms;
  return read_moment(*store_, [&](store::Database& database) {
    return store::count_trends(database, first_ms, bucket_ms, count);
  });
}

Result<AgentMetrics> Journal::agent_metrics() {
  return read_moment(*store_, store::read_agent_metrics);
}

Result<AgentMetrics> Journal::reset_agent_metrics() {
  CODEXMEM_ASSIGN(store::UserTransaction writer, store_->begin());
  CODEXMEM_ASSIGN(AgentMetrics before, store::read_agent_metrics(*writer));
  CODEXMEM_TRY(store::clear_agent_metrics(*writer));
  CODEXMEM_TRY(writer.commit());
  return before;
}

}  // namespace codexmem::observe
