//! Trace Event Format: JSON that Perfetto (ui.perfetto.dev) and Chrome (about:tracing) load.
//!
//! Loops and pool threads are threads of their process. Iterations, phases, waits, callbacks and jobs
//! are complete events (`X`) that contain each other. Arrows are flow events (`s`, `t`, `f`).
//! Utilisation and the queue of the pool are counters (`C`). Opened and closed handles, and the decisions of
//! seeded schedules, are instants.

mod event;
mod object;

use std::io::{self, Write};

use mauve_core::Phase;

use crate::format;
use crate::lanes::{Lanes, Role};
use crate::model::{Callback, NameIndex, Request, Trace};
use event::{Arrow, EventWriter, Track};
pub(crate) use object::Object;

/// Utilisation is counted in steps of this many nanoseconds.
const STEP: u64 = 10_000_000;

/// Thread ids of the kernel are below this number.
const FIRST_UNUSED_TID: u32 = 1 << 22;

/// Writes a trace as an object with the list `traceEvents`.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let other = Object::new()
        .with("producer", "mauve trace")
        .with("dropped", trace.dropped)
        .with("remarks", &trace.remarks)
        .with("begin", trace.wall_clock.to_string())
        .finish();
    write!(out, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{other},\"traceEvents\":[")?;
    let lanes = Lanes::new(trace);
    let tracks = tracks(trace, &lanes);
    let names = trace.names.iter().map(format::function).collect();
    let mut writer = Writer { trace, lanes, tracks, names, events: EventWriter::new(out) };
    writer.titles()?;
    writer.loops()?;
    writer.callbacks()?;
    writer.jobs()?;
    writer.request_arrows()?;
    writer.wakeups()?;
    writer.handles()?;
    writer.decisions()?;
    writer.utilisation()?;
    writer.pool_queue()?;
    writeln!(out, "\n]}}")?;
    out.flush()
}

/// The process and thread of each lane. Two loops on one thread have two tracks.
fn tracks(trace: &Trace, lanes: &Lanes) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for (index, lane) in lanes.list.iter().enumerate() {
        let pid = trace.processes[lane.process].pid;
        let mut track = Track { pid, tid: trace.threads[lane.thread].tid };
        if tracks.contains(&track) {
            track.tid = FIRST_UNUSED_TID + index as u32;
        }
        tracks.push(track);
    }
    tracks
}

struct Writer<'a, W> {
    trace: &'a Trace,
    lanes: Lanes,
    /// The track of each lane.
    tracks: Vec<Track>,
    /// The functions with their locations.
    names: Vec<String>,
    events: EventWriter<'a, W>,
}

