//! Datagram sockets.
//!
//! * [`send`]: sending, one datagram or many.
//! * [`cork`]: datagrams that leave in one call at the end of a callback.
//! * [`receive`]: receiving, with the buffers of whoever drives the engine.
//! * [`event`]: what happens when the socket is ready, and in which order.
//! * [`options`]: groups, and how far datagrams go.

mod cork;
pub(crate) mod event;
mod options;
mod receive;
mod send;
mod why;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::net::datagram::Offload;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result};

pub(crate) use send::Send;

use crate::Engine;
use crate::arena::{Arena, List};
use crate::id::{HandleId, Token};
use crate::io::Source;
use crate::slab::{Entry, Life};

/// What the datagram sockets of one loop share.
#[derive(Default)]
pub(crate) struct UdpState {
    /// The socket whose readiness event is being handled.
    pub event: Option<event::UdpEvent>,
    pub sends: Arena<Send>,
}

/// The state of one datagram socket.
pub(crate) struct Udp {
    fd: Option<OwnedFd>,
    pub source: Source,
    /// Of the socket, if there is one.
    family: i32,
    /// Whether the socket is known to be for UDP, and not for something like it.
    is_udp: bool,
    connected: bool,
    receiving: bool,
    /// Why the socket cannot be watched, until the next attempt to receive reports it.
    refused: Option<Errno>,
    /// Whether somebody waits for room to send.
    awaits_room: bool,
    /// Whether the socket is watched for room because of queued datagrams. As with libuv this ends
    /// after the callbacks of those that were sent, and keeps the handle active until then.
    watches_room: bool,
    /// Whether the socket stands in the deferred queue.
    fed: bool,
    /// Datagrams that are not sent, in order.
    queued: List,
    /// Datagrams that are sent, or have failed; their completions are still to be delivered.
    done: List,
    /// Bytes and datagrams of both lists.
    load: Load,
    offload: Offload,
    /// Whether datagrams of one sender may come as one.
    coalesces: bool,
    /// What was sent at once, if others may be corked.
    burst: Option<Box<cork::Burst>>,
}

/// What was handed over for sending and is not reported yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Bytes.
    pub bytes: usize,
    /// Datagrams.
    pub count: usize,
}

impl Udp {
    fn new() -> Self {
        Self {
            fd: None,
            source: Source::new(-1),
            family: 0,
            is_udp: false,
            connected: false,
            receiving: false,
            refused: None,
            awaits_room: false,
            watches_room: false,
            fed: false,
            queued: List::EMPTY,
            done: List::EMPTY,
            load: Load::default(),
            offload: Offload::untried(),
            coalesces: false,
            burst: None,
        }
    }

    pub(crate) fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.fd.as_ref().map(|fd| fd.as_fd()).ok_or(Errno::EBADF)
    }

    /// The socket, and what is known about sending many datagrams as one on it.
    fn outlet(&mut self) -> Result<(BorrowedFd<'_>, &mut Offload)> {
        let fd = self.fd.as_ref().ok_or(Errno::EBADF)?;
        Ok((fd.as_fd(), &mut self.offload))
    }

    /// What is to be watched for.
    fn interest(&self) -> Interest {
        let mut interest = Interest::empty();
        interest.set(Interest::READABLE, self.receiving);
        interest.set(Interest::WRITABLE, self.awaits_room || self.watches_room);
        interest
    }
}

/// How to bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_udp_flags")]
pub struct BindFlags {
    /// An IPv6 socket refuses IPv4.
    pub only_v6: bool,
    /// Take the address over from sockets that allow it; the last one gets the datagrams.
    pub reuse_address: bool,
    /// Share the address with other sockets that do the same; the system spreads the datagrams.
    pub reuse_port: bool,
    /// Collect datagrams that come back, and report all errors of the way.
    pub collect_returned: bool,
}

