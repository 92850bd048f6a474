/* A library with libuv built in. */
int uv_run(void *loop, int mode);

int uv_run(void *loop, int mode) {
    return loop != 0 && mode;
}
