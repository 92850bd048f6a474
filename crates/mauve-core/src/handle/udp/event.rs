//! Handles readiness events of datagram sockets, step by step.
//!
//! A deferred socket takes the same steps as one that is ready for writing. Callbacks run between two
//! steps and may change the handle in any way, so each step checks its state again.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Readiness};
use mauve_sys::net::datagram::ReceiveQueue;

use super::UdpMut;
use crate::Engine;
use crate::completion::Completion;
use crate::handle::socket::SocketEvent;
use crate::id::HandleId;
use crate::slab::{Entry, Life};

/// The most datagrams per readiness event, so that a fast peer does not starve other handles.
const DATAGRAMS_PER_EVENT: usize = 32;

/// The event that is being handled, and its current step.
pub(crate) struct UdpEvent {
    pub id: HandleId,
    readiness: Readiness,
    step: UdpStep,
    /// Datagrams that this step may still receive.
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UdpStep {
    /// Receive datagrams.
    Receive,
    /// Receive from the error queue.
    ReceiveErrors,
    /// Send queued datagrams.
    Flush,
    /// Report finished sends.
    Report,
}

impl UdpEvent {
    fn new(id: HandleId, readiness: Readiness, step: UdpStep) -> Self {
        Self { id, readiness, step, left: DATAGRAMS_PER_EVENT }
    }

    fn set_step(&mut self, step: UdpStep) {
        (self.step, self.left) = (step, DATAGRAMS_PER_EVENT);
    }

    /// Whether this step may find a datagram.
    fn is_ready(&self) -> bool {
        match self.step {
            UdpStep::Receive => self.readiness.contains(Readiness::READABLE),
            UdpStep::ReceiveErrors => self.readiness.contains(Readiness::ERROR),
            UdpStep::Flush | UdpStep::Report => false,
        }
    }

    /// Whether the event ends when all datagrams are received, which is the common case.
    fn only_receives(&self) -> bool {
        self.step == UdpStep::Receive
            && !self.readiness.intersects(Readiness::ERROR | Readiness::WRITABLE)
    }
}

impl<D: Driver> Engine<D> {
    /// Starts handling a readiness event for a socket. Returns the first completion directly when it
    /// is known, which is the common case.
    pub(crate) fn begin_udp_event(
        &mut self,
        id: HandleId,
        readiness: Readiness,
    ) -> Option<Completion> {
        let Entry { head, body } = self.table.udps.get_mut(id)?;
        let wanted = Readiness::from_bits_truncate(body.source.wanted().bits());
        body.source.take_event(id, readiness, &mut self.poll, &mut self.driver);
        let failure = Readiness::ERROR | Readiness::HANGUP;
        let mut readiness = readiness & (wanted | failure);
        if readiness == Readiness::ERROR || readiness == Readiness::HANGUP {
            // An error alone is reported by the next attempt to receive or send.
            readiness |= wanted;
        }
        let mut event = UdpEvent::new(id, readiness, UdpStep::Receive);
        let receives = body.receiving && event.is_ready();
        event.left -= usize::from(receives);
        self.socket_event = SocketEvent::Udp(event);
        receives.then_some(Completion::Receivable(head.token))
    }

    /// Starts handling a deferred socket: there is nothing to receive. Returns the first completion
    /// directly when it is known.
    pub(crate) fn begin_deferred_udp(&mut self, id: HandleId) -> Option<Completion> {
        let Entry { head, body } = self.table.udps.get_mut(id)?;
        body.deferred = false;
        // The common case: all datagrams were sent at once.
        let plain = body.queued.is_empty() && !body.awaits_writable && head.life() != Life::Closing;
        let step = if plain { UdpStep::Report } else { UdpStep::Flush };
        self.socket_event = SocketEvent::Udp(UdpEvent::new(id, Readiness::WRITABLE, step));
        if plain { UdpMut { engine: self, id }.next_sent() } else { None }
    }

    /// Defers the remaining completions of a socket whose event is abandoned.
    pub(crate) fn defer_rest_of_udp(&mut self, id: HandleId) {
        if let Some(mut udp) = self.udp(id) {
            udp.defer();
        }
    }

    /// The next completion of the socket whose event is being handled.
    #[inline]
    pub(crate) fn next_of_udp(&mut self) -> Option<Completion> {
        let event = self.socket_event.udp()?;
        if event.step == UdpStep::Report
            && let Some(Entry { body, .. }) = self.table.udps.get_mut(event.id)
            && body.done.is_empty()
            && body.receiving
            && !body.watches_writable
        {
            // The common case: all sends are reported, and the socket stays active. The general steps
            // below lead to the same state.
            self.socket_event.end();
            return None;
        }
        self.advance_udp_event()
    }

