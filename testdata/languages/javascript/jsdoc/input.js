// Types that documentation gives.
const fs = require("node:fs");

/** @typedef {import("./shapes").Shape} Shape */
/** @typedef {import("./store")} Store */
/** @typedef {import('./a').ns.Inner<string>} Inner */
/**
 * @import { Kind, Sort as Order } from "./kinds"
 * @import * as all from "./all"
 */

/**
 * @typedef {Object} Options Settings of a run.
 * @property {Shape[]} shapes What is drawn.
 * @property {Array<Promise<Store>>} [stores=[]] Where.
 * @property {{ limit: number, by?: Order }} page
 */

/** @typedef {"a" | "b" | null} Letter */

/**
 * Draws.
 * @template T
 * @param {Options} options
 * @param {Object} more
 * @param {?Kind} more.kind
 * @param {T} [given]
 * @param {...(Shape|undefined)} rest with src/*.js
 * @returns {Promise<Array<Shape>>} them
 */
// eslint-disable-next-line
async function draw(options, more, given, ...rest) {
  more.kind.go();
  return options.shapes;
}

/** @type {Object<string, Shape>} */
const byName = {};
let /** @type {typeof fs} */ files = null;

/**
 * @param {Shape} shape
 * @returns {asserts shape is Kind}
 */
exports.check = (shape) => shape;

class Canvas {
  /** @type {Map<Shape, all.Thing>} */
  things = new Map();

  constructor() {
    /** @type {import("./shapes").Shape["edges"]} */
    this.edges = undefined;
    this.edges = [];
  }

  /**
   * @param {(a: Shape) => Kind} visit
   * @param {function(Shape): Kind} other
   */
  each(visit, { other }) {
    return (/** @type {Kind} */ (visit(this))).name;
  }
}

const table = {
  /** @type {Shape} */
  first: null,
  /**
   * @param {Shape} shape
   */
  add(shape) {},
};

/** @param {Unclosed name */
function broken(name) {}

/** @type {Foo<Bar} and {@link Shape} */
var wrong;

function inline(/** @type {Shape} */ a, /** @type {Kind} */ b = 1) {}
