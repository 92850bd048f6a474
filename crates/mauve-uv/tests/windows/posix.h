/* What the programs use of Unix, for Windows: included before everything else (`cargo xtask windows`).
 *
 * A number of a descriptor is one of the C runtime, or a socket. Local socket pairs are named pipes. */
#ifndef POSIX_H
#define POSIX_H

#include <winsock2.h>
#include <ws2tcpip.h>
#include <windows.h>

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* A name of the programs, too. */
#undef HANDLE
typedef void *win_handle;

#define SHIM static __attribute__((unused))

#define O_NONBLOCK 0x40000000
#define O_CLOEXEC 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define SHUT_RD SD_RECEIVE
#define SHUT_WR SD_SEND
#define SHUT_RDWR SD_BOTH
#define MSG_DONTWAIT 0
#define MSG_NOSIGNAL 0
#define SOCK_NONBLOCK 0
#define SOCK_CLOEXEC 0
#define S_ISSOCK(mode) 0
#define S_IFLNK 0120000
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define O_NOFOLLOW 0
#define O_NOCTTY 0
#define TCP_KEEPIDLE 3
#define TCP_KEEPCNT 16
#define TCP_KEEPINTVL 17

/* The numbers of Linux for signals that this system does not have. */
#define SIGHUP 1
#define SIGQUIT 3
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGCHLD 17
#define SIGSTOP 19
#define SIGURG 23
#define SIGPROF 27
#define SIGWINCH 28
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

/* A socket has a large number, and is none of the C runtime. */
SHIM int is_socket(int fd) {
    int kind, length = sizeof kind;
    return fd >= 32 && getsockopt((SOCKET)fd, SOL_SOCKET, SO_TYPE, (char *)&kind, &length) == 0;
}

SHIM int socket_error(int result) {
    if (result >= 0) return result;
    switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK: errno = EAGAIN; break;
    case WSAECONNRESET: errno = ECONNRESET; break;
    case WSAECONNREFUSED: errno = ECONNREFUSED; break;
    case WSAENOTCONN: errno = ENOTCONN; break;
    case WSAEADDRINUSE: errno = EADDRINUSE; break;
    default: errno = EINVAL;
    }
    return result;
}

SHIM void start_sockets(void) {
    static int started;
    WSADATA data;
    if (!started++) WSAStartup(MAKEWORD(2, 2), &data);
}

SHIM int posix_socket(int domain, int type, int protocol) {
    start_sockets();
    return socket_error((int)socket(domain, type, protocol));
}

SHIM int posix_accept(int fd, struct sockaddr *address, int *length) {
    return socket_error((int)accept(fd, address, length));
}

SHIM int posix_close(int fd) {
    return is_socket(fd) ? socket_error(closesocket(fd)) : _close(fd);
}

/* A pipe that does not block is empty with this error. */
SHIM int pipe_error(int result) {
    if (result < 0 && GetLastError() == ERROR_NO_DATA) errno = EAGAIN;
    return result;
}

SHIM ssize_t posix_read(int fd, void *buffer, size_t size) {
    if (is_socket(fd)) return socket_error(recv(fd, buffer, (int)size, 0));
    return pipe_error(_read(fd, buffer, (unsigned)size));
}

SHIM ssize_t posix_write(int fd, const void *buffer, size_t size) {
    if (is_socket(fd)) return socket_error(send(fd, buffer, (int)size, 0));
    return pipe_error(_write(fd, buffer, (unsigned)size));
}

SHIM ssize_t posix_recv(int fd, void *buffer, size_t size, int flags) {
    if (!is_socket(fd)) return posix_read(fd, buffer, size);
    return socket_error(recv(fd, buffer, (int)size, flags));
}

SHIM ssize_t posix_send(int fd, const void *buffer, size_t size, int flags) {
    if (!is_socket(fd)) return posix_write(fd, buffer, size);
    return socket_error(send(fd, buffer, (int)size, flags));
}

SHIM ssize_t posix_recvfrom(int fd, void *buffer, size_t size, int flags, void *from, int *length) {
    return socket_error(recvfrom(fd, buffer, (int)size, flags, from, length));
}

