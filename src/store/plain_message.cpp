#include "store/plain_message.h"

#include <algorithm>

#include "base/text.h"

namespace codexmem::store {
namespace {

// Where the path of a store file in `text` begins and ends; npos without one.
struct Found {
  std::size_t begin = std::string_view::npos, end = 0;
};

Found find_store_path(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('/', from); at != std::string_view::npos;
       at = text.find('/', at)) {
    const std::size_t end = std::min(text.find_first_of(" :;,'\")\n", at), text.size());
    const std::string_view path = text.substr(at, end - at);
    const bool is_absolute =
        at == 0 || std::string_view(" '\"(").find(text[at - 1]) != std::string_view::npos;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const bool is_store = name.find(".db") != std::string_view::npos ||
                          path.find("/.codexmem") != std::string_view::npos;
    if (is_absolute && is_store) return {at, end};
    at = end;
  }
  return {};
}

bool begins_sql(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \n("));
  return is_one_of(word,
                   {"SELECT",   "INSERT", "UPDATE",    "DELETE",  "PRAGMA",  "BEGIN",   "COMMIT",
                    "ROLLBACK", "CREATE", "DROP",      "ALTER",   "WITH",    "REPLACE", "ATTACH",
                    "DETACH",   "VACUUM", "SAVEPOINT", "RELEASE", "ANALYZE", "REINDEX"});
}

}  // namespace

std::string plain_message(std::string_view message) {
  std::string plain;
  std::size_t at = 0;
  for (Found path = find_store_path(message, 0); path.begin != std::string_view::npos;
       path = find_store_path(message, at)) {
    plain += message.substr(at, path.begin - at);
    plain += "the store";
    at = path.end;
    // "PATH: SQL: what happened", as store/database.cpp writes it.
    if (message.substr(at).starts_with(": ") && begins_sql(trim(message.substr(at + 2)))) {
      const std::size_t end = message.find(": ", at + 2);
      if (end != std::string_view::npos) at = end;
    }
  }
  return plain + std::string(message.substr(std::min(at, message.size())));
}

}  // namespace codexmem::store
