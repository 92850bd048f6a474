//! Selects the faults to inject into a workload.

use clap::Args;

use crate::arguments::number;

use super::errors::{self, Error, Mode};
use super::inject::Fault;

/// The command line of `cargo xtask faults`.
#[derive(Args, Clone, Debug, Default)]
pub struct Options {
    /// Run only this workload: tcp, files, children, ...
    pub workload: Option<String>,
    /// Three occurrences of each call, with two errors
    #[arg(long)]
    pub quick: bool,
    /// Inject into this system call only
    #[arg(long, value_name = "NAME")]
    pub call: Option<String>,
    /// Inject this error only, such as EMFILE
    #[arg(long, value_name = "E", value_parser = error)]
    pub error: Option<&'static str>,
    /// Inject at occurrence N only
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub when: Option<u64>,
    /// once: fail one call; after: make it, then fail it; on: fail all later ones, too
    #[arg(long, value_parser = mode)]
    pub mode: Option<Mode>,
    /// Fail several calls at a time in the library instead, under N seeds
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub seeds: Option<u64>,
    /// List the errors that the programs reported
    #[arg(long)]
    pub verbose: bool,
}

fn error(name: &str) -> Result<&'static str, String> {
    errors::error_named(name).ok_or_else(|| format!("unknown error {name}"))
}

fn mode(name: &str) -> Result<Mode, String> {
    Mode::named(name).ok_or_else(|| format!("unknown mode {name}"))
}

impl Options {
    fn selects(&self, call: &str, error: Error) -> bool {
        self.call.as_ref().is_none_or(|wanted| wanted == call)
            && self.error.is_none_or(|wanted| wanted == error.name)
            && self.mode.is_none_or(|wanted| wanted == error.mode)
    }
}

/// The number of occurrences at which a permanent error ([`Mode::On`]) starts. Later starts show
/// nothing new.
const PERMANENT_STARTS: u64 = 4;

/// The faults of a workload that makes these calls this often. A call without a row in the table is
/// an error, because it would be skipped silently.
pub fn plan(
    workload: &'static str,
    calls: &[(String, u64)],
    options: &Options,
) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    for (call, count) in calls {
        let errors = errors::errors_of(call);
        let errors = errors.ok_or_else(|| format!("the table has no row for {call}"))?;
        let count_of_errors = if options.quick { 2 } else { errors.len() };
        let chosen = errors.into_iter().take(count_of_errors);
        for error in chosen.filter(|error| options.selects(call, *error)) {
            for nth in occurrences(*count, error.mode, options) {
                faults.push(Fault { workload, call: call.clone(), error, nth });
            }
        }
    }
    Ok(faults)
}

fn occurrences(count: u64, mode: Mode, options: &Options) -> Vec<u64> {
    let mut chosen: Vec<u64> = match (options.when, mode) {
        (Some(nth), _) => vec![nth],
        (None, Mode::On) if options.quick => vec![1],
        (None, Mode::On) => (1..=count.min(PERMANENT_STARTS)).collect(),
        (None, _) if options.quick => vec![1, count.min(2), count],
        (None, _) => (1..=count).collect(),
    };
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_selects_the_first_the_second_and_the_last_occurrence() {
        let quick = Options { quick: true, ..Options::default() };
        assert_eq!(occurrences(9, Mode::Once, &quick), [1, 2, 9]);
        assert_eq!(occurrences(1, Mode::Once, &quick), [1]);
        assert_eq!(occurrences(9, Mode::On, &quick), [1]);
        assert_eq!(occurrences(3, Mode::Once, &Options::default()), [1, 2, 3]);
    }

    #[test]
    fn an_unknown_call_is_an_error() {
        let calls = [("unknown_call".to_owned(), 1)];
        assert!(plan("tcp", &calls, &Options::default()).is_err());
    }
}
