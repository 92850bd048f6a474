//! One picture: tables of loops, callbacks, the pool, and the slowest callbacks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mauve_core::Phase;
use mauve_trace::Trace;
use mauve_trace::analysis::Durations;
use mauve_trace::format::{count, duration, share};

/// A table: a heading and rows. The first column is aligned to the left.
pub struct Table {
    pub rows: Vec<Vec<String>>,
}

/// What is shown.
pub struct Picture {
    pub title: String,
    /// Sentences about what the tables cannot show.
    pub remarks: Vec<String>,
    pub tables: Vec<Table>,
}

impl Picture {
    pub fn new(trace: &Trace, title: String, remarks: Vec<String>) -> Self {
        let seconds = trace.end.max(1) as f64 / 1e9;
        let dropped = match trace.dropped {
            0 => String::new(),
            dropped => format!(", {} records dropped", count(dropped)),
        };
        let title = format!("{title}, last {}{dropped}", duration(trace.end));
        let tables = vec![
            loops(trace, seconds),
            phases(trace),
            callbacks(trace, seconds),
            pool(trace, seconds),
            slowest(trace),
            handles(trace),
        ];
        Self { title, remarks, tables }
    }

    /// The picture as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        self.remarks.iter().for_each(|remark| text += &format!("{remark}\n"));
        for table in &self.tables {
            let _ = writeln!(text, "\n{}", table.lines().join("\n"));
        }
        text
    }
}

impl Table {
    fn new(heading: &[&str]) -> Self {
        Self { rows: vec![heading.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    /// The rows as aligned lines.
    pub fn lines(&self) -> Vec<String> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }
}

fn per_second(number: usize, seconds: f64) -> String {
    count((number as f64 / seconds).round() as u64)
}

fn loop_name(trace: &Trace, lp: usize) -> String {
    let of = &trace.loops[lp];
    let thread = trace.threads.get(of.thread).map_or("", |thread| &thread.name);
    format!("loop {} ({thread})", of.number)
}

fn loops(trace: &Trace, seconds: f64) -> Table {
    let mut table = Table::new(&[
        "loop",
        "utilisation",
        "iterations/s",
        "events/s",
        "callbacks/s",
        "p99",
        "max",
    ]);
    for lp in 0..trace.loops.len() {
        let mut lengths = Durations::default();
        let iterations = trace.iterations.iter().filter(|iteration| iteration.lp == lp);
        iterations.for_each(|i| lengths.add((i.end - i.begin).saturating_sub(i.waited)));
        let events: u32 = trace.waits.iter().filter(|w| w.lp == lp).map(|w| w.events).sum();
        let callbacks = trace.callbacks.iter().filter(|c| c.lp == lp && c.depth == 0).count();
        table.push([
            loop_name(trace, lp),
            share(trace.utilisation(lp)),
            per_second(lengths.count() as usize, seconds),
            per_second(events as usize, seconds),
            per_second(callbacks, seconds),
            duration(lengths.quantile(0.99)),
            duration(lengths.max()),
        ]);
    }
    table
}

/// The share of each phase in the time of each loop, without waits.
fn phases(trace: &Trace) -> Table {
    let mut heading = vec!["share of"];
    heading.extend(Phase::ALL.map(Phase::name));
    heading.push("wait");
    let mut table = Table::new(&heading);
    for lp in 0..trace.loops.len() {
        let of = &trace.loops[lp];
        let total = of.end.saturating_sub(of.begin).max(1) as f64;
        let waits = trace.waits.iter().filter(|wait| wait.lp == lp);
        let waited: u64 = waits.map(|wait| wait.end - wait.begin).sum();
        let mut row = vec![loop_name(trace, lp)];
        for phase in Phase::ALL {
            let spans = trace.phases.iter().filter(|span| span.lp == lp && span.phase == phase);
            let mut time: u64 = spans.map(|span| span.end - span.begin).sum();
            if phase == Phase::Poll {
                time = time.saturating_sub(waited);
            }
            row.push(share(time as f64 / total));
        }
        row.push(share(waited as f64 / total));
        table.push(row);
    }
    table
}

fn callbacks(trace: &Trace, seconds: f64) -> Table {
    let mut table = Table::new(&["callbacks", "per second", "p50", "p99", "max"]);
    for (kind, times) in trace.callbacks_by_kind() {
        table.push([
            kind.name().to_owned(),
            per_second(times.count() as usize, seconds),
            duration(times.quantile(0.5)),
            duration(times.quantile(0.99)),
            duration(times.max()),
        ]);
    }
    table
}

fn pool(trace: &Trace, seconds: f64) -> Table {
    let mut table = Table::new(&["pool", "per second", "waiting", "running", "p50", "p99", "max"]);
    let mut delays = Durations::default();
    trace.requests.iter().filter_map(|request| request.queued()).for_each(|ns| delays.add(ns));
    let open = |request: &&mauve_trace::model::Request| request.callback.is_none();
    let waiting = trace.requests.iter().filter(open).filter(|r| r.job.is_none()).count();
    let running = trace.requests.iter().filter(open).filter(|r| r.job.is_some()).count();
    table.push([
        "requests, delay".to_owned(),
        per_second(trace.requests.len(), seconds),
        waiting.to_string(),
        running.to_string(),
        duration(delays.quantile(0.5)),
        duration(delays.quantile(0.99)),
        duration(delays.max()),
    ]);
    table
}

fn slowest(trace: &Trace) -> Table {
    let mut table = Table::new(&["slowest callbacks", "took", "kind"]);
    for callback in trace.slowest(10) {
        let name = callback.name.map(|name| trace.names[name].to_string());
        table.push([
            name.unwrap_or_else(|| "without a name".to_owned()),
            duration(callback.duration()),
            callback.kind.name().to_owned(),
        ]);
    }
    table
}

fn handles(trace: &Trace) -> Table {
    let mut table = Table::new(&["handles", "alive"]);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for handle in trace.handles.iter().filter(|handle| handle.closed.is_none()) {
        *kinds.entry(handle.kind.name()).or_default() += 1;
    }
    for (kind, alive) in kinds {
        table.push([kind.to_owned(), alive.to_string()]);
    }
    table
}
