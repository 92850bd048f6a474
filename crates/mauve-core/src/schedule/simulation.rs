//! A simulation: draws the decisions of all loops of a process, and logs them.
//!
//! A decision has a [`Key`]: the loop, the kind, and how many of this kind the loop has drawn before. What
//! is drawn depends on the seed and the key only. So decisions of one kind do not shift those of another,
//! and a log can be repeated in part.
//!
//! A log has a line for each decision, in the form of [`Decision`], and a line for each callback.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mauve_sys::fork;
use mauve_sys::fs::cancellable::with_cancellation_disabled;

use super::FaultRates;
use crate::trace::{CallbackKind, CallbackName};

macro_rules! decision_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// What is decided. Zero is always what the plain schedule does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum DecisionKind {
            $($(#[$doc])* $kind,)*
        }

        impl DecisionKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Whether it is about a call that fails.
            pub fn is_fault(self) -> bool {
                self as u8 >= Self::FaultAccept as u8
            }

            /// The name in logs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

decision_kinds! {
    /// Which of the events of a poll is next.
    Event = "event",
    /// How many events of a poll are left for the next one.
    LaterEvents = "later-events",
    /// Whether timers run before the events of a poll.
    TimerBeforeEvents = "timer-before-events",
    /// By how much a wait for a timer is late.
    LateTimer = "late-timer",
    /// Whether async handles are called in the next iteration.
    LaterWakeup = "later-wakeup",
    /// Which of the finished requests is next.
    Work = "work",
    /// How many finished requests are left for the next iteration.
    LaterWork = "later-work",
    /// Whether timers run before finished requests.
    TimerBeforeWork = "timer-before-work",
    /// How many bytes a read returns.
    Read = "read",
    /// How many bytes a write takes.
    Write = "write",
    /// Whether accepting a connection fails.
    FaultAccept = "fault-accept",
    /// Whether connecting fails.
    FaultConnect = "fault-connect",
    /// Whether receiving fails.
    FaultReceive = "fault-receive",
    /// Whether sending fails.
    FaultSend = "fault-send",
    /// Whether a call of a request fails.
    FaultRequest = "fault-request",
    /// Whether a child is killed.
    FaultChild = "fault-child",
    /// Whether a datagram gets lost.
    FaultLoss = "fault-loss",
}

/// Identifies a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The loop: loops are numbered as they are created.
    pub lp: u16,
    /// What is decided.
    pub kind: DecisionKind,
    /// How many decisions of this kind the loop has drawn before.
    pub ordinal: u32,
}

/// A decision, as a log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which one.
    pub key: Key,
    /// What was chosen. Zero is what the plain schedule does.
    pub choice: u32,
    /// How many choices there were.
    pub options: u32,
    /// What it is about.
    pub subject: String,
}

/// The first word of a line with a decision.
const DECISION: &str = "decide";

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key: Key { lp, kind, ordinal }, choice, options, subject } = self;
        write!(f, "{DECISION}\t{lp}\t{}\t{ordinal}\t{choice}\t{options}\t{subject}", kind.name())
    }
}

/// A line that is no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDecision;

impl FromStr for Decision {
    type Err = NoDecision;

    fn from_str(line: &str) -> Result<Self, NoDecision> {
        let words: Vec<&str> = line.splitn(7, '\t').collect();
        let [DECISION, lp, kind, ordinal, choice, options, subject] = words[..] else {
            return Err(NoDecision);
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| NoDecision);
        let kind = DecisionKind::ALL.iter().copied().find(|other| other.name() == kind);
        let kind = kind.ok_or(NoDecision)?;
        let lp = lp.parse().map_err(|_| NoDecision)?;
        Ok(Self {
            key: Key { lp, kind, ordinal: number(ordinal)? },
            choice: number(choice)?,
            options: number(options)?,
            subject: subject.to_owned(),
        })
    }
}

/// Converts the name of a callback to text for logs.
pub type Names = fn(CallbackName) -> String;

/// Draws and logs the decisions of a process.
pub struct Simulation {
    source: Source,
    log: Option<Mutex<Box<dyn Write + Send>>>,
    names: Names,
    rates: FaultRates,
    /// The number of the last loop.
    loops: AtomicU16,
    /// A forked child has the plain schedule.
    process: u64,
}

