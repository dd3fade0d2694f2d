#!/usr/bin/env bash
# Usage: old_glibc.sh FOLDER VERSION OBJDUMP CC...
#
# Writes FOLDER/{libc,libm,libpthread,libdl}.so to link with instead of those of this machine: the same
# symbols, each in the newest form that VERSION of glibc (2.31) has. What VERSION lacks is missing in
# them, so a program that needs it does not link. They hold no code: at run time the machine's own are used.
set -euo pipefail
folder=$1 version=$2 objdump=$3
cc=("${@:4}")
mkdir -p "$folder"

# stub NAME SONAME: NAME.so and what it is made of.
stub() {
  local real
  real=$("${cc[@]}" -print-file-name="$2")
  "$objdump" -T "$real" | awk -v limit="$version" -v map="$folder/$1.map" '
    function number(text,  parts) { split(text, parts, "."); return parts[1] * 1e6 + parts[2] * 1e3 + parts[3] }
    / GLIBC_[0-9]|\(GLIBC_[0-9]/ && !/\*ABS\*|\*UND\*/ {
      name = $NF
      version = $(NF - 1)
      gsub(/[()]/, "", version)
      size = $(NF - 2)
      rank = number(substr(version, 7))
      if (rank > number(limit) || (name in best && best[name] >= rank)) next
      best[name] = rank
      versions[name] = version
      # Names of one variable, such as environ and __environ, stay names of one variable.
      if (/ DO /) { address[name] = $1; sizes[name] = size } else delete address[name]
    }
    END {
      for (name in best) {
        held[versions[name]] = held[versions[name]] " " name ";"
        label = "of_" ++count
        print ".symver " label ", " name "@@" versions[name]
        print ".globl " label
        if (name in address) {
          together[address[name]] = together[address[name]] label ":\n"
          print ".type " label ", @object\n.size " label ", 0x" sizes[name]
          if (("0x" sizes[name]) > widest[address[name]]) widest[address[name]] = "0x" sizes[name]
        } else print ".type " label ", @function\n.text\n" label ": ret"
      }
      print ".bss"
      for (at in together) printf ".balign 32\n%s.skip %s\n", together[at], widest[at]
      for (version in held) print version " { };" > map
    }' >"$folder/$1.S"
  "${cc[@]}" -shared -nostdlib -Wl,-soname,"$2" -Wl,--version-script="$folder/$1.map" -o "$folder/$2" "$folder/$1.S"
}
stub libc libc.so.6
stub libm libm.so.6
# Functions of threads and of loading are in libc.so.6 since 2.34. Before, they are in these, which 2.34 still has.
for name in libpthread.so.0 libdl.so.2; do
  "${cc[@]}" -shared -nostdlib -Wl,-soname,"$name" -o "$folder/$name" -xc /dev/null
  ln -sf "$name" "$folder/${name%.*}"
done
ln -sf libm.so.6 "$folder/libm.so"
loader=$("${cc[@]}" -print-file-name="$("$objdump" -p "$("${cc[@]}" -print-file-name=libc.so.6)" | sed -n 's/^ *NEEDED *\(ld-linux.*\)/\1/p')")
echo "GROUP ( $folder/libc.so.6 $("${cc[@]}" -print-file-name=libc_nonshared.a) AS_NEEDED ( $loader ) )" >"$folder/libc.so"
