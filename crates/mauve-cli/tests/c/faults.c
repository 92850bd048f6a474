/* Calls that fail: prints what each request reports. Without its callback, a call does not fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

static uv_loop_t* loop;
static uv_tcp_t server, client;
static uv_process_t child;
static uv_fs_t open_request, new_request, mkdir_request, read_request, write_request, sync_request;

static void on_child(uv_process_t* process, int64_t status, int signal) {
  (void) status;
  printf("child: signal %d\n", signal);
  uv_close((uv_handle_t*) process, NULL);
}

static void on_connect(uv_connect_t* request, int status) {
  printf("connect: %s\n", status == UV_ECONNREFUSED || status == UV_ETIMEDOUT ? "refused" : "other");
  uv_close((uv_handle_t*) &server, NULL);
  uv_close((uv_handle_t*) request->handle, NULL);
}

static void on_connection(uv_stream_t* stream, int status) {
  (void) stream;
  printf("connection: %s\n", uv_err_name(status));
}

static const char* of_datagram(ssize_t status) {
  if (status == UV_ECONNREFUSED || status == UV_ENOBUFS || status == UV_ENOMEM)
    return "failed";
  return status < 0 ? uv_err_name((int) status) : "done";
}

static void on_sent(uv_udp_send_t* request, int status) {
  (void) request;
  printf("send: %s\n", of_datagram(status));
}

static void on_buffer(uv_handle_t* handle, size_t size, uv_buf_t* buffer) {
  static char bytes[64];
  (void) handle, (void) size;
  *buffer = uv_buf_init(bytes, sizeof bytes);
}

/* The datagram stays in the queue of the socket. */
static void on_datagram(
    uv_udp_t* udp, ssize_t count, const uv_buf_t* buffer, const struct sockaddr* from, unsigned flags) {
  (void) buffer, (void) from, (void) flags;
  if (count == 0)
    return;
  printf("datagram: %s\n", of_datagram(count));
  uv_close((uv_handle_t*) udp, NULL);
}

/* A socket that is connected to itself. */
static void use_datagrams(struct sockaddr_in* address) {
  static uv_udp_t udp;
  uv_udp_send_t send_request;
  uv_os_fd_t fd;
  uv_buf_t buffer = uv_buf_init("x", 1);
  int length = sizeof *address;
  uv_udp_init(loop, &udp);
  uv_udp_bind(&udp, (struct sockaddr*) address, 0);
  uv_udp_getsockname(&udp, (struct sockaddr*) address, &length);
  uv_udp_connect(&udp, (struct sockaddr*) address);
  uv_udp_send(&send_request, &udp, &buffer, 1, NULL, on_sent);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fileno((uv_handle_t*) &udp, &fd);
  if (send(fd, "y", 1, 0) != 1)
    printf("no datagram\n");
  uv_udp_recv_start(&udp, on_buffer, on_datagram);
  uv_run(loop, UV_RUN_DEFAULT);
}

static void on_resolved(uv_getaddrinfo_t* request, int status, struct addrinfo* found) {
  (void) request;
  printf("getaddrinfo: %s\n", uv_err_name(status));
  uv_freeaddrinfo(found);
}

static void on_request(uv_fs_t* request) {
  const char* kind = request->data;
  ssize_t result = request->result;
  int full = result == UV_EMFILE || result == UV_ENFILE;
  if (strcmp(kind, "new") == 0)
    full |= result == UV_ENOSPC;
  printf("%s: %s\n", kind, full ? "full" : result < 0 ? uv_err_name((int) result) : "done");
  uv_fs_req_cleanup(request);
}

int main(int argc, char** argv) {
  uv_getaddrinfo_t resolve;
  uv_connect_t connect;
  uv_process_options_t options = { 0 };
  /* Without faults nothing kills it. */
  char* arguments[] = { "sleep", getenv("MAUVE_SIM_FAULTS") == NULL ? "0" : "1000", NULL };
  struct sockaddr_in address;
  struct sockaddr_storage bound;
  int length = sizeof bound;
  char text[8], path[64];
  uv_buf_t buffer = uv_buf_init(text, 1);
  uv_fs_t sync;
  (void) argc, (void) argv;
  setvbuf(stdout, NULL, _IOLBF, 0);
  loop = uv_default_loop();
  uv_file file = uv_fs_open(loop, &sync, "/dev/zero", UV_FS_O_RDWR, 0, NULL);
  printf("open at once: %s\n", file < 0 ? uv_err_name(file) : "done");

  open_request.data = "open", new_request.data = "new", mkdir_request.data = "mkdir";
  read_request.data = "read", write_request.data = "write", sync_request.data = "fsync";
  snprintf(path, sizeof path, "/tmp/no-such-%d", (int) uv_os_getpid());
  uv_fs_open(loop, &open_request, "/dev/null", UV_FS_O_RDONLY, 0, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_open(loop, &new_request, path, UV_FS_O_CREAT | UV_FS_O_WRONLY, 0600, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_unlink(loop, &sync, path, NULL);
  uv_fs_mkdir(loop, &mkdir_request, path, 0700, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_rmdir(loop, &sync, path, NULL);
  uv_fs_read(loop, &read_request, file, &buffer, 1, 0, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_write(loop, &write_request, file, &buffer, 1, 0, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_fsync(loop, &sync_request, file, on_request);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_getaddrinfo(loop, &resolve, on_resolved, "127.0.0.1", NULL, NULL);
  uv_run(loop, UV_RUN_DEFAULT);

  options.file = arguments[0], options.args = arguments, options.exit_cb = on_child;
  if (uv_spawn(loop, &child, &options) != 0)
    return 1;
  uv_run(loop, UV_RUN_DEFAULT);

  uv_ip4_addr("127.0.0.1", 0, &address);
  use_datagrams(&address);

  uv_tcp_init(loop, &server);
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_bind(&server, (struct sockaddr*) &address, 0);
  uv_listen((uv_stream_t*) &server, 1, on_connection);
  uv_tcp_getsockname(&server, (struct sockaddr*) &bound, &length);
  uv_tcp_init(loop, &client);
  uv_tcp_connect(&connect, &client, (struct sockaddr*) &bound, on_connect);
  return uv_run(loop, UV_RUN_DEFAULT);
}
