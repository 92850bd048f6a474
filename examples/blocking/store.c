/*
 * A store of keys and values over TCP, for docs/blocking.md.
 *
 *   cc -g store.c -luv -o store
 *
 * Commands, one per line: "set KEY VALUE", "get KEY", "save". The command "save" writes all values to
 * a file. It blocks the loop, unless the store is started with --pool.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define SLOTS 4096
#define ROUNDS 120

struct entry {
  char key[32];
  char value[96];
};

struct connection {
  uv_tcp_t handle;
  char line[256];
  size_t used;
};

struct answer {
  uv_write_t request;
  char text[128];
};

struct snapshot {
  uv_work_t request;
  struct connection* to;
  struct entry entries[SLOTS];
  uint64_t checksum;
};

static struct entry entries[SLOTS];
static int uses_pool;

static struct entry* find(const char* key) {
  unsigned hash = 5381;
  for (const char* c = key; *c != 0; c++) hash = hash * 33 + (unsigned char) *c;
  return &entries[hash % SLOTS];
}

static void on_written(uv_write_t* request, int status) {
  (void) status;
  free(request);
}

static void answer(struct connection* to, const char* text) {
  struct answer* answer = malloc(sizeof(*answer));
  uv_buf_t buffer;
  snprintf(answer->text, sizeof(answer->text), "%s\n", text);
  buffer = uv_buf_init(answer->text, strlen(answer->text));
  uv_write(&answer->request, (uv_stream_t*) &to->handle, &buffer, 1, on_written);
}

/* Encrypts the values, more or less: what matters is that it takes a while. */
static void write_snapshot(struct snapshot* snapshot) {
  uint64_t sum = 14695981039346656037u;
  const unsigned char* bytes = (const unsigned char*) snapshot->entries;
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < sizeof(snapshot->entries); i++) sum = (sum ^ bytes[i]) * 1099511628211u;
  }
  snapshot->checksum = sum;
  FILE* file = tmpfile();
  if (file == NULL) return;
  fwrite(snapshot->entries, sizeof(snapshot->entries), 1, file);
  fclose(file);
}

static void finish_save(struct snapshot* snapshot) {
  char text[64];
  snprintf(text, sizeof(text), "saved %016" PRIx64, snapshot->checksum);
  answer(snapshot->to, text);
  free(snapshot);
}

static void save_on_pool(uv_work_t* request) {
  write_snapshot((struct snapshot*) request);
}

static void after_save(uv_work_t* request, int status) {
  (void) status;
  finish_save((struct snapshot*) request);
}

static void save(struct connection* from) {
  struct snapshot* snapshot = malloc(sizeof(*snapshot));
  snapshot->to = from;
  memcpy(snapshot->entries, entries, sizeof(entries));
  if (uses_pool) {
    uv_queue_work(from->handle.loop, &snapshot->request, save_on_pool, after_save);
    return;
  }
  write_snapshot(snapshot);
  finish_save(snapshot);
}

static void run_command(struct connection* from, char* line) {
  char key[32] = "";
  char value[96] = "";
  if (sscanf(line, "set %31s %95s", key, value) == 2) {
    struct entry* entry = find(key);
    strcpy(entry->key, key);
    strcpy(entry->value, value);
    answer(from, "ok");
  } else if (sscanf(line, "get %31s", key) == 1) {
    struct entry* entry = find(key);
    answer(from, strcmp(entry->key, key) == 0 ? entry->value : "none");
  } else if (strcmp(line, "save") == 0) {
    save(from);
  } else {
    answer(from, "unknown command");
  }
}

static void on_closed(uv_handle_t* handle) {
  free(handle);
}

static void on_alloc(uv_handle_t* handle, size_t wanted, uv_buf_t* buffer) {
  struct connection* connection = (struct connection*) handle;
  (void) wanted;
  buffer->base = connection->line + connection->used;
  buffer->len = sizeof(connection->line) - 1 - connection->used;
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  struct connection* connection = (struct connection*) stream;
  char* end;
  (void) buffer;
  if (size < 0) {
    if (!uv_is_closing((uv_handle_t*) stream)) uv_close((uv_handle_t*) stream, on_closed);
    return;
  }
  connection->used += size;
  connection->line[connection->used] = 0;
  while ((end = strchr(connection->line, '\n')) != NULL) {
    *end = 0;
    run_command(connection, connection->line);
    connection->used -= end + 1 - connection->line;
    memmove(connection->line, end + 1, connection->used + 1);
  }
  if (connection->used == sizeof(connection->line) - 1) connection->used = 0;
}

static void on_connection(uv_stream_t* server, int status) {
  struct connection* connection = calloc(1, sizeof(*connection));
  (void) status;
  uv_tcp_init(server->loop, &connection->handle);
  if (uv_accept(server, (uv_stream_t*) &connection->handle) == 0) {
    uv_read_start((uv_stream_t*) &connection->handle, on_alloc, on_read);
  } else {
    uv_close((uv_handle_t*) &connection->handle, on_closed);
  }
}

int main(int argc, char** argv) {
  uv_tcp_t server;
  struct sockaddr_in address;
  uses_pool = argc > 1 && strcmp(argv[1], "--pool") == 0;
  uv_ip4_addr("127.0.0.1", 7070, &address);
  uv_tcp_init(uv_default_loop(), &server);
  if (uv_tcp_bind(&server, (struct sockaddr*) &address, 0) != 0 ||
      uv_listen((uv_stream_t*) &server, 128, on_connection) != 0) {
    fprintf(stderr, "port 7070 is not available\n");
    return 1;
  }
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
