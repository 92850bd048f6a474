/* needs: 1.52 */
/* Due timers of one phase are collected first: those not called yet are inactive, but can be
 * stopped, closed or started again. */
#include "test.h"

static uv_loop_t loop;
static uv_timer_t first, once, repeating, new_timer;
static void (*action)(void);

static void on_once(uv_timer_t *timer) {
    record_event(uv_is_active((uv_handle_t *)timer) ? "once(active)" : "once");
}

static void on_repeating(uv_timer_t *timer) {
    record_event(uv_is_active((uv_handle_t *)timer) ? "repeating" : "repeating(inactive)");
    if (uv_is_active((uv_handle_t *)timer)) EXPECT(uv_timer_get_due_in(timer), 3600000);
    uv_timer_stop(timer);
}

static void on_new(uv_timer_t *timer) {
    (void)timer;
    record_event("new");
}

static void on_first(uv_timer_t *timer) {
    (void)timer;
    record_event("first");
    EXPECT(uv_is_active((uv_handle_t *)&once), 0);
    EXPECT(uv_is_active((uv_handle_t *)&repeating), 0);
    EXPECT(uv_timer_get_due_in(&once), 0);
    EXPECT(uv_timer_get_due_in(&repeating), 0);
    EXPECT(uv_loop_alive(&loop), 0);
    action();
}

static void do_nothing(void) {}
static void stop_once(void) { EXPECT(uv_timer_stop(&once), 0); }
static void again_once(void) { EXPECT(uv_timer_again(&once), 0); }
static void again_repeating(void) { EXPECT(uv_timer_again(&repeating), 0); }
static void restart_once(void) { EXPECT(uv_timer_start(&once, on_once, 0, 0), 0); }
static void close_once(void) { uv_close((uv_handle_t *)&once, NULL); }
static void stop_loop(void) { uv_stop(&loop); }
static void unref_once(void) { uv_unref((uv_handle_t *)&once); }
static void start_new(void) { EXPECT(uv_timer_start(&new_timer, on_new, 0, 0), 0); }
static void exchange_repeats(void) {
    uv_timer_set_repeat(&once, 3600000);
    uv_timer_set_repeat(&repeating, 0);
}

static void run_scenario(void (*what)(void)) {
    action = what;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &first);
    uv_timer_init(&loop, &once);
    uv_timer_init(&loop, &repeating);
    uv_timer_init(&loop, &new_timer);
    uv_timer_start(&first, on_first, 1, 0);
    uv_timer_start(&once, on_once, 1, 0);
    uv_timer_start(&repeating, on_repeating, 1, 3600000);
    uv_sleep(5);
    uv_run(&loop, UV_RUN_NOWAIT);
    record_event("|");
    uv_run(&loop, UV_RUN_NOWAIT);
    EXPECT(close_loop(&loop), 0);
}

int main(void) {
    run_scenario(do_nothing);
    EXPECT_EVENTS("first once repeating | ");
    run_scenario(stop_once);
    EXPECT_EVENTS("first repeating | ");
    run_scenario(again_once);
    EXPECT_EVENTS("first once repeating | ");
    run_scenario(again_repeating);
    EXPECT_EVENTS("first once | ");
    run_scenario(restart_once);
    EXPECT_EVENTS("first repeating | once ");
    run_scenario(close_once);
    EXPECT_EVENTS("first repeating | ");
    run_scenario(stop_loop);
    EXPECT_EVENTS("first once repeating | ");
    run_scenario(unref_once);
    EXPECT_EVENTS("first once repeating | ");
    run_scenario(start_new);
    EXPECT_EVENTS("first once repeating | new ");
    run_scenario(exchange_repeats);
    EXPECT_EVENTS("first once(active) repeating(inactive) | ");
    return 0;
}
