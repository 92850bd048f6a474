//! Runs the contenders of each unit in turns. System calls are counted in separate runs.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use mauve_bench::Sample;

use super::Depth;
use super::contender::Contender::{self, CAbi, Closures, Libuv, Tokio};
use super::figures::Row;
use super::node;
use super::peers::{Peers, bounded, on_library};
use super::workloads::{Cores, Profile, Source, Unit};

/// The core of what is measured.
const CORE: &str = "0";
/// The core of the load generator where there are two.
const OTHER_CORE: &str = "1";

/// Runs units and collects their rows.
pub struct Runner<'a> {
    peers: &'a Peers,
    depth: Depth,
    rows: Vec<Row>,
    skipped: Vec<String>,
    /// The remaining part of [`EXTRA_TIME`].
    extra_time: Duration,
    /// The number of cores of this machine.
    cores: usize,
}

/// The number of passes that the goals require.
const GOAL_PASSES: usize = 9;

/// The number of passes of a server. They are short and many: the figures of one pass vary by several
/// percent, and the contenders differ by less.
const SERVER_PASSES: usize = 21;

/// The largest number of passes, without the additional ones.
const MAX_PASSES: usize = SERVER_PASSES;

/// The largest number of additional passes where the ratios are uncertain.
const EXTRA_PASSES: usize = 90;

/// The time limits for additional passes: in total, and for one unit.
const EXTRA_TIME: Duration = Duration::from_secs(180);
const UNIT_EXTRA_TIME: Duration = Duration::from_secs(15);

/// The largest uncertainty of a median, as a part of it, that needs no further passes.
const CERTAIN: f64 = 0.01;

/// Whether a run measures times or counts system calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Times,
    Calls,
}

impl<'a> Runner<'a> {
    pub fn new(peers: &'a Peers, depth: Depth, cores: usize) -> Self {
        let (rows, skipped) = (Vec::new(), Vec::new());
        Self { peers, depth, rows, skipped, extra_time: EXTRA_TIME, cores }
    }

    /// Workloads that were skipped, with the reasons.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// Builds the programs of a unit, so that no compiler runs during a measurement.
    pub fn prepare(&self, unit: &Unit) {
        for contender in self.contenders(unit) {
            // A contender that cannot be built is skipped by `measure`.
            let _ = self.command(unit, contender, Purpose::Times);
        }
    }

    /// Runs the contenders of a unit in turns. A contender that fails is skipped; a failure of our
    /// library is an error.
    pub fn measure(&mut self, unit: &Unit) -> Result<(), String> {
        if unit.cores == Cores::Two && self.cores < 2 {
            self.skipped.push(format!("{}: this machine has one core", shown(unit)));
            return Ok(());
        }
        let begin = Instant::now();
        let mut contenders = self.contenders(unit);
        let known = self.rows.len();
        for pass in 0..MAX_PASSES {
            self.pass(unit, &mut contenders, pass)?;
        }
        if self.depth == Depth::Full {
            self.add_passes(unit, &mut contenders, known)?;
        }
        if self.counts_calls(unit) {
            for contender in contenders {
                if let Ok(samples) = self.run(unit, contender, Purpose::Calls) {
                    self.add_calls(unit, contender, samples);
                }
            }
        }
        // A quick run leaves groups out.
        if self.rows.len() > known {
            println!("{} in {:.1} s", shown(unit), begin.elapsed().as_secs_f64());
        }
        Ok(())
    }

    /// Runs one pass of the contenders that have passes left, or of all in an additional pass.
    fn pass(
        &mut self,
        unit: &Unit,
        contenders: &mut Vec<Contender>,
        pass: usize,
    ) -> Result<(), String> {
        // Each contender is first in turn, because the first run of a pass may find colder caches.
        let mut in_turn = contenders.clone();
        in_turn.rotate_left(pass % contenders.len().max(1));
        for contender in in_turn {
            let has_all = pass >= self.passes(unit, contender);
            if has_all && pass < MAX_PASSES {
                continue;
            }
            match self.run(unit, contender, Purpose::Times) {
                Ok(samples) => self.add(unit, contender, pass, samples),
                Err(why) => {
                    self.skip(unit, contender, &why)?;
                    contenders.retain(|other| *other != contender);
                }
            }
        }
        Ok(())
    }

