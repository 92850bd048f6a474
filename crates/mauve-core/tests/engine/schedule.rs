//! The seeded schedule: under every seed, all completions come, and in an order that libuv promises.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};

use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::schedule::{Decision, Simulation};
use mauve_core::trace::CallbackName;
use mauve_core::{Completion, Engine, HandleId, Mode, Phase, Token};
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::payload::Payload;
use proptest::prelude::*;

use crate::fake::{FakeDriver, FakeSystem, ScheduledEvent};
use crate::harness::{Report, next_report};

struct Scheduled {
    engine: Engine<FakeDriver>,
    system: FakeSystem,
    log: Log,
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn unnamed(_: CallbackName) -> String {
    String::new()
}

impl Scheduled {
    fn new(simulation: Simulation, threads: usize) -> Self {
        let (system, log) = (FakeSystem::new(), Log::default());
        let mut engine = Engine::new(system.driver(), Pool::new(threads)).expect("an engine");
        engine.set_schedule(Arc::new(simulation.with_log(Box::new(log.clone()), unnamed)));
        Self { engine, system, log }
    }

    /// Runs to the end. Returns the phases, the times and the completions.
    fn run(&mut self) -> Vec<(Phase, u64, Report)> {
        let mut calls = Vec::new();
        while let Some(report) = next_report(&mut self.engine, Mode::Default) {
            calls.push((self.engine.phase().unwrap(), self.engine.now(), report));
            assert!(calls.len() < 10_000, "a run without end");
            if let Report::Event(Completion::Poll { token, .. }) = report {
                // The program has taken what was ready.
                let fd = i32::try_from(token.0).unwrap();
                self.system.set_ready(fd, Readiness::empty());
                let id = self.polled(fd);
                assert!(self.engine.close_handle(id));
            }
            if let Report::Event(Completion::Async(token)) = report {
                let id = self.handle(token);
                assert!(self.engine.close_handle(id));
            }
        }
        calls
    }

    fn handle(&mut self, token: Token) -> HandleId {
        let found = self.engine.handles(false).into_iter().find(|(_, other)| *other == token);
        found.expect("an open handle").0
    }

    fn polled(&mut self, fd: i32) -> HandleId {
        self.handle(Token(u64::try_from(fd).unwrap()))
    }

    fn decisions(&self) -> Vec<Decision> {
        let log = String::from_utf8(self.log.0.lock().unwrap().clone()).unwrap();
        log.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Descriptors from 100 on that become ready at these times, and timers with these timeouts.
    fn with(mut self, ready: &[u64], timers: &[u64], asyncs: &[u64], jobs: u64) -> Self {
        for (fd, time) in (100..).zip(ready) {
            let id = self.engine.open_poll(Token(fd as u64), fd).unwrap();
            self.engine.poll(id).unwrap().start(Interest::READABLE).unwrap();
            self.system.schedule(*time, ScheduledEvent::Ready(fd, Readiness::READABLE));
        }
        for (token, timeout) in (10_000..).zip(timers) {
            let id = self.engine.open_timer(Token(token));
            self.engine.timer(id).unwrap().start(*timeout, 0).unwrap();
        }
        for (token, time) in (20_000..).zip(asyncs) {
            let id = self.engine.open_async(Token(token));
            self.system.schedule(*time, ScheduledEvent::Send(self.engine.sender(id)));
        }
        for token in 30_000..30_000 + jobs {
            let task = Task::Call(|_| (), 0);
            self.engine.submit_work(Token(token), Lane::Normal, task).unwrap();
        }
        self
    }
}

fn times() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0..60u64, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_order_is_complete_and_legal(
        seed in any::<u64>(),
        (ready, timers, asyncs) in (times(), times(), times()),
        jobs in 0..6u64,
        threads in 1..3usize,
    ) {
        let mut scheduled =
            Scheduled::new(Simulation::seeded(seed), threads).with(&ready, &timers, &asyncs, jobs);
        let begin = scheduled.engine.now();
        let calls = scheduled.run();
        let tokens = |from: u64, to: u64| -> Vec<u64> {
            let all = calls.iter().filter(|(phase, ..)| *phase != Phase::Close);
            all.map(|(_, _, completion)| completion.token().0).filter(|t| (from..to).contains(t)).collect()
        };
        // Each event, wake-up and request is reported once.
        let sorted = |mut tokens: Vec<u64>| { tokens.sort_unstable(); tokens };
        prop_assert_eq!(sorted(tokens(100, 10_000)), (100..100 + ready.len() as u64).collect::<Vec<_>>());
        prop_assert_eq!(sorted(tokens(20_000, 30_000)), (20_000..20_000 + asyncs.len() as u64).collect::<Vec<_>>());
        let work = tokens(30_000, 40_000);
        prop_assert_eq!(sorted(work.clone()), (30_000..30_000 + jobs).collect::<Vec<_>>());
        // A pool of one thread keeps the order of its requests.
        if threads == 1 {
            prop_assert!(work.is_sorted(), "{:?}", work);
        }
        // Timers come in the order in which they are due, never early, and after they were started.
        let mut due: Vec<(u64, u64)> = timers.iter().copied().zip(10_000..).collect();
        due.sort_unstable();
        prop_assert_eq!(tokens(10_000, 20_000), due.iter().map(|(_, token)| *token).collect::<Vec<_>>());
        for (phase, now, report) in &calls {
            let expected = match report {
                Report::Hook(_, token) => {
                    prop_assert!(now - begin >= timers[(token.0 - 10_000) as usize]);
                    Phase::Timers
                }
                Report::Event(Completion::Close(_)) => Phase::Close,
                _ => Phase::Poll,
            };
            prop_assert_eq!(*phase, expected, "{:?}", report);
        }
        // The decisions of the log repeat the run.
        let chosen: Vec<_> = scheduled.decisions().into_iter().filter(|d| d.choice != 0).collect();
        let mut again = Scheduled::new(Simulation::replaying(chosen), threads)
            .with(&ready, &timers, &asyncs, jobs);
        prop_assert_eq!(again.run(), calls);
    }

