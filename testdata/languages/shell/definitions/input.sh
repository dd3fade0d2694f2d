#!/usr/bin/env bash
# Says hello.
source ./lib/util.sh
. "$DIR/other.sh"
readonly MAX=10
declare -a LIST=(1 2)
export PATH_X="a:$b"
VAR=1 # greet() { :; }
text="function not_one() { :; }"
# Greets.
greet() {
  local name="$1" other
  echo "hi $name ${name%x} $(other_cmd "$MAX")"
  helper "$name" && VAR=2
}
function with_kw { greet x; }
function both() ( return 1 )
alias ll='ls -l'
if [[ -n "$X" ]]; then cond() { :; }; fi
for i in 1 2; do echo $i; done
case "$1" in a) greet ;; esac
arr[1]=x; ((n++)); x=$((n + MAX))
cat <<EOF2
text greet $VAR
EOF2
unset VAR
trap cleanup EXIT

# Set in a branch.
if [ -z "$HOME_DIR" ]; then
  HOME_DIR=/home
else
  HOME_DIR=/root
fi

ns::deep_name() {
  greet "$HOME_DIR" | while read -r line; do
    inner_fn() { echo "$line"; }
    inner_fn
  done
}
export -f greet
