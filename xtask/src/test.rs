//! `cargo xtask test`: all tests and checks.
//!
//! Runs the steps in order, the fast ones first, and stops at the first failure. Prints the name and
//! the duration of each step, and the number of passed checks at the end.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{
    faults, fuzz, generate, guard, guide, lint, package, page, programs, sanitize, target, tools,
};

/// The title of a step, and its function.
type Step = (&'static str, fn() -> Outcome);

type Outcome = Result<Count, String>;

/// The number of passed checks: the tests of a step, or 1 for a step without tests.
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
        ("features", features),
        ("the selector `poll`", || {
            // With the features of the whole workspace, so that nothing is compiled again.
            let mut command = cargo_command("test --workspace --test net --test udp --locked");
            tests(command.env("MAUVE_SELECTOR", "poll"))
        }),
        ("documentation", documentation),
        ("page of a trace", || page::run(false).map(Count)),
        ("guide", || guide::run(false).map(Count)),
        ("packages", || package::check().map(Count)),
        ("oldest compiler", || package::check_oldest_compiler().map(Count)),
        ("loom models", models),
        // Without advisories: their database is downloaded, and the result of this step must not
        // depend on the network.
        ("dependencies", || cargo("deny --log-level warn check bans licenses sources")),
        ("cost of hot paths", || guard::run(false).map(Count)),
        ("random programs", || fuzz::run(&fuzz::Options::default()).map(Count)),
        ("random scripts", || fuzz::js::run(&fuzz::js::Options::quick()).map(Count)),
        ("fault injection", || faults::quick().map(Count)),
        ("valgrind", || sanitize::quick().map(Count)),
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
                println!("\n{passed} passed, 1 failed");
                return Err(format!("{title}: {why}"));
            }
        }
        println!("== {title}: ok, {:.1} s", begin.elapsed().as_secs_f64());
    }
    println!("\nall steps in {:.0} s", begin.elapsed().as_secs_f64());
    println!("{passed} passed, 0 failed");
    Ok(())
}

/// Checks and tests the features that are off by default.
fn features() -> Outcome {
    cargo("clippy -p mauve --all-features --all-targets --locked -- -D warnings")?;
    tests(&mut cargo_command("test -p mauve --all-features --test tracing --locked"))
}

/// Builds the documentation, as users and as maintainers do. A warning is an error.
fn documentation() -> Outcome {
    let strict = flags("RUSTDOCFLAGS", "-D warnings");
    for items in ["", " --document-private-items"] {
        let command = format!("doc --workspace --lib --no-deps --locked --quiet{items}");
        succeed(cargo_command(&command).env("RUSTDOCFLAGS", &strict))?;
    }
    Ok(Count(2))
}

/// Runs the loom models: code that crosses threads, in all interleavings. They are built with
/// another `cfg`, in a separate target folder, so that the two builds do not evict each other.
fn models() -> Outcome {
    let mut command =
        cargo_command("test -p mauve-sys -p mauve-core --lib --release --locked model");
    command.env("RUSTFLAGS", flags("RUSTFLAGS", "--cfg loom"));
    tests(command.env("CARGO_TARGET_DIR", target().join("loom")))
}

/// The flags of an environment variable, and `more`.
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

/// Runs tests, prints their output and counts them.
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
    fn passed_tests_are_counted_from_the_summary_line_only() {
        let line = "test result: ok. 38 passed; 0 failed; 0 ignored; finished in 7.77s";
        assert_eq!(passed_in(line), Some(38));
        assert_eq!(passed_in("test a_task_has_passed ... ok"), None);
    }
}
