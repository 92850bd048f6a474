//! `cargo xtask sanitize`: the C programs of the tests, watched by tools that see what a test
//! cannot: memory that is used after it was freed or before it was written, and races.
//!
//! * [`library`]: building the library for a tool.
//! * [`programs`]: which programs are run, and which are not, and why.
//! * [`watch`]: running them, and what counts as a report.
//!
//! A program's output and exit code do not matter here: the differential tests look at those. The
//! tools make programs slow, so some that measure time or memory end differently.

mod library;
mod programs;
mod watch;

use std::fmt::Write as _;
use std::path::Path;

use programs::Program;

/// What watches the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// AddressSanitizer, in the library and the programs.
    Address,
    /// ThreadSanitizer, in the library, the standard library and the programs.
    Thread,
    /// Valgrind's memcheck, around the library as it ships.
    Valgrind,
}

impl Tool {
    pub const ALL: [Self; 3] = [Self::Address, Self::Thread, Self::Valgrind];

    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "asan",
            Self::Thread => "tsan",
            Self::Valgrind => "valgrind",
        }
    }

    fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|tool| tool.name() == name);
        found.ok_or_else(|| {
            format!("there is no sanitizer {name:?}; there are asan, tsan, valgrind")
        })
    }
}

/// Runs what the arguments ask for: `[asan|tsan|valgrind] [part of a program's name]`, or
/// `--quick`.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let (tools, wanted) = match arguments {
        ["--quick"] => {
            let count = smoke()?;
            println!("valgrind: {count} programs, no report");
            return Ok(());
        }
        [] => (Tool::ALL.to_vec(), ""),
        [tool] => (vec![Tool::named(tool)?], ""),
        [tool, wanted] => (vec![Tool::named(tool)?], *wanted),
        _ => return Err("sanitize takes a tool and a part of a program's name".to_owned()),
    };
    let mut failures = Vec::new();
    for tool in tools {
        match watch_all(tool, wanted) {
            Ok(count) => println!("{}: {count} programs, no report", tool.name()),
            Err(why) => {
                println!("{}: {why}", tool.name());
                failures.push(tool.name());
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("{} failed", failures.join(", "))) }
}

/// A few programs that touch most of the library, under valgrind: quick enough for every change.
pub fn smoke() -> Result<usize, String> {
    let folder = library::build(Tool::Valgrind)?;
    let programs = programs::all(Tool::Valgrind)?;
    let chosen = programs.into_iter().filter(|program| programs::SMOKE.contains(&&*program.name));
    watch_programs(Tool::Valgrind, &folder, &chosen.collect::<Vec<_>>())
}

fn watch_all(tool: Tool, wanted: &str) -> Result<usize, String> {
    let folder = library::build(tool)?;
    let mut programs = programs::all(tool)?;
    programs.retain(|program| program.name.contains(wanted));
    if programs.is_empty() {
        return Err(format!("no program's name has {wanted:?} in it"));
    }
    watch_programs(tool, &folder, &programs)
}

fn watch_programs(tool: Tool, library: &Path, programs: &[Program]) -> Result<usize, String> {
    let reports = watch::all(tool, library, programs)?;
    if reports.is_empty() {
        return Ok(programs.len());
    }
    let mut why = format!("{} of {} programs have a report\n", reports.len(), programs.len());
    for (name, report) in &reports {
        let _ = writeln!(why, "--- {name}\n{report}");
    }
    Err(why)
}
