//! Datagram sockets.
//!
//! * [`send`]: sending, one datagram or many.
//! * [`receive`]: receiving, with buffers of the host.
//! * [`event`]: the steps of handling a readiness event, and their order.
//! * [`options`]: multicast groups, hop limits and other socket options.

pub(crate) mod event;
mod options;
mod receive;
mod send;
mod why;

use mauve_sys::descriptor::{AsDescriptor, BorrowedSocket, CLOSED, RawDescriptor, Socket};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::net::datagram::SendOffload;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result};

pub(crate) use send::SendRequest;

use crate::Engine;
use crate::arena::{Arena, List};
use crate::id::HandleId;
use crate::registration::Source;
use crate::slab::{Entry, Life};

/// What the datagram sockets of one loop share.
#[derive(Default)]
pub(crate) struct UdpState {
    sends: Arena<SendRequest>,
}

/// The state of one datagram socket.
pub(crate) struct Udp {
    fd: Option<Socket>,
    pub source: Source,
    /// The address family whose options are set: that of the address that the handle has bound, or
    /// of an adopted socket. Zero before, which means IPv4.
    option_family: i32,
    /// Whether the socket is known to be a UDP socket, not another kind of datagram socket.
    is_udp: bool,
    connected: bool,
    receiving: bool,
    /// The error with which the driver refused the socket, until the next receive reports it.
    refused: Option<Errno>,
    /// Whether the next time that the socket is writable is reported.
    awaits_writable: bool,
    /// Whether the socket is watched for writability because of queued datagrams. As in libuv the watch
    /// ends after the send callbacks, and keeps the handle active until then.
    watches_writable: bool,
    /// Whether the socket is in the deferred queue.
    deferred: bool,
    /// Datagrams that are not sent, in order.
    queued: List,
    /// Datagrams that are sent or have failed, to be reported.
    done: List,
    /// Bytes and datagrams of both lists.
    send_queue: SendQueue,
    /// How many further datagrams may be sent before earlier ones are reported. `None`: none ever.
    ahead: Option<u8>,
    /// The callback that has sent a datagram which is not reported.
    unreported_in: u32,
    offload: SendOffload,
    /// Whether received datagrams of one sender may be coalesced.
    coalesces: bool,
}

/// Sends that are not reported yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SendQueue {
    /// Bytes.
    pub bytes: usize,
    /// Datagrams.
    pub count: usize,
}

impl Udp {
    pub fn new() -> Self {
        Self {
            fd: None,
            source: Source::new(CLOSED),
            option_family: 0,
            is_udp: false,
            connected: false,
            receiving: false,
            refused: None,
            awaits_writable: false,
            watches_writable: false,
            deferred: false,
            queued: List::EMPTY,
            done: List::EMPTY,
            send_queue: SendQueue::default(),
            ahead: None,
            unreported_in: 0,
            offload: SendOffload::enabled(),
            coalesces: false,
        }
    }

    pub(crate) fn fd(&self) -> Result<BorrowedSocket<'_>> {
        self.fd.as_ref().map(|fd| fd.as_descriptor()).ok_or(Errno::EBADF)
    }

    /// The socket, and whether it supports segmentation offload.
    fn fd_and_offload(&mut self) -> Result<(BorrowedSocket<'_>, &mut SendOffload)> {
        let fd = self.fd.as_ref().ok_or(Errno::EBADF)?;
        Ok((fd.as_descriptor(), &mut self.offload))
    }

    /// The events in which the socket is interested.
    fn interest(&self) -> Interest {
        let mut interest = Interest::empty();
        interest.set(Interest::READABLE, self.receiving);
        interest.set(Interest::WRITABLE, self.awaits_writable || self.watches_writable);
        interest
    }
}

/// How to bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_udp_flags")]
pub struct UdpBindFlags {
    /// `IPV6_V6ONLY`: an IPv6 socket does not receive IPv4.
    pub only_v6: bool,
    /// `SO_REUSEADDR`: the address may be in use by sockets with the same flag. The last one receives.
    pub reuse_address: bool,
    /// `SO_REUSEPORT`: sockets with this flag share the address. The kernel distributes datagrams.
    pub reuse_port: bool,
    /// `IP_RECVERR`: the kernel queues ICMP errors, and they are reported.
    #[doc(alias = "UV_UDP_LINUX_RECVERR")]
    pub recv_err: bool,
}

