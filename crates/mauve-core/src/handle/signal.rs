//! Signal handles: signals of the system.
//!
//! The traffic is in [`mauve_sys::signal`]; here is the loop's side of it. Every signal that was
//! delivered reaches every handle that watched for it by then, in the order of delivery; of
//! several handles those that watch for good come first, and among equals the lower token.

use std::collections::VecDeque;
use std::os::fd::AsRawFd as _;

use mauve_sys::poller::{Driver, Interest};
use mauve_sys::signal::{Epoch, Mailbox, Raised, Term};
use mauve_sys::{Errno, Result};

use crate::id::{HandleId, Token};
use crate::io;
use crate::slab::{Entry, Life};
use crate::{Completion, Engine};

/// The state of one signal handle.
#[derive(Default)]
pub(crate) struct Signal {
    /// What it watches for while it is active.
    watch: Option<Watch>,
    /// What it watched for before, and until when. A handle that is stopped and started again for
    /// the same signal still hears of what was delivered before it was stopped.
    before: Option<(Watch, Epoch)>,
}

/// A signal that is watched for.
#[derive(Clone, Copy)]
struct Watch {
    signal: i32,
    term: Term,
    since: Epoch,
}

/// The signals that have arrived, and how far they are told.
#[derive(Default)]
pub(crate) struct SignalQueue {
    /// Opened when it is first needed.
    pub mailbox: Option<Mailbox>,
    /// The poller has found messages. They are told after everything else it has found.
    pub announced: bool,
    pub round: SignalRound,
}

/// The signals that the current poll phase reports.
#[derive(Default)]
pub(crate) struct SignalRound {
    messages: VecDeque<Raised>,
    /// The handles that the current signal is still to be reported to, the next one last.
    listeners: Vec<HandleId>,
    /// The signal that is being reported.
    current: Option<Raised>,
    /// The handle that was reported last. A one-shot handle stops then.
    called: Option<HandleId>,
}

/// One signal handle, lent for one operation.
pub struct SignalMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a signal handle.
    #[doc(alias = "uv_signal_init")]
    pub fn open_signal(&mut self, token: Token) -> Result<HandleId> {
        self.mailbox()?;
        let born = self.table.birth();
        Ok(self.table.signals.insert(token, born, Signal::default()))
    }

    /// Lends a signal handle.
    pub fn signal(&mut self, id: HandleId) -> Option<SignalMut<'_, D>> {
        self.table.signals.find(id)?;
        Some(SignalMut { engine: self, id })
    }

    /// Where the signals for this loop arrive.
    pub(crate) fn mailbox(&mut self) -> Result<&mut Mailbox> {
        if self.signals.mailbox.is_none() {
            let mailbox = Mailbox::open()?;
            self.watch_mailbox(&mailbox)?;
            self.signals.mailbox = Some(mailbox);
        }
        Ok(self.signals.mailbox.as_mut().expect("just made"))
    }

    fn watch_mailbox(&mut self, mailbox: &Mailbox) -> Result<()> {
        let fd = mailbox.fd().as_raw_fd();
        self.driver.watch(fd, io::MAILBOX, Interest::empty(), Interest::READABLE)
    }

    /// Tells a driver that has forgotten everything.
    pub(crate) fn redeclare_mailbox(&mut self) {
        if let Some(mailbox) = self.signals.mailbox.take() {
            // It has just made room for more than this.
            let _ = self.watch_mailbox(&mailbox);
            self.signals.mailbox = Some(mailbox);
        }
    }

    /// In a forked child: what was delivered to the parent is the parent's.
    pub(crate) fn reopen_mailbox(&mut self) -> Result<()> {
        let Some(mut mailbox) = self.signals.mailbox.take() else { return Ok(()) };
        self.signals.round.messages.clear();
        let reopened = mailbox.reopen_after_fork().and_then(|()| self.watch_mailbox(&mailbox));
        self.signals.mailbox = Some(mailbox);
        reopened
    }

    /// The next handle that hears of a signal, if signals were announced.
    #[inline(never)]
    pub(crate) fn next_arrival(&mut self) -> Option<Completion> {
        if let Some(id) = self.signals.round.called.take()
            && let Some(stopped) = self.end_single_watch(id)
        {
            return Some(stopped);
        }
        loop {
            if let Some(completion) = self.next_listener() {
                return Some(completion);
            }
            let raised = self.next_message()?;
            if raised.signal == mauve_sys::signal::CHILD {
                self.look_after_children();
                // Children come first; those who watch for the signal are told when none is left.
                if let Some(exit) = self.next_exit() {
                    self.signals.round.messages.push_front(raised);
                    return Some(exit);
                }
            }
            self.signals.round.current = Some(raised);
            self.signals.round.listeners = self.listeners(raised);
        }
    }

    fn next_listener(&mut self) -> Option<Completion> {
        let raised = self.signals.round.current?;
        while let Some(id) = self.signals.round.listeners.pop() {
            // Stopped or closed meanwhile, perhaps.
            let Some(Entry { head, body }) = self.table.signals.get_mut(id) else { continue };
            if head.life == Life::Active && body.hears(raised) {
                self.signals.round.called = Some(id);
                return Some(Completion::Signal { token: head.token, signal: raised.signal });
            }
        }
        self.signals.round.current = None;
        None
    }

    fn next_message(&mut self) -> Option<Raised> {
        let SignalQueue { mailbox, announced, round: SignalRound { messages, .. } } =
            &mut self.signals;
        if messages.is_empty() && *announced {
            *announced =
                mailbox.as_ref().is_some_and(|m| m.read(|raised| messages.push_back(raised)));
        }
        messages.pop_front()
    }

    /// Who hears of a signal, in reverse order.
    fn listeners(&self, raised: Raised) -> Vec<HandleId> {
        let hearing = self.table.signals.iter().filter(|(_, entry)| entry.body.hears(raised));
        let mut listeners: Vec<_> = hearing
            .map(|(id, Entry { head, body })| (body.watch.map(|watch| watch.term), head.token, id))
            .collect();
        listeners.sort_unstable_by_key(|(term, token, _)| std::cmp::Reverse((*term, *token)));
        listeners.into_iter().map(|(_, _, id)| id).collect()
    }

    /// A handle that watches for one signal was called, and still is active unless the callback
    /// has seen to that.
    fn end_single_watch(&mut self, id: HandleId) -> Option<Completion> {
        let mut signal = self.signal(id)?;
        let Some(Watch { term: Term::Once, .. }) = signal.entry().body.watch else { return None };
        signal.stop();
        Some(Completion::Stopped(signal.entry().head.token))
    }
}

