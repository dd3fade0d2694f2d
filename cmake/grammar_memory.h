/* Included before each grammar: what its scanner holds is Tree-sitter's memory, so that it goes with
   the parser's when a parse is abandoned (src/parse/walk/arena.h). Some scanners know how to be told,
   the others call calloc(). */
#pragma once
#ifndef __ASSEMBLER__

#include <stdlib.h>

extern void *(*ts_current_malloc)(size_t size);
extern void *(*ts_current_calloc)(size_t count, size_t size);
extern void *(*ts_current_realloc)(void *block, size_t size);
extern void (*ts_current_free)(void *block);

#define TREE_SITTER_REUSE_ALLOCATOR
#define malloc ts_current_malloc
#define calloc ts_current_calloc
#define realloc ts_current_realloc
#define free ts_current_free
#endif
