#!/bin/sh
# Installs mauve from this archive, or removes what it has installed.
set -eu

usage() {
    cat <<'END'
usage: ./install.sh [OPTIONS]

  --prefix DIR      install below DIR (/usr/local)
  --libdir NAME     the folder of libraries below the prefix (lib)
  --destdir DIR     install below this folder instead of / (for packagers)
  --command         install only the command, its manual pages and completions
  --library         install only the library, its headers, and pkg-config and CMake files
  --force           replace a libuv that this script has not installed
  --uninstall       remove what this script has installed below the prefix
END
}

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

prefix=/usr/local libdir=lib destdir= parts='command library' force= uninstall=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix=* | --libdir=* | --destdir=*)
            option=${1%%=*} value=${1#*=}
            shift
            set -- "$option" "$value" "$@"
            continue ;;
        --prefix | --libdir | --destdir)
            [ $# -gt 1 ] || fail "$1 needs a value"
            case $1 in
                --prefix) prefix=${2%/} ;;
                --libdir) libdir=$2 ;;
                --destdir) destdir=${2%/} ;;
            esac
            shift ;;
        --command) parts=command ;;
        --library) parts=library ;;
        --force) force=yes ;;
        --uninstall) uninstall=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
# The prefix is written to files of pkg-config and CMake.
case $prefix in /*) ;; *) fail "--prefix must be an absolute path" ;; esac
case $libdir in /* | *..*) fail "--libdir must be below the prefix" ;; esac

here=$(cd "$(dirname "$0")" && pwd)
# The installed files and the created folders, which end in a slash, relative to the prefix.
list=share/mauve/installed-files
to=$destdir$prefix

# Creates a folder below the prefix, and records what did not exist.
create() {
    [ ! -d "$to/$1" ] || return 0
    case $1 in */*) create "${1%/*}" ;; esac
    mkdir "$to/$1"
    echo "$1/" >> "$new"
}

# Copies a file of the archive, and records it.
copy() {
    case $1 in
        lib/*) target=$libdir/${1#lib/} ;;
        *) target=$1 ;;
    esac
    create "${target%/*}"
    cp -P "$here/files/$1" "$to/$target.new"
    case $1 in
        *.pc)
            sed -e "s|^prefix=.*|prefix=$prefix|" -e "s|^libdir=.*|libdir=$prefix/$libdir|" \
                "$here/files/$1" > "$to/$target.new" ;;
        */libuvConfig.cmake)
            up=$(echo "$libdir" | sed 's|[^/][^/]*|..|g')
            sed "/(_libuv_prefix /s|/\.\.\"|/$up\"|" "$here/files/$1" > "$to/$target.new" ;;
    esac
    # A running program may have the old file mapped: replace it, do not write into it.
    mv -f "$to/$target.new" "$to/$target"
    echo "$target" >> "$new"
}

if [ -n "$uninstall" ]; then
    [ -e "$to/$list" ] || fail "nothing is installed below $to"
    folders=$(grep '/$' "$to/$list" | sort -r)
    grep -v '/$' "$to/$list" | while IFS= read -r file; do
        rm -f "$to/$file"
    done
    rm -f "$to/$list"
    # Another program may have files in them now.
    echo "$folders" | while IFS= read -r folder; do
        rmdir "$to/$folder" 2> /dev/null || true
    done
    echo "removed from $to"
else
    [ "$(uname -m)" = "@MACHINE@" ] || fail "this archive is for @MACHINE@, not for $(uname -m)"
    "$here/files/bin/mauve" --version > /dev/null || fail "the command needs glibc @GLIBC@ or newer"
    library=$libdir/libuv.so.1
    if [ "$parts" != command ] && [ -e "$to/$library" ] && [ -z "$force" ] &&
        ! grep -qxF "$library" "$to/$list" 2> /dev/null; then
        fail "$to/$library belongs to another libuv (--force replaces it)"
    fi
    mkdir -p "$to"
    new=$(mktemp)
    # What was copied is recorded also when the script is interrupted.
    record() {
        [ ! -e "$to/$list" ] || cat "$to/$list" >> "$new"
        [ ! -d "$to/${list%/*}" ] || LC_ALL=C sort -u "$new" > "$to/$list"
        rm -f "$new"
    }
    trap record EXIT
    create "${list%/*}"
    for part in $parts; do
        while IFS= read -r file; do
            copy "$file"
        done < "$here/$part.list"
    done
    where="--prefix $prefix"
    [ -z "$destdir" ] || where="--destdir $destdir $where"
    echo "installed below $to; \`./install.sh $where --uninstall\` removes it"
fi

# The loader's cache, for libraries in a folder that it searches.
if [ -z "$destdir" ] && [ "$(id -u)" = 0 ] && command -v ldconfig > /dev/null; then
    ldconfig
fi
