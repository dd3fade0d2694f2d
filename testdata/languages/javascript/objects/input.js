export const config = {
  port: 80,
  'quoted-key': 1,
  nested: { host: 'x', start() {} },
  handler: async (req) => req.body,
  list: [{ ignored: 1 }],
  get value() {
    return 1;
  },
};
const frozen = Object.freeze({ kept: 1 });
call({ inArgument: 1, method() {} });
function f() {
  const local = { key: 1, run() {} };
  return local;
}
