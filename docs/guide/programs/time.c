/* The time of the loop stands still while a callback runs. */
#include <stdio.h>
#include <uv.h>

static uv_timer_t slow, next, repeating;
static int repeats;

static void on_next(uv_timer_t* timer) {
  printf("the next timer runs\n");
  uv_close((uv_handle_t*)timer, NULL);
}

static void on_repeat(uv_timer_t* timer) {
  if (++repeats == 3) uv_close((uv_handle_t*)timer, NULL);
}

static void on_slow(uv_timer_t* timer) {
  uv_loop_t* loop = timer->loop;
  uint64_t before = uv_now(loop);

  uv_sleep(50);
  printf("after 50 ms of work, the loop's time %s\n", uv_now(loop) == before ? "is the same" : "differs");

  uv_timer_init(loop, &next);
  uv_timer_start(&next, on_next, 20, 0);
  printf("a timer of 20 ms is due in %d ms\n", (int)uv_timer_get_due_in(&next));
  uv_update_time(loop);
  printf("after an update of the time it is due in %d ms\n", (int)uv_timer_get_due_in(&next));

  printf("a timer that repeats every millisecond has run %d times\n", repeats);
  uv_close((uv_handle_t*)timer, NULL);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();

  uv_timer_init(loop, &slow);
  uv_timer_start(&slow, on_slow, 0, 0);
  uv_timer_init(loop, &repeating);
  uv_timer_start(&repeating, on_repeat, 1, 1);
  uv_run(loop, UV_RUN_DEFAULT);
  printf("at the end it has run %d times\n", repeats);
  return uv_loop_close(loop);
}
