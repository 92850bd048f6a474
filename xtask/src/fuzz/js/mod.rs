//! `cargo xtask fuzz js`: runs random scripts under node and under `mauve run`.
//!
//! A script counts only if node prints the same in several runs, because system events race with
//! timers. The runs delay the script by different times, and its timers take a multiple of their
//! durations, so that a race shows. A difference counts only if mauve, too, prints the same in several
//! runs. It is minimised and printed.

mod generate;
mod minimise;
mod program;
mod verbs;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::build::{cargo, quietly};
use crate::{files, parallel, target};

use super::Seeds;
use program::Program;

/// The number of seeds in `cargo xtask test`.
const QUICK_SEEDS: u64 = 50;

/// The number of runs that must agree, under node and under mauve.
const RUNS: usize = 3;

/// The same for a script that has differed. Timers that race are rarely in the same order so often.
const SUSPECT_RUNS: usize = 8;

/// The number of different delays of scripts.
const DELAYS: usize = 4;

/// The factors of durations, in the order of the runs.
const SCALES: [usize; 3] = [1, 4, 2];

/// The number of scripts that run in parallel, and the same for scripts with a difference. Few, so
/// that other load does not change their timing.
const THREADS: usize = 3;
const SUSPECT_THREADS: usize = 1;

/// The number of differences that are minimised and printed.
const SHOWN: usize = 5;

const TIMEOUT: Duration = Duration::from_secs(5);

/// An exception inside node: clearImmediate in a microtask of an immediate whose tick throws corrupts
/// its queue, and all further immediates throw this.
const BROKEN: &str = "(reading '_idleNext')";

/// The command line.
#[derive(Args, Debug)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
}

impl Options {
    /// The options of `cargo xtask test`.
    pub fn quick() -> Self {
        Self { seeds: Seeds::first(QUICK_SEEDS) }
    }
}

/// The result of a script.
enum Verdict {
    Same,
    /// The outputs of node differ between runs.
    Unstable,
    /// The outputs of mauve differ between runs, for a script on which those of node agreed.
    Flaky,
    Different {
        node: String,
        ours: String,
    },
}

/// Runs the scripts of all seeds. Returns how many printed the same.
pub fn run(options: &Options) -> Result<usize, String> {
    let seeds = options.seeds.range();
    if options.seeds.print_script {
        print!("{}", generate::program(seeds.start));
        return Ok(0);
    }
    let begin = Instant::now();
    let runner = Runner::new()?;
    let seeds: Vec<u64> = seeds.collect();
    let (same, unstable) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (flaky, different) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let judge = |seed: u64, is_suspect: bool| -> Result<bool, String> {
        let program = generate::program(seed);
        let runs = if is_suspect { SUSPECT_RUNS } else { RUNS };
        match runner.compare(&program, runs)? {
            Verdict::Same => _ = same.fetch_add(1, Ordering::Relaxed),
            Verdict::Unstable => _ = unstable.fetch_add(1, Ordering::Relaxed),
            _ if !is_suspect => return Ok(false),
            Verdict::Flaky => flaky.lock().expect("no panic").push(seed),
            Verdict::Different { .. } => different.lock().expect("no panic").push(seed),
        }
        Ok(true)
    };
    let suspects = Mutex::new(Vec::new());
    parallel::for_each(THREADS, &seeds, |&seed| {
        if !judge(seed, false)? {
            suspects.lock().expect("no panic").push(seed);
        }
        Ok(())
    })?;
    let suspects = suspects.into_inner().expect("no panic");
    parallel::for_each(SUSPECT_THREADS, &suspects, |&seed| judge(seed, true).map(drop))?;
    let (same, unstable) = (same.into_inner(), unstable.into_inner());
    let mut different = different.into_inner().expect("no panic");
    let flaky = flaky.into_inner().expect("no panic");
    different.sort_unstable();
    println!(
        "{same} scripts the same, {} different {different:?}, {} flaky {flaky:?}, {unstable} discarded because \
         node's own outputs differ; {:.1} s",
        different.len(),
        flaky.len(),
        begin.elapsed().as_secs_f64(),
    );
    for seed in different.iter().take(SHOWN) {
        runner.print_smallest(*seed)?;
    }
    match different.len() {
        0 => Ok(same),
        _ => Err(format!("{} scripts print something else: {different:?}", different.len())),
    }
}

