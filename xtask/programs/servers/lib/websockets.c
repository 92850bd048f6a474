// The server of websockets.js: libwebsockets with a libuv loop of its own. Its argument is the port.
// Sends each message back in capitals, and exits on SIGINT.
#include <ctype.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4096 };

typedef struct {
  size_t length;
  unsigned char bytes[LWS_PRE + LIMIT];
} session;

static struct lws_context *context;

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  session *own = user;
  switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
      own->length = 0;
      break;
    case LWS_CALLBACK_RECEIVE:
      if (length > LIMIT) return -1;
      for (size_t i = 0; i < length; i++) own->bytes[LWS_PRE + i] = (unsigned char)toupper(((char *)in)[i]);
      own->length = length;
      lws_callback_on_writable(wsi);
      break;
    case LWS_CALLBACK_SERVER_WRITEABLE:
      if (own->length == 0) break;
      if (lws_write(wsi, own->bytes + LWS_PRE, own->length, LWS_WRITE_TEXT) < 0) return -1;
      own->length = 0;
      break;
    default:
      return lws_callback_http_dummy(wsi, reason, user, in, length);
  }
  return 0;
}

// Runs in a callback of the loop.
static void on_signal(void *handle, int number) {
  (void)handle;
  if (number == SIGINT) lws_context_destroy(context);
}

int main(int argc, char **argv) {
  static const struct lws_protocols protocols[] = {
      {"capitals", on_event, sizeof(session), LIMIT, 0, NULL, 0},
      LWS_PROTOCOL_LIST_TERM,
  };
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.port = atoi(argv[argc - 1]);
  info.iface = "127.0.0.1";
  info.protocols = protocols;
  info.options = LWS_SERVER_OPTION_LIBUV;
  info.signal_cb = on_signal;
  lws_set_log_level(LLL_ERR | LLL_WARN, NULL);
  context = lws_create_context(&info);
  if (context == NULL) return 2;
  while (!lws_service(context, 0)) {
  }
  lws_context_destroy(context);
  return 0;
}
