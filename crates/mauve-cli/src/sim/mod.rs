//! `mauve sim PROGRAM`: runs a program under many legal orders of its events, to find its races.
//!
//! The engine in the program draws the order from a seed (`mauve_core::schedule`), which this command passes
//! in the environment, and writes its decisions to a log. This command runs the seeds, and repeats and minimises
//! the log of one that fails.

mod log;
mod minimise;
mod program;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use clap::{ArgMatches, value_parser};
use mauve::signal::SignalKind;
use mauve::{Loop, RunMode, Signal};
use mauve_core::schedule::{Decision, FaultRates, Key};
use mauve_trace::model::Callback;
use mauve_trace::{Trace, format};

use crate::arguments::{flag, option, program, value, values};
use crate::trace::{output, time};
use crate::with::{self, Refusal};
use program::{Failure, Program, Run, Schedule};

/// The arguments of `mauve sim`.
pub struct Arguments {
    seeds: u64,
    seed: Option<u64>,
    replay: Option<PathBuf>,
    keep_going: bool,
    minimise: bool,
    check_determinism: bool,
    timeout: Duration,
    log: PathBuf,
    trace: Option<PathBuf>,
    real_time: bool,
    faults: Option<FaultRates>,
    random: bool,
    same_output: bool,
    library: Option<PathBuf>,
    program: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  mauve sim app.js                         run a script under 100 seeds
  mauve sim --seeds 1000 -- node app.js    run another program
  mauve sim --seed 17 -- node app.js       repeat a seed that has failed
  mauve sim --seed 17 --minimise app.js    ... and say which decisions it needs
  mauve sim --replay sim.log app.js        repeat the decisions of a file
  mauve sim --trace page.html app.js       show the decisions of a failing run
  mauve sim --faults=net:0.02 server.js    let connections break, too";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    clap::Command::new("sim")
        .about("Find races: run a program under many legal orders of its events, and repeat one")
        .after_help(EXAMPLES)
        .args([
            option("seeds", "N", "How many seeds to run, from 1 on")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("100"),
            option("seed", "S", "Run this seed only, and print what the program prints")
                .value_parser(value_parser!(u64))
                .conflicts_with("seeds"),
            option("replay", "FILE", "Repeat the decisions of this file")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with_all(["seed", "seeds"]),
            flag("keep-going", "Run all seeds, and count those that fail"),
            flag("minimise", "Drop decisions while the program still fails, and print the rest"),
            flag("check-determinism", "Run a seed twice, and print the first difference")
                .conflicts_with_all(["minimise", "keep-going", "replay"]),
            option("timeout", "TIME", "How long a run may take before it counts as a hang")
                .value_parser(time)
                .default_value("30s"),
            option(
                "time",
                "CLOCK",
                "Whether time jumps to the next timer when the program waits, or passes",
            )
            .value_parser(["virtual", "real"])
            .default_value("virtual"),
            option("faults", "RATES", "Let calls fail: net, fs, dns and child, each with a rate")
                .value_parser(value_parser!(FaultRates))
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("net:0.01,fs:0.01,dns:0.01,child:0.01"),
            flag("random", "Give Math.random the seed, too: in scripts, and in Node"),
            flag("same-output", "A run that prints something else than the first one fails, too"),
            option("log", "FILE", "Where the decisions of a run that fails are written")
                .value_parser(value_parser!(PathBuf))
                .default_value("sim.log"),
            option(
                "trace",
                "FILE",
                "Write a trace of the run that fails, or of the one seed or file: .html for a page with \
                 its decisions",
            )
            .value_parser(value_parser!(PathBuf))
            .conflicts_with("check-determinism"),
            with::library_option(),
            program("program", "PROGRAM", "The program or script, and its arguments")
                .value_parser(value_parser!(OsString))
                .required(true),
        ])
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self {
            seeds: value(matches, "seeds"),
            seed: matches.remove_one("seed"),
            replay: matches.remove_one("replay"),
            keep_going: matches.get_flag("keep-going"),
            minimise: matches.get_flag("minimise"),
            check_determinism: matches.get_flag("check-determinism"),
            timeout: value(matches, "timeout"),
            log: value(matches, "log"),
            trace: matches.remove_one("trace"),
            faults: matches.remove_one("faults"),
            random: matches.get_flag("random"),
            same_output: matches.get_flag("same-output"),
            real_time: value::<String>(matches, "time") == "real",
            library: matches.remove_one("library"),
            program: values(matches, "program"),
        }
    }

    /// The options and the program of a command that repeats a run.
    fn command(&self, options: &str) -> String {
        let words: Vec<_> = self.program.iter().map(|word| word.to_string_lossy()).collect();
        let mut options = options.to_owned();
        if let Some(faults) = self.faults {
            options += &format!(" --faults={faults}");
        }
        if self.random {
            options += " --random";
        }
        if self.same_output {
            options += " --same-output";
        }
        if self.real_time {
            options += " --time real";
        }
        format!("mauve sim {options} -- {}", words.join(" "))
    }
}

