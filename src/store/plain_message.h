// store/plain_message.h - what went wrong with a store, for readers that have no use for its path.
//
// Stateless; safe to use from many threads.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::store {

/// `message`, of an error of this folder, without the paths of store files and without SQL:
/// "/home/me/.codexmem/a.db: SELECT id FROM x: database is locked" is "the store: database is
/// locked". Other messages stay as they are.
std::string plain_message(std::string_view message);

}  // namespace codexmem::store
