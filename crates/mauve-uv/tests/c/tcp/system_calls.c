/* needs: mauve */
/* System calls per echoed message: at most 3.0 with one connection, 2.1 with 64. ptrace counts the
 * calls. */
#include "net.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { CONNECTIONS = 64, ROUNDS = 100, WARM_UP = 10 };

static uv_loop_t loop;
static uv_tcp_t server, peers[CONNECTIONS];
static uv_write_t requests[CONNECTIONS];
static char buffers[CONNECTIONS][256];
static int connections, wanted, messages;

/* Marks the start and the end of counting for the tracer. */
static void mark(void) { syscall(SYS_getppid); }

static void on_alloc_own(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)size;
    *buffer = uv_buf_init(buffers[(uv_tcp_t *)handle - peers], sizeof buffers[0]);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    int which = (uv_tcp_t *)stream - peers;
    uv_buf_t bytes = uv_buf_init(buffer->base, count);
    if (count < 0) {
        uv_close(HANDLE(stream), NULL);
        if (!uv_is_closing(HANDLE(&server))) uv_close(HANDLE(&server), NULL);
        return;
    }
    if (messages == WARM_UP * wanted || messages == (WARM_UP + ROUNDS) * wanted) mark();
    messages++;
    EXPECT(uv_write(&requests[which], stream, &bytes, 1, NULL), 0);
}

static void on_connection(uv_stream_t *stream, int status) {
    uv_tcp_t *peer = &peers[connections++];
    EXPECT(status, 0);
    uv_tcp_init(&loop, peer);
    EXPECT(uv_accept(stream, STREAM(peer)), 0);
    EXPECT(uv_read_start(STREAM(peer), on_alloc_own, on_read), 0);
}

static void start_tracing(void) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(77);
    raise(SIGSTOP);
}

static void echo(int to) {
    uv_loop_init(&loop);
    struct sockaddr_in address = listen_on_loopback(&loop, &server, on_connection);
    EXPECT(write(to, &address, sizeof address), sizeof address);
    start_tracing();
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(uv_loop_close(&loop), 0);
    _exit(0);
}

/* All connections send before any reply is read. */
static void run_client(struct sockaddr_in address) {
    int fds[CONNECTIONS];
    char text[100] = "text";
    for (int i = 0; i < wanted; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        EXPECT(connect(fds[i], SOCKADDR(&address), sizeof address), 0);
    }
    for (int round = 0; round <= WARM_UP + ROUNDS; round++) {
        for (int i = 0; i < wanted; i++) EXPECT(write(fds[i], text, sizeof text), sizeof text);
        for (int i = 0; i < wanted; i++) {
            EXPECT(recv(fds[i], text, sizeof text, MSG_WAITALL), sizeof text);
        }
    }
    _exit(0);
}

/* Counts the system calls of a child between its marks; -1 if ptrace is not permitted. */
static long count_calls(pid_t pid) {
    long count = -1, total = -1;
    int status, enters = 1;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return -1;
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD);
    for (;;) {
        ptrace(PTRACE_SYSCALL, pid, 0, 0);
        if (waitpid(pid, &status, 0) != pid) break;
        if (WIFEXITED(status)) {
            EXPECT(WEXITSTATUS(status), 0);
            break;
        }
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
        if (enters) {
            struct __ptrace_syscall_info info;
            ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info);
            if (info.entry.nr == SYS_getppid) {
                if (count >= 0) total = count;
                count = 0;
            } else if (count >= 0) {
                count++;
            }
        }
        enters = !enters;
    }
    return total;
}

static double per_message(int count) {
    struct sockaddr_in address;
    int ends[2];
    wanted = count;
    assert(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) echo(ends[1]);
    assert(read(ends[0], &address, sizeof address) == sizeof address);
    pid_t client = fork();
    if (client == 0) run_client(address);
    long calls = count_calls(pid);
    if (calls < 0) {
        kill(client, SIGKILL);
        waitpid(client, NULL, 0);
        return -1;
    }
    waitpid(client, NULL, 0);
    return (double)calls / (ROUNDS * count);
}

int main(void) {
    double one = per_message(1);
    if (one < 0) {
        fprintf(stderr, "ptrace is not permitted\n");
        return 1;
    }
    double many = per_message(CONNECTIONS);
    fprintf(stderr, "%.2f with one connection, %.2f with %d\n", one, many, CONNECTIONS);
    EXPECT(one <= 3.05, 1);
    EXPECT(many <= 2.1, 1);
    return 0;
}
