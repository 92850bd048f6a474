/* Runs a program and makes one of its system calls fail.
 *
 *   inject MILLISECONDS count PROGRAM ARGUMENT..
 *   inject MILLISECONDS CALL ERROR NTH once|after|on PROGRAM ARGUMENT..
 *
 * `count` lists how often each call occurs. `once` fails the nth occurrence, `on` the nth and all
 * later ones. `after` makes the nth call and then returns the error. Occurrences count while the
 * program has injection on (injection.h), in all its threads and in forked children until they
 * execute another program.
 *
 * A seccomp filter stops the program only at the selected call; all other calls run at full speed.
 * The last line on standard output is `result: END HITS CPU`, where END is `exit N`, `signal N` or
 * `timeout` and CPU is in milliseconds. Exits with 77 where tracing is not permitted. */
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
    puts("supports x86-64 only");
    return 77;
}
#else

#include "calls.h"
#include "injection.h"

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

/* Kinds of descriptors, by the prefix of their links in /proc. */
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
enum { MAX_TASKS = 256 };
enum mode { COUNT, ONCE, AFTER, ON };

/* A traced thread or process. */
typedef struct {
    pid_t id;
    int is_foreign;     /* executes another program */
    int is_announced;   /* the parent's fork event has arrived */
    int is_stopped;     /* stopped before the parent's fork event */
    int error;          /* to return from the current call */
} task;

static task tasks[MAX_TASKS];
static int task_count;
static enum mode mode;
static long seen[CALL_COUNT][KINDS];
static int wanted, wanted_kind;
static int wanted_error;
static long wanted_nth, hits;
static int is_injecting, has_executed;
static volatile sig_atomic_t has_timed_out;

static task *task_of(pid_t id) {
    for (int i = 0; i < task_count; i++) {
        if (tasks[i].id == id) return &tasks[i];
    }
    if (task_count == MAX_TASKS) abort();
    tasks[task_count] = (task){.id = id};
    return &tasks[task_count++];
}

static void remove_task(pid_t id) {
    task *removed = task_of(id);
    *removed = tasks[--task_count];
}

static void on_alarm(int signal) {
    (void)signal;
    has_timed_out = 1;
    for (int i = 0; i < task_count; i++) kill(tasks[i].id, SIGKILL);
}

/* The row of the call that a task enters, or -1. */
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

/* The kind of the call's descriptor, or 0 for calls that are not distinguished by it. */
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

/* Handles the entry of a call. Returns the ptrace request that resumes the task. */
static int at_entry(task *task) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, task->id, 0, &registers) != 0) return PTRACE_CONT;
    if (registers.orig_rax == SYS_prctl && registers.rdi == INJECTION_SWITCH) {
        is_injecting = registers.rsi != 0;
        registers.orig_rax = -1;
        registers.rax = 0;
        ptrace(PTRACE_SETREGS, task->id, 0, &registers);
        return PTRACE_CONT;
    }
    if (!is_injecting || task->is_foreign) return PTRACE_CONT;
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
    /* A failed brk returns the current break instead of an error. */
    registers.rax = registers.orig_rax == SYS_brk ? 0 : -wanted_error;
    registers.orig_rax = -1;
    ptrace(PTRACE_SETREGS, task->id, 0, &registers);
    return PTRACE_CONT;
}

/* Handles the exit of a call. Returns the ptrace request that resumes the task. */
static int at_exit(task *task) {
    struct user_regs_struct registers;
    if (task->error == 0 || ptrace(PTRACE_GETREGS, task->id, 0, &registers) != 0) {
        return PTRACE_CONT;
    }
    registers.rax = -task->error;
    ptrace(PTRACE_SETREGS, task->id, 0, &registers);
    task->error = 0;
    return PTRACE_CONT;
}

/* Handles the parent's fork event. The child resumes only now, because `is_foreign` is inherited. */
static void announce(pid_t id, int is_foreign) {
    task *child = task_of(id);
    child->is_foreign = is_foreign;
    child->is_announced = 1;
    if (child->is_stopped) ptrace(PTRACE_CONT, id, 0, 0);
    child->is_stopped = 0;
}

static void at_stop(pid_t id, int status) {
    task *task = task_of(id);
    int signal = WSTOPSIG(status), request = PTRACE_CONT;
    unsigned long child;
    switch (status >> 16) {
    case PTRACE_EVENT_SECCOMP:
        request = at_entry(task);
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
            task->is_stopped = 1;
            return;
        }
        if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
            request = PTRACE_LISTEN;
        }
        signal = 0;
        break;
    default:
        if (signal == (SIGTRAP | 0x80)) {
            request = at_exit(task);
            signal = 0;
        }
    }
    ptrace(request, id, 0, signal);
}

/* Installs a filter that traces the injection switch and the selected call, or all calls. */
static void install_filter(void) {
    unsigned number = mode == COUNT ? 0 : calls[wanted].number;
    unsigned others = mode == COUNT ? SECCOMP_RET_TRACE : SECCOMP_RET_ALLOW;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, INJECTION_SWITCH, 0, 1),
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
        install_filter();
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

/* Traces until the program and all its children have exited. Returns the program's wait status. */
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
        remove_task(id);
        if (id != program) continue;
        end = status;
        *usage = of_task;
        /* Kills children that the program has not waited for. */
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
    if (has_timed_out) printf("result: timeout 0");
    else if (WIFSIGNALED(end)) printf("result: signal %d", WTERMSIG(end));
    else printf("result: exit %d", WEXITSTATUS(end));
    printf(" %ld %ld\n", hits, cpu);
}

/* Selects a call by name. `read:pipe` selects reads of pipes only. */
static void select_call(char *name) {
    char *kind = strchr(name, ':');
    if (kind != NULL) *kind++ = '\0';
    for (wanted = 0; wanted < CALL_COUNT; wanted++) {
        if (strcmp(calls[wanted].name, name) == 0) break;
    }
    for (wanted_kind = 0; kind != NULL && wanted_kind < KINDS; wanted_kind++) {
        if (strcmp(kinds[wanted_kind].name, kind) == 0) break;
    }
    if (wanted < CALL_COUNT && wanted_kind < KINDS) return;
    fprintf(stderr, "inject: unknown call %s\n", name);
    exit(2);
}

/* The number of an error. */
static int number_of(const char *error) {
    for (int number = 1; number < 200; number++) {
        const char *name = strerrorname_np(number);
        if (name != NULL && strcmp(name, error) == 0) return number;
    }
    fprintf(stderr, "inject: unknown error %s\n", error);
    exit(2);
}

int main(int argc, char **argv) {
    struct rusage usage = {0};
    if (argc < 4) return 2;
    char **program = argv + 3;
    if (strcmp(argv[2], "count") != 0) {
        if (argc < 7) return 2;
        select_call(argv[2]);
        wanted_error = number_of(argv[3]);
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
