/* pack_tables PARSER FOLDER: packs the two large tables of a generated parser, and writes the parser without them.

   Run once for each grammar, with its parser inside: CODEXMEM_PARSER is parser.c, CODEXMEM_FUNCTION its function.
   The tables are nine tenths of a parser and compress to a twentieth. FOLDER gets parse.zst and small.zst, and
   parser.c, in which both tables are empty arrays that grammar_tables.c fills at the first use. */
#include CODEXMEM_PARSER

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* The parser names the functions of its scanner; nothing calls them here. */
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
#define SCANNER(name) JOIN(CODEXMEM_FUNCTION, _external_scanner_##name)
void *SCANNER(create)(void) { return NULL; }
void SCANNER(destroy)(void *scanner) { (void)scanner; }
bool SCANNER(scan)(void *scanner, TSLexer *lexer, const bool *valid) { return scanner && lexer && valid; }
unsigned SCANNER(serialize)(void *scanner, char *state) { return scanner && state; }
void SCANNER(deserialize)(void *scanner, const char *state, unsigned size) { (void)scanner, (void)state, (void)size; }

enum { kLevel = 19, kMaxLine = 1 << 16, kMaxPath = 4096 };

static FILE *open_in(const char *folder, const char *name, const char *mode) {
  char path[kMaxPath];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  if (file == NULL) exit((perror(path), 1));
  return file;
}

static void pack(const char *folder, const char *name, const void *table, size_t size) {
  const size_t bound = ZSTD_compressBound(size);
  void *packed = malloc(bound);
  const size_t packed_size = ZSTD_compress(packed, bound, table, size, kLevel);
  if (ZSTD_isError(packed_size)) exit(1);
  FILE *file = open_in(folder, name, "wb");
  if (fwrite(packed, 1, packed_size, file) != packed_size || fclose(file) != 0) exit(1);
  free(packed);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  pack(argv[2], "parse.zst", ts_parse_table, sizeof ts_parse_table);
  pack(argv[2], "small.zst", ts_small_parse_table, sizeof ts_small_parse_table);

  const char *starts[] = {"static const uint16_t ts_parse_table[", "static const uint16_t ts_small_parse_table["};
  FILE *in = fopen(argv[1], "r");
  if (in == NULL) return (perror(argv[1]), 1);
  FILE *out = open_in(argv[2], "parser.c", "w");
  static char line[kMaxLine];
  int skips = 0;
  int packed = 0;
  while (fgets(line, sizeof line, in) != NULL) {
    if (skips) {
      skips = strncmp(line, "};", 2) != 0;
      continue;
    }
    for (int i = 0; i < 2 && !skips; ++i) skips = strncmp(line, starts[i], strlen(starts[i])) == 0 ? i + 1 : 0;
    if (!skips) {
      fputs(line, out);
      continue;
    }
    ++packed;
    fprintf(out, skips == 1 ? "static uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT];\n"
                            : "static uint16_t ts_small_parse_table[%zu];\n",
            sizeof ts_small_parse_table / sizeof ts_small_parse_table[0]);
  }
  if (packed != 2) return (fprintf(stderr, "%s: its tables are not where they are looked for\n", argv[1]), 1);
  return fclose(out) == 0 ? 0 : 1;
}
