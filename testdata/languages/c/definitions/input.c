/* Copyright somebody. */

#ifndef SHOP_H
#define SHOP_H
#include "base.h"
#include <stdio.h>

#define MAX_ITEMS 10 /* how many */
// The smaller one.
#define MIN(a, b) \
  ((a) < (b) ? (a) : smaller(b, "MAX_ITEMS"))
#define EMPTY_FLAG

/* An item. */
struct item {
  /* What it is called. */
  const char* name;
  int price, count; /* not what follows */
  struct { int width; } size;
  void (*destroy)(struct item* self);
  unsigned flags : 3;
  struct item* next[4];
};

typedef struct item item_t;
typedef struct {
  int a;
} anonymous_t, *anonymous_p;
typedef int (*callback_t)(void* data);
typedef unsigned long size_type;
typedef enum { ONE = 1, TWO } number_t;

union bits { int i; float f; };
enum colour { RED, GREEN = 2 };
enum { LOOSE };

/* Opens the shop. */
int shop_open(const char* path, int flags);
extern int shop_count;
extern const char* shop_name(void), *shop_title(void);

static int hidden = 1, *pointer, table[MAX_ITEMS];
int (*handler)(int) = NULL;
struct item* (*finder(int kind))(const char* name);

/* Adds. */
static inline int add(int a, int b) {
  int local = MIN(a, b);
  struct inner { int field; } x;
  static int counter;
  extern void declared_inside(void);
  x.field = local;
  return x.field + counter++;
}

struct item** find_items(struct item* first) { return &first->next[add(1, 2)]; }

int old_style(a, b)
  int a;
  int b;
{
  return a + b;
}

TEST_IMPL(tcp_open) {
  shop_open("a", 0);
}

#ifdef _WIN32
void platform(void) { CloseHandle(0); }
#else
void platform(void) { close(0); }
#endif
#endif
