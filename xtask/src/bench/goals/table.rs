//! The table of goals.

use super::super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::Bound::{AtLeast, AtMost};
use super::{FLOOR, Figure, Goal};

pub(super) const GOALS: &[Goal] = &[
    faster("tcp echo 64 B, 64 connections", 1.25),
    faster("tcp echo 64 B, 1,000 connections", 1.25),
    worst("the lowest ratio to libuv through the C ABI", CAbi, Libuv),
    calls("system calls per message, 1 connection", "tcp echo 64 B, 1 connection", 3.0),
    calls("system calls per message, 64 connections", "tcp echo 64 B, 64 connections", 2.1),
    calls("system calls per short connection", "tcp connect, echo, close", 8.0),
    faster("16 answers of 64 B per read, each written alone", 4.0),
    Goal {
        what: "the same from Rust, with closures, to libuv",
        figure: Figure::Ratio {
            workload: "16 answers of 64 B per read, each written alone",
            one: Closures,
        },
        bound: AtLeast(5.0),
    },
    faster("timers 1,000,000, start", 2.0),
    faster("timers 1,000,000, restart", 4.0),
    faster("timers 1,000,000, stop", 8.0),
    faster("timers 1,000,000, fire", 10.0),
    faster("async ping-pong", 1.5),
    cost("a wake among 100,000 handles", "async ping-pong among 100,000", "async ping-pong", 1.2),
    faster("queue_work, depth 1", 1.8),
    faster("queue_work, depth 32", 2.2),
    faster("queue_work, depth 1,000", 3.0),
    faster("cached 4 KiB read, depth 1", 8.0),
    faster("cached 4 KiB read, depth 32", 3.5),
    faster("stat, depth 1", 1.6),
    faster("stat, depth 32", 1.8),
    offload("udp send, 64 at a time", 10.0),
    offload("udp receive, 64 at a time", 1.6),
    faster("spawn of true", 1.0),
    cost("a spawn from a process of 1 GiB", "spawn of true from 1 GiB", "spawn of true", 1.1),
    worst("the lowest ratio to the C ABI, Rust with closures", Closures, CAbi),
    worst("the lowest ratio to the C ABI, Rust with tasks", Tasks, CAbi),
    worst("the lowest ratio to tokio, Rust with closures", Closures, Tokio),
    worst("the lowest ratio to tokio, Rust with tasks", Tasks, Tokio),
];

const fn faster(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: CAbi };
    Goal { what: workload, figure, bound: AtLeast(ratio) }
}

/// With segmentation offload, which libuv has no way to ask for.
const fn offload(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: Closures };
    Goal { what: workload, figure, bound: AtLeast(ratio) }
}

const fn worst(what: &'static str, one: Contender, other: Contender) -> Goal {
    Goal { what, figure: Figure::Worst { one, other }, bound: AtLeast(FLOOR) }
}

const fn calls(what: &'static str, workload: &'static str, most: f64) -> Goal {
    Goal { what, figure: Figure::Calls { workload }, bound: AtMost(most) }
}

const fn cost(
    what: &'static str,
    workload: &'static str,
    compared_to: &'static str,
    most: f64,
) -> Goal {
    Goal { what, figure: Figure::Cost { workload, compared_to }, bound: AtMost(most) }
}
