// An object literal's members may be assigned; the first assignment declares.
const keys = { known: 1 }
keys.kState = Symbol('state')
keys.kState = 2
keys.known = 3
var app = exports = module.exports = {}
app.limit = 10

// What is no object literal declares nothing.
let other = make()
other.value = 1

// A function is somebody's method, whatever expression stands before the name.
require('./hooks').run = function Stub () {}
make().render = () => {}

// Parentheses hide no function.
const wrapped = (function () {})
const arrow = (async ({ a }) => a)
