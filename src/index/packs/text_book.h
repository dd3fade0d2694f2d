// index/packs/text_book.h - chooses the phrase book with which a run encodes texts.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "index/discovery/file_reader.h"
#include "index/discovery/root_directory.h"
#include "index/run/write_session.h"
#include "store/code/text_books.h"

namespace codexmem::index {

/// The book for the files of `jobs`: the store's, or a new one that is learned from a sample of the
/// files and written, if they are twice as large as the stored one was made for. Nothing for a
/// small repository, where a book would take more than it saves. A new one takes up to 0.3 s.
///
/// With `force`, files already in the store are written as well. `max_file_bytes` as in
/// IndexOptions.
Result<std::optional<store::StoredBook>> choose_book(const RootDirectory& root,
                                                     std::span<const FileJob> jobs, bool force,
                                                     std::uint64_t max_file_bytes,
                                                     WriteSession& session);

}  // namespace codexmem::index
