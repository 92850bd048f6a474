//! `cargo xtask guard`: what the hot paths cost, in numbers that no busy machine changes.
//!
//! `benches/guard/paths.c` goes down a path as often as it is told. It is run twice, once twice as
//! far as before; the difference, divided, is what going down once costs: whatever happens at the
//! start and at the end cancels out. System calls are counted by strace, allocations by the program
//! itself, instructions by callgrind. [`ledger`] has what they were when somebody last looked; a
//! count that has grown fails, with a hint at how to accept it.

mod counts;
mod ledger;

use std::path::PathBuf;
use std::process::Command;

use crate::build::{compiler, folder, our_library, quietly};
use crate::root;
use counts::{Counter, Missing};
use ledger::{Ledger, Verdict};

/// A path, and how often the program goes down it the first time.
struct Path {
    name: &'static str,
    times: u64,
    /// Whether another thread takes part: then instructions depend on who is faster.
    threads: bool,
}

const PATHS: &[Path] = &[
    Path { name: "tcp_echo", times: 1000, threads: false },
    Path { name: "tcp_echo_crowd", times: 1280, threads: false },
    Path { name: "tcp_short", times: 320, threads: false },
    Path { name: "write_batch", times: 300, threads: false },
    Path { name: "timer_restart", times: 10_000, threads: false },
    Path { name: "async_send", times: 1000, threads: false },
    Path { name: "queue_work", times: 1000, threads: true },
    Path { name: "fs_read", times: 1000, threads: false },
    Path { name: "udp_packet", times: 1000, threads: false },
];

/// Compares all counts with the ledger, or writes them into it. Returns how many were compared.
pub fn run(bless: bool) -> Result<usize, String> {
    let mut ledger = Ledger::read()?;
    let program = program()?;
    let mut missing: Vec<Missing> = Vec::new();
    let (mut compared, mut problems) = (0, Vec::new());
    for path in PATHS {
        for counter in Counter::ALL {
            if path.threads && *counter == Counter::Instructions {
                continue;
            }
            if missing.iter().any(|missing| missing.counter == *counter) {
                continue;
            }
            let measured = match per_time(&program, path, *counter) {
                Ok(measured) => measured,
                Err(problem) => match problem.into_missing(*counter) {
                    Ok(nothing) => {
                        missing.push(nothing);
                        continue;
                    }
                    Err(why) => return Err(format!("{}: {why}", path.name)),
                },
            };
            if bless {
                ledger.set(path.name, *counter, measured);
                continue;
            }
            let verdict = ledger.judge(path.name, *counter, measured);
            compared += 1;
            println!("{}", line(path.name, *counter, measured, &verdict));
            if let Verdict::Grown { .. } | Verdict::Unknown = verdict {
                problems.push(line(path.name, *counter, measured, &verdict));
            }
        }
    }
    for missing in &missing {
        println!("skipped {}: {}", missing.counter.title(), missing.why);
    }
    if bless {
        return ledger.write().map(|()| 0);
    }
    if problems.is_empty() {
        return Ok(compared);
    }
    let hint = "if that is worth it, `cargo xtask guard --bless` notes the new counts, and the \
                commit says why";
    Err(format!("hot paths cost more than they did:\n  {}\n{hint}", problems.join("\n  ")))
}

fn line(path: &str, counter: Counter, measured: f64, verdict: &Verdict) -> String {
    let what = counter.title();
    match verdict {
        Verdict::Unknown => format!("{path}: {measured:.2} {what}, and nothing to compare with"),
        Verdict::Held => format!("{path}: {measured:.2} {what}"),
        Verdict::Grown { noted, allowed } => {
            format!("{path}: {measured:.2} {what}, {noted:.2} noted, {allowed:.2} allowed")
        }
        Verdict::Shrunk { noted } => {
            format!("{path}: {measured:.2} {what}, down from {noted:.2}: `--bless` keeps it there")
        }
    }
}

/// What going down the path once costs.
fn per_time(
    program: &std::path::Path,
    path: &Path,
    counter: Counter,
) -> Result<f64, counts::Problem> {
    let once = counter.count(program, path.name, path.times)?;
    let twice = counter.count(program, path.name, path.times * 2)?;
    Ok((twice as f64 - once as f64) / path.times as f64)
}

/// The program, linked with our library as it is shipped.
fn program() -> Result<PathBuf, String> {
    let library = our_library()?;
    let program = folder()?.join("guard");
    let mut command: Command = compiler();
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-pthread"]);
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
    fn every_path_of_the_table_is_in_the_ledger() {
        let ledger = Ledger::read().unwrap();
        for path in PATHS {
            let verdict = ledger.judge(path.name, Counter::Allocations, 0.0);
            assert!(!matches!(verdict, Verdict::Unknown), "{}", path.name);
        }
    }
}
