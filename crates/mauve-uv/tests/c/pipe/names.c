/* Names of pipes: binding, connecting, asking for them, and what closing does to the file. */
#include "net.h"

#include <sys/stat.h>

static uv_loop_t loop;
static char folder[64], path[128];

static void ask(const char *when, uv_pipe_t *pipe_) {
    static const size_t sizes[] = {1024, 1, 5};
    say("  %s", when);
    for (size_t i = 0; i < COUNT(sizes) + 2; i++) {
        char buffer[1024];
        size_t exact = strlen(path), size = i < COUNT(sizes) ? sizes[i] : exact + i - COUNT(sizes);
        size_t given = size;
        memset(buffer, 0x55, sizeof buffer);
        int result = uv_pipe_getsockname(pipe_, buffer, &size);
        say("    sock %s, given %zd, size %zd, same %d", code(result), (ssize_t)(given - exact),
            (ssize_t)(size - exact), result == 0 && memcmp(buffer, path, size) == 0);
        size = given;
        result = uv_pipe_getpeername(pipe_, buffer, &size);
        say("    peer %s, size %zd", code(result),
            result == 0 || result == UV_ENOBUFS ? (ssize_t)size : -1);
    }
}

static void on_connect(uv_connect_t *request, int status) {
    say("  connect %s", code(status));
    state("  ", request->handle);
    if (status == 0) ask("client", (uv_pipe_t *)request->handle);
}

static void on_connection(uv_stream_t *stream, int status) {
    static uv_pipe_t peer;
    say("  connection %s", code(status));
    uv_pipe_init(&loop, &peer, 0);
    say("  accept %s", code(uv_accept(stream, STREAM(&peer))));
    state("  accepted", &peer);
    ask("peer", &peer);
    uv_close(HANDLE(&peer), NULL);
}

static int exists(void) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static void show_mode(uv_pipe_t *pipe_, int mode) {
    struct stat status;
    chmod(path, 0);
    int result = uv_pipe_chmod(pipe_, mode);
    lstat(path, &status);
    say("  chmod %d %s %o", mode, code(result), status.st_mode & 0777);
}

int main(void) {
    uv_pipe_t server, other, client;
    uv_connect_t connect;
    uv_loop_init(&loop);
    strcpy(folder, "/tmp/pipe-names-XXXXXX");
    assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/socket", folder);

    say("fresh");
    uv_pipe_init(&loop, &server, 0);
    state("  state", &server);
    ask("fresh", &server);
    say("  listen %s", code(uv_listen(STREAM(&server), 1, on_connection)));
    say("  chmod %s", code(uv_pipe_chmod(&server, UV_READABLE)));
    uv_pipe_pending_instances(&server, 4);

    say("bound");
    say("  bind %s", code(uv_pipe_bind(&server, path)));
    say("  exists %d", exists());
    state("  state", &server);
    say("  again %s", code(uv_pipe_bind(&server, path)));
    ask("bound", &server);
    for (int mode = 0; mode <= 8; mode++) show_mode(&server, mode);
    chmod(path, 0700);
    uv_pipe_init(&loop, &other, 0);
    say("  other %s", code(uv_pipe_bind(&other, path)));
    uv_pipe_connect(&connect, &other, path, on_connect);
    state("  connecting", &other);
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  listen %s", code(uv_listen(STREAM(&server), 8, on_connection)));
    state("  listening", &server);
    uv_pipe_init(&loop, &client, 0);
    uv_pipe_connect(&connect, &client, path, on_connect);
    state("  connecting", &client);
    for (int i = 0; i < 4; i++) uv_run(&loop, UV_RUN_NOWAIT);
    uv_close(HANDLE(&client), NULL);
    uv_close(HANDLE(&server), NULL);
    say("  exists after uv_close %d", exists());
    uv_run(&loop, UV_RUN_DEFAULT);

    say("errors");
    uv_pipe_init(&loop, &client, 0);
    uv_pipe_connect(&connect, &client, path, on_connect);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_pipe_init(&loop, &server, 0);
    say("  missing folder %s", code(uv_pipe_bind(&server, "/no such folder/socket")));
    state("  after", &server);
    say("  bind %s", code(uv_pipe_bind(&server, path)));
    say("  removed by others %d", unlink(path));
    FILE *file = fopen(path, "w");
    fclose(file);
    uv_close(HANDLE(&server), NULL);
    say("  a file in its place remains %d", exists());
    unlink(path);
    rmdir(folder);
    say("finish %s", code(finish(&loop)));
    return 0;
}
