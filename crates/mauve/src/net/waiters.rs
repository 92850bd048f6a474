//! The tasks that wait for sockets.
//!
//! A socket stays watched for readability until an event arrives while no task waits. So a task
//! that reads, writes and waits again does not register anew.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::slots::Slots;
use mauve_core::{Completion, HandleId};
use mauve_sys::{Errno, Result};

use crate::task::{Executor, TaskKey};

/// The sockets of tasks, by key. The key is part of the engine's token.
#[derive(Default)]
pub(crate) struct Sockets(RefCell<Slots<SocketSlot>>);

/// The state of one socket. It fills one cache line, so an event of a connection that is not in the
/// cache costs one miss.
#[derive(Default)]
#[repr(align(64))]
struct SocketSlot {
    /// The bits of the socket's id. Zero if the slot is free.
    id: u64,
    reader: WakeTarget,
    writer: WakeTarget,
    /// Wakers of futures that are not polled by a task of this loop. Kept after a wake-up, since
    /// most wait again with the same waker.
    reader_waker: Option<Waker>,
    writer_waker: Option<Waker>,
    /// The last read returned less than it could. Another read waits for a readiness event.
    drained: bool,
    /// The engine watches the socket for readability.
    watched: bool,
    /// Its stream was dropped. The socket is closed when the corked bytes are written.
    lingers: bool,
    /// The result of connecting, or the error of accepting or of writing corked bytes. Taken by the
    /// next operation.
    result: Option<Result<()>>,
}

/// What to wake: nothing, a task of this loop by its number, or the stored waker.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct WakeTarget(u32);

impl WakeTarget {
    const NONE: Self = Self(0);
    const WAKER: Self = Self(u32::MAX);

    fn task(self) -> Option<TaskKey> {
        TaskKey::new(self.0)
    }
}

/// The effect of a readiness event.
pub(crate) enum ReadableWake {
    /// The caller has to poll this task.
    Task(TaskKey),
    /// A waker was called.
    Woken,
    /// No task waits. The caller has to stop watching the socket.
    NoReader(HandleId),
}

/// The direction that a task waits for.
#[derive(Clone, Copy)]
enum Direction {
    Read,
    Write,
}

impl SocketSlot {
    fn target(&mut self, direction: Direction) -> &mut WakeTarget {
        match direction {
            Direction::Read => &mut self.reader,
            Direction::Write => &mut self.writer,
        }
    }

    fn waker(&mut self, direction: Direction) -> &mut Option<Waker> {
        match direction {
            Direction::Read => &mut self.reader_waker,
            Direction::Write => &mut self.writer_waker,
        }
    }

    /// Registers the task of `context` to be woken.
    #[inline]
    fn wait(&mut self, direction: Direction, context: &Context<'_>, executor: &Executor) {
        if let Some(task) = executor.task_of(context) {
            *self.target(direction) = WakeTarget(task.get());
            return;
        }
        *self.target(direction) = WakeTarget::WAKER;
        match self.waker(direction) {
            Some(waker) => waker.clone_from(context.waker()),
            waker => *waker = Some(context.waker().clone()),
        }
    }
}

impl Sockets {
    pub fn reserve(&self) -> usize {
        self.0.borrow_mut().take(|_| SocketSlot::default())
    }

    pub fn release(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let slot = std::mem::take(&mut slots[key]);
        slots.free(key);
        drop(slots);
        drop(slot);
    }

    pub fn set_id(&self, key: usize, id: HandleId) {
        self.0.borrow_mut()[key].id = id.to_bits();
    }

    pub fn is_drained(&self, key: usize) -> bool {
        self.0.borrow()[key].drained
    }

    pub fn set_drained(&self, key: usize) {
        self.0.borrow_mut()[key].drained = true;
    }

