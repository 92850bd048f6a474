#!/bin/sh
# Runs a script in a copy of a root, which vanishes with this process: `enter.sh BASE SCRIPT FOLDER...`.
# The folders have the same paths in the root. Changes to them vanish, too.
#
# Call it in a mount namespace of its own: `unshare --mount --propagation private`.
set -eu
base=$1 script=$2
shift 2
scratch=$(mktemp -d)
mount -t tmpfs tmpfs "$scratch"

# overlay LOWER NAME TARGET
overlay() {
    mkdir -p "$scratch/$2.upper" "$scratch/$2.work" "$3"
    mount -t overlay overlay \
        -o "lowerdir=$1,upperdir=$scratch/$2.upper,workdir=$scratch/$2.work" "$3"
}

root=$scratch/root
overlay "$base" base "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
number=0
for folder in "$@"; do
    number=$((number + 1))
    overlay "$folder" "$number" "$root$folder"
done
for folder in proc sys dev; do
    mount --rbind "/$folder" "$root/$folder"
done
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$script" "$root/tmp/script.sh"
# The certificates that this machine trusts, for networks where pip and npm need others than Debian's.
certificates=/tmp/certificates.crt
cat /etc/ssl/certs/ca-certificates.crt > "$root$certificates" 2> /dev/null || true
# Packages must not start services in the root.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
status=0
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
    DEBIAN_FRONTEND=noninteractive NODE_EXTRA_CA_CERTS="$certificates" PIP_CERT="$certificates" \
    FOLDERS="$*" INPUT="${INPUT:-}" EXTRA="${EXTRA:-}" \
    chroot "$root" /bin/sh /tmp/script.sh || status=$?
# A lazy unmount detaches the mounts below as well.
umount -l "$scratch"
rmdir "$scratch"
exit $status
