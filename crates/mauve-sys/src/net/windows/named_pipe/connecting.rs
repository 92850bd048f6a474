//! An attempt to connect to a pipe all of whose instances have a client: a descriptor that becomes writable at
//! its end, and is then replaced by the pipe.
//!
//! The system has a function that waits for an instance, so a thread calls it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Pipes::WaitNamedPipeW;

use super::{PipeName, Refusal};
use crate::descriptor::{AsDescriptor as _, Descriptor, Pipe};
use crate::device::{self, Device, Wait, lock};
use crate::driver::ceil_millis;
use crate::event::Event;
use crate::{Errno, Result};

/// How long to wait for an instance, as in libuv.
const TIMEOUT: Duration = Duration::from_secs(30);

/// An attempt to connect.
#[derive(Debug)]
pub(super) struct Connecting {
    name: PipeName,
    /// Set at the end.
    ended: Event,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Waits,
    Ended(Result<Pipe>),
    /// The result was taken, or nothing will take it.
    Closed,
}

impl Connecting {
    /// Starts to wait for an instance.
    pub fn start(name: &PipeName) -> Result<Pipe> {
        let ended = Event::new()?;
        let descriptor = ended.duplicate()?;
        let this = Self { name: name.clone(), ended, state: Mutex::new(State::Waits) };
        let this = Arc::new(this);
        let thread = Arc::clone(&this);
        let builder = std::thread::Builder::new().name("mauve-connect".into());
        builder.spawn(move || thread.run())?;
        device::insert(descriptor.raw_descriptor(), this);
        Ok(descriptor)
    }

    /// Also of an attempt that was closed, as in libuv: the server sees a connection that ends at once.
    fn run(&self) {
        let begin = Instant::now();
        let result = loop {
            let Some(left) = TIMEOUT.checked_sub(begin.elapsed()) else {
                break Err(Errno::ETIMEDOUT);
            };
            // SAFETY: the name is null-terminated, and outlives the call.
            let found = unsafe { WaitNamedPipeW(self.name.wide().as_ptr(), ceil_millis(left)) };
            if found == 0 {
                break Err(Errno::last());
            }
            match self.name.open() {
                // Another client was faster.
                Err(Refusal::Busy) => {}
                Err(Refusal::Other(error)) => break Err(error),
                Ok(pipe) => break Ok(pipe),
            }
        };
        self.end(result);
    }

    fn end(&self, result: Result<Pipe>) {
        let mut state = lock(&self.state);
        if matches!(*state, State::Waits) {
            *state = State::Ended(result);
            self.ended.set();
        }
    }
}

impl Device for Connecting {
    /// There is nothing to read before the end.
    fn await_readable(&self) -> Result<Wait> {
        Ok(Wait::For(self.ended.handle()))
    }

    fn await_writable(&self) -> Result<Wait> {
        Ok(Wait::For(self.ended.handle()))
    }

    fn finish_connecting(&self) -> Result<Option<Descriptor>> {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut *state, State::Closed) {
            State::Ended(result) => result.map(Some),
            State::Waits => {
                *state = State::Waits;
                Err(Errno::EAGAIN)
            }
            State::Closed => Err(Errno::ECANCELED),
        }
    }

    fn name(&self, of_peer: bool) -> Option<Result<Vec<u8>>> {
        Some(Ok(if of_peer { self.name.text() } else { Vec::new() }))
    }

    fn close(&self) {
        *lock(&self.state) = State::Closed;
    }
}
