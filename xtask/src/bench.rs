//! `cargo xtask bench`: the same C programs on libuv and on ours, as ratios.
//!
//! The programs of `benches/c` are compiled once and run in turns with either library, on one
//! core, so that whatever else the machine does hits both alike. They print CPU time per operation.
//! What counts is the median of the ratios; larger is better for us.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

const ROUNDS: usize = 9;
const QUICK_ROUNDS: usize = 3;

/// What the project wants to reach, by the name of the workload.
const GOALS: &[(&str, f64)] = &[
    ("timers 1,000,000, start", 2.0),
    ("timers 1,000,000, restart", 4.0),
    ("timers 1,000,000, stop", 8.0),
    ("timers 1,000,000, fire", 10.0),
    ("async ping-pong", 1.5),
    ("queue_work, depth 1", 1.8),
    ("queue_work, depth 32", 2.2),
    ("queue_work, depth 1,000", 3.0),
    ("cached 4 KiB read, depth 1", 8.0),
    ("cached 4 KiB read, depth 32", 3.5),
    ("stat, depth 1", 1.6),
    ("stat, depth 32", 1.8),
];

/// CPU nanoseconds per operation of each workload, in order of appearance.
type Times = Vec<(String, f64)>;

/// Runs the programs whose name contains `only`. The peer is the system's libuv, or the one in the
/// folder that `LIBUV_DIR` names.
pub fn run(quick: bool, only: &str) -> Result<(), String> {
    let ours = our_library()?;
    let peer = std::env::var("LIBUV_DIR").ok().map(PathBuf::from);
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    println!("libuv: {}", version(peer.as_deref())?);
    println!("ours:  {}", version(Some(&ours))?);
    println!("\n| workload | libuv, ns | ours, ns | ratio | spread | goal |");
    println!("| --- | ---: | ---: | ---: | --- | ---: |");
    for program in programs(only)? {
        let binary = compile(&program)?;
        let mut rows: BTreeMap<usize, (String, Vec<(f64, f64)>)> = BTreeMap::new();
        for _ in 0..rounds {
            let theirs = measure(&binary, peer.as_deref())?;
            let mine = measure(&binary, Some(&ours))?;
            for (i, ((name, theirs), (_, mine))) in theirs.into_iter().zip(mine).enumerate() {
                rows.entry(i).or_insert((name, Vec::new())).1.push((theirs, mine));
            }
        }
        for (name, samples) in rows.into_values().filter(|(name, _)| !name.starts_with('(')) {
            println!("{}", row(&name, &samples));
        }
    }
    Ok(())
}

fn row(name: &str, samples: &[(f64, f64)]) -> String {
    let theirs = median(samples.iter().map(|(theirs, _)| *theirs));
    let mine = median(samples.iter().map(|(_, mine)| *mine));
    let mut ratios: Vec<f64> = samples.iter().map(|(theirs, mine)| theirs / mine).collect();
    ratios.sort_by(f64::total_cmp);
    let (low, high) = (ratios[0], ratios[ratios.len() - 1]);
    let ratio = median(ratios);
    let goal = GOALS.iter().find(|(of, _)| *of == name).map(|(_, goal)| *goal);
    let goal = goal.map_or(String::new(), |goal| {
        format!("{goal:.1} {}", if ratio >= goal { "reached" } else { "missed" })
    });
    format!(
        "| {name} | {theirs:.1} | {mine:.1} | **{ratio:.2}** | {low:.2} to {high:.2} | {goal} |"
    )
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn folder() -> PathBuf {
    root().join("benches/c")
}

fn output() -> Result<PathBuf, String> {
    let output = root().join("target/bench");
    std::fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
    Ok(output)
}

fn programs(only: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder()).map_err(|e| e.to_string())?;
    let mut programs: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains(only)))
        .collect();
    programs.sort();
    Ok(programs)
}

fn compile(program: &Path) -> Result<PathBuf, String> {
    let binary = output()?.join(program.file_stem().unwrap_or_default());
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-pthread"]);
    command.arg("-I").arg(folder()).arg(program).arg("-o").arg(&binary).arg("-luv");
    succeed(&mut command)?;
    Ok(binary)
}

/// Builds our library and puts it under the name that programs ask for into a folder.
fn our_library() -> Result<PathBuf, String> {
    succeed(Command::new("cargo").args(["build", "--release", "-p", "mauve-uv"]))?;
    let folder = output()?.join("lib");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let library = root().join("target/release/libuv.so");
    std::fs::copy(&library, folder.join("libuv.so.1"))
        .map_err(|e| format!("{}: {e}", library.display()))?;
    Ok(folder)
}

fn version(library: Option<&Path>) -> Result<String, String> {
    let source = output()?.join("version.c");
    let text = "#include <stdio.h>\n#include <uv.h>\nint main(void) { puts(uv_version_string()); }";
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    run_with(&compile(&source)?, library).map(|text| text.trim().to_owned())
}

fn measure(binary: &Path, library: Option<&Path>) -> Result<Times, String> {
    let text = run_with(binary, library)?;
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(lines.filter_map(|(name, time)| Some((name.to_owned(), time.parse().ok()?))).collect())
}

fn run_with(binary: &Path, library: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(binary).env_remove("LD_LIBRARY_PATH");
    if let Some(library) = library {
        command.env("LD_LIBRARY_PATH", library);
    }
    let output = command.output().map_err(|e| format!("taskset: {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {errors}", binary.display()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
