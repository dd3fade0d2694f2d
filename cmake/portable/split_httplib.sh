#!/bin/sh
# Usage: split_httplib.sh HTTPLIB.H OUTPUT: the part of the header that its own split.py puts into httplib.cc. Debian installs
# only the other part. A header other than the installed one is refused: layouts might differ.
set -eu
code='\|^// -----------------------------------------------------|,\|^// -----------------------------------------------------|'
sed "${code}d" "$1" | cmp - /usr/include/httplib.h
{
  printf '#include <httplib.h>\nnamespace httplib {\n'
  sed "${code}!d; \|^// -----------------------------------------------------|d; s/inline //g" "$1"
  printf '}  // namespace httplib\n'
} >"$2.new"
mv "$2.new" "$2"
