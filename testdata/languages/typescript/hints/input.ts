class Client {
  parent: Client | null = null;
  list: Item[] = [];
  async fetch(): Promise<Response> {
    return this.request();
  }
}
const made = new Client();
const spaced = new lib.Client<string>();
const annotated: lib.Client = make();
const called = make();
const chained = lib.make().build();
const cast = make() as Client;
const alias = made;
const member = made.parent;
const either = given ?? new Client();
const picked = flag ? first : second;
async function run(p: Client, q?: Readonly<Client>, r = new Client()) {
  const awaited = await p.fetch();
  for (const item of p.list) item.go();
  const { parent } = p;
  const set: Set<Item> = new Set();
  const optional: Item | undefined = find();
  return (await p.fetch()).body;
}
