//! Receiving.
//!
//! The engine has no buffers. It yields [`Completion::Receivable`]; whoever drives it provides a
//! buffer, calls [`UdpMut::receive`] or [`UdpMut::receive_many`], passes the outcome on, and asks
//! for the next step.
//!
//! [`Completion::Receivable`]: crate::Completion::Receivable

use mauve_sys::driver::Driver;
use mauve_sys::net;
use mauve_sys::net::datagram::{self, Datagram, ReceiveBatch, ReceiveQueue};
use mauve_sys::{Errno, Result};

use super::{BindFlags, UdpMut};

impl<D: Driver> UdpMut<'_, D> {
    /// Begins to receive; a socket without an address gets one. `EALREADY` if it is receiving,
    /// `EINVAL` if the handle is closing.
    #[doc(alias = "uv_udp_recv_start")]
    pub fn start_receiving(&mut self) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().receiving {
            return Err(Errno::EALREADY);
        }
        self.bind_anywhere(net::AF_INET, BindFlags::default())?;
        self.body().receiving = true;
        self.body().refused = None;
        self.update();
        self.activate();
        Ok(())
    }

    /// Stops receiving. Nothing happens if it does not receive.
    #[doc(alias = "uv_udp_recv_stop")]
    pub fn stop_receiving(&mut self) {
        if std::mem::replace(&mut self.body().receiving, false) {
            self.update();
        }
        // Also one that did not receive: its sends may be done and not reported yet.
        self.rest();
    }

    /// Whether it is receiving.
    pub fn is_receiving(&mut self) -> bool {
        self.body().receiving
    }

    /// Takes one datagram. After [`Completion::Receivable`] it is of the kind that was announced;
    /// one with an error in it has come back. `EAGAIN` if there is none. Whatever the error, the
    /// socket goes on receiving.
    ///
    /// [`Completion::Receivable`]: crate::Completion::Receivable
    pub fn receive(&mut self, buffer: &mut [u8], datagram: &mut Datagram) -> Result<()> {
        let queue = self.announced();
        let body = self.body();
        if let Some(error) = body.refused.take() {
            return Err(error);
        }
        let plain = body.is_udp && queue == ReceiveQueue::Data;
        let received = body.fd().and_then(|fd| match plain {
            true => datagram::receive_udp(fd, buffer, datagram),
            false => datagram::receive(fd, buffer, queue, datagram),
        });
        if received.is_err() {
            self.end_round();
        }
        received
    }

    /// Takes as many datagrams as there is room for. `EAGAIN` if there is none; `EINVAL` if the
    /// buffer is smaller than [`MAX_DATAGRAM`](datagram::MAX_DATAGRAM).
    pub fn receive_many(&mut self, buffer: &mut [u8], batch: &mut ReceiveBatch) -> Result<()> {
        let queue = self.announced();
        if let Some(error) = self.body().refused.take() {
            return Err(error);
        }
        let received = self.body().fd().and_then(|fd| match queue {
            ReceiveQueue::Errors => datagram::receive_error(fd, buffer, batch),
            ReceiveQueue::Data | ReceiveQueue::CoalescedData => {
                datagram::receive_many(fd, buffer, batch)
            }
        });
        match received {
            // One of them was counted when it was announced.
            Ok(()) => self.shorten_round(batch.datagrams().len().saturating_sub(1)),
            Err(_) => self.end_round(),
        }
        received
    }
}