    /// Registers the task to be woken when the socket is readable. Returns whether the engine
    /// watches it.
    pub fn wait_readable(&self, key: usize, context: &Context<'_>, executor: &Executor) -> bool {
        let slot = &mut self.0.borrow_mut()[key];
        slot.wait(Direction::Read, context, executor);
        slot.watched
    }

    pub fn set_watched(&self, key: usize) {
        self.0.borrow_mut()[key].watched = true;
    }

    /// Registers the task to be woken by the next completion for the read direction.
    pub fn wait_read(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.0.borrow_mut()[key].wait(Direction::Read, context, executor);
    }

    /// Registers the task to be woken by the next completion for the write direction.
    pub fn wait_write(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.0.borrow_mut()[key].wait(Direction::Write, context, executor);
    }

    /// Takes the result of connecting.
    pub fn take_connect_result(&self, key: usize) -> Option<Result<()>> {
        self.0.borrow_mut()[key].result.take()
    }

    /// Takes the error of accepting, or of writing corked bytes.
    pub fn take_error(&self, key: usize) -> Option<Errno> {
        self.0.borrow_mut()[key].result.take()?.err()
    }

    /// Marks a stream that was dropped before all bytes were written.
    pub fn set_lingering(&self, key: usize) {
        self.0.borrow_mut()[key].lingers = true;
    }

    /// Handles the completion of corked bytes that could not be written at once. Returns the stream
    /// to close, if it was dropped meanwhile.
    pub fn written(&self, key: usize, result: Result<()>, executor: &Executor) -> Option<HandleId> {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        if slot.lingers {
            return HandleId::from_bits(slot.id);
        }
        slot.result = Some(result).filter(Result::is_err);
        drop(slots);
        self.wake(key, Direction::Write, executor);
        None
    }

    /// Handles a readiness event. Wakes the waiting reader, or returns it if it is a task of this
    /// loop.
    #[inline]
    pub fn readable(&self, key: usize, executor: &Executor) -> ReadableWake {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        slot.drained = false;
        if let Some(task) = slot.reader.task() {
            slot.reader = WakeTarget::NONE;
            return ReadableWake::Task(task);
        }
        if slot.reader == WakeTarget::NONE {
            slot.watched = false;
            return HandleId::from_bits(slot.id)
                .map_or(ReadableWake::Woken, ReadableWake::NoReader);
        }
        drop(slots);
        self.wake(key, Direction::Read, executor);
        ReadableWake::Woken
    }

    /// Handles any other completion, and wakes the task that waits for it.
    pub fn complete(&self, key: usize, completion: &Completion, executor: &Executor) {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        let direction = match *completion {
            Completion::ReadEnd(_) | Completion::ReadFailed { .. } => {
                // The engine has stopped reading. The next read returns the end or the error.
                (slot.drained, slot.watched) = (false, false);
                Direction::Read
            }
            Completion::Connection { result, .. } => {
                slot.result = Some(result).filter(Result::is_err);
                Direction::Read
            }
            Completion::Connect { result, .. } => {
                slot.result = Some(result);
                Direction::Write
            }
            Completion::Writable(_) => Direction::Write,
            _ => return,
        };
        drop(slots);
        self.wake(key, direction, executor);
    }

    /// Wakes the task that waits for `direction`. A waker is foreign code, so no borrow is held
    /// while it runs.
    #[inline]
    fn wake(&self, key: usize, direction: Direction, executor: &Executor) {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        let target = std::mem::take(slot.target(direction));
        if let Some(task) = target.task() {
            executor.wake(task);
        }
        if target != WakeTarget::WAKER {
            return;
        }
        let Some(waker) = slot.waker(direction).take() else { return };
        let id = slot.id;
        drop(slots);
        waker.wake_by_ref();
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        if slot.id == id && slot.waker(direction).is_none() {
            *slot.waker(direction) = Some(waker);
        } else {
            drop(slots);
            drop(waker);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_slot_fills_a_cache_line() {
        assert_eq!(size_of::<SocketSlot>(), 64);
    }
}
