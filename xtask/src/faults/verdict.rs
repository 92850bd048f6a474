//! What counts as a failure of a run, and the exceptions with their reasons.

use super::inject::{End, Fault, Outcome};
use super::table::{Error, Mode};

/// Processor time that no workload needs, in milliseconds; a loop that spins takes more.
const CPU_LIMIT: u64 = 1500;

/// Errors that a program sees when the other side has failed, or a handle was closed.
const CONSEQUENCES: &[&str] = &["EOF", "ECANCELED", "EPIPE", "ECONNRESET", "ENOTCONN"];

/// An error that others make of the injected one. An empty name stands for any.
struct Translation {
    call: &'static str,
    injected: &'static str,
    operation: &'static str,
    reported: &'static str,
    #[allow(dead_code, reason = "for those who read this table")]
    reason: &'static str,
}

const TRANSLATIONS: &[Translation] = &[
    Translation {
        call: "",
        injected: "ENOMEM",
        operation: "",
        reported: "EAGAIN",
        reason: "pthread_create, whatever it lacks",
    },
    Translation {
        call: "",
        injected: "",
        operation: "getaddrinfo",
        reported: "EAI_NONAME",
        reason: "the C library could not read the file with the names",
    },
    Translation {
        call: "",
        injected: "EINTR",
        operation: "getaddrinfo",
        reported: "EINTR",
        reason: "the C library passes it on",
    },
    Translation {
        call: "read:file",
        injected: "EINTR",
        operation: "read",
        reported: "EINTR",
        reason: "libuv interrupts uv_fs_read, which may read from a terminal",
    },
    Translation {
        call: "pread64",
        injected: "EINTR",
        operation: "read",
        reported: "EINTR",
        reason: "the same",
    },
    Translation {
        call: "ioctl",
        injected: "",
        operation: "tty_init",
        reported: "EINVAL",
        reason: "libuv takes what is no terminal for a wrong argument",
    },
];

impl Translation {
    fn applies(&self, fault: &Fault, operation: &str, code: &str) -> bool {
        let is = |wanted: &str, name: &str| wanted.is_empty() || wanted == name;
        is(self.call, &fault.call)
            && is(self.injected, fault.error.name)
            && is(self.operation, operation)
            && self.reported == code
    }
}

/// The first error in the ledger, if it is neither the injected one nor made of it. An interrupted
/// call is made again, so `EINTR` follows from nothing. Later errors may follow from the first.
fn implausible<'a>(fault: &Fault, outcome: &'a Outcome) -> Option<&'a str> {
    let mut errors = outcome.text.lines().filter_map(|line| line.strip_prefix("error: "));
    let first = errors.next()?;
    let (operation, code) = first.rsplit_once(' ')?;
    let follows = (code == fault.error.name && code != "EINTR")
        || CONSEQUENCES.contains(&code)
        || TRANSLATIONS.iter().any(|translation| translation.applies(fault, operation, code));
    (!follows).then_some(first)
}

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
    Exception {
        workload: "children",
        call: "wait4",
        error: Error { name: "ECHILD", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "the same",
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
        End::Exit(0) => implausible(fault, outcome)
            .map(|line| format!("reports an error that does not follow: {line}")),
        End::Exit(1) => Some("loses something".to_owned()),
        End::Exit(code) => Some(format!("exits with {code}")),
        End::Signal(signal) => Some(format!("ends by signal {signal}")),
        End::Timeout if outcome.cpu > CPU_LIMIT => Some("spins for ever".to_owned()),
        End::Timeout => Some("hangs".to_owned()),
    }
}