/// One datagram socket, borrowed for one operation.
pub struct UdpMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
}

impl<D: Driver> UdpMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Udp> {
        &mut self.engine.table.udps[self.id.index()]
    }

    fn body(&mut self) -> &mut Udp {
        &mut self.entry().body
    }

    /// What a simulation lets a datagram do instead of being sent.
    #[inline]
    fn send_fault(&mut self) -> Option<Result<()>> {
        self.engine.schedule.as_ref()?;
        let is_connected = self.body().connected;
        self.engine.schedule.as_ref()?.datagram_send_fault(is_connected)
    }

    fn is_closing(&mut self) -> bool {
        self.entry().head.life() == Life::Closing
    }

    /// Sets the UDP socket of the handle.
    pub fn set_socket(&mut self, socket: Socket) {
        let body = self.body();
        body.source = Source::new(socket.raw_descriptor());
        body.is_udp = true;
        body.fd = Some(socket);
    }

    /// Checks that `fd` can be adopted: `EBUSY` if the handle has a socket, `EEXIST` if the loop
    /// watches that one already.
    #[doc(alias = "uv_udp_open")]
    pub fn check_open(&mut self, fd: RawDescriptor) -> Result<()> {
        if self.body().fd.is_some() {
            return Err(Errno::EBUSY);
        }
        let Engine { registrations, table, driver, .. } = &mut *self.engine;
        registrations.check_unwatched(fd, table, driver)
    }

    /// Adopts a datagram socket of any family, which may be bound and connected. The caller has made
    /// it non-blocking.
    pub fn adopt(&mut self, socket: Socket) {
        let family = net::family(socket.as_descriptor()).unwrap_or(0);
        let connected = net::peer_address(socket.as_descriptor()).is_ok();
        let is_udp = net::is_udp(socket.as_descriptor());
        self.set_socket(socket);
        let body = self.body();
        (body.option_family, body.connected, body.is_udp) = (family, connected, is_udp);
        if !is_udp {
            // Other datagram sockets have no segmentation offload.
            body.offload.disable();
        }
    }

    /// Sets options of IPv4 until the handle binds the socket, as libuv does for any adopted socket.
    pub fn set_options_as_unbound(&mut self) {
        self.body().option_family = 0;
    }

    /// The socket. `EBADF` if there is none, or the handle is closing.
    #[doc(alias = "uv_fileno")]
    pub fn fd(&mut self) -> Result<BorrowedSocket<'_>> {
        self.body().fd()
    }

    /// Binds the socket, which is created if there is none. `EINVAL` if it is bound already, or the
    /// family does not match.
    #[doc(alias = "uv_udp_bind")]
    pub fn bind(&mut self, address: &Address, flags: UdpBindFlags) -> Result<()> {
        let is_v6 = address.to_socket_addr().ok_or(Errno::EINVAL)?.is_ipv6();
        if self.is_closing() || flags.only_v6 && !is_v6 {
            return Err(Errno::EINVAL);
        }
        if self.body().fd.is_none() {
            let socket = net::socket(address.family(), net::SOCK_DGRAM)?;
            self.set_socket(socket);
        }
        let fd = self.body().fd()?;
        if flags.recv_err {
            net::set_recv_err(fd, address.family())?;
            // The kernel would queue one error for all datagrams of a call.
            self.body().offload.disable();
        }
        let fd = self.body().fd()?;
        if flags.reuse_address {
            net::set_reuse_address(fd, true)?;
        }
        if flags.reuse_port {
            net::set_reuse_port(fd, true)?;
        }
        if flags.only_v6 {
            net::set_only_v6(fd, true)?;
        }
        match net::bind(fd, address) {
            Ok(()) => {
                self.body().option_family = address.family();
                Ok(())
            }
            Err(Errno::EAFNOSUPPORT) => Err(Errno::EINVAL),
            result => result,
        }
    }

    /// Binds a socket of this family to any address and port, if there is none.
    #[inline]
    fn bind_anywhere(&mut self, family: i32, flags: UdpBindFlags) -> Result<()> {
        if self.body().fd.is_some() { Ok(()) } else { self.bind_first(family, flags) }
    }

    #[cold]
    fn bind_first(&mut self, family: i32, flags: UdpBindFlags) -> Result<()> {
        let anywhere = match family {
            net::AF_INET => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            net::AF_INET6 => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
            _ => return Err(Errno::EINVAL),
        };
        self.bind(&anywhere.into(), flags)
    }

    /// Connects the socket: it sends to this peer and receives from it alone. `EISCONN` if it is
    /// connected.
    #[doc(alias = "uv_udp_connect")]
    pub fn connect(&mut self, peer: &Address) -> Result<()> {
        if peer.to_socket_addr().is_none() || self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().connected {
            return Err(Errno::EISCONN);
        }
        self.bind_anywhere(peer.family(), UdpBindFlags::default())?;
        net::connect(self.body().fd()?, peer)?;
        self.body().connected = true;
        Ok(())
    }

    /// Disconnects the socket. `ENOTCONN` if it is not connected.
    pub fn disconnect(&mut self) -> Result<()> {
        let body = self.body();
        if !body.connected {
            return Err(Errno::ENOTCONN);
        }
        net::disconnect(body.fd()?)?;
        body.connected = false;
        Ok(())
    }

    /// The local address.
    #[doc(alias = "uv_udp_getsockname")]
    pub fn local_address(&mut self) -> Result<Address> {
        net::local_address(self.body().fd()?)
    }

    /// The peer's address.
    #[doc(alias = "uv_udp_getpeername")]
    pub fn peer_address(&mut self) -> Result<Address> {
        net::peer_address(self.body().fd()?)
    }

    /// Sends that are not reported yet.
    #[doc(alias = "uv_udp_get_send_queue_size")]
    #[doc(alias = "uv_udp_get_send_queue_count")]
    pub fn send_queue(&mut self) -> SendQueue {
        self.body().send_queue
    }

    /// Updates the interest in the socket to its state.
    fn update(&mut self) {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        if head.life() == Life::Closing || body.fd.is_none() {
            return;
        }
        let interest = body.interest();
        if interest != body.source.wanted() {
            let wanted = registrations.register(self.id, &mut body.source, interest);
            if wanted.is_err() {
                registrations.register_shared(self.id, interest, table, driver);
            }
        }
    }

    fn activate(&mut self) {
        let Engine { table, active, .. } = &mut *self.engine;
        table.udps[self.id.index()].head.activate(active);
    }

    /// Ends the watch for writability after the send callbacks, unless datagrams are queued. As in libuv
    /// the socket is queued for registration, even if it was not watched for writability: if it is
    /// before the next poll, its events come before those of sockets that started since.
    fn end_sends(&mut self) {
        let body = self.body();
        if body.queued.is_empty() && std::mem::replace(&mut body.watches_writable, false) {
            self.update();
        }
        self.deactivate_if_idle();
    }

    /// Deactivates a socket that neither receives nor has anything to send.
    fn deactivate_if_idle(&mut self) {
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        if head.life() == Life::Active && body.interest().is_empty() {
            head.deactivate(active);
        }
    }

    /// Takes the socket without closing it.
    pub fn detach(&mut self) -> Option<Socket> {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        registrations.deregister(self.id, &mut body.source, driver);
        body.fd.take()
    }

    /// Closes the socket at once. The close phase reports unfinished sends as cancelled.
    pub(crate) fn close_descriptor(&mut self) {
        let Engine { table, registrations, driver, deferred, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        if std::mem::replace(&mut body.deferred, false) {
            deferred.remove(self.id);
        }
        registrations.deregister(self.id, &mut body.source, driver);
        (body.receiving, body.awaits_writable) = (false, false);
        if let Some(fd) = body.fd.take() {
            mauve_sys::fd::close(fd);
        }
    }
}
