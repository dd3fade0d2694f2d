#include <stdio.h>
#include "t.h"
struct point { int x, y; struct { int deep; } in; union { long l; char c; }; };
typedef struct point point_t;
typedef struct { point_t *at; int (*open)(struct point *p, const char *name); } ops_t;
enum color { RED, GREEN = 2 };
#define MAX(a, b) ((a) > (b) ? (a) : (b)->x)
extern int shared;
static int count, *table[3];
static int my_open(struct point *p, const char *name) { return p->x + count; }
static const ops_t ops = { .open = my_open, .at = &(struct point){ .x = 1, .in = { .deep = 2 } } };
struct point *make(int a, void (*cb)(int inner));
struct point *make(int a, void (*cb)(int inner)) {
  struct point p = { .x = a }, *q = &p;
  for (int i = 0; i < a; i++) { q->in.deep = i; q[i].y++; (*q).l = MAX(i, q); }
  make(1, cb)->x = RED;
  ops.at->y = ((point_t *)q)->x;
  return q;
}
