//! Decides which runs are failures. The exceptions have reasons.

use super::errors::{Error, Mode};
use super::inject::{End, Fault, Outcome};

/// CPU time in milliseconds that no workload needs, unless its loop spins.
const CPU_LIMIT: u64 = 1500;

/// Errors that a program sees when the peer has failed, or a handle was closed.
const CONSEQUENCES: &[&str] = &["EOF", "ECANCELED", "EPIPE", "ECONNRESET", "ENOTCONN"];

/// An error that the C library or libuv's contract translates to another. An empty name matches any.
struct Translation {
    call: &'static str,
    injected: &'static str,
    operation: &'static str,
    reported: &'static str,
    #[allow(dead_code, reason = "documentation")]
    reason: &'static str,
}

const TRANSLATIONS: &[Translation] = &[
    Translation {
        call: "",
        injected: "ENOMEM",
        operation: "",
        reported: "EAGAIN",
        reason: "pthread_create reports every lack of resources as EAGAIN",
    },
    Translation {
        call: "",
        injected: "",
        operation: "getaddrinfo",
        reported: "EAI_NONAME",
        reason: "the C library could not read /etc/hosts",
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
        reason: "libuv does not retry uv_fs_read, which may read from a terminal",
    },
    Translation {
        call: "pread64",
        injected: "EINTR",
        operation: "read",
        reported: "EINTR",
        reason: "libuv does not retry uv_fs_read",
    },
    Translation {
        call: "ioctl",
        injected: "",
        operation: "tty_init",
        reported: "EINVAL",
        reason: "libuv returns EINVAL for a descriptor that is not a terminal",
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

/// The first error that the program reported, if the injected one does not explain it. Interrupted
/// calls are retried, so `EINTR` is never explained. Later errors may follow from the first.
fn unexplained<'a>(fault: &Fault, outcome: &'a Outcome) -> Option<&'a str> {
    let mut errors = outcome.text.lines().filter_map(|line| line.strip_prefix("error: "));
    let first = errors.next()?;
    let (operation, code) = first.rsplit_once(' ')?;
    let explained = (code == fault.error.name && code != "EINTR")
        || CONSEQUENCES.contains(&code)
        || TRANSLATIONS.iter().any(|translation| translation.applies(fault, operation, code));
    (!explained).then_some(first)
}

/// An outcome that looks like a failure and is correct.
struct Exception {
    /// Empty for all workloads.
    workload: &'static str,
    call: &'static str,
    error: Error,
    end: End,
    /// A part of the program's output.
    text: &'static str,
    #[allow(dead_code, reason = "documentation")]
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        workload: "",
        call: "mmap",
        error: Error { name: "ENOMEM", mode: Mode::On },
        end: End::Signal(6),
        text: "memory",
        reason: "no memory is available, and Rust's collections abort; libuv aborts where the pool \
                 has no thread",
    },
    Exception {
        workload: "signals",
        call: "write:pipe",
        error: Error { name: "EAGAIN", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "the signal pipe is full of thousands of signals; libuv loses the next one too",
    },
    Exception {
        workload: "signals",
        call: "write:pipe",
        error: Error { name: "EPIPE", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "cannot happen: the loop owns both ends of the signal pipe",
    },
    Exception {
        workload: "children",
        call: "wait4",
        error: Error { name: "ECHILD", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: an exit status",
        reason: "the program itself has waited for the child: the exit is reported, its status is \
                 unknown",
    },
    Exception {
        workload: "children",
        call: "wait4",
        error: Error { name: "ECHILD", mode: Mode::Once },
        end: End::Exit(1),
        text: "lost: a signal",
        reason: "the program itself has waited for the child",
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

/// The reason why a run is a failure, or `None` if it passed.
pub fn failure(fault: &Fault, outcome: &Outcome) -> Option<String> {
    if is_exception(fault, outcome) {
        return None;
    }
    match outcome.end {
        End::Exit(0) if outcome.cpu > CPU_LIMIT => Some(format!("spins: {} ms", outcome.cpu)),
        End::Exit(0) => unexplained(fault, outcome)
            .map(|line| format!("reports an error that the fault does not explain: {line}")),
        End::Exit(1) => Some("loses an operation".to_owned()),
        End::Exit(code) => Some(format!("exits with {code}")),
        End::Signal(signal) => Some(format!("is killed by signal {signal}")),
        End::Timeout if outcome.cpu > CPU_LIMIT => Some("spins forever".to_owned()),
        End::Timeout => Some("hangs".to_owned()),
    }
}
