//! Signal handles: signals of the system.
//!
//! [`mauve_sys::signal`] writes every delivered signal into the loop's pipe. The loop reports it to
//! every handle that watched for it at that time, in the order of delivery. Persistent handles come
//! before one-shot ones, and lower tokens before higher ones.
//!
//! # Rounds
//!
//! Signals that a callback raises wait for the next iteration, so that a callback that raises its
//! own signal cannot starve timers. Like libuv, a poll phase reads [`ROUND`] notifications at a time
//! (one for each signal and handle), and reads again only after a full round.

use std::collections::VecDeque;
use std::os::fd::AsRawFd as _;

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::signal::{Delivery, Epoch, PipeEnds, SignalEvent, SignalPipe};
use mauve_sys::{Errno, Result};

use crate::id::{HandleId, Token};
use crate::registration;
use crate::slab::{Entry, Life};
use crate::{Completion, Engine};

/// How many notifications libuv reads at once.
const ROUND: usize = 32;

/// The state of one signal handle.
#[derive(Default)]
pub(crate) struct Signal {
    /// The watch of an active handle.
    watch: Option<Watch>,
    /// Earlier watches, and when they ended. A handle that is stopped and started again for the
    /// same signal still receives what was delivered before it was stopped.
    before: VecDeque<(Watch, Epoch)>,
    /// Whether it was ever started for one delivery. From then on every delivery stops it, as in
    /// libuv, also one for a signal that it no longer watches for.
    one_shot: bool,
}

/// How many earlier watches a handle remembers.
const MAX_BEFORE: usize = 16;

/// A signal that is watched for.
#[derive(Clone, Copy)]
struct Watch {
    signal: i32,
    delivery: Delivery,
    since: Epoch,
    /// Whether the handle was a one-shot handle when the watch began.
    one_shot: bool,
}

/// The signals that were delivered, and the handles that are still to be called for them.
#[derive(Default)]
pub(crate) struct SignalQueue {
    /// Made when it is first needed.
    pub pipe: Option<SignalPipe>,
    /// The ends of a pipe that was opened in advance.
    ends: Option<PipeEnds>,
    /// Whether the pipe is to be read: the poller reported it, or the last round was full. Signals
    /// are handled after all other events.
    pub readable: bool,
    messages: VecDeque<SignalEvent>,
    /// The message that is being delivered.
    current: Option<Current>,
    /// Notifications left in this round.
    left: usize,
    /// The handle that was called last. A one-shot watch ends with the call.
    called: Option<HandleId>,
}

/// A message that is being delivered.
struct Current {
    raised: SignalEvent,
    /// The handles that are still to be called, the next one last.
    receivers: Vec<HandleId>,
    /// How many of its notifications are not counted yet.
    uncounted: usize,
}

impl SignalQueue {
    /// Takes the current round. The pipe stays: it is reported again if there is more in it.
    pub fn suspend(&mut self) -> Self {
        let (pipe, ends) = (self.pipe.take(), self.ends.take());
        std::mem::replace(self, Self { pipe, ends, ..Self::default() })
    }

    /// Continues a round that was suspended.
    pub fn resume(&mut self, round: Self) {
        let (pipe, ends) = (self.pipe.take(), self.ends.take());
        *self = Self { pipe, ends, ..round };
    }

    /// Whether there is something to report or to read.
    pub fn is_pending(&self) -> bool {
        self.readable
            || !self.messages.is_empty()
            || self.current.is_some()
            || self.called.is_some()
    }

    /// The next message of the rounds of this poll phase.
    fn next_message(&mut self) -> Option<SignalEvent> {
        if self.messages.is_empty() && self.readable {
            self.begin_round();
        }
        self.messages.pop_front()
    }

    /// Reads the pipe until there are enough messages for a round.
    fn begin_round(&mut self) {
        let uncounted = self.current.as_ref().map_or(0, |current| current.uncounted);
        let known = self.messages.iter().map(|raised| usize::from(raised.watchers));
        let mut available = uncounted + known.sum::<usize>();
        if available < ROUND
            && let Some(pipe) = &self.pipe
        {
            // Each message counts at least once, so one read is enough.
            pipe.read::<ROUND>(|raised| {
                available += usize::from(raised.watchers);
                self.messages.push_back(raised);
            });
        }
        self.readable = available >= ROUND;
        self.left = available.min(ROUND);
    }

