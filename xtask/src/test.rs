//! `cargo xtask test`: everything that must hold before a change goes in.
//!
//! The steps run one after another, the quick ones first, and the first that fails ends it. Each
//! says its name and how long it took; the last line counts what passed.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{faults, fuzz, generate, guard, lint, programs, sanitize, target, tools};

/// What a step is called, and the step.
type Step = (&'static str, fn() -> Outcome);

type Outcome = Result<Count, String>;

/// How many checks have passed: tests where a step consists of them, or else the step itself.
#[derive(Clone, Copy)]
struct Count(usize);

const ONE: Count = Count(1);

pub fn run() -> Result<(), String> {
    let steps: &[Step] = &[
        ("tools", || tools::check().map(|()| ONE)),
        ("generated files", || generate::check().map(|()| ONE)),
        ("format", || cargo("fmt --all --check")),
        ("lints of JavaScript", || lint::run().map(Count)),
        ("lints", || cargo("clippy --workspace --all-targets --locked -- -D warnings")),
        ("tests", || tests(&mut cargo_command("test --workspace --all-targets --locked"))),
        ("examples in the documentation", || {
            tests(&mut cargo_command("test --workspace --doc --locked"))
        }),
        ("documentation", documentation),
        ("models", models),
        // Advisories are left out: their database has to be fetched, and these steps are to give
        // the same answer without a network.
        ("dependencies", || cargo("deny --log-level warn check bans licenses sources")),
        ("costs of hot paths", || guard::run(false).map(Count)),
        ("random programs", || fuzz::run(&fuzz::Options::default()).map(Count)),
        ("system calls that fail", || faults::quick().map(Count)),
        ("valgrind", || sanitize::smoke().map(Count)),
        ("programs of Debian's packages", || programs::run(None).map(Count)),
    ];
    let begin = Instant::now();
    let mut passed = 0;
    for (title, step) in steps {
        println!("\n== {title}");
        let begin = Instant::now();
        match step() {
            Ok(Count(count)) => passed += count,
            Err(why) => {
                println!("\n{passed} passed, then a failure");
                return Err(format!("{title}: {why}"));
            }
        }
        println!("== {title}: ok, {:.1} s", begin.elapsed().as_secs_f64());
    }
    println!("\nall steps in {:.0} s", begin.elapsed().as_secs_f64());
    println!("{passed} passed, 0 failed");
    Ok(())
}

/// A broken link is an error; one to a private item is for those who read the source.
fn documentation() -> Outcome {
    let mut command =
        cargo_command("doc --workspace --lib --no-deps --document-private-items --locked --quiet");
    let strict = flags("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links");
    succeed(command.env("RUSTDOCFLAGS", strict))
}

/// The parts that cross threads, in all interleavings. They are built with another `cfg`, so in a
/// folder of their own: otherwise each would have the other built anew.
fn models() -> Outcome {
    let mut command =
        cargo_command("test -p mauve-sys -p mauve-core --lib --release --locked model");
    command.env("RUSTFLAGS", flags("RUSTFLAGS", "--cfg loom"));
    tests(command.env("CARGO_TARGET_DIR", target().join("loom")))
}

/// What the environment says, and `more`.
fn flags(variable: &str, more: &str) -> String {
    format!("{} {more}", std::env::var(variable).unwrap_or_default()).trim().to_owned()
}

fn cargo(arguments: &str) -> Outcome {
    succeed(&mut cargo_command(arguments))
}

fn cargo_command(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(arguments.split(' ')).current_dir(crate::root());
    command
}

fn succeed(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|e| format!("{}: {e}", shown(command)))?;
    if status.success() { Ok(ONE) } else { Err(format!("`{}` failed", shown(command))) }
}

/// Runs tests, shows what they say and counts them.
fn tests(command: &mut Command) -> Outcome {
    let shown = shown(command);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| format!("{shown}: {e}"))?;
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut passed = 0;
    for line in output.lines() {
        let line = line.map_err(|e| format!("{shown}: {e}"))?;
        passed += passed_in(&line).unwrap_or(0);
        println!("{line}");
    }
    let status = child.wait().map_err(|e| format!("{shown}: {e}"))?;
    if status.success() { Ok(Count(passed)) } else { Err(format!("`{shown}` failed")) }
}

/// The number in `test result: ok. 7 passed; 0 failed; ...`.
fn passed_in(line: &str) -> Option<usize> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    counts.split_once(" passed")?.0.parse().ok()
}

fn shown(command: &Command) -> String {
    let arguments = command.get_args().map(|argument| argument.to_string_lossy());
    std::iter::once("cargo".into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_a_test_run_is_counted_and_nothing_else() {
        let line = "test result: ok. 38 passed; 0 failed; 0 ignored; finished in 7.77s";
        assert_eq!(passed_in(line), Some(38));
        assert_eq!(passed_in("test a_task_has_passed ... ok"), None);
    }
}
