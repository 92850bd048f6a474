//! Counts events of a hot path: the program counts allocations, strace counts system calls, and
//! callgrind counts instructions.

use std::path::Path;
use std::process::Command;

use crate::build::folder;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    Calls,
    Allocations,
    Instructions,
}

/// A counter whose tool is not available.
pub struct Missing {
    pub counter: Counter,
    pub why: String,
}

/// Why there is no count.
#[derive(Debug)]
pub enum Problem {
    /// The tool is not available; the text says how to install it.
    NoTool(String),
    /// The program failed.
    Failed(String),
}

impl Problem {
    /// A missing tool as [`Missing`], any other problem as an error.
    pub fn into_missing(self, counter: Counter) -> Result<Missing, String> {
        match self {
            Self::NoTool(why) => Ok(Missing { counter, why }),
            Self::Failed(why) => Err(why),
        }
    }
}

impl Counter {
    pub const ALL: &[Self] = &[Self::Calls, Self::Allocations, Self::Instructions];

    pub fn title(self) -> &'static str {
        match self {
            Self::Calls => "system calls",
            Self::Allocations => "allocations",
            Self::Instructions => "instructions",
        }
    }

    /// The counter's name in the baseline.
    pub fn key(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Allocations => "allocations",
            Self::Instructions => "instructions",
        }
    }

    /// Counts the events of a run of `program` that repeats `path` this many times.
    pub fn count(self, program: &Path, path: &str, times: u64) -> Result<u64, Problem> {
        match self {
            Self::Calls => calls(program, path, times),
            Self::Allocations => allocations(program, path, times),
            Self::Instructions => instructions(program, path, times),
        }
    }
}

fn allocations(program: &Path, path: &str, times: u64) -> Result<u64, Problem> {
    let text = output(&mut repeating(Command::new(program), path, times))?.0;
    number_after(&text, "allocations ").ok_or(Problem::Failed(text))
}

fn calls(program: &Path, path: &str, times: u64) -> Result<u64, Problem> {
    require("strace")?;
    let table = folder().map_err(Problem::Failed)?.join("strace");
    let mut command = Command::new("strace");
    command.args(["-f", "-c", "-o"]).arg(&table).arg(program);
    let traced = output(&mut repeating(command, path, times));
    if let Err(Problem::Failed(why)) = &traced
        && (why.contains("ptrace") || why.contains("PTRACE"))
    {
        return Err(Problem::NoTool(format!("strace is not permitted to trace: {}", why.trim())));
    }
    traced?;
    let text = std::fs::read_to_string(&table).map_err(|e| Problem::Failed(e.to_string()))?;
    total(&text).ok_or_else(|| Problem::Failed(format!("strace: {text}")))
}

fn instructions(program: &Path, path: &str, times: u64) -> Result<u64, Problem> {
    require("valgrind")?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let errors = output(&mut repeating(command, path, times))?.1;
    number_after(&errors, "Collected : ").ok_or(Problem::Failed(errors))
}

fn repeating(mut command: Command, path: &str, times: u64) -> Command {
    command.arg(path).arg(times.to_string()).env_remove("UV_THREADPOOL_SIZE");
    command.env_remove("LD_LIBRARY_PATH");
    command
}

fn require(tool: &str) -> Result<(), Problem> {
    let version = Command::new(tool).arg("--version").output();
    if version.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Err(Problem::NoTool(format!("{tool} is not installed: `apt-get install {tool}`")))
}

/// Runs a command and returns its stdout and stderr.
fn output(command: &mut Command) -> Result<(String, String), Problem> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| Problem::Failed(format!("{name}: {e}")))?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(Problem::Failed(format!("{name}: {}\n{}", output.status, errors.trim())));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), errors))
}

fn number_after(text: &str, label: &str) -> Option<u64> {
    text.split_once(label)?.1.split_whitespace().next()?.parse().ok()
}

/// The fourth column of the last line, `100.00 0.012345 1 10000 24 total`.
fn total(table: &str) -> Option<u64> {
    let line = table.lines().rfind(|line| line.ends_with("total"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_the_tools_is_parsed() {
        assert_eq!(number_after("==7== Collected : 2964957\n", "Collected : "), Some(2_964_957));
        assert_eq!(number_after("allocations 15\n", "allocations "), Some(15));
        assert_eq!(number_after("nothing", "allocations "), None);
        assert_eq!(total("100.00    0.023081           4      5090        24 total\n"), Some(5090));
    }

    #[test]
    fn a_missing_tool_is_named_with_the_command_that_installs_it() {
        let Err(Problem::NoTool(why)) = require("no-such-tool") else { panic!("it exists") };
        assert!(why.contains("apt-get install no-such-tool"));
    }

    #[test]
    fn a_failing_program_is_not_reported_as_a_missing_tool() {
        let problem = Counter::Allocations.count(Path::new("/bin/false"), "x", 1).unwrap_err();
        assert!(problem.into_missing(Counter::Allocations).is_err());
    }
}
