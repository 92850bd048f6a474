//! What happens when a datagram socket is ready, and in which order.
//!
//! The same steps serve a readiness event and a look in the pending phase, which counts as
//! "ready for writing". Between two steps a callback may have done anything to the handle, so
//! each step looks at it anew.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Readiness};
use mauve_sys::net::datagram::Queue;

use super::UdpMut;
use crate::completion::Completion;
use crate::id::HandleId;
use crate::slab::{Entry, Life};
use crate::{Engine, io};

/// How many datagrams one readiness event is good for, so that a fast peer starves nobody.
const DATAGRAMS_PER_EVENT: usize = 32;

/// A socket that is being looked after.
pub(crate) struct UdpEvent {
    pub id: HandleId,
    readiness: Readiness,
    step: Step,
    /// Datagrams that may still be announced in this step.
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Take what others have sent.
    Receive,
    /// Take what has come back.
    Collect,
    /// Send what is queued.
    Flush,
    /// Tell of what is done with.
    Tell,
}

impl UdpEvent {
    fn new(id: HandleId, readiness: Readiness, step: Step) -> Self {
        Self { id, readiness, step, left: DATAGRAMS_PER_EVENT }
    }

    fn step_on(&mut self, step: Step) {
        (self.step, self.left) = (step, DATAGRAMS_PER_EVENT);
    }

    /// Whether there can be something of the kind that this step announces.
    fn is_ready(&self) -> bool {
        match self.step {
            Step::Receive => self.readiness.contains(Readiness::READABLE),
            Step::Collect => self.readiness.contains(Readiness::ERROR),
            Step::Flush | Step::Tell => false,
        }
    }

    /// Whether nothing is left to do when all is received, as most of the time.
    fn only_receives(&self) -> bool {
        self.step == Step::Receive
            && !self.readiness.intersects(Readiness::ERROR | Readiness::WRITABLE)
    }
}

impl<D: Driver> Engine<D> {
    /// Begins to look after a socket that the driver has found ready; returns the first
    /// completion, if it is plain what that is.
    pub(crate) fn begin_udp_event(
        &mut self,
        id: HandleId,
        readiness: Readiness,
    ) -> Option<Completion> {
        let Entry { head, body } = self.table.udps.get_mut(id)?;
        self.poll.note_readiness(readiness, body.source.wanted());
        let wanted = Readiness::from_bits_truncate(body.source.wanted().bits());
        if !readiness.intersects(wanted) {
            io::withdraw(id, body.source.parts(), &mut self.driver);
        }
        let trouble = Readiness::ERROR | Readiness::HANGUP;
        let mut readiness = readiness & (wanted | trouble);
        if readiness == Readiness::ERROR || readiness == Readiness::HANGUP {
            // Trouble alone is told by whatever is tried next.
            readiness |= wanted;
        }
        let mut event = UdpEvent::new(id, readiness, Step::Receive);
        let receives = body.receiving && event.is_ready();
        event.left -= usize::from(receives);
        self.udps.event = Some(event);
        receives.then_some(Completion::Receivable(head.token))
    }

    /// Begins to look after a socket that was fed: there is nothing to receive. Returns the first
    /// completion, if it is plain what that is.
    pub(crate) fn begin_fed_udp(&mut self, id: HandleId) -> Option<Completion> {
        let Entry { head, body } = self.table.udps.get_mut(id)?;
        body.fed = false;
        // Most of the time there are datagrams that were sent at once.
        let plain = body.queued.is_empty() && !body.awaits_room && head.life() != Life::Closing;
        let step = if plain { Step::Tell } else { Step::Flush };
        self.udps.event = Some(UdpEvent::new(id, Readiness::WRITABLE, step));
        if plain { UdpMut { engine: self, id }.next_sent() } else { None }
    }

    /// Defers what a socket has still to report, because the handling of its event ends here.
    pub(crate) fn defer_rest_of_udp(&mut self, id: HandleId) {
        if let Some(mut udp) = self.udp(id) {
            udp.feed();
        }
    }

    /// The next completion of the socket that is being looked after.
    #[inline]
    pub(crate) fn next_of_udp(&mut self) -> Option<Completion> {
        let event = self.udps.event.as_ref()?;
        if event.step == Step::Tell && self.all_is_told(event.id) {
            self.udps.event = None;
            return None;
        }
        self.look_after_udp()
    }

    /// Whether it is plain that nothing is left to be told, and that the socket goes on.
    #[inline]
    fn all_is_told(&self, id: HandleId) -> bool {
        self.table.udps.find(id).is_some_and(|index| {
            let body = &self.table.udps[index].body;
            body.done.is_empty() && body.receiving && !body.watches_room
        })
    }

