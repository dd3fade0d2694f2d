// Tested by index/text_book_test.cpp.
#include "store/code/text_books.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr int kBookShift = 16;
constexpr std::size_t kMaxKept = 64;  // a workspace has as many repositories

// The books that were used last, the newest first.
class KeptBooks {
 public:
  std::shared_ptr<const PhraseBook> find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    return is_moved_to_front(name) ? books_.front() : nullptr;
  }

  void keep(std::shared_ptr<const PhraseBook> book) {
    const std::lock_guard lock(mutex_);
    if (is_moved_to_front(book->name())) return;  // another thread has read it, too
    books_.push_front(std::move(book));
    if (books_.size() > kMaxKept) books_.pop_back();
  }

 private:
  bool is_moved_to_front(std::string_view name) {
    const auto at =
        std::ranges::find_if(books_, [&](const auto& each) { return each->name() == name; });
    if (at == books_.end()) return false;
    books_.splice(books_.begin(), books_, at);
    return true;
  }

  std::mutex mutex_;  // guards books_
  std::list<std::shared_ptr<const PhraseBook>> books_;
};

KeptBooks& kept_books() {
  static KeptBooks books;
  return books;
}

// The phrases of the book `id` from their rows, each after a byte with its length.
Result<std::string> read_phrases(Database& database, BookId id) {
  const auto first = static_cast<std::int64_t>(id) << kBookShift;
  std::string phrases;
  std::int64_t next = first;
  CODEXMEM_TRY(query::visit(
      database, "SELECT id, phrase FROM phrases WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
      [&](const Statement& row) {
        const std::string_view phrase = row.blob(1);
        if (row.integer(0) != next++ || phrase.size() > PhraseBook::kMaxPhraseBytes) return;
        phrases += static_cast<char>(phrase.size());
        phrases += phrase;
      },
      first, first + static_cast<std::int64_t>(PhraseBook::kMaxPhrases)));
  return phrases;
}

// The book `id`, if it is whole.
Result<std::optional<PhraseBook>> read_book(Database& database, BookId id) {
  CODEXMEM_ASSIGN(auto book, query::find(
                                 database, "SELECT packed, name FROM phrase_books WHERE id = ?1",
                                 [](const Statement& row) {
                                   auto read = PhraseBook::from(row.blob(0));
                                   if (read && read->name() != row.text(1)) read.reset();
                                   return read;
                                 },
                                 id));
  return book ? *std::move(book) : std::nullopt;
}

}  // namespace

Result<std::shared_ptr<const PhraseBook>> find_book(Database& database, BookId id) {
  using Book = std::shared_ptr<const PhraseBook>;
  CODEXMEM_ASSIGN(
      const auto name,
      query::find(database, "SELECT name FROM phrase_books WHERE id = ?1", query::read_text, id));
  if (!name) return Book();
  if (Book kept = kept_books().find(*name)) return kept;
  CODEXMEM_ASSIGN(auto read, read_book(database, id));
  if (!read) return Book();
  Book book = std::make_shared<const PhraseBook>(*std::move(read));
  kept_books().keep(book);
  return book;
}

Result<bool> are_books_whole(Database& database) {
  CODEXMEM_ASSIGN(const auto ids, query::list(database,
                                              "SELECT book FROM file_rows WHERE book <> 0 UNION"
                                              " SELECT book FROM parked_rows WHERE book <> 0",
                                              query::read_id<BookId>));
  for (const BookId id : ids) {
    CODEXMEM_ASSIGN(const auto book, read_book(database, id));
    CODEXMEM_ASSIGN(const std::string phrases, read_phrases(database, id));
    if (!book || book->packed() != phrases) return false;
  }
  return true;
}

Result<std::optional<StoredBook>> find_newest_book(Database& database) {
  CODEXMEM_ASSIGN(
      auto newest,
      query::find(database, "SELECT id, source_bytes FROM phrase_books ORDER BY id DESC LIMIT 1",
                  [](const Statement& row) {
                    return StoredBook{row.id<BookId>(0), row.integer(1), nullptr};
                  }));
  if (!newest) return newest;
  CODEXMEM_ASSIGN(newest->book, find_book(database, newest->id));
  if (!newest->book) newest.reset();
  return newest;
}

Result<BookId> add_book(Database& database, std::shared_ptr<const PhraseBook> book,
                        std::int64_t source_bytes) {
  CODEXMEM_ASSIGN(const auto there,
                  query::find(database, "SELECT id FROM phrase_books WHERE name = ?1",
                              query::read_id<BookId>, book->name()));
  if (there) return *there;
  CODEXMEM_ASSIGN(const auto id,
                  query::insert<BookId>(database,
                                        "INSERT INTO phrase_books (name, source_bytes, packed)"
                                        " VALUES (?1, ?2, ?3)",
                                        book->name(), source_bytes, query::Blob{book->packed()}));
  CODEXMEM_ASSIGN(
      Statement insert,
      database.statement("INSERT OR REPLACE INTO phrases (id, phrase) VALUES (?1, ?2)"));
  const auto first = static_cast<std::int64_t>(id) << kBookShift;
  for (std::size_t code = 0; code < book->size(); ++code) {
    CODEXMEM_TRY(query::run_once(insert, first + static_cast<std::int64_t>(code),
                                 query::Blob{book->phrase(code)}));
  }
  kept_books().keep(std::move(book));
  return id;
}

Result<void> remove_unused_books(Database& database) {
  CODEXMEM_ASSIGN(const auto books, query::count(database, "SELECT count(*) FROM phrase_books"));
  if (books < 2) return {};
  CODEXMEM_TRY(
      database.execute("DELETE FROM phrase_books WHERE id NOT IN (SELECT book FROM file_rows"
                       " UNION SELECT book FROM parked_rows)"
                       " AND id < (SELECT max(id) FROM phrase_books)"));
  return database.execute(
      "DELETE FROM phrases WHERE id >> 16 NOT IN (SELECT id FROM phrase_books)");
}

}  // namespace codexmem::store
