//! The end of a pipe whose operations block: an inherited one, or an anonymous pipe.
//!
//! Threads perform the operations. One waits for data with a read of no bytes, and so takes none that the
//! program may want to leave for another process. The other one writes. The system performs one operation at a
//! time on such a handle, so the wait is cancelled for the time of another operation.

use std::io::IoSlice;
use std::os::windows::io::AsRawHandle as _;
use std::ptr::null_mut;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::IO::CancelSynchronousIo;

use super::access;
use super::connected::{available, broken};
use crate::descriptor::{RawDescriptor, handle};
use crate::device::{self, Device, Wait, lock};
use crate::event::Event;
use crate::{Errno, Result};

/// How long to wait until a cancelled call has ended, before it is cancelled again: it may not have begun.
const RETRY: std::time::Duration = std::time::Duration::from_millis(1);

/// The size of the largest write.
const BUFFER: usize = super::BUFFER as usize;

/// An open pipe.
#[derive(Debug)]
pub(super) struct BlockingPipe {
    access: (bool, bool),
    shared: Arc<Shared>,
    threads: Mutex<Threads>,
}

#[derive(Debug, Default)]
struct Threads {
    reader: Option<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

/// What the threads share with the pipe.
#[derive(Debug)]
struct Shared {
    raw: RawDescriptor,
    state: Mutex<State>,
    changed: Condvar,
    /// Set while the pipe may be readable.
    readable: Event,
    /// Set while no write is in flight.
    writable: Event,
}

#[derive(Debug)]
struct State {
    wait: WaitState,
    write: WriteState,
    is_shut_down: bool,
    /// Whether a write waits for its end.
    blocks: bool,
    is_closed: bool,
}

/// The state of the thread that waits for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitState {
    Idle,
    /// The thread is to wait, or waits.
    Wanted,
    /// The thread is to return, and then is idle.
    Cancelled,
}

/// The state of the thread that writes.
#[derive(Debug)]
enum WriteState {
    Idle,
    Wanted(Vec<u8>),
    /// The thread writes.
    Busy,
    Ended(Vec<u8>, Result<usize>),
}

impl WriteState {
    fn is_in_flight(&self) -> bool {
        matches!(self, Self::Wanted(_) | Self::Busy)
    }
}

impl BlockingPipe {
    /// Adds a pipe to the devices.
    pub fn insert(raw: RawDescriptor) -> Result<()> {
        let state = State {
            wait: WaitState::Idle,
            write: WriteState::Idle,
            is_shut_down: false,
            blocks: false,
            is_closed: false,
        };
        let shared = Arc::new(Shared {
            raw,
            state: Mutex::new(state),
            changed: Condvar::new(),
            readable: Event::new()?,
            writable: Event::new()?,
        });
        let (access, threads) = (access(handle(raw))?, Mutex::default());
        device::insert(raw, Arc::new(Self { access, shared, threads }));
        Ok(())
    }

    fn open_state(&self) -> Result<MutexGuard<'_, State>> {
        let state = lock(&self.shared.state);
        if state.is_closed { Err(Errno::EBADF) } else { Ok(state) }
    }

    /// Ends the wait of the reader, so that the handle is free for another operation.
    fn cancel_wait<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while state.wait != WaitState::Idle {
            state.wait = WaitState::Cancelled;
            self.shared.changed.notify_all();
            if let Some(reader) = &lock(&self.threads).reader {
                // SAFETY: the thread is not joined, so its handle is open.
                unsafe { CancelSynchronousIo(reader.as_raw_handle()) };
            }
            let waited = self.shared.changed.wait_timeout(state, RETRY);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }
}

impl Shared {
    fn pipe(&self) -> HANDLE {
        handle(self.raw)
    }

    /// Waits until the state has changed.
    fn next<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread that waits for data.
    fn read_thread(&self) {
        let mut state = lock(&self.state);
        while !state.is_closed {
            if state.wait != WaitState::Wanted {
                state.wait = WaitState::Idle;
                self.changed.notify_all();
                state = self.next(state);
                continue;
            }
            drop(state);
            let mut count = 0;
            // SAFETY: no bytes are read. The handle is open: it is closed after this thread has ended its wait.
            unsafe { ReadFile(self.pipe(), null_mut(), 0, &raw mut count, null_mut()) };
            state = lock(&self.state);
            if state.wait == WaitState::Wanted {
                // There is data, or an error that a read reports.
                self.readable.set();
            }
            state.wait = WaitState::Idle;
            self.changed.notify_all();
        }
        state.wait = WaitState::Idle;
        self.changed.notify_all();
    }