    /// Adds passes while the ratios are uncertain. The rows of the unit are those after the first
    /// `known`.
    fn add_passes(
        &mut self,
        unit: &Unit,
        contenders: &mut Vec<Contender>,
        known: usize,
    ) -> Result<(), String> {
        let begin = Instant::now();
        let extra_time = self.extra_time.min(UNIT_EXTRA_TIME);
        for pass in MAX_PASSES..MAX_PASSES + EXTRA_PASSES {
            let uncertain = self.rows[known..].iter().any(|row| row.uncertainty() > CERTAIN);
            if !uncertain || begin.elapsed() > extra_time {
                break;
            }
            self.pass(unit, contenders, pass)?;
        }
        self.extra_time = self.extra_time.saturating_sub(begin.elapsed());
        Ok(())
    }

    fn contenders(&self, unit: &Unit) -> Vec<Contender> {
        let mut contenders = unit.contenders.to_vec();
        contenders.sort();
        contenders.retain(|contender| self.takes_part(*contender, unit));
        contenders
    }

    /// The number of passes: what the goals require for the contenders that a goal compares, and
    /// fewer elsewhere.
    fn passes(&self, unit: &Unit, contender: Contender) -> usize {
        let compared = unit.has_goal && (contender.is_c() || contender == Closures);
        match (self.depth, unit.source) {
            (Depth::Quick, Source::Node { .. }) => 2,
            (Depth::Quick, _) if unit.cores == Cores::Two => 2,
            (Depth::Quick, _) => 3,
            (Depth::Full, Source::Program("many_timers")) => 3,
            (Depth::Full, Source::Program("pummel")) => 7,
            (Depth::Full, Source::Server { .. }) if unit.cores == Cores::One => SERVER_PASSES,
            (Depth::Full, Source::Server { .. }) => GOAL_PASSES,
            (Depth::Full, _) if unit.cores == Cores::Two => 5,
            (Depth::Full, Source::Node { .. }) => 5,
            // A million timers take long, and the figures vary little between passes.
            (Depth::Full, Source::Program("timers")) if contender == Libuv => 5,
            (Depth::Full, Source::Program("timers")) if contender == Closures => 5,
            (Depth::Full, _) if compared => GOAL_PASSES,
            (Depth::Full, _) if contender.is_c() => 7,
            (Depth::Full, _) => 5,
        }
    }

    fn takes_part(&self, contender: Contender, unit: &Unit) -> bool {
        match (self.depth, unit.source) {
            (Depth::Full, _) => true,
            (Depth::Quick, Source::Server { .. }) if unit.group == "tcp" => {
                matches!(contender, Libuv | CAbi | Closures | Tokio)
            }
            (Depth::Quick, _) => contender.is_c(),
        }
    }

    fn counts_calls(&self, unit: &Unit) -> bool {
        match unit.source {
            Source::Server { .. } => unit.profile == Profile::Whole,
            _ if unit.cores == Cores::Two => false,
            // Timers make few system calls.
            Source::Program("timers" | "many_timers") => false,
            _ if unit.profile == Profile::Default => false,
            Source::Program(_) => self.depth == Depth::Full,
            Source::Rust(_) => false,
            Source::Node { .. } => false,
        }
    }

    fn run(
        &self,
        unit: &Unit,
        contender: Contender,
        purpose: Purpose,
    ) -> Result<Vec<Sample>, String> {
        let mut command = self.command(unit, contender, purpose)?;
        if purpose == Purpose::Calls {
            command.env("BENCH_CALLS", "1");
        }
        let samples = Sample::all(&bounded(&mut command)?);
        if samples.is_empty() { Err("it printed no sample".to_owned()) } else { Ok(samples) }
    }

    /// The command of a contender, built on first use.
    fn command(
        &self,
        unit: &Unit,
        contender: Contender,
        purpose: Purpose,
    ) -> Result<Command, String> {
        match unit.source {
            Source::Program(name) | Source::Rust(name) => self.program(name, contender, unit),
            Source::Server { workload, service, load } => {
                let server = self.server(service, contender, unit.profile)?;
                self.load(workload, load, &server, purpose, unit.cores)
            }
            Source::Node { script, load } => {
                let script = node::script(script, self.library(contender)?)?;
                match load {
                    Some((workload, load)) => {
                        self.load(workload, load, &script, purpose, unit.cores)
                    }
                    None => Ok(pinned(&script, unit.cores)),
                }
            }
        }
    }

    /// A program that measures itself.
    fn program(
        &self,
        name: &'static str,
        contender: Contender,
        unit: &Unit,
    ) -> Result<Command, String> {
        let mut command = if contender.is_c() {
            Command::new(self.peers.program(name)?)
        } else {
            let mut command = Command::new(self.peers.rust(unit.profile)?);
            let implementation = match contender {
                Tokio => contender.key(),
                _ => "mauve",
            };
            command.args(["work", implementation, name]);
            command
        };
        on_library(&mut command, self.library(contender)?);
        Ok(pinned(&command, unit.cores))
    }

