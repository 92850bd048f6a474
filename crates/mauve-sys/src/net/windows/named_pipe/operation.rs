//! One overlapped operation.

use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, ERROR_NO_DATA, GetLastError, HANDLE, STATUS_PENDING,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::core::BOOL;

use crate::{Errno, Result};

/// An operation that may be in flight. The system writes to its memory until it is complete, and then sets the
/// event that was passed to [`start`](Self::start).
pub(super) struct Operation {
    overlapped: Box<OVERLAPPED>,
    in_flight: bool,
}

// SAFETY: the memory of an operation belongs to no thread, and the pointers in it are those of the event.
unsafe impl Send for Operation {}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operation").field("in_flight", &self.in_flight).finish_non_exhaustive()
    }
}

impl Operation {
    pub fn new() -> Self {
        // SAFETY: all bits of the struct may be zero.
        Self { overlapped: Box::new(unsafe { std::mem::zeroed() }), in_flight: false }
    }

    pub fn is_in_flight(&self) -> bool {
        self.in_flight
    }

    /// Whether an operation in flight has ended.
    pub fn is_complete(&self) -> bool {
        // The system writes the status last, from another thread.
        // SAFETY: the field is a number of this type, and the memory is valid.
        let status = unsafe { (&raw const self.overlapped.Internal).read_volatile() };
        status != STATUS_PENDING as usize
    }

    /// Starts an operation with `call`, which returns whether it is complete. Returns the number of bytes, or
    /// `EAGAIN` if the operation is in flight. `event` is set at its end.
    pub fn start(
        &mut self,
        pipe: HANDLE,
        event: HANDLE,
        call: impl FnOnce(*mut OVERLAPPED) -> BOOL,
    ) -> Result<usize> {
        // SAFETY: all bits of the struct may be zero.
        *self.overlapped = unsafe { std::mem::zeroed() };
        // With the lowest bit, a completion port that the handle may have gets no packet.
        self.overlapped.hEvent = (event as usize | 1) as HANDLE;
        if call(&raw mut *self.overlapped) == 0 {
            // SAFETY: takes no arguments.
            match unsafe { GetLastError() } {
                ERROR_IO_PENDING => {}
                // The other end is closed. libuv's number for this code is that of a read without data.
                ERROR_NO_DATA => return Err(Errno::EPIPE),
                _ => return Err(Errno::last()),
            }
        }
        self.in_flight = true;
        self.finish(pipe)
    }

    /// The result of the operation in flight, or `EAGAIN`.
    pub fn finish(&mut self, pipe: HANDLE) -> Result<usize> {
        if self.is_complete() { self.wait(pipe) } else { Err(Errno::EAGAIN) }
    }

    /// Waits for the end of the operation in flight.
    pub fn wait(&mut self, pipe: HANDLE) -> Result<usize> {
        let (at, mut count) = (&raw const *self.overlapped, 0);
        // SAFETY: the operation was started with this memory. The result is stored in a local variable.
        let wait = || unsafe { GetOverlappedResult(pipe, at, &raw mut count, 1) };
        let done = self.wait_with(wait);
        self.in_flight = false;
        if done { Ok(count as usize) } else { Err(Errno::last()) }
    }

    /// Calls `wait` until the operation has ended: another one may have set the event.
    fn wait_with(&self, mut wait: impl FnMut() -> BOOL) -> bool {
        loop {
            let done = wait() != 0;
            if done || self.is_complete() {
                return done;
            }
            std::thread::yield_now();
        }
    }

    /// Cancels the operation, if it is in flight.
    pub fn cancel(&mut self, pipe: HANDLE) {
        if self.in_flight {
            // SAFETY: the operation was started with this memory. It may be complete already.
            unsafe { CancelIoEx(pipe, &raw const *self.overlapped) };
            // Whether it was cancelled does not matter.
            let _ = self.wait(pipe);
        }
    }
}
