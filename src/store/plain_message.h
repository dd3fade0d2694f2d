// store/plain_message.h - what went wrong with a statement, for readers that have no use for its
// SQL.
//
// Stateless; safe to use from many threads.
#pragma once

#include <string>
#include <string_view>

namespace codexmem::store {

/// `message` with "the store" for the path of a store and the SQL behind it, as store/database.cpp
/// writes them: "/home/me/.codexmem/a.db: SELECT id FROM x: database is locked" is "the store:
/// database is locked". Other messages stay as they are: how to mend a store needs its path.
std::string plain_message(std::string_view message);

}  // namespace codexmem::store
