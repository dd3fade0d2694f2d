function good() {
  return 1;
}
function bad() {
  if (x) {
    return 2;
}
const after = good();