impl SignalQueue {
    /// Takes the current round. The signal pipe is reported again if there is more in it.
    pub fn suspend(&mut self) -> (bool, SignalRound) {
        (std::mem::take(&mut self.announced), std::mem::take(&mut self.round))
    }

    /// Continues a round that was suspended.
    pub fn resume(&mut self, (announced, round): (bool, SignalRound)) {
        self.announced = announced;
        self.round = round;
    }

    /// Whether there is anything to look at.
    pub fn is_pending(&self) -> bool {
        let SignalRound { messages, current, called, .. } = &self.round;
        self.announced || !messages.is_empty() || current.is_some() || called.is_some()
    }
}

impl Signal {
    fn hears(&self, raised: Raised) -> bool {
        let Some(watch) = self.watch.filter(|watch| watch.signal == raised.signal) else {
            return false;
        };
        let before = self.before.filter(|(before, _)| before.signal == raised.signal);
        raised.is_since(watch.since)
            || before.is_some_and(|(before, until)| {
                raised.is_since(before.since) && !raised.is_since(until)
            })
    }
}

impl<D: Driver> SignalMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Signal> {
        self.engine.table.signals.get_mut(self.id).expect("a lent handle")
    }

    /// Watches for `signal`, instead of what was watched for before. If that is the same one,
    /// the watch stays as it is. `EINVAL` for a signal that does not exist or cannot be caught;
    /// unless it is zero, the watch for another one has ended then.
    #[doc(alias = "uv_signal_start")]
    #[doc(alias = "uv_signal_start_oneshot")]
    pub fn start(&mut self, signal: i32, term: Term) -> Result<()> {
        if self.entry().head.life == Life::Closing || signal == 0 {
            return Err(Errno::EINVAL);
        }
        if self.watched() == Some(signal) {
            return Ok(());
        }
        self.stop();
        let since = self.engine.mailbox()?.watch(signal, term)?;
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = table.signals.get_mut(self.id).expect("a lent handle");
        body.watch = Some(Watch { signal, term, since });
        head.activate(active);
        Ok(())
    }

    /// Stops watching; nothing happens if it does not watch. What was delivered and is not told
    /// yet is dropped.
    #[doc(alias = "uv_signal_stop")]
    pub fn stop(&mut self) {
        let Engine { table, active, signals, .. } = &mut *self.engine;
        let Entry { head, body } = table.signals.get_mut(self.id).expect("a lent handle");
        let Some(watch) = body.watch.take() else { return };
        let mailbox = signals.mailbox.as_mut().expect("it watches");
        body.before = Some((watch, mailbox.unwatch(watch.signal, watch.term)));
        if head.life == Life::Active {
            head.deactivate(active);
        }
    }

    /// The signal that is watched for.
    pub fn watched(&mut self) -> Option<i32> {
        self.entry().body.watch.map(|watch| watch.signal)
    }
}
