# Runs the set-up of `cargo xtask test` in a bare Debian: as root, which installs, and as a plain user
# without a network, who skips. FOLDERS are the repository and the folders of cargo and rustup.
set -eu
say() { echo "-- $*"; }
fail() { echo "FAILED: $*"; exit 1; }
set -- $FOLDERS
repository=$1
export CARGO_HOME=$2 RUSTUP_HOME=$3 PATH="$2/bin:$PATH" CARGO_TARGET_DIR=/tmp/target

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
cp -r "$CARGO_HOME/registry/cache" "$CARGO_HOME/registry/index" /tmp/plain/cargo/registry
chown -R plain /tmp/plain
chmod a+x /root
plain() {
    unshare --net su plain -c "cd '$repository' && export CARGO_HOME=/tmp/plain/cargo \
        RUSTUP_HOME='$RUSTUP_HOME' CARGO_TARGET_DIR=/tmp/plain/target PATH='$PATH' \
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

say "root: everything is installed, and the steps run"
cargo xtask test --only generated,format,examples,valgrind > /tmp/out 2>&1 ||
    { cat /tmp/out; fail "the run as root has failed"; }
cat /tmp/out
grep -qE '^[0-9]+ passed, 0 failed$' /tmp/out || fail "a step was skipped"
say "all done"