    #[inline(never)]
    fn look_after_udp(&mut self) -> Option<Completion> {
        loop {
            let UdpEvent { id, readiness, step, .. } = *self.udps.event.as_ref()?;
            let Some(mut udp) = self.udp(id) else {
                self.udps.event = None;
                return None;
            };
            match step {
                Step::Receive | Step::Collect => {
                    if udp.announce() {
                        return Some(Completion::Receivable(udp.entry().head.token));
                    }
                    let collects = step == Step::Receive && readiness.contains(Readiness::ERROR);
                    if let Some(event) = &mut self.udps.event {
                        event.step_on(if collects { Step::Collect } else { Step::Flush });
                    }
                }
                Step::Flush if readiness.contains(Readiness::WRITABLE) && !udp.is_closing() => {
                    if !udp.body().queued.is_empty() {
                        udp.flush();
                    }
                    let (token, room) = (udp.entry().head.token, udp.take_room());
                    if let Some(event) = &mut self.udps.event {
                        event.step_on(Step::Tell);
                    }
                    if room {
                        return Some(Completion::Writable(token));
                    }
                }
                Step::Flush => self.udps.event = None,
                Step::Tell => {
                    if let Some(sent) = udp.next_sent() {
                        return Some(sent);
                    }
                    udp.end_sends();
                    self.udps.event = None;
                }
            }
        }
    }

    /// The driver refused to watch the socket. Receiving ends with the error, and so does what is
    /// queued for sending.
    pub(crate) fn udp_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let Engine { table, watches, .. } = &mut *self;
        let Entry { head, body } = table.udps.get_mut(id)?;
        if head.life() == Life::Closing {
            return None;
        }
        let token = head.token;
        watches.give_up(id, &mut body.source);
        let receiving = std::mem::replace(&mut body.receiving, false);
        body.refused = receiving.then_some(error);
        let mut udp = UdpMut { engine: self, id };
        udp.fail_sends(error);
        udp.update();
        udp.end_sends();
        self.udps.event = Some(UdpEvent::new(id, Readiness::WRITABLE, Step::Flush));
        receiving.then_some(Completion::Receivable(token))
    }

    /// What a closing socket leaves undone, one by one.
    pub(crate) fn next_unsent(&mut self, id: HandleId) -> Option<Completion> {
        let mut udp = UdpMut { engine: self, id };
        udp.fail_sends(Errno::ECANCELED);
        udp.next_sent()
    }
}

impl<D: Driver> UdpMut<'_, D> {
    fn event(&mut self) -> Option<&mut UdpEvent> {
        let id = self.id;
        self.engine.udps.event.as_mut().filter(|event| event.id == id)
    }

    /// Whether there may be one more datagram of the kind that was announced, in this round.
    ///
    /// Who has dealt with [`Completion::Receivable`] may ask this and go on at once, instead of
    /// asking the engine for the next step and hearing the same.
    pub fn announce(&mut self) -> bool {
        let Engine { table, udps, .. } = &mut *self.engine;
        let Some(event) = udps.event.as_mut().filter(|event| event.id == self.id) else {
            return false;
        };
        let receiving = table.udps[self.id.index()].body.receiving;
        if receiving && event.left > 0 && event.is_ready() {
            event.left -= 1;
            return true;
        }
        if event.only_receives() {
            udps.event = None;
        }
        false
    }

    /// Whether a callback of a datagram that was sent may be running: what it sends is queued, so
    /// that a peer which answers at once does not keep the loop here for ever.
    pub(super) fn is_telling(&mut self) -> bool {
        self.event().is_some_and(|event| event.step == Step::Tell)
    }

    /// Whether somebody waits for room, and there is some. They wait no more then.
    fn take_room(&mut self) -> bool {
        let body = self.body();
        let room = body.awaits_room && body.queued.is_empty();
        if room {
            body.awaits_room = false;
            self.update();
        }
        room
    }

    /// What was announced.
    pub(super) fn announced(&mut self) -> Queue {
        let coalesces = self.body().coalesces;
        match self.event() {
            Some(UdpEvent { step: Step::Collect, .. }) => Queue::Returned,
            _ if coalesces => Queue::Coalesced,
            _ => Queue::Received,
        }
    }

    /// Announces no more datagrams in this step.
    pub fn end_round(&mut self) {
        if let Some(event) = self.event() {
            event.left = 0;
            if event.only_receives() {
                self.engine.udps.event = None;
            }
        }
    }

    pub(super) fn shorten_round(&mut self, count: usize) {
        if let Some(event) = self.event() {
            event.left = event.left.saturating_sub(count);
        }
    }
}
