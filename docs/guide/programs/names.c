/* Looks up an address and a service, on the thread pool. */
#include <netdb.h>
#include <stdio.h>
#include <uv.h>

static uv_getaddrinfo_t request, wrong;
static uv_getnameinfo_t reverse;

static void on_name(uv_getnameinfo_t* req, int status, const char* host, const char* service) {
  (void)req;
  printf("status %d: host %s, service %s\n", status, host, service);
}

static void on_addresses(uv_getaddrinfo_t* req, int status, struct addrinfo* list) {
  char name[64];
  if (status < 0) {
    printf("%s: %s\n", uv_err_name(status), uv_strerror(status));
    return;
  }
  for (struct addrinfo* each = list; each != NULL; each = each->ai_next) {
    uv_ip_name(each->ai_addr, name, sizeof(name));
    printf("status 0: address %s\n", name);
  }
  uv_getnameinfo(req->loop, &reverse, on_name, list->ai_addr, NI_NUMERICHOST | NI_NUMERICSERV);
  uv_freeaddrinfo(list);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET, .ai_socktype = SOCK_STREAM};

  printf("without a name: %s\n", uv_err_name(uv_getaddrinfo(loop, &request, on_addresses, NULL, NULL, NULL)));
  uv_getaddrinfo(loop, &request, on_addresses, "127.0.0.1", "80", &hints);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_getaddrinfo(loop, &wrong, on_addresses, "not an address", "80", &hints);
  uv_run(loop, UV_RUN_DEFAULT);
  return uv_loop_close(loop);
}
