//! Which tasks wait for which socket.
//!
//! A socket that is waited for is watched until an event comes for which nobody waits any more. So
//! a task that reads, answers and waits again asks for nothing twice.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::slots::Slots;
use mauve_core::{Completion, HandleId};
use mauve_sys::{Errno, Result};

use crate::task::{Executor, TaskKey};

/// The sockets that belong to tasks. A key is good for a token.
#[derive(Default)]
pub(crate) struct Sockets(RefCell<Slots<Slot>>);

/// What is known of one socket. It fills a cache line: a server with many connections finds none
/// of them in its caches.
#[derive(Default)]
#[repr(align(64))]
struct Slot {
    /// The bits of the socket's id; zero if the slot is free.
    id: u64,
    reader: Waiter,
    writer: Waiter,
    /// Wakers of those who are not tasks. They are kept: most wait again with the same.
    reader_waker: Option<Waker>,
    writer_waker: Option<Waker>,
    /// The last read has emptied the socket: another one is not worth trying before the system
    /// says so.
    drained: bool,
    /// The engine tells when there is something to read.
    watched: bool,
    /// Its task has dropped it; it is closed when what is left to be written is.
    lingers: bool,
    /// How connecting has ended; or why accepting connections, or sending corked bytes, failed.
    told: Option<Result<()>>,
}

/// Somebody who waits for a socket: the number of a task, or whoever the waker says.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Waiter(u32);

impl Waiter {
    const NOBODY: Self = Self(0);
    const OTHER: Self = Self(u32::MAX);

    fn task(self) -> Option<TaskKey> {
        TaskKey::new(self.0)
    }
}

/// Who waits for something to read.
pub(crate) enum Reader {
    /// A task; it is to be polled.
    Task(TaskKey),
    /// Somebody who knows by now.
    Woken,
    /// Nobody: the socket need not be watched any more.
    Nobody(HandleId),
}

/// What somebody waits for.
#[derive(Clone, Copy)]
enum Whom {
    Reader,
    Writer,
}

impl Slot {
    fn waiter(&mut self, whom: Whom) -> &mut Waiter {
        match whom {
            Whom::Reader => &mut self.reader,
            Whom::Writer => &mut self.writer,
        }
    }

    fn waker(&mut self, whom: Whom) -> &mut Option<Waker> {
        match whom {
            Whom::Reader => &mut self.reader_waker,
            Whom::Writer => &mut self.writer_waker,
        }
    }

    #[inline]
    fn wait(&mut self, whom: Whom, context: &Context<'_>, executor: &Executor) {
        if let Some(task) = executor.task_of(context) {
            *self.waiter(whom) = Waiter(task.get());
            return;
        }
        *self.waiter(whom) = Waiter::OTHER;
        match self.waker(whom) {
            Some(waker) => waker.clone_from(context.waker()),
            waker => *waker = Some(context.waker().clone()),
        }
    }
}

impl Sockets {
    pub fn reserve(&self) -> usize {
        self.0.borrow_mut().take(|_| Slot::default())
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

    /// Has the task woken when the socket is readable. Returns whether the engine watches it.
    pub fn await_readable(&self, key: usize, context: &Context<'_>, executor: &Executor) -> bool {
        let slot = &mut self.0.borrow_mut()[key];
        slot.wait(Whom::Reader, context, executor);
        slot.watched
    }

    pub fn set_watched(&self, key: usize) {
        self.0.borrow_mut()[key].watched = true;
    }

    pub fn await_reading(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.0.borrow_mut()[key].wait(Whom::Reader, context, executor);
    }

    pub fn await_writing(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.0.borrow_mut()[key].wait(Whom::Writer, context, executor);
    }

    /// How connecting has ended.
    pub fn take_connected(&self, key: usize) -> Option<Result<()>> {
        self.0.borrow_mut()[key].told.take()
    }

    /// How accepting connections has failed, or sending corked bytes. Reported once.
    pub fn take_failure(&self, key: usize) -> Option<Errno> {
        self.0.borrow_mut()[key].told.take()?.err()
    }

    /// Notes that a stream is dropped before all is written.
    pub fn set_lingering(&self, key: usize) {
        self.0.borrow_mut()[key].lingers = true;
    }

    /// Corked bytes that had to wait for room are sent, or have failed. Returns the stream if
    /// nobody has it any more.
    pub fn written(&self, key: usize, result: Result<()>, executor: &Executor) -> Option<HandleId> {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        if slot.lingers {
            return HandleId::from_bits(slot.id);
        }
        slot.told = Some(result).filter(Result::is_err);
        drop(slots);
        self.wake(key, Whom::Writer, executor);
        None
    }

    /// Notes that there is something to read. Who waits for it is woken, unless it is a task, which
    /// is returned.
    #[inline]
    pub fn readable(&self, key: usize, executor: &Executor) -> Reader {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        slot.drained = false;
        if let Some(task) = slot.reader.task() {
            slot.reader = Waiter::NOBODY;
            return Reader::Task(task);
        }
        if slot.reader == Waiter::NOBODY {
            slot.watched = false;
            return HandleId::from_bits(slot.id).map_or(Reader::Woken, Reader::Nobody);
        }
        drop(slots);
        self.wake(key, Whom::Reader, executor);
        Reader::Woken
    }

    /// Delivers another completion: the task that waits for it is woken.
    pub fn complete(&self, key: usize, completion: &Completion, executor: &Executor) {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        let whom = match *completion {
            Completion::ReadEnd(_) | Completion::ReadFailed { .. } => {
                // The engine has stopped reading by itself. The next read says why.
                (slot.drained, slot.watched) = (false, false);
                Whom::Reader
            }
            Completion::Connection { result, .. } => {
                slot.told = Some(result).filter(Result::is_err);
                Whom::Reader
            }
            Completion::Connect { result, .. } => {
                slot.told = Some(result);
                Whom::Writer
            }
            Completion::Writable(_) => Whom::Writer,
            _ => return,
        };
        drop(slots);
        self.wake(key, whom, executor);
    }

    /// Wakes a task if it waits. Its waker may be anything, so no borrow is held meanwhile.
    #[inline]
    fn wake(&self, key: usize, whom: Whom, executor: &Executor) {
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        let waiter = std::mem::take(slot.waiter(whom));
        if let Some(task) = waiter.task() {
            executor.wake(task);
        }
        if waiter != Waiter::OTHER {
            return;
        }
        let Some(waker) = slot.waker(whom).take() else { return };
        let id = slot.id;
        drop(slots);
        waker.wake_by_ref();
        let mut slots = self.0.borrow_mut();
        let slot = &mut slots[key];
        if slot.id == id && slot.waker(whom).is_none() {
            *slot.waker(whom) = Some(waker);
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
    fn a_slot_fills_a_cache_line() {
        assert_eq!(size_of::<Slot>(), 64);
    }
}
