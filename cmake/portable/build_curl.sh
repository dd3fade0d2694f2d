#!/bin/sh
# Usage: build_curl.sh SOURCE FOLDER LAUNCHER TOOLCHAIN: FOLDER/lib/libcurl.a for http and https only, quietly. Debian's static one
# wants Kerberos, LDAP and more, of which there are no static libraries. LAUNCHER is ccache, TOOLCHAIN a file for CMake, or they are empty.
set -eu
{
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER="$3" ${4:+"-DCMAKE_TOOLCHAIN_FILE=$4"} \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_FLAGS='-fstack-protector-strong -D_FORTIFY_SOURCE=2' \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF \
    -DHTTP_ONLY=ON -DCURL_USE_OPENSSL=ON -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF \
    -DCURL_DISABLE_NTLM=ON -DCURL_DISABLE_NETRC=ON -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none
  cmake --build "$2" --target libcurl
} >"$2.log" 2>&1 || {
  cat "$2.log" >&2
  exit 1
}
