//! `cargo xtask bench scripts`: `mauve run` and the `node` of this machine, in turns.
//!
//! The first table has elapsed times, because that is what a user at a prompt waits for. The second has
//! the CPU time of operations and requests, without the start.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use mauve_bench::Sample;
use mauve_bench::load::{CountSyscalls, Load};

use crate::peers::bounded;
use crate::{root, target};

/// A title, a script, and the wanted ratio to Node's time.
const SCRIPTS: &[(&str, &str, Option<f64>)] = &[
    ("start-up: an empty script", "", Some(3.0)),
    ("start-up: a line to the console", "console.log('hello', { a: 1 })", Some(3.0)),
    ("start-up: a file, read and written to the console", READ, None),
    ("100,000 ticks", TICKS, None),
    ("100,000 timers", "for (let i = 0; i < 100000; i++) setTimeout(() => {}, i % 50);", None),
];

const READ: &str =
    "require('fs').readFile('/etc/hostname', 'utf8', (e, text) => console.log(text))";
const TICKS: &str = "let n = 0; (function go() { if (++n < 100000) process.nextTick(go); })();";

/// The script of `benches/node` that prints the CPU time of several operations.
const OPERATIONS: &str = "language";

/// A title, a server of `benches/node`, and its argument.
const SERVERS: &[(&str, &str, &str)] = &[
    ("http: hello world", "http", ""),
    ("http: a listener of 'end'", "http_bodies", "end"),
    ("http: listeners of 'data' and 'end'", "http_bodies", "data"),
    ("http: write and end", "http_bodies", "write"),
];

const LOAD: &str = "http connections=20 warm=5000 count=10000";

/// The most CPU time, as a multiple of Node's.
const GOAL: f64 = 1.5;

pub fn run(passes: usize, save: bool) -> Result<(), String> {
    let node = Command::new("node").arg("--version").output().map_err(|e| format!("node: {e}"))?;
    let version = String::from_utf8_lossy(&node.stdout).trim().to_owned();
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked", "-p", "mauve-cli"]).current_dir(root());
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the command does not build".to_owned());
    }
    let mauve = target().join("release/mauve");
    let script = target().join("bench-script.js");
    let mut report = format!(
        "# `mauve run` and node {version}\n\n`cargo xtask bench scripts`: node and mauve in turns.\n\n\
         Elapsed time: node's divided by mauve's, median of {passes}\n\n\
         | script | node, ms | mauve, ms | ratio | least to most | goal |\n\
         | --- | ---: | ---: | ---: | --- | ---: |\n"
    );
    print!("{report}");
    for (title, text, goal) in SCRIPTS {
        std::fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..passes {
            theirs.push(time(Command::new("node").arg(&script))?);
            ours.push(time(Command::new(&mauve).arg("run").arg(&script))?);
        }
        let ratios: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| a / b).collect();
        let goal = goal.map_or("-".to_owned(), |goal| format!("{goal:.1}"));
        let (least, middle, most) = spread(ratios);
        let (node, mauve) = (spread(theirs).1, spread(ours).1);
        let row = format!(
            "| {title} | {node:.1} | {mauve:.1} | {middle:.2} | {least:.2} to {most:.2} | {goal} |\n"
        );
        print!("{row}");
        report += &row;
    }
    remove(&script)?;
    let table = cpu_table(&mauve, passes.div_ceil(3))?;
    print!("{table}");
    if save {
        let file = root().join("docs/bench/scripts.md");
        std::fs::write(&file, report + &table).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// The table of the CPU time per operation and request, and mauve's as a multiple of Node's.
fn cpu_table(mauve: &Path, passes: usize) -> Result<String, String> {
    let mut rows: Vec<(String, Vec<f64>, Vec<f64>)> = Vec::new();
    for _ in 0..passes {
        let (theirs, ours) = (samples(Command::new("node"))?, samples(on_mauve(mauve))?);
        for (theirs, ours) in theirs.into_iter().zip(ours) {
            match rows.iter_mut().find(|row| row.0 == theirs.name) {
                Some(row) => row.1.push(theirs.cpu),
                None => rows.push((theirs.name.clone(), vec![theirs.cpu], Vec::new())),
            }
            rows.iter_mut().filter(|row| row.0 == ours.name).for_each(|row| row.2.push(ours.cpu));
        }
    }
    for (title, server, argument) in SERVERS {
        let mut row = ((*title).to_owned(), Vec::new(), Vec::new());
        for _ in 0..passes {
            row.1.push(request(Command::new("node"), server, argument)?);
            row.2.push(request(on_mauve(mauve), server, argument)?);
        }
        rows.push(row);
    }
    let mut table = format!(
        "\nCPU time per operation, user and system: mauve's divided by node's, median of {passes}\n\n\
         | operation | node, ns | mauve, ns | ratio | least to most | at most {GOAL} |\n\
         | --- | ---: | ---: | ---: | --- | --- |\n"
    );
    for (title, theirs, ours) in rows {
        let (least, middle, most) = spread(ours.iter().zip(&theirs).map(|(a, b)| a / b).collect());
        let (node, mauve) = (spread(theirs).1, spread(ours).1);
        let verdict = if middle <= GOAL { "reached" } else { "**missed**" };
        table += &format!(
            "| {title} | {node:.0} | {mauve:.0} | {middle:.2} | {least:.2} to {most:.2} | {verdict} |\n"
        );
    }
    Ok(table)
}

fn on_mauve(mauve: &Path) -> Command {
    let mut command = Command::new(mauve);
    command.arg("run");
    command
}

fn file(name: &str) -> PathBuf {
    root().join("benches/node").join(format!("{name}.js"))
}

fn samples(mut command: Command) -> Result<Vec<Sample>, String> {
    Ok(Sample::all(&bounded(command.arg(file(OPERATIONS)))?))
}

/// The CPU time of a server per request.
fn request(mut command: Command, server: &str, argument: &str) -> Result<f64, String> {
    let load: Load = LOAD.parse()?;
    let sample = load.run(server, command.arg(file(server)).arg(argument), CountSyscalls::No);
    Ok(sample.map_err(|e| e.to_string())?.cpu)
}

fn remove(script: &Path) -> Result<(), String> {
    std::fs::remove_file(script).map_err(|e| format!("{}: {e}", script.display()))
}

/// Milliseconds from the start of a program to its end.
fn time(command: &mut Command) -> Result<f64, String> {
    let begin = Instant::now();
    let status = command.stdout(Stdio::null()).stdin(Stdio::null()).status();
    let status = status.map_err(|e| format!("{command:?}: {e}"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    Ok(begin.elapsed().as_secs_f64() * 1000.0)
}

/// The smallest, the median and the largest.
fn spread(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    (values[0], values[values.len() / 2], values[values.len() - 1])
}
