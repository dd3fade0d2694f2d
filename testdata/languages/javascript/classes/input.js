class Queue extends lib.Base {
  static #count = 0;
  items = [];
  onDone = () => {};
  constructor() {
    super();
    this.items = [1];
    this.extra = new Map();
  }
  *[Symbol.iterator]() {
    yield* this.items;
  }
  static of(...args) {
    Queue.#count += 1;
    return new Queue(args);
  }
  get size() { return this.items.length; }
}
const Mixed = (Base) => class extends Base { mixed() {} };
