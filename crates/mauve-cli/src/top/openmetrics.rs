//! The picture as metrics in the text format of OpenMetrics.

use std::fmt::Write as _;

use mauve_trace::Trace;

/// The metrics of the traced window.
pub fn format(trace: &Trace, pid: u32) -> String {
    let mut text = String::new();
    let seconds = |ns: u64| ns as f64 / 1e9;
    let mut metric = |name: &str, help: &str, samples: Vec<(String, f64)>| {
        let _ = writeln!(text, "# TYPE {name} gauge\n# HELP {name} {help}");
        for (labels, value) in samples {
            let _ = writeln!(text, "{name}{{{labels}}} {value}");
        }
    };
    let of_loop = |lp: usize| format!("pid=\"{pid}\",loop=\"{}\"", trace.loops[lp].number);
    let loops = 0..trace.loops.len();
    let per_loop = |value: &dyn Fn(usize) -> f64| -> Vec<(String, f64)> {
        loops.clone().map(|lp| (of_loop(lp), value(lp))).collect()
    };
    metric(
        "mauve_window_seconds",
        "Length of the window.",
        vec![(format!("pid=\"{pid}\""), seconds(trace.end))],
    );
    metric(
        "mauve_loop_utilisation",
        "Share of time in which the loop did not wait.",
        per_loop(&|lp| trace.utilisation(lp)),
    );
    metric(
        "mauve_loop_iterations",
        "Iterations in the window.",
        per_loop(&|lp| trace.iterations.iter().filter(|i| i.lp == lp).count() as f64),
    );
    metric(
        "mauve_loop_events",
        "Events in the window.",
        per_loop(&|lp| {
            let waits = trace.waits.iter().filter(|wait| wait.lp == lp);
            waits.map(|wait| f64::from(wait.events)).sum()
        }),
    );
    let kinds = trace.callbacks_by_kind();
    let label = |kind: &str| format!("pid=\"{pid}\",kind=\"{kind}\"");
    let counts = kinds.iter().map(|(kind, times)| (label(kind.name()), times.count() as f64));
    metric("mauve_callbacks", "Callbacks in the window.", counts.collect());
    let p99 = |(kind, times): (&_, &mauve_trace::analysis::Durations)| {
        let kind: &mauve_trace::model::CallbackKind = kind;
        (label(kind.name()), seconds(times.quantile(0.99)))
    };
    metric(
        "mauve_callback_seconds_p99",
        "99th percentile of the time of callbacks.",
        kinds.iter().map(p99).collect(),
    );
    let depth = trace.requests.iter().filter(|request| request.callback.is_none()).count();
    metric(
        "mauve_pool_depth",
        "Requests that are queued or run.",
        vec![(format!("pid=\"{pid}\""), depth as f64)],
    );
    let alive = trace.handles.iter().filter(|handle| handle.closed.is_none()).count();
    metric(
        "mauve_handles",
        "Handles that are not closed.",
        vec![(format!("pid=\"{pid}\""), alive as f64)],
    );
    text.push_str("# EOF\n");
    text
}