impl<W: Write> Writer<'_, W> {
    /// The names of processes and threads.
    fn titles(&mut self) -> io::Result<()> {
        for process in &self.trace.processes {
            let track = Track { pid: process.pid, tid: 0 };
            self.events.metadata(
                track,
                "process_name",
                Object::new().with("name", &process.command),
            )?;
        }
        for (index, lane) in self.lanes.list.iter().enumerate() {
            let title = match lane.role {
                Role::Loop(_) | Role::Pool(_) => {
                    format!("{} ({})", lane.title, self.trace.threads[lane.thread].name)
                }
                Role::Thread(_) => lane.title.clone(),
            };
            self.events.metadata(
                self.tracks[index],
                "thread_name",
                Object::new().with("name", title),
            )?;
            let order = Object::new().with("sort_index", index);
            self.events.metadata(self.tracks[index], "thread_sort_index", order)?;
        }
        Ok(())
    }

    /// Iterations, phases and waits. Readers nest events that begin at the same time in the order of
    /// the file, so the outer ones come first.
    fn loops(&mut self) -> io::Result<()> {
        for iteration in &self.trace.iterations {
            let track = self.tracks[self.lanes.of_loop(iteration.lp)];
            let args = Object::new()
                .with("number", iteration.number)
                .with("waited_ns", iteration.waited)
                .with("events", iteration.events)
                .with("events_waiting", iteration.events_waiting);
            self.events.span(track, "iteration", "loop", iteration.begin..iteration.end, args)?;
        }
        for phase in &self.trace.phases {
            let track = self.tracks[self.lanes.of_loop(phase.lp)];
            let args = Object::new().with("callbacks", phase.callbacks);
            let name = phase.phase.name();
            self.events.span(track, name, "phase", phase.begin..phase.end, args)?;
        }
        for wait in &self.trace.waits {
            let track = self.tracks[self.lanes.of_loop(wait.lp)];
            let args =
                Object::new().with_known("timeout_ns", wait.timeout).with("events", wait.events);
            self.events.span(track, "wait", "wait", wait.begin..wait.end, args)?;
        }
        Ok(())
    }

    fn callbacks(&mut self) -> io::Result<()> {
        let trace = self.trace;
        // Nested callbacks follow the ones that they run in.
        let deepest = trace.callbacks.iter().map(|callback| callback.depth).max();
        for depth in 0..=deepest.unwrap_or(0) {
            for callback in trace.callbacks.iter().filter(|callback| callback.depth == depth) {
                let track = self.tracks[self.lanes.of_loop(callback.lp)];
                let name = function(trace, callback.name).unwrap_or(callback.kind.name());
                let args = callback_args(trace, &self.names, callback);
                self.events.span(track, name, "callback", callback.begin..callback.end, args)?;
            }
        }
        Ok(())
    }

    fn jobs(&mut self) -> io::Result<()> {
        for request in &self.trace.requests {
            let Some(job) = request.job else { continue };
            let Some(lane) = self.lanes.of_thread(job.thread) else { continue };
            let name = function(self.trace, request.name).unwrap_or("work");
            let args = Object::new().with_known("queued_ns", request.queued());
            self.events.span(self.tracks[lane], name, "job", job.begin..job.end, args)?;
        }
        Ok(())
    }

    /// From the submission over the pool thread to the callback.
    fn request_arrows(&mut self) -> io::Result<()> {
        for (id, request) in self.trace.requests.iter().enumerate() {
            let Some(points) = self.points_of(request) else { continue };
            for (kind, (lane, time)) in
                [Arrow::Start, Arrow::Step, Arrow::Finish].into_iter().zip(points)
            {
                self.events.arrow(kind, self.tracks[lane], "request", id, time)?;
            }
        }
        Ok(())
    }

    /// Lane and time of the submission, the job and the callback. Arrows need all three.
    fn points_of(&self, request: &Request) -> Option<[(usize, u64); 3]> {
        let job = request.job?;
        let callback = &self.trace.callbacks[request.callback?];
        let submitter = self.lanes.of_thread_for(self.trace, request.submitter, request.lp)?;
        let worker = self.lanes.of_thread(job.thread)?;
        let target = self.lanes.of_loop(callback.lp);
        Some([(submitter, request.submitted), (worker, job.begin), (target, callback.begin)])
    }

    /// From the thread that wakes a loop to the callback. Wake-ups by the pool are left out: the
    /// arrow of the request shows them.
    fn wakeups(&mut self) -> io::Result<()> {
        for (id, wakeup) in self.trace.wakeups.iter().enumerate() {
            let lane = self.lanes.of_thread_for(self.trace, wakeup.from, wakeup.lp);
            let (Some(_), Some(lane)) = (wakeup.handle, lane) else { continue };
            let track = self.tracks[lane];
            self.events.span(
                track,
                "wake-up",
                "wakeup",
                wakeup.time..wakeup.time,
                Object::new(),
            )?;
            let Some(callback) = wakeup.callback else { continue };
            let callback = &self.trace.callbacks[callback];
            let target = self.tracks[self.lanes.of_loop(callback.lp)];
            self.events.arrow(Arrow::Start, track, "wakeup", id, wakeup.time)?;
            self.events.arrow(Arrow::Finish, target, "wakeup", id, callback.begin)?;
        }
        Ok(())
    }

    fn handles(&mut self) -> io::Result<()> {
        for handle in &self.trace.handles {
            let track = self.tracks[self.lanes.of_loop(handle.lp)];
            let args = Object::new()
                .with("handle", format!("{:#x}", handle.token))
                .with_known("fd", handle.fd);
            for (time, what) in [(handle.opened, "opened"), (handle.closed, "closed")] {
                let Some(time) = time else { continue };
                let name = format!("{} {what}", handle.kind.name());
                self.events.instant(track, &name, "handle", time, args.clone())?;
            }
        }
        Ok(())
    }

    fn decisions(&mut self) -> io::Result<()> {
        for decision in &self.trace.decisions {
            let track = self.tracks[self.lanes.of_loop(decision.lp)];
            let args = Object::new().with("kind", decision.key.kind.name());
            self.events.instant(track, &decision.words, "decision", decision.time, args)?;
        }
        Ok(())
    }

    /// The share of time in which each loop did not wait, in per cent.
    fn utilisation(&mut self) -> io::Result<()> {
        for (lp, of) in self.trace.loops.iter().enumerate() {
            let track = self.tracks[self.lanes.of_loop(lp)];
            let name = format!("utilisation of loop {}", of.number);
            for (time, share) in self.trace.utilisation_steps(lp, STEP) {
                let percent = (share * 1000.0).round() / 10.0;
                self.events.counter(track, &name, time, Object::new().with("percent", percent))?;
            }
        }
        Ok(())
    }

    /// How many requests wait for a pool thread.
    fn pool_queue(&mut self) -> io::Result<()> {
        let jobs = self.trace.requests.iter().filter_map(|request| Some((request, request.job?)));
        let mut changes: Vec<(u64, i64)> =
            jobs.flat_map(|(request, job)| [(request.submitted, 1), (job.begin, -1)]).collect();
        changes.sort_unstable();
        let Some(process) = self.trace.processes.first() else { return Ok(()) };
        let track = Track { pid: process.pid, tid: 0 };
        let mut waiting = 0;
        for (time, change) in changes {
            waiting += change;
            self.events.counter(
                track,
                "pool queue",
                time,
                Object::new().with("requests", waiting),
            )?;
        }
        Ok(())
    }
}

fn function(trace: &Trace, name: Option<NameIndex>) -> Option<&str> {
    name.map(|name| trace.names[name].function.as_str())
}

fn callback_args(trace: &Trace, names: &[String], callback: &Callback) -> Object {
    let name = callback.name.map(|name| &names[name]);
    let handle = callback.handle.map(|handle| &trace.handles[handle]);
    let handle = handle.map(|handle| format!("{} {:#x}", handle.kind.name(), handle.token));
    Object::new()
        .with("kind", callback.kind.name())
        .with_known("function", name)
        .with_known("phase", callback.phase.map(Phase::name))
        .with_known("handle", handle)
        .with_known("fd", callback.fd)
        .with_known("ready_ns", callback.delay())
        .with_known("running", callback.running.then_some(true))
}
