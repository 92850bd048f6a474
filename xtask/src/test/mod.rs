//! `cargo xtask test`: installs what the tests need, and runs all tests and checks.
//!
//! * [`steps`]: the steps, and the tools that each needs.
//! * [`command`]: runs cargo and counts tests.
//!
//! Runs the steps in order and stops at the first failure. Numbers the steps, prints the duration of
//! each, and a line every 30 seconds in between. At the end it prints what was skipped and why, and the
//! number of checks.

pub mod command;
mod steps;

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::Args;

use crate::setup::{Install, Setup, Tool};
use crate::tally::Tally;
use steps::{RELEASE_STEPS, STEPS, Step};

/// How long the steps of every run take on two cores, with an empty target folder.
pub const DURATION: &str = "about ten minutes on two cores";

/// What the builds and the unpacked programs take in the target folder.
pub const DISK_SPACE: &str = "5 GB";

/// The interval of the lines that report a running step.
const INTERVAL: Duration = Duration::from_secs(30);

/// The options of the command.
#[derive(Args, Debug, Default)]
pub struct Options {
    /// Install nothing
    #[arg(long)]
    no_install: bool,
    /// Also check what only releases need: packages, documents, browsers, platforms
    #[arg(long)]
    release_checks: bool,
    /// Run only these steps, and install what they need
    #[arg(long, value_name = "STEP,...", value_delimiter = ',')]
    only: Vec<String>,
    /// List the steps
    #[arg(long)]
    list: bool,
}

impl Options {
    fn install(&self) -> Install {
        match self.no_install {
            true => Install::Nothing,
            false if self.release_checks || !self.only.is_empty() => Install::Everything,
            false => Install::UpToLimit,
        }
    }
}

/// Prints the names of all steps.
fn list() {
    STEPS.iter().for_each(|step| println!("{:<14} {}", step.name, step.title));
    println!("\nwith --release-checks:");
    RELEASE_STEPS.iter().for_each(|step| println!("{:<14} {}", step.name, step.title));
}

pub fn run(options: &Options) -> Result<(), String> {
    if options.list {
        list();
        return Ok(());
    }
    let steps = choose(options)?;
    let begin = Instant::now();
    if options.only.is_empty() {
        // Most whole runs start with an empty target folder. Then incremental builds cost more time
        // and twice the space.
        crate::build::disable_incremental();
        let more =
            if options.release_checks { ", and half an hour for the release checks" } else { "" };
        println!("{} steps: {DURATION}{more}; {DISK_SPACE} in the target folder", steps.len());
    }
    let setup = Setup::prepare(&tools(&steps), options.install());
    let mut report = Report::default();
    for (at, step) in steps.iter().enumerate() {
        let title = format!("{} of {}: {}", at + 1, steps.len(), step.title);
        println!("\n== {title}");
        let begin = Instant::now();
        let outcome = match setup.lacks(step.needs) {
            Some(why) => Ok(Tally::skipped(why)),
            None => with_progress(&title, || run_step(step, &steps[at + 1..], &setup)),
        };
        match outcome {
            Ok(tally) => report.add(step, tally),
            Err(why) => {
                report.print();
                println!("{} passed, 1 failed{}", report.passed, report.skips());
                return Err(format!(
                    "{}: {why}\nto repeat this step: `cargo xtask test --only {}`",
                    step.title, step.name
                ));
            }
        }
        println!("== {title}: {:.1} s", begin.elapsed().as_secs_f64());
    }
    println!("\nall steps in {:.0} s", begin.elapsed().as_secs_f64());
    report.print();
    println!("{} passed, 0 failed{}", report.passed, report.skips());
    Ok(())
}

/// Runs a step. The first long one leaves a core idle most of the time, so it prepares the later ones.
fn run_step(step: &Step, later: &[&Step], setup: &Setup) -> Result<Tally, String> {
    std::thread::scope(|scope| {
        if step.name == "tests" {
            scope.spawn(|| later.iter().for_each(|step| (step.prepare)()));
        }
        (step.run)(setup)
    })
}

/// Installs what all steps need, and runs none of them.
pub fn set_up() {
    Setup::prepare(&Tool::all().collect::<Vec<_>>(), Install::Everything);
}

/// Calls `work`, and prints a line at each [`INTERVAL`] until it returns.
fn with_progress<T>(title: &str, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let begin = Instant::now();
        scope.spawn(move || {
            while is_done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                println!("   ({title}: {} s)", begin.elapsed().as_secs());
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// The chosen steps, in the order of a whole run.
fn choose(options: &Options) -> Result<Vec<&'static Step>, String> {
    let all = || STEPS.iter().chain(RELEASE_STEPS);
    if let Some(unknown) = options.only.iter().find(|name| !all().any(|step| step.name == **name)) {
        return Err(format!("unknown step {unknown:?}; the steps are {}", step_names().join(", ")));
    }
    if options.only.is_empty() {
        let more = if options.release_checks { RELEASE_STEPS } else { &[] };
        return Ok(STEPS.iter().chain(more).collect());
    }
    Ok(all().filter(|step| options.only.iter().any(|name| name == step.name)).collect())
}

/// The names of all steps.
pub fn step_names() -> Vec<&'static str> {
    STEPS.iter().chain(RELEASE_STEPS).map(|step| step.name).collect()
}

/// The tools that these steps use.
fn tools(steps: &[&Step]) -> Vec<Tool> {
    let is_used = |tool: &Tool| {
        let uses = |step: &&Step| step.needs.contains(tool) || step.uses.contains(tool);
        steps.iter().any(uses)
    };
    Tool::all().filter(is_used).collect()
}

/// The result of all steps.
#[derive(Default)]
struct Report {
    passed: usize,
    skipped: usize,
    /// One line for each reason.
    lines: Vec<String>,
}

impl Report {
    fn add(&mut self, step: &Step, tally: Tally) {
        self.passed += tally.passed;
        self.skipped += tally.skipped_count();
        for skipped in tally.skipped {
            self.lines.push(format!("  {} ({}): {}", step.title, skipped.count, skipped.why));
        }
    }

    fn print(&self) {
        if !self.lines.is_empty() {
            println!("skipped:\n{}", self.lines.join("\n"));
        }
    }

    fn skips(&self) -> String {
        if self.skipped > 0 { format!(", {} skipped", self.skipped) } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(release_checks: bool, only: &[&str]) -> Options {
        let only = only.iter().map(|name| (*name).to_owned()).collect();
        Options { release_checks, only, ..Options::default() }
    }

    #[test]
    fn steps_are_chosen_by_name_and_run_in_their_own_order() {
        let chosen = choose(&options(false, &["valgrind", "deb", "format"])).expect("steps");
        let names: Vec<&str> = chosen.iter().map(|step| step.name).collect();
        assert_eq!(names, ["format", "valgrind", "deb"]);
        assert_eq!(choose(&options(false, &[])).expect("all steps").len(), STEPS.len());
        assert_eq!(choose(&options(true, &[])).expect("all steps").len(), step_names().len());
        let why = choose(&options(false, &["weather"])).expect_err("no such step");
        assert!(why.contains("valgrind"), "{why}");
    }

    #[test]
    fn names_of_steps_are_distinct() {
        let names = step_names();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[at + 1..].contains(name), "{name}");
        }
    }

    #[test]
    fn every_tool_is_used_by_a_step() {
        let all = choose(&options(true, &[])).expect("all steps");
        assert!(tools(&all).into_iter().eq(Tool::all()));
    }
}
