//! `cargo xtask sanitize`: runs the C programs of the tests under tools that detect use after free,
//! reads of uninitialised memory, and data races.
//!
//! * [`library`]: builds the library for a tool.
//! * [`programs`]: the programs, and the exceptions with their reasons.
//! * [`run`](mod@run): runs the programs and reads the tools' logs.
//!
//! The outputs and exit codes of the programs are ignored: the differential tests check them. The
//! tools make programs slow, so programs that measure time or memory fail here.

mod library;
mod programs;
mod run;

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;

use programs::Program;

/// A tool that detects errors of a running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// AddressSanitizer, in the library and the programs.
    Address,
    /// ThreadSanitizer, in the library, the standard library and the programs.
    Thread,
    /// Valgrind's memcheck, with the library of the profile `dev`.
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
        found.ok_or_else(|| format!("unknown tool {name:?}; the tools are asan, tsan, valgrind"))
    }
}

/// The command line of `cargo xtask sanitize`.
#[derive(Args)]
pub struct Options {
    /// asan, tsan or valgrind
    #[arg(value_parser = Tool::named)]
    tool: Option<Tool>,
    /// Run only the programs with this in their name
    #[arg(default_value = "")]
    name: String,
    /// Run a few programs under valgrind, as `cargo xtask test` does
    #[arg(long)]
    quick: bool,
}

/// Runs the programs that the options select.
pub fn run(options: &Options) -> Result<(), String> {
    if options.quick {
        println!("valgrind: {} programs, no errors", quick()?);
        return Ok(());
    }
    let tools = options.tool.map_or(Tool::ALL.to_vec(), |tool| vec![tool]);
    let mut failures = Vec::new();
    for tool in tools {
        match run_all(tool, &options.name) {
            Ok(count) => println!("{}: {count} programs, no errors", tool.name()),
            Err(why) => {
                println!("{}: {why}", tool.name());
                failures.push(tool.name());
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("{} failed", failures.join(", "))) }
}

/// Runs a few programs that cover most of the library under valgrind, for `cargo xtask test`.
/// Returns how many.
pub fn quick() -> Result<usize, String> {
    let folder = library::build(Tool::Valgrind)?;
    let programs = programs::all(Tool::Valgrind)?;
    let chosen = programs.into_iter().filter(|program| programs::QUICK.contains(&&*program.name));
    run_programs(Tool::Valgrind, &folder, &chosen.collect::<Vec<_>>())
}

fn run_all(tool: Tool, filter: &str) -> Result<usize, String> {
    let folder = library::build(tool)?;
    let mut programs = programs::all(tool)?;
    programs.retain(|program| program.name.contains(filter));
    if programs.is_empty() {
        return Err(format!("no program has {filter:?} in its name"));
    }
    run_programs(tool, &folder, &programs)
}

fn run_programs(tool: Tool, library: &Path, programs: &[Program]) -> Result<usize, String> {
    let reports = run::all(tool, library, programs)?;
    if reports.is_empty() {
        return Ok(programs.len());
    }
    let mut why = format!("errors in {} of {} programs\n", reports.len(), programs.len());
    for (name, report) in &reports {
        let _ = writeln!(why, "--- {name}\n{report}");
    }
    Err(why)
}
