module.exports = require('./lib');
module.exports = class Widget {
  draw() {}
};
module.exports = function () {};
module.exports = new Thing();
