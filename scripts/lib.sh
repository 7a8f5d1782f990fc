# SPDX-License-Identifier: Apache-2.0
#
# What the scripts share. Sourced, after `set -euo pipefail`; leaves the caller in the root of the checkout.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '== %s\n' "$*"; }

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

cores() { getconf _NPROCESSORS_ONLN; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "'$*' needs root: run this as root, or install sudo and repeat"
    fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# apt_install PACKAGE...: installs what is missing and stays off the network when nothing is.
apt_install() {
    local package missing=() known=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "this is no Debian or Ubuntu: going on with what is installed; needed are (by their Debian names) $*"
        return
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    say "fetching the package lists"
    as_root apt-get update -q || fail "apt-get update failed: check the network and /etc/apt/sources.list, and repeat"
    for package in "${missing[@]}"; do
        if [ -n "$(apt-cache madison "$package")" ]; then
            known+=("$package")
        else
            say "apt knows no package $package on this system: going on without it"
        fi
    done
    [ ${#known[@]} -gt 0 ] || return 0
    say "installing ${known[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${known[@]}" ||
        fail "apt-get could not install ${known[*]}: see its message above, and repeat"
}

# The configure step unpacks Boost.PFR through apt, which needs package lists: images often come without them.
fetch_pfr() {
    local folder
    for folder in /usr/include /usr/local/include build/_pfr/include; do
        [ ! -e "$folder/boost/pfr.hpp" ] || return 0
    done
    command -v apt-get >/dev/null || return 0
    say "unpacking Boost.PFR into build/_pfr"
    cmake/fetch-pfr.sh build/_pfr 2>/dev/null && return 0
    say "fetching the package lists"
    as_root apt-get update -q || fail "apt-get update failed: check the network and /etc/apt/sources.list, and repeat"
    cmake/fetch-pfr.sh build/_pfr || fail "Boost.PFR could not be unpacked: see the line above, or install Boost 1.75 or newer"
}

# install_node_packages NAME SOURCE FOLDER: the packages of a lock file; off the network once they are there.
install_node_packages() {
    local name=$1 source=$2 folder=$3
    if cmp -s "$source/package-lock.json" "$folder/installed.json"; then return; fi
    # npm may have come with a node that is no package of the system's.
    command -v node >/dev/null && command -v npm >/dev/null || apt_install nodejs npm
    command -v npm >/dev/null ||
        fail "npm is needed to install $name, which the tests use: install Node.js 20 or newer, and repeat"
    say "installing $name into $folder"
    mkdir -p "$folder"
    cp "$source/package.json" "$source/package-lock.json" "$folder"
    (cd "$folder" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error) ||
        fail "npm could not install $name: see its message above, check the network, and repeat"
    cp "$source/package-lock.json" "$folder/installed.json"
}

# The storage emulator that tests run against.
install_azurite() { install_node_packages Azurite tests/azurite build/azurite; }

# The service's own clients, which the tests compare tablemap with.
install_storage_sdk() { install_node_packages "the clients of the service" tests/interop build/storage-sdk; }

# The client for Python, which the tests of the server call. Other systems than Debian do without it.
install_python_client() {
    [ ! -d build/python-client/azure ] || return 0
    if ! command -v apt-cache >/dev/null || [ -z "$(apt-cache madison python3-azure-cosmosdb-table)" ]; then
        say "apt knows no package python3-azure-cosmosdb-table: the tests of the server go without the client for Python"
        return 0
    fi
    apt_install python3-requests python3-dateutil
    say "unpacking the client for Python into build/python-client"
    scripts/fetch-python-client.sh build/python-client || fail "the client for Python could not be unpacked: see the line above"
}

# Puts the folder of the Python interpreter first in the path. With pyenv and the like, python3 is a shell script that takes
# 0.4 s of processor time to find the interpreter, and the tests start it some 700 times.
take_python_itself() {
    local interpreter
    interpreter=$(python3 -c 'import sys; print(sys.executable)')
    [ "$(command -v python3)" -ef "$interpreter" ] || export PATH="${interpreter%/*}:$PATH"
}

# setup embedded|run|test|all: what the embedded store, all stores, the tests, or all checks need.
setup() {
    local packages=(
        g++ cmake ninja-build ccache
        libboost-dev libssl-dev libsqlite3-dev libsimdjson-dev libexpected-dev nlohmann-json3-dev
        iso-codes
    )
    local for_remote_stores=(libcpprest-dev libpugixml-dev libcli11-dev)
    local for_tests=(
        clang-14 libclang-rt-14-dev llvm-14 clang-format-14 mold libgtest-dev libgmock-dev libbenchmark-dev sqlite3 openssl python3
        python3-cryptography python3-jsonschema chromium
    )
    case $1 in
    embedded) ;;
    run) packages+=("${for_remote_stores[@]}") ;;
    test) packages+=("${for_remote_stores[@]}" "${for_tests[@]}") ;;
    all) packages+=("${for_remote_stores[@]}" "${for_tests[@]}" clang-tidy-14 valgrind) ;;
    *) fail "setup takes embedded, run, test or all, not '$1'" ;;
    esac
    apt_install "${packages[@]}"
    fetch_pfr
    case $1 in
    test | all)
        install_azurite
        install_storage_sdk
        install_python_client
        take_python_itself
        ;;
    esac
}