SHIM ssize_t posix_sendto(int fd, const void *buffer, size_t size, int flags, const void *to,
                          int length) {
    return socket_error(sendto(fd, buffer, (int)size, flags, to, length));
}

SHIM int posix_setsockopt(int fd, int level, int name, const void *value, int length) {
    /* The buffers of a pipe have a fixed size. */
    if (!is_socket(fd)) return 0;
    return socket_error(setsockopt(fd, level, name, value, length));
}

SHIM int posix_getsockopt(int fd, int level, int name, void *value, int *length) {
    return socket_error(getsockopt(fd, level, name, value, length));
}

SHIM int posix_shutdown(int fd, int how) {
    if (is_socket(fd)) return socket_error(shutdown(fd, how));
    errno = ENOTSUP;
    return -1;
}

SHIM int posix_fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    int flags = va_arg(arguments, int);
    va_end(arguments);
    if (command != F_SETFL) return 0;
    u_long on = (flags & O_NONBLOCK) != 0;
    if (is_socket(fd)) return socket_error(ioctlsocket(fd, FIONBIO, &on));
    DWORD mode = on ? PIPE_NOWAIT : PIPE_WAIT;
    return SetNamedPipeHandleState((win_handle)_get_osfhandle(fd), &mode, NULL, NULL) ? 0 : -1;
}

SHIM int posix_pipe(int ends[2]) {
    return _pipe(ends, 65536, _O_BINARY | _O_NOINHERIT);
}

/* The first end is for a loop, the second one for calls that block. Others are sockets. */
SHIM int posix_socketpair(int domain, int type, int protocol, int ends[2]) {
    static int number;
    char name[80];
    (void)domain, (void)protocol;
    if (type != SOCK_STREAM) {
        errno = ENOTSUP;
        return -1;
    }
    snprintf(name, sizeof name, "\\\\.\\pipe\\mauve-test-%d-%d", _getpid(), number++);
    win_handle one = CreateNamedPipeA(name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED,
                                      PIPE_TYPE_BYTE | PIPE_WAIT, 1, 65536, 65536, 0, NULL);
    win_handle other = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (one == INVALID_HANDLE_VALUE || other == INVALID_HANDLE_VALUE) return -1;
    ends[0] = _open_osfhandle((intptr_t)one, _O_RDWR | _O_BINARY);
    ends[1] = _open_osfhandle((intptr_t)other, _O_RDWR | _O_BINARY);
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

SHIM int posix_mkdir(const char *path, int mode) {
    (void)mode;
    return _mkdir(path);
}

SHIM char *mkdtemp(char *template) {
    char *text = _mktemp(template);
    return text != NULL && _mkdir(text) == 0 ? text : NULL;
}

/* As on Unix: text is not converted. */
SHIM int posix_open(const char *path, int flags, ...) {
    return _open(path, (flags & ~O_NONBLOCK) | _O_BINARY, _S_IREAD | _S_IWRITE);
}

SHIM int fchmod(int fd, int mode) {
    (void)fd, (void)mode;
    return 0;
}

SHIM int setenv(const char *name, const char *value, int replace) {
    if (!replace && getenv(name) != NULL) return 0;
    return _putenv_s(name, value);
}

SHIM int unsetenv(const char *name) {
    return _putenv_s(name, "");
}

SHIM unsigned alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}

SHIM char *strsignal(int number) {
    static char text[16];
    snprintf(text, sizeof text, "signal %d", number);
    return text;
}

SHIM int absent(void) {
    errno = ENOSYS;
    return -1;
}

/* Processes, limits and links of Unix: calls that fail. */
#define WNOHANG 1
#define WIFEXITED(status) 1
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_AS 9
#define RLIM_INFINITY (~0ull)
#define RUSAGE_SELF 0

typedef unsigned long long rlim_t;

struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_minflt, ru_majflt, ru_inblock, ru_oublock, ru_nvcsw, ru_nivcsw;
};

struct sockaddr_un {
    unsigned short sun_family;
    char sun_path[108];
};

