'use strict'
const fs = require('fs');
const { join, resolve: absolute, sep = '/' } = require('path');
var Emitter = require('events').EventEmitter;
const debug = require('debug')('app');
let lazy;
if (process.env.X) {
  lazy = require('./lazy');
}

exports = module.exports = createApp;
exports.version = '1.0';
exports.helper = function helper(a) {
  return join(a, sep);
};
exports.arrow = (b) => b;
exports.Router = require('./router');
exports.alias = absolute;
module.exports.late = async function () {};

/** Makes an app. */
function createApp() {
  return Object.create(proto);
}

exports.Klass = class Klass extends Emitter {};
