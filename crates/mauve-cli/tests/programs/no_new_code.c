/* Runs a program in a process that must not make memory executable, as systemd's MemoryDenyWriteExecute
 * does. Exits with 77 if the kernel cannot forbid it. */
#include <sys/prctl.h>
#include <unistd.h>

#define SET_MDWE 65

int main(int argc, char **argv) {
    if (argc < 2 || prctl(SET_MDWE, 1, 0, 0, 0) != 0) return 77;
    execv(argv[1], argv + 1);
    return 1;
}
