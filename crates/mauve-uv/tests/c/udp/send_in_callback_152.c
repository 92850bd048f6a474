/* needs: 1.52 */
/* When datagrams are sent that are queued behind others, or in a send callback. */
#include "test.h"

static uv_loop_t loop;
static uv_udp_t sender, other;
static struct sockaddr_in address;
static uv_udp_send_t first, second, third;
static uv_buf_t word = {.base = "word", .len = 4};
static char trace[32];
static size_t length;

static void send_to(uv_udp_t *udp, uv_udp_send_t *request, uv_udp_send_cb callback) {
    EXPECT(uv_udp_send(request, udp, &word, 1, (struct sockaddr *)&address, callback), 0);
}

static void on_third(uv_udp_send_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    trace[length++] = '3';
}

/* A send in a callback of the same socket is sent in the next poll phase. */
static void on_second(uv_udp_send_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    trace[length++] = '2';
    send_to(&other, &third, on_third);
}

/* A send in a callback of another socket is sent at once. */
static void on_first(uv_udp_send_t *request, int status) {
    (void)request;
    EXPECT(status, 0);
    trace[length++] = '1';
    send_to(&other, &second, on_second);
    EXPECT(uv_backend_timeout(&loop), 0);
}

static void on_check(uv_check_t *check) {
    (void)check;
    trace[length++] = 'c';
}

int main(void) {
    uv_check_t check;
    uv_udp_t receiver;
    int size = sizeof(address);

    EXPECT(uv_loop_init(&loop), 0);
    uv_udp_init(&loop, &receiver);
    uv_ip4_addr("127.0.0.1", 0, &address);
    EXPECT(uv_udp_bind(&receiver, (struct sockaddr *)&address, 0), 0);
    EXPECT(uv_udp_getsockname(&receiver, (struct sockaddr *)&address, &size), 0);
    uv_udp_init(&loop, &sender);
    uv_udp_init(&loop, &other);
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_check);
    uv_unref((uv_handle_t *)&check);
    send_to(&sender, &first, on_first);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(strcmp(trace, "12c3c"), 0);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
