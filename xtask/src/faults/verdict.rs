//! What counts as a failure of a run, and the exceptions with their reasons.

use super::inject::{End, Fault, Outcome};
use super::table::{Error, Mode};

/// Processor time that no workload needs, in milliseconds; a loop that spins takes more.
const CPU_LIMIT: u64 = 1500;

/// A way to end that is right, because nothing better is possible.
struct Exception {
    /// Empty: all of them.
    workload: &'static str,
    call: &'static str,
    error: Error,
    end: End,
    /// What the program prints then.
    text: &'static str,
    #[allow(dead_code, reason = "for those who read this table")]
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        workload: "",
        call: "mmap",
        error: Error { name: "ENOMEM", mode: Mode::On },
        end: End::Signal(6),
        text: "memory",
        reason: "a thread has no memory at all, and Rust's collections end the program; libuv \
                 aborts where the pool has no thread",
    },
    Exception {
        workload: "signals",
        call: "write:pipe",
        error: Error { name: "EAGAIN", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "thousands of signals wait to be read, and libuv loses the next one too",
    },
    Exception {
        workload: "signals",
        call: "write:pipe",
        error: Error { name: "EPIPE", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "cannot be: the loop has both ends of the pipe that its handler writes to",
    },
    Exception {
        workload: "children",
        call: "wait4",
        error: Error { name: "ECHILD", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: an exit status",
        reason: "the program has waited for the child itself: the exit is reported, its status is \
                 unknown",
    },
];

fn is_exception(fault: &Fault, outcome: &Outcome) -> bool {
    EXCEPTIONS.iter().any(|exception| {
        (exception.workload.is_empty() || exception.workload == fault.workload)
            && exception.call == fault.call
            && exception.error == fault.error
            && exception.end == outcome.end
            && outcome.text.contains(exception.text)
    })
}

/// Why a run is a failure, if it is one.
pub fn failure(fault: &Fault, outcome: &Outcome) -> Option<String> {
    if is_exception(fault, outcome) {
        return None;
    }
    match outcome.end {
        End::Exit(0) if outcome.cpu > CPU_LIMIT => Some(format!("spins: {} ms", outcome.cpu)),
        End::Exit(0) => None,
        End::Exit(1) => Some("loses something".to_owned()),
        End::Exit(code) => Some(format!("exits with {code}")),
        End::Signal(signal) => Some(format!("ends by signal {signal}")),
        End::Timeout if outcome.cpu > CPU_LIMIT => Some("spins for ever".to_owned()),
        End::Timeout => Some("hangs".to_owned()),
    }
}