/// Runs scripts under node and under mauve.
struct Runner {
    mauve: PathBuf,
    folder: PathBuf,
}

impl Runner {
    /// Builds mauve.
    fn new() -> Result<Self, String> {
        // With the features of the whole workspace, so that the tests' build is used.
        quietly(cargo().args(["build", "-q", "--locked", "--workspace", "--bin", "mauve"]))?;
        let folder = files::create(super::folder()?.join(format!("js-{}", std::process::id())))?;
        Ok(Self { mauve: target().join("debug/mauve"), folder })
    }

    fn compare(&self, program: &Program, runs: usize) -> Result<Verdict, String> {
        let script = self.folder.join(unique_name());
        files::write(&script, program.to_string())?;
        let verdict = self.compare_file(&script, runs);
        let _ = std::fs::remove_file(&script);
        verdict
    }

    fn compare_file(&self, script: &Path, runs: usize) -> Result<Verdict, String> {
        let node = |run: usize| {
            let mut command = Command::new("node");
            command.arg(script).env("PATH", crate::setup::path());
            output(delayed(&mut command, run))
        };
        let expected = node(0)?;
        if expected.contains(BROKEN) {
            return Ok(Verdict::Unstable);
        }
        for run in 1..runs {
            if node(run)? != expected {
                return Ok(Verdict::Unstable);
            }
        }
        let mauve = |run| output(delayed(Command::new(&self.mauve).arg("run").arg(script), run));
        let ours = mauve(0)?;
        if ours == expected {
            return Ok(Verdict::Same);
        }
        for run in 1..runs {
            if mauve(run)? != ours {
                return Ok(Verdict::Flaky);
            }
            // Timing may have changed since the first runs.
            if node(run)? != expected {
                return Ok(Verdict::Unstable);
            }
        }
        Ok(Verdict::Different { node: expected, ours })
    }

    /// Minimises the program of a seed, and prints it with both outputs.
    fn print_smallest(&self, seed: u64) -> Result<(), String> {
        let differs = |program: &Program| {
            Ok(matches!(self.compare(program, RUNS)?, Verdict::Different { .. }))
        };
        let smallest = minimise::minimise(generate::program(seed), differs)?;
        let text = smallest.to_string();
        println!("\n-- seed {seed}: a difference\n{text}");
        if let Verdict::Different { node, ours } = self.compare(&smallest, RUNS)? {
            let (node, ours): (Vec<&str>, Vec<&str>) =
                (node.lines().collect(), ours.lines().collect());
            for at in 0..node.len().max(ours.len()) {
                let line = |lines: &[&str]| lines.get(at).copied().unwrap_or_default().to_owned();
                println!("   node {:<32} mauve {}", line(&node), line(&ours));
            }
        }
        Ok(())
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Sets the delay and the factor of durations of a run.
fn delayed(command: &mut Command, run: usize) -> &mut Command {
    command.env("DELAY", (run % DELAYS).to_string());
    command.env("SCALE", SCALES[run % SCALES.len()].to_string())
}

fn unique_name() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("{}.js", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// What a script prints, and its exit status. A script that does not end is killed.
fn output(command: &mut Command) -> Result<String, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|e| format!("{name}: {e}"))?;
    let stdout = child.stdout.take().expect("a pipe");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(std::io::read_to_string(stdout)));
    let text = receiver.recv_timeout(TIMEOUT).or_else(|_| {
        let _ = child.kill();
        receiver.recv()
    });
    let text = text.expect("the thread sends").map_err(|e| e.to_string())?;
    let status = child.wait().map_err(|e| e.to_string())?;
    Ok(format!("{text}{status}"))
}
