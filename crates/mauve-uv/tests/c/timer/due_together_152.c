/* needs: 1.52 */
/* Timers due in one phase are collected first: those whose turn is still to come are inactive
 * already, and can yet be stopped, closed or started anew. */
#include "say.h"

static uv_loop_t loop;
static uv_timer_t first, once, repeating, fresh;
static void (*action)(void);

static void on_once(uv_timer_t *timer) {
    tell(uv_is_active((uv_handle_t *)timer) ? "once(active)" : "once");
}

static void on_repeating(uv_timer_t *timer) {
    tell(uv_is_active((uv_handle_t *)timer) ? "repeating" : "repeating(inactive)");
    if (uv_is_active((uv_handle_t *)timer)) EXPECT(uv_timer_get_due_in(timer), 3600000);
    uv_timer_stop(timer);
}

static void on_fresh(uv_timer_t *timer) {
    (void)timer;
    tell("fresh");
}

static void on_first(uv_timer_t *timer) {
    (void)timer;
    tell("first");
    EXPECT(uv_is_active((uv_handle_t *)&once), 0);
    EXPECT(uv_is_active((uv_handle_t *)&repeating), 0);
    EXPECT(uv_timer_get_due_in(&once), 0);
    EXPECT(uv_timer_get_due_in(&repeating), 0);
    EXPECT(uv_loop_alive(&loop), 0);
    action();
}

static void nothing(void) {}
static void stop_once(void) { EXPECT(uv_timer_stop(&once), 0); }
static void again_once(void) { EXPECT(uv_timer_again(&once), 0); }
static void again_repeating(void) { EXPECT(uv_timer_again(&repeating), 0); }
static void restart_once(void) { EXPECT(uv_timer_start(&once, on_once, 0, 0), 0); }
static void close_once(void) { uv_close((uv_handle_t *)&once, NULL); }
static void stop_loop(void) { uv_stop(&loop); }
static void unref_once(void) { uv_unref((uv_handle_t *)&once); }
static void start_fresh(void) { EXPECT(uv_timer_start(&fresh, on_fresh, 0, 0), 0); }
static void exchange_repeats(void) {
    uv_timer_set_repeat(&once, 3600000);
    uv_timer_set_repeat(&repeating, 0);
}

static void scene(void (*what)(void)) {
    action = what;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &first);
    uv_timer_init(&loop, &once);
    uv_timer_init(&loop, &repeating);
    uv_timer_init(&loop, &fresh);
    uv_timer_start(&first, on_first, 1, 0);
    uv_timer_start(&once, on_once, 1, 0);
    uv_timer_start(&repeating, on_repeating, 1, 3600000);
    uv_sleep(5);
    uv_run(&loop, UV_RUN_NOWAIT);
    tell("|");
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(finish(&loop), 0);
}

int main(void) {
    scene(nothing);
    EXPECT_STORY("first once repeating | ");
    scene(stop_once);
    EXPECT_STORY("first repeating | ");
    scene(again_once);
    EXPECT_STORY("first once repeating | ");
    scene(again_repeating);
    EXPECT_STORY("first once | ");
    scene(restart_once);
    EXPECT_STORY("first repeating | once ");
    scene(close_once);
    EXPECT_STORY("first repeating | ");
    scene(stop_loop);
    EXPECT_STORY("first once repeating | ");
    scene(unref_once);
    EXPECT_STORY("first once repeating | ");
    scene(start_fresh);
    EXPECT_STORY("first once repeating | fresh ");
    scene(exchange_repeats);
    EXPECT_STORY("first once(active) repeating(inactive) | ");
    return 0;
}
