//! Who runs what, when: everybody in turns, and system calls counted in a run of their own.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::Depth;
use super::contender::Contender::{self, CAbi, Closures, Epoll, IoUring, Libuv, Libuv152, Tokio};
use super::figures::Row;
use super::node;
use super::peers::{Peers, bounded, on_library};
use super::sample::Sample;
use super::workloads::{Source, Unit};

/// The core that everything is measured on, load generators included.
const CORE: &str = "0";

/// Runs units, and keeps what they have shown.
pub struct Runner<'a> {
    peers: &'a Peers,
    depth: Depth,
    rows: Vec<Row>,
    skipped: Vec<String>,
    /// What is left of [`PATIENCE`].
    patience: Duration,
}

/// What the goals ask for.
const MOST_ROUNDS: usize = 9;

/// So many rounds are added at most where the ratios do not agree.
const MORE_ROUNDS: usize = 12;

/// How long that may take in all, and for one unit.
const PATIENCE: Duration = Duration::from_secs(100);
const UNIT_PATIENCE: Duration = Duration::from_secs(8);

/// Ratios agree if the middle half of them lies within this part of their median.
const AGREEMENT: f64 = 0.04;

/// Whether a run is for its times or for its system calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Times,
    Calls,
}

impl<'a> Runner<'a> {
    pub fn new(peers: &'a Peers, depth: Depth) -> Self {
        Self { peers, depth, rows: Vec::new(), skipped: Vec::new(), patience: PATIENCE }
    }

    /// What could not be measured, and why.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// Builds what the unit runs, so that no builder is at work while something is measured.
    pub fn prepare(&self, unit: &Unit) {
        for contender in self.contenders(unit) {
            // Who cannot be built is left out when it is his turn.
            let _ = self.command(unit, contender, Purpose::Times);
        }
    }

    /// Has everybody do the unit's work, in turns. It is an error if our library cannot; another
    /// contender who cannot is left out.
    pub fn measure(&mut self, unit: &Unit) -> Result<(), String> {
        let begin = Instant::now();
        let mut contenders = self.contenders(unit);
        let known = self.rows.len();
        for round in 0..MOST_ROUNDS {
            self.round(unit, &mut contenders, round)?;
        }
        if self.depth == Depth::Full {
            self.settle(unit, &mut contenders, known)?;
        }
        if self.counts_calls(unit) {
            for contender in contenders {
                if let Ok(samples) = self.run(unit, contender, Purpose::Calls) {
                    self.note_calls(unit, contender, samples);
                }
            }
        }
        println!("{} in {:.1} s", shown(unit), begin.elapsed().as_secs_f64());
        Ok(())
    }

    /// One round of those who have not had all of theirs; of everybody, if it is an additional one.
    fn round(
        &mut self,
        unit: &Unit,
        contenders: &mut Vec<Contender>,
        round: usize,
    ) -> Result<(), String> {
        for contender in contenders.clone() {
            let has_all = round >= self.rounds(unit, contender);
            if has_all && round < MOST_ROUNDS {
                continue;
            }
            match self.run(unit, contender, Purpose::Times) {
                Ok(samples) => self.add(unit, contender, round, samples),
                Err(why) => {
                    self.leave_out(unit, contender, &why)?;
                    contenders.retain(|other| *other != contender);
                }
            }
        }
        Ok(())
    }

    /// Adds rounds for everybody while the ratios do not agree, whatever they are. The unit's rows are
    /// those behind the first `known`.
    fn settle(
        &mut self,
        unit: &Unit,
        contenders: &mut Vec<Contender>,
        known: usize,
    ) -> Result<(), String> {
        let begin = Instant::now();
        let patience = self.patience.min(UNIT_PATIENCE);
        for round in MOST_ROUNDS..MOST_ROUNDS + MORE_ROUNDS {
            let unsettled = self.rows[known..].iter().any(|row| row.disagreement() > AGREEMENT);
            if !unsettled || begin.elapsed() > patience {
                break;
            }
            self.round(unit, contenders, round)?;
        }
        self.patience = self.patience.saturating_sub(begin.elapsed());
        Ok(())
    }

    fn contenders(&self, unit: &Unit) -> Vec<Contender> {
        let goals = unit.has_goal.then_some(Libuv152);
        let mut contenders: Vec<Contender> = unit.contenders.iter().copied().chain(goals).collect();
        contenders.sort();
        contenders.retain(|contender| self.takes_part(*contender, unit));
        contenders
    }

    /// As many as the goals ask for where there is one, for those whom it compares; elsewhere as many
    /// as it takes for a median to stand still.
    fn rounds(&self, unit: &Unit, contender: Contender) -> usize {
        let compared = unit.has_goal && (contender.is_c() || contender == Closures);
        match (self.depth, unit.source) {
            (Depth::Quick, Source::Node { .. }) => 2,
            (Depth::Quick, _) => 3,
            (Depth::Full, Source::Node { .. }) => 5,
            // A million timers take long, and the figures hardly differ from round to round; goals
            // are about the other libuv, and about C.
            (Depth::Full, Source::Program("timers")) if contender == Libuv => 5,
            (Depth::Full, Source::Program("timers")) if contender == Closures => 5,
            (Depth::Full, _) if compared => MOST_ROUNDS,
            (Depth::Full, Source::Server { .. }) if unit.has_goal => 7,
            (Depth::Full, _) if contender.is_c() => 7,
            (Depth::Full, _) => 5,
        }
    }

