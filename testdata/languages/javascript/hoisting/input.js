use(later, fn);
var later = 1;
function outer() {
  inner();
  if (true) {
    var deep = 1;
    function inner() {}
  }
  deep = 2;
  (function iife() {
    var own = deep;
  })();
  return function () {
    return deep;
  };
}
const { a, b: { c }, ...d } = outer();
const [e, , f = 2] = a;
export { outer as default };
