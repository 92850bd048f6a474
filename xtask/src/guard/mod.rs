//! `cargo xtask guard`: the cost of the hot paths, in counts that do not depend on other load.
//!
//! `benches/guard/paths.c` repeats a path N times. It runs with N and with 2 N repetitions; the
//! difference divided by N is the cost of one repetition, without the cost of start and exit.
//! [`counter`] counts system calls, allocations and instructions. [`baseline`] compares them with
//! the recorded counts. A count that has grown fails; `--bless` records the new counts.

mod baseline;
mod counter;

use std::path::PathBuf;
use std::process::Command;

use crate::build::{compiler, folder, our_library, quietly};
use crate::root;
use crate::tally::Tally;
use baseline::{Baseline, Verdict};
use counter::{Counter, Missing};

/// A hot path.
struct HotPath {
    name: &'static str,
    /// Repetitions in the shorter run.
    times: u64,
    /// Whether other threads take part. Then instructions depend on scheduling and are not counted.
    threads: bool,
}

impl HotPath {
    /// Whether this is counted.
    fn has(&self, counter: Counter) -> bool {
        !(self.threads && counter == Counter::Instructions)
    }
}

const PATHS: &[HotPath] = &[
    HotPath { name: "tcp_echo", times: 1000, threads: false },
    HotPath { name: "tcp_echo_many", times: 1280, threads: false },
    HotPath { name: "tcp_short", times: 320, threads: false },
    HotPath { name: "write_batch", times: 300, threads: false },
    HotPath { name: "timer_restart", times: 10_000, threads: false },
    HotPath { name: "async_send", times: 1000, threads: false },
    HotPath { name: "queue_work", times: 1000, threads: true },
    HotPath { name: "fs_read", times: 1000, threads: false },
    HotPath { name: "udp_packet", times: 1000, threads: false },
];

/// Compares all counts with the baseline, or records them. Skips those whose tool is missing.
pub fn run(bless: bool) -> Result<Tally, String> {
    let mut baseline = Baseline::read()?;
    let program = program()?;
    let mut missing: Vec<Missing> = Vec::new();
    let (mut compared, mut problems) = (0, Vec::new());
    for path in PATHS {
        for counter in Counter::ALL {
            if !path.has(*counter) {
                continue;
            }
            if missing.iter().any(|missing| missing.counter == *counter) {
                continue;
            }
            let measured = match per_repetition(&program, path, *counter) {
                Ok(measured) => measured,
                Err(problem) => match problem.into_missing(*counter) {
                    Ok(tool) => {
                        missing.push(tool);
                        continue;
                    }
                    Err(why) => return Err(format!("{}: {why}", path.name)),
                },
            };
            if bless {
                baseline.set(path.name, *counter, measured);
                continue;
            }
            let verdict = baseline.compare(path.name, *counter, measured);
            compared += 1;
            println!("{}", line(path.name, *counter, measured, &verdict));
            if let Verdict::Grown { .. } | Verdict::Unknown = verdict {
                problems.push(line(path.name, *counter, measured, &verdict));
            }
        }
    }
    let mut tally = Tally::passed(compared);
    for missing in &missing {
        let what = missing.counter.title();
        let count = PATHS.iter().filter(|path| path.has(missing.counter)).count();
        println!("skipped {what}: {}", missing.why);
        tally.skip(count, format!("{what}: {}", missing.why));
    }
    if bless {
        return baseline.write().map(|()| Tally::default());
    }
    if problems.is_empty() {
        return Ok(tally);
    }
    let hint =
        "to accept the new counts, run `cargo xtask guard --bless` and say why in the commit";
    Err(format!("hot paths have become more expensive:\n  {}\n{hint}", problems.join("\n  ")))
}

fn line(path: &str, counter: Counter, measured: f64, verdict: &Verdict) -> String {
    let what = counter.title();
    match verdict {
        Verdict::Unknown => format!("{path}: {measured:.2} {what}, none recorded"),
        Verdict::Unchanged => format!("{path}: {measured:.2} {what}"),
        Verdict::Grown { recorded, allowed } => {
            format!("{path}: {measured:.2} {what}, {recorded:.2} recorded, {allowed:.2} allowed")
        }
        Verdict::Shrunk { recorded } => {
            format!(
                "{path}: {measured:.2} {what}, down from {recorded:.2}: record it with `--bless`"
            )
        }
    }
}

/// The count of one repetition.
fn per_repetition(
    program: &std::path::Path,
    path: &HotPath,
    counter: Counter,
) -> Result<f64, counter::Problem> {
    let once = counter.count(program, path.name, path.times)?;
    let twice = counter.count(program, path.name, path.times * 2)?;
    Ok((twice as f64 - once as f64) / path.times as f64)
}

/// Builds the program of hot paths, linked with the release library.
fn program() -> Result<PathBuf, String> {
    let library = our_library()?;
    let program = folder()?.join("guard");
    let mut command: Command = compiler();
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-pthread"]);
    command.arg("-I").arg(root().join("crates/mauve-uv/include"));
    command.arg(root().join("benches/guard/paths.c")).arg("-o").arg(&program);
    command.arg(library.join("libuv.so.1"));
    command.arg(format!("-Wl,-rpath,{}", library.display()));
    quietly(&mut command)?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_has_every_hot_path() {
        let baseline = Baseline::read().unwrap();
        for path in PATHS {
            let verdict = baseline.compare(path.name, Counter::Allocations, 0.0);
            assert!(!matches!(verdict, Verdict::Unknown), "{}", path.name);
        }
    }
}
