#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fetch-python-client.sh DEST
#
# Unpacks the service's client of tables for Python out of Debian's packages, without installing them: one of them has the
# clients of all services, half a gigabyte, of which that of tables needs one folder.
# Leaves DEST/azure/.
set -eu

fail() {
    echo "fetch-python-client: $1" >&2
    exit 1
}

[ $# -eq 1 ] || fail "usage: fetch-python-client.sh DEST"
dest=$1
mkdir -p "$dest"
scratch=$(mktemp -d "$dest/fetch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"

(cd "$scratch" && apt-get download -q python3-azure python3-azure-cosmosdb-table >apt.log 2>&1) || {
    cat "$scratch/apt.log" >&2
    fail "apt-get could not download the client; check the network, run 'apt-get update' as root and repeat"
}
mkdir "$scratch/python"
modules=./usr/lib/python3/dist-packages/azure
take() { dpkg-deb --fsys-tarfile "$scratch/$1"_*.deb | tar -x -C "$scratch/python" --strip-components=5 --wildcards "$2"; }
take python3-azure "$modules/__init__.py"
take python3-azure "$modules/common/*"
take python3-azure-cosmosdb-table "$modules/cosmosdb/*"

# The finished folder is moved into place, so that a test never sees half of it.
rm -rf "$dest/azure"
mv "$scratch/python/azure" "$dest/azure"
