//! The end of a pipe that has a peer, with overlapped operations.

use std::io::IoSlice;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use super::frames::{MessageReader, begin_message, peer_process};
use super::operation::Operation;
use super::{BUFFER, access};
use crate::descriptor::{BorrowedDescriptor, Descriptor, RawDescriptor, handle};
use crate::device::{self, Device, Wait, lock};
use crate::event::Event;
use crate::{Errno, Result};

/// An open pipe.
#[derive(Debug)]
pub(super) struct NamedPipe {
    raw: RawDescriptor,
    this: Weak<Self>,
    /// The name of its server, if the program has connected it.
    peer_name: Option<Vec<u8>>,
    access: (bool, bool),
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// A read of no bytes, which is complete when there is data.
    read: Operation,
    readable: Event,
    write: Operation,
    writable: Event,
    /// What is written: bytes, or a message with them.
    bytes: Vec<u8>,
    /// Where the bytes of the message begin.
    start: usize,
    /// Set if the pipe has messages, which may pass sockets.
    messages: Option<MessageReader>,
    /// Whether a write waits for its end.
    blocks: bool,
    /// The process to which sockets are passed, if the system does not know it.
    peer: Option<u32>,
    is_closed: bool,
    /// Set when there are no more writes: since when there is no data.
    quiet_since: Option<Instant>,
}

/// How long after its shutdown a pipe waits for data before it counts as ended, as in libuv. The peer cannot end
/// its own direction alone.
const LINGER: Duration = Duration::from_millis(50);

impl State {
    /// Whether the pipe counts as ended.
    fn has_ended(&self) -> bool {
        self.quiet_since.is_some_and(|since| since.elapsed() >= LINGER)
    }
}

impl NamedPipe {
    /// Adds an overlapped pipe to the devices. A client knows the name of its peer.
    pub fn insert(raw: RawDescriptor, peer_name: Option<Vec<u8>>) -> Result<()> {
        let state = State {
            read: Operation::new(),
            readable: Event::new()?,
            write: Operation::new(),
            writable: Event::new()?,
            bytes: Vec::new(),
            start: 0,
            messages: None,
            blocks: false,
            peer: None,
            is_closed: false,
            quiet_since: None,
        };
        let access = access(handle(raw))?;
        let state = Mutex::new(state);
        let pipe =
            Arc::new_cyclic(|this| Self { raw, this: this.clone(), peer_name, access, state });
        device::insert(raw, pipe);
        Ok(())
    }

    fn handle(&self) -> HANDLE {
        handle(self.raw)
    }

    fn open_state(&self) -> Result<MutexGuard<'_, State>> {
        let state = lock(&self.state);
        if state.is_closed { Err(Errno::EBADF) } else { Ok(state) }
    }
}

/// How many bytes can be read from a pipe. `EOF` at the end.
pub(super) fn available(pipe: HANDLE) -> Result<u32> {
    let mut available = 0;
    // SAFETY: the number is stored in a local variable, and no bytes are read.
    let done =
        unsafe { PeekNamedPipe(pipe, null_mut(), 0, null_mut(), &raw mut available, null_mut()) };
    if done == 0 { Err(Errno::last()) } else { Ok(available) }
}

impl State {
    /// Reads available bytes.
    fn read(&mut self, pipe: HANDLE, buffer: &mut [u8]) -> Result<usize> {
        let has_ended = self.has_ended();
        let available = match available(pipe) {
            Ok(0) if buffer.is_empty() || has_ended => return Ok(0),
            Ok(0) => return Err(Errno::EAGAIN),
            Ok(available) => available,
            Err(Errno::EOF) => return Ok(0),
            Err(error) => return Err(error),
        };
        if let Some(since) = &mut self.quiet_since {
            *since = Instant::now();
        }
        // The read of no bytes is complete, because there is data.
        self.read.cancel(pipe);
        let size = u32::try_from(buffer.len()).unwrap_or(u32::MAX).min(available);
        let at = buffer.as_mut_ptr();
        // SAFETY: the buffer has that many bytes. The operation is complete before this function returns.
        let result = self.read.start(pipe, self.readable.handle(), |overlapped| unsafe {
            ReadFile(pipe, at, size, null_mut(), overlapped)
        });
        match result {
            Err(Errno::EAGAIN) => self.read.wait(pipe),
            result => result,
        }
    }

