class Lambdas {
  Fn<Item, String> fn = i -> i.name();
  void go(List<Item> list) {
    list.stream().map(Item::name).filter(this::has).map(Item::new).toArray(Item[]::new);
    each((a, b) -> a.with(b));
    each((Item a, Item b) -> { return a.with(b); });
    Fn<Item, Fn<Item, Item>> deep = a -> b -> a.with(b);
    super.go(new Thing(() -> list.size()));
  }
  Fn<Item, Item> make() { return i -> i.next(); }
}
