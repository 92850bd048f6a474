//! `cargo xtask programs`: runs programs of Debian's packages on mauve.
//!
//! Each program is downloaded and unpacked in the target folder ([`packages`]) and runs with mauve's
//! `libuv.so.1` first in the loader's search path ([`environment`]). A check uses the program, checks
//! that it has loaded mauve, and that it exits cleanly and in time ([`check`]). Programs that cannot
//! be downloaded or run are skipped and counted.

mod bind;
mod check;
mod cmake;
mod environment;
mod knot;
mod luv;
mod neovim;
mod node;
mod packages;
mod process;
mod script;
mod traced;
mod uvloop;

use check::{Check, Verdict};
use environment::Environment;

use crate::tally::Tally;
pub use node::{on as node_on, trace as trace_node};

/// A program with its packages and checks.
struct Program {
    name: &'static str,
    packages: &'static [packages::Package],
    /// Returns the checks, or why the program cannot run on this system.
    checks: fn(&Environment) -> Result<Vec<Check>, String>,
}

const PROGRAMS: &[Program] = &[
    node::PROGRAM,
    neovim::PROGRAM,
    cmake::PROGRAM,
    uvloop::PROGRAM,
    bind::PROGRAM,
    luv::PROGRAM,
    knot::PROGRAM,
];

/// Runs the checks of all programs, or only of the program `only`.
pub fn run(only: Option<&str>) -> Result<Tally, String> {
    let chosen = |program: &&Program| only.is_none_or(|name| program.name == name);
    let chosen: Vec<&Program> = PROGRAMS.iter().filter(chosen).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        return Err(format!("unknown program; there are {}", names.join(", ")));
    }
    let env = Environment::build()?;
    let (mut tally, mut failed) = (Tally::default(), 0);
    for program in chosen {
        for verdict in run_checks(program, &env) {
            match verdict {
                Verdict::Passed => tally.passed += 1,
                Verdict::Failed => failed += 1,
                Verdict::Skipped(why) => tally.skip(1, format!("{}: {why}", program.name)),
            }
        }
    }
    let (passed, skipped) = (tally.passed, tally.skipped_count());
    let skips = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("{passed} passed, {failed} failed{skips}");
    if failed == 0 { Ok(tally) } else { Err(format!("{failed} checks of programs failed")) }
}

fn run_checks(program: &Program, env: &Environment) -> Vec<Verdict> {
    let checks = packages::unpack(program.packages, env).and_then(|()| (program.checks)(env));
    match checks {
        Ok(checks) => checks.into_iter().map(|check| check.run(program.name)).collect(),
        Err(why) => {
            println!("skipped {}: {}", program.name, why.trim());
            vec![Verdict::Skipped(why.trim().to_owned())]
        }
    }
}
