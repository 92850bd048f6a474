//! Handles whose readiness this crate makes: pipes, their servers, consoles.
//!
//! Windows has operations on them that end later, where the engine expects `EAGAIN` and readiness. A device has
//! these operations. It is found by its handle, as long as that is open.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::IoSlice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::HANDLE;

use crate::descriptor::{BorrowedDescriptor, Descriptor, RawDescriptor};
use crate::fd::FdType;
use crate::tty::Mode;
use crate::{Errno, Result};

/// Whether a direction of a device is ready.
pub(crate) enum Wait {
    Ready,
    /// When this object is signaled.
    For(HANDLE),
}

/// An open device. What it does not support fails.
pub(crate) trait Device: Debug + Send + Sync {
    fn fd_type(&self) -> FdType {
        FdType::Pipe
    }

    /// Reads available bytes. `EAGAIN` if there are none, zero at the end.
    fn read(&self, _buffer: &mut [u8]) -> Result<usize> {
        Err(Errno::ENOTCONN)
    }

    /// Writes bytes. After `EAGAIN` the same write has to follow.
    fn write(&self, _slices: &[IoSlice<'_>]) -> Result<usize> {
        Err(Errno::ENOTCONN)
    }

    /// Reads bytes of [messages](Self::frame_messages). Calls `receive` for each socket. `EAGAIN` after a socket
    /// without bytes.
    fn receive(&self, _buffer: &mut [u8], _receive: &mut dyn FnMut(Descriptor)) -> Result<usize> {
        Err(Errno::ENOTSUP)
    }

    /// Writes bytes, and a socket with the first of them. After `EAGAIN` the same write has to follow.
    fn send(&self, _slices: &[IoSlice<'_>], _passed: BorrowedDescriptor<'_>) -> Result<usize> {
        Err(Errno::ENOTSUP)
    }

    /// Sets whether a write waits until all is written. A read never waits. Other operations are not changed.
    fn set_blocking(&self, blocks: bool) -> Result<()> {
        if blocks { Err(Errno::ENOTSUP) } else { Ok(()) }
    }

    /// Permits other users to read, or to write.
    fn permit(&self, _read: bool, _write: bool) -> Result<()> {
        Err(Errno::EBADF)
    }

    /// Has it carry messages that may have sockets.
    fn frame_messages(&self) {}

    /// Sets the process to which sockets are passed.
    fn set_peer_process(&self, _process: u32) {}

    /// Whether it can be read, and written.
    fn access(&self) -> (bool, bool) {
        (true, true)
    }

    /// Starts to wait for data, a connection, or the end.
    fn await_readable(&self) -> Result<Wait>;

    /// Ends what [`await_readable`](Self::await_readable) has started, if that keeps input from other processes.
    fn stop_waiting(&self) {}

    /// Whether [`stop_waiting`](Self::stop_waiting) has an effect.
    fn waits_by_reading(&self) -> bool {
        false
    }

    /// Starts to wait until a write can be started, or returns its result.
    fn await_writable(&self) -> Result<Wait>;

    /// Ends the direction to the peer, when everything is written.
    fn shut_down(&self) -> Result<()> {
        Err(Errno::ENOTCONN)
    }

    /// Starts to accept connections.
    fn listen(&self) -> Result<()> {
        Err(Errno::EINVAL)
    }

    /// Accepts a connection. `EAGAIN` if there is none.
    fn accept(&self) -> Result<Descriptor> {
        Err(Errno::EINVAL)
    }

    /// How many connections a server can take between two calls of [`accept`](Self::accept). Used by the next
    /// [`listen`](Self::listen).
    fn set_pending_instances(&self, _count: usize) {}

    /// The end of an attempt to connect. A pipe replaces the descriptor of the attempt.
    fn finish_connecting(&self) -> Result<Option<Descriptor>> {
        Ok(None)
    }

    /// The name to which it or its peer is bound, if the system does not know it.
    fn name(&self, _of_peer: bool) -> Option<Result<Vec<u8>>> {
        None
    }

    /// Whether a write that returns `EAGAIN` is not performed.
    fn can_try_write(&self) -> bool {
        false
    }

    /// Sets the mode of a console.
    fn set_mode(&self, _mode: Mode) -> Result<()> {
        Err(Errno::EINVAL)
    }

    /// Called before the handle is closed: cancels all operations.
    fn close(&self);
}

/// The open devices, by their handles.
static DEVICES: Mutex<BTreeMap<RawDescriptor, Arc<dyn Device>>> = Mutex::new(BTreeMap::new());

/// A panic does not leave the data of these locks in a wrong state.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The device with this handle.
pub(crate) fn find(raw: RawDescriptor) -> Option<Arc<dyn Device>> {
    lock(&DEVICES).get(&raw).cloned()
}

/// Adds the device of an open handle.
pub(crate) fn insert(raw: RawDescriptor, device: Arc<dyn Device>) {
    lock(&DEVICES).insert(raw, device);
}

/// Called before a handle is closed.
pub(crate) fn forget(raw: RawDescriptor) {
    let device = lock(&DEVICES).remove(&raw);
    if let Some(device) = device {
        device.close();
    }
}
