/* needs: 1.53 */
/* UV_UDP_RECVMMSG uses as many parts of 64 KiB as the buffer has, and refuses a smaller one. */
#include "net.h"

#define PART ((size_t)65536)

static char memory[25 * 65536];
static size_t size;

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
    (void)handle;
    printf(" alloc %zu", suggested);
    *buffer = uv_buf_init(memory, size);
}

static void on_recv(uv_udp_t *udp, ssize_t count, const uv_buf_t *buffer, const struct sockaddr *from,
                    unsigned flags) {
    (void)udp;
    printf(" [%s at %zd of %zu, %s, flags %u]", length_or_code(count), buffer->base - memory, buffer->len,
           from ? "address" : "no address", flags);
}

int main(void) {
    const size_t SIZES[] = {1, PART - 1, PART, PART + 1, 2 * PART - 1, 2 * PART, 3 * PART, 20 * PART, 25 * PART};
    for (size_t i = 0; i < COUNT(SIZES); i++) {
        uv_loop_t loop;
        uv_udp_t udp;
        struct sockaddr_in address = loopback(0);
        int length = sizeof address, sender = socket(AF_INET, SOCK_DGRAM, 0);

        size = SIZES[i];
        uv_loop_init(&loop);
        EXPECT(uv_udp_init_ex(&loop, &udp, AF_INET | UV_UDP_RECVMMSG), 0);
        EXPECT(uv_udp_bind(&udp, SOCKADDR(&address), 0), 0);
        EXPECT(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length), 0);
        for (int sent = 3; sent < 6; sent++) {
            EXPECT(sendto(sender, "hello", sent, 0, SOCKADDR(&address), sizeof address), sent);
        }
        printf("%zu:", size);
        EXPECT(uv_udp_recv_start(&udp, give_buffer, on_recv), 0);
        for (int run = 0; run < 2; run++) {
            uv_run(&loop, UV_RUN_NOWAIT);
            printf(" |");
        }
        print("");
        close(sender);
        EXPECT(close_loop(&loop), 0);
    }
    return 0;
}
