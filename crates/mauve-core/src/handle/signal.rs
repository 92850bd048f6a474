//! Signal handles: signals of the system.
//!
//! [`mauve_sys::signal`] writes every delivered signal into the loop's pipe. The loop reports it to
//! every handle that watched for it at that time, in the order of delivery. Persistent handles come
//! before one-shot ones, and lower tokens before higher ones.
//!
//! # Batches
//!
//! Signals that a callback raises wait for the next iteration, so that a callback that raises its
//! own signal cannot starve timers. Like libuv, a poll phase reads [`BATCH`] notifications at a time
//! (one for each signal and handle), and reads again only after a full batch.

use mauve_sys::descriptor::AsDescriptor as _;
use std::collections::VecDeque;

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::signal::{Delivery, Epoch, PipeEnds, SignalEvent, SignalPipe};
use mauve_sys::{Errno, Result};

use crate::id::HandleId;
use crate::registration;
use crate::slab::{ActiveCounts, Entry, Life, Slab};
use crate::sort::sort_by_number;
use crate::{Completion, Engine};

/// How many notifications libuv reads at once.
const BATCH: usize = 32;

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
    pipe: Option<SignalPipe>,
    /// The ends of a pipe that was opened in advance.
    ends: Option<PipeEnds>,
    /// Whether the pipe is to be read: the poller reported it, or the last batch was full. Signals
    /// are handled after all other events.
    readable: bool,
    messages: VecDeque<SignalEvent>,
    /// The message that is being delivered.
    current: Option<Current>,
    /// Notifications left in this batch.
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
    /// Takes the current batch. The pipe stays: it is reported again if there is more in it.
    pub fn suspend(&mut self) -> Self {
        let (pipe, ends) = (self.pipe.take(), self.ends.take());
        std::mem::replace(self, Self { pipe, ends, ..Self::default() })
    }

    /// Continues a batch that was suspended.
    pub fn resume(&mut self, batch: Self) {
        let (pipe, ends) = (self.pipe.take(), self.ends.take());
        *self = Self { pipe, ends, ..batch };
    }

    /// Whether there is something to report or to read.
    pub fn is_pending(&self) -> bool {
        self.readable
            || !self.messages.is_empty()
            || self.current.is_some()
            || self.called.is_some()
    }

    /// Notes that the driver has reported the pipe.
    pub fn note_readable(&mut self) {
        self.readable = true;
    }

    /// Whether the pipe is to be read in this poll phase.
    pub fn is_readable(&self) -> bool {
        self.readable
    }

    /// Sets the ends of a pipe that was opened in advance, and returns the last ones that no handle
    /// has used.
    pub fn set_ends(&mut self, ends: Option<PipeEnds>) -> Option<PipeEnds> {
        std::mem::replace(&mut self.ends, ends)
    }

    /// The pipe through which this loop receives its signals, opened if there is none.
    pub fn open_pipe(&mut self, driver: &mut impl Driver) -> Result<&mut SignalPipe> {
        if self.pipe.is_none() {
            let ends = self.ends.take().map_or_else(PipeEnds::open, Ok)?;
            let pipe = SignalPipe::new(ends);
            register(&pipe, driver)?;
            self.pipe = Some(pipe);
        }
        Ok(self.pipe.as_mut().expect("just made"))
    }

    /// The pipe, if it is open.
    pub fn pipe(&mut self) -> Option<&mut SignalPipe> {
        self.pipe.as_mut()
    }

    /// Registers the pipe again with a driver that has lost all registrations.
    pub fn rearm(&mut self, driver: &mut impl Driver) {
        if let Some(pipe) = &self.pipe {
            // The driver has just made room for more than this.
            let _ = register(pipe, driver);
        }
    }

    /// In a forked child: what is in the pipe belongs to the parent.
    pub fn reopen_after_fork(&mut self, driver: &mut impl Driver) -> Result<()> {
        if self.ends.is_some() {
            // The descriptor table may be full.
            self.ends = None;
            self.ends = Some(PipeEnds::open()?);
        }
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        self.readable = false;
        pipe.reopen_after_fork().and_then(|()| register(pipe, driver))
    }

    /// The next call of a signal handle, or the next message, which [`deliver`](Self::deliver) begins
    /// to deliver.
    pub fn next(
        &mut self,
        handles: &mut Slab<Signal>,
        active: &mut ActiveCounts,
    ) -> Option<NextSignal> {
        let called = self.called.take();
        let stopped = called.and_then(|id| self.end_oneshot(id, handles, active));
        stopped
            .or_else(|| self.next_receiver(handles, active))
            .map(NextSignal::Completion)
            .or_else(|| self.next_message().map(NextSignal::Message))
    }

    /// Begins to deliver a message.
    pub fn deliver(&mut self, raised: SignalEvent, handles: &Slab<Signal>) {
        let (receivers, uncounted) = (receivers(raised, handles), raised.watchers.into());
        self.current = Some(Current { raised, receivers, uncounted });
    }

    /// Puts a message back that is not delivered yet.
    pub fn put_back(&mut self, raised: SignalEvent) {
        self.messages.push_front(raised);
    }

    fn next_receiver(
        &mut self,
        handles: &mut Slab<Signal>,
        active: &mut ActiveCounts,
    ) -> Option<Completion> {
        let signal = self.current.as_ref()?.raised.signal;
        while let Some(id) = self.current.as_mut()?.receivers.pop() {
            self.count();
            // It may have been stopped or closed since.
            let Some(Entry { head, body }) = handles.get_mut(id) else { continue };
            if head.life() == Life::Active && body.watches(signal) {
                self.called = Some(id);
                return Some(Completion::Signal { token: head.token, signal });
            }
            if let Some(stopped) = self.end_oneshot(id, handles, active) {
                return Some(stopped);
            }
        }
        self.finish_current();
        None
    }

    /// Stops a one-shot handle that has received a signal, unless the callback has stopped it.
    fn end_oneshot(
        &mut self,
        id: HandleId,
        handles: &mut Slab<Signal>,
        active: &mut ActiveCounts,
    ) -> Option<Completion> {
        let entry = handles.get_mut(id)?;
        if !entry.body.one_shot || entry.body.watch.is_none() {
            return None;
        }
        self.stop(entry, active);
        Some(Completion::Stopped(entry.head.token))
    }

    /// Ends the watch of a handle, if there is one.
    fn stop(&mut self, entry: &mut Entry<Signal>, active: &mut ActiveCounts) {
        let Entry { head, body } = entry;
        let Some(watch) = body.watch.take() else { return };
        let pipe = self.pipe.as_mut().expect("it watches");
        if body.before.len() == MAX_BEFORE {
            body.before.pop_front();
        }
        body.before.push_back((watch, pipe.unwatch(watch.signal, watch.delivery)));
        if head.life() == Life::Active {
            head.deactivate(active);
        }
    }

    /// The next message of the batches of this poll phase.
    fn next_message(&mut self) -> Option<SignalEvent> {
        if self.messages.is_empty() && self.readable {
            self.begin_batch();
        }
        self.messages.pop_front()
    }

    /// Reads the pipe until there are enough messages for a batch.
    fn begin_batch(&mut self) {
        let uncounted = self.current.as_ref().map_or(0, |current| current.uncounted);
        let known = self.messages.iter().map(|raised| usize::from(raised.watchers));
        let mut available = uncounted + known.sum::<usize>();
        if available < BATCH
            && let Some(pipe) = &self.pipe
        {
            // Each message counts at least once, so one read is enough.
            pipe.read::<BATCH>(|raised| {
                available += usize::from(raised.watchers);
                self.messages.push_back(raised);
            });
        }
        self.readable = available >= BATCH;
        self.left = available.min(BATCH);
    }

    /// Counts one notification of the current message.
    fn count(&mut self) {
        if self.left == 0 && self.readable {
            self.begin_batch();
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

/// What the signal queue reports next.
pub(crate) enum NextSignal {
    Completion(Completion),
    /// A signal was delivered.
    Message(SignalEvent),
}

fn register(pipe: &SignalPipe, driver: &mut impl Driver) -> Result<()> {
    let (fd, key) = (pipe.fd()?.raw_descriptor(), registration::SIGNAL_PIPE);
    driver.set_interest(fd, key, Interest::empty(), Interest::READABLE)
}

/// The handles that watched for a signal when it was delivered, in reverse order. Each is called
/// only if it still watches for the signal then.
fn receivers(raised: SignalEvent, handles: &Slab<Signal>) -> Vec<HandleId> {
    let watched = handles.iter().filter_map(|(id, entry)| {
        let watch = entry.body.watched(raised)?;
        Some((watch.one_shot, entry.head.token, id))
    });
    let mut receivers: Vec<_> = watched.collect();
    sort_by_number(&mut receivers, |(_, token, _)| !token.0);
    sort_by_number(&mut receivers, |(one_shot, ..)| u64::from(!one_shot));
    receivers.into_iter().map(|(_, _, id)| id).collect()
}

/// One signal handle, borrowed for one operation.
pub struct SignalMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
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
        let Engine { table, active, signals, driver, .. } = &mut *self.engine;
        let since = signals.open_pipe(driver)?.watch(signal, delivery)?;
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
        signals.stop(table.signals.get_mut(self.id).expect("a borrowed handle"), active);
    }

    /// The signal that is watched for.
    pub fn watched(&mut self) -> Option<i32> {
        self.entry().body.watch.map(|watch| watch.signal)
    }
}
