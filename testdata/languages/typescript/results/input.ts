class Builder {
  items: Item[] = [];
  add(item: Item) {
    this.items.push(item);
    return this;
  }
  chain(): this {
    return this;
  }
  build() {
    if (!this.items.length) return null;
    return new Product(this.items);
  }
  get first() {
    return this.items[0] ?? fallback;
  }
  static make = () => new Builder();
  nested() {
    const inner = () => {
      return new Inner();
    };
    items.map((x) => {
      return new Mapped(x);
    });
  }
}
const plain = (x: string) => make(x);
const block = (x: string) => {
  return x ? other : make(x);
};
function holder() {
  return { method() { return this; } };
}
