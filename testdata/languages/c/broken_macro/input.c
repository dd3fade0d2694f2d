int before(void) { return 1; }

FOREACH(item, list) {
  BEGIN_BLOCK
  if (item) { use(item; }
  END_BLOCK
}

API_EXPORT(int) exported(int a) NOEXCEPT;

SOME_MACRO_WITHOUT_SEMICOLON
struct after { int field; };

int API_CALL also_after(void) { return 2; }
