const a = 1;
function b() {}
module.exports = {
  a,
  renamed: b,
  method() {
    return this.inline();
  },
  inline: function () {},
  arrow: () => a,
  LIMIT: 10,
  other: require('./other'),
  ...require('./more'),
};
