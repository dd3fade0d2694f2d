#include "store/full_text.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "text/prose.h"

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

// The text between spaces.
int emit_spaced(TokenCallback callback, void* context, const char* data, int size) {
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

// Prose: the terms of text/prose.h, a compound in the place of its run's last stem. A query's
// phrase is a sequence of such terms, verbatim, with a space between them: a term read once more
// would be stemmed twice.
int tokenize_prose(Fts5Tokenizer*, void* context, int flags, const char* data, int size,
                   TokenCallback callback) {
  if ((flags & FTS5_TOKENIZE_QUERY) != 0) return emit_spaced(callback, context, data, size);
  ProseReader reader(std::string_view(data, static_cast<std::size_t>(size)));
  Term term;
  while (reader.next(&term)) {
    const int place = term.is_compound ? FTS5_TOKEN_COLOCATED : 0;
    if (const int code =
            callback(context, place, term.text.data(), static_cast<int>(term.text.size()),
                     static_cast<int>(term.begin), static_cast<int>(term.end));
        code != SQLITE_OK) {
      return code;
    }
  }
  return SQLITE_OK;
}

int tokenize_names(Fts5Tokenizer*, void* context, int, const char* data, int size,
                   TokenCallback callback) {
  return emit_spaced(callback, context, data, size);
}

// Grows by SQLite's allocator, so that it can be handed over as a result without a copy.
class Postings {
 public:
  Postings() = default;
  Postings(const Postings&) = delete;
  Postings& operator=(const Postings&) = delete;
  ~Postings() { sqlite3_free(data_); }

  std::uint32_t phrase = 0;                                    // of those that are added
  std::size_t most = std::numeric_limits<std::size_t>::max();  // of a phrase
  std::size_t begin = 0;                                       // of the phrase's

  std::size_t size() const { return size_; }

  bool add(Posting posting) {
    if (size_ == capacity_) {
      const std::size_t capacity = std::max<std::size_t>(256, capacity_ * 2);
      void* const grown = sqlite3_realloc64(data_, capacity * sizeof(Posting));
      if (grown == nullptr) return false;
      data_ = static_cast<Posting*>(grown);
      capacity_ = capacity;
    }
    data_[size_++] = posting;
    return true;
  }

  void hand_over(sqlite3_context* context) {
    sqlite3_result_blob64(context, data_, size_ * sizeof(Posting), sqlite3_free);
    data_ = nullptr;
  }

 private:
  Posting* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

int add_posting(const Fts5ExtensionApi* api, Fts5Context* row, void* all) {
  Postings& postings = *static_cast<Postings*>(all);
  if (postings.size() - postings.begin == postings.most) return SQLITE_DONE;
  Posting posting{api->xRowid(row), postings.phrase, 0, 0};
  constexpr std::uint16_t kMost = std::numeric_limits<std::uint16_t>::max();
  Fts5PhraseIter position{};
  int column = 0;
  int offset = 0;
  if (const int code = api->xPhraseFirst(row, 0, &position, &column, &offset); code != SQLITE_OK) {
    return code;
  }
  for (; column >= 0; api->xPhraseNext(row, &position, &column, &offset)) {
    if (posting.count < kMost) ++posting.count;
    if (column == 0 && posting.first_count < kMost) ++posting.first_count;
  }
  return postings.add(posting) ? SQLITE_OK : SQLITE_NOMEM;
}

int add_row(const Fts5ExtensionApi* api, Fts5Context* row, void* all) {
  Postings& postings = *static_cast<Postings*>(all);
  if (postings.size() - postings.begin == postings.most) return SQLITE_DONE;
  return postings.add({api->xRowid(row), postings.phrase, 1, 1}) ? SQLITE_OK : SQLITE_NOMEM;
}

using AddRow = int (*)(const Fts5ExtensionApi*, Fts5Context*, void*);

// postings(table) and posting_rows(table): see full_text.h. The row that it is called on does not
// matter.
template <AddRow add>
void postings(const Fts5ExtensionApi* api, Fts5Context* row, sqlite3_context* context, int count,
              sqlite3_value** values) {
  Postings all;
  if (count > 0)
    all.most = static_cast<std::size_t>(std::max<sqlite3_int64>(0, sqlite3_value_int64(values[0])));
  for (int phrase = 0; phrase < api->xPhraseCount(row); ++phrase) {
    all.phrase = static_cast<std::uint32_t>(phrase);
    all.begin = all.size();
    if (const int code = api->xQueryPhrase(row, phrase, &all, add); code != SQLITE_OK) {
      sqlite3_result_error_code(context, code);
      return;
    }
  }
  all.hand_over(context);
}

// FTS5 hands out its interface through a pointer-valued SELECT (sqlite.org/fts5.html, section 7).
// To prepare it reads the schema, so it fails on a database that is damaged.
int find_fts5(sqlite3* connection, fts5_api** api) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nullptr);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_pointer(statement, 1, static_cast<void*>(api), "fts5_api_ptr", nullptr);
  sqlite3_step(statement);
  code = sqlite3_finalize(statement);
  return code == SQLITE_OK && *api == nullptr ? SQLITE_ERROR : code;
}

}  // namespace

int register_full_text(sqlite3* connection) {
  fts5_api* api = nullptr;
  if (const int code = find_fts5(connection, &api); code != SQLITE_OK) return code;
  fts5_tokenizer prose{create_tokenizer, delete_tokenizer, tokenize_prose};
  fts5_tokenizer names{create_tokenizer, delete_tokenizer, tokenize_names};
  // A table of an earlier code store names this one, and cannot be dropped without it.
  int code = api->xCreateTokenizer(api, "codexmem_terms", nullptr, &names, nullptr);
  if (code == SQLITE_OK) {
    code = api->xCreateTokenizer(api, "codexmem_prose", nullptr, &prose, nullptr);
  }
  if (code == SQLITE_OK) {
    code = api->xCreateTokenizer(api, "codexmem_names", nullptr, &names, nullptr);
  }
  if (code == SQLITE_OK) {
    code = api->xCreateFunction(api, "postings", nullptr, postings<add_posting>, nullptr);
  }
  return code == SQLITE_OK
             ? api->xCreateFunction(api, "posting_rows", nullptr, postings<add_row>, nullptr)
             : code;
}

std::string fts_phrase(std::string_view term) {
  std::string out = "\"";
  for (const char c : term) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::int64_t take_varint(std::string_view* record) {
  std::uint64_t value = 0;
  for (int i = 0; i < 9 && !record->empty(); ++i) {
    const auto byte = static_cast<unsigned char>(record->front());
    record->remove_prefix(1);
    if (i == 8) return static_cast<std::int64_t>(value << 8 | byte);
    value = value << 7 | (byte & 0x7FU);
    if ((byte & 0x80U) == 0) break;
  }
  return static_cast<std::int64_t>(value);
}

Result<bool> merge_segments_of(Database& database, std::string_view table, int pages) {
  CODEXMEM_ASSIGN(const auto before, database.find_integer("SELECT total_changes()"));
  CODEXMEM_TRY(database.execute(
      fmt::format("INSERT INTO {0} ({0}, rank) VALUES ('merge', {1})", table, pages)));
  CODEXMEM_ASSIGN(const auto after, database.find_integer("SELECT total_changes()"));
  // One that has nothing to do changes less than two rows.
  return after.value_or(0) - before.value_or(0) >= 2;
}

}  // namespace codexmem::store
