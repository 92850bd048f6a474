//! The readiness event of a stream or a datagram socket that is being handled.
//!
//! The engine handles one at a time, step by step. Between two steps the host runs a callback, which may
//! change the handle in any way. [`stream::event`](super::stream::event) and
//! [`udp::event`](super::udp::event) have the steps.

use super::stream::event::StreamEvent;
use super::udp::event::UdpEvent;

/// The event that is being handled.
#[derive(Default)]
pub(crate) enum SocketEvent {
    #[default]
    None,
    Stream(StreamEvent),
    Udp(UdpEvent),
}

impl SocketEvent {
    /// Whether an event is being handled.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The event, if it is that of a stream.
    #[inline(always)]
    pub fn stream(&mut self) -> Option<&mut StreamEvent> {
        match self {
            Self::Stream(event) => Some(event),
            _ => None,
        }
    }

    /// The event, if it is that of a datagram socket.
    #[inline(always)]
    pub fn udp(&mut self) -> Option<&mut UdpEvent> {
        match self {
            Self::Udp(event) => Some(event),
            _ => None,
        }
    }

    /// Ends the event.
    #[inline(always)]
    pub fn end(&mut self) {
        *self = Self::None;
    }

    /// Takes the event.
    pub fn suspend(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Continues with an event that was suspended.
    pub fn resume(&mut self, event: Self) {
        *self = event;
    }
}
