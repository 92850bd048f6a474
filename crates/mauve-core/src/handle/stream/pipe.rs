//! Operations of pipes: names, and received descriptors.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use mauve_sys::driver::Driver;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result};

use super::{Flags, Role, StreamMut};
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// Binds the pipe to a name: a path, or an abstract name that begins with a zero byte. For an
    /// empty name the system chooses an abstract one. `EINVAL` if the pipe is bound already or the
    /// name is too long, `EACCES` if the directory is missing.
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
            // The system ends the name at a zero byte, too.
            let path = name.split(|byte| *byte == 0).next().unwrap_or_default();
            self.extras_or_new().path = CString::new(path).ok();
        }
        Ok(())
    }

    /// Listens. `EINVAL` without a name.
    pub fn listen_pipe(&mut self, backlog: i32) -> Result<()> {
        // As in libuv, a pipe that passes descriptors cannot listen.
        if self.body().fd().is_err() || self.is_ipc() {
            return Err(Errno::EINVAL);
        }
        self.begin_listening(backlog)
    }

    /// Connects to the pipe of that name. The completion reports errors.
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
            self.body().flags.insert(Flags::UNSHARED | Flags::SOCKET);
        }
        net::connect(self.body().fd()?, &address)
    }

    /// Forgets the path to which the pipe is bound, so that closing it does not unlink the path.
    pub fn forget_path(&mut self) {
        if let Some(extras) = self.extras() {
            extras.path = None;
        }
    }

    /// The number of received descriptors that are not accepted yet.
    #[doc(alias = "uv_pipe_pending_count")]
    pub fn pending_count(&mut self) -> usize {
        self.extras().map_or(0, |extras| extras.inbox.len())
    }

    /// The oldest received descriptor that is not accepted yet.
    pub fn first_pending(&mut self) -> Option<BorrowedFd<'_>> {
        self.extras()?.inbox.front().map(|fd| fd.as_fd())
    }

    /// Whether the pipe passes descriptors.
    pub fn is_ipc(&mut self) -> bool {
        self.body().is(Flags::IPC)
    }
}
