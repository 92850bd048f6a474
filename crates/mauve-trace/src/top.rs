//! The recent past of a running process: what `mauve top` shows, as text and as OpenMetrics.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use mauve_core::Phase;

use crate::Trace;
use crate::analysis::Durations;
use crate::format::{count, duration, share};
use crate::model::{CallbackKind, HandleIndex, LoopIndex};
use crate::summary::{callback_name, loop_name, quantiles};
use crate::table::Table;

/// How many of the slowest callbacks are listed.
const LISTED: usize = 5;

/// The figures of a trace that covers `window`.
pub struct Snapshot<'a> {
    trace: &'a Trace,
    window: Duration,
    loops: Vec<LoopFigures>,
    kinds: BTreeMap<CallbackKind, Durations>,
    delays: Durations,
    pool: PoolFigures,
}

/// The figures of a loop.
struct LoopFigures {
    lp: LoopIndex,
    /// The share of time in which it did not wait.
    utilisation: f64,
    iterations: u64,
    events: u64,
    /// The share of time in each phase, without waits.
    phases: [f64; 7],
}

/// The figures of the pool.
struct PoolFigures {
    /// Requests that wait for a thread at the end.
    waiting: u64,
    queued: Durations,
    ran: Durations,
}

impl<'a> Snapshot<'a> {
    /// Computes the figures. `window` is how long the trace was recorded: a loop that sleeps writes no
    /// records.
    pub fn new(trace: &'a Trace, window: Duration) -> Self {
        let loops = (0..trace.loops.len()).map(|lp| loop_figures(trace, lp, window)).collect();
        let requests = &trace.requests;
        let is_waiting =
            |request: &&crate::model::Request| request.job.is_none() && request.callback.is_none();
        let pool = PoolFigures {
            waiting: requests.iter().filter(is_waiting).count() as u64,
            queued: requests.iter().filter_map(|request| request.queued()).collect(),
            ran: requests.iter().filter_map(|r| r.job).map(|job| job.end - job.begin).collect(),
        };
        let delays = trace.callbacks.iter().filter_map(|callback| callback.delay()).collect();
        Self { trace, window, loops, kinds: trace.callbacks_by_kind(), delays, pool }
    }

    fn per_second(&self, number: u64) -> u64 {
        (number as f64 / self.window.as_secs_f64()).round() as u64
    }

