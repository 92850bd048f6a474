//! The table of goals.

use super::super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::super::workloads::Cores;
use super::Bound::{AtLeast, AtMost};
use super::{FLOOR, Figure, Goal};

pub(super) const GOALS: &[Goal] = &[
    faster("tcp echo 64 B, 64 connections", 1.15),
    faster("tcp echo 64 B, 1,000 connections", 1.15),
    worst("the lowest ratio to libuv through the C ABI", CAbi, Libuv),
    calls("system calls per message, 1 connection", "tcp echo 64 B, 1 connection", 3.0),
    calls("system calls per message, 64 connections", "tcp echo 64 B, 64 connections", 2.1),
    calls("system calls per short connection", "tcp connect, echo, close", 8.0),
    faster("tcp accept and close", 1.0),
    faster("timers 1,000,000, start", 2.0),
    faster("timers 1,000,000, restart", 4.0),
    faster("timers 1,000,000, stop", 8.0),
    faster("timers 1,000,000, fire", 10.0),
    // At most 1.2 times libuv's.
    faster("timers 10,000,000, init and start", 0.83),
    faster("bytes of a timer, 10,000,000 started, struct included", 0.83),
    faster("async ping-pong", 1.5),
    across("async ping-pong across cores", 1.5),
    across("async pummel, 1 sender", 1.5),
    across("async pummel, 2 senders", 1.5),
    across("async pummel, 4 senders", 1.5),
    cost(
        "a wake-up among 100,000 handles",
        "async ping-pong among 100,000",
        "async ping-pong",
        1.2,
    ),
    faster("queue_work, depth 1", 1.8),
    faster("queue_work, depth 32", 2.2),
    faster("queue_work, depth 1,000", 3.0),
    faster("cached 4 KiB read, depth 1", 8.0),
    faster("cached 4 KiB read, depth 32", 3.5),
    faster("stat, depth 1", 1.6),
    faster("stat, depth 32", 1.3),
    offload("udp send, 64 at a time", 10.0),
    offload("udp receive, 64 at a time", 1.6),
    faster("spawn of true", 2.0),
    cost("a spawn from a process of 1 GiB", "spawn of true from 1 GiB", "spawn of true", 1.1),
    Goal {
        what: "bytes of a connection, struct included",
        figure: Figure::Plain { workload: "bytes of a connection, struct included" },
        bound: AtMost(400.0),
    },
    Goal {
        what: "two loops on two cores, to one",
        figure: Figure::Scaling { workload: "workers, 2 loops", slower: "workers, 1 loop" },
        bound: AtLeast(1.9),
    },
    worst("the lowest ratio to the C ABI, Rust with closures", Closures, CAbi),
    worst("the lowest ratio to the C ABI, Rust with tasks", Tasks, CAbi),
    worst("the lowest ratio to tokio, Rust with closures", Closures, Tokio),
    worst("the lowest ratio to tokio, Rust with tasks", Tasks, Tokio),
];

const fn faster(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: CAbi, cores: Cores::One };
    Goal { what: workload, figure, bound: AtLeast(ratio) }
}

/// As [`faster`], with the senders on a second core.
const fn across(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: CAbi, cores: Cores::Two };
    Goal { what: workload, figure, bound: AtLeast(ratio) }
}

/// With segmentation offload, which libuv does not offer.
const fn offload(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: Closures, cores: Cores::One };
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
