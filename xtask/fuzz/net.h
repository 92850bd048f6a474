/* Helpers for streams and UDP sockets. */
#ifndef NET_H
#define NET_H

#include "interp.h"

/* Formats the content of a buffer as runs of letters. `text` has 80 bytes. */
const char *summary(const char *bytes, size_t length, char *text);
/* Waits until the loopback interface has delivered the sent data of a socket. */
void await_loopback(const uv_handle_t *handle);

#endif
