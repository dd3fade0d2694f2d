/* A grammar whose tables are inflated at its first use, by any thread: CODEXMEM_PARSER is what pack_tables has
   written, CODEXMEM_LANGUAGE the language, CODEXMEM_FUNCTION what the parser calls its own function. */
#include CODEXMEM_PARSER

#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
#define PACKED(name) JOIN(JOIN(codexmem_, CODEXMEM_LANGUAGE), name)

extern const char PACKED(_parse)[], PACKED(_parse_end)[], PACKED(_small)[], PACKED(_small_end)[];

static void inflate(void *table, size_t size, const char *packed, const char *packed_end) {
  if (ZSTD_decompress(table, size, packed, (size_t)(packed_end - packed)) != size) abort();
}

static void inflate_tables(void) {
  inflate(ts_parse_table, sizeof ts_parse_table, PACKED(_parse), PACKED(_parse_end));
  inflate(ts_small_parse_table, sizeof ts_small_parse_table, PACKED(_small), PACKED(_small_end));
}

const TSLanguage *PACKED(_grammar)(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, inflate_tables);
  return CODEXMEM_FUNCTION();
}
