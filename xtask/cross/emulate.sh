# Runs a command in a user namespace in which the kernel knows an emulator: emulate.sh FORMAT COMMAND...
#
# FORMAT describes the emulator's programs to binfmt_misc. The users of the namespace are those of the
# system. They can only be mapped from outside, so the command waits for that.
format=$1
shift
unshare --user --mount sh -c '
    left=500
    until grep -q 65536 /proc/self/gid_map; do
        left=$((left - 1))
        [ $left -gt 0 ] || { echo "the users cannot be mapped: run as root" >&2; exit 1; }
        sleep 0.01
    done
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || exit 1
    printf "%s" "$0" > /proc/sys/fs/binfmt_misc/register || exit 1
    exec "$@"' "$format" "$@" &
child=$!
map() { echo "0 0 65536" > /proc/$child/"$1"; }
until map uid_map && map gid_map; do
    kill -0 $child || break
    sleep 0.01
done 2>/dev/null
wait $child
