#!/bin/sh
# Usage: installed.sh [--built] [--without-worker]
#
# Uses the codexmem of the PATH as its user does, with nothing but the package's dependencies around: no
# Python, no git, no compiler. Each claim is a line; the first that fails ends it. try_in_bare_root runs
# it on the installed package, .ci/run on a build that is not installed (--built). Under QEMU nobody can see whose a connection is,
# so a worker refuses all there (--without-worker).
set -eu
built=
worker=1
for word; do
  case $word in
    --built) built=1 ;;
    --without-worker) worker= ;;
  esac
done

folder=$(mktemp -d)
trap 'codexmem worker stop >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
export HOME="$folder/home"
mkdir -p "$HOME" "$folder/shop/src"
cd "$folder/shop"
fail() {
  echo "FAILED: $1"
  [ ! -e "$folder/out" ] || cat "$folder/out"
  exit 1
}
# claims TEXT WORDS COMMAND...: COMMAND succeeds and prints WORDS.
claims() {
  text=$1 words=$2
  shift 2
  "$@" >"$folder/out" 2>&1 </dev/null || fail "$text: exit code $? of $*"
  grep -qF -- "$words" "$folder/out" || fail "$text: \"$words\" is not in what $* printed"
  echo "ok: $text"
}

cat >src/cart.ts <<'CODE'
import { priceOf } from "./prices";

/** Adds up what lies in the cart, with its discount. */
export function totalOf(items: string[]): number {
  return items.reduce((sum, item) => sum + priceOf(item), 0) * 0.9;
}
CODE
cat >src/prices.ts <<'CODE'
export function priceOf(item: string): number {
  return item.length;
}
CODE
printf 'def discount(total):\n    """Ten percent less."""\n    return total * 0.9\n' >src/discount.py

claims "it says its version" '"libraries"' codexmem version --json
claims "it indexes" "files" codexmem index .
claims "it finds code" "src/cart.ts" codexmem search "sum of a shopping cart"
claims "it finds uses across files" "src/cart.ts:5" codexmem refs priceOf
claims "it finds symbols of another language" "src/discount.py:1" codexmem symbol discount
claims "it has vectors" '"vectors"' codexmem status --json
claims "it checks its index" "" codexmem debug check

cat >"$folder/requests" <<'JSON'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"find_symbol","arguments":{"symbol":"totalOf"}}}
JSON
# The input stays open until the last answer is there, as a client's does.
serve() {
  mkfifo "$folder/in"
  codexmem serve <"$folder/in" >"$folder/answers" &
  exec 3>"$folder/in"
  cat "$folder/requests" >&3
  tries=0
  until grep -q '"id":3' "$folder/answers" || [ $tries -gt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  exec 3>&-
  wait
  cat "$folder/answers"
}
serve >"$folder/served"
claims "it serves tools over MCP" '"search_code"' cat "$folder/served"
claims "it answers over MCP" 'src/cart.ts' cat "$folder/served"

claims "it remembers" "" codexmem memory save "The discount is ten percent" --title Discount
claims "it finds what it remembers" "Discount" codexmem memory search discount
if [ "$worker" ]; then
  claims "a worker starts" "http://127.0.0.1" codexmem worker start --port 0
  printf '{"session_id":"s1","cwd":"%s","prompt":"make the discount larger"}' "$folder/shop" >"$folder/event"
  codexmem-hook claude-code session-init <"$folder/event" >/dev/null || fail "the hook reports an event"
  claims "the worker runs and has it" "1 taken" codexmem worker status
  claims "the worker stops" "" codexmem worker stop
fi

# libcurl is loaded when it is asked for; nothing answers there.
export CODEXMEM_EMBEDDING_PROVIDER=openai CODEXMEM_OPENAI_EMBEDDING_MODEL=m CODEXMEM_OPENAI_EMBEDDING_BASE_URL=http://127.0.0.1:9/v1
codexmem index --force . >"$folder/out" 2>&1 || true
if grep -q "libcurl" "$folder/out"; then fail "HTTP works"; fi
unset CODEXMEM_EMBEDDING_PROVIDER CODEXMEM_OPENAI_EMBEDDING_MODEL CODEXMEM_OPENAI_EMBEDDING_BASE_URL
echo "ok: HTTP has its library"

claims "init shows what it would write" "mcp.json" codexmem init --dry-run
claims "init writes" "" codexmem init
claims "the entry names the program" '"codexmem"' cat .vscode/mcp.json
[ ! "$built" ] || exit 0
for page in man/man1/codexmem.1.gz man/man1/codexmem-hook.1.gz bash-completion/completions/codexmem \
  zsh/vendor-completions/_codexmem fish/vendor_completions.d/codexmem.fish doc/codexmem/copyright; do
  [ -s "/usr/share/$page" ] || fail "/usr/share/$page is installed"
done
echo "ok: manual pages, completions and terms are installed"
