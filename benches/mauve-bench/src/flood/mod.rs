//! Fairness: how often a timer of 5 ms fires while a socket of the same loop is always ready.
//!
//! The figure is the elapsed time per tick, so a loop that lets its timer wait has a larger one. The
//! peer that keeps the socket ready runs on a thread of its own, with blocking calls.

mod peer;
mod socket;
pub mod tasks;

use std::time::{Duration, Instant};

pub use peer::Peer;

use crate::Sample;

/// The period of the timer.
pub const TICK: Duration = Duration::from_millis(5);

/// The time of one measurement.
const DURATION: Duration = Duration::from_millis(300);

/// What the busy task does without pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// Reads this many bytes at a time from a TCP stream.
    Read(usize),
    /// Writes this many bytes at a time to a TCP stream.
    Write(usize),
    /// Receives datagrams of this size.
    Receive(usize),
    /// Sends datagrams of this size.
    Send(usize),
    /// Accepts TCP connections and closes them.
    Accept,
}

use Flood::{Accept, Read, Receive, Send, Write};

/// The largest datagram of IPv4.
const MAX_DATAGRAM: usize = 65_507;

/// All measurements.
pub const ALL: [Flood; 13] = [
    Read(16),
    Read(512),
    Read(64 << 10),
    Write(16),
    Write(512),
    Write(64 << 10),
    Receive(16),
    Receive(512),
    Receive(MAX_DATAGRAM),
    Send(16),
    Send(512),
    Send(MAX_DATAGRAM),
    Accept,
];

impl Flood {
    /// The name of the row.
    #[must_use]
    pub fn title(self) -> String {
        let size = |size: usize| if size < 1024 { format!("{size} B") } else { "64 KiB".into() };
        let busy = match self {
            Read(bytes) => format!("{} reads", size(bytes)),
            Write(bytes) => format!("{} writes", size(bytes)),
            Receive(bytes) => format!("{} datagrams received", size(bytes)),
            Send(bytes) => format!("{} datagrams sent", size(bytes)),
            Accept => "accepts".into(),
        };
        format!("tick of a 5 ms timer, {busy}")
    }

    /// The sample of a measurement.
    #[must_use]
    pub fn sample(self, ticks: usize, elapsed: Duration) -> Sample {
        Sample { wall: None, ..Sample::of(self.title(), elapsed, elapsed, ticks) }
    }
}

/// When a measurement begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    begin: Instant,
}

impl Span {
    /// Begins a measurement.
    #[must_use]
    pub fn begin() -> Self {
        Self { begin: Instant::now() }
    }

    /// Whether the measurement is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.elapsed() >= DURATION
    }

    /// The time since the measurement began.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.begin.elapsed()
    }
}
