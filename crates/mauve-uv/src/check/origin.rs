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
    let mut out = format!("mauve: {what} here:\n");
    for line in &lines[first_exported(&lines)..] {
        let _ = writeln!(out, "mauve: {line}");
    }
    out
}

/// Position of the line with the exported function that the program called. It may have called another
/// exported one. Behind the next function of the program there may be more of them: in a callback,
/// `uv_run` is.
fn first_exported(lines: &[&str]) -> usize {
    // Lines with a number name functions; the others are their files.
    let names = lines.iter().enumerate().filter_map(|(at, line)| {
        let (number, function) = line.split_once(": ")?;
        number.trim().parse::<u32>().ok().map(|_| (at, function.trim()))
    });
    let mut first = None;
    for (at, name) in names {
        if name.starts_with("uv_") {
            first = Some(at);
        } else if first.is_some() && !is_internal(name) {
            break;
        }
    }
    first.unwrap_or(0)
}

/// Whether a function is one of the library, or of the standard library.
fn is_internal(name: &str) -> bool {
    let path = name.trim_start_matches(['<', '&']);
    ["uv::", "mauve_", "core::", "std::", "alloc::"].iter().any(|begin| path.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::first_exported;

    #[test]
    fn a_backtrace_starts_with_the_function_that_the_program_called() {
        let in_callback = [
            "   0: uv::check::origin::trace",
            "             at origin.rs:45",
            "   1: uv::timer::start",
            "   2: uv_timer_start",
            "   3: on_timer",
            "             at program.c:7",
            "   4: uv::dispatch::call",
            "   5: uv_run",
            "   6: main",
        ];
        assert_eq!(first_exported(&in_callback), 3);
        let nested = [
            "   0: <uv::handle::Close as core::ops::FnOnce>::call_once",
            "   1: uv_tcp_init_ex",
            "   2: core::ops::call",
            "   3: uv_tcp_init",
            "   4: main",
        ];
        assert_eq!(first_exported(&nested), 3);
        assert_eq!(first_exported(&["   0: main"]), 0);
    }
}
