//! What happens when a datagram socket is ready, and in which order.
//!
//! The same steps serve a readiness event and a look in the pending phase, which counts as
//! "ready for writing". Between two steps a callback may have done anything to the handle, so
//! each step looks at it anew.

use mauve_sys::net::datagram::Queue;
use mauve_sys::poller::{Driver, Readiness};

use super::UdpMut;
use crate::Engine;
use crate::id::HandleId;
use crate::run::Completion;

/// How many datagrams one readiness event is good for, so that a fast peer starves nobody.
const DATAGRAMS_PER_EVENT: usize = 32;

/// A socket that is being looked after.
pub(crate) struct UdpEvent {
    id: HandleId,
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

impl<D: Driver> Engine<D> {
    /// Begins to look after a socket that the driver has found ready.
    pub(crate) fn begin_udp_event(&mut self, id: HandleId, readiness: Readiness) {
        let Some(udp) = self.table.udps.get_mut(id) else { return };
        let wanted = Readiness::from_bits_truncate(udp.body.source.wanted().bits());
        let trouble = Readiness::ERROR | Readiness::HANGUP;
        let mut readiness = readiness & (wanted | trouble);
        if readiness == Readiness::ERROR || readiness == Readiness::HANGUP {
            // Trouble alone is told by whatever is tried next.
            readiness |= wanted;
        }
        self.look_after(id, readiness);
    }

    /// Begins to look after a socket that was fed.
    pub(crate) fn begin_fed_udp(&mut self, id: HandleId) {
        if let Some(mut udp) = self.udp(id) {
            udp.body().fed = false;
            self.look_after(id, Readiness::WRITABLE);
        }
    }

    fn look_after(&mut self, id: HandleId, readiness: Readiness) {
        let left = DATAGRAMS_PER_EVENT;
        self.udp_event = Some(UdpEvent { id, readiness, step: Step::Receive, left });
    }

    /// The next completion of the socket that is being looked after.
    #[inline(never)]
    pub(crate) fn next_of_udp(&mut self) -> Option<Completion> {
        loop {
            let UdpEvent { id, readiness, step, .. } = *self.udp_event.as_ref()?;
            let Some(mut udp) = self.udp(id) else {
                self.udp_event = None;
                return None;
            };
            let token = udp.entry().head.token;
            if udp.announce() {
                return Some(Completion::Receivable(token));
            }
            match step {
                Step::Receive => self.step_on(Step::Collect),
                Step::Collect => self.step_on(Step::Flush),
                Step::Flush if readiness.contains(Readiness::WRITABLE) && !udp.is_closing() => {
                    udp.flush();
                    let room = udp.take_room();
                    self.step_on(Step::Tell);
                    if room {
                        return Some(Completion::Writable(token));
                    }
                }
                Step::Flush => self.udp_event = None,
                Step::Tell => {
                    if let Some(sent) = udp.next_sent() {
                        return Some(sent);
                    }
                    udp.rest();
                    self.udp_event = None;
                }
            }
        }
    }

    fn step_on(&mut self, step: Step) {
        let event = self.udp_event.as_mut().expect("being looked after");
        (event.step, event.left) = (step, DATAGRAMS_PER_EVENT);
    }

    /// What a closing socket leaves undone, one by one.
    pub(crate) fn next_unsent(&mut self, id: HandleId) -> Option<Completion> {
        let mut udp = UdpMut { engine: self, id };
        udp.cancel_sends();
        udp.next_sent()
    }
}

impl<D: Driver> UdpMut<'_, D> {
    fn event(&mut self) -> Option<&mut UdpEvent> {
        let id = self.id;
        self.engine.udp_event.as_mut().filter(|event| event.id == id)
    }

    /// Whether there may be one more datagram of the kind that was announced, in this round.
    ///
    /// Who has dealt with [`Completion::Receivable`] may ask this and go on at once, instead of
    /// asking the engine for the next step and hearing the same.
    pub fn announce(&mut self) -> bool {
        let receiving = self.is_receiving();
        let Some(event) = self.event() else { return false };
        let ready = match event.step {
            Step::Receive => event.readiness.contains(Readiness::READABLE),
            Step::Collect => event.readiness.contains(Readiness::ERROR),
            Step::Flush | Step::Tell => false,
        };
        let announces = receiving && ready && event.left > 0;
        event.left -= usize::from(announces);
        announces
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
        self.shorten_round(usize::MAX);
    }

    pub(super) fn shorten_round(&mut self, count: usize) {
        if let Some(event) = self.event() {
            event.left = event.left.saturating_sub(count);
        }
    }
}