/// Why nothing was simulated.
enum Problem {
    Refused(Refusal),
    Other(String),
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

/// Exits with 1 if the program fails, and with 2 if it was not simulated.
pub fn run(arguments: &Arguments) -> ExitCode {
    thread::spawn(|| await_signals().inspect_err(|error| eprintln!("mauve: signals: {error}")));
    match simulate(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(Problem::Refused(refusal)) => {
            eprintln!("mauve: {refusal}");
            refusal.code()
        }
        Err(Problem::Other(message)) => {
            eprintln!("mauve: {message}");
            ExitCode::from(2)
        }
    }
}

/// Ends the runs with this command if it is interrupted.
fn await_signals() -> mauve::Result<()> {
    let lp: Loop = Loop::new()?;
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        Signal::new(&lp)?.start(kind, |_, _, kind| program::exit(128 + kind.as_raw_value()))?;
    }
    lp.run(RunMode::Default).map(drop)
}

/// Returns whether the program has passed.
fn simulate(arguments: &Arguments) -> Result<bool, Problem> {
    let name = arguments.program[0].to_string_lossy();
    if name.starts_with('-') {
        return Err(Problem::Other(format!("unknown option {name}: see mauve sim --help")));
    }
    let Arguments { program, library, timeout, .. } = arguments;
    output::check(arguments.trace.as_slice())?;
    let program = Program::new(program, library.as_deref(), *timeout, !arguments.real_time)?;
    let program = program.with_faults(arguments.faults);
    let log = arguments.replay.as_deref().map(read_log).transpose()?;
    let seed = log.as_deref().and_then(log::seed).or(arguments.seed).unwrap_or(1);
    let of_seed = with_seed(arguments, &program, seed)?;
    // Virtual time needs a simulation, without decisions.
    let plain = if arguments.real_time { Schedule::Plain } else { Schedule::Replay(&[]) };
    let plain = of_seed.run(plain)?;
    if let Some(failure) = plain.failure {
        crate::print(&plain.output);
        print_line!("the program fails in libuv's order, without a seed: {failure}");
        return Ok(false);
    }
    let expecting = |program: Program| match arguments.same_output {
        true => program.expecting(plain.output.clone()),
        false => program,
    };
    let (program, of_seed) = (expecting(program), expecting(of_seed));
    if let (Some(file), Some(log)) = (&arguments.replay, log) {
        return replay(arguments, (&of_seed, seed), file, &log);
    }
    if arguments.check_determinism {
        return check_determinism(&of_seed, seed);
    }
    if arguments.seed.is_some() {
        let run = of_seed.run(Schedule::Seed(seed))?;
        require_log(&run, seed)?;
        let run = (&run, Schedule::Seed(seed));
        return report(arguments, (&of_seed, seed), &format!("seed {seed}"), run);
    }
    let failed = run_seeds(arguments, &program)?;
    let Some((seed, run)) = failed.first() else {
        print_line!("{} seeds pass", arguments.seeds);
        if arguments.trace.is_some() {
            eprintln!(
                "mauve: no run has failed, so there is no trace: --seed traces one that passes"
            );
        }
        return Ok(true);
    };
    if arguments.keep_going {
        let seeds: Vec<_> = failed.iter().map(|(seed, _)| seed.to_string()).collect();
        print_line!("{} of {} seeds fail: {}", seeds.len(), arguments.seeds, seeds.join(", "));
    }
    let program = with_seed(arguments, &program, *seed)?;
    let run = (run, Schedule::Seed(*seed));
    report(arguments, (&program, *seed), &format!("seed {seed}"), run)?;
    print_line!("repeat it: {}", arguments.command(&format!("--seed {seed}")));
    Ok(false)
}