#define fork() absent()
#define wait(status) absent()
#define waitpid(child, status, flags) absent()
#define getrlimit(kind, limit) absent()
#define setrlimit(kind, limit) absent()
#define getrusage(whom, usage) absent()
#define mkfifo(path, mode) absent()
#define symlink(target, path) absent()
#define readlink(path, buffer, size) absent()
#define kill(process, number) ((process) == _getpid() ? raise(number) : absent())
#define lstat stat
#define getuid() 1000
#define geteuid() 1000
#define getgid() 1000
#define getegid() 1000

SHIM int link(const char *path, const char *new_path) {
    return CreateHardLinkA(new_path, path, NULL) ? 0 : -1;
}

SHIM ssize_t pread(int fd, void *buffer, size_t size, long long offset) {
    long long before = _lseeki64(fd, 0, SEEK_CUR);
    _lseeki64(fd, offset, SEEK_SET);
    int count = _read(fd, buffer, (unsigned)size);
    _lseeki64(fd, before, SEEK_SET);
    return count;
}

SHIM ssize_t pwrite(int fd, const void *buffer, size_t size, long long offset) {
    long long before = _lseeki64(fd, 0, SEEK_CUR);
    _lseeki64(fd, offset, SEEK_SET);
    int count = _write(fd, buffer, (unsigned)size);
    _lseeki64(fd, before, SEEK_SET);
    return count;
}

/* Waits for sockets and pipes. A pipe is always writable. */
SHIM int posix_poll(struct pollfd *entries, unsigned count, int timeout) {
    ULONGLONG end = GetTickCount64() + (timeout < 0 ? 60000 : timeout);
    for (;;) {
        int ready = 0;
        for (unsigned i = 0; i < count; i++) {
            struct pollfd one = entries[i];
            DWORD available = 0;
            one.events &= POLLIN | POLLOUT;
            one.revents = 0;
            if (is_socket((int)one.fd)) {
                WSAPoll(&one, 1, 0);
            } else if ((int)one.fd >= 0) {
                win_handle pipe = (win_handle)_get_osfhandle((int)one.fd);
                if (!PeekNamedPipe(pipe, NULL, 0, NULL, &available, NULL)) one.revents = POLLHUP;
                else if (available > 0) one.revents = one.events & POLLIN;
                one.revents |= one.events & POLLOUT;
            }
            entries[i].revents = one.revents;
            ready += one.revents != 0;
        }
        if (ready > 0 || GetTickCount64() >= end) return ready;
        Sleep(1);
    }
}

#define RTLD_DEFAULT NULL
#define RTLD_NEXT NULL
#define RTLD_NOW 0
#define RTLD_LAZY 0

SHIM void *dlopen(const char *path, int mode) {
    (void)mode;
    return path == NULL ? GetModuleHandleA(NULL) : LoadLibraryA(path);
}

SHIM void *dlsym(void *module, const char *name) {
    return (void *)GetProcAddress(module == NULL ? GetModuleHandleA(NULL) : module, name);
}

SHIM int getppid(void) {
    return 0;
}

#define socket(...) posix_socket(__VA_ARGS__)
#define accept(...) posix_accept(__VA_ARGS__)
#define close(...) posix_close(__VA_ARGS__)
#define read(...) posix_read(__VA_ARGS__)
#define write(...) posix_write(__VA_ARGS__)
#define recv(...) posix_recv(__VA_ARGS__)
#define send(...) posix_send(__VA_ARGS__)
#define recvfrom(...) posix_recvfrom(__VA_ARGS__)
#define sendto(...) posix_sendto(__VA_ARGS__)
#define setsockopt(...) posix_setsockopt(__VA_ARGS__)
#define getsockopt(...) posix_getsockopt(__VA_ARGS__)
#define shutdown(...) posix_shutdown(__VA_ARGS__)
#define fcntl(...) posix_fcntl(__VA_ARGS__)
#define pipe(...) posix_pipe(__VA_ARGS__)
#define socketpair(...) posix_socketpair(__VA_ARGS__)
#define poll(...) posix_poll(__VA_ARGS__)
#define mkdir(...) posix_mkdir(__VA_ARGS__)
#define open(...) posix_open(__VA_ARGS__)

#endif
