/* A library with a libuv of its own in it. */
int uv_run(void *loop, int mode);

int uv_run(void *loop, int mode) {
    return loop != 0 && mode;
}
