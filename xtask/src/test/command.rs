//! Runs cargo, and counts the tests that it has run.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::setup;
use crate::tally::Tally;

/// Runs a cargo command that must succeed. It counts as one check.
pub fn cargo(arguments: &str) -> Result<Tally, String> {
    succeed(&mut cargo_command(arguments))
}

pub fn cargo_command(arguments: &str) -> Command {
    let mut command = crate::build::cargo();
    command.args(arguments.split(' ')).current_dir(crate::root()).env("PATH", setup::path());
    command
}

pub fn succeed(command: &mut Command) -> Result<Tally, String> {
    let status = command.status().map_err(|e| format!("{}: {e}", shown(command)))?;
    if status.success() {
        Ok(Tally::passed(1))
    } else {
        Err(format!("`{}` failed", shown(command)))
    }
}

/// Runs tests, prints their output and counts them.
pub fn tests(command: &mut Command) -> Result<Tally, String> {
    count(command).map(|counts| Tally::passed(counts.passed))
}

/// Runs tests without those of these modules, which need a missing tool.
pub fn tests_without(
    modules: &[(&'static str, String)],
    command: &mut Command,
) -> Result<Tally, String> {
    if modules.is_empty() {
        return tests(command);
    }
    command.arg("--").args(modules.iter().flat_map(|(module, _)| ["--skip", module]));
    let counts = count(command)?;
    let mut reasons: Vec<&str> = modules.iter().map(|(_, why)| &**why).collect();
    reasons.dedup();
    let mut tally = Tally::passed(counts.passed);
    tally.skip(counts.filtered, reasons.join("; "));
    Ok(tally)
}

/// The numbers of a summary line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    /// Tests that the options deselect.
    filtered: usize,
}

fn count(command: &mut Command) -> Result<Counts, String> {
    let shown = shown(command);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| format!("{shown}: {e}"))?;
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut sum = Counts::default();
    for line in output.lines() {
        let line = line.map_err(|e| format!("{shown}: {e}"))?;
        let counts = counts_in(&line).unwrap_or_default();
        sum.passed += counts.passed;
        sum.filtered += counts.filtered;
        println!("{line}");
    }
    let status = child.wait().map_err(|e| format!("{shown}: {e}"))?;
    if status.success() { Ok(sum) } else { Err(format!("`{shown}` failed")) }
}

/// The numbers in `test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; ...`.
fn counts_in(line: &str) -> Option<Counts> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let number = |of: &str| counts.split("; ").find_map(|part| part.strip_suffix(of)?.parse().ok());
    Some(Counts { passed: number(" passed")?, filtered: number(" filtered out").unwrap_or(0) })
}

fn shown(command: &Command) -> String {
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once("cargo".into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_from_the_summary_line_only() {
        let line = "test result: ok. 38 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; \
                    finished in 7.77s";
        assert_eq!(counts_in(line), Some(Counts { passed: 38, filtered: 4 }));
        assert_eq!(counts_in("test a_task_has_passed ... ok"), None);
    }
}
