//! What only pipes have: names, and descriptors that arrive.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use mauve_sys::driver::Driver;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result};

use super::{Flags, Role, StreamMut};
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// Gives the pipe a name: a path, an abstract name that begins with a zero byte, or, if it is
    /// empty, an abstract one of the system's choice. `EINVAL` if it has one already or is too
    /// long, `EACCES` if the directory is missing.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind_pipe(&mut self, name: &[u8]) -> Result<()> {
        if self.is_closing() || self.body().role != Role::Fresh || self.body().fd().is_ok() {
            return Err(Errno::EINVAL);
        }
        let address = Address::unix(name)?;
        let socket = net::socket(net::AF_UNIX, net::SOCK_STREAM)?;
        net::bind(socket.as_fd(), &address).map_err(|error| match error {
            Errno::ENOENT => Errno::EACCES,
            error => error,
        })?;
        self.attach(socket, false, false);
        self.engine.keep_reserve();
        self.body().role = Role::Bound;
        if name.first().is_some_and(|first| *first != 0) {
            // A zero inside would have ended the name for the system too.
            let path = name.split(|byte| *byte == 0).next().unwrap_or_default();
            self.extras_or_new().path = CString::new(path).ok();
        }
        Ok(())
    }

    /// Takes connections. `EINVAL` without a name.
    pub fn listen_pipe(&mut self, backlog: i32) -> Result<()> {
        // A pipe that passes descriptors is one end of a connection, as in libuv.
        if self.body().fd().is_err() || self.is_ipc() {
            return Err(Errno::EINVAL);
        }
        self.begin_listening(backlog)
    }

    /// Connects to the pipe of that name. What goes wrong is told by the completion.
    #[doc(alias = "uv_pipe_connect")]
    pub fn connect_pipe(&mut self, token: Token, name: &[u8]) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if self.body().role.is_connecting() {
            return Err(Errno::EALREADY);
        }
        let started = self.start_connecting(name);
        self.begin_connecting(token, started);
        Ok(())
    }

    fn start_connecting(&mut self, name: &[u8]) -> Result<()> {
        if name.is_empty() {
            return Err(Errno::EINVAL);
        }
        let address = Address::unix(name)?;
        if self.body().fd().is_err() {
            let socket = net::socket(net::AF_UNIX, net::SOCK_STREAM)?;
            self.attach(socket, false, false);
            self.body().flags.insert(Flags::UNSHARED);
        }
        net::connect(self.body().fd()?, &address)
    }

    /// How many descriptors have arrived and are not accepted.
    #[doc(alias = "uv_pipe_pending_count")]
    pub fn arrived(&mut self) -> usize {
        self.extras().map_or(0, |extras| extras.inbox.len())
    }

    /// The oldest of them.
    pub fn first_arrived(&mut self) -> Option<BorrowedFd<'_>> {
        self.extras()?.inbox.front().map(|fd| fd.as_fd())
    }

    /// Whether descriptors travel over this pipe.
    pub fn is_ipc(&mut self) -> bool {
        self.body().is(Flags::IPC)
    }
}
