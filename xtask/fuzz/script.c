/* Reads a script from standard input and runs its routines. */
#include "interp.h"

#include <ctype.h>

static const struct verb *const areas[] = {
    loop_verbs,  handle_verbs, timer_verbs, hook_verbs,   async_verbs,
    stream_verbs, udp_verbs,   poll_verbs,  signal_verbs,
    process_verbs, work_verbs, fs_verbs, fs_event_verbs, fs_poll_verbs, tty_verbs, thread_verbs,
    fork_verbs,
};

static struct routine {
    struct op ops[OPS];
    int count;
    int fuel;
} routines[ROUTINES];

static void wrong(int line, const char *why, const char *what) {
    fprintf(stderr, "line %d: %s: %s\n", line, why, what);
    exit(2);
}

static const struct verb *verb_named(const char *name) {
    for (size_t area = 0; area < sizeof areas / sizeof *areas; area++) {
        for (const struct verb *verb = areas[area]; verb->name; verb++) {
            if (strcmp(verb->name, name) == 0) return verb;
        }
    }
    return NULL;
}

/* The number in `h3`, `r12` or `4`. */
static int number(const char *word) {
    while (isalpha((unsigned char)*word)) word++;
    return atoi(word);
}

static void check_range(const struct op *op) {
    for (int i = 0; op->verb->args[i]; i++) {
        int limit = 0;
        switch (op->verb->args[i]) {
        case 'h': limit = SLOTS; break;
        case 'l': limit = LOOPS; break;
        case 'r': limit = ROUTINES; break;
        default: continue;
        }
        if (op->arg[i] < 0 || op->arg[i] >= limit) wrong(op->line, "out of range", op->verb->name);
    }
}

/* Lines are `routine N fuel F` or an operation; `#` starts a comment. */
void read_script(void) {
    char line[256];
    struct routine *current = NULL;
    for (int at = 1; fgets(line, sizeof line, stdin); at++) {
        char *save, *word = strtok_r(line, " \t\n", &save);
        if (!word || *word == '#') continue;
        if (strcmp(word, "routine") == 0) {
            char *which = strtok_r(NULL, " \t\n", &save);
            char *fuel = strtok_r(NULL, " \t\n", &save);
            fuel = fuel ? strtok_r(NULL, " \t\n", &save) : NULL;
            if (!fuel || number(which) >= ROUTINES) wrong(at, "not a routine", line);
            current = &routines[number(which)];
            current->fuel = number(fuel);
            continue;
        }
        if (!current || current->count == OPS) wrong(at, "no routine, or too many operations", word);
        struct op *op = &current->ops[current->count++];
        op->line = at;
        op->verb = verb_named(word);
        if (!op->verb) wrong(at, "unknown operation", word);
        for (int i = 0; op->verb->args[i]; i++) {
            word = strtok_r(NULL, " \t\n", &save);
            if (!word) wrong(at, "missing arguments", op->verb->name);
            op->arg[i] = number(word);
        }
        check_range(op);
    }
}

bool has_verb(const char *name) {
    const struct verb *verb = verb_named(name);
    for (int i = 0; i < ROUTINES; i++) {
        for (int at = 0; at < routines[i].count; at++) {
            if (routines[i].ops[at].verb == verb) return true;
        }
    }
    return false;
}

bool counts_iterations(void) { return has_verb("hook_start") || has_verb("timer_start"); }

/* The fuel that each lane has used. Lanes do not see what the other one uses. */
static int used[LANES][ROUTINES];

void begin_fuel(void) { memset(used, 0, sizeof used); }

void end_fuel(void) {
    for (int i = 0; i < ROUTINES; i++) {
        for (int of = 0; of < LANES; of++) routines[i].fuel -= used[of][i];
    }
}

bool has_fuel(int routine) {
    return routines[routine].fuel - (lane < 0 ? 0 : used[lane][routine]) > 0;
}

void run_routine(int index) {
    struct routine *routine = &routines[index];
    if (!has_fuel(index)) return;
    if (lane < 0) {
        routine->fuel--;
    } else {
        used[lane][index]++;
    }
    for (int i = 0; i < routine->count; i++) {
        const struct op *op = &routine->ops[i];
        if (lane < 0 || runs_in_lanes(op->verb)) {
            op->verb->act(op);
        } else {
            skip(op);
        }
    }
}