    fn takes_part(&self, contender: Contender, unit: &Unit) -> bool {
        match (self.depth, unit.source) {
            (Depth::Full, _) => true,
            (Depth::Quick, _) if contender == Libuv152 => false,
            (Depth::Quick, Source::Server { .. }) if unit.group == "tcp" => {
                matches!(contender, Libuv | CAbi | Closures | Tokio)
            }
            (Depth::Quick, _) => contender.is_c(),
        }
    }

    fn counts_calls(&self, unit: &Unit) -> bool {
        match unit.source {
            Source::Server { .. } => true,
            // They make none worth counting.
            Source::Program("timers") => false,
            Source::Program(_) => self.depth == Depth::Full,
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
        if samples.is_empty() { Err("it has told nothing".to_owned()) } else { Ok(samples) }
    }

    /// What runs; it is built if it is not there.
    fn command(
        &self,
        unit: &Unit,
        contender: Contender,
        purpose: Purpose,
    ) -> Result<Command, String> {
        match unit.source {
            Source::Program(name) => self.program(name, contender),
            Source::Server { workload, service, load } => {
                let server = self.server(service, contender)?;
                self.load(workload, load, &server, purpose)
            }
            Source::Node { script, load } => {
                let script = node::script(script, self.library(contender)?)?;
                match load {
                    Some((workload, load)) => self.load(workload, load, &script, purpose),
                    None => Ok(pinned(&script)),
                }
            }
        }
    }

    /// A program that measures itself.
    fn program(&self, name: &'static str, contender: Contender) -> Result<Command, String> {
        let mut command = if contender.is_c() {
            Command::new(self.peers.program(name)?)
        } else {
            let mut command = Command::new(self.peers.rust()?);
            let face = match contender {
                Tokio | Epoll | IoUring => contender.key(),
                _ => "mauve",
            };
            command.args(["work", face, name]);
            command
        };
        on_library(&mut command, self.library(contender)?);
        Ok(pinned(&command))
    }

    /// A server that is measured from outside.
    fn server(&self, service: &'static str, contender: Contender) -> Result<Command, String> {
        let mut command = if contender.is_c() {
            let datagrams = service == "udp-echo";
            let program = if datagrams { "server/udp" } else { "server/stream" };
            let mut command = Command::new(self.peers.program(program)?);
            command.args((!datagrams).then_some(service));
            command
        } else {
            let mut command = Command::new(self.peers.rust()?);
            command.args(["serve", contender.key(), service]);
            command
        };
        on_library(&mut command, self.library(contender)?);
        Ok(command)
    }

    /// The load generator, which starts the server.
    fn load(
        &self,
        workload: &str,
        load: &str,
        server: &Command,
        purpose: Purpose,
    ) -> Result<Command, String> {
        let mut command = Command::new(self.peers.rust()?);
        command.args(["load", workload, load, CORE]);
        command.args((purpose == Purpose::Calls).then_some("--calls"));
        command.arg("--");
        append(&mut command, server);
        Ok(command)
    }

    fn library(&self, contender: Contender) -> Result<Option<&Path>, String> {
        match contender {
            Libuv => Ok(self.peers.libuv.as_deref()),
            Libuv152 => self.peers.libuv_1_52.as_deref().map(Some).map_err(Clone::clone),
            _ => Ok(Some(&self.peers.ours)),
        }
    }

    fn add(&mut self, unit: &Unit, contender: Contender, round: usize, samples: Vec<Sample>) {
        for sample in samples {
            self.row(unit, &sample.name).add(contender, round, sample);
        }
    }

    fn note_calls(&mut self, unit: &Unit, contender: Contender, samples: Vec<Sample>) {
        for sample in samples {
            if let Some(calls) = sample.calls {
                self.row(unit, &sample.name).set_calls(contender, calls);
            }
        }
    }

    fn row(&mut self, unit: &Unit, name: &str) -> &mut Row {
        let found = self.rows.iter().position(|row| row.name == name);
        let index = found.unwrap_or_else(|| {
            self.rows.push(Row::new(unit.group, name.to_owned()));
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    fn leave_out(&mut self, unit: &Unit, contender: Contender, why: &str) -> Result<(), String> {
        let line = format!("{}, {}: {}", shown(unit), contender.title(), why.trim());
        // Node is downloaded; that this does not work says nothing about the library.
        if contender == CAbi && !matches!(unit.source, Source::Node { .. }) {
            return Err(line);
        }
        println!("left out: {line}");
        self.skipped.push(line);
        Ok(())
    }
}

/// The same command on the core that is measured on.
fn pinned(command: &Command) -> Command {
    let mut pinned = Command::new("taskset");
    pinned.args(["-c", CORE]);
    append(&mut pinned, command);
    pinned
}

/// Appends a command to one that starts what it is told to.
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
    match unit.source {
        Source::Program(name) => name.to_owned(),
        Source::Server { workload, .. } => workload.to_owned(),
        Source::Node { script, .. } => format!("node: {script}"),
    }
}
