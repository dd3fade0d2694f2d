class Before {
  int kept() => 1;
}

class Damaged extends {
  int field = ;
  int half( {
    return this.
  }

int after() => Before(;
