/* The trace: one write(2) per line, so that nothing is lost in a crash or a fork. */
#include "interp.h"

#include <stdarg.h>

enum { LINES = 600 };

atomic_uint progress;
_Thread_local unsigned lines_of_thread;
static int lines;

/* The lines of a lane, which are printed when both lanes have ended. */
static struct buffer {
    char text[LINES * 160];
    size_t length;
} buffers[LANES];

void begin_buffer(int of) { buffers[of].length = 0; }

/* A lane with too many lines ends as one that blocks. */
static void put_in_buffer(const char *text, size_t length) {
    struct buffer *buffer = &buffers[lane];
    if (buffer->length + length > sizeof buffer->text) block_lane();
    memcpy(buffer->text + buffer->length, text, length);
    buffer->length += length;
    atomic_fetch_add(&progress, 1);
}

static void put(char *text, size_t size, size_t length) {
    if (length >= size - 1) length = size - 2;
    text[length++] = '\n';
    lines_of_thread++;
    if (lane >= 0) {
        put_in_buffer(text, length);
        return;
    }
    size_t done = 0;
    while (done < length) {
        ssize_t n = write(1, text + done, length - done);
        if (n <= 0) _exit(3);
        done += (size_t)n;
    }
    atomic_fetch_add(&progress, 1);
    if (++lines == LINES) {
        static char full[] = "too many lines\n";
        if (write(1, full, sizeof full - 1) < 0) _exit(3);
        _exit(0);
    }
}

void trace(const char *format, ...) {
    char text[400];
    size_t length = (size_t)snprintf(text, sizeof text, "%*s", 2 * stack.callbacks, "");
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    put(text, sizeof text, length);
}

void trace_op(const struct op *op, const char *format, ...) {
    char line[120], text[240];
    size_t length = (size_t)snprintf(line, sizeof line, "%s", op->verb->name);
    for (int i = 0; op->verb->args[i]; i++) {
        char letter[2] = {op->verb->args[i] == 'n' ? 0 : op->verb->args[i], 0};
        length += (size_t)snprintf(line + length, sizeof line - length, " %s%d", letter, op->arg[i]);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trace("%s: %s", line, text);
}

const char *code(int result) {
    static _Thread_local char number[4][16];
    static _Thread_local unsigned next;
    if (result < 0) return uv_err_name(result);
    char *text = number[next++ % 4];
    snprintf(text, sizeof number[0], "%d", result);
    return text;
}

/* Active, referenced, closing. */
const char *flags(const struct node *node) {
    static _Thread_local char text[4];
    const uv_handle_t *handle = (const uv_handle_t *)&node->uv;
    text[0] = uv_is_active(handle) ? 'A' : '-';
    text[1] = uv_has_ref(handle) ? 'R' : '-';
    text[2] = uv_is_closing(handle) ? 'C' : '-';
    return text;
}

void trace_result(const struct op *op, const struct node *node, int result) {
    trace_op(op, "%s [%s]", code(result), flags(node));
}

void enter(const struct node *node, const char *what) {
    uv_loop_t *loop = &world.loops[node->loop];
    trace("> %s h%d [%s] l%d %s", what, node->slot, flags(node), node->loop,
          uv_loop_alive(loop) ? "alive" : "dead");
    stack.callbacks++;
    stack.type = ((const uv_handle_t *)&node->uv)->type;
    stack.loop = node->loop;
    stack.node = node;
    stack.closes = strcmp(what, "close") == 0;
}

void enter_request(const struct node *node, const char *what, int id, int status) {
    /* "`uv_loop_alive` after a failed request" in docs/switching.md. */
    const char *alive = status < 0                                   ? ""
                        : uv_loop_alive(&world.loops[node->loop]) ? " alive"
                                                                  : " dead";
    trace("> %s #%d h%d %s [%s] l%d%s", what, id, node->slot, code(status), flags(node), node->loop,
          alive);
    stack.callbacks++;
    stack.type = UV_UNKNOWN_HANDLE;
    stack.closes = false;
}

void enter_data(const struct node *node, const char *what, ssize_t nread, const char *data) {
    trace("> %s h%d %s%s [%s] l%d", what, node->slot, code((int)nread), data, flags(node),
          node->loop);
    stack.callbacks++;
    stack.type = UV_UNKNOWN_HANDLE;
    stack.closes = false;
}

void enter_plain(int loop, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trace("> %s l%d", text, loop);
    stack.callbacks++;
    stack.type = UV_UNKNOWN_HANDLE;
    stack.closes = false;
}

void skip(const struct op *op) { trace_op(op, "skipped"); }

int next_id(void) {
    static int last;
    static int last_of[LANES];
    return lane < 0 ? ++last : ++last_of[lane] + 1000 * (lane + 1);
}

void leave(void) { stack.callbacks--; }

void print_buffer(int of) {
    for (size_t done = 0; done < buffers[of].length;) {
        ssize_t n = write(1, buffers[of].text + done, buffers[of].length - done);
        if (n <= 0) _exit(3);
        done += (size_t)n;
    }
}
