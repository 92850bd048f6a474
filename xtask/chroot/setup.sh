# Runs the set-up of `cargo xtask test` in a bare Debian: as root, which installs, and as a plain user
# without a network, who skips. FOLDERS are the repository and the folders of cargo and rustup.
set -eu
say() { echo "-- $*"; }
fail() { echo "FAILED: $*"; exit 1; }
set -- $FOLDERS
repository=$1
installed=$2
export RUSTUP_HOME=$3 PATH="$2/bin:$PATH" CARGO_HOME=/tmp/plain/cargo CARGO_TARGET_DIR=/tmp/plain/target

say "what a user has: Rust and a C compiler"
apt-get -qq update
apt-get -qq install --yes --no-install-recommends gcc libc6-dev ca-certificates > /tmp/apt.log 2>&1 ||
    { cat /tmp/apt.log; exit 1; }
# The package lists are part of what must be installed.
rm -rf /var/lib/apt/lists/*
cd "$repository"
cargo --version

say "a plain user without a network: nothing can be installed"
useradd --create-home plain
# The crates that are downloaded are enough to build.
mkdir -p /tmp/plain/cargo/registry
cp -r "$installed/registry/cache" "$installed/registry/index" /tmp/plain/cargo/registry
chown -R plain /tmp/plain
chmod a+x /root
plain() {
    unshare --net su plain -c "cd '$repository' && export CARGO_HOME='$CARGO_HOME' \
        RUSTUP_HOME='$RUSTUP_HOME' CARGO_TARGET_DIR='$CARGO_TARGET_DIR' PATH='$PATH' \
        CARGO_NET_OFFLINE=true && $1"
}
plain 'cargo xtask test --only generated,format,examples,valgrind,page,fuzz-js' > /tmp/out 2>&1 ||
    { cat /tmp/out; fail "the run without tools has failed"; }
cat /tmp/out
grep -q '^skipped:' /tmp/out && grep -qE '^2 passed, 0 failed, 4 skipped$' /tmp/out ||
    fail "skipped steps are not counted"

say "--no-install installs nothing"
cargo xtask test --no-install --only examples,valgrind > /tmp/out 2>&1 || { cat /tmp/out; fail "no-install"; }
cat /tmp/out
! command -v valgrind || fail "valgrind was installed"

say "root: what a step needs is installed, and the step runs"
cargo xtask test --only generated,format,examples > /tmp/out 2>&1 ||
    { cat /tmp/out; fail "the run as root has failed"; }
cat /tmp/out
grep -qE '^[0-9]+ passed, 0 failed$' /tmp/out || fail "a step was skipped"

say "root: everything is installed"
cargo xtask setup > /tmp/out 2>&1 || { cat /tmp/out; fail "the set-up has failed"; }
grep -E '^(missing|to install|  |\$ |without|all )' /tmp/out | grep -v '^  *[A-Z]' || true
cargo xtask setup > /tmp/out 2>&1
grep -E '^all [0-9]+ tools' /tmp/out || { cat /tmp/out; fail "a tool is missing"; }
for tool in valgrind strace cmake chromium lintian; do
    command -v $tool || fail "there is no $tool"
done
say "all done"