    /// Counts one notification of the current message.
    fn count(&mut self) {
        if self.left == 0 && self.readable {
            self.begin_round();
        }
        self.left = self.left.saturating_sub(1);
        if let Some(current) = &mut self.current {
            current.uncounted = current.uncounted.saturating_sub(1);
        }
    }

    /// Ends the current message. Handles that were stopped meanwhile count, too.
    fn finish_current(&mut self) {
        while self.current.as_ref().is_some_and(|current| current.uncounted > 0) {
            self.count();
        }
        self.current = None;
    }
}

/// One signal handle, borrowed for one operation.
pub struct SignalMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a signal handle.
    #[doc(alias = "uv_signal_init")]
    pub fn open_signal(&mut self, token: Token) -> Result<HandleId> {
        self.signal_pipe()?;
        let sequence = self.table.next_sequence();
        let id = self.table.signals.insert(token, sequence, Signal::default());
        self.trace_open(id, token);
        Ok(id)
    }

    /// Borrows a signal handle.
    pub fn signal(&mut self, id: HandleId) -> Option<SignalMut<'_, D>> {
        self.table.signals.find(id)?;
        Some(SignalMut { engine: self, id })
    }

    /// Sets the pipe of the signal handles. Without it, the first one opens a pipe, and fails if no
    /// descriptor is left.
    pub fn set_signal_pipe(&mut self, ends: PipeEnds) {
        self.signals.ends = Some(ends);
    }

    /// Takes the pipe of [`set_signal_pipe`](Self::set_signal_pipe) back, if no handle has used it. A
    /// forked child shares the pipe with its parent, and returns none.
    pub fn take_signal_pipe(&mut self) -> Option<PipeEnds> {
        let ends = self.signals.ends.take();
        ends.filter(|_| !self.probe.shared.is_inherited())
    }

    /// The pipe through which this loop receives its signals.
    pub(crate) fn signal_pipe(&mut self) -> Result<&mut SignalPipe> {
        if self.signals.pipe.is_none() {
            let ends = self.signals.ends.take().map_or_else(PipeEnds::open, Ok)?;
            let pipe = SignalPipe::new(ends);
            self.watch_signal_pipe(&pipe)?;
            self.signals.pipe = Some(pipe);
        }
        Ok(self.signals.pipe.as_mut().expect("just made"))
    }

    fn watch_signal_pipe(&mut self, pipe: &SignalPipe) -> Result<()> {
        let fd = pipe.fd()?.as_raw_fd();
        self.driver.set_interest(
            fd,
            registration::SIGNAL_PIPE,
            Interest::empty(),
            Interest::READABLE,
        )
    }

    /// Registers the pipe again with a driver that has lost all registrations.
    pub(crate) fn rearm_signal_pipe(&mut self) {
        if let Some(pipe) = self.signals.pipe.take() {
            // The driver has just made room for more than this.
            let _ = self.watch_signal_pipe(&pipe);
            self.signals.pipe = Some(pipe);
        }
    }

    /// In a forked child: what is in the pipe belongs to the parent.
    pub(crate) fn reopen_signal_pipe(&mut self) -> Result<()> {
        if self.signals.ends.is_some() {
            // The descriptor table may be full.
            self.signals.ends = None;
            self.signals.ends = Some(PipeEnds::open()?);
        }
        let Some(mut pipe) = self.signals.pipe.take() else { return Ok(()) };
        self.signals.readable = false;
        let reopened = pipe.reopen_after_fork().and_then(|()| self.watch_signal_pipe(&pipe));
        self.signals.pipe = Some(pipe);
        reopened
    }

    /// The next call of a signal handle, or the exit of a child that a signal notified.
    #[inline(never)]
    pub(crate) fn next_signal(&mut self) -> Option<Completion> {
        if let Some(id) = self.signals.called.take()
            && let Some(stopped) = self.end_oneshot(id)
        {
            return Some(stopped);
        }
        loop {
            if let Some(completion) = self.next_receiver() {
                return Some(completion);
            }
            let raised = self.signals.next_message()?;
            if raised.signal == mauve_sys::signal::numbers::SIGCHLD {
                self.check_children();
                // Exits come first. The message is delivered when there are none left.
                if let Some(exit) = self.next_exit() {
                    self.signals.messages.push_front(raised);
                    return Some(exit);
                }
            }
            let receivers = self.receivers(raised);
            let uncounted = raised.watchers.into();
            self.signals.current = Some(Current { raised, receivers, uncounted });
        }
    }

    fn next_receiver(&mut self) -> Option<Completion> {
        let current = self.signals.current.as_mut()?;
        let raised = current.raised;
        while let Some(id) = self.signals.current.as_mut()?.receivers.pop() {
            self.signals.count();
            // It may have been stopped or closed since.
            let Some(Entry { head, body }) = self.table.signals.get_mut(id) else { continue };
            if head.life() == Life::Active && body.watches(raised.signal) {
                self.signals.called = Some(id);
                return Some(Completion::Signal { token: head.token, signal: raised.signal });
            }
            if let Some(stopped) = self.end_oneshot(id) {
                return Some(stopped);
            }
        }
        self.signals.finish_current();
        None
    }

    /// The handles that watched for a signal when it was delivered, in reverse order. Each is called
    /// only if it still watches for the signal then.
    fn receivers(&self, raised: SignalEvent) -> Vec<HandleId> {
        let all = self.table.signals.iter();
        let watched = all.filter_map(|(id, entry)| {
            let watch = entry.body.watched(raised)?;
            Some((watch.one_shot, entry.head.token, id))
        });
        let mut receivers: Vec<_> = watched.collect();
        receivers
            .sort_unstable_by_key(|(one_shot, token, _)| std::cmp::Reverse((*one_shot, *token)));
        receivers.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Stops a one-shot handle that has received a signal, unless the callback has stopped it.
    fn end_oneshot(&mut self, id: HandleId) -> Option<Completion> {
        let mut signal = self.signal(id)?;
        let body = &signal.entry().body;
        if !body.one_shot || body.watch.is_none() {
            return None;
        }
        signal.stop();
        Some(Completion::Stopped(signal.entry().head.token))
    }
}

