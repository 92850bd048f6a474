//! What the project wants to reach: the one table of goals.

use super::contender::Contender::{self, CAbi, Closures, Libuv, Tasks, Tokio};
use super::figures::Row;

/// Nothing may be slower than this through the C ABI: what is below, noise does not explain.
pub const FLOOR: f64 = 0.97;

/// Whether a ratio is below [`FLOOR`]. What a table shows decides: two digits.
pub fn is_below_floor(ratio: f64) -> bool {
    shown(ratio) < FLOOR
}

fn shown(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Something to reach.
pub struct Goal {
    pub what: &'static str,
    figure: Figure,
    bound: Bound,
}

/// Where the figure comes from. Workloads are named as programs name them.
enum Figure {
    /// How much less CPU time one needs than another.
    Ratio { workload: &'static str, one: Contender, other: Contender },
    /// System calls per operation of ours, through the C ABI.
    Calls { workload: &'static str },
    /// How many times as much a workload costs us as another does.
    Cost { workload: &'static str, compared_to: &'static str },
    /// The smallest ratio of all workloads.
    Worst { one: Contender, other: Contender },
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

use Bound::{AtLeast, AtMost};

const GOALS: &[Goal] = &[
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
            other: Libuv,
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
    let figure = Figure::Ratio { workload, one: CAbi, other: Libuv };
    Goal { what: workload, figure, bound: AtLeast(ratio) }
}

/// With segmentation offload, which libuv has no way to ask for.
const fn offload(workload: &'static str, ratio: f64) -> Goal {
    let figure = Figure::Ratio { workload, one: Closures, other: Libuv };
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

/// A goal and what was measured of it.
pub struct Verdict {
    pub what: &'static str,
    /// `at least 4.00`, and who is compared.
    pub wanted: String,
    pub measured: f64,
    /// Where the figure is the worst of many: which it was.
    pub where_: Option<String>,
    pub reached: bool,
}

/// What became of each goal that was measured.
pub fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    GOALS.iter().filter_map(|goal| goal.verdict(rows)).collect()
}

/// The goal for this ratio to libuv through the C ABI, if there is one.
pub fn for_workload(name: &str) -> Option<f64> {
    GOALS.iter().find_map(|goal| match (&goal.figure, &goal.bound) {
        (Figure::Ratio { workload, one: CAbi, .. }, AtLeast(goal)) if *workload == name => {
            Some(*goal)
        }
        _ => None,
    })
}

impl Goal {
    fn verdict(&self, rows: &[Row]) -> Option<Verdict> {
        let row = |name: &str| rows.iter().find(|row| row.name == name);
        let (measured, where_) = match &self.figure {
            Figure::Ratio { workload, one, other } => {
                (row(workload)?.ratio(*one, *other)?.median, None)
            }
            Figure::Calls { workload } => (row(workload)?.calls(CAbi)?, None),
            Figure::Cost { workload, compared_to } => {
                (row(workload)?.cpu(CAbi)? / row(compared_to)?.cpu(CAbi)?, None)
            }
            Figure::Worst { one, other } => {
                let ratios = rows.iter().filter_map(|row| Some((row.ratio(*one, *other)?, row)));
                let worst = ratios.min_by(|a, b| a.0.median.total_cmp(&b.0.median))?;
                (worst.0.median, Some(worst.1.name.clone()))
            }
        };
        let (wanted, reached) = match self.bound {
            AtLeast(bound) => (format!("at least {bound:.2}"), shown(measured) >= bound),
            AtMost(bound) => (format!("at most {bound:.2}"), shown(measured) <= bound),
        };
        Some(Verdict { what: self.what, wanted, measured, where_, reached })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    fn row(name: &str, libuv: f64, ours: f64) -> Row {
        let mut row = Row::new("group", name.into());
        for (contender, cpu) in [(Libuv, libuv), (CAbi, ours)] {
            row.add(contender, Sample { name: name.into(), cpu, wall: None, calls: None });
        }
        row
    }

    #[test]
    fn a_goal_is_reached_or_missed_or_not_measured() {
        let rows = [row("timers 1,000,000, stop", 90.0, 10.0), row("stat, depth 1", 12.0, 10.0)];
        let verdicts = verdicts(&rows);
        let of = |what: &str| verdicts.iter().find(|verdict| verdict.what == what);
        assert!(of("timers 1,000,000, stop").unwrap().reached);
        assert!(!of("stat, depth 1").unwrap().reached);
        assert!(of("stat, depth 32").is_none());
    }

    #[test]
    fn what_a_table_shows_decides() {
        assert!(!is_below_floor(0.9651) && is_below_floor(0.9649));
    }

    #[test]
    fn the_worst_ratio_tells_where_it_was() {
        let rows = [row("a", 9.0, 10.0), row("b", 20.0, 10.0)];
        let verdicts = verdicts(&rows);
        let worst = verdicts.iter().find(|verdict| verdict.where_.is_some()).unwrap();
        assert_eq!((worst.where_.as_deref(), worst.reached), (Some("a"), false));
    }

    #[test]
    fn a_cost_is_compared_with_another_workload_of_ours() {
        let rows =
            [row("async ping-pong", 1.0, 10.0), row("async ping-pong among 100,000", 1.0, 11.0)];
        let verdicts = verdicts(&rows);
        let cost = verdicts.iter().find(|verdict| verdict.what.starts_with("a wake")).unwrap();
        assert!(cost.reached && (cost.measured - 1.1).abs() < 1e-9);
    }
}
