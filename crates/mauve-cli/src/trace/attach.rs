//! Traces a running process, through its probe.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use mauve_trace::Reader;

use super::directory::Directory;
use super::{Arguments, Failure, output, session};
use crate::why::{Memory, Root};

pub fn run(pid: u32, arguments: &Arguments) -> Result<ExitCode, Failure> {
    output::check(&arguments.output)?;
    let directory = Directory::create()?;
    let attached = Attached::new(pid, &directory)?;
    let mut reader = Reader::new(directory.path(), arguments.last);
    let begin = Instant::now();
    let ended = |_: &mut Reader| {
        attached.has_exited() || arguments.duration.is_some_and(|limit| begin.elapsed() >= limit)
    };
    session::read(&mut reader, ended).map_err(|error| error.to_string())?;
    let end = if attached.has_exited() { 0 } else { Reader::now() };
    let stuck = attached.stuck_loops();
    let why_nothing = attached.why_nothing(directory.path());
    attached.detach();
    reader.stop();
    let trace = reader.trace_until(end);
    if !reader.has_records() {
        return Err(Failure::Other(why_nothing));
    }
    output::write(&trace, &arguments.output)?;
    stuck.iter().for_each(|of| eprintln!("mauve: {of}"));
    Ok(ExitCode::SUCCESS)
}

/// A process that is being traced.
pub struct Attached {
    memory: Memory,
    roots: Vec<Root>,
    since: Instant,
}

impl Attached {
    /// Makes a process record into the directory.
    pub fn new(pid: u32, directory: &Directory) -> Result<Self, String> {
        let memory = Memory::of(pid)?;
        let addresses = memory.probe_roots()?;
        if addresses.is_empty() {
            return Err(memory.without_mauve());
        }
        directory.give_to(pid)?;
        let roots: Result<Vec<_>, _> =
            addresses.into_iter().map(|address| Root::read(&memory, address)).collect();
        let roots = roots?;
        for root in &roots {
            root.start_trace(&memory, directory.path())?;
            // A loop that sleeps describes itself when it wakes up. One that cannot be woken does so
            // at its next event.
            for found in root.loops(&memory)? {
                let _ = found.wake(&memory);
            }
        }
        Ok(Self { memory, roots, since: Instant::now() })
    }

    /// Ends the trace in the process.
    pub fn detach(&self) {
        for root in &self.roots {
            root.stop_trace(&self.memory);
        }
    }

    /// The process, for a title.
    pub fn title(&self) -> String {
        format!("process {} ({})", self.memory.process, self.memory.program_name())
    }

    pub fn has_exited(&self) -> bool {
        self.roots.iter().all(|root| !root.exists(&self.memory))
    }

    /// A sentence for each loop that is in a callback since before the trace. Such a loop records nothing.
    pub fn stuck_loops(&self) -> Vec<String> {
        let loops = self.roots.iter().filter_map(|root| root.loops(&self.memory).ok()).flatten();
        let stuck = loops.filter_map(|of| {
            let awake = of.awake_for(&self.memory)?;
            // The loop's clock has milliseconds.
            let is_older = awake > self.since.elapsed() + Duration::from_millis(10);
            let pid = self.memory.process;
            is_older.then(|| {
                format!(
                    "{} has been in a callback for {:.1} s, since before the trace: \
                     `mauve why {pid}` shows where",
                    of.title(),
                    awake.as_secs_f64()
                )
            })
        });
        stuck.collect()
    }

    /// Why nothing was recorded.
    pub fn why_nothing(&self, directory: &std::path::Path) -> String {
        let (pid, name) = (self.memory.process, self.memory.program_name());
        if self.has_exited() {
            return format!("process {pid} has exited, and recorded nothing");
        }
        let refused = self.roots.iter().all(|root| root.refused_trace(&self.memory));
        if refused && !self.roots.is_empty() {
            return format!(
                "process {pid} ({name}) cannot write to {}: it may be in a container",
                directory.display()
            );
        }
        match &self.stuck_loops()[..] {
            [] => format!("process {pid} ({name}) recorded nothing: its loops did not run"),
            stuck => format!("process {pid} ({name}) recorded nothing: {}", stuck.join("; ")),
        }
    }
}
