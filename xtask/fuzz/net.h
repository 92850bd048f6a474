/* What streams and datagram sockets share. */
#ifndef NET_H
#define NET_H

#include "interp.h"

/* The content of a buffer: which letters, how many of each. `text` has 80 bytes. */
const char *summary(const char *bytes, size_t length, char *text);
/* Waits until the loopback interface has delivered what the socket has sent. */
void await_loopback(const uv_handle_t *handle);

#endif
