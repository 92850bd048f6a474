/* uv_pipe_bind, uv_pipe_connect, uv_pipe_chmod, getsockname and getpeername, and removal of the
 * file by uv_close. */
#include "net.h"

#include <sys/stat.h>

static uv_loop_t loop;
static char directory[64], path[128];

static void print_names(const char *when, uv_pipe_t *pipe_) {
    static const size_t sizes[] = {1024, 1, 5};
    print("  %s", when);
    for (size_t i = 0; i < COUNT(sizes) + 2; i++) {
        char buffer[1024];
        size_t exact = strlen(path), size = i < COUNT(sizes) ? sizes[i] : exact + i - COUNT(sizes);
        size_t given = size;
        memset(buffer, 0x55, sizeof buffer);
        int result = uv_pipe_getsockname(pipe_, buffer, &size);
        print("    sock %s, given %zd, size %zd, same %d", code(result), (ssize_t)(given - exact),
              (ssize_t)(size - exact), result == 0 && memcmp(buffer, path, size) == 0);
        size = given;
        result = uv_pipe_getpeername(pipe_, buffer, &size);
        print("    peer %s, size %zd", code(result),
              result == 0 || result == UV_ENOBUFS ? (ssize_t)size : -1);
    }
}

static void on_connect(uv_connect_t *request, int status) {
    print("  connect %s", code(status));
    print_stream_state("  ", request->handle);
    if (status == 0) print_names("client", (uv_pipe_t *)request->handle);
}

static void on_connection(uv_stream_t *stream, int status) {
    static uv_pipe_t peer;
    print("  connection %s", code(status));
    uv_pipe_init(&loop, &peer, 0);
    print("  accept %s", code(uv_accept(stream, STREAM(&peer))));
    print_stream_state("  accepted", &peer);
    print_names("peer", &peer);
    uv_close(HANDLE(&peer), NULL);
}

static int exists(void) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static void chmod_and_print(uv_pipe_t *pipe_, int mode) {
    struct stat status;
    chmod(path, 0);
    int result = uv_pipe_chmod(pipe_, mode);
    lstat(path, &status);
    print("  chmod %d %s %o", mode, code(result), status.st_mode & 0777);
}

int main(void) {
    uv_pipe_t server, other, client;
    uv_connect_t connect;
    uv_loop_init(&loop);
    strcpy(directory, "/tmp/pipe-names-XXXXXX");
    assert(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/socket", directory);

    print("unbound");
    uv_pipe_init(&loop, &server, 0);
    print_stream_state("  state", &server);
    print_names("unbound", &server);
    print("  listen %s", code(uv_listen(STREAM(&server), 1, on_connection)));
    print("  chmod %s", code(uv_pipe_chmod(&server, UV_READABLE)));
    uv_pipe_pending_instances(&server, 4);

    print("bound");
    print("  bind %s", code(uv_pipe_bind(&server, path)));
    print("  exists %d", exists());
    print_stream_state("  state", &server);
    print("  again %s", code(uv_pipe_bind(&server, path)));
    print_names("bound", &server);
    for (int mode = 0; mode <= 8; mode++) chmod_and_print(&server, mode);
    chmod(path, 0700);
    uv_pipe_init(&loop, &other, 0);
    print("  other %s", code(uv_pipe_bind(&other, path)));
    uv_pipe_connect(&connect, &other, path, on_connect);
    print_stream_state("  connecting", &other);
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  listen %s", code(uv_listen(STREAM(&server), 8, on_connection)));
    print_stream_state("  listening", &server);
    uv_pipe_init(&loop, &client, 0);
    uv_pipe_connect(&connect, &client, path, on_connect);
    print_stream_state("  connecting", &client);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&client), NULL);
    uv_close(HANDLE(&server), NULL);
    print("  exists after uv_close %d", exists());
    uv_run(&loop, UV_RUN_DEFAULT);

    print("errors");
    uv_pipe_init(&loop, &client, 0);
    uv_pipe_connect(&connect, &client, path, on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &server, 0);
    print("  missing directory %s", code(uv_pipe_bind(&server, "/no such directory/socket")));
    print_stream_state("  after", &server);
    print("  bind %s", code(uv_pipe_bind(&server, path)));
    print("  removed by the program %d", unlink(path));
    FILE *file = fopen(path, "w");
    fclose(file);
    uv_close(HANDLE(&server), NULL);
    print("  a file with the same name remains %d", exists());
    unlink(path);
    rmdir(directory);
    print("close_loop %s", code(close_loop(&loop)));
    return 0;
}
