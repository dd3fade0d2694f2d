#include "store/plain_message.h"

#include "base/text.h"

namespace codexmem::store {
namespace {

bool begins_sql(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \n("));
  return is_one_of(word,
                   {"SELECT",   "INSERT", "UPDATE",    "DELETE",  "PRAGMA",  "BEGIN",   "COMMIT",
                    "ROLLBACK", "CREATE", "DROP",      "ALTER",   "WITH",    "REPLACE", "ATTACH",
                    "DETACH",   "VACUUM", "SAVEPOINT", "RELEASE", "ANALYZE", "REINDEX"});
}

}  // namespace

std::string plain_message(std::string_view message) {
  constexpr std::string_view kEnd = ".db: ";
  const std::size_t end = message.find(kEnd);
  if (end == std::string_view::npos) return std::string(message);
  const std::size_t sql = end + kEnd.size();
  const std::size_t before = message.substr(0, end).rfind(": ");  // a context
  const std::size_t path = before == std::string_view::npos ? 0 : before + 2;
  const std::size_t what = message.find(": ", sql);
  if (message[path] != '/' || !begins_sql(trim(message.substr(sql))) ||
      what == std::string_view::npos) {
    return std::string(message);
  }
  return std::string(message.substr(0, path)) + "the store" + std::string(message.substr(what));
}

}  // namespace codexmem::store
