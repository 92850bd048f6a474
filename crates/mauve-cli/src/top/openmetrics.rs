//! The picture as metrics in the text format of OpenMetrics: gauges, counters, and histograms.
//!
//! Counters of a loop count since it was created. Histograms, and what is counted with them, begin with the
//! window, whose time their `_created` samples have.

use std::fmt::{Display, Write as _};

use mauve_trace::Trace;

/// The upper bounds of the buckets of histograms, in nanoseconds.
const BUCKETS: [u64; 10] = [
    10_000,
    50_000,
    100_000,
    500_000,
    1_000_000,
    5_000_000,
    10_000_000,
    50_000_000,
    100_000_000,
    1_000_000_000,
];

/// The metrics of the traced window.
pub fn format(trace: &Trace, pid: u32) -> String {
    let mut text = Text(String::new());
    let process = format!("pid=\"{pid}\"");
    let created = seconds(trace.wall_clock);
    let per_loop = |value: &dyn Fn(usize) -> f64| -> Vec<(String, f64)> {
        let labels = |lp: usize| format!("{process},loop=\"{}\"", trace.loops[lp].number);
        (0..trace.loops.len()).map(|lp| (labels(lp), value(lp))).collect()
    };
    text.gauge(
        "mauve_window_seconds",
        "Length of the window.",
        vec![(process.clone(), seconds(trace.end))],
    );
    text.gauge(
        "mauve_loop_utilisation",
        "Share of time in which the loop did not wait.",
        per_loop(&|lp| trace.utilisation(lp)),
    );
    text.counter(
        "mauve_loop_iterations",
        "Iterations of the loop.",
        per_loop(&|lp| {
            let own = trace.iterations.iter().filter(|iteration| iteration.lp == lp);
            own.map(|iteration| iteration.number).max().unwrap_or(0) as f64
        }),
    );
    text.counter(
        "mauve_loop_events",
        "Events that the loop has handled.",
        per_loop(&|lp| trace.loops[lp].events as f64),
    );
    text.histograms("mauve_loop_busy_seconds", "Time of iterations without their waits.");
    for (lp, of) in trace.loops.iter().enumerate() {
        let own = trace.iterations.iter().filter(|iteration| iteration.lp == lp);
        let labels = format!("{process},loop=\"{}\"", of.number);
        let busy = own.map(|iteration| iteration.busy());
        text.histogram("mauve_loop_busy_seconds", &labels, busy, created);
    }
    text.histograms("mauve_callback_seconds", "Time of callbacks.");
    for kind in trace.callbacks_by_kind().into_keys() {
        let own = trace.callbacks.iter().filter(|callback| callback.kind == kind);
        let labels = format!("{process},kind=\"{}\"", kind.name());
        let durations = own.map(|callback| callback.duration());
        text.histogram("mauve_callback_seconds", &labels, durations, created);
    }
    text.histograms("mauve_pool_queued_seconds", "Time of requests in the queue of the pool.");
    let queued = trace.requests.iter().filter_map(|request| request.queued());
    text.histogram("mauve_pool_queued_seconds", &process, queued, created);
    text.histograms("mauve_pool_ran_seconds", "Time of requests on a thread of the pool.");
    let jobs = trace.requests.iter().filter_map(|request| request.job);
    text.histogram(
        "mauve_pool_ran_seconds",
        &process,
        jobs.map(|job| job.end - job.begin),
        created,
    );
    let depth = trace.requests.iter().filter(|request| request.callback.is_none()).count();
    text.gauge(
        "mauve_pool_depth",
        "Requests that are queued or run.",
        vec![(process.clone(), depth as f64)],
    );
    let alive = trace.handles.iter().filter(|handle| handle.closed.is_none()).count();
    text.gauge("mauve_handles", "Handles that are not closed.", vec![(process, alive as f64)]);
    text.0.push_str("# EOF\n");
    text.0
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

struct Text(String);

impl Text {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# TYPE {name} {kind}");
        if name.ends_with("_seconds") {
            let _ = writeln!(self.0, "# UNIT {name} seconds");
        }
        let _ = writeln!(self.0, "# HELP {name} {help}");
    }

    fn sample(&mut self, name: &str, suffix: &str, labels: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name}{suffix}{{{labels}}} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, samples: Vec<(String, f64)>) {
        self.head(name, "gauge", help);
        samples.iter().for_each(|(labels, value)| self.sample(name, "", labels, value));
    }

    fn counter(&mut self, name: &str, help: &str, samples: Vec<(String, f64)>) {
        self.head(name, "counter", help);
        samples.iter().for_each(|(labels, value)| self.sample(name, "_total", labels, value));
    }

    /// The head of a family of histograms.
    fn histograms(&mut self, name: &str, help: &str) {
        self.head(name, "histogram", help);
    }

    fn histogram(
        &mut self,
        name: &str,
        labels: &str,
        durations: impl Iterator<Item = u64>,
        created: f64,
    ) {
        let durations: Vec<u64> = durations.collect();
        for bound in BUCKETS {
            let count = durations.iter().filter(|duration| **duration <= bound).count();
            let labels = format!("{labels},le=\"{:?}\"", seconds(bound));
            self.sample(name, "_bucket", &labels, count);
        }
        self.sample(name, "_bucket", &format!("{labels},le=\"+Inf\""), durations.len());
        self.sample(name, "_count", labels, durations.len());
        self.sample(name, "_sum", labels, seconds(durations.iter().sum()));
        self.sample(name, "_created", labels, created);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative_and_end_with_the_count() {
        let mut text = Text(String::new());
        let durations = [20_000, 30_000, 2_000_000_000].into_iter();
        text.histogram("busy_seconds", "pid=\"1\"", durations, 7.5);
        let lines: Vec<&str> = text.0.lines().collect();
        assert_eq!(lines[0], "busy_seconds_bucket{pid=\"1\",le=\"1e-5\"} 0");
        assert_eq!(lines[1], "busy_seconds_bucket{pid=\"1\",le=\"5e-5\"} 2");
        assert_eq!(lines[9], "busy_seconds_bucket{pid=\"1\",le=\"1.0\"} 2");
        assert_eq!(
            lines[10..],
            [
                "busy_seconds_bucket{pid=\"1\",le=\"+Inf\"} 3",
                "busy_seconds_count{pid=\"1\"} 3",
                "busy_seconds_sum{pid=\"1\"} 2.00005",
                "busy_seconds_created{pid=\"1\"} 7.5",
            ]
        );
    }
}
