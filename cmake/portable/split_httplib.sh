#!/bin/sh
# Usage: split_httplib.sh HTTPLIB.H INSTALLED OUTPUT: the part of the header that its own split.py puts into httplib.cc. Debian installs
# only the other part. A header other than the installed one is refused: layouts might differ.
set -eu
code='\|^// -----------------------------------------------------|,\|^// -----------------------------------------------------|'
sed "${code}d" "$1" | cmp - "$2"
{
  printf '#include <httplib.h>\nnamespace httplib {\n'
  sed "${code}!d; \|^// -----------------------------------------------------|d; s/inline //g" "$1"
  printf '}  // namespace httplib\n'
} >"$3.new"
mv "$3.new" "$3"