    /// The thread that writes.
    fn write_thread(&self) {
        let mut state = lock(&self.state);
        while !state.is_closed {
            let bytes = match std::mem::replace(&mut state.write, WriteState::Busy) {
                WriteState::Wanted(bytes) => bytes,
                other => {
                    state.write = other;
                    state = self.next(state);
                    continue;
                }
            };
            drop(state);
            let mut count = 0;
            // SAFETY: the bytes are borrowed during the call. The handle is open: it is closed after this thread
            // has ended its write.
            let done = unsafe {
                let size = bytes.len() as u32;
                WriteFile(self.pipe(), bytes.as_ptr(), size, &raw mut count, null_mut())
            };
            let result = if done == 0 { Err(broken(Errno::last())) } else { Ok(count as usize) };
            state = lock(&self.state);
            state.write = WriteState::Ended(bytes, result);
            self.writable.set();
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }
}

/// Starts a thread, unless it runs.
fn run(
    thread: &mut Option<JoinHandle<()>>,
    shared: &Arc<Shared>,
    body: fn(&Shared),
    name: &str,
) -> Result<()> {
    if thread.is_none() {
        let shared = Arc::clone(shared);
        let builder = std::thread::Builder::new().name(name.into());
        *thread = Some(builder.spawn(move || body(&shared))?);
    }
    Ok(())
}

impl Device for BlockingPipe {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let state = self.open_state()?;
        let pipe = self.shared.pipe();
        // A write in flight has the handle. The data is read when it has ended.
        if state.write.is_in_flight() && self.access.1 {
            return Err(Errno::EAGAIN);
        }
        let _state = self.cancel_wait(state);
        let available = match available(pipe) {
            Ok(0) if buffer.is_empty() => return Ok(0),
            Ok(0) => return Err(Errno::EAGAIN),
            Ok(available) => available,
            Err(Errno::EOF) => return Ok(0),
            Err(error) => return Err(error),
        };
        let size = u32::try_from(buffer.len()).unwrap_or(u32::MAX).min(available);
        let mut count = 0;
        // SAFETY: the buffer has that many bytes, and is exclusively borrowed.
        let done = unsafe { ReadFile(pipe, buffer.as_mut_ptr(), size, &raw mut count, null_mut()) };
        match Errno::last() {
            _ if done != 0 => Ok(count as usize),
            Errno::EOF => Ok(0),
            error => Err(error),
        }
    }

