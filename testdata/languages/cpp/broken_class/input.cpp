class API_EXPORT Before {
 public:
  void method();
};

BEGIN_NAMESPACE

class Damaged {
  void first() { if (x }
  void second();
};

struct After {
  int field;
};

END_NAMESPACE
