//! The server of a named pipe: a descriptor that becomes readable when a client has connected.
//!
//! A pipe with one name has several instances. A client connects to one that waits for it
//! (`ConnectNamedPipe`), and finds the pipe busy if there is none. So a server keeps some of them waiting. The
//! descriptor of the server is the event that all of them set. An instance that is accepted becomes a
//! connection, and another one takes its place.

use std::collections::VecDeque;
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::ptr::null;
use std::sync::{Arc, Mutex};

use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_PIPE_CONNECTED, GetLastError};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_DUPLEX, WRITE_DAC,
};
use windows_sys::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_TYPE_BYTE,
    PIPE_UNLIMITED_INSTANCES, PIPE_WAIT,
};

use super::connected::NamedPipe;
use super::operation::Operation;
use super::{BUFFER, PipeName, owned, permissions};
use crate::descriptor::{AsDescriptor as _, Descriptor, Pipe};
use crate::device::{self, Device, Wait, lock};
use crate::event::Event;
use crate::{Errno, Result};

/// How many instances wait for clients, unless the program sets another number.
const PENDING_INSTANCES: usize = 4;

/// The server of one name.
#[derive(Debug)]
pub(super) struct Server {
    name: PipeName,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Set while a connection can be accepted. `None` once the server is closed.
    connected: Option<Event>,
    /// The first instance, which holds the name until the server listens.
    first: Option<OwnedHandle>,
    /// Those that wait for a client, or have one, in the order in which they were made.
    instances: VecDeque<Instance>,
    /// How many instances there are while the server listens.
    pending: usize,
}

/// An instance that waits for a client, or has one.
#[derive(Debug)]
struct Instance {
    pipe: OwnedHandle,
    connect: Operation,
    /// The client was there before the operation was started.
    is_connected: bool,
}

impl Server {
    /// Creates a server. `EADDRINUSE` if there is one with this name, `EACCES` for a name that no pipe can have.
    pub fn bind(name: PipeName) -> Result<Pipe> {
        let first = create(&name, FILE_FLAG_FIRST_PIPE_INSTANCE)?;
        let connected = Event::new()?;
        let descriptor = connected.duplicate()?;
        let state = State {
            connected: Some(connected),
            first: Some(first),
            instances: VecDeque::new(),
            pending: PENDING_INSTANCES,
        };
        let server = Self { name, state: Mutex::new(state) };
        device::insert(descriptor.raw_descriptor(), Arc::new(server));
        Ok(descriptor)
    }
}

/// Creates an instance of a pipe.
fn create(name: &PipeName, flags: u32) -> Result<OwnedHandle> {
    let open = PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | WRITE_DAC | flags;
    let mode = PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT;
    let (at, limit) = (name.wide().as_ptr(), PIPE_UNLIMITED_INSTANCES);
    // SAFETY: the name is null-terminated, and outlives the call.
    let created =
        unsafe { owned(CreateNamedPipeW(at, open, mode, limit, BUFFER, BUFFER, 0, null())) };
    created.map_err(|error| match error {
        // SAFETY: takes no arguments.
        _ if unsafe { GetLastError() } == ERROR_ACCESS_DENIED => Errno::EADDRINUSE,
        Errno::ENOENT | Errno::EINVAL => Errno::EACCES,
        error => error,
    })
}

impl State {
    /// Has an instance wait for a client. One whose wait fails is dropped.
    fn start(&mut self, pipe: OwnedHandle) -> Result<()> {
        let event = self.connected.as_ref().ok_or(Errno::EBADF)?.handle();
        let mut instance = Instance { pipe, connect: Operation::new(), is_connected: false };
        let (handle, mut is_connected) = (instance.pipe.as_raw_handle(), false);
        let started = instance.connect.start(handle, event, |overlapped| {
            // SAFETY: the instance is open. The operation belongs to the instance, which is kept until it ends.
            let done = unsafe { ConnectNamedPipe(handle, overlapped) };
            // SAFETY: takes no arguments.
            is_connected = done == 0 && unsafe { GetLastError() } == ERROR_PIPE_CONNECTED;
            done
        });
        instance.is_connected = match started {
            Err(Errno::EAGAIN) => false,
            // `EPIPE`: the client has connected and is gone, as a read will report.
            Ok(_) | Err(Errno::EPIPE) => true,
            Err(_) if is_connected => true,
            Err(error) => return Err(error),
        };
        self.instances.push_back(instance);
        Ok(())
    }

