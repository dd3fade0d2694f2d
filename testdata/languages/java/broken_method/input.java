class Before {
  int field;
  void damaged( { if (x }
  void after() {}
}

class After {
  void method() {}
}
