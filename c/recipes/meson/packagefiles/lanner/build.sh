#!/bin/sh
# Builds the static library with cargo: build.sh SOURCES OUTPUT DIRECTORY [OPTION OF c-install]...
set -e
sources=$1
output=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
mkdir -p "$3"
dir=$(cd "$3" && pwd)
shift 3
cd "$sources"
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$dir/cargo} cargo xtask c-install --prefix "$dir/installed" "$@"
cp "$dir/installed/lib/liblanner.a" "$output"
