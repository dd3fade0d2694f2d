# shellcheck shell=bash
# Shared by the scripts beside it; sourced, never run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=scripts/$(basename "$0")

# Everything these scripts have to say goes to stderr: stdout belongs to the program or the tests.
say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# usage_of FILE: the comment at a script's head, which is its --help.
usage_of() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

version_of_project() { sed -n 's/^project(codexmem VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt"; }

# lock_build: one script at a time installs and builds in this checkout; the lock ends with the
# script, or with unlock_build before a program takes the script's place.
lock_build() {
  mkdir -p "$root/build" && [[ -w $root/build ]] ||
    die "cannot write to $root/build; build in a checkout of your own"
  exec 9>"$root/build/.lock"
  flock --nonblock 9 || {
    say "waiting for another build in $root"
    flock 9
  }
}
unlock_build() { exec 9>&-; }

# install_npm FOLDER WHAT: `npm ci` there, unless FOLDER/node_modules came from the same lock.
install_npm() {
  local folder=$root/$1 what=$2
  local stamp=$folder/node_modules/.codexmem-stamp
  cat "$folder/package.json" "$folder/package-lock.json" | cmp --quiet - "$stamp" && return
  command -v npm >/dev/null || die "npm is not installed; run scripts/install-deps first"
  say "fetching $what with npm ci in $1"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >&2) ||
    die "npm ci failed in $1; is the npm registry reachable?"
  cat "$folder/package.json" "$folder/package-lock.json" >"$stamp"
}

# configure PRESET: only when CMake has not run for it since the presets were last changed, or when
# this checkout was moved or copied, since a build folder goes on building the place it was made for.
# Ninja itself sees to every other change, CMakeLists.txt and globs included.
configure() {
  local folder=$root/build/$1
  local stamp=$folder/.configured
  [[ $stamp -nt $root/CMakePresets.json && -e $folder/build.ninja && $(<"$stamp") == "$root" ]] &&
    return
  [[ ! -e $stamp || $(<"$stamp") == "$root" ]] || rm -rf "$folder"
  say "configuring build/$1"
  (cd "$root" && cmake --preset "$1" >&2) || die "cmake could not configure the preset $1"
  printf '%s' "$root" >"$stamp"
}

# Processor minutes that the release build takes on the machine it was measured on.
build_minutes=11

# announce_first_build PRESET WHAT: how long it will take here, where nothing is built yet.
announce_first_build() {
  [[ ! -e $root/build/$1/bin/codexmem ]] || return 0
  local cores minutes
  cores=$(nproc)
  minutes=$(awk -v all="$build_minutes" -v cores="$cores" 'BEGIN { printf "%d", all / cores + 0.9999 }')
  say "$2 for the first time: about $minutes minute$( ((minutes == 1)) || echo s) on $cores core$( ((cores == 1)) || echo s), less with ccache"
}

# show_progress: what the build prints, on stderr, without Ninja's lines for steps. On a terminal one line says how far it is;
# elsewhere each quarter does.
show_progress() {
  local line shown=0 terminal=
  [[ ! -t 2 ]] || terminal=1
  while IFS= read -r line || [[ $line ]]; do
    case $line in
      'ninja: no work to do.' | *'Re-checking globbed directories'*) ;;
      \[*/*]*)
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        local at=${BASH_REMATCH[1]} of=${BASH_REMATCH[2]}
        if [[ $terminal ]]; then
          printf '\r\033[K%s: building, step %d of %d' "$me" "$at" "$of" >&2
        elif ((of >= 20 && at * 4 / of > shown)); then
          shown=$((at * 4 / of))
          say "built $((shown * 25)) %"
        fi
        ;;
      *)
        [[ ! $terminal ]] || printf '\r\033[K' >&2
        printf '%s\n' "$line" >&2
        ;;
    esac
  done
  [[ ! $terminal ]] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: progress on stderr, nothing at all when everything is up to date.
build() {
  local preset=$1 targets=()
  shift
  (($# == 0)) || targets=(--target "$@")
  (cd "$root" && NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" --parallel "$(nproc)" "${targets[@]}" 2>&1) |
    show_progress || die "the build of preset $preset failed; the compiler's message is above"
}
