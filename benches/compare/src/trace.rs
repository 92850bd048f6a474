//! `cargo xtask bench trace`: what a trace costs the traced program.
//!
//! The same program runs without and with a trace, in turns, pinned to one core together with its
//! load generator. No command reads the records meanwhile: that would be another process.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mauve_bench::load::{CountSyscalls, Load};
use mauve_bench::{Sample, cpu};
use mauve_trace::layout::ring;

use crate::peers::{bounded, compiler, folder, on_library, our_library, quietly};
use crate::root;

/// The load of the goal.
const LOAD: &str = "stream connections=64 size=64 depth=1 count=100000 warm=10000";

/// The most additional CPU time per message, as a part of it.
const GOAL_SHARE: f64 = 0.1;
/// The most nanoseconds per record.
const GOAL_RECORD: f64 = 60.0;

/// The costs of one pass: nanoseconds of CPU time per operation, and records per operation.
#[derive(Clone, Copy)]
struct Pass {
    off: f64,
    on: f64,
    records: f64,
}

pub fn run(passes: usize, save: bool) -> Result<(), String> {
    cpu::pin(0).map_err(|e| format!("cannot use one core: {e}"))?;
    let (echo, idle) = (compile("server/stream.c")?, compile("trace.c")?);
    let (mut messages, mut iterations) = (Vec::new(), Vec::new());
    for pass in 1..=passes {
        messages.push(measure(|directory| echo_message(&echo, directory))?);
        iterations.push(measure(|directory| idle_iteration(&idle, directory))?);
        println!("pass {pass} of {passes}");
    }
    let text = report(&messages, &iterations);
    println!("\n{text}");
    if save {
        let file = root().join("docs/bench/trace.md");
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// Runs a workload without and with a trace. It returns its cost, and how many operations it had.
fn measure(
    workload: impl Fn(Option<&Path>) -> Result<(f64, usize), String>,
) -> Result<Pass, String> {
    let (off, _) = workload(None)?;
    let directory = Path::new("/dev/shm").join(format!("mauve-bench-trace-{}", std::process::id()));
    std::fs::create_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let traced = workload(Some(&directory));
    let records = records(&directory);
    // The files are in memory.
    let _ = std::fs::remove_dir_all(&directory);
    let (on, operations) = traced?;
    Ok(Pass { off, on, records: records? as f64 / operations as f64 })
}

/// The cost of a message for an echo server.
fn echo_message(server: &Path, directory: Option<&Path>) -> Result<(f64, usize), String> {
    let load: Load = LOAD.parse()?;
    let mut command = traced(server, directory)?;
    let sample = load.run("tcp echo", command.arg("tcp-echo"), CountSyscalls::No);
    let sample = sample.map_err(|e| e.to_string())?;
    Ok((sample.cpu, load.count + load.warm))
}

/// The cost of an iteration with many short callbacks.
fn idle_iteration(program: &Path, directory: Option<&Path>) -> Result<(f64, usize), String> {
    let printed = bounded(&mut traced(program, directory)?)?;
    let sample = Sample::all(&printed).pop().ok_or("it printed no sample")?;
    let source = std::fs::read_to_string(root().join("benches/c/trace.c"));
    let source = source.map_err(|e| e.to_string())?;
    let count = source.split("#define ITERATIONS ").nth(1).and_then(|rest| rest.lines().next());
    let count = count.and_then(|count| count.parse().ok()).ok_or("trace.c has no ITERATIONS")?;
    Ok((sample.cpu, count))
}

fn traced(program: &Path, directory: Option<&Path>) -> Result<Command, String> {
    let mut command = Command::new(program);
    on_library(&mut command, Some(&our_library()?));
    command.env_remove("MAUVE_TRACE").env_remove("MAUVE_WATCHDOG");
    command.envs(directory.map(|directory| ("MAUVE_TRACE", directory)));
    Ok(command)
}

/// How many records the threads of a program have written.
fn records(directory: &Path) -> Result<u64, String> {
    let files = std::fs::read_dir(directory).map_err(|e| e.to_string())?;
    let mut sum = 0;
    for file in files.flatten().map(|file| file.path()) {
        if file.extension().is_some_and(|extension| extension == "ring") {
            let bytes = std::fs::read(&file).map_err(|e| e.to_string())?;
            let (words, _) = bytes.as_chunks::<8>();
            sum += words.get(ring::WRITTEN).copied().map_or(0, u64::from_ne_bytes);
        }
    }
    if sum == 0 { Err("the program has recorded nothing".to_owned()) } else { Ok(sum) }
}

fn compile(name: &str) -> Result<PathBuf, String> {
    let sources = root().join("benches/c");
    let binary = folder()?.join(format!("traced-{}", name.replace('/', "-")));
    let mut command = compiler();
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-pthread", "-I"]);
    command.arg(root().join("crates/mauve-uv/include")).arg("-I").arg(&sources);
    command.arg(sources.join(name)).arg("-o").arg(&binary);
    quietly(command.arg(our_library()?.join("libuv.so.1")))?;
    Ok(binary)
}

fn report(messages: &[Pass], iterations: &[Pass]) -> String {
    let share = |pass: &Pass| pass.on / pass.off - 1.0;
    let each = |pass: &Pass| (pass.on - pass.off) / pass.records;
    let shares = spread(messages.iter().map(share));
    let records = spread(iterations.iter().map(each));
    let mut text = format!(
        "# What a trace costs\n\n`cargo xtask bench trace`, {} passes without and with a trace in \
         turns, on one core. CPU time of the traced program, user and system, in nanoseconds; \
         medians.\n\n",
        messages.len()
    );
    text += "| workload | without | with | records | more | least to most | goal |\n";
    text += "| --- | ---: | ---: | ---: | ---: | --- | --- |\n";
    let verdict = |reached: bool| if reached { "reached" } else { "**missed**" };
    for (title, passes, (least, middle, most), goal) in [
        ("tcp echo 64 B, 64 connections, a message", messages, shares, Some(GOAL_SHARE)),
        ("iteration with 64 idle handles", iterations, spread(iterations.iter().map(share)), None),
    ] {
        let median = |of: fn(&Pass) -> f64| spread(passes.iter().map(of)).1;
        let goal = goal.map_or("-".to_owned(), |goal| {
            format!("{:.0} %, {}", goal * 100.0, verdict(middle <= goal))
        });
        let _ = writeln!(
            text,
            "| {title} | {:.0} | {:.0} | {:.2} | {:.1} % | {:.1} % to {:.1} % | {goal} |",
            median(|pass| pass.off),
            median(|pass| pass.on),
            median(|pass| pass.records),
            middle * 100.0,
            least * 100.0,
            most * 100.0,
        );
    }
    let (least, middle, most) = records;
    let _ = writeln!(
        text,
        "\nA record takes {middle:.1} ns ({least:.1} to {most:.1}), the difference of the second row \
         by its records. Goal {GOAL_RECORD:.0} ns, {}.",
        verdict(middle <= GOAL_RECORD)
    );
    text
}

/// The smallest, the median and the largest.
fn spread(values: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[0], values[values.len() / 2], values[values.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_the_medians_and_says_whether_the_goals_are_reached() {
        let message = |on| Pass { off: 1000.0, on, records: 4.0 };
        let iteration = Pass { off: 200.0, on: 8200.0, records: 100.0 };
        let text = report(&[message(1050.0), message(1200.0), message(1080.0)], &[iteration]);
        assert!(text.contains("| 1000 | 1080 | 4.00 | 8.0 % | 5.0 % to 20.0 % | 10 %, reached |"));
        assert!(text.contains("A record takes 80.0 ns (80.0 to 80.0)"), "{text}");
        assert!(text.contains("Goal 60 ns, **missed**"), "{text}");
    }
}
