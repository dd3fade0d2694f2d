/**
 * A view.
 */
function View(name) {
  this.name = name;
  this.render = function () {};
  if (!this.ext) this.ext = '.js';
}

/** Finds it. */
View.prototype.lookup = function lookup(path) {
  return this.name + path;
};
View.create = (name) => new View(name);
View.defaults = { ext: '.js' };
View.prototype = { old: function () {} };

var app = {};
app.render = function render(name) {};
app.settings = {};
app.set = app.header = function header(name) {};
app.response.message = function (text) {};
unknown.method = function () {};

function plain() {
  this.ignored = 1;
}

class Dependency {}
Dependency.Template = class DependencyTemplate extends Base {
  apply() {}
};