/// The program with this seed of its random numbers, if it is to have one.
fn with_seed(arguments: &Arguments, program: &Program, seed: u64) -> Result<Program, String> {
    if !arguments.random {
        return Ok(program.clone());
    }
    let with_random = program.with_random(seed);
    with_random.ok_or_else(|| "--random works with a .js file, and with node".to_owned())
}

fn read_log(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// A run without decisions shows nothing: its loop is not mauve's, or it has none.
fn require_log(run: &Run, seed: u64) -> Result<(), Problem> {
    if run.log.is_empty() && run.failure.is_none() {
        return Err(Problem::Other(format!(
            "seed {seed}: no loop of mauve has run, or it had nothing to decide"
        )));
    }
    Ok(())
}

/// Runs the seeds on all cores, until one has failed. Returns those that have failed, sorted.
fn run_seeds(arguments: &Arguments, program: &Program) -> Result<Vec<(u64, Run)>, Problem> {
    let next = AtomicU64::new(1);
    // No seed after this one starts.
    let last = AtomicU64::new(arguments.seeds);
    let decided = AtomicU64::new(0);
    let failed: Mutex<Vec<(u64, Run)>> = Mutex::default();
    let work = || -> Result<(), String> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > last.load(Ordering::Relaxed) {
                return Ok(());
            }
            let run = with_seed(arguments, program, seed)?.run(Schedule::Seed(seed))?;
            decided.fetch_add(u64::from(!run.log.is_empty()), Ordering::Relaxed);
            if run.failure.is_some() {
                if !arguments.keep_going {
                    last.fetch_min(seed, Ordering::Relaxed);
                }
                failed.lock().expect("no worker panics").push((seed, run));
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker panics")).collect()
    });
    results.into_iter().collect::<Result<(), String>>()?;
    let mut failed = failed.into_inner().expect("no worker panics");
    if failed.is_empty() && decided.into_inner() == 0 {
        let message = "no loop of mauve has run, or it had nothing to decide";
        return Err(Problem::Other(message.to_owned()));
    }
    failed.sort_by_key(|(seed, _)| *seed);
    Ok(failed)
}

