//! The goals of the project, compared with a run.
//!
//! [`table`] is the table of goals; [`reasons`] explains the workloads that are behind. Ratios of
//! goals refer to the selected libuv, by default the newest.

mod reasons;
mod table;

use super::contender::Contender::{self, CAbi, Libuv, Tasks};
use super::figures::Row;
use super::workloads::{Cores, Profile};
pub use reasons::reason;
use table::GOALS;

/// The lowest acceptable ratio through the C ABI. Noise does not explain a lower one.
pub const FLOOR: f64 = 0.97;

/// Whether a ratio is below [`FLOOR`], rounded to the two digits of the tables.
pub fn is_below_floor(ratio: f64) -> bool {
    shown(ratio) < FLOOR
}

fn shown(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A goal.
pub struct Goal {
    pub what: &'static str,
    figure: Figure,
    bound: Bound,
}

/// The source of a goal's figure. Workloads are named as in samples.
enum Figure {
    /// The ratio of one contender to libuv.
    Ratio { workload: &'static str, one: Contender, cores: Cores },
    /// The plain figure of our C ABI, such as bytes.
    Plain { workload: &'static str },
    /// System calls per operation of ours, through the C ABI.
    Calls { workload: &'static str },
    /// The cost of a workload divided by that of another, both through our C ABI.
    Cost { workload: &'static str, compared_to: &'static str },
    /// The cost of a workload of tasks divided by that of another, on two cores.
    Scaling { workload: &'static str, slower: &'static str },
    /// The smallest ratio of all workloads; to libuv, to the peer.
    Worst { one: Contender, other: Contender },
}

enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

use Bound::{AtLeast, AtMost};

/// A goal and its measured figure.
pub struct Verdict {
    pub what: &'static str,
    /// For example `at least 4.00`.
    pub wanted: String,
    pub measured: f64,
    /// The workload with the worst ratio, for [`Figure::Worst`].
    pub where_: Option<String>,
    pub reached: bool,
    /// The known reason of a missed goal.
    pub reason: Option<&'static str>,
}

/// Compares each goal that was measured.
pub fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    GOALS.iter().filter_map(|goal| goal.verdict(rows)).collect()
}

/// Whether a goal names this workload.
#[cfg(test)]
pub fn name(name: &str) -> bool {
    GOALS.iter().any(|goal| goal.figure.workload() == Some(name))
}

impl Figure {
    /// The contender of the figure.
    fn contender(&self) -> Contender {
        match self {
            Self::Ratio { one, .. } | Self::Worst { one, .. } => *one,
            Self::Plain { .. } | Self::Calls { .. } | Self::Cost { .. } => CAbi,
            Self::Scaling { .. } => Tasks,
        }
    }

    fn workload(&self) -> Option<&'static str> {
        match self {
            Self::Ratio { workload, .. }
            | Self::Plain { workload }
            | Self::Calls { workload }
            | Self::Cost { workload, .. }
            | Self::Scaling { workload, .. } => Some(workload),
            Self::Worst { .. } => None,
        }
    }
}

impl Goal {
    fn verdict(&self, rows: &[Row]) -> Option<Verdict> {
        let row_on = |name: &str, cores| {
            let whole = rows.iter().filter(|row| row.profile == Profile::Whole);
            whole.into_iter().find(|row| row.name == name && row.cores == cores)
        };
        let row = |name: &str| row_on(name, Cores::One);
        let mut where_ = None;
        let measured = match &self.figure {
            Figure::Ratio { workload, one, cores } => {
                let row = row_on(workload, *cores)?;
                row.ratio(*one, Libuv)?.median
            }
            Figure::Plain { workload } => row(workload)?.cpu(CAbi)?,
            Figure::Calls { workload } => row(workload)?.calls(CAbi)?,
            Figure::Cost { workload, compared_to } => {
                row(workload)?.cpu(CAbi)? / row(compared_to)?.cpu(CAbi)?
            }
            Figure::Scaling { workload, slower } => {
                let row = |name| row_on(name, Cores::Two);
                row(slower)?.cpu(Tasks)? / row(workload)?.cpu(Tasks)?
            }
            Figure::Worst { one, other } => {
                let ratios = rows.iter().filter_map(|row| Some((row.ratio(*one, *other)?, row)));
                let worst = ratios.min_by(|a, b| a.0.median.total_cmp(&b.0.median))?;
                where_ = Some(worst.1.title());
                worst.0.median
            }
        };
        let (wanted, reached) = match self.bound {
            AtLeast(bound) => (format!("at least {bound:.2}"), shown(measured) >= bound),
            AtMost(bound) => (format!("at most {bound:.2}"), shown(measured) <= bound),
        };
        let about = where_.as_deref().or(self.figure.workload());
        let reason =
            about.filter(|_| !reached).and_then(|name| reason(self.figure.contender(), name));
        Some(Verdict { what: self.what, wanted, measured, where_, reached, reason })
    }
}

#[cfg(test)]
mod tests {
    use mauve_bench::Sample;

    use super::*;

    fn row(name: &str, libuv: f64, ours: f64) -> Row {
        let mut row = Row::new(name.into(), Cores::One);
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
    fn the_floor_compares_rounded_ratios() {
        assert!(!is_below_floor(0.9651) && is_below_floor(0.9649));
    }

    #[test]
    fn the_worst_ratio_names_its_workload() {
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
