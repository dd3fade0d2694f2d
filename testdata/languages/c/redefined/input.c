// Macros that are defined anew, alternatives, a guard, and a type among arguments.
#ifdef WIDE
#define STEP 8
#else
#define STEP 4
#endif
int a = STEP;
#undef STEP
#define STEP 2
int f(struct node *n) { return item_of(n, struct item, node)->size; }