/// Prints how a run ended, and writes its trace. Stores and minimises its decisions if it has failed.
fn report(
    arguments: &Arguments,
    (program, seed): (&Program, u64),
    name: &str,
    (run, schedule): (&Run, Schedule<'_>),
) -> Result<bool, Problem> {
    crate::print(&run.output);
    let Some(failure) = run.failure else {
        print_line!("{name} passes");
        write_trace(arguments, program, schedule, None)?;
        return Ok(true);
    };
    print_line!("{name} fails: {failure}");
    let mut log = run.log.clone();
    if arguments.minimise {
        let (needed, found) = minimised(program, &run.log, failure)?;
        log = found.log;
        write_trace(arguments, program, Schedule::Replay(&needed), Some(failure))?;
    } else {
        write_trace(arguments, program, schedule, Some(failure))?;
    }
    if arguments.random {
        log.insert_str(0, &log::seed_line(seed));
    }
    let path = arguments.log.display();
    std::fs::write(&arguments.log, log).map_err(|error| format!("{path}: {error}"))?;
    print_line!("its decisions are in {path}");
    Ok(false)
}

/// Repeats a run with a trace, and writes it if that is wanted.
fn write_trace(
    arguments: &Arguments,
    program: &Program,
    schedule: Schedule<'_>,
    failure: Option<Failure>,
) -> Result<(), Problem> {
    if arguments.trace.is_none() {
        return Ok(());
    }
    let (run, mut trace) = program.run_traced(schedule)?;
    if run.failure != failure {
        let ended = run.failure.map_or("it passes".to_owned(), |failure| failure.to_string());
        trace.remarks.push(format!("The run in this trace ended in another way: {ended}"));
    }
    let mut names = log::Names::default();
    let decisions: HashMap<Key, Decision> =
        log::chosen(&run.log).into_iter().map(|decision| (decision.key, decision)).collect();
    let Trace { decisions: marks, callbacks, names: functions, .. } = &mut trace;
    for shown in marks {
        if let Some(decision) = decisions.get(&shown.key) {
            shown.words = names.describe(decision);
        }
        // The next callback may be the layer's, and the program's runs in it or after it.
        let name = |callback: &Callback| Some(format::function(&functions[callback.name?]));
        let next = callbacks.iter().position(|callback| {
            let words =
                || format!("{} {}", callback.kind.name(), name(callback).unwrap_or_default());
            let is_later = callback.lp == shown.lp && callback.begin >= shown.time;
            is_later && log::is_of_program(words().trim_end())
        });
        shown.callback = next.or(shown.callback);
    }
    Ok(output::write(&trace, arguments.trace.as_slice())?)
}

/// Minimises the decisions of a run that has failed, and prints them. Returns them, and the run that has only them.
fn minimised(
    program: &Program,
    log: &str,
    failure: Failure,
) -> Result<(Vec<Decision>, Run), Problem> {
    let decisions = log::chosen(log);
    let count = decisions.len();
    let fails = |some: &[Decision]| -> Result<bool, String> {
        Ok(program.run(Schedule::Replay(some))?.failure == Some(failure))
    };
    if !fails(&decisions)? {
        return Err(Problem::Other(
            "its decisions alone do not repeat the failure: it depends on time, threads or random \
             numbers, too"
                .to_owned(),
        ));
    }
    let needed = if fails(&[])? { Vec::new() } else { minimise::minimise(decisions, fails)? };
    let (plain, run) =
        (program.run(Schedule::Replay(&[]))?, program.run(Schedule::Replay(&needed))?);
    let plural = |count: usize| if count == 1 { "decision" } else { "decisions" };
    print_line!("it needs {} of {count} {}:", needed.len(), plural(count));
    let mut names = log::Names::default();
    let [plain_log, log] = [&plain.log, &run.log].map(|log| names.resolve_calls(log));
    let calls = log::calls_after(&log);
    for (number, decision) in needed.iter().enumerate() {
        print_line!("  {}. {}", number + 1, names.describe(decision));
        if let Some(Some(call)) = calls.get(number) {
            print_line!("     then runs {call}");
        }
    }
    if let Some((first, second)) = reordered(&plain_log, &log) {
        print_line!("it fails if {first}");
        print_line!("runs before {second}");
    }
    Ok((needed, run))
}

/// The callback in which the second log first differs from the first one, and the one of the first log.
fn reordered(plain: &str, failing: &str) -> Option<(String, String)> {
    let calls = |log: &str| -> Vec<String> {
        let calls = log::lines(log).into_iter().filter_map(|line| match line {
            log::Line::Call(call) => Some(call).filter(|call| log::is_of_program(call)),
            log::Line::Decision(_) => None,
        });
        calls.collect()
    };
    let pairs = calls(failing).into_iter().zip(calls(plain));
    pairs.into_iter().find(|(one, other)| one != other)
}

fn replay(
    arguments: &Arguments,
    (program, seed): (&Program, u64),
    file: &Path,
    log: &str,
) -> Result<bool, Problem> {
    let decisions = log::chosen(log);
    if decisions.is_empty() {
        return Err(Problem::Other(format!("{}: there are no decisions in it", file.display())));
    }
    let schedule = Schedule::Replay(&decisions);
    let run = program.run(schedule)?;
    report(arguments, (program, seed), &file.display().to_string(), (&run, schedule))
}

/// Runs a seed twice.
fn check_determinism(program: &Program, seed: u64) -> Result<bool, Problem> {
    let runs = [program.run(Schedule::Seed(seed))?, program.run(Schedule::Seed(seed))?];
    require_log(&runs[0], seed)?;
    let [one, other] = &runs;
    let mut names = log::Names::default();
    let logs = log::difference(&one.log, &other.log);
    let outputs = log::difference(&one.output, &other.output);
    let Some((at, first, second)) = logs.or(outputs) else {
        print_line!("seed {seed} does and prints the same twice");
        return Ok(true);
    };
    print_line!("seed {seed} differs after {at} lines:");
    print_line!("  {}", names.resolve(&first));
    print_line!("  {}", names.resolve(&second));
    Ok(false)
}
