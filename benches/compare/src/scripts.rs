//! `cargo xtask bench scripts`: `mauve run` and the `node` of this machine, in turns. The figure is
//! elapsed time, because that is what a user at a prompt waits for.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

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

pub fn run(rounds: usize) -> Result<(), String> {
    let node = Command::new("node").arg("--version").output().map_err(|e| format!("node: {e}"))?;
    let version = String::from_utf8_lossy(&node.stdout).trim().to_owned();
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked", "-p", "mauve-cli"]).current_dir(root());
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the command does not build".to_owned());
    }
    let mauve = target().join("release/mauve");
    let script = target().join("bench-script.js");
    println!("\nmauve run and node {version}: ratio of elapsed times, median of {rounds}\n");
    println!("| script | node, ms | mauve, ms | ratio | least to most | goal |");
    println!("| --- | ---: | ---: | ---: | --- | ---: |");
    for (title, text, goal) in SCRIPTS {
        std::fs::write(&script, text).map_err(|e| format!("{}: {e}", script.display()))?;
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            theirs.push(time(Command::new("node").arg(&script))?);
            ours.push(time(Command::new(&mauve).arg("run").arg(&script))?);
        }
        let ratios: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| a / b).collect();
        let goal = goal.map_or("-".to_owned(), |goal| format!("{goal:.1}"));
        let (least, middle, most) = spread(ratios);
        let (node, mauve) = (spread(theirs).1, spread(ours).1);
        println!(
            "| {title} | {node:.1} | {mauve:.1} | {middle:.2} | {least:.2} to {most:.2} | {goal} |"
        );
    }
    remove(&script)
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
