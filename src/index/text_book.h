// index/text_book.h - the book of phrases that a run codes texts with.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "index/file_reader.h"
#include "index/root_directory.h"
#include "index/write_session.h"
#include "store/code/text_books.h"

namespace codexmem::index {

/// The book for the files of `jobs`: the store's, or a new one, learned from a sample of them and
/// written, when they are twice what the stored one was made for. Nothing for a small repository,
/// where a book would take more than it saves. A new one takes up to 0.3 s.
///
/// With `force` files that the store has are written, too. `max_file_bytes` as in IndexOptions.
Result<std::optional<store::StoredBook>> choose_book(const RootDirectory& root,
                                                     std::span<const FileJob> jobs, bool force,
                                                     std::uint64_t max_file_bytes,
                                                     WriteSession& session);

}  // namespace codexmem::index
