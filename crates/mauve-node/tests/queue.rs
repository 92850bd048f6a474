//! Property tests of the queues: random programs against simple models.

#[path = "queue/immediates.rs"]
mod immediates;
#[path = "queue/ticks.rs"]
mod ticks;
#[path = "queue/timers.rs"]
mod timers;
