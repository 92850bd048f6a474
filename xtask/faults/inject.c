/* Runs a program and makes one of its system calls fail.
 *
 *   inject MILLISECONDS count PROGRAM ARGUMENT..
 *   inject MILLISECONDS CALL ERRNO NTH once|after|on PROGRAM ARGUMENT..
 *
 * `count` lists how often each call occurs. `once` refuses the nth occurrence, `on` that one and
 * all later ones; `after` makes the nth call and reports the error all the same. Only occurrences
 * between the program's two marks (workload.h) count, in all its threads and in forked children
 * until they execute another program.
 *
 * A seccomp filter stops the program at the call in question alone; all other calls run at full
 * speed. The last line on standard output is `result: END HITS CPU`, where END is `exit N`,
 * `signal N` or `timeout` and CPU is in milliseconds. Exits 77 where tracing is not permitted. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
int main(void) {
    puts("registers are known for x86-64 only");
    return 77;
}
#else

#include "calls.h"
#include "mark.h"

typedef struct {
    const char *name;
    long number;
    int argument;
    unsigned long mask, value;
} call;

static call calls[] = {
#define CALL(name, number, argument, mask, value) {#name, number, argument, mask, value},
    CALLS
};

/* Kinds of descriptors, by how their links in /proc begin. */
static const struct {
    const char *name, *link;
} kinds[] = {
    {"file", ""},
    {"eventfd", "anon_inode:[eventfd]"},
    {"inotify", "anon_inode:inotify"},
    {"socket", "socket:"},
    {"pipe", "pipe:"},
    {"tty", "/dev/pts/"},
};

enum { CALL_COUNT = sizeof calls / sizeof *calls, KINDS = sizeof kinds / sizeof *kinds };
enum { MOST_TASKS = 256 };
enum mode { COUNT, ONCE, AFTER, ON };

/* A traced thread or process. */
typedef struct {
    pid_t id;
    int is_foreign;     /* it executes another program */
    int is_announced;   /* its parent's event has been seen */
    int waits;          /* it has stopped before that */
    int error;          /* to report when the current call returns */
} task;

static task tasks[MOST_TASKS];
static int task_count;
static enum mode mode;
static long seen[CALL_COUNT][KINDS];
static int wanted, wanted_kind;
static int wanted_error;
static long wanted_nth, hits;
static int is_open, has_executed;
static volatile sig_atomic_t is_late;

static task *task_of(pid_t id) {
    for (int i = 0; i < task_count; i++) {
        if (tasks[i].id == id) return &tasks[i];
    }
    if (task_count == MOST_TASKS) abort();
    tasks[task_count] = (task){.id = id};
    return &tasks[task_count++];
}

static void forget(pid_t id) {
    task *gone = task_of(id);
    *gone = tasks[--task_count];
}

static void on_alarm(int signal) {
    (void)signal;
    is_late = 1;
    for (int i = 0; i < task_count; i++) kill(tasks[i].id, SIGKILL);
}

/* The row of the call that a task is about to make, or -1. */
static int call_of(const struct user_regs_struct *registers) {
    unsigned long arguments[] = {registers->rdi, registers->rsi, registers->rdx,
                                 registers->r10, registers->r8,  registers->r9};
    for (int i = 0; i < CALL_COUNT; i++) {
        call *row = &calls[i];
        if (row->number != (long)registers->orig_rax) continue;
        if (row->argument < 0 || (arguments[row->argument] & row->mask) == row->value) return i;
    }
    return -1;
}

/* What kind of descriptor a call is about, if that matters. */
static int kind_of(pid_t id, int row, const struct user_regs_struct *registers) {
    char path[64], link[64] = "";
    if (calls[row].argument != BY_KIND) return 0;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", id, (int)registers->rdi);
    if (readlink(path, link, sizeof link - 1) < 0) return 0;
    for (int i = 1; i < KINDS; i++) {
        if (strncmp(link, kinds[i].link, strlen(kinds[i].link)) == 0) return i;
    }
    return 0;
}

/* Returns the request with which the task goes on. */
static int at_call(task *task) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, task->id, 0, &registers) != 0) return PTRACE_CONT;
    if (registers.orig_rax == SYS_prctl && registers.rdi == MARK) {
        is_open = registers.rsi != 0;
        registers.orig_rax = -1;
        registers.rax = 0;
        ptrace(PTRACE_SETREGS, task->id, 0, &registers);
        return PTRACE_CONT;
    }
    if (!is_open || task->is_foreign) return PTRACE_CONT;
    int row = call_of(&registers);
    if (row < 0) return PTRACE_CONT;
    int kind = kind_of(task->id, row, &registers);
    long nth = ++seen[row][kind];
    if (mode == COUNT || row != wanted || kind != wanted_kind) return PTRACE_CONT;
    if (mode == ON ? nth < wanted_nth : nth != wanted_nth) return PTRACE_CONT;
    hits++;
    if (mode == AFTER) {
        task->error = wanted_error;
        return PTRACE_SYSCALL;
    }
    /* A refused brk returns no error but another break. */
    registers.rax = registers.orig_rax == SYS_brk ? 0 : -wanted_error;
    registers.orig_rax = -1;
    ptrace(PTRACE_SETREGS, task->id, 0, &registers);
    return PTRACE_CONT;
}

static int at_return(task *task) {
    struct user_regs_struct registers;
    if (task->error == 0 || ptrace(PTRACE_GETREGS, task->id, 0, &registers) != 0) {
        return PTRACE_CONT;
    }
    registers.rax = -task->error;
    ptrace(PTRACE_SETREGS, task->id, 0, &registers);
    task->error = 0;
    return PTRACE_CONT;
}

