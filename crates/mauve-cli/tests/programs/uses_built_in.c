/* A program that is linked with a library that has libuv built in. */
int uv_run(void *loop, int mode);

int main(void) {
    return uv_run(0, 0);
}
