// What makes an object, destructors, and macros among members.
#include "tank.h"

class Tank : public QObject {
  Q_OBJECT
  Q_PROPERTY(int size READ size)
  Q_ENUMS(Kind)
 public:
  Tank(int litres);
  ~Tank();
  DECLARE_THING(Tank, 3);
  int size() const;
 private:
  Valve valve_{1, 2};
};

n::Tank::Tank(int litres) : Base(litres), size_{litres} {}
n::Tank::~Tank() {}

static Tank global(1);
Tank declared(int litres);
extern Tank elsewhere;

void f(Tank* tank, int x) {
  Tank plain;
  Tank a(1), b{x};
  Tank c(x);
  Tank d(*tank);
  std::vector<Tank> all(3);
  take(Tank{1});
  tank = new n::Tank(x);
  tank->~Tank();
}
