# SQLite: the amalgamation in the npm package that sqlite/package.json pins. Debian's 3.40.1 leaves words of files
# that are gone in its full-text indexes (docs/security.md, "Incremental equals clean").
# scripts/install-sources fetches it; nothing is vendored. Only src/store may include sqlite3.h.
set(SQLITE_DIR ${CMAKE_SOURCE_DIR}/sqlite/node_modules/better-sqlite3/deps/sqlite3 CACHE PATH "Where `npm ci` put SQLite")
if(NOT EXISTS ${SQLITE_DIR}/sqlite3.c)
  message(FATAL_ERROR "No SQLite under ${SQLITE_DIR}: run scripts/install-sources")
endif()

add_library(sqlite STATIC ${SQLITE_DIR}/sqlite3.c)
target_include_directories(sqlite SYSTEM PUBLIC ${SQLITE_DIR})
target_compile_definitions(sqlite PRIVATE
  SQLITE_ENABLE_FTS5
  SQLITE_SECURE_DELETE           # what is deleted is overwritten, everywhere: `forget`, retention, files that go
  SQLITE_THREADSAFE=2            # a connection is used by one thread at a time
  SQLITE_DQS=0                   # "x" is a name, never a text
  SQLITE_TRUSTED_SCHEMA=0        # a store that came with a repository calls no function that could do harm
  SQLITE_OMIT_LOAD_EXTENSION     # no code from outside, and no libdl
  SQLITE_OMIT_SHARED_CACHE       # checks that each page access would pay for
  SQLITE_OMIT_DEPRECATED
  SQLITE_DEFAULT_MEMSTATUS=0     # a global lock at each allocation, for statistics that nobody reads
  SQLITE_ENABLE_DBSTAT_VTAB      # `codexmem debug stats`
  HAVE_USLEEP=1 HAVE_FDATASYNC=1 HAVE_LOCALTIME_R=1)
target_compile_options(sqlite PRIVATE -w -O2)
