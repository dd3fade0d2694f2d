// A template without parts to fill in is a string; with them it names no module.
const plain = require(`./plain`);
const { name } = await import(/* chunk: "x" */ `./lazy`);
const computed = require(`./locale/${name}`);
module.exports = { ...require(`./spread`), other: require(`./${name}`) };
