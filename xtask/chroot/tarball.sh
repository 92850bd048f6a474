# Installs the archive with install.sh over Debian's libuv, and removes it. INPUT is the archive, EXTRA the
# sources of the examples.
set -eu
say() { echo "-- $*"; }
fail() { echo "FAILED: $*"; exit 1; }

apt-get -qq update
apt-get -qq install --yes --no-install-recommends libuv1 lua5.1 lua-luv gcc libc6-dev make \
    pkg-config > /tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }
cat > /tmp/program.lua <<'END'
local uv = require("luv")
local timer = uv.new_timer()
timer:start(5, 0, function() print(uv.version_string() .. ": a timer"); timer:close() end)
uv.run()
END
expect() {
    printed=$(lua5.1 /tmp/program.lua)
    say "the program prints: $printed"
    case $printed in *"$1"*) ;; *) fail "expected $1" ;; esac
}
mkdir /tmp/archive
tar -xzf "$INPUT" -C /tmp/archive
cd /tmp/archive/mauve-*
find /usr/local | sort > /tmp/before
expect "1.44"

say "./install.sh, below /usr/local"
./install.sh
expect "1.53"
mauve --version
[ "$(mauve run -p '6 * 7')" = 42 ] || fail "mauve run"
[ "$(pkg-config --variable=prefix libuv)" = /usr/local ] || fail "pkg-config"
make -s -C "$EXTRA" BUILD=/tmp/build run | tail -3
say "./install.sh again, which replaces the files"
./install.sh > /dev/null
expect "1.53"
say "./install.sh --uninstall"
./install.sh --uninstall
expect "1.44"
find /usr/local | sort > /tmp/after
diff /tmp/before /tmp/after || fail "files are left"

say "--destdir, --prefix and --libdir"
./install.sh --destdir /tmp/stage --prefix=/opt/m --libdir lib/here
grep -x 'prefix=/opt/m' /tmp/stage/opt/m/lib/here/pkgconfig/libuv.pc
grep -x 'libdir=/opt/m/lib/here' /tmp/stage/opt/m/lib/here/pkgconfig/libuv.pc
grep '_libuv_prefix "' /tmp/stage/opt/m/lib/here/cmake/libuv/libuvConfig.cmake
! grep -r /tmp/stage /tmp/stage/opt/m/lib/here/pkgconfig || fail "the destdir is in a file"
./install.sh --destdir /tmp/stage --prefix=/opt/m --libdir lib/here --uninstall
left=$(find /tmp/stage -not -type d)
[ -z "$left" ] || fail "these files are left: $left"

say "another libuv is not replaced"
./install.sh --prefix /usr --libdir "lib/$(uname -m)-linux-gnu" --library 2>&1 &&
    fail "it was replaced" || true
expect "1.44"

say "a plain user, below the home folder"
useradd --create-home plain
chmod -R a+rX /tmp/archive
su plain -c 'sh ./install.sh --prefix ~/mauve --command && ~/mauve/bin/mauve --version &&
    sh ./install.sh --prefix ~/mauve --uninstall && ! [ -e ~/mauve/bin ]'
say "all done"