    /// Writes bytes, with a socket if the pipe has messages.
    fn write(
        &mut self,
        pipe: HANDLE,
        slices: &[IoSlice<'_>],
        passed: Option<BorrowedDescriptor<'_>>,
    ) -> Result<usize> {
        if self.quiet_since.is_some() {
            return Err(Errno::EPIPE);
        }
        let Self { write, writable, bytes: copy, start, .. } = self;
        let all = || slices.iter().flat_map(|slice| slice.iter());
        let without_start = |count: usize, start| count.saturating_sub(start);
        if write.is_in_flight() {
            let mut bytes = all();
            let is_same = copy[*start..].iter().all(|byte| bytes.next() == Some(byte));
            let result = write.finish(pipe);
            if is_same || result == Err(Errno::EAGAIN) {
                return result.map(|count| without_start(count, *start)).map_err(broken);
            }
            // The write in flight was abandoned by its caller, and has ended. This is another one.
        }
        copy.clear();
        let length = all().take(BUFFER as usize).count();
        if self.messages.is_some() {
            let peer = match (passed, self.peer) {
                (None, _) => 0,
                (_, Some(peer)) => peer,
                _ => peer_process(pipe)?,
            };
            begin_message(copy, length, passed, peer)?;
        } else if passed.is_some() {
            return Err(Errno::EINVAL);
        } else if length == 0 {
            return Ok(0);
        }
        *start = copy.len();
        copy.extend(all().take(length));
        let (at, size) = (copy.as_ptr(), copy.len() as u32);
        // SAFETY: the copy is not changed before the operation is complete, or cancelled.
        let mut result = write.start(pipe, writable.handle(), |overlapped| unsafe {
            WriteFile(pipe, at, size, null_mut(), overlapped)
        });
        if result == Err(Errno::EAGAIN) && self.blocks {
            result = write.wait(pipe);
        }
        result.map(|count| without_start(count, *start)).map_err(broken)
    }
}

impl Device for NamedPipe {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        self.open_state()?.read(self.handle(), buffer)
    }

    fn receive(&self, buffer: &mut [u8], receive: &mut dyn FnMut(Descriptor)) -> Result<usize> {
        let mut state = self.open_state()?;
        let Some(mut messages) = state.messages.take() else { return Err(Errno::EINVAL) };
        let read = |part: &mut [u8]| state.read(self.handle(), part);
        let result = messages.read(buffer, read, receive);
        state.messages = Some(messages);
        result
    }

    fn write(&self, slices: &[IoSlice<'_>]) -> Result<usize> {
        self.open_state()?.write(self.handle(), slices, None)
    }

    fn send(&self, slices: &[IoSlice<'_>], passed: BorrowedDescriptor<'_>) -> Result<usize> {
        self.open_state()?.write(self.handle(), slices, Some(passed))
    }

    fn name(&self, of_peer: bool) -> Option<Result<Vec<u8>>> {
        self.peer_name.clone().filter(|_| of_peer).map(Ok)
    }

    fn set_blocking(&self, blocks: bool) -> Result<()> {
        self.open_state()?.blocks = blocks;
        Ok(())
    }

    fn frame_messages(&self) {
        lock(&self.state).messages.get_or_insert_default();
    }

    fn set_peer_process(&self, process: u32) {
        lock(&self.state).peer = Some(process);
    }

    fn access(&self) -> (bool, bool) {
        self.access
    }

    fn await_readable(&self) -> Result<Wait> {
        let mut state = self.open_state()?;
        let has_ended = state.has_ended();
        let State { read, readable, .. } = &mut *state;
        let pipe = self.handle();
        if has_ended || available(pipe) != Ok(0) {
            return Ok(Wait::Ready);
        }
        if !read.is_in_flight() {
            // SAFETY: no bytes are read.
            let started = read.start(pipe, readable.handle(), |overlapped| unsafe {
                ReadFile(pipe, null_mut(), 0, null_mut(), overlapped)
            });
            if started != Err(Errno::EAGAIN) {
                return Ok(Wait::Ready);
            }
        }
        Ok(Wait::For(readable.handle()))
    }

    fn await_writable(&self) -> Result<Wait> {
        let state = lock(&self.state);
        let is_busy = state.write.is_in_flight();
        Ok(if is_busy { Wait::For(state.writable.handle()) } else { Wait::Ready })
    }

    /// The directions of a pipe cannot be closed one by one. The peer sees the end when the handle is closed,
    /// which the owner does when a read reports the end.
    fn shut_down(&self) -> Result<()> {
        let mut state = self.open_state()?;
        if state.quiet_since.replace(Instant::now()).is_none() && self.access.0 {
            let pipe = self.this.clone();
            let builder = std::thread::Builder::new().name("mauve-pipe-end".into());
            builder.spawn(move || linger(&pipe))?;
        }
        Ok(())
    }

    fn close(&self) {
        let mut state = lock(&self.state);
        state.read.cancel(self.handle());
        state.write.cancel(self.handle());
        state.is_closed = true;
    }
}

/// Makes a pipe readable when it counts as ended.
fn linger(pipe: &Weak<NamedPipe>) {
    loop {
        std::thread::sleep(LINGER);
        let Some(pipe) = pipe.upgrade() else { return };
        let state = lock(&pipe.state);
        if state.is_closed || state.has_ended() {
            return state.readable.set();
        }
    }
}

/// The error of a write to a pipe whose other end is closed.
pub(super) fn broken(error: Errno) -> Errno {
    if error == Errno::EOF { Errno::EPIPE } else { error }
}
