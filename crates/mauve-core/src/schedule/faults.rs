//! Calls that fail: `mauve sim --faults`.
//!
//! The engine asks before it accepts, connects, receives and sends, and after it has started a child. Calls of
//! requests ask on the thread that performs them, through the [seam](mauve_sys::faults) of the system layer. A
//! request has a number, in the order of submission, so that threads do not matter. Calls without a request,
//! such as a file that is read while the program waits for it, do not fail.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mauve_sys::descriptor::BorrowedDescriptor;
use mauve_sys::driver::Driver;
use mauve_sys::faults::{self, Call};
use mauve_sys::{Errno, Result, decimal, fork, net};

use super::{DecisionKind, LoopSchedule};
use crate::Engine;
use crate::id::{HandleId, RequestId, Token};
use crate::trace::CallbackKind;

/// How likely calls fail, from 0 to 1, by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaultRates {
    /// Sockets: `accept`, `connect`, receiving and sending. Datagrams also get lost.
    pub net: f64,
    /// Requests on files.
    pub fs: f64,
    /// Host names.
    pub dns: f64,
    /// Children, which are killed.
    pub child: f64,
}

impl FaultRates {
    /// All calls fail this often.
    pub const fn all(rate: f64) -> Self {
        Self { net: rate, fs: rate, dns: rate, child: rate }
    }

    /// Whether any call may fail.
    pub(super) fn is_any(self) -> bool {
        self != Self::default()
    }

    fn of(self, call: Call) -> f64 {
        match call {
            Call::Accept
            | Call::Connect
            | Call::Receive
            | Call::Send
            | Call::SendPipe
            | Call::ReceiveDatagram
            | Call::ReceiveFromPeer
            | Call::SendDatagram
            | Call::SendToPeer => self.net,
            Call::Resolve => self.dns,
            Call::Open | Call::OpenNew | Call::Create | Call::Read | Call::Write | Call::Sync => {
                self.fs
            }
        }
    }
}

/// A text that has no rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRates(String);

impl fmt::Display for NoRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(part) = self;
        write!(
            f,
            "{part:?} is not one of net, fs, dns and child with a rate from 0 to 1, such as net:0.01"
        )
    }
}

impl std::error::Error for NoRates {}

impl FromStr for FaultRates {
    type Err = NoRates;

    /// Reads `net:0.01,fs:0.001`.
    fn from_str(text: &str) -> std::result::Result<Self, NoRates> {
        let mut rates = Self::default();
        for part in text.split(',') {
            let problem = || NoRates(part.to_owned());
            let (name, rate) = part.split_once(':').ok_or_else(problem)?;
            let slot = match name {
                "net" => &mut rates.net,
                "fs" => &mut rates.fs,
                "dns" => &mut rates.dns,
                "child" => &mut rates.child,
                _ => return Err(problem()),
            };
            let rate = decimal::parse(rate).filter(|rate| (0.0..=1.0).contains(rate));
            *slot = rate.ok_or_else(problem)?;
        }
        Ok(rates)
    }
}

impl fmt::Display for FaultRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { net, fs, dns, child } = self;
        write!(f, "net:{net},fs:{fs},dns:{dns},child:{child}")
    }
}

impl LoopSchedule {
    /// Decides whether a call fails. `about` says for which callback.
    fn fault(&self, call: Call, errors: &[Errno], about: impl FnOnce() -> String) -> Option<Errno> {
        let kind = match call {
            Call::Accept => DecisionKind::FaultAccept,
            Call::Connect => DecisionKind::FaultConnect,
            Call::Receive | Call::ReceiveDatagram | Call::ReceiveFromPeer => {
                DecisionKind::FaultReceive
            }
            _ => DecisionKind::FaultSend,
        };
        let rate = self.simulation.rates().of(call);
        let subject = |choice: usize| format!("{} of {}", fails(call, errors[choice - 1]), about());
        let choice = self.decide_fault(kind, None, rate, errors.len() + 1, subject);
        Some(errors[choice.checked_sub(1)?])
    }

    /// Decides whether receiving from a connection fails. It is broken then.
    pub fn receive_fault(&self, fd: BorrowedDescriptor<'_>) -> Option<Errno> {
        let error = self.fault(Call::Receive, Call::Receive.errors(), || "a connection".into())?;
        break_connection(fd);
        Some(error)
    }

    /// Decides whether sending fails. A connection is broken then, unless it is only full.
    pub fn send_fault(&self, fd: BorrowedDescriptor<'_>, is_connection: bool) -> Option<Errno> {
        let call = if is_connection { Call::Send } else { Call::SendPipe };
        let error = self.fault(call, call.errors(), || "a stream".into())?;
        if error != Errno::EAGAIN {
            break_connection(fd);
        }
        Some(error)
    }
}

impl LoopSchedule {
    /// Decides whether receiving a datagram fails. The datagram stays in the queue of the socket.
    #[cold]
    pub fn datagram_receive_fault(&self, is_connected: bool) -> Option<Errno> {
        let call = if is_connected { Call::ReceiveFromPeer } else { Call::ReceiveDatagram };
        self.fault(call, call.errors(), || "a datagram".into())
    }

