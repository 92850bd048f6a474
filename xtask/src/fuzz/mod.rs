//! `cargo xtask fuzz`: differential fuzzing. Runs random programs on libuv and on mauve.
//!
//! * [`generate`] generates a script from a seed, out of [`verbs`].
//! * [`run`](mod@run) runs a script on one library, with the interpreter in `xtask/fuzz` (in C).
//! * [`compare`](mod@compare) runs a script on both libraries and compares the traces.
//! * [`js`] does the same for scripts under node and under `mauve run`.
//! * [`minimise`] shrinks a script with a difference; [`report`] prints it.

mod compare;
mod generate;
pub mod js;
mod minimise;
mod options;
mod random;
mod report;
mod run;
mod script;
mod verbs;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::{bench, build, files, parallel, target};

use compare::{Difference, Verdict, agree, compare};
pub use options::Options;
use options::{Reference, Seeds};
use run::Runner;

/// The number of scripts that run in parallel.
const THREADS: usize = 4;

/// The same for suspects. Few, so that other load does not change their timing.
const SUSPECT_THREADS: usize = 2;

/// The results of all seeds.
#[derive(Default)]
struct Tally {
    same: AtomicUsize,
    discarded: AtomicUsize,
    flaky: Mutex<Vec<u64>>,
    different: Mutex<Vec<(u64, Difference)>>,
}

/// Runs the scripts of all seeds. Returns how many produced the same trace.
pub fn run(options: &Options) -> Result<usize, String> {
    let seeds = options.seeds.range();
    if options.seeds.print_script {
        print!("{}", generate::script(seeds.start, &options.areas));
        return Ok(0);
    }
    let runner = Runner::build(reference(options)?, ours(options)?)?;
    if let Some(file) = &options.script {
        return replay(&runner, file);
    }
    let begin = Instant::now();
    let tally = Tally::default();
    let seeds: Vec<u64> = seeds.collect();
    let suspects = suspects(&runner, options, &seeds, &tally)?;
    confirm(&runner, options, &suspects, &tally)?;
    summarise(&seeds, &tally, begin.elapsed().as_secs_f64());
    let mut different = tally.different.into_inner().expect("no panic");
    different.sort_by_key(|(seed, _)| *seed);
    let count = different.len();
    for (seed, difference) in report::distinct(different).into_iter().take(options.show) {
        let script = generate::script(seed, &options.areas);
        let (script, difference) = minimise::minimise(&runner, script, difference)?;
        report::print(&runner, seed, &script, &difference)?;
    }
    let same = tally.same.into_inner();
    if count == 0 { Ok(same) } else { Err(format!("{count} seeds behave differently")) }
}

/// Runs each script once on both libraries. Returns the seeds with a difference.
fn suspects(
    runner: &Runner,
    options: &Options,
    seeds: &[u64],
    tally: &Tally,
) -> Result<Vec<u64>, String> {
    let suspects = Mutex::new(Vec::new());
    parallel::for_each(THREADS, seeds, |&seed| {
        let enough = suspects.lock().expect("no panic").len() >= 2 * options.limit;
        if enough {
            return Ok(());
        }
        if agree(runner, &generate::script(seed, &options.areas))? {
            tally.same.fetch_add(1, Ordering::Relaxed);
        } else {
            suspects.lock().expect("no panic").push(seed);
        }
        Ok(())
    })?;
    let mut suspects = suspects.into_inner().expect("no panic");
    suspects.sort_unstable();
    Ok(suspects)
}

/// Runs the scripts of suspects several times, and counts the verdicts.
fn confirm(
    runner: &Runner,
    options: &Options,
    suspects: &[u64],
    tally: &Tally,
) -> Result<(), String> {
    parallel::for_each(SUSPECT_THREADS, suspects, |&seed| {
        match compare(runner, &generate::script(seed, &options.areas))? {
            Verdict::Same => {
                tally.same.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Discarded => {
                tally.discarded.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Flaky => tally.flaky.lock().expect("no panic").push(seed),
            Verdict::Different(difference) => {
                tally.different.lock().expect("no panic").push((seed, difference));
            }
        }
        Ok(())
    })
}

fn summarise(seeds: &[u64], tally: &Tally, seconds: f64) {
    let different = tally.different.lock().expect("no panic").len();
    let flaky = tally.flaky.lock().expect("no panic");
    let (same, discarded) =
        (tally.same.load(Ordering::Relaxed), tally.discarded.load(Ordering::Relaxed));
    println!(
        "{} seeds from {}: {same} the same, {different} different, {} flaky, {discarded} discarded \
         because libuv's own traces differ; {seconds:.1} s",
        seeds.len(),
        seeds.first().copied().unwrap_or_default(),
        flaky.len(),
    );
    if !flaky.is_empty() {
        println!("flaky: {flaky:?}");
    }
    let ran = same + different + flaky.len() + discarded;
    let left = seeds.len().saturating_sub(ran);
    if left > 0 {
        println!("{left} seeds were not run, because too many before them differed (--limit)");
    }
}

/// Compares the libraries on a script from a file.
fn replay(runner: &Runner, file: &std::path::Path) -> Result<usize, String> {
    let text = files::read(file)?;
    let libuv = runner.trace(run::Library::Libuv, &text)?;
    let ours = runner.trace(run::Library::Mauve, &text)?;
    println!("{libuv}");
    if libuv == ours {
        return Ok(1);
    }
    println!("-- mauve\n{ours}");
    Err("the traces differ".to_owned())
}

/// The folder with the libuv to compare with; `None` for the system's.
fn reference(options: &Options) -> Result<Option<PathBuf>, String> {
    match options.reference() {
        Reference::System => Ok(None),
        Reference::In(folder) => Ok(Some(folder)),
        Reference::Libuv153 => {
            let built = bench::libuv();
            built.map(Some).map_err(|why| format!("cannot build libuv 1.53 (try --system): {why}"))
        }
    }
}

/// The folder with the library under test.
fn ours(options: &Options) -> Result<PathBuf, String> {
    options.library.clone().map_or_else(build::our_library, Ok)
}

/// The output folder.
fn folder() -> Result<PathBuf, String> {
    files::create(target().join("fuzz"))
}