/* A task begins to run when its parent is known: it may execute a foreign program. */
static void announce(pid_t id, int is_foreign) {
    task *child = task_of(id);
    child->is_foreign = is_foreign;
    child->is_announced = 1;
    if (child->waits) ptrace(PTRACE_CONT, id, 0, 0);
    child->waits = 0;
}

static void at_stop(pid_t id, int status) {
    task *task = task_of(id);
    int signal = WSTOPSIG(status), request = PTRACE_CONT;
    unsigned long child;
    switch (status >> 16) {
    case PTRACE_EVENT_SECCOMP:
        request = at_call(task);
        signal = 0;
        break;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
        if (ptrace(PTRACE_GETEVENTMSG, id, 0, &child) == 0) announce(child, task->is_foreign);
        task = task_of(id);
        signal = 0;
        break;
    case PTRACE_EVENT_EXEC:
        task->is_foreign = has_executed;
        has_executed = 1;
        signal = 0;
        break;
    case PTRACE_EVENT_STOP:
        if (!task->is_announced) {
            task->waits = 1;
            return;
        }
        if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
            request = PTRACE_LISTEN;
        }
        signal = 0;
        break;
    default:
        if (signal == (SIGTRAP | 0x80)) {
            request = at_return(task);
            signal = 0;
        }
    }
    ptrace(request, id, 0, signal);
}

/* Stops at the program's marks and at one call, or at all. */
static void filter(void) {
    unsigned number = mode == COUNT ? 0 : calls[wanted].number;
    unsigned others = mode == COUNT ? SECCOMP_RET_TRACE : SECCOMP_RET_ALLOW;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, others),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(77);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(77);
}

static pid_t start(char **program) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0) exit(77);
    pid_t id = fork();
    if (id == 0) {
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 1) _exit(77);
        close(ends[0]);
        filter();
        execvp(program[0], program);
        perror(program[0]);
        _exit(126);
    }
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
                   PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                   PTRACE_O_TRACESYSGOOD;
    if (id < 0 || ptrace(PTRACE_SEIZE, id, 0, options) != 0) exit(77);
    close(ends[0]);
    if (write(ends[1], "", 1) != 1) exit(77);
    close(ends[1]);
    task_of(id)->is_announced = 1;
    return id;
}

static void limit(long milliseconds) {
    struct itimerval time = {.it_interval = {0, 20000}};
    time.it_value = (struct timeval){milliseconds / 1000, milliseconds % 1000 * 1000};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &time, NULL);
}

/* Traces until the program and all its children have ended. Returns how the program ended. */
static int trace(pid_t program, struct rusage *usage) {
    int end = 0, status;
    while (task_count > 0) {
        struct rusage of_task;
        pid_t id = wait4(-1, &status, __WALL, &of_task);
        if (id < 0) {
            if (errno == EINTR) continue;
            break;
        }
        if (WIFSTOPPED(status)) {
            at_stop(id, status);
            continue;
        }
        forget(id);
        if (id != program) continue;
        end = status;
        *usage = of_task;
        /* Children that it has not waited for. */
        for (int i = 0; i < task_count; i++) kill(tasks[i].id, SIGKILL);
    }
    return end;
}

static void report(int end, const struct rusage *usage) {
    long cpu = (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
               (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
    if (mode == COUNT) {
        for (int i = 0; i < CALL_COUNT * KINDS; i++) {
            int row = i / KINDS, kind = i % KINDS, by_kind = calls[row].argument == BY_KIND;
            if (seen[row][kind] == 0) continue;
            printf("call: %s%s%s %ld\n", calls[row].name, by_kind ? ":" : "",
                   by_kind ? kinds[kind].name : "", seen[row][kind]);
        }
    }
    if (is_late) printf("result: timeout 0");
    else if (WIFSIGNALED(end)) printf("result: signal %d", WTERMSIG(end));
    else printf("result: exit %d", WEXITSTATUS(end));
    printf(" %ld %ld\n", hits, cpu);
}

/* `read:pipe` is a call on a kind of descriptor. */
static void want(char *name) {
    char *kind = strchr(name, ':');
    if (kind != NULL) *kind++ = '\0';
    for (wanted = 0; wanted < CALL_COUNT; wanted++) {
        if (strcmp(calls[wanted].name, name) == 0) break;
    }
    for (wanted_kind = 0; kind != NULL && wanted_kind < KINDS; wanted_kind++) {
        if (strcmp(kinds[wanted_kind].name, kind) == 0) break;
    }
    if (wanted < CALL_COUNT && wanted_kind < KINDS) return;
    fprintf(stderr, "inject: no call is named %s\n", name);
    exit(2);
}

int main(int argc, char **argv) {
    struct rusage usage = {0};
    if (argc < 4) return 2;
    char **program = argv + 3;
    if (strcmp(argv[2], "count") != 0) {
        if (argc < 7) return 2;
        want(argv[2]);
        wanted_error = atoi(argv[3]);
        wanted_nth = atol(argv[4]);
        mode = strcmp(argv[5], "on") == 0 ? ON : strcmp(argv[5], "after") == 0 ? AFTER : ONCE;
        program = argv + 6;
    }
    pid_t id = start(program);
    limit(atol(argv[1]));
    int end = trace(id, &usage);
    if (WIFEXITED(end) && WEXITSTATUS(end) == 77) return 77;
    report(end, &usage);
    return 0;
}
#endif
