//! `cargo xtask fuzz`: random programs on libuv and on mauve, which have to behave alike.
//!
//! * [`generate`] makes a script from a seed, out of [`verbs`].
//! * [`run`] has the interpreter, a C program in `xtask/fuzz`, carry it out on a library.
//! * [`compare`] runs it on both and tells a difference from an accident.
//! * [`minimise`] removes what a difference does not need; [`report`] prints the rest.

mod compare;
mod generate;
mod minimise;
mod options;
mod random;
mod report;
mod run;
mod script;
mod verbs;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use crate::bench::libuv::{Release, Source};
use crate::{programs, target};

use compare::{Difference, Verdict, compare};
pub use options::Options;
use options::Reference;
use run::Runner;

/// How many scripts run side by side. They mostly wait for their timers.
const SIDE_BY_SIDE: usize = 16;

/// What came of all seeds.
#[derive(Default)]
struct Tally {
    same: AtomicUsize,
    discarded: AtomicUsize,
    unsteady: Mutex<Vec<u64>>,
    different: Mutex<Vec<(u64, Difference)>>,
}

/// Runs the scripts of all seeds. Returns how many gave the same trace.
pub fn run(options: &Options) -> Result<usize, String> {
    let runner = Runner::build(reference(options)?, ours(options)?)?;
    if let Some(file) = &options.script {
        return replay(&runner, file);
    }
    let begin = Instant::now();
    let (next, tally) = (AtomicU64::new(options.first), Tally::default());
    let end = options.first + options.seeds;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..SIDE_BY_SIDE)
            .map(|_| scope.spawn(|| work(&runner, options, &next, end, &tally)))
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })?;
    summarise(options, &tally, begin.elapsed().as_secs_f64());
    let mut different = tally.different.into_inner().expect("no panic");
    different.sort_by_key(|(seed, _)| *seed);
    let count = different.len();
    for (seed, difference) in different.into_iter().take(options.shown) {
        let script = generate::script(seed, &options.areas);
        let (script, difference) = minimise::minimise(&runner, script, difference)?;
        report::print(&runner, seed, &script, &difference)?;
    }
    let same = tally.same.into_inner();
    if count == 0 { Ok(same) } else { Err(format!("{count} seeds behave differently")) }
}

/// One worker: takes seeds until there are no more, or enough differences.
fn work(
    runner: &Runner,
    options: &Options,
    next: &AtomicU64,
    end: u64,
    tally: &Tally,
) -> Result<(), String> {
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        let enough = tally.different.lock().expect("no panic").len() >= options.limit;
        if seed >= end || enough {
            return Ok(());
        }
        match compare(runner, &generate::script(seed, &options.areas))? {
            Verdict::Same => {
                tally.same.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Discarded => {
                tally.discarded.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Unsteady => tally.unsteady.lock().expect("no panic").push(seed),
            Verdict::Different(difference) => {
                tally.different.lock().expect("no panic").push((seed, difference));
            }
        }
    }
}

fn summarise(options: &Options, tally: &Tally, seconds: f64) {
    let different = tally.different.lock().expect("no panic").len();
    let unsteady = tally.unsteady.lock().expect("no panic");
    let (same, discarded) =
        (tally.same.load(Ordering::Relaxed), tally.discarded.load(Ordering::Relaxed));
    println!(
        "seeds {} to {}: {same} the same, {different} different, {} unsteady, {discarded} \
         discarded because libuv's own traces differ; {seconds:.1} s",
        options.first,
        options.first + options.seeds - 1,
        unsteady.len(),
    );
    if !unsteady.is_empty() {
        println!("unsteady: {unsteady:?}");
    }
}

/// Compares the libraries on the script of a file.
fn replay(runner: &Runner, file: &std::path::Path) -> Result<usize, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let libuv = runner.trace(run::On::Libuv, &text)?;
    let ours = runner.trace(run::On::Ours, &text)?;
    println!("{libuv}");
    if libuv == ours {
        return Ok(1);
    }
    println!("-- mauve\n{ours}");
    Err("the traces differ".to_owned())
}

/// The folder with the libuv to compare with; `None` for the system's.
fn reference(options: &Options) -> Result<Option<PathBuf>, String> {
    match &options.reference {
        Reference::System => Ok(None),
        Reference::In(folder) => Ok(Some(folder.clone())),
        Reference::Promised => {
            let source = Source::fetch(Release::OfTheGoals)
                .map_err(|why| format!("libuv 1.52 is not to be had (--system?): {why}"))?;
            let built = folder()?.join("libuv-1.52");
            source.build(&built)?;
            Ok(Some(built))
        }
    }
}

/// The folder with the library that is tested.
fn ours(options: &Options) -> Result<PathBuf, String> {
    if let Some(folder) = &options.library {
        return Ok(folder.clone());
    }
    let library = programs::our_library()?;
    let folder = folder()?.join("mauve");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let name = folder.join("libuv.so.1");
    // Not over the old one: a program that still runs may have it mapped.
    let _ = std::fs::remove_file(&name);
    std::fs::copy(&library, &name).map_err(|e| format!("{}: {e}", library.display()))?;
    Ok(folder)
}

/// The folder for everything that a run makes.
fn folder() -> Result<PathBuf, String> {
    let folder = target().join("fuzz");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}
