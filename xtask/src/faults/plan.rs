//! Which faults are injected into a workload.

use super::inject::Fault;
use super::table::{self, Error, Mode};

/// What is asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The first, the second and the last occurrence of each call, with two errors each.
    pub quick: bool,
    pub verbose: bool,
    pub workload: Option<String>,
    pub call: Option<String>,
    pub error: Option<&'static str>,
    pub when: Option<u64>,
    pub mode: Option<Mode>,
}

impl Options {
    pub fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().copied().ok_or(format!("{argument} needs a value"));
            match *argument {
                "--quick" => options.quick = true,
                "--verbose" => options.verbose = true,
                "--call" => options.call = Some(value()?.to_owned()),
                "--error" => {
                    let name = value()?;
                    let known = table::error_named(name);
                    options.error = Some(known.ok_or(format!("no error is named {name}"))?);
                }
                "--when" => {
                    options.when = Some(value()?.parse().map_err(|e| format!("--when: {e}"))?);
                }
                "--mode" => {
                    let name = value()?;
                    let mode = Mode::named(name);
                    options.mode = Some(mode.ok_or(format!("no mode is named {name}"))?);
                }
                name if !name.starts_with('-') && options.workload.is_none() => {
                    options.workload = Some(name.to_owned());
                }
                other => return Err(format!("faults does not take {other:?}")),
            }
        }
        Ok(options)
    }

    fn takes(&self, call: &str, error: Error) -> bool {
        self.call.as_ref().is_none_or(|wanted| wanted == call)
            && self.error.is_none_or(|wanted| wanted == error.name)
            && self.mode.is_none_or(|wanted| wanted == error.mode)
    }
}

/// An error that lasts shows the same from a later occurrence on; a few beginnings are enough.
const LASTING_BEGINNINGS: u64 = 4;

/// The faults of a workload that makes these calls so often. A call that the table does not know
/// is an error: it would be left out silently.
pub fn plan(
    workload: &'static str,
    calls: &[(String, u64)],
    options: &Options,
) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    for (call, count) in calls {
        let errors = table::errors_of(call);
        let errors = errors.ok_or_else(|| format!("the table has no row for {call}"))?;
        let errors = if options.quick { &errors[..errors.len().min(2)] } else { errors };
        for error in errors.iter().filter(|error| options.takes(call, **error)) {
            for nth in occurrences(*count, error.mode, options) {
                faults.push(Fault { workload, call: call.clone(), error: *error, nth });
            }
        }
    }
    Ok(faults)
}

fn occurrences(count: u64, mode: Mode, options: &Options) -> Vec<u64> {
    let mut chosen: Vec<u64> = match (options.when, mode) {
        (Some(nth), _) => vec![nth],
        (None, Mode::On) if options.quick => vec![1],
        (None, Mode::On) => (1..=count.min(LASTING_BEGINNINGS)).collect(),
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
    fn quick_takes_the_first_the_second_and_the_last() {
        let quick = Options { quick: true, ..Options::default() };
        assert_eq!(occurrences(9, Mode::Once, &quick), [1, 2, 9]);
        assert_eq!(occurrences(1, Mode::Once, &quick), [1]);
        assert_eq!(occurrences(9, Mode::On, &quick), [1]);
        assert_eq!(occurrences(3, Mode::Once, &Options::default()), [1, 2, 3]);
    }

    #[test]
    fn an_unknown_call_is_an_error() {
        let calls = [("unheard_of".to_owned(), 1)];
        assert!(plan("tcp", &calls, &Options::default()).is_err());
    }
}
