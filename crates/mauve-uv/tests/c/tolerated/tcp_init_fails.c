/* A TCP handle whose socket could not be created can be used and closed, or forgotten. */
#include "../test.h"

#include <sys/resource.h>

static uv_loop_t loop;
static uv_tcp_t closed, used, forgotten;

static void init(uv_tcp_t *tcp) {
    struct rlimit before, none;
    memset(tcp, 0xa5, sizeof *tcp);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    print("init %s", code(uv_tcp_init_ex(&loop, tcp, AF_INET)));
    setrlimit(RLIMIT_NOFILE, &before);
    uv_handle_t *handle = (uv_handle_t *) tcp;
    print("  type %s, of the loop %d", uv_handle_type_name(uv_handle_get_type(handle)),
          uv_handle_get_loop(handle) == &loop);
    print("  active %d, closing %d, referenced %d", uv_is_active(handle), uv_is_closing(handle), uv_has_ref(handle));
}

static void on_walk(uv_handle_t *handle, void *argument) {
    print("%s has %s", (const char *) argument, uv_handle_type_name(handle->type));
}

static void on_close(uv_handle_t *handle) {
    print("close callback, closing %d, referenced %d", uv_is_closing(handle), uv_has_ref(handle));
}

int main(void) {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_loop_init(&loop);
    init(&closed);
    uv_close((uv_handle_t *) &closed, on_close);
    init(&used);
    print("bind %s", code(uv_tcp_bind(&used, (struct sockaddr *) &address, 0)));
    print("listen %s", code(uv_listen((uv_stream_t *) &used, 1, NULL)));
    init(&forgotten);
    uv_unref((uv_handle_t *) &forgotten);
    print("referenced %d", uv_has_ref((uv_handle_t *) &forgotten));
    uv_walk(&loop, on_walk, "the loop");
    uv_close((uv_handle_t *) &used, on_close);
    print("run %d", uv_run(&loop, UV_RUN_DEFAULT));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