impl Signal {
    fn watches(&self, signal: i32) -> bool {
        self.watch.is_some_and(|watch| watch.signal == signal)
    }

    /// The handle's watch for a signal when it was delivered.
    fn watched(&self, raised: SignalEvent) -> Option<&Watch> {
        let matches = |watch: &Watch| watch.signal == raised.signal && raised.is_since(watch.since);
        let before = self.before.iter().filter(|(_, until)| !raised.is_since(*until));
        self.watch.iter().chain(before.map(|(watch, _)| watch)).find(|watch| matches(watch))
    }
}

impl<D: Driver> SignalMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Signal> {
        self.engine.table.signals.get_mut(self.id).expect("a borrowed handle")
    }

    /// Watches for `signal`, and ends the watch for another one. A watch for the same signal stays
    /// as it is. `EINVAL` for a signal that does not exist or cannot be caught; unless it is zero,
    /// the handle is stopped then.
    #[doc(alias = "uv_signal_start")]
    #[doc(alias = "uv_signal_start_oneshot")]
    pub fn start(&mut self, signal: i32, delivery: Delivery) -> Result<()> {
        if self.entry().head.life() == Life::Closing || signal == 0 {
            return Err(Errno::EINVAL);
        }
        if self.watched() == Some(signal) {
            return Ok(());
        }
        self.stop();
        let since = self.engine.signal_pipe()?.watch(signal, delivery)?;
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = table.signals.get_mut(self.id).expect("a borrowed handle");
        body.one_shot |= matches!(delivery, Delivery::OneShot);
        body.watch = Some(Watch { signal, delivery, since, one_shot: body.one_shot });
        head.activate(active);
        Ok(())
    }

    /// Stops watching; does nothing if the handle does not watch. Signals that were delivered and
    /// not reported yet are dropped.
    #[doc(alias = "uv_signal_stop")]
    pub fn stop(&mut self) {
        let Engine { table, active, signals, .. } = &mut *self.engine;
        let Entry { head, body } = table.signals.get_mut(self.id).expect("a borrowed handle");
        let Some(watch) = body.watch.take() else { return };
        let pipe = signals.pipe.as_mut().expect("it watches");
        if body.before.len() == MAX_BEFORE {
            body.before.pop_front();
        }
        body.before.push_back((watch, pipe.unwatch(watch.signal, watch.delivery)));
        if head.life() == Life::Active {
            head.deactivate(active);
        }
    }

    /// The signal that is watched for.
    pub fn watched(&mut self) -> Option<i32> {
        self.entry().body.watch.map(|watch| watch.signal)
    }
}
