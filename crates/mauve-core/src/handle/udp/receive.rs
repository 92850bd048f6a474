//! Receiving.
//!
//! The engine has no buffers. It yields [`Completion::Receivable`]; the host provides a buffer, calls
//! [`UdpMut::receive`] or [`UdpMut::receive_many`], reports the result, and takes the next step.
//!
//! [`Completion::Receivable`]: crate::Completion::Receivable

use mauve_sys::driver::Driver;
use mauve_sys::net;
use mauve_sys::net::datagram::{self, Datagram, ReceiveBatch, ReceiveQueue};
use mauve_sys::{Errno, Result};

use super::{UdpBindFlags, UdpMut};
use crate::Engine;

impl<D: Driver> UdpMut<'_, D> {
    /// Starts receiving. Binds a socket that has no address. `EALREADY` if it is receiving, `EINVAL`
    /// if the handle is closing.
    #[doc(alias = "uv_udp_recv_start")]
    pub fn start_receiving(&mut self) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().receiving {
            return Err(Errno::EALREADY);
        }
        self.bind_anywhere(net::AF_INET, UdpBindFlags::default())?;
        self.body().receiving = true;
        self.body().refused = None;
        self.update();
        self.activate();
        Ok(())
    }

    /// Stops receiving, if the socket is receiving.
    #[doc(alias = "uv_udp_recv_stop")]
    pub fn stop_receiving(&mut self) {
        if std::mem::replace(&mut self.body().receiving, false) {
            self.update();
        }
        // As in libuv, also if it was not receiving: finished sends that are not reported yet do not
        // keep it active.
        self.deactivate_if_idle();
    }

    /// Whether it is receiving.
    pub fn is_receiving(&mut self) -> bool {
        self.body().receiving
    }

    /// Receives one datagram, after [`Completion::Receivable`] from the queue of the current step. One
    /// with an error is from the error queue. `EAGAIN` if there is none. The socket continues to
    /// receive after an error.
    ///
    /// [`Completion::Receivable`]: crate::Completion::Receivable
    pub fn receive(&mut self, buffer: &mut [u8], datagram: &mut Datagram) -> Result<()> {
        let queue = self.receive_queue();
        if let Some(error) = self.receive_fault(queue) {
            return Err(error);
        }
        let body = self.body();
        let plain = body.is_udp && queue == ReceiveQueue::Data;
        let received = body.fd().and_then(|fd| match plain {
            true => datagram::receive_udp(fd, buffer, datagram),
            false => datagram::receive(fd, buffer, queue, datagram),
        });
        if received.is_err() {
            self.end_batch();
        }
        received
    }

    /// The error that is reported instead of a datagram: the driver's, or that of a simulation.
    #[inline]
    fn receive_fault(&mut self, queue: ReceiveQueue) -> Option<Errno> {
        let Engine { table, schedule, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        if let Some(error) = body.refused.take() {
            return Some(error);
        }
        let schedule = schedule.as_ref().filter(|_| queue != ReceiveQueue::Errors)?;
        let fault = schedule.datagram_receive_fault(body.connected)?;
        self.end_batch();
        Some(fault)
    }

    /// Receives as many datagrams as fit into `buffer`. `EAGAIN` if there is none; `EINVAL` if the
    /// buffer is smaller than [`MAX_DATAGRAM`](datagram::MAX_DATAGRAM).
    pub fn receive_many(&mut self, buffer: &mut [u8], batch: &mut ReceiveBatch) -> Result<()> {
        let queue = self.receive_queue();
        if let Some(error) = self.receive_fault(queue) {
            return Err(error);
        }
        let received = self.body().fd().and_then(|fd| match queue {
            ReceiveQueue::Errors => datagram::receive_error(fd, buffer, batch),
            ReceiveQueue::Data | ReceiveQueue::CoalescedData => {
                datagram::receive_many(fd, buffer, batch)
            }
        });
        match received {
            // One of them was counted before.
            Ok(()) => self.shorten_batch(batch.datagrams().len().saturating_sub(1)),
            Err(_) => self.end_batch(),
        }
        received
    }
}
