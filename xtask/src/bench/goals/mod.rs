//! What the project wants to reach, and what became of it.
//!
//! [`table`] is the one table of goals; [`reasons`] says what stands in the way where something is
//! behind. Ratios of goals are those to libuv 1.52, which they were set against; where it does not
//! take part, they are those to the libuv that does.

mod reasons;
mod table;

use super::contender::Contender::{self, CAbi, Epoll, IoUring, Libuv, Libuv152};
use super::figures::Row;
pub use reasons::reason;
use table::GOALS;

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
    /// How much less CPU time one needs than libuv.
    Ratio { workload: &'static str, one: Contender },
    /// System calls per operation of ours, through the C ABI.
    Calls { workload: &'static str },
    /// How many times as much a workload costs us as another does.
    Cost { workload: &'static str, compared_to: &'static str },
    /// The smallest ratio of all workloads; to libuv, to the newest.
    Worst { one: Contender, other: Contender },
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

use Bound::{AtLeast, AtMost};

/// A goal and what was measured of it.
pub struct Verdict {
    pub what: &'static str,
    /// `at least 4.00`, and who is compared.
    pub wanted: String,
    pub measured: f64,
    /// Where the goal is a ratio to libuv 1.52: that to the newest.
    pub newest: Option<f64>,
    /// What bare epoll and bare io_uring reach of the same.
    pub bare: [Option<f64>; 2],
    /// Where the figure is the worst of many: which it was.
    pub where_: Option<String>,
    pub reached: bool,
    /// What stands in the way, if the goal is missed and that is known.
    pub reason: Option<&'static str>,
}

/// What became of each goal that was measured.
pub fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    GOALS.iter().filter_map(|goal| goal.verdict(rows)).collect()
}

/// The goal for this ratio to libuv through the C ABI, if there is one.
pub fn for_workload(name: &str) -> Option<f64> {
    GOALS.iter().find_map(|goal| match (&goal.figure, &goal.bound) {
        (Figure::Ratio { workload, one: CAbi }, AtLeast(goal)) if *workload == name => Some(*goal),
        _ => None,
    })
}

/// Whether a goal is about this workload alone.
#[cfg(test)]
pub fn speak_of(name: &str) -> bool {
    GOALS.iter().any(|goal| goal.figure.workload() == Some(name))
}

/// The libuv that a goal for this workload is compared with.
pub fn peer(row: &Row) -> Contender {
    if row.contenders().any(|contender| contender == Libuv152) { Libuv152 } else { Libuv }
}

impl Figure {
    /// Whose figure it is.
    fn who(&self) -> Contender {
        match self {
            Self::Ratio { one, .. } | Self::Worst { one, .. } => *one,
            Self::Calls { .. } | Self::Cost { .. } => CAbi,
        }
    }

    fn workload(&self) -> Option<&'static str> {
        match self {
            Self::Ratio { workload, .. }
            | Self::Calls { workload }
            | Self::Cost { workload, .. } => Some(workload),
            Self::Worst { .. } => None,
        }
    }
}

impl Goal {
    fn verdict(&self, rows: &[Row]) -> Option<Verdict> {
        let row = |name: &str| rows.iter().find(|row| row.name == name);
        let (mut newest, mut bare, mut where_) = (None, [None; 2], None);
        let measured = match &self.figure {
            Figure::Ratio { workload, one } => {
                let row = row(workload)?;
                let to = |one: Contender, other| Some(row.ratio(one, other)?.median);
                newest = to(*one, Libuv);
                bare = [Epoll, IoUring].map(|bare| to(bare, peer(row)));
                to(*one, peer(row))?
            }
            Figure::Calls { workload } => row(workload)?.calls(CAbi)?,
            Figure::Cost { workload, compared_to } => {
                row(workload)?.cpu(CAbi)? / row(compared_to)?.cpu(CAbi)?
            }
            Figure::Worst { one, other } => {
                let ratios = rows.iter().filter_map(|row| Some((row.ratio(*one, *other)?, row)));
                let worst = ratios.min_by(|a, b| a.0.median.total_cmp(&b.0.median))?;
                where_ = Some(worst.1.name.clone());
                worst.0.median
            }
        };
        let (wanted, reached) = match self.bound {
            AtLeast(bound) => (format!("at least {bound:.2}"), shown(measured) >= bound),
            AtMost(bound) => (format!("at most {bound:.2}"), shown(measured) <= bound),
        };
        let about = where_.as_deref().or(self.figure.workload());
        let reason = about.filter(|_| !reached).and_then(|name| reason(self.figure.who(), name));
        Some(Verdict { what: self.what, wanted, measured, newest, bare, where_, reached, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    fn row(name: &str, libuv: f64, ours: f64) -> Row {
        let mut row = Row::new("group", name.into());
        for (contender, cpu) in [(Libuv, libuv), (CAbi, ours)] {
            row.add(contender, 0, Sample { name: name.into(), cpu, wall: None, calls: None });
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
    fn a_goal_is_measured_against_the_libuv_that_it_was_set_against() {
        let name = "tcp echo 64 B, 64 connections";
        let sample = |cpu| Sample { name: name.into(), cpu, wall: None, calls: None };
        let mut row = row(name, 11.0, 10.0);
        row.add(Libuv152, 0, sample(13.0));
        row.add(Epoll, 0, sample(6.5));
        let verdicts = verdicts(&[row]);
        let verdict = verdicts.iter().find(|verdict| verdict.what == name).unwrap();
        assert!(verdict.reached && (verdict.measured - 1.3).abs() < 1e-9);
        assert_eq!((verdict.newest, verdict.bare), (Some(1.1), [Some(2.0), None]));
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
