/* Injects errors into the calls that read or write a descriptor, by a seccomp filter. */
#ifndef INJECT_IO_ERRORS_H
#define INJECT_IO_ERRORS_H

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

/* Value of the unused sixth argument that makes a call pass the filter. */
enum { BYPASS = 0x70617373 };

static int remaining_failures, injected_error;

#if defined(__x86_64__)
#define ARGUMENTS(c) (c)->gregs[REG_RDI], (c)->gregs[REG_RSI], (c)->gregs[REG_RDX], \
                     (c)->gregs[REG_R10], (c)->gregs[REG_R8]
#define RESULT(c) (c)->gregs[REG_RAX]
#elif defined(__aarch64__)
#define ARGUMENTS(c) (c)->regs[0], (c)->regs[1], (c)->regs[2], (c)->regs[3], (c)->regs[4]
#define RESULT(c) (c)->regs[0]
#elif defined(__riscv)
#define ARGUMENTS(c) (c)->__gregs[REG_A0], (c)->__gregs[REG_A0 + 1], (c)->__gregs[REG_A0 + 2], \
                     (c)->__gregs[REG_A0 + 3], (c)->__gregs[REG_A0 + 4]
#define RESULT(c) (c)->__gregs[REG_A0]
#endif

static void on_trapped_call(int number, siginfo_t *info, void *context) {
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    int saved_errno = errno;
    (void)number;
    long result = -injected_error;
    if (remaining_failures-- <= 0) {
        result = syscall(info->si_syscall, ARGUMENTS(registers), BYPASS);
        if (result == -1) result = -errno;
    }
    RESULT(registers) = result;
    errno = saved_errno;
}

/* Traps the calls that read or write `fd`. Returns whether seccomp is available. */
static int trap_io_calls(int fd) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fd, 0, 11),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BYPASS, 9, 0),
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
    struct sigaction action = {.sa_sigaction = on_trapped_call,
                               .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* The next `times` calls on the descriptor fail with `error`. */
static void fail_next_io_calls(int times, int error) {
    remaining_failures = times;
    injected_error = error;
}

#endif
