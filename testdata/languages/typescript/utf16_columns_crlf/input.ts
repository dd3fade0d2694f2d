const before = "😀"; const after = before;
function crlf() {
  return after;
}
