//! A C program and its expected result.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::compiler::compile;
use super::library::Library;
use super::process::{End, Outcome, run};
use super::target;

const SIGABRT: i32 = 6;

/// A program of the differential tests.
pub struct Program {
    source: PathBuf,
    area: String,
    expectation: Expectation,
    /// Additional environment variables.
    environment: Vec<(String, String)>,
}

/// The expected result, as given by the first line of a program.
enum Expectation {
    /// The same output and status as on Debian's libuv.
    Same,
    /// As `Same`, and its assertions hold on all libraries.
    Errors,
    /// Its assertions hold, and it prints what was recorded; it needs a newer libuv than Debian's.
    Holds(Option<String>),
    /// Its assertions hold on our library, but on no version of libuv.
    HoldsOnOurs,
    /// It aborts, with this text on stderr.
    Aborts(String),
    /// Its assertions hold on our library, which prints this text to stderr.
    Stderr(String),
}

impl Program {
    pub fn load(source: &Path, area: &str) -> Self {
        let text =
            std::fs::read_to_string(source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
        let first = text.lines().next().unwrap_or_default();
        let marked = |mark| first.strip_prefix(mark)?.strip_suffix("*/").map(str::trim);
        let expectation = if let Some(text) = marked("/* aborts:") {
            Expectation::Aborts(text.to_owned())
        } else if let Some(text) = marked("/* stderr:") {
            Expectation::Stderr(text.to_owned())
        } else if marked("/* errors:").is_some() {
            Expectation::Errors
        } else if let Some(what) = marked("/* needs:") {
            let recorded = std::fs::read_to_string(source.with_extension("out")).ok();
            match what {
                "mauve" => Expectation::HoldsOnOurs,
                _ => Expectation::Holds(recorded),
            }
        } else {
            Expectation::Same
        };
        let environment = text.lines().take(2).flat_map(environment).collect();
        Self { source: source.to_owned(), area: area.to_owned(), expectation, environment }
    }

    /// Adds environment variables.
    pub fn with(mut self, environment: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.environment.extend(environment.iter().map(owned));
        self
    }

    /// Compiles and runs the program. The error describes the failure in full.
    pub fn check(&self) -> Result<(), String> {
        let for_ours_alone = !matches!(self.expectation, Expectation::Same | Expectation::Errors);
        let compile =
            |library: &Library| compile(&self.source, &self.area, for_ours_alone, library);
        let program = compile(&Library::Ours)?;
        let run = |library: &Library| match target::compiles_twice() && *library != Library::Ours {
            true => run(&compile(library)?, library, &self.environment),
            false => run(&program, library, &self.environment),
        };
        let ours = run(&Library::Ours)?;
        match &self.expectation {
            Expectation::Same => compare(&run(&Library::Debian)?, &ours),
            Expectation::Errors => {
                holds(&ours, "ours")?;
                let debian = run(&Library::Debian)?;
                holds(&debian, "Debian's libuv")?;
                compare(&debian, &ours)?;
                holds_on_newer(run)
            }
            Expectation::Aborts(text) => aborted(&ours, text),
            Expectation::Stderr(text) => {
                holds(&ours, "ours")?;
                stderr_contains(&ours, text)
            }
            Expectation::HoldsOnOurs => holds(&ours, "ours"),
            Expectation::Holds(recorded) => {
                holds(&ours, "ours")?;
                prints(&ours, "ours", recorded.as_deref())?;
                let Some(newer) = Library::newer() else { return Ok(()) };
                let newer = run(&newer)?;
                holds(&newer, "the newer libuv")?;
                prints(&newer, "the newer libuv", recorded.as_deref())
            }
        }
    }

    /// The output of the program on `library`.
    pub fn output_on(&self, library: Library) -> String {
        let program = compile(&self.source, &self.area, false, &library);
        let program = program.expect("the program compiles");
        run(&program, &library, &self.environment).expect("the program runs").stdout
    }
}

/// Compares the output of a program with what was recorded, if anything was.
fn prints(outcome: &Outcome, whose: &str, recorded: Option<&str>) -> Result<(), String> {
    match recorded {
        Some(recorded) if recorded != outcome.stdout => {
            Err(difference(["recorded", whose], recorded, &outcome.stdout))
        }
        _ => Ok(()),
    }
}

fn compare(debian: &Outcome, ours: &Outcome) -> Result<(), String> {
    if debian.end == ours.end && debian.stdout == ours.stdout {
        // Equal timeouts are no result.
        return match ours.end {
            End::TimedOut => Err("it timed out on both libraries\n".to_owned()),
            _ => Ok(()),
        };
    }
    let mut why = String::new();
    if debian.end != ours.end {
        let _ = writeln!(why, "ended: Debian's {:?}, ours {:?}", debian.end, ours.end);
    }
    why += &difference(["Debian's", "ours"], &debian.stdout, &ours.stdout);
    for (whose, outcome) in [("Debian's", debian), ("ours", ours)] {
        if !outcome.stderr.is_empty() {
            let _ = writeln!(why, "stderr, {whose}:\n{}", outcome.stderr.trim_end());
        }
    }
    Err(why)
}

/// Formats both outputs side by side, from a few lines before the first difference.
fn difference(whose: [&str; 2], one: &str, other: &str) -> String {
    const BEFORE: usize = 3;
    const SHOWN: usize = 12;
    let (one, other): (Vec<_>, Vec<_>) = (one.lines().collect(), other.lines().collect());
    let length = one.len().max(other.len());
    let Some(first) = (0..length).find(|at| one.get(*at) != other.get(*at)) else {
        return String::new();
    };
    let mut out = format!("stdout differs from line {}:\n", first + 1);
    let _ = writeln!(out, "  {:<50} | {}", whose[0], whose[1]);
    for at in first.saturating_sub(BEFORE)..length.min(first + SHOWN) {
        let (left, right) = (one.get(at).unwrap_or(&""), other.get(at).unwrap_or(&""));
        let mark = if left == right { ' ' } else { '*' };
        let _ = writeln!(out, "{mark} {left:<50} | {right}");
    }
    out
}

fn aborted(ours: &Outcome, text: &str) -> Result<(), String> {
    if ours.end == End::Signal(SIGABRT) && contains_text(&ours.stderr, text) {
        return Ok(());
    }
    Err(format!("expected an abort with {text:?}\n{}", describe(ours)))
}

fn stderr_contains(ours: &Outcome, text: &str) -> Result<(), String> {
    if contains_text(&ours.stderr, text) {
        return Ok(());
    }
    Err(format!("expected {text:?} on stderr\n{}", describe(ours)))
}

/// Whether `stderr` contains `text`: ` ... ` separates parts of one line, ` /// ` separates parts
/// on successive lines, with or without other lines in between.
fn contains_text(stderr: &str, text: &str) -> bool {
    let mut lines = stderr.lines();
    text.split(" /// ").all(|wanted| lines.any(|line| has_parts(line, wanted)))
}

fn has_parts(mut line: &str, wanted: &str) -> bool {
    wanted.split(" ... ").all(|part| match line.split_once(part) {
        Some((_, rest)) => {
            line = rest;
            true
        }
        None => false,
    })
}

/// `/* env: NAME=value OTHER=value */`
fn environment(line: &str) -> Vec<(String, String)> {
    let marked = line.strip_prefix("/* env:").and_then(|line| line.strip_suffix("*/"));
    let settings = marked.unwrap_or_default().split_ascii_whitespace();
    let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    settings.filter_map(|setting| setting.split_once('=').map(pair)).collect()
}

fn holds(outcome: &Outcome, whose: &str) -> Result<(), String> {
    match outcome.end {
        End::Exit(0) => Ok(()),
        _ => Err(format!("its assertions do not hold on {whose}\n{}", describe(outcome))),
    }
}

/// Checks the assertions of a program on the newer libuv, if there is one.
fn holds_on_newer(run: impl Fn(&Library) -> Result<Outcome, String>) -> Result<(), String> {
    match Library::newer() {
        Some(newer) => holds(&run(&newer)?, "the newer libuv"),
        None => Ok(()),
    }
}

fn describe(outcome: &Outcome) -> String {
    let Outcome { end, stdout, stderr } = outcome;
    format!("ended: {end:?}\nstdout:\n{}\nstderr:\n{}\n", stdout.trim_end(), stderr.trim_end())
}
