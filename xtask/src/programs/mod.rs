//! `cargo xtask programs`: programs of Debian's packages, run on our library.
//!
//! Each program is downloaded and unpacked under the target folder ([`packages`]) and started with
//! our `libuv.so.1` first in the loader's path ([`stage`]). A check does real work with it, makes
//! sure that it was our library that did it, and wants a clean end in time ([`check`]). One line
//! is printed for each check; what could not be tried is counted and shown as skipped.

mod bind;
mod check;
mod cmake;
mod knot;
mod luv;
mod neovim;
mod node;
mod packages;
mod process;
mod script;
mod stage;
mod uvloop;

use check::{Check, Verdict};
pub use node::on as node_on;
use stage::Stage;

/// A program, what it needs, and what is tried with it.
struct Program {
    name: &'static str,
    packages: &'static [packages::Package],
    /// The checks; an error says why the program cannot be run here at all.
    checks: fn(&Stage) -> Result<Vec<Check>, String>,
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

/// Runs the checks of all programs, or of the one called `only`. Returns how many have passed.
pub fn run(only: Option<&str>) -> Result<usize, String> {
    let chosen = |program: &&Program| only.is_none_or(|name| program.name == name);
    let chosen: Vec<&Program> = PROGRAMS.iter().filter(chosen).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        return Err(format!("no such program; there are {}", names.join(", ")));
    }
    let stage = Stage::build()?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for program in chosen {
        for verdict in try_out(program, &stage) {
            match verdict {
                Verdict::Passed => passed += 1,
                Verdict::Failed => failed += 1,
                Verdict::Skipped => skipped += 1,
            }
        }
    }
    let skips = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("{passed} passed, {failed} failed{skips}");
    if failed == 0 { Ok(passed) } else { Err(format!("{failed} checks of programs failed")) }
}

fn try_out(program: &Program, stage: &Stage) -> Vec<Verdict> {
    let checks = packages::unpack(program.packages, stage).and_then(|()| (program.checks)(stage));
    match checks {
        Ok(checks) => checks.into_iter().map(|check| check.run(program.name)).collect(),
        Err(why) => {
            println!("skipped {}: {}", program.name, why.trim());
            vec![Verdict::Skipped]
        }
    }
}
