/* Makes the first calls on a descriptor fail: those that read or write it, and no others. */
#ifndef FAIL_FIRST_H
#define FAIL_FIRST_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* In an argument that these calls do not use: let it pass. */
enum { PASS = 0x70617373 };

static int calls_that_fail, error_of_calls;

#if defined(__x86_64__)
#define ARGUMENTS(c) (c)->gregs[REG_RDI], (c)->gregs[REG_RSI], (c)->gregs[REG_RDX], \
                     (c)->gregs[REG_R10], (c)->gregs[REG_R8]
#define RESULT(c) (c)->gregs[REG_RAX]
#elif defined(__aarch64__)
#define ARGUMENTS(c) (c)->regs[0], (c)->regs[1], (c)->regs[2], (c)->regs[3], (c)->regs[4]
#define RESULT(c) (c)->regs[0]
#endif

static void on_call(int number, siginfo_t *info, void *context) {
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    int before = errno;
    (void)number;
    long result = -error_of_calls;
    if (calls_that_fail-- <= 0) {
        result = syscall(info->si_syscall, ARGUMENTS(registers), PASS);
        if (result == -1) result = -errno;
    }
    RESULT(registers) = result;
    errno = before;
}

/* From now on the next calls on a descriptor can be made to fail. Returns whether that works. */
static int watch_calls(int fd) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fd, 0, 11),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASS, 9, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 8, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readv, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_recvfrom, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_recvmsg, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_writev, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void fail_first(int times, int error) {
    calls_that_fail = times;
    error_of_calls = error;
}

#endif
