//! Operations of pipes: names, and received descriptors.

use mauve_sys::descriptor::{AsDescriptor, BorrowedDescriptor};
use mauve_sys::driver::Driver;
use mauve_sys::faults::Call;
use mauve_sys::net::PipeName;
use mauve_sys::{Errno, Result};

use super::{Flags, Role, StreamMut};
use crate::id::Token;
use crate::trace::CallbackKind;

impl<D: Driver> StreamMut<'_, D> {
    /// Binds the pipe to a name: a path, or an abstract name that begins with a zero byte. For an
    /// empty name the system chooses an abstract one. `EINVAL` if the pipe is bound already or the
    /// name is too long, `EACCES` if the directory is missing.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind_pipe(&mut self, name: &[u8]) -> Result<()> {
        if self.is_closing() || self.body().role != Role::Fresh || self.body().fd().is_ok() {
            return Err(Errno::EINVAL);
        }
        let name = PipeName::new(name)?;
        let pipe = name.bind()?;
        self.attach(pipe, false, false);
        self.engine.streams.keep_reserve();
        self.body().role = Role::Bound;
        if let Some(path) = name.path() {
            self.extras_or_new().path = Some(path);
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
        let started = self.start_connecting(token, name);
        self.begin_connecting(token, started);
        Ok(())
    }

    fn start_connecting(&mut self, token: Token, name: &[u8]) -> Result<()> {
        if name.is_empty() {
            return Err(Errno::EINVAL);
        }
        let name = PipeName::new(name)?;
        if self.body().fd().is_err() {
            let pipe = name.open_client()?;
            self.attach(pipe, false, false);
            self.body().flags.insert(Flags::UNSHARED | Flags::SOCKET);
        }
        let errors = &[Errno::ECONNREFUSED];
        match self.engine.connection_fault(Call::Connect, errors, (CallbackKind::Connect, token)) {
            Some(error) => Err(error),
            None => name.connect(self.body().fd()?),
        }
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
    pub fn first_pending(&mut self) -> Option<BorrowedDescriptor<'_>> {
        self.extras()?.inbox.front().map(|fd| fd.as_descriptor())
    }

    /// Whether the pipe passes descriptors.
    pub fn is_ipc(&mut self) -> bool {
        self.body().is(Flags::IPC)
    }
}
