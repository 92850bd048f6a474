//! What counts as a failure of a run, and the exceptions with their reasons.

use super::inject::{End, Fault, Outcome};

/// Processor time that no workload needs, in milliseconds; a loop that spins takes more.
const CPU_LIMIT: u64 = 1500;

/// Runs that may end in this way, because nothing else is possible: the call, the end, the reason.
const EXCEPTIONS: &[(&str, &str, End, &str)] = &[];

/// Why a run is a failure, if it is one.
pub fn failure(fault: &Fault, outcome: &Outcome) -> Option<String> {
    if EXCEPTIONS.iter().any(|(workload, call, end, _)| {
        (*workload == fault.workload || workload.is_empty())
            && *call == fault.call
            && *end == outcome.end
    }) {
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
