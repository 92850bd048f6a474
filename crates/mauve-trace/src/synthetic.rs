//! A generated trace, for tests of what shows traces.

use mauve_core::schedule::{DecisionKind, Key};
use mauve_core::{HandleKind, Phase};

use crate::model::*;

/// A trace of two loops and four pool threads with about `callbacks` callbacks. The same numbers
/// give the same trace.
pub fn trace(callbacks: usize) -> Trace {
    Generator::new(callbacks).generate()
}

/// [`trace`] under a seeded schedule: one in a thousand callbacks follows a decision.
pub fn trace_with_decisions(callbacks: usize) -> Trace {
    const EVERY: usize = 1_000;
    let mut trace = trace(callbacks);
    for (index, callback) in trace.callbacks.iter().enumerate().step_by(EVERY) {
        let number = (index / EVERY) as u32;
        let (kind, words) = match number % 3 {
            0 => (DecisionKind::Event, "the event of on_read comes before other ready events"),
            1 => (DecisionKind::LateTimer, "the wait for the next timer is late by 5 ms"),
            _ => {
                (DecisionKind::FaultReceive, "a call fails: ECONNRESET in receive of a connection")
            }
        };
        trace.decisions.push(Decision {
            lp: callback.lp,
            time: callback.begin.saturating_sub(400),
            callback: Some(index),
            key: Key { lp: callback.lp as u16 + 1, kind, ordinal: number },
            choice: 1,
            options: 2,
            words: words.to_owned(),
        });
    }
    trace
}

const POOL: usize = 4;

struct Generator {
    trace: Trace,
    callbacks: usize,
    random: u64,
    /// When each pool thread is free again.
    pool: [u64; POOL],
    /// Submitted requests whose callback has not run.
    pending: Vec<RequestIndex>,
}

impl Generator {
    fn new(callbacks: usize) -> Self {
        let mut trace = Trace { origin: 1_000_000_000, wall_clock: 1, ..Trace::default() };
        trace.processes.push(Process { pid: 1234, command: "server --port 80".to_owned() });
        let names = ["main", "worker", "pool-1", "pool-2", "pool-3", "pool-4"];
        for (index, name) in names.into_iter().enumerate() {
            let tid = 1234 + index as u32;
            let thread = Thread { process: 0, tid, name: name.to_owned(), dropped: 0 };
            trace.threads.push(thread);
        }
        for lp in 0..2 {
            let number = lp as u32 + 1;
            trace.loops.push(Loop { thread: lp, number, uv_loop: 0x1000, ..Loop::default() });
        }
        for (function, line) in [
            ("on_read", 10),
            ("on_timer", 20),
            ("on_written", 30),
            ("hash_file", 40),
            ("on_close", 50),
        ] {
            let file = Some("src/server.c".to_owned());
            trace.names.push(Name { function: function.to_owned(), file, line: Some(line) });
        }
        trace.names.push(Name { function: "libfoo.so+0x1234".to_owned(), ..Name::default() });
        for index in 0..16 {
            let kind = if index % 4 == 3 { HandleKind::Timer } else { HandleKind::Tcp };
            let fd = (kind == HandleKind::Tcp).then_some(10 + index);
            let lp = index as usize % 2;
            let token = 0x7f00_0000 + index as u64 * 64;
            trace.handles.push(Handle { lp, kind, token, fd, opened: Some(0), closed: None });
        }
        Self { trace, callbacks, random: 88_172_645_463_325_252, pool: [0; POOL], pending: vec![] }
    }

    /// A number below `bound` (xorshift).
    fn below(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % bound
    }

    fn generate(mut self) -> Trace {
        let mut now = [0, 5_000];
        let mut numbers = [0; 2];
        while self.trace.callbacks.len() < self.callbacks {
            // The loop that is behind goes on, so that both end at about the same time.
            let lp = usize::from(now[1] < now[0]);
            numbers[lp] += 1;
            now[lp] = self.iteration(lp, numbers[lp], now[lp]);
        }
        let end = now[0].max(now[1]);
        self.trace.end = end;
        for (of, end) in self.trace.loops.iter_mut().zip(now) {
            of.end = end;
        }
        self.trace.callbacks.sort_by_key(|callback| callback.begin);
        self.link_callbacks();
        self.sample_callbacks();
        self.trace.iterations.sort_by_key(|iteration| iteration.begin);
        self.trace.phases.sort_by_key(|phase| phase.begin);
        self.trace.waits.sort_by_key(|wait| wait.begin);
        self.trace.wakeups.sort_by_key(|wakeup| wakeup.time);
        self.trace
    }

    /// Sets the positions of callbacks, which are known when the list is sorted.
    fn link_callbacks(&mut self) {
        for (index, callback) in self.trace.callbacks.iter().enumerate() {
            if let Some(request) = callback.request {
                self.trace.requests[request].callback = Some(index);
            }
        }
        for wakeup in &mut self.trace.wakeups {
            let after = self.trace.callbacks.partition_point(|c| c.begin < wakeup.time);
            let led_to = self.trace.callbacks[after..].iter().position(|c| c.lp == wakeup.lp);
            wakeup.callback = led_to.map(|position| after + position);
        }
    }

