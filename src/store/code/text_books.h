// store/code/text_books.h - the books of phrases that texts of a workspace store are coded with.
//
// A store has none while it is small, and mostly one (text/phrase_book.h). A book that was read is
// kept for the process, by its name, which is a hash of its phrases. Safe from many threads, each
// with its own connection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "store/database.h"
#include "text/phrase_book.h"

namespace codexmem::store {

enum class BookId : std::int64_t {};

struct StoredBook {
  BookId id{};
  std::int64_t source_bytes = 0;  // of all files when it was made
  std::shared_ptr<const PhraseBook> book;
};

/// The book `id`; nothing unless it is whole. The first call reads it, in
/// some milliseconds.
Result<std::shared_ptr<const PhraseBook>> find_book(Database& database, BookId id);

/// False when a text is coded with a book that is not whole, as the store holds it now.
Result<bool> are_books_whole(Database& database);

/// The book that was added last, if it is whole.
Result<std::optional<StoredBook>> find_newest_book(Database& database);

/// Adds `book`, or finds it when it is there; `source_bytes` as above. In the caller's transaction.
Result<BookId> add_book(Database& database, std::shared_ptr<const PhraseBook> book,
                        std::int64_t source_bytes);

/// Deletes the books that no text is coded with, except for the newest.
Result<void> remove_unused_books(Database& database);

}  // namespace codexmem::store