    fn write(&self, slices: &[IoSlice<'_>]) -> Result<usize> {
        let state = self.open_state()?;
        if state.is_shut_down {
            return Err(Errno::EPIPE);
        }
        let mut state = if self.access.0 { self.cancel_wait(state) } else { state };
        let all = || slices.iter().flat_map(|slice| slice.iter());
        match std::mem::replace(&mut state.write, WriteState::Idle) {
            in_flight @ (WriteState::Wanted(_) | WriteState::Busy) => {
                state.write = in_flight;
                return Err(Errno::EAGAIN);
            }
            WriteState::Ended(bytes, result) => {
                let mut new = all();
                if bytes.iter().all(|byte| new.next() == Some(byte)) {
                    return result;
                }
                // The write was abandoned by its caller. This is another one.
            }
            WriteState::Idle => {}
        }
        run(&mut lock(&self.threads).writer, &self.shared, Shared::write_thread, "mauve-write")?;
        self.shared.writable.reset();
        state.write = WriteState::Wanted(all().take(BUFFER).copied().collect());
        self.shared.changed.notify_all();
        if !state.blocks {
            return Err(Errno::EAGAIN);
        }
        loop {
            state = self.shared.next(state);
            match std::mem::replace(&mut state.write, WriteState::Idle) {
                WriteState::Ended(_, result) => return result,
                other => state.write = other,
            }
            // The thread ends without a write that it has not begun.
            if state.is_closed && !matches!(state.write, WriteState::Busy) {
                return Err(Errno::EBADF);
            }
        }
    }

    fn set_blocking(&self, blocks: bool) -> Result<()> {
        self.open_state()?.blocks = blocks;
        Ok(())
    }

    fn access(&self) -> (bool, bool) {
        self.access
    }

    fn await_readable(&self) -> Result<Wait> {
        let mut state = self.open_state()?;
        if state.wait == WaitState::Idle {
            run(&mut lock(&self.threads).reader, &self.shared, Shared::read_thread, "mauve-read")?;
            self.shared.readable.reset();
            state.wait = WaitState::Wanted;
            self.shared.changed.notify_all();
        }
        Ok(Wait::For(self.shared.readable.handle()))
    }

    fn await_writable(&self) -> Result<Wait> {
        let state = self.open_state()?;
        let is_busy = state.write.is_in_flight();
        Ok(if is_busy { Wait::For(self.shared.writable.handle()) } else { Wait::Ready })
    }

    fn stop_waiting(&self) {
        drop(self.cancel_wait(lock(&self.shared.state)));
    }

    fn waits_by_reading(&self) -> bool {
        true
    }

    fn shut_down(&self) -> Result<()> {
        self.open_state()?.is_shut_down = true;
        Ok(())
    }

    fn close(&self) {
        let mut state = self.cancel_wait(lock(&self.shared.state));
        state.is_closed = true;
        self.shared.changed.notify_all();
        drop(state);
        let Threads { reader, writer } = std::mem::take(&mut *lock(&self.threads));
        for thread in [reader, writer].into_iter().flatten() {
            while !thread.is_finished() {
                // SAFETY: the thread is not joined, so its handle is open.
                unsafe { CancelSynchronousIo(thread.as_raw_handle()) };
                std::thread::sleep(RETRY);
            }
            // A panic of the thread was reported on standard error.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
    use windows_sys::Win32::System::Threading::{INFINITE, WaitForSingleObject};

    use super::*;
    use crate::descriptor::{AsDescriptor as _, Descriptor};
    use crate::{fd, net};

    fn ready(wait: Result<Wait>) -> bool {
        match wait.unwrap() {
            Wait::Ready => true,
            // SAFETY: the event belongs to a device that exists.
            Wait::For(event) => unsafe { WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0 },
        }
    }

    fn read(pipe: &Descriptor, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match fd::read(pipe.as_descriptor(), buffer) {
                Err(Errno::EAGAIN) => {
                    ready(device::find(pipe.raw_descriptor()).unwrap().await_readable())
                }
                result => return result,
            };
        }
    }

    fn write(pipe: &Descriptor, bytes: &[u8]) -> Result<usize> {
        loop {
            match fd::write(pipe.as_descriptor(), &[IoSlice::new(bytes)]) {
                Err(Errno::EAGAIN) => {
                    ready(device::find(pipe.raw_descriptor()).unwrap().await_writable())
                }
                result => return result,
            };
        }
    }

    #[test]
    fn an_inherited_pipe_does_not_block() {
        let (reader, writer) = std::io::pipe().unwrap();
        let [reader, writer]: [Descriptor; 2] = [reader.into(), writer.into()];
        for pipe in [&reader, &writer] {
            fd::set_nonblocking(pipe.raw_descriptor(), true).unwrap();
        }
        assert_eq!(fd::access_mode(reader.as_descriptor()), Ok((true, false)));
        assert_eq!(fd::access_mode(writer.as_descriptor()), Ok((false, true)));
        let mut buffer = [0; 8];
        assert_eq!(fd::read(reader.as_descriptor(), &mut buffer), Err(Errno::EAGAIN));
        let bytes: Vec<u8> = (0..300_000u32).map(|n| (n % 251) as u8).collect();
        std::thread::scope(|scope| {
            let received = scope.spawn(|| {
                let (mut all, mut buffer) = (Vec::new(), vec![0; 10_000]);
                while all.len() < bytes.len() {
                    let count = read(&reader, &mut buffer).unwrap();
                    all.extend_from_slice(&buffer[..count]);
                }
                all
            });
            let mut sent = 0;
            while sent < bytes.len() {
                sent += write(&writer, &bytes[sent..]).unwrap();
            }
            assert!(received.join().unwrap() == bytes);
        });
        drop(writer);
        assert_eq!(read(&reader, &mut buffer), Ok(0));
    }

    #[test]
    fn a_write_that_waits_ends_when_the_pipe_is_closed() {
        let (reader, writer) = std::io::pipe().unwrap();
        let writer = Descriptor::from(writer);
        fd::set_nonblocking(writer.raw_descriptor(), true).unwrap();
        let device = device::find(writer.raw_descriptor()).unwrap();
        device.set_blocking(true).unwrap();
        let written = std::thread::spawn(move || {
            loop {
                // More than the pipe has room for: the last write waits.
                if let Err(error) = device.write(&[IoSlice::new(&[7; BUFFER])]) {
                    return error;
                }
            }
        });
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(writer);
        assert!(matches!(written.join().unwrap(), Errno::ECANCELED | Errno::EBADF));
        drop(reader);
    }

    #[test]
    fn both_directions_of_one_handle_are_used_at_a_time() {
        let [ours, theirs] = net::duplex_pipe([true, false]).unwrap();
        fd::set_nonblocking(theirs.raw_descriptor(), true).unwrap();
        let device = device::find(theirs.raw_descriptor()).unwrap();
        // A wait for data is in flight while bytes are written.
        assert!(matches!(device.await_readable().unwrap(), Wait::For(_)));
        assert_eq!(write(&theirs, b"question"), Ok(8));
        let mut buffer = [0; 8];
        while fd::read(ours.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
        assert_eq!(&buffer, b"question");
        while fd::write(ours.as_descriptor(), &[IoSlice::new(b"answer")]) != Ok(6) {}
        assert_eq!(read(&theirs, &mut buffer), Ok(6));
        assert!(matches!(device.await_readable().unwrap(), Wait::For(_)));
        drop((theirs, device));
        while fd::read(ours.as_descriptor(), &mut buffer) != Ok(0) {}
    }
}
