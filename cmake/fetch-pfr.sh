#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fetch-pfr.sh DEST
#
# Unpacks only boost/pfr* of the newest libboost*-dev package that apt knows, without installing it: on Debian 12 that
# package conflicts with the system's Boost. PFR includes nothing else of Boost, so nothing gets mixed.
# Leaves DEST/include/boost/pfr.hpp, DEST/include/boost/pfr/ and DEST/ORIGIN.
set -eu

fail() {
    echo "fetch-pfr: $1" >&2
    exit 1
}

[ $# -eq 1 ] || fail "usage: fetch-pfr.sh DEST"
dest=$1

for tool in apt-get apt-cache dpkg-deb; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not there; install Boost 1.75 or newer by hand instead"
done

# 1.75 is the first release of Boost that has PFR.
package=$(apt-cache pkgnames libboost1. | sed -n 's/^libboost1\.\([0-9][0-9]*\)-dev$/\1/p' | sort -n |
    awk '$1 >= 75 { newest = $1 } END { if (newest) print "libboost1." newest "-dev" }')
[ -n "$package" ] || fail "apt knows no libboost*-dev package of 1.75 or newer; run 'apt-get update' as root and repeat"

mkdir -p "$dest"
scratch=$(mktemp -d "$dest/fetch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"

(cd "$scratch" && apt-get download -q "$package" >apt.log 2>&1) || {
    cat "$scratch/apt.log" >&2
    fail "apt-get could not download $package; check the network, run 'apt-get update' as root and repeat"
}

mkdir "$scratch/include"
dpkg-deb --fsys-tarfile "$scratch"/*.deb | tar -x -C "$scratch/include" --strip-components=3 \
    --wildcards './usr/include/boost/pfr.hpp' './usr/include/boost/pfr/*'
[ -f "$scratch/include/boost/pfr.hpp" ] || fail "$package holds no boost/pfr.hpp"

# The finished folder is moved into place, so that a second configure at the same time never sees half of it.
rm -rf "$dest/include"
mv "$scratch/include" "$dest/include" 2>/dev/null || [ -f "$dest/include/boost/pfr.hpp" ] || fail "cannot write $dest"
echo "$package" >"$dest/ORIGIN"
