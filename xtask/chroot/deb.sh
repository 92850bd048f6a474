# Installs the Debian packages over Debian's libuv, switches back, and removes them, while a program runs.
# INPUT is the folder of the packages, EXTRA the sources of the examples.
set -eu
say() { echo "-- $*"; }
fail() { echo "FAILED: $*"; exit 1; }

apt-get -qq update
apt-get -qq install --yes --no-install-recommends libuv1 lua5.1 lua-luv > /tmp/apt.log 2>&1 ||
    { cat /tmp/apt.log; exit 1; }
cat > /tmp/program.lua <<'END'
local uv = require("luv")
local timer = uv.new_timer()
timer:start(5, 0, function() print(uv.version_string() .. ": a timer"); timer:close() end)
uv.run()
END
# Runs until the file /tmp/stop exists. It keeps the library that it has started with.
cat > /tmp/service.lua <<'END'
local uv = require("luv")
local timer, ticks = uv.new_timer(), 0
timer:start(5, 5, function()
  ticks = ticks + 1
  if uv.fs_stat("/tmp/stop") then timer:close(); print("ticks at the end: " .. (ticks > 10 and "many" or ticks)) end
end)
print(uv.version_string()); io.flush()
uv.run()
END
program() { lua5.1 /tmp/program.lua; }
expect() { # expect TEXT: the program prints it
    printed=$(program)
    say "the program prints: $printed"
    case $printed in *"$1"*) ;; *) fail "expected $1" ;; esac
}
listing() { find / -xdev -path /proc -prune -o -path /tmp -prune -o -print | grep -i mauve || true; }

say "before"
expect "1.44"
rm -f /tmp/stop
lua5.1 /tmp/service.lua > /tmp/service.out &
service=$!

say "dpkg -i libuv1-mauve, which replaces libuv1"
dpkg -i "$INPUT"/libuv1-mauve_*.deb
apt-get -qq check || fail "broken dependencies"
dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n' | grep -E 'libuv1|lua-luv'
expect "1.53"

say "the service that was started before still runs"
kill -0 $service || fail "the service has ended"
touch /tmp/stop
wait $service || fail "the service has failed"
cat /tmp/service.out
grep -q "many" /tmp/service.out || fail "the service made no progress"

say "dpkg -i mauve: the command, its manual pages and completions"
# The command unpacks its libraries to the user's cache, which no package removes.
export XDG_CACHE_HOME=/tmp/cache
apt-get -qq install --yes --no-install-recommends "$INPUT"/mauve_*.deb > /tmp/apt.log 2>&1 ||
    { cat /tmp/apt.log; exit 1; }
mauve --version
[ "$(mauve run -p '6 * 7')" = 42 ] || fail "mauve run"
mauve demo | head -3
mauve with lua5.1 /tmp/program.lua 2>&1 | tee /tmp/with.out
grep -q 'runs on\|is not linked' /tmp/with.out || fail "mauve with"
for file in man/man1/mauve.1.gz man/man1/mauve-run.1.gz bash-completion/completions/mauve \
    zsh/vendor-completions/_mauve fish/vendor_completions.d/mauve.fish; do
    # minbase excludes nothing, so all files are there.
    [ -e /usr/share/$file ] || [ -e "/usr/share/${file%.gz}" ] || fail "there is no $file"
done

say "dpkg -i libuv1-mauve-dev: the examples build with make and pkg-config"
apt-get -qq install --yes --no-install-recommends gcc libc6-dev make pkg-config \
    "$INPUT"/libuv1-mauve-dev_*.deb > /tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }
make -s -C "$EXTRA" BUILD=/tmp/build run | tail -3
ldd /tmp/build/echo | grep libuv

say "back to Debian's libuv1"
apt-get -qq install --yes --no-install-recommends libuv1 > /tmp/apt.log 2>&1 ||
    { cat /tmp/apt.log; exit 1; }
expect "1.44"
! dpkg -s libuv1-mauve 2> /dev/null | grep -q 'ok installed' || fail "libuv1-mauve is still there"

say "remove the rest"
dpkg --purge mauve > /dev/null
left=$(listing)
[ -z "$left" ] || fail "these files are left: $left"
expect "1.44"
say "all done"
