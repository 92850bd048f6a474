/* Needs a library that has a libuv in it. */
int uv_run(void *loop, int mode);

int main(void) {
    return uv_run(0, 0);
}