    #[inline(never)]
    fn advance_udp_event(&mut self) -> Option<Completion> {
        loop {
            let UdpEvent { id, readiness, step, .. } = *self.socket_event.udp()?;
            let Some(mut udp) = self.udp(id) else {
                self.socket_event.end();
                return None;
            };
            match step {
                UdpStep::Receive | UdpStep::ReceiveErrors => {
                    if udp.may_receive_more() {
                        return Some(Completion::Receivable(udp.entry().head.token));
                    }
                    let has_errors =
                        step == UdpStep::Receive && readiness.contains(Readiness::ERROR);
                    if let Some(event) = self.socket_event.udp() {
                        event.set_step(if has_errors {
                            UdpStep::ReceiveErrors
                        } else {
                            UdpStep::Flush
                        });
                    }
                }
                UdpStep::Flush if readiness.contains(Readiness::WRITABLE) && !udp.is_closing() => {
                    if !udp.body().queued.is_empty() {
                        udp.flush();
                    }
                    let (token, writable) = (udp.entry().head.token, udp.take_writable());
                    if let Some(event) = self.socket_event.udp() {
                        event.set_step(UdpStep::Report);
                    }
                    if writable {
                        return Some(Completion::Writable(token));
                    }
                }
                UdpStep::Flush => self.socket_event.end(),
                UdpStep::Report => {
                    if let Some(sent) = udp.next_sent() {
                        return Some(sent);
                    }
                    udp.end_sends();
                    self.socket_event.end();
                }
            }
        }
    }

    /// The driver refused to watch the socket. Receiving and queued sends fail with the error.
    pub(crate) fn udp_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let Engine { table, registrations, .. } = &mut *self;
        let Entry { head, body } = table.udps.get_mut(id)?;
        if head.life() == Life::Closing {
            return None;
        }
        let token = head.token;
        // The driver has what it had before.
        let registered = body.source.registration.registered();
        let _ = registrations.register(id, &mut body.source, registered);
        let receiving = std::mem::replace(&mut body.receiving, false);
        body.refused = receiving.then_some(error);
        let mut udp = UdpMut { engine: self, id };
        udp.fail_sends(error);
        udp.update();
        udp.end_sends();
        let event = UdpEvent::new(id, Readiness::WRITABLE, UdpStep::Flush);
        self.socket_event = SocketEvent::Udp(event);
        receiving.then_some(Completion::Receivable(token))
    }

    /// The next unfinished send of a closing socket, cancelled.
    pub(crate) fn next_cancelled_send(&mut self, id: HandleId) -> Option<Completion> {
        let mut udp = UdpMut { engine: self, id };
        udp.fail_sends(Errno::ECANCELED);
        udp.next_sent()
    }
}

impl<D: Driver> UdpMut<'_, D> {
    fn event(&mut self) -> Option<&mut UdpEvent> {
        let id = self.id;
        self.engine.socket_event.udp().filter(|event| event.id == id)
    }

    /// Whether there may be one more datagram of the same queue in this step.
    ///
    /// After [`Completion::Receivable`] a host may receive again while this is true, instead of
    /// taking the next step from the engine, which would be the same.
    pub fn may_receive_more(&mut self) -> bool {
        let Engine { table, socket_event, .. } = &mut *self.engine;
        let Some(event) = socket_event.udp().filter(|event| event.id == self.id) else {
            return false;
        };
        let receiving = table.udps[self.id.index()].body.receiving;
        if receiving && event.left > 0 && event.is_ready() {
            event.left -= 1;
            return true;
        }
        if event.only_receives() {
            socket_event.end();
        }
        false
    }

    /// Whether the callback of a finished send may be running. Its sends are queued, so that a peer
    /// that answers at once cannot starve the loop.
    pub(super) fn is_reporting(&mut self) -> bool {
        self.event().is_some_and(|event| event.step == UdpStep::Report)
    }

    /// Whether [`await_room`](Self::await_room) was called and no send is queued. Clears the flag.
    fn take_writable(&mut self) -> bool {
        let body = self.body();
        let writable = body.awaits_writable && body.queued.is_empty();
        if writable {
            body.awaits_writable = false;
            self.update();
        }
        writable
    }

    /// The queue from which the current step receives.
    pub(super) fn receive_queue(&mut self) -> ReceiveQueue {
        let coalesces = self.body().coalesces;
        match self.event() {
            Some(UdpEvent { step: UdpStep::ReceiveErrors, .. }) => ReceiveQueue::Errors,
            _ if coalesces => ReceiveQueue::CoalescedData,
            _ => ReceiveQueue::Data,
        }
    }

    /// Ends receiving in this step.
    pub fn end_batch(&mut self) {
        if let Some(event) = self.event() {
            event.left = 0;
            if event.only_receives() {
                self.engine.socket_event.end();
            }
        }
    }

    pub(super) fn shorten_batch(&mut self, count: usize) {
        if let Some(event) = self.event() {
            event.left = event.left.saturating_sub(count);
        }
    }
}
