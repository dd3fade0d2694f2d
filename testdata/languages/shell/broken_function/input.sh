before() { echo 1; }

damaged() {
  if [ -n "$X" ]; then
    echo "half
}

after() {
  before $(
}
LAST=1
