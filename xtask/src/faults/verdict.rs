//! Decides which runs are failures. The exceptions have reasons.

use super::errors::{Error, Mode};
use super::inject::{End, Fault, Outcome};

/// CPU time in milliseconds that no workload needs, unless its loop spins.
const CPU_LIMIT: u64 = 1500;

/// Errors that a program sees when the peer has failed, or a handle was closed.
const CONSEQUENCES: &[&str] = &["EOF", "ECANCELED", "EPIPE", "ECONNRESET", "ENOTCONN"];

/// Errors that the C library or libuv's contract translates to another: the call, the injected error, the
/// operation, the reported error, and the reason. An empty name matches any.
#[rustfmt::skip]
const TRANSLATIONS: &[[&str; 5]] = &[
    ["", "ENOMEM", "", "EAGAIN", "pthread_create reports every lack of resources as EAGAIN"],
    ["", "", "getaddrinfo", "EAI_NONAME", "the C library could not read /etc/hosts"],
    ["", "EINTR", "getaddrinfo", "EINTR", "the C library passes it on"],
    ["read:file", "EINTR", "read", "EINTR", "libuv does not retry uv_fs_read, which may read from a terminal"],
    ["pread64", "EINTR", "read", "EINTR", "libuv does not retry uv_fs_read"],
    ["ioctl", "", "tty_init", "EINVAL", "libuv returns it for a descriptor that is not a terminal"],
];

/// Whether a translation explains why `operation` has reported `code`.
fn is_translated(fault: &Fault, operation: &str, code: &str) -> bool {
    let is = |wanted: &str, name: &str| wanted.is_empty() || wanted == name;
    TRANSLATIONS.iter().any(|[call, injected, of, reported, _]| {
        is(call, &fault.call)
            && is(injected, fault.error.name)
            && is(of, operation)
            && *reported == code
    })
}

/// The first error that the program reported, if the injected one does not explain it. Interrupted
/// calls are retried, so `EINTR` is never explained. Later errors may follow from the first.
fn unexplained<'a>(fault: &Fault, outcome: &'a Outcome) -> Option<&'a str> {
    let mut errors = outcome.text.lines().filter_map(|line| line.strip_prefix("error: "));
    let first = errors.next()?;
    let (operation, code) = first.rsplit_once(' ')?;
    let explained = (code == fault.error.name && code != "EINTR")
        || CONSEQUENCES.contains(&code)
        || is_translated(fault, operation, code);
    (!explained).then_some(first)
}

/// Outcomes that look like failures and are correct: the workload, the call, the error, the end, a part of
/// the program's output, and the reason. An empty name matches any workload.
type Exception = (&'static str, &'static str, Error, End, &'static str, &'static str);

#[rustfmt::skip]
const EXCEPTIONS: &[Exception] = &[
    ("", "mmap", Error { name: "ENOMEM", mode: Mode::On }, End::Signal(6), "memory",
     "no memory is available, and Rust's collections abort; libuv aborts where the pool has no thread"),
    ("signals", "write:pipe", Error { name: "EAGAIN", mode: Mode::Once }, End::Exit(1), "lost: a signal",
     "the signal pipe is full of thousands of signals; libuv loses the next one too"),
    ("signals", "write:pipe", Error { name: "EPIPE", mode: Mode::Once }, End::Exit(1), "lost: a signal",
     "cannot happen: the loop owns both ends of the signal pipe"),
    ("children", "wait4", Error { name: "ECHILD", mode: Mode::Once }, End::Exit(1), "lost: an exit status",
     "the program itself has waited for the child: the exit is reported, its status is unknown"),
    ("children", "wait4", Error { name: "ECHILD", mode: Mode::Once }, End::Exit(1), "lost: a signal",
     "the program itself has waited for the child"),
];

fn is_exception(fault: &Fault, outcome: &Outcome) -> bool {
    EXCEPTIONS.iter().any(|(workload, call, error, end, text, _)| {
        (workload.is_empty() || *workload == fault.workload)
            && *call == fault.call
            && *error == fault.error
            && *end == outcome.end
            && outcome.text.contains(text)
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