    /// Decides whether sending a datagram fails, or seems to succeed because the datagram gets lost.
    #[cold]
    pub fn datagram_send_fault(&self, is_connected: bool) -> Option<Result<()>> {
        let call = if is_connected { Call::SendToPeer } else { Call::SendDatagram };
        if let Some(error) = self.fault(call, call.errors(), || "a datagram".into()) {
            return Some(Err(error));
        }
        let rate = self.simulation.rates().of(call);
        let lost = |_| "a datagram".to_owned();
        let choice = self.decide_fault(DecisionKind::FaultLoss, None, rate, 2, lost);
        (choice == 1).then_some(Ok(()))
    }
}

fn fails(call: Call, error: Errno) -> String {
    format!("{} in {}", error.name().unwrap_or("an error"), call.name())
}

/// What the peer of a broken connection sees is its end.
fn break_connection(fd: BorrowedDescriptor<'_>) {
    // It may be broken already.
    let _ = net::shutdown(fd, std::net::Shutdown::Both);
}

impl<D: Driver> Engine<D> {
    /// Decides whether accepting or connecting fails.
    pub(crate) fn connection_fault(
        &mut self,
        call: Call,
        errors: &[Errno],
        (kind, token): (CallbackKind, Token),
    ) -> Option<Errno> {
        let schedule = self.schedule.clone()?;
        schedule.fault(call, errors, || self.name_callback(kind, token))
    }

    /// Decides whether a child that has just started is killed.
    pub(crate) fn kills_child(&mut self, id: HandleId) -> bool {
        let Some(schedule) = self.schedule.clone() else { return false };
        let rate = schedule.simulation.rates().child;
        let subject = |_| self.name_handle(id);
        schedule.decide_fault(DecisionKind::FaultChild, None, rate, 2, subject) == 1
    }
}

/// The loops whose requests may fail.
static LOOPS: Mutex<Vec<(u16, Weak<LoopSchedule>)>> = Mutex::new(Vec::new());

/// The process that they belong to. A forked child must not wait for the lock.
static PROCESS: AtomicU64 = AtomicU64::new(0);

/// The request that this thread performs.
struct Performed {
    schedule: Arc<LoopSchedule>,
    number: u32,
    /// How many of its calls might have failed.
    calls: u32,
}

thread_local! {
    static PERFORMED: RefCell<Option<Performed>> = const { RefCell::new(None) };
}

/// How many calls of a request may fail.
const MAX_CALLS: u32 = 1 << 8;

/// Lets the requests of a loop fail. `number` is that of its traces.
pub(super) fn enter_loop(number: u16, schedule: &Arc<LoopSchedule>) {
    let mut loops = LOOPS.lock().unwrap_or_else(PoisonError::into_inner);
    loops.retain(|(_, schedule)| schedule.strong_count() > 0);
    loops.push((number, Arc::downgrade(schedule)));
    PROCESS.store(fork::generation(), Ordering::Relaxed);
    faults::set(request_fault);
}

/// Performs a request of the loop with this number, on a thread of the pool.
pub(crate) fn perform<T>(lp: u16, request: RequestId, run: impl FnOnce() -> T) -> T {
    if !faults::is_on() || PROCESS.load(Ordering::Relaxed) != fork::generation() {
        return run();
    }
    let found = {
        let loops = LOOPS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut schedules = loops.iter().filter(|(number, _)| *number == lp);
        schedules.find_map(|(_, schedule)| schedule.upgrade())
    };
    let performed = found.and_then(|schedule| {
        let number = schedule.number_of(request)?;
        Some(Performed { schedule, number, calls: 0 })
    });
    PERFORMED.set(performed);
    let result = run();
    PERFORMED.set(None);
    result
}

/// Decides whether a call of a request fails.
fn request_fault(call: Call) -> Option<Errno> {
    // Not while the thread ends.
    let (schedule, number, calls) = PERFORMED
        .try_with(|performed| {
            let mut performed = performed.borrow_mut();
            let performed = performed.as_mut().filter(|performed| performed.calls < MAX_CALLS)?;
            performed.calls += 1;
            Some((performed.schedule.clone(), performed.number, performed.calls - 1))
        })
        .ok()
        .flatten()?;
    let (rate, errors) = (schedule.simulation.rates().of(call), call.errors());
    let subject = |choice: usize| format!("{} of a request", fails(call, errors[choice - 1]));
    let ordinal = number.checked_mul(MAX_CALLS)? + calls;
    let kind = DecisionKind::FaultRequest;
    let choice = schedule.decide_fault(kind, Some(ordinal), rate, errors.len() + 1, subject);
    Some(errors[choice.checked_sub(1)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_they_are_written() {
        let rates: FaultRates = "net:0.01,fs:0.5".parse().unwrap();
        assert_eq!(rates, FaultRates { net: 0.01, fs: 0.5, ..FaultRates::default() });
        assert_eq!(rates.to_string().parse(), Ok(rates));
        assert!(rates.is_any() && !FaultRates::default().is_any());
        for text in ["", "net", "net:2", "net:-1", "net:x", "disk:0.1", "net:0.1,", "net:nan"] {
            assert!(text.parse::<FaultRates>().is_err(), "{text}");
        }
    }
}
