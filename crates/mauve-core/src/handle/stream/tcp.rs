//! Operations of TCP streams.

use mauve_sys::descriptor::{AsDescriptor, BorrowedSocket, Socket};
use mauve_sys::driver::Driver;
use mauve_sys::faults::Call;
use mauve_sys::net::{self, Address, KeepAlive};
use mauve_sys::{Errno, Result};

use super::{Flags, Role, Shutdown, StreamMut};
use crate::id::Token;
use crate::trace::CallbackKind;

/// How to bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpBindFlags {
    /// An IPv6 socket refuses IPv4.
    pub only_v6: bool,
    /// Share the address with other sockets that do the same.
    pub reuse_port: bool,
}

/// Options of a socket that does not exist yet.
#[derive(Default)]
pub(super) struct Options {
    nodelay: bool,
    keepalive: Option<KeepAlive>,
}

impl Options {
    pub fn apply(&self, fd: BorrowedSocket<'_>) -> Result<()> {
        if self.nodelay {
            net::set_nodelay(fd, true)?;
        }
        if self.keepalive.is_some() {
            net::set_keepalive(fd, self.keepalive)?;
        }
        Ok(())
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Creates a socket of this family, unless there is one.
    pub fn open_socket(&mut self, family: i32) -> Result<()> {
        if self.body().fd().is_err() {
            let socket = net::socket(family, net::SOCK_STREAM)?;
            self.options().apply(socket.as_descriptor())?;
            self.attach(socket, false, false);
        }
        Ok(())
    }

    /// Sets the socket of the stream.
    pub fn set_socket(&mut self, socket: Socket) {
        self.attach(socket, false, false);
    }

    /// Binds the stream to an address. `EADDRINUSE` is reported later, when the stream listens or
    /// connects. `EINVAL` if it is bound already, or the family does not match.
    #[doc(alias = "uv_tcp_bind")]
    pub fn bind(&mut self, address: &Address, flags: TcpBindFlags) -> Result<()> {
        let is_v6 = address.to_socket_addr().ok_or(Errno::EINVAL)?.is_ipv6();
        if self.is_closing() || flags.only_v6 && !is_v6 {
            return Err(Errno::EINVAL);
        }
        self.open_socket(address.family())?;
        self.engine.streams.keep_reserve();
        let body = self.body();
        let fd = body.fd()?;
        net::set_reuse_address(fd, true)?;
        if flags.reuse_port {
            net::set_reuse_port(fd, true)?;
        }
        if is_v6 {
            net::set_only_v6(fd, flags.only_v6)?;
        }
        let delayed = match net::bind(fd, address) {
            Ok(()) => None,
            Err(Errno::EADDRINUSE) => Some(Errno::EADDRINUSE),
            Err(Errno::EAFNOSUPPORT) => return Err(Errno::EINVAL),
            Err(error) => return Err(error),
        };
        // The system decides whether it can be bound twice.
        if body.role == Role::Fresh {
            body.role = Role::Bound;
        }
        self.delay(delayed);
        Ok(())
    }

    /// Listens. An unbound stream listens on all addresses, at a port that the system chooses.
    #[doc(alias = "uv_listen")]
    pub fn listen_tcp(&mut self, backlog: i32) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        self.open_socket(net::AF_INET)?;
        self.begin_listening(backlog)
    }

    /// Connects. `EALREADY` if a connect request is in progress. The completion reports a refused
    /// connection, and an address that is in use.
    #[doc(alias = "uv_tcp_connect")]
    pub fn connect_tcp(&mut self, token: Token, address: &Address) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().role.is_connecting() {
            return Err(Errno::EALREADY);
        }
        if self.body().fd().is_err() {
            self.open_socket(address.family())?;
            self.body().flags.insert(Flags::UNSHARED);
        }
        let started = match self.delayed() {
            Some(delayed) => Err(delayed),
            None => {
                self.allow(true, true);
                let errors = Call::Connect.errors();
                match self.engine.connection_fault(
                    Call::Connect,
                    errors,
                    (CallbackKind::Connect, token),
                ) {
                    Some(error) => Err(error),
                    None => self.start_connecting_tcp(address)?,
                }
            }
        };
        self.begin_connecting(token, started);
        Ok(())
    }

    /// Calls `connect(2)`. A connection that is refused at once is a result of the request.
    fn start_connecting_tcp(&mut self, address: &Address) -> Result<Result<()>> {
        match net::connect(self.body().fd()?, &net::interface::with_scope(address)) {
            Ok(()) => Ok(Ok(())),
            Err(Errno::ECONNREFUSED) => Ok(Err(Errno::ECONNREFUSED)),
            Err(error) => Err(error),
        }
    }

    /// The local address. Fails with the delayed error of binding, if any.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_address(&mut self) -> Result<Address> {
        match self.delayed() {
            Some(delayed) => Err(delayed),
            None => net::local_address(self.body().fd()?),
        }
    }

    /// The peer's address.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_address(&mut self) -> Result<Address> {
        match self.delayed() {
            Some(delayed) => Err(delayed),
            None => net::peer_address(self.body().fd()?),
        }
    }

    /// Sets `TCP_NODELAY`. Without a socket, it is set when there is one.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&mut self, on: bool) -> Result<()> {
        match self.body().fd() {
            Ok(fd) => net::set_nodelay(fd, on),
            Err(_) => {
                self.extras_or_new().nodelay = on;
                Ok(())
            }
        }
    }

    /// Sets `SO_KEEPALIVE` and its times. Without a socket, they are set when there is one.
    #[doc(alias = "uv_tcp_keepalive")]
    pub fn set_keepalive(&mut self, keepalive: Option<KeepAlive>) -> Result<()> {
        match self.body().fd() {
            Ok(fd) => net::set_keepalive(fd, keepalive),
            Err(_) => {
                self.extras_or_new().keepalive = keepalive;
                Ok(())
            }
        }
    }

    /// The options that were set before there was a socket.
    pub(super) fn options(&mut self) -> Options {
        match self.extras() {
            Some(extras) => Options { nodelay: extras.nodelay, keepalive: extras.keepalive },
            None => Options::default(),
        }
    }

    /// Makes closing reset the connection. `EINVAL` during a shutdown.
    #[doc(alias = "uv_tcp_close_reset")]
    pub fn reset_on_close(&mut self) -> Result<()> {
        if self.body().shutdown == Shutdown::Wanted {
            return Err(Errno::EINVAL);
        }
        net::set_reset_on_close(self.body().fd()?)
    }
}