/// One datagram socket, lent for one operation.
pub struct UdpMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a datagram handle without a socket.
    #[doc(alias = "uv_udp_init")]
    pub fn open_udp(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        self.table.udps.insert(token, born, Udp::new())
    }

    /// Lends a datagram handle.
    pub fn udp(&mut self, id: HandleId) -> Option<UdpMut<'_, D>> {
        self.table.udps.find(id)?;
        Some(UdpMut { engine: self, id })
    }
}

impl<D: Driver> UdpMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Udp> {
        &mut self.engine.table.udps[self.id.index()]
    }

    fn body(&mut self) -> &mut Udp {
        &mut self.entry().body
    }

    fn is_closing(&mut self) -> bool {
        self.entry().head.life() == Life::Closing
    }

    /// Gives the handle a UDP socket that was made for it.
    pub fn give_socket(&mut self, socket: OwnedFd, family: i32) {
        let body = self.body();
        body.source = Source::new(socket.as_raw_fd());
        body.family = family;
        body.is_udp = true;
        body.fd = Some(socket);
    }

    /// Whether `fd` could be taken over: `EBUSY` if the handle has a socket, `EEXIST` if the loop
    /// watches that one already.
    #[doc(alias = "uv_udp_open")]
    pub fn check_open(&mut self, fd: RawFd) -> Result<()> {
        if self.body().fd.is_some() {
            return Err(Errno::EBUSY);
        }
        if self.engine.is_watched(fd) {
            return Err(Errno::EEXIST);
        }
        Ok(())
    }

    /// Takes over a datagram socket of any family, which may be bound and connected. The caller
    /// has made it non-blocking.
    pub fn adopt(&mut self, socket: OwnedFd) {
        let family = net::family(socket.as_fd()).unwrap_or(0);
        let connected = net::peer_address(socket.as_fd()).is_ok();
        let is_udp = net::is_udp(socket.as_fd());
        self.give_socket(socket, family);
        let body = self.body();
        (body.connected, body.is_udp) = (connected, is_udp);
        if !is_udp {
            // Others take many for one.
            body.offload.forbid();
        }
    }

    /// The socket. `EBADF` if there is none, or the handle is closing.
    #[doc(alias = "uv_fileno")]
    pub fn fd(&mut self) -> Result<BorrowedFd<'_>> {
        self.body().fd()
    }

    /// Gives the socket an address; makes the socket if there is none. `EINVAL` if it has an
    /// address already, or the family does not fit.
    #[doc(alias = "uv_udp_bind")]
    pub fn bind(&mut self, address: &Address, flags: BindFlags) -> Result<()> {
        let is_v6 = address.to_socket_addr().ok_or(Errno::EINVAL)?.is_ipv6();
        if self.is_closing() || flags.only_v6 && !is_v6 {
            return Err(Errno::EINVAL);
        }
        if self.body().fd.is_none() {
            let socket = net::socket(address.family(), net::DATAGRAM)?;
            self.give_socket(socket, address.family());
        }
        let fd = self.body().fd()?;
        if flags.collect_returned {
            net::set_collect_returned(fd, address.family())?;
        }
        if flags.reuse_address {
            net::set_reuse_address(fd)?;
        }
        if flags.reuse_port {
            net::set_reuse_port(fd)?;
        }
        if flags.only_v6 {
            net::set_only_v6(fd, true)?;
        }
        match net::bind(fd, address) {
            Err(Errno::EAFNOSUPPORT) => Err(Errno::EINVAL),
            result => result,
        }
    }

    /// Makes sure that there is a socket: one of this family, at any address and port.
    #[inline]
    fn bind_anywhere(&mut self, family: i32, flags: BindFlags) -> Result<()> {
        if self.body().fd.is_some() { Ok(()) } else { self.bind_first(family, flags) }
    }

    #[cold]
    fn bind_first(&mut self, family: i32, flags: BindFlags) -> Result<()> {
        let anywhere = match family {
            net::INET => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            net::INET6 => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
            _ => return Err(Errno::EINVAL),
        };
        self.bind(&anywhere.into(), flags)
    }

    /// Ties the socket to one peer: datagrams go to it and are taken from it alone. `EISCONN` if
    /// it has one.
    #[doc(alias = "uv_udp_connect")]
    pub fn connect(&mut self, peer: &Address) -> Result<()> {
        if peer.to_socket_addr().is_none() || self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().connected {
            return Err(Errno::EISCONN);
        }
        self.bind_anywhere(peer.family(), BindFlags::default())?;
        net::connect(self.body().fd()?, peer)?;
        self.body().connected = true;
        Ok(())
    }

    /// Unties the socket from its peer. `ENOTCONN` if it has none.
    pub fn disconnect(&mut self) -> Result<()> {
        let body = self.body();
        if !body.connected {
            return Err(Errno::ENOTCONN);
        }
        net::disconnect(body.fd()?)?;
        body.connected = false;
        Ok(())
    }

    /// The socket's own address.
    #[doc(alias = "uv_udp_getsockname")]
    pub fn local_address(&mut self) -> Result<Address> {
        net::local_address(self.body().fd()?)
    }

    /// The peer's address.
    #[doc(alias = "uv_udp_getpeername")]
    pub fn peer_address(&mut self) -> Result<Address> {
        net::peer_address(self.body().fd()?)
    }

    /// What was handed over for sending and is not reported yet.
    #[doc(alias = "uv_udp_get_send_queue_size")]
    #[doc(alias = "uv_udp_get_send_queue_count")]
    pub fn load(&mut self) -> Load {
        self.body().load
    }

    /// Keeps the watch on the socket in line with what it is doing.
    fn update(&mut self) {
        let Engine { table, watches, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        if head.life() == Life::Closing || body.fd.is_none() {
            return;
        }
        let interest = body.interest();
        if interest != body.source.wanted() {
            let wanted = watches.want(self.id, &mut body.source, interest);
            if wanted.is_err() {
                self.share(interest);
            }
        }
    }

    /// Another handle has the same descriptor. This one waits for it unless the other does.
    #[cold]
    fn share(&mut self, interest: Interest) {
        let fd = self.body().source.fd;
        if !self.engine.is_watched(fd) {
            let Engine { table, watches, .. } = &mut *self.engine;
            let source = &mut table.udps[self.id.index()].body.source;
            // It has no owner now.
            let _ = watches.want(self.id, source, interest);
        }
    }

    fn activate(&mut self) {
        let Engine { table, active, .. } = &mut *self.engine;
        table.udps[self.id.index()].head.activate(active);
    }

    /// Reports of all sent datagrams have run: the socket is watched for room only if others are
    /// queued.
    fn end_sends(&mut self) {
        let body = self.body();
        if body.watches_room && body.queued.is_empty() {
            body.watches_room = false;
            self.update();
        }
        self.rest();
    }

    /// A socket that neither receives nor has anything to send is inactive.
    fn rest(&mut self) {
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        if head.life() == Life::Active && body.interest().is_empty() {
            head.deactivate(active);
        }
    }

    /// Takes the socket away, open.
    pub(crate) fn detach(&mut self) -> Option<OwnedFd> {
        let Engine { table, watches, driver, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        watches.forget(self.id, &mut body.source, driver);
        body.fd.take()
    }

    /// Closes the socket at once. What was handed over and is not reported is told in the close
    /// phase.
    pub(crate) fn shut(&mut self) {
        self.uncork();
        let Engine { table, watches, driver, deferred, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        if std::mem::replace(&mut body.fed, false) {
            deferred.remove(self.id);
        }
        watches.forget(self.id, &mut body.source, driver);
        (body.receiving, body.awaits_room) = (false, false);
        if let Some(fd) = body.fd.take() {
            mauve_sys::fd::close(fd);
        }
    }
}