    /// Writes the figures as text.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for process in &self.trace.processes {
            writeln!(out, "{}, pid {}", process.command, process.pid)?;
        }
        writeln!(out, "the last {}", duration(self.window.as_nanos() as u64))?;
        self.write_loops(out)?;
        self.write_callbacks(out)?;
        self.write_pool(out)?;
        self.write_slowest(out)?;
        self.write_handles(out)?;
        if self.trace.dropped > 0 {
            writeln!(out, "\n{} records were dropped", count(self.trace.dropped))?;
        }
        out.flush()
    }

    fn write_loops(&self, out: &mut impl Write) -> io::Result<()> {
        let mut titles = vec!["utilisation", "iterations/s", "events/s"];
        titles.extend(Phase::ALL.map(Phase::name));
        let mut table = Table::new("loop", &titles);
        for figures in &self.loops {
            let rates = [figures.iterations, figures.events].map(|n| count(self.per_second(n)));
            let mut cells = vec![share(figures.utilisation)];
            cells.extend(rates);
            cells.extend(figures.phases.map(share));
            table.add(loop_name(self.trace, figures.lp), cells);
        }
        table.write(out)
    }

    fn write_callbacks(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::new("callbacks", &["per second", "p50", "p99", "max"]);
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|(_, durations)| std::cmp::Reverse(durations.sum()));
        let delays = ("ready until called", &self.delays);
        let rows = kinds.into_iter().map(|(kind, durations)| (kind.name(), durations));
        for (name, durations) in rows.chain([delays].into_iter().filter(|(_, d)| d.count() > 0)) {
            let mut cells = vec![count(self.per_second(durations.count()))];
            cells.extend(quantiles(durations));
            table.add(name.to_owned(), cells);
        }
        table.write(out)
    }

    fn write_pool(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::new("pool", &["per second", "p50", "p99", "max"]);
        for (name, durations) in [("queued", &self.pool.queued), ("ran", &self.pool.ran)] {
            if durations.count() > 0 {
                let mut cells = vec![count(self.per_second(durations.count()))];
                cells.extend(quantiles(durations));
                table.add(name.to_owned(), cells);
            }
        }
        table.write(out)?;
        match self.pool.waiting {
            0 => Ok(()),
            waiting => writeln!(out, "{} waiting for a pool thread", count(waiting)),
        }
    }

    fn write_slowest(&self, out: &mut impl Write) -> io::Result<()> {
        let slowest = self.trace.slowest(LISTED);
        if slowest.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nslowest callbacks")?;
        for callback in slowest {
            let running = if callback.running { ", still running" } else { "" };
            let name = callback_name(self.trace, callback);
            writeln!(out, "{:>10}  {name}{running}", duration(callback.duration()))?;
        }
        Ok(())
    }

    fn write_handles(&self, out: &mut impl Write) -> io::Result<()> {
        let kinds = self.handles();
        if kinds.is_empty() {
            return Ok(());
        }
        let list: Vec<String> =
            kinds.into_iter().map(|(kind, number)| format!("{} {kind}", count(number))).collect();
        writeln!(out, "\nhandles in use: {}", list.join(", "))
    }

    /// How many handles of each kind had a callback or were opened, and are open.
    fn handles(&self) -> BTreeMap<&'static str, u64> {
        let mut kinds = BTreeMap::new();
        let is_open = |handle: &HandleIndex| self.trace.handles[*handle].closed.is_none();
        for handle in (0..self.trace.handles.len()).filter(is_open) {
            *kinds.entry(self.trace.handles[handle].kind.name()).or_default() += 1;
        }
        kinds
    }

    /// Writes the figures in the OpenMetrics text format.
    pub fn write_openmetrics(&self, out: &mut impl Write) -> io::Result<()> {
        let gauge = |out: &mut dyn Write, name: &str, help: &str| {
            writeln!(out, "# TYPE {name} gauge\n# HELP {name} {help}")
        };
        gauge(out, "mauve_loop_utilisation", "Share of time in which the loop did not wait.")?;
        for figures in &self.loops {
            let labels = self.labels(figures.lp);
            writeln!(out, "mauve_loop_utilisation{{{labels}}} {:.6}", figures.utilisation)?;
        }
        gauge(out, "mauve_loop_phase", "Share of time in a phase, without waits.")?;
        for figures in &self.loops {
            let labels = self.labels(figures.lp);
            for (phase, share) in Phase::ALL.into_iter().zip(figures.phases) {
                let phase = phase.name();
                writeln!(out, "mauve_loop_phase{{{labels},phase=\"{phase}\"}} {share:.6}")?;
            }
        }
        gauge(out, "mauve_loop_iterations", "Iterations per second.")?;
        for figures in &self.loops {
            let rate = figures.iterations as f64 / self.window.as_secs_f64();
            writeln!(out, "mauve_loop_iterations{{{}}} {rate:.3}", self.labels(figures.lp))?;
        }
        gauge(out, "mauve_loop_events", "Events of the poll phase per second.")?;
        for figures in &self.loops {
            let rate = figures.events as f64 / self.window.as_secs_f64();
            writeln!(out, "mauve_loop_events{{{}}} {rate:.3}", self.labels(figures.lp))?;
        }
        gauge(out, "mauve_pool_waiting", "Requests that wait for a thread.")?;
        writeln!(out, "mauve_pool_waiting {}", self.pool.waiting)?;
        gauge(out, "mauve_dropped_records", "Records that are missing in these figures.")?;
        writeln!(out, "mauve_dropped_records {}", self.trace.dropped)?;
        summary(out, "mauve_callback_seconds", "Durations of callbacks.")?;
        for (kind, durations) in &self.kinds {
            let labels = format!("kind=\"{}\"", kind.name());
            quantile_lines(out, "mauve_callback_seconds", &labels, durations)?;
        }
        for (name, help, durations) in [
            ("mauve_callback_delay_seconds", "Times from ready until called.", &self.delays),
            (
                "mauve_pool_queued_seconds",
                "Times until a thread starts a request.",
                &self.pool.queued,
            ),
            ("mauve_pool_ran_seconds", "Times of requests on a thread.", &self.pool.ran),
        ] {
            summary(out, name, help)?;
            quantile_lines(out, name, "", durations)?;
        }
        writeln!(out, "# EOF")?;
        out.flush()
    }

    fn labels(&self, lp: LoopIndex) -> String {
        let of = &self.trace.loops[lp];
        let pid = self.trace.processes.get(of.process).map_or(0, |process| process.pid);
        format!("pid=\"{pid}\",loop=\"{}\"", of.number)
    }
}

