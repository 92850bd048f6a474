//! Runs the program once, and says how it failed.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mauve_core::schedule::{Decision, FaultRates};
use mauve_trace::simulation::{FAULTS, LOG, RANDOM, REPLAY, SEED, TIME};
use mauve_trace::{Reader, Trace};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::trace::Directory;
use crate::with::{self, Refusal};

/// A program to run many times.
#[derive(Clone)]
pub struct Program {
    name: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, Option<OsString>)>,
    timeout: Duration,
    faults: Option<FaultRates>,
    runtime: Option<Runtime>,
    /// The seed of `Math.random`.
    random: Option<u64>,
    /// What each run has to print.
    expected: Option<String>,
}

/// What runs scripts, and lets `Math.random` have a seed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runtime {
    Mauve,
    Node,
}

/// What decides the order of a run.
#[derive(Clone, Copy)]
pub enum Schedule<'a> {
    Plain,
    Seed(u64),
    Replay(&'a [Decision]),
}

/// How a program failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Status(i32),
    Signal(i32),
    /// It did not end in this time.
    Hang(Duration),
    /// It printed something else than without a seed.
    Output,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "exit status {status}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Output => f.write_str("it prints something else"),
            Self::Hang(time) => write!(f, "no end within {} s", time.as_secs_f64()),
        }
    }
}

/// A run that has ended.
pub struct Run {
    pub failure: Option<Failure>,
    pub output: String,
    /// The lines of its log. Empty for the plain schedule, and if no loop was simulated.
    pub log: String,
}

impl Program {
    /// A script of JavaScript runs with `mauve run`, and any other program as with `mauve with`.
    pub fn new(
        words: &[OsString],
        library: Option<&Path>,
        timeout: Duration,
        has_virtual_time: bool,
    ) -> Result<Self, Refusal> {
        let script = words.first().map(PathBuf::from);
        let extension = script.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        let is_script = matches!(extension, Some("js" | "mjs" | "cjs"));
        let is_node = script.as_deref().and_then(Path::file_name) == Some(OsStr::new("node"));
        let runtime =
            if is_script { Some(Runtime::Mauve) } else { is_node.then_some(Runtime::Node) };
        let mut command = if is_script {
            let own = std::env::current_exe();
            let mut command =
                Command::new(own.map_err(|error| Refusal::Impossible(error.to_string()))?);
            command.arg("run").args(words);
            command
        } else {
            with::command(words, library, false, false)?
        };
        command.env_remove(TIME);
        if has_virtual_time {
            with::preload_clock(&mut command)?;
        } else {
            command.env(TIME, "real");
        }
        let variables = command.get_envs();
        Ok(Self {
            name: command.get_program().to_owned(),
            arguments: command.get_args().map(OsStr::to_owned).collect(),
            variables: variables.map(|(k, v)| (k.to_owned(), v.map(OsStr::to_owned))).collect(),
            timeout,
            faults: None,
            runtime,
            random: None,
            expected: None,
        })
    }

    /// Lets calls fail under seeds.
    pub fn with_faults(self, faults: Option<FaultRates>) -> Self {
        Self { faults, ..self }
    }

    /// Lets `Math.random` have this seed. `None` if the program is not known to run scripts.
    pub fn with_random(&self, seed: u64) -> Option<Self> {
        self.runtime?;
        Some(Self { random: Some(seed), ..self.clone() })
    }

    /// Lets a run fail that prints something else.
    pub fn expecting(self, output: String) -> Self {
        Self { expected: Some(output), ..self }
    }

    /// Runs the program until it ends, or for the longest time.
    pub fn run(&self, schedule: Schedule<'_>) -> Result<Run, String> {
        self.run_with(schedule, None, &mut || {})
    }

    /// [`run`](Self::run) with a trace.
    pub fn run_traced(&self, schedule: Schedule<'_>) -> Result<(Run, Trace), String> {
        let records = Directory::create()?;
        let mut reader = Reader::new(records.path(), None);
        let run = self.run_with(schedule, Some(records.path()), &mut || {
            reader.poll();
        })?;
        reader.stop();
        Ok((run, reader.trace()))
    }

