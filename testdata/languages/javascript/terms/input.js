const { a, b = new B(), c: [d] } = require("./m");
function Old(name) { this.name = name; this.list = []; }
Old.prototype.run = function (x) { return this.list; };
class Store { constructor() { this.db = null; this.db = new Db(); } open = async () => this.db; }
const api = { get: (id) => find(id), nested: { deep: new Deep() } };
api.get(1).value.go();
call((x, y) => x.y);
var v = null;
v = new Late();
for (const k in table) k.length;
export default { data() { return { count: 1 }; } };
window.onload = (event) => event.stop();
unknown.handlers.done = function (result) { result.go(); };