fn loop_figures(trace: &Trace, lp: LoopIndex, window: Duration) -> LoopFigures {
    let whole = window.as_nanos().max(1) as f64;
    let own = trace.iterations.iter().filter(|iteration| iteration.lp == lp);
    let busy: u64 = own.clone().map(|iteration| iteration.busy()).sum();
    let waits = trace.waits.iter().filter(|wait| wait.lp == lp);
    let waited: u64 = waits.clone().map(|wait| wait.end - wait.begin).sum();
    let mut phases = [0.0; 7];
    for phase in trace.phases.iter().filter(|phase| phase.lp == lp) {
        phases[phase.phase as usize] += (phase.end - phase.begin) as f64 / whole;
    }
    let poll = &mut phases[Phase::Poll as usize];
    *poll = (*poll - waited as f64 / whole).max(0.0);
    LoopFigures {
        lp,
        utilisation: (busy as f64 / whole).min(1.0),
        iterations: own.count() as u64,
        events: waits.map(|wait| u64::from(wait.events)).sum(),
        phases,
    }
}

fn summary(out: &mut impl Write, name: &str, help: &str) -> io::Result<()> {
    writeln!(out, "# TYPE {name} summary\n# UNIT {name} seconds\n# HELP {name} {help}")
}

/// The quantiles, the count and the sum of a summary.
fn quantile_lines(
    out: &mut impl Write,
    name: &str,
    labels: &str,
    durations: &Durations,
) -> io::Result<()> {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let comma = if labels.is_empty() { "" } else { "," };
    for quantile in [0.5, 0.99, 1.0] {
        let value = seconds(durations.quantile(quantile));
        writeln!(out, "{name}{{{labels}{comma}quantile=\"{quantile}\"}} {value:.9}")?;
    }
    let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    writeln!(out, "{name}_count{braces} {}", durations.count())?;
    writeln!(out, "{name}_sum{braces} {:.9}", seconds(durations.sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).expect("writing to memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_snapshot_has_all_sections() {
        let trace = synthetic::trace(5_000);
        let window = Duration::from_nanos(trace.end);
        let text = text(|out| Snapshot::new(&trace, window).write(out));
        for part in
            ["\nloop 1 (main) ", " iterations/s ", "\nread ", "\nqueued ", "slowest", " tcp"]
        {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
    }

    #[test]
    fn shares_of_phases_add_up_to_the_utilisation() {
        let trace = synthetic::trace(5_000);
        let figures = loop_figures(&trace, 0, Duration::from_nanos(trace.end));
        let sum: f64 = figures.phases.iter().sum();
        assert!((sum - figures.utilisation).abs() < 0.01, "{sum} and {}", figures.utilisation);
        assert!((figures.utilisation - trace.utilisation(0)).abs() < 0.05);
    }

    /// The rules of the format: every metric has a type, lines of a metric follow each other, the
    /// values are numbers, the end is marked.
    #[test]
    fn metrics_follow_the_format() {
        let trace = synthetic::trace(5_000);
        let window = Duration::from_nanos(trace.end);
        let text = text(|out| Snapshot::new(&trace, window).write_openmetrics(out));
        assert!(text.ends_with("\n# EOF\n"));
        let mut current = "";
        let mut seen = Vec::new();
        for line in text.lines().filter(|line| *line != "# EOF") {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                current = rest.split(' ').next().expect("a name");
                assert!(!seen.contains(&current), "{current} twice");
                seen.push(current);
            } else if let Some(rest) = line.strip_prefix("# ") {
                assert_eq!(rest.split(' ').nth(1), Some(current));
            } else {
                assert!(line.starts_with(current), "{line} after {current}");
                let value = line.rsplit(' ').next().expect("a value");
                assert!(value.parse::<f64>().is_ok_and(|value| value >= 0.0), "{line}");
            }
        }
        assert!(
            seen.len() > 8 && text.contains("mauve_loop_utilisation{pid=\"1234\",loop=\"1\"} 0.")
        );
    }

    #[test]
    fn an_idle_process_has_zeros() {
        let trace = Trace::default();
        let text = text(|out| Snapshot::new(&trace, Duration::from_secs(1)).write(out));
        assert_eq!(text, "the last 1.00 s\n");
    }
}
