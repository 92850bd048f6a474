//! Where something was made, for the line that names it.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use mauve_sys::thread::current_tid;

static TRACES: AtomicBool = AtomicBool::new(false);

pub(super) fn set_tracing(on: bool) {
    TRACES.store(on, Ordering::Relaxed);
}

/// A call into the library.
pub(super) struct Origin {
    pub call: &'static str,
    thread: u32,
    trace: Option<Backtrace>,
}

impl Origin {
    /// The call that is going on.
    pub fn here(call: &'static str) -> Self {
        let traces = TRACES.load(Ordering::Relaxed);
        Self { call, thread: current_tid(), trace: traces.then(Backtrace::force_capture) }
    }

    /// `created by uv_tcp_init`, and on which thread if that is another one than this.
    pub fn said(&self, what: &str) -> String {
        match self.thread {
            thread if thread == current_tid() => format!("{what} by {}", self.call),
            thread => format!("{what} by {} on thread {thread}", self.call),
        }
    }

    /// The lines that show where it was; empty unless they were asked for.
    pub fn lines(&self, what: &str) -> String {
        self.trace.as_ref().map_or_else(String::new, |trace| shown(what, trace))
    }
}

/// The lines that show where the call that is going on comes from, if they were asked for.
pub(super) fn trace(what: &str) -> Option<String> {
    TRACES.load(Ordering::Relaxed).then(|| shown(what, &Backtrace::force_capture()))
}

/// A trace without the frames that are the library's own: it begins with the call of the program.
fn shown(what: &str, trace: &Backtrace) -> String {
    let text = trace.to_string();
    let lines: Vec<_> = text.lines().collect();
    let is_ours = |line: &&str| {
        line.split_once(": ").is_some_and(|(number, function)| {
            number.trim().parse::<u32>().is_ok() && function.trim().starts_with("uv_")
        })
    };
    // One exported function may call another: the outermost is the program's call.
    let first = lines.iter().rposition(is_ours).unwrap_or(0);
    let mut out = format!("mauve: {what} here:\n");
    for line in &lines[first..] {
        let _ = writeln!(out, "mauve: {line}");
    }
    out
}