    /// A server that is measured from outside.
    fn server(
        &self,
        service: &'static str,
        contender: Contender,
        profile: Profile,
    ) -> Result<Command, String> {
        let mut command = if contender.is_c() {
            let datagrams = service == "udp-echo";
            let program = if datagrams { "server/udp" } else { "server/stream" };
            let mut command = Command::new(self.peers.program(program)?);
            command.args((!datagrams).then_some(service));
            command
        } else {
            let mut command = Command::new(self.peers.rust(profile)?);
            command.args(["serve", contender.key(), service]);
            command
        };
        on_library(&mut command, self.library(contender)?);
        Ok(command)
    }

    /// The load generator, which starts the server on the measured core.
    ///
    /// Neither preempts the other when it is woken (`SCHED_BATCH`): a server handles its events until
    /// it waits. Otherwise the scheduler lets a client interrupt a server that has used more CPU time
    /// than the client. An interrupted server finds the next message without waiting for it, so the more
    /// it computes, the fewer system calls it makes, and every server takes half of the time.
    fn load(
        &self,
        workload: &str,
        load: &str,
        server: &Command,
        purpose: Purpose,
        cores: Cores,
    ) -> Result<Command, String> {
        let mut command = Command::new("chrt");
        command.args(["--batch", "0"]).arg(self.peers.rust(Profile::Whole)?);
        let core = if cores == Cores::One { CORE } else { OTHER_CORE };
        command.args(["load", workload, load, core]);
        command.args((purpose == Purpose::Calls).then_some("--calls"));
        command.arg("--");
        append(&mut command, &pinned(server, Cores::One));
        Ok(command)
    }

    fn library(&self, contender: Contender) -> Result<Option<&Path>, String> {
        match contender {
            Libuv => Ok(self.peers.libuv.as_deref()),
            _ => Ok(Some(&self.peers.ours)),
        }
    }

    fn add(&mut self, unit: &Unit, contender: Contender, pass: usize, samples: Vec<Sample>) {
        for sample in samples {
            self.row(unit, &sample.name).add(contender, pass, sample);
        }
    }

    fn add_calls(&mut self, unit: &Unit, contender: Contender, samples: Vec<Sample>) {
        for sample in samples {
            if let Some(calls) = sample.calls {
                self.row(unit, &sample.name).set_calls(contender, calls);
            }
        }
    }

    fn row(&mut self, unit: &Unit, name: &str) -> &mut Row {
        let same =
            |row: &Row| row.name == name && row.cores == unit.cores && row.profile == unit.profile;
        let index = self.rows.iter().position(same).unwrap_or_else(|| {
            let row = Row::new(name.to_owned(), unit.cores);
            self.rows.push(row.in_profile(unit.profile));
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    fn skip(&mut self, unit: &Unit, contender: Contender, why: &str) -> Result<(), String> {
        let line = format!("{}, {}: {}", shown(unit), contender.title(), why.trim());
        // Node is downloaded: a failure may have nothing to do with the library.
        if contender == CAbi && !matches!(unit.source, Source::Node { .. }) {
            return Err(line);
        }
        println!("skipped: {line}");
        self.skipped.push(line);
        Ok(())
    }
}

/// The same command, pinned to the measured core or to both. `BENCH_CORES` makes a program pin its
/// senders to the second.
fn pinned(command: &Command, cores: Cores) -> Command {
    let mut pinned = Command::new("taskset");
    match cores {
        Cores::One => pinned.args(["-c", CORE]),
        Cores::Two => pinned.args(["-c", "0,1"]).env("BENCH_CORES", "2"),
    };
    append(&mut pinned, command);
    pinned
}

/// Appends a command to one that starts its arguments.
fn append(starter: &mut Command, command: &Command) {
    starter.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => starter.env(name, value),
            None => starter.env_remove(name),
        };
    }
}

fn shown(unit: &Unit) -> String {
    let name = match unit.source {
        Source::Program(name) | Source::Rust(name) => name.to_owned(),
        Source::Server { workload, .. } => workload.to_owned(),
        Source::Node { script, .. } => format!("node: {script}"),
    };
    match (unit.cores, unit.profile) {
        (_, Profile::Default) => format!("{name}, default profile"),
        (Cores::Two, _) => format!("{name}, two cores"),
        _ => name,
    }
}
