# Starts the editor $1 with the command $2 in a terminal of script(1), sends keys, and checks the
# files that it writes.
export EDITOR_PATH="$1" EDITOR_COMMAND="$2"

# Waits until the file $1 contains $2.
await() {
    for _ in $(seq 400); do
        [ "$(cat "$1" 2>/dev/null)" = "$2" ] && return
        sleep 0.05
    done
    echo "$1 contains '$(cat "$1" 2>&1)', not '$2'" >&2
    exit 1
}

type_keys() {
    await ready '90 24'
    printf 'ihello from the keyboard\033'
    sleep 0.2
    printf ':w! written\r'
    await written 'hello from the keyboard'
    printf ':!echo shell > shell\r'
    await shell shell
    printf '\r'
    sleep 0.2
    printf ':qa!\r'
    # Keeps the input open until the editor has exited.
    for _ in $(seq 400); do
        [ -s ended ] && return
        sleep 0.05
    done
}

inside='stty rows 24 cols 90; "$EDITOR_PATH" --clean -n -c "$EDITOR_COMMAND"; echo $? > ended'
type_keys | script -qec "$inside" /dev/null
await ended 0
await written 'hello from the keyboard'
await shell shell
echo
echo 'all done'
