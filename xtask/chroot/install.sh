#!/bin/sh
# Installs packages in a root: `install.sh ROOT PACKAGE...`.
#
# Call it in a mount namespace of its own: `unshare --mount --propagation private`.
set -eu
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Packages must not start services in the root.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
# A mirror may be some days behind.
inside apt-get -q -o Acquire::Check-Valid-Until=no -o Acquire::Retries=2 update
inside apt-get -q -o Acquire::Retries=2 install --yes --no-install-recommends "$@"
inside apt-get clean
