//! The call that created or closed an object, for misuse messages.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use mauve_sys::thread::current_tid;

static BACKTRACES: AtomicBool = AtomicBool::new(false);

pub(super) fn enable_backtraces(on: bool) {
    BACKTRACES.store(on, Ordering::Relaxed);
}

/// A call into the library.
pub(super) struct Origin {
    pub call: &'static str,
    thread: u32,
    trace: Option<Backtrace>,
}

impl Origin {
    /// Captures the current call.
    pub fn capture(call: &'static str) -> Self {
        let traces = BACKTRACES.load(Ordering::Relaxed);
        Self { call, thread: current_tid(), trace: traces.then(Backtrace::force_capture) }
    }

    /// `created by uv_tcp_init`, with the thread if it is not the current one.
    pub fn describe(&self, what: &str) -> String {
        match self.thread {
            thread if thread == current_tid() => format!("{what} by {}", self.call),
            thread => format!("{what} by {} on thread {thread}", self.call),
        }
    }

    /// The backtrace as text; empty if backtraces are disabled.
    pub fn backtrace(&self, what: &str) -> String {
        self.trace.as_ref().map_or_else(String::new, |trace| format_backtrace(what, trace))
    }
}

/// The backtrace of the current call as text, if backtraces are enabled.
pub(super) fn trace(what: &str) -> Option<String> {
    BACKTRACES.load(Ordering::Relaxed).then(|| format_backtrace(what, &Backtrace::force_capture()))
}

/// Formats a backtrace without the internal frames, starting with the exported function.
fn format_backtrace(what: &str, trace: &Backtrace) -> String {
    let text = trace.to_string();
    let lines: Vec<_> = text.lines().collect();
    let is_exported = |line: &&str| {
        line.split_once(": ").is_some_and(|(number, function)| {
            number.trim().parse::<u32>().is_ok() && function.trim().starts_with("uv_")
        })
    };
    // One exported function may call another: the program called the outermost one.
    let first = lines.iter().rposition(is_exported).unwrap_or(0);
    let mut out = format!("mauve: {what} here:\n");
    for line in &lines[first..] {
        let _ = writeln!(out, "mauve: {line}");
    }
    out
}
