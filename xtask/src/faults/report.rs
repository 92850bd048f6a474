//! Prints the results of the runs.

use std::collections::BTreeMap;

use super::inject::{Fault, Outcome};
use super::verdict;

/// The number of lines of a workload's output that are printed.
const SHOWN_LINES: usize = 12;

pub struct Report {
    is_verbose: bool,
    passed: usize,
    failed: usize,
}

impl Report {
    pub fn new(is_verbose: bool) -> Self {
        Self { is_verbose, passed: 0, failed: 0 }
    }

    /// Adds the runs of a workload.
    pub fn add(&mut self, workload: &str, calls: usize, runs: Vec<(Fault, Outcome)>) {
        let hit = runs.iter().filter(|(_, outcome)| outcome.hits > 0).count();
        let failures: Vec<_> = runs
            .iter()
            .filter_map(|(fault, outcome)| {
                Some((fault, outcome, verdict::failure(fault, outcome)?))
            })
            .collect();
        println!(
            "{workload}: {calls} calls, {hit} of {} faults injected, {} failures",
            runs.len(),
            failures.len()
        );
        self.passed += runs.len() - failures.len();
        self.failed += failures.len();
        show(&failures);
        if self.is_verbose {
            summarise(&runs);
        }
    }

    /// Returns the number of passed runs, or an error if some failed.
    pub fn finish(self) -> Result<usize, String> {
        println!("{} runs passed, {} failed", self.passed, self.failed);
        if self.failed == 0 {
            return Ok(self.passed);
        }
        Err(format!("{} runs with a fault failed", self.failed))
    }
}

/// Prints failures, one for each call, error, mode and reason.
fn show(failures: &[(&Fault, &Outcome, String)]) {
    let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (fault, outcome, why) in failures {
        let kind = (&fault.call, fault.error.name, fault.error.mode.name(), why);
        kinds.entry(kind).or_default().push((fault, outcome));
    }
    for ((call, error, mode, why), runs) in kinds {
        let (fault, outcome) = runs[0];
        let occurrences: Vec<_> = runs.iter().map(|(fault, _)| fault.nth.to_string()).collect();
        println!("\n{call} {error} {mode} at {}: {why}", occurrences.join(", "));
        println!("  cargo xtask faults {fault}");
        for line in outcome.text.lines().take(SHOWN_LINES) {
            println!("  | {line}");
        }
    }
}

/// Lists the errors that the library reported for each fault.
fn summarise(runs: &[(Fault, Outcome)]) {
    let mut seen: BTreeMap<_, BTreeMap<&str, usize>> = BTreeMap::new();
    for (fault, outcome) in runs.iter().filter(|(_, outcome)| outcome.hits > 0) {
        let codes =
            seen.entry((&fault.call, fault.error.name, fault.error.mode.name())).or_default();
        let mut errors = outcome.text.lines().filter_map(|line| line.strip_prefix("error: "));
        let first = errors.next().unwrap_or("none");
        *codes.entry(first).or_default() += 1;
    }
    for ((call, error, mode), codes) in seen {
        let codes: Vec<_> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
        println!("  {call} {error} {mode}: {}", codes.join(", "));
    }
}
