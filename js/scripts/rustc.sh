#!/bin/sh
# What cargo calls in the place of rustc (RUSTC_WRAPPER). Cargo tells the packages that it builds apart by where they lie, the
# compiler names symbols by that, and inlines and orders functions by their names: the same sources in another folder became
# another module, of another size. Here packages of this project are told apart by their names. (What stands before a name
# is any word: with this one the module of Ristretto255 has a kilobyte less than with some others.) The module of the Python
# package, `_native`, is built through this as well where its wheels are to be the same (`cargo xtask dist --wheel`).
compiler=$1
shift
case " $* " in
*' --crate-name lanner_'* | *' --crate-name _native '*) own=yes ;;
*) own= ;;
esac
name= before=
count=$#
while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    [ "$before" = --crate-name ] && name=$argument
    case $own$argument in
    yesmetadata=*) argument=metadata=lib-$name ;;
    esac
    before=$argument
    set -- "$@" "$argument"
    count=$((count - 1))
done
exec "$compiler" "$@"