    /// Sets the event if a connection can be accepted: a new operation resets it.
    fn update(&self) -> bool {
        let Some(event) = &self.connected else { return false };
        event.reset();
        let is_ready = self.instances.iter().any(Instance::is_ready);
        if is_ready {
            event.set();
        }
        is_ready
    }

    /// Makes instances until the server has as many as it should. An error is returned if it has none.
    fn refill(&mut self, name: &PipeName) -> Result<()> {
        while self.instances.len() < self.pending {
            let started = match self.first.take() {
                Some(first) => self.start(first),
                None => create(name, 0).and_then(|pipe| self.start(pipe)),
            };
            match started {
                Err(error) if self.instances.is_empty() => return Err(error),
                Err(_) => break,
                Ok(()) => {}
            }
        }
        Ok(())
    }
}

impl Instance {
    fn is_ready(&self) -> bool {
        self.is_connected || self.connect.is_complete()
    }

    /// The connection of an instance that is ready. An error if its wait has failed.
    fn into_pipe(mut self) -> Result<Pipe> {
        if !self.is_connected {
            let connected = self.connect.finish(self.pipe.as_raw_handle());
            // After another error the client is gone, as a read will report.
            if connected == Err(Errno::ECANCELED) {
                return Err(Errno::ECANCELED);
            }
        }
        let pipe = Descriptor::from(self.pipe);
        NamedPipe::insert(pipe.raw_descriptor(), None)?;
        Ok(pipe)
    }
}

impl Device for Server {
    fn await_readable(&self) -> Result<Wait> {
        let state = lock(&self.state);
        if state.update() {
            return Ok(Wait::Ready);
        }
        Ok(Wait::For(state.connected.as_ref().ok_or(Errno::EBADF)?.handle()))
    }

    /// Never: a server is not written to.
    fn await_writable(&self) -> Result<Wait> {
        Err(Errno::ENOTCONN)
    }

    fn listen(&self) -> Result<()> {
        lock(&self.state).refill(&self.name)
    }

    fn accept(&self) -> Result<Descriptor> {
        let mut state = lock(&self.state);
        loop {
            let ready = state.instances.iter().position(Instance::is_ready);
            let instance = ready.and_then(|at| state.instances.remove(at)).ok_or(Errno::EAGAIN)?;
            let accepted = instance.into_pipe();
            // Without an instance that waits, clients find the pipe busy until the next connection is accepted.
            let refilled = state.refill(&self.name);
            state.update();
            if accepted.is_ok() {
                return accepted;
            }
            // A wait was cancelled, for example because its thread has ended. Another one takes its place.
            refilled?;
        }
    }

    fn set_pending_instances(&self, count: usize) {
        lock(&self.state).pending = count.max(1);
    }

    fn name(&self, of_peer: bool) -> Option<Result<Vec<u8>>> {
        Some(if of_peer { Err(Errno::ENOTCONN) } else { Ok(self.name.text()) })
    }

    /// The instances share their permissions.
    fn permit(&self, read: bool, write: bool) -> Result<()> {
        let state = lock(&self.state);
        let first = state.first.as_ref().or(state.instances.front().map(|first| &first.pipe));
        permissions::permit(first.ok_or(Errno::EBADF)?.as_raw_handle(), read, write)
    }

    fn close(&self) {
        let mut state = lock(&self.state);
        for mut instance in state.instances.drain(..) {
            instance.connect.cancel(instance.pipe.as_raw_handle());
        }
        state.first = None;
        state.connected = None;
    }
}

#[cfg(test)]
mod tests {
    use std::io::IoSlice;

