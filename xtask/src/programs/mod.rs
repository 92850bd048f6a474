//! `cargo xtask programs`: runs programs of Debian's packages, of npm and of PyPI on mauve.
//!
//! Each program is downloaded and unpacked in the target folder ([`packages`]) and runs with mauve's
//! `libuv.so.1` first in the loader's search path ([`environment`]). Those of npm and PyPI have libuv linked
//! in, and are redirected ([`linked_in`]). A check uses the program, checks
//! that it has loaded mauve, and that it exits cleanly and in time ([`check`]). Programs that cannot
//! be downloaded or run are skipped and counted. [`suite`] runs them in Debian's newest suite.

mod bind;
mod check;
mod cmake;
mod environment;
mod knot;
mod linked_in;
mod luv;
mod neovim;
mod node;
pub mod packages;
mod script;
mod suite;
mod traced;
mod uvloop;

use check::{Check, Verdict};
use environment::Environment;

use crate::tally::Tally;
pub use linked_in::trace_node;
pub use node::on as node_on;

/// A program with its packages and checks.
struct Program {
    name: &'static str,
    packages: &'static str,
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
    linked_in::NODE,
    linked_in::UVLOOP,
];

/// Runs the checks in Debian's newest suite.
pub fn run_newest() -> Result<Tally, String> {
    suite::run(None)
}

/// Runs the checks of all programs, or only of the program `only`, of this system or of a suite.
pub fn run(only: Option<&str>, suite: Option<&str>) -> Result<Tally, String> {
    match suite {
        Some("newest") => return suite::run(only),
        Some(_) => return suite::run_inside(only),
        None => {}
    }
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

/// Downloads the packages of all programs.
pub fn download() {
    if let Ok(env) = Environment::on(Environment::library_folder()) {
        for program in PROGRAMS {
            let _ = packages::unpack(program.packages, &env);
        }
    }
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
