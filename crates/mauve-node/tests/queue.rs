//! Property tests of the queues: random programs against what the rules say in plain words.

#[path = "queue/between.rs"]
mod between;
#[path = "queue/immediates.rs"]
mod immediates;
#[path = "queue/timers.rs"]
mod timers;