    use super::super::new_name;
    use super::*;
    use crate::{fd, net};

    fn server() -> (PipeName, Pipe) {
        let name = new_name();
        let server = name.bind().unwrap();
        (name, server)
    }

    fn accept(server: &Pipe) -> Pipe {
        loop {
            match net::accept(server.as_descriptor()) {
                Err(Errno::EAGAIN) => std::thread::yield_now(),
                accepted => return accepted.unwrap(),
            }
        }
    }

    fn connect(name: &PipeName) -> Pipe {
        let client = name.open_client().unwrap();
        let connected = loop {
            match net::finish_connecting(client.as_descriptor()) {
                Err(Errno::EAGAIN) => std::thread::yield_now(),
                connected => break connected.unwrap(),
            }
        };
        connected.unwrap_or(client)
    }

    #[test]
    fn connections_are_accepted_in_their_order() {
        let (name, server) = server();
        net::listen(server.as_descriptor(), 8).unwrap();
        assert_eq!(net::accept(server.as_descriptor()).err(), Some(Errno::EAGAIN));
        let clients: Vec<Pipe> = (0..3).map(|_| connect(&name)).collect();
        for (number, client) in clients.iter().enumerate() {
            let bytes = [number as u8];
            while fd::write(client.as_descriptor(), &[IoSlice::new(&bytes)]) != Ok(1) {}
        }
        for number in 0..3 {
            let (accepted, mut buffer) = (accept(&server), [0; 4]);
            while fd::read(accepted.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
            assert_eq!(buffer[0], number);
        }
    }

    #[test]
    fn a_client_waits_while_all_instances_are_taken() {
        let (name, server) = server();
        net::set_pending_instances(server.as_descriptor(), 1).unwrap();
        net::listen(server.as_descriptor(), 8).unwrap();
        let _first = connect(&name);
        let second = name.open_client().unwrap();
        assert_eq!(net::finish_connecting(second.as_descriptor()).err(), Some(Errno::EAGAIN));
        let _accepted = accept(&server);
        let connected = loop {
            match net::finish_connecting(second.as_descriptor()) {
                Err(Errno::EAGAIN) => std::thread::yield_now(),
                connected => break connected.unwrap().expect("a pipe replaces the attempt"),
            }
        };
        let other = accept(&server);
        while fd::write(connected.as_descriptor(), &[IoSlice::new(b"late")]) != Ok(4) {}
        let mut buffer = [0; 8];
        while fd::read(other.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
        assert_eq!(&buffer[..4], b"late");
    }

    #[test]
    fn a_client_that_is_gone_before_it_is_accepted_is_a_connection_at_its_end() {
        let (name, server) = server();
        net::listen(server.as_descriptor(), 8).unwrap();
        drop(connect(&name));
        let accepted = accept(&server);
        assert_eq!(fd::read(accepted.as_descriptor(), &mut [0; 8]), Ok(0));
    }

    #[test]
    fn names_and_errors_are_those_of_sockets() {
        let (name, server) = server();
        assert_eq!(net::pipe_name(server.as_descriptor()), Ok(name.text()));
        let error = net::pipe_peer_name(server.as_descriptor());
        assert_eq!(error, Err(Errno::ENOTCONN));
        net::listen(server.as_descriptor(), 8).unwrap();
        let client = connect(&name);
        assert_eq!(net::pipe_name(client.as_descriptor()), Ok(Vec::new()));
        let peer = String::from_utf8(net::pipe_peer_name(client.as_descriptor()).unwrap()).unwrap();
        let text = String::from_utf8(name.text()).unwrap();
        assert_eq!(peer.rsplit('\\').next(), text.rsplit('\\').next());
        drop((client, server));
        assert_eq!(name.open_client().err(), Some(Errno::ENOENT), "the name is free");
        assert_eq!(PipeName::new(b"a\0b").err(), Some(Errno::EINVAL));
        assert_eq!(PipeName::new(b"").err(), Some(Errno::EINVAL));
    }
}