enum Source {
    /// All decisions are drawn from a number.
    Seed(u64),
    /// Those that are not the plain schedule's.
    Replay(HashMap<Key, u32>),
}

impl Simulation {
    /// Draws all decisions from `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self::new(Source::Seed(seed))
    }

    /// Repeats these decisions. All others are the plain schedule's.
    pub fn replaying(decisions: impl IntoIterator<Item = Decision>) -> Self {
        let chosen = decisions.into_iter().filter(|decision| decision.choice != 0);
        Self::new(Source::Replay(chosen.map(|decision| (decision.key, decision.choice)).collect()))
    }

    fn new(source: Source) -> Self {
        let (loops, process) = (AtomicU16::new(0), fork::generation());
        Self {
            source,
            log: None,
            names: |_| String::new(),
            rates: FaultRates::default(),
            loops,
            process,
        }
    }

    /// Lets calls fail, if decisions are drawn from a seed.
    #[must_use]
    pub fn with_faults(self, rates: FaultRates) -> Self {
        Self { rates, ..self }
    }

    pub(super) fn rates(&self) -> FaultRates {
        self.rates
    }

    /// Whether calls may fail.
    pub(super) fn has_faults(&self) -> bool {
        // A thread of the parent may have held a lock when this process was forked.
        if self.process != fork::generation() {
            return false;
        }
        match &self.source {
            Source::Seed(_) => self.rates.is_any(),
            Source::Replay(chosen) => chosen.keys().any(|key| key.kind.is_fault()),
        }
    }

    /// Writes each decision and each callback to `log`, as lines, at once: a program that fails may not
    /// flush anything. `names` returns the names of callbacks.
    #[must_use]
    pub fn with_log(self, log: Box<dyn Write + Send>, names: Names) -> Self {
        Self { log: Some(Mutex::new(log)), names, ..self }
    }

    /// The number of a new loop.
    pub(super) fn next_loop(&self) -> u16 {
        self.loops.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }

    pub(super) fn name(&self, name: CallbackName) -> String {
        if self.log.is_some() { (self.names)(name) } else { String::new() }
    }

    pub(super) fn decide(
        &self,
        key: Key,
        options: u32,
        subject: impl FnOnce(u32) -> String,
    ) -> u32 {
        if self.process != fork::generation() {
            return 0;
        }
        let choice = match &self.source {
            Source::Seed(seed) => draw(*seed, key, options),
            Source::Replay(chosen) => chosen.get(&key).copied().unwrap_or(0).min(options - 1),
        };
        if self.log.is_some() {
            let subject = subject(choice);
            self.write(format_args!("{}\n", Decision { key, choice, options, subject }));
        }
        choice
    }

    /// As [`decide`](Self::decide), for a call that fails at this rate. Zero is not logged.
    pub(super) fn decide_fault(
        &self,
        key: Key,
        rate: f64,
        options: u32,
        subject: impl FnOnce(u32) -> String,
    ) -> u32 {
        if self.process != fork::generation() {
            return 0;
        }
        let choice = match &self.source {
            Source::Seed(seed) => draw_fault(*seed, key, rate, options),
            Source::Replay(chosen) => chosen.get(&key).copied().unwrap_or(0).min(options - 1),
        };
        if choice != 0 && self.log.is_some() {
            let subject = subject(choice);
            self.write(format_args!("{}\n", Decision { key, choice, options, subject }));
        }
        choice
    }

    /// Logs that a callback begins.
    pub fn note_call(&self, lp: u16, kind: CallbackKind, name: CallbackName) {
        if self.log.is_some() && self.process == fork::generation() {
            let name = (self.names)(name);
            self.write(format_args!("call\t{lp}\t{}\t{name}\n", kind.name()));
        }
    }

    fn write(&self, line: fmt::Arguments<'_>) {
        if let Some(log) = &self.log {
            // In one call, so that lines stay whole. A full disk must not change what the program does.
            let line = line.to_string();
            with_cancellation_disabled(|| {
                let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = log.write_all(line.as_bytes());
            });
        }
    }
}

