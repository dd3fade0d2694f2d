/** A store of things. */
export abstract class Store<T extends Item> extends base.Store<T> implements Readable, Closable<T> {
  static readonly instances = new Map<string, Store<Item>>();
  private size = 0;
  protected cache?: Cache;
  declare kind: string;
  #secret: Secret = makeSecret();
  handler = (event: Event) => this.handle(event);

  /** Makes one. */
  constructor(private readonly db: Database, public name: string = "x", plain: number) {
    super(db);
    this.size = plain;
    this.late = new Late();
  }

  get count(): number {
    return this.size;
  }

  set count(value: number) {
    this.size = value;
  }

  abstract load(id: string): Promise<T>;

  async *each(): AsyncGenerator<T> {
    yield* super.each();
  }

  static create<U extends Item>(db: Database): Store<U> {
    return new this(db);
  }

  ["computed"]() {}

  "quoted name"() {
    this.#secret.open().then((x) => x.done);
  }

  static {
    Store.create(defaults);
  }
}

const Local = class Named extends Store<Item> {
  run() {
    return new Named();
  }
};
