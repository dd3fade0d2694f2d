#include "store/full_text.h"

#include <sqlite3.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace codexmem::store {
namespace {

// Both tokenizers keep no state: FTS5 wants a non-null handle and gets this one.
char g_no_state;

int create_tokenizer(void*, const char**, int, Fts5Tokenizer** out) {
  *out = reinterpret_cast<Fts5Tokenizer*>(&g_no_state);
  return SQLITE_OK;
}

void delete_tokenizer(Fts5Tokenizer*) {}

using TokenCallback = int (*)(void*, int, const char*, int, int, int);

int emit(TokenCallback callback, void* context, std::string_view token, std::uint32_t begin,
         std::uint32_t end) {
  return callback(context, 0, token.data(), static_cast<int>(token.size()), static_cast<int>(begin),
                  static_cast<int>(end));
}

// Compounds take a position of their own, so that a row's size is the number of all its terms.
int tokenize_terms(Fts5Tokenizer*, void* context, int flags, const char* data, int size,
                   TokenCallback callback) {
  const std::string_view text(data, static_cast<std::size_t>(size));
  if ((flags & FTS5_TOKENIZE_QUERY) != 0) {
    return text.empty() ? SQLITE_OK
                        : emit(callback, context, text, 0, static_cast<std::uint32_t>(size));
  }
  TermReader reader(text);
  Term term;
  while (reader.next(&term)) {
    if (const int code = emit(callback, context, term.text, term.begin, term.end);
        code != SQLITE_OK) {
      return code;
    }
  }
  return SQLITE_OK;
}

int tokenize_names(Fts5Tokenizer*, void* context, int, const char* data, int size,
                   TokenCallback callback) {
  const std::string_view text(data, static_cast<std::size_t>(size));
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find(' ', begin);
    if (end == std::string_view::npos) end = text.size();
    if (end > begin) {
      const int code = emit(callback, context, text.substr(begin, end - begin),
                            static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
      if (code != SQLITE_OK) return code;
    }
    begin = end + 1;
  }
  return SQLITE_OK;
}

// term_counts(table): see full_text.h.
void term_counts(const Fts5ExtensionApi* api, Fts5Context* row, sqlite3_context* context,
                 int arguments, sqlite3_value**) {
  // FTS5 calls C++ here: nothing may be thrown through it.
  try {
    const int phrases = api->xPhraseCount(row);
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(phrases) + 1, 0);
    int length = 0;
    // The length is a row of another table: a third of the time of a scan.
    if (arguments == 0) {
      if (const int code = api->xColumnSize(row, -1, &length); code != SQLITE_OK) {
        sqlite3_result_error_code(context, code);
        return;
      }
    }
    counts[0] = static_cast<std::uint32_t>(length);
    for (int phrase = 0; phrase < phrases; ++phrase) {
      Fts5PhraseIter position{};
      int column = 0;
      int offset = 0;
      int code = api->xPhraseFirst(row, phrase, &position, &column, &offset);
      if (code != SQLITE_OK) {
        sqlite3_result_error_code(context, code);
        return;
      }
      for (; column >= 0; api->xPhraseNext(row, &position, &column, &offset)) {
        ++counts[static_cast<std::size_t>(phrase) + 1];
      }
    }
    sqlite3_result_blob64(context, counts.data(), counts.size() * sizeof(counts[0]),
                          SQLITE_TRANSIENT);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

// FTS5 hands out its interface through a pointer-valued SELECT (sqlite.org/fts5.html, section 7).
fts5_api* find_fts5(sqlite3* connection) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

}  // namespace

Result<void> register_full_text(sqlite3* connection) {
  fts5_api* api = find_fts5(connection);
  if (api == nullptr) {
    return Error{ErrorCode::kUnsupported, "this SQLite was built without FTS5"};
  }
  fts5_tokenizer terms{create_tokenizer, delete_tokenizer, tokenize_terms};
  fts5_tokenizer names{create_tokenizer, delete_tokenizer, tokenize_names};
  if (api->xCreateTokenizer(api, "codexmem_terms", nullptr, &terms, nullptr) != SQLITE_OK ||
      api->xCreateTokenizer(api, "codexmem_names", nullptr, &names, nullptr) != SQLITE_OK ||
      api->xCreateFunction(api, "term_counts", nullptr, term_counts, nullptr) != SQLITE_OK) {
    return Error{ErrorCode::kIo, "FTS5 refused codexmem's tokenizers"};
  }
  return {};
}

}  // namespace codexmem::store