/// Draws a number below `options`. Zero is more likely than all others together for most seeds, because
/// few failures need many decisions. How likely depends on the seed and the kind.
fn draw(seed: u64, Key { lp, kind, ordinal }: Key, options: u32) -> u32 {
    const ONE_IN: [u64; 4] = [2, 3, 6, 16];
    let of_kind = mix(seed ^ mix(kind as u64 + 1));
    let one_in = ONE_IN[(of_kind % ONE_IN.len() as u64) as usize];
    let number = mix(of_kind ^ mix(u64::from(lp) << 32 | u64::from(ordinal)));
    if !number.is_multiple_of(one_in) {
        return 0;
    }
    1 + (mix(number) % u64::from(options - 1)) as u32
}

/// Draws a number below `options`, which is not zero at this rate.
fn draw_fault(seed: u64, Key { lp, kind, ordinal }: Key, rate: f64, options: u32) -> u32 {
    let of_kind = mix(seed ^ mix(kind as u64 + 1));
    let number = mix(of_kind ^ mix(u64::from(lp) << 32 | u64::from(ordinal)));
    // 53 bits, which a float has exactly.
    if (number >> 11) as f64 >= rate * (1u64 << 53) as f64 {
        return 0;
    }
    1 + (mix(number) % u64::from(options - 1)) as u32
}

/// The output function of the generator SplitMix64.
fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static OF_PROCESS: OnceLock<Arc<Simulation>> = OnceLock::new();

/// Sets the simulation of all loops that this process creates from now on. The first call counts.
pub fn set_of_process(simulation: Simulation) {
    if OF_PROCESS.set(Arc::new(simulation)).is_ok() {
        crate::trace::note_schedule();
    }
}

/// The simulation of this process.
pub fn of_process() -> Option<&'static Arc<Simulation>> {
    OF_PROCESS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: DecisionKind, ordinal: u32) -> Key {
        Key { lp: 1, kind, ordinal }
    }

    #[test]
    fn a_seed_draws_the_same_decisions_each_time_and_others_than_another_seed() {
        let draws = |seed| -> Vec<u32> {
            let simulation = Simulation::seeded(seed);
            let keys = (0..1000).map(|n| key(DecisionKind::Event, n));
            keys.map(|key| simulation.decide(key, 5, |_| String::new())).collect()
        };
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
        assert!((0..5).all(|choice| draws(3).contains(&choice)));
    }

    #[test]
    fn calls_fail_at_their_rate() {
        let simulation = Simulation::seeded(1).with_faults(FaultRates::all(0.1));
        let of = |rate| {
            let keys = (0..10_000).map(|n| key(DecisionKind::FaultSend, n));
            let drawn = keys.map(|key| simulation.decide_fault(key, rate, 4, |_| String::new()));
            drawn.filter(|choice| *choice != 0).collect::<Vec<_>>()
        };
        assert!((800..1200).contains(&of(0.1).len()), "{}", of(0.1).len());
        assert!((1..4).all(|choice| of(0.1).contains(&choice)));
        assert_eq!((of(0.0).len(), of(1.0).len()), (0, 10_000));
        assert!(simulation.has_faults() && !Simulation::seeded(1).has_faults());
    }

    #[test]
    fn a_line_of_the_log_is_the_decision() {
        let key = key(DecisionKind::TimerBeforeWork, 3);
        let subject = "work on_read (a.c:1)\tx".to_owned();
        let decision = Decision { key, choice: 1, options: 2, subject };
        assert_eq!(decision.to_string().parse(), Ok(decision));
        assert_eq!("call\t1\ttimer\ttick".parse::<Decision>(), Err(NoDecision));
        assert_eq!("decide\t1\tother\t0\t1\t2\t".parse::<Decision>(), Err(NoDecision));
    }

    #[test]
    fn a_replay_repeats_decisions_that_still_have_that_many_options() {
        let (first, second) = (key(DecisionKind::Work, 0), key(DecisionKind::Work, 1));
        let decision = Decision { key: first, choice: 3, options: 4, subject: String::new() };
        let simulation = Simulation::replaying([decision]);
        assert_eq!(simulation.decide(first, 4, |_| String::new()), 3);
        assert_eq!(simulation.decide(first, 2, |_| String::new()), 1);
        assert_eq!(simulation.decide(second, 4, |_| String::new()), 0);
    }
}