    /// Adds the stacks of callbacks that run long: a function that has called two others.
    fn sample_callbacks(&mut self) {
        const SAMPLES: u64 = 5;
        let first = self.trace.names.len();
        for (function, line) in [("handle", 60), ("parse", 70), ("compress", 80)] {
            let file = Some("src/handler.c".to_owned());
            self.trace.names.push(Name { function: function.to_owned(), file, line: Some(line) });
        }
        let called = |name| Frame { caller: Some(0), name };
        self.trace.frames =
            vec![Frame { caller: None, name: first }, called(first + 1), called(first + 2)];
        for (callback, of) in self.trace.callbacks.iter().enumerate() {
            if of.duration() < 10_000_000 {
                continue;
            }
            let covers = of.duration() / SAMPLES;
            self.trace.samples.extend((1..=SAMPLES).map(|number| Sample {
                callback,
                time: of.begin + number * covers,
                covers,
                frame: if number % 3 == 0 { 1 } else { 2 },
            }));
        }
    }

    fn iteration(&mut self, lp: LoopIndex, number: u64, begin: u64) -> u64 {
        let mut now = begin;
        let wait = 1_000 + self.below(200_000);
        let events = 1 + self.below(6) as u32;
        let poll = now;
        let end = now + wait;
        let timeout = (self.below(3) > 0).then_some(1_000_000);
        self.trace.waits.push(Wait { lp, begin: now, end, timeout, events });
        now = end;
        for _ in 0..events {
            now = self.callback(lp, CallbackKind::Read, Phase::Poll, end, now);
        }
        while let Some(request) = self.finished(lp, now) {
            let job = self.trace.requests[request].job.expect("a generated request has a job");
            now = self.callback(lp, CallbackKind::Work, Phase::Poll, job.end, now);
            self.trace.callbacks.last_mut().expect("just pushed").request = Some(request);
        }
        self.phase(lp, Phase::Poll, poll, now, events);
        if self.below(5) == 0 {
            let close = now;
            now = self.callback(lp, CallbackKind::Close, Phase::Close, close, now);
            self.phase(lp, Phase::Close, close, now, 1);
        }
        if self.below(3) == 0 {
            let timers = now;
            now = self.callback(lp, CallbackKind::Timer, Phase::Timers, timers, now);
            self.phase(lp, Phase::Timers, timers, now, 1);
        }
        let (waited, events, events_waiting) = (wait, 1, 0);
        let end = now;
        let iteration = Iteration { lp, number, begin, end, waited, events, events_waiting };
        self.trace.iterations.push(iteration);
        now
    }

    fn phase(&mut self, lp: LoopIndex, phase: Phase, begin: u64, end: u64, callbacks: u32) {
        self.trace.phases.push(PhaseSpan { lp, phase, begin, end, callbacks });
    }

    /// Adds a callback, and sometimes a request that it submits. Returns when it ends.
    fn callback(
        &mut self,
        lp: LoopIndex,
        kind: CallbackKind,
        phase: Phase,
        ready: u64,
        now: u64,
    ) -> u64 {
        // One in a thousand blocks the loop.
        let slow = if self.below(1_000) == 0 { 12_000_000 } else { 0 };
        let begin = now + self.below(500);
        let end = begin + 1_000 + self.below(20_000) + slow;
        let handle = (kind != CallbackKind::Work).then(|| lp + 2 * self.below(8) as usize);
        let fd = handle.and_then(|handle| self.trace.handles[handle].fd);
        let name = match kind {
            CallbackKind::Read => 0,
            CallbackKind::Timer => 1,
            CallbackKind::Work => 3,
            CallbackKind::Close => 4,
            _ => 5,
        };
        self.trace.callbacks.push(Callback {
            lp,
            thread: lp,
            kind,
            phase: Some(phase),
            depth: 0,
            handle,
            request: None,
            fd,
            ready: Some(ready),
            begin,
            end,
            running: false,
            name: Some(name),
        });
        if self.below(8) == 0 {
            self.submit(lp, begin + (end - begin) / 2);
        }
        end
    }

    fn submit(&mut self, lp: LoopIndex, submitted: u64) {
        let worker = self.below(POOL as u64) as usize;
        let begin = self.pool[worker].max(submitted) + 2_000;
        let end = begin + 10_000 + self.below(300_000);
        self.pool[worker] = end;
        let job = Some(Job { thread: 2 + worker, begin, end });
        let request = Request { lp, submitter: lp, submitted, job, callback: None, name: Some(3) };
        self.pending.push(self.trace.requests.len());
        self.trace.requests.push(request);
        let wakeup = Wakeup { from: 2 + worker, lp, handle: None, time: end, callback: None };
        self.trace.wakeups.push(wakeup);
    }

    /// A request of the loop whose job has ended.
    fn finished(&mut self, lp: LoopIndex, now: u64) -> Option<RequestIndex> {
        let requests = &self.trace.requests;
        let done = |index: &RequestIndex| {
            let request = &requests[*index];
            request.lp == lp && request.job.is_some_and(|job| job.end <= now)
        };
        let position = self.pending.iter().position(done)?;
        Some(self.pending.swap_remove(position))
    }
}

#[cfg(test)]
mod tests {
    use super::trace;

    #[test]
    fn a_generated_trace_is_consistent() {
        let trace = trace(5_000);
        assert!(trace.callbacks.len() >= 5_000);
        assert!(trace.callbacks.is_sorted_by_key(|callback| callback.begin));
        assert!(trace.waits.is_sorted_by_key(|wait| wait.begin));
        let linked = trace.requests.iter().filter(|request| request.callback.is_some()).count();
        assert!(linked > trace.requests.len() / 2, "{linked} of {}", trace.requests.len());
        for callback in &trace.callbacks {
            assert!(callback.begin < callback.end && callback.end <= trace.end);
            assert!(callback.ready.is_none_or(|ready| ready <= callback.begin));
        }
        let utilisation = trace.utilisation(0);
        assert!((0.01..0.99).contains(&utilisation), "{utilisation}");
    }
}