    /// [`run`](Self::run), and calls `meanwhile` every few milliseconds. Processes record their traces into `records`.
    fn run_with(
        &self,
        schedule: Schedule<'_>,
        records: Option<&Path>,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<Run, String> {
        let directory = Directory::create()?;
        let file = |name: &str| directory.path().join(name);
        let create = |name: &str| {
            File::create(file(name)).map_err(|error| format!("{}: {error}", file(name).display()))
        };
        let output = create("output")?;
        let both = output.try_clone().map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.name);
        match (self.runtime, self.random) {
            (Some(Runtime::Mauve), Some(seed)) => {
                command.env(RANDOM, seed.to_string());
            }
            (Some(Runtime::Node), Some(seed)) => {
                // V8 reads a number of 31 bits, and takes zero for none.
                command.arg(format!("--random-seed={}", seed % 0x7fff_ffff + 1));
            }
            _ => {}
        }
        command.args(&self.arguments).stdin(Stdio::null()).stdout(output).stderr(both);
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        for name in [SEED, REPLAY, LOG, FAULTS] {
            command.env_remove(name);
        }
        if let Some(records) = records {
            command.env(mauve_trace::VARIABLE, records);
        }
        match schedule {
            Schedule::Plain => {}
            Schedule::Seed(seed) => {
                command.env(SEED, seed.to_string()).env(LOG, file("log"));
                if let Some(faults) = self.faults {
                    command.env(FAULTS, faults.to_string());
                }
            }
            Schedule::Replay(decisions) => {
                let text: String =
                    decisions.iter().map(|decision| format!("{decision}\n")).collect();
                std::fs::write(file("replay"), text).map_err(|error| error.to_string())?;
                command.env(REPLAY, file("replay")).env(LOG, file("log"));
            }
        }
        let name = self.name.display();
        let (mut child, group) =
            Group::spawn(&mut command).map_err(|error| format!("{name}: {error}"))?;
        let status = wait(&mut child, &group, self.timeout, meanwhile)
            .map_err(|error| format!("{name}: {error}"))?;
        let read = |name: &str| {
            let bytes = std::fs::read(file(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let failure = match status {
            None => Some(Failure::Hang(self.timeout)),
            Some(status) => failure(status),
        };
        drop(group);
        let output = read("output");
        let differs = self.expected.as_ref().is_some_and(|expected| *expected != output);
        let failure = failure.or(differs.then_some(Failure::Output));
        Ok(Run { failure, output, log: read("log") })
    }
}

/// How often a run is checked. A ring of records has space for more than ten times as long.
const INTERVAL: Duration = Duration::from_millis(10);

/// The processes of a run. They end with it, or with this command.
struct Group(Option<Pid>);

/// The groups of all runs.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

impl Group {
    /// Starts a program in a group of its own.
    fn spawn(command: &mut Command) -> std::io::Result<(Child, Self)> {
        // The command may end as soon as the child exists.
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        running.extend(group);
        Ok((child, Self(group)))
    }

    fn kill(&self) {
        // Fails if no process of the group is left.
        let _ = self.0.map(|group| kill_process_group(group, Signal::KILL));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        RUNNING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|group| Some(*group) != self.0);
    }
}

/// Ends all runs and this command. They are not in the group that Ctrl-C ends.
pub fn exit(code: i32) -> ! {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for group in &*running {
        let _ = kill_process_group(*group, Signal::KILL);
    }
    std::process::exit(code)
}

/// Waits until a child has exited. Returns `None` if it was killed because it takes too long.
fn wait(
    child: &mut Child,
    group: &Group,
    timeout: Duration,
    meanwhile: &mut dyn FnMut(),
) -> std::io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    let mut interval = Duration::from_micros(500);
    loop {
        let status = child.try_wait()?;
        let late = begin.elapsed() > timeout;
        if late && status.is_none() {
            group.kill();
            child.wait()?;
        }
        if status.is_some() || late {
            return Ok(status);
        }
        std::thread::sleep(interval);
        interval = (interval * 2).min(INTERVAL);
        meanwhile();
    }
}

fn failure(status: ExitStatus) -> Option<Failure> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(status), _) => Some(Failure::Status(status)),
        (None, signal) => Some(Failure::Signal(signal.unwrap_or_default())),
    }
}
