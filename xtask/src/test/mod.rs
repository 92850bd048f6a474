//! `cargo xtask test`: installs what the tests need, and runs all tests and checks.
//!
//! * [`steps`]: the steps, and the tools that each needs.
//! * [`command`]: runs cargo and counts tests.
//!
//! Runs the steps in order, the fast ones first, and stops at the first failure. Prints the name and
//! the duration of each step. At the end it prints what was skipped and why, and the number of checks.

mod command;
mod steps;

use std::time::Instant;

use crate::setup::{Setup, Tool};
use crate::tally::Tally;
use steps::{STEPS, Step};

/// The options of the command.
#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    install: bool,
    /// The names of the chosen steps. Empty for all.
    only: Vec<&'a str>,
}

pub fn run(arguments: &[&str]) -> Result<(), String> {
    if arguments == ["--list"] {
        STEPS.iter().for_each(|step| println!("{:<14} {}", step.name, step.title));
        return Ok(());
    }
    let options = Options::parse(arguments)?;
    let steps = choose(&options.only)?;
    let begin = Instant::now();
    println!("== tools");
    let setup = Setup::prepare(&tools(&steps), options.install);
    let mut report = Report::default();
    for step in steps {
        println!("\n== {}", step.title);
        let begin = Instant::now();
        let outcome = match setup.lacks(step.needs) {
            Some(why) => Ok(Tally::skipped(why)),
            None => (step.run)(&setup),
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
        println!("== {}: {:.1} s", step.title, begin.elapsed().as_secs_f64());
    }
    println!("\nall steps in {:.0} s", begin.elapsed().as_secs_f64());
    report.print();
    println!("{} passed, 0 failed{}", report.passed, report.skips());
    Ok(())
}

/// Installs what all steps need, and runs none of them.
pub fn set_up() -> Result<(), String> {
    Setup::prepare(Tool::ALL, true);
    Ok(())
}

impl<'a> Options<'a> {
    fn parse(mut arguments: &[&'a str]) -> Result<Self, String> {
        let mut options = Self { install: true, only: Vec::new() };
        while let [argument, rest @ ..] = arguments {
            arguments = rest;
            match (*argument, rest) {
                ("--no-install", _) => options.install = false,
                ("--only", [names, rest @ ..]) => {
                    options.only.extend(names.split(','));
                    arguments = rest;
                }
                ("--only", []) => return Err(format!("--only needs a step: {}", names())),
                _ => return Err(crate::usage::of("test").unwrap_or_default()),
            }
        }
        Ok(options)
    }
}

/// The steps with these names, in the order of a whole run.
fn choose(only: &[&str]) -> Result<Vec<&'static Step>, String> {
    if let Some(unknown) = only.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        return Err(format!("unknown step {unknown:?}; the steps are {}", names()));
    }
    let is_chosen = |step: &&Step| only.is_empty() || only.contains(&step.name);
    Ok(STEPS.iter().filter(is_chosen).collect())
}

fn names() -> String {
    step_names().join(", ")
}

/// The names of all steps.
pub fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// The tools that these steps use.
fn tools(steps: &[&Step]) -> Vec<Tool> {
    let is_used = |tool: &&Tool| {
        let uses = |step: &&Step| step.needs.contains(*tool) || step.uses.contains(*tool);
        steps.iter().any(uses)
    };
    Tool::ALL.iter().filter(is_used).copied().collect()
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

    #[test]
    fn steps_are_chosen_by_name_and_run_in_their_own_order() {
        let chosen = choose(&["valgrind", "format"]).expect("these steps exist");
        let names: Vec<&str> = chosen.iter().map(|step| step.name).collect();
        assert_eq!(names, ["format", "valgrind"]);
        assert_eq!(tools(&chosen), [Tool::Rustfmt, Tool::Valgrind]);
        assert_eq!(choose(&[]).expect("all steps").len(), STEPS.len());
        assert!(choose(&["weather"]).expect_err("no such step").contains("valgrind"));
    }

    #[test]
    fn names_of_steps_are_distinct() {
        for (at, step) in STEPS.iter().enumerate() {
            assert!(STEPS[at + 1..].iter().all(|other| other.name != step.name), "{}", step.name);
        }
    }

    #[test]
    fn options_are_parsed() {
        let options = Options::parse(&["--no-install", "--only", "lints,tests"]);
        let only = vec!["lints", "tests"];
        assert_eq!(options, Ok(Options { install: false, only }));
        assert!(Options::parse(&["--only"]).is_err());
        assert!(Options::parse(&["--fast"]).expect_err("unknown").contains("usage"));
    }

    #[test]
    fn every_tool_is_used_by_a_step() {
        let all: Vec<&Step> = STEPS.iter().collect();
        assert_eq!(tools(&all), Tool::ALL);
    }
}