    #[test]
    fn bytes_of_a_stream_keep_their_order(seed in any::<u64>(), sizes in prop::collection::vec(1..2000usize, 1..6)) {
        let (own, mut peer) = UnixStream::pair().unwrap();
        own.set_nonblocking(true).unwrap();
        let mut scheduled = Scheduled::new(Simulation::seeded(seed), 1);
        let id = scheduled.engine.open_tcp(Token(1));
        let fd = std::os::fd::AsRawFd::as_raw_fd(&own);
        let mut stream = scheduled.engine.stream(id).unwrap();
        let adopted = stream.open(fd, true, true).unwrap();
        stream.adopt(std::os::fd::OwnedFd::from(own), adopted).unwrap();
        scheduled.system.set_ready(fd, Readiness::READABLE | Readiness::WRITABLE);
        let bytes: Vec<u8> = (0..sizes.iter().sum::<usize>()).map(|n| n as u8).collect();
        let mut rest = bytes.as_slice();
        for (token, size) in (2..).zip(&sizes) {
            let (part, others) = rest.split_at(*size);
            rest = others;
            let mut stream = scheduled.engine.stream(id).unwrap();
            stream.write(Token(token), Payload::owned(part.to_vec()), None).unwrap();
        }
        let mut written = Vec::new();
        while let Some(report) = next_report(&mut scheduled.engine, Mode::Default) {
            if let Completion::Write { token, result, .. } = report.event() {
                result.unwrap();
                written.push(token.0);
            }
        }
        prop_assert_eq!(written, (2..2 + sizes.len() as u64).collect::<Vec<_>>());
        let mut received = vec![0; bytes.len()];
        peer.read_exact(&mut received).unwrap();
        prop_assert_eq!(&received, &bytes);
        peer.write_all(&bytes).unwrap();
        let mut stream = scheduled.engine.stream(id).unwrap();
        stream.start_reading().unwrap();
        let mut read: Vec<u8> = Vec::new();
        while read.len() < bytes.len() {
            let report = next_report(&mut scheduled.engine, Mode::NoWait);
            if !matches!(report, Some(Report::Event(Completion::Readable(_)))) {
                continue;
            }
            let mut buffer = [0; 1024];
            let outcome = scheduled.engine.stream(id).unwrap().read(&mut buffer);
            if let mauve_core::handle::stream::ReadOutcome::Data(count) = outcome {
                read.extend(&buffer[..count]);
            }
        }
        prop_assert_eq!(&read, &bytes);
    }
}

/// The orders of the completions of `make` under some seeds.
fn orders(make: impl Fn(Simulation) -> Scheduled) -> std::collections::HashSet<Vec<u64>> {
    let order = |seed| {
        let calls = make(Simulation::seeded(seed)).run();
        let calls = calls.iter().filter(|(phase, ..)| *phase != Phase::Close);
        calls.map(|(_, _, completion)| completion.token().0).collect()
    };
    (0..300).map(order).collect()
}

#[test]
fn seeds_reach_every_order_of_events_and_of_requests() {
    let events = orders(|simulation| Scheduled::new(simulation, 1).with(&[5, 5, 5], &[], &[], 0));
    assert_eq!(events.len(), 6, "{events:?}");
    let requests = orders(|simulation| Scheduled::new(simulation, 4).with(&[], &[], &[], 3));
    assert_eq!(requests.len(), 6, "{requests:?}");
}

#[test]
fn seeds_put_a_timer_before_and_behind_an_event_and_a_request() {
    let events = orders(|simulation| Scheduled::new(simulation, 1).with(&[5], &[8], &[], 0));
    assert_eq!(events.len(), 2, "{events:?}");
    let late = orders(|simulation| Scheduled::new(simulation, 1).with(&[9], &[8], &[], 0));
    assert_eq!(late.len(), 2, "{late:?}");
    let requests = orders(|simulation| Scheduled::new(simulation, 1).with(&[], &[8], &[], 1));
    assert_eq!(requests.len(), 2, "{requests:?}");
}

#[test]
fn without_decisions_the_order_is_that_of_the_plain_schedule() {
    let none = || Simulation::replaying([]);
    let mut scheduled = Scheduled::new(none(), 1).with(&[5, 5], &[3, 8], &[5], 0);
    let (system, calls) = (FakeSystem::new(), scheduled.run());
    let mut plain = Scheduled {
        engine: Engine::new(system.driver(), Pool::new(1)).unwrap(),
        system,
        log: Log::default(),
    }
    .with(&[5, 5], &[3, 8], &[5], 0);
    assert_eq!(plain.run(), calls);
    assert!(plain.engine.simulation().is_none());
}
