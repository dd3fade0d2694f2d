class Sub : Base {
  public Sub() : this(1) { }
  public Sub(int a) : base(a, 2) { }
  void Use(Money a, Money b, Row row) {
    a += 1 + b;
    row[0] = row[1, 2];
    var c = row?[3];
    foreach (var x in row) { }
    using (var y = a.Open()) { }
    using (a) { }
    using var z = b;
    var d = (Other)a;
    (e, f) = a;
    Call(size: 1);
    if (a is { Size: 1, Inner: { Wide: 2 } }) return;
    switch (b) { case { Size: 3 }: break; }
  }
  int Of(Money m) => m switch { { Size: 4 } => 1, _ => 2 };
}
