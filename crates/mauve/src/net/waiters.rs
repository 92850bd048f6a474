//! The tasks that wait for sockets.
//!
//! A socket stays watched for readability until an event arrives while no task waits. So a task
//! that reads, writes and waits again does not register anew.
//!
//! Any number of tasks may wait for one direction of a socket. An event wakes all of them, and those
//! that find the socket drained wait again. The first one is stored in the slot of the socket. The
//! others are in a table of their own, because there rarely are any.
//!
//! A future that is dropped removes its waker. The key of a task stays until the next event, because
//! it is listed once at most. A `poll_*` method cannot know when its caller loses interest, so wakers
//! in the table are swept: see [`Waiters::add`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::task::{Context, RawWakerVTable, Waker};

use mauve_core::slots::Slots;
use mauve_core::{Completion, HandleId};
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::{Errno, Result};

use crate::task::{Executor, TaskKey};

/// The sockets of tasks, by key. The key is part of the engine's token.
#[derive(Default)]
pub(crate) struct Sockets {
    slots: RefCell<Slots<SocketSlot>>,
    /// Further waiters of a direction, after the one in the slot. An entry stays until its socket is
    /// closed, so that waiting again allocates nothing.
    more: RefCell<HashMap<(usize, Direction), Waiters>>,
}

/// The waiters of a direction, except the first.
#[derive(Default)]
struct Waiters {
    list: Vec<Waiter>,
    /// The list is swept when it has this length, or [`MIN_SWEEP`].
    sweep_at: usize,
}

enum Waiter {
    /// A task of this loop.
    Task(TaskKey),
    /// Any other waker.
    Waker(Waker, Interested),
}

/// Whether a waker is known to belong to a future that still waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interested {
    /// It was registered after the last sweep.
    Unknown,
    /// The last sweep has woken it, and it was not registered again.
    No,
    /// It was registered again after the last sweep.
    Yes,
}

/// A shorter list is not swept.
const MIN_SWEEP: usize = 32;

/// What a sweep leaves to be done when no borrow is held, because wakers are foreign code.
#[derive(Default)]
struct Sweep {
    woken: Vec<Waker>,
    removed: Vec<Waiter>,
}

impl Sweep {
    fn finish(self) {
        self.woken.into_iter().for_each(Waker::wake);
        drop(self.removed);
    }
}

impl Waiters {
    /// Adds a waiter, unless it is listed.
    ///
    /// A long list is swept: all its wakers are woken, and those that are not registered again are
    /// removed by the next sweep. So the list is at most about three times as long as the number of
    /// futures that wait, even if every poll has another waker and no event arrives.
    fn add(&mut self, task: Option<TaskKey>, context: &Context<'_>) -> Sweep {
        if let Some(listed) = self.list.iter_mut().find(|waiter| waiter.is(task, context)) {
            if let Waiter::Waker(_, interested @ Interested::No) = listed {
                *interested = Interested::Yes;
            }
            return Sweep::default();
        }
        let is_long = self.list.len() >= self.sweep_at.max(MIN_SWEEP);
        let sweep = if is_long { self.sweep() } else { Sweep::default() };
        let waker = || Waiter::Waker(context.waker().clone(), Interested::Unknown);
        self.list.push(task.map_or_else(waker, Waiter::Task));
        sweep
    }

    fn sweep(&mut self) -> Sweep {
        let is_stale = |waiter: &mut Waiter| matches!(waiter, Waiter::Waker(_, Interested::No));
        let removed = self.list.extract_if(.., is_stale).collect();
        let mut woken = Vec::new();
        let mut waiting = 0;
        for waiter in &mut self.list {
            if let Waiter::Waker(waker, interested) = waiter {
                waiting += usize::from(*interested == Interested::Yes);
                *interested = Interested::No;
                woken.push(waker.clone());
            }
        }
        self.sweep_at = self.list.len() + waiting.max(MIN_SWEEP);
        Sweep { woken, removed }
    }
}

impl Waiter {
    /// Whether this is the task of `context`, which is `task` if it belongs to this loop.
    fn is(&self, task: Option<TaskKey>, context: &Context<'_>) -> bool {
        match self {
            Self::Task(own) => Some(*own) == task,
            Self::Waker(waker, _) => task.is_none() && waker.will_wake(context.waker()),
        }
    }
}

/// Identifies a waker without keeping it. If the waker is dropped, another one may have the same parts.
#[derive(Clone, Copy)]
pub(crate) struct WakerParts(*const (), &'static RawWakerVTable);

impl WakerParts {
    pub fn new(waker: &Waker) -> Self {
        Self(waker.data(), waker.vtable())
    }

    fn are_of(self, waker: &Waker) -> bool {
        waker.data() == self.0 && std::ptr::eq(waker.vtable(), self.1)
    }
}

/// The state of one socket. It fills one cache line, so an event of a connection that is not in the
/// cache costs one miss.
#[derive(Default)]
#[repr(align(64))]
struct SocketSlot {
    /// The bits of the socket's id. Zero if the slot is free.
    id: u64,
    reader: WakeTarget,
    writer: WakeTarget,
    /// Wakers of futures that are not polled by a task of this loop, while they wait.
    reader_waker: Option<Waker>,
    writer_waker: Option<Waker>,
    /// The last read returned less than it could. Another read waits for a readiness event.
    drained: bool,
    /// The engine watches the socket for readability.
    watched: bool,
    /// More than one task waits for the direction.
    more_readers: bool,
    more_writers: bool,
    /// More than one task has waited for a direction since the socket was opened.
    has_more_entries: bool,
    /// The result of connecting, or the error of accepting. Taken by the next operation.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Read,
    Write,
}

impl Direction {
    /// The direction of an operation that waits for `interest`.
    pub fn of(interest: Interest) -> Self {
        if interest == Interest::WRITABLE { Self::Write } else { Self::Read }
    }
}

const DIRECTIONS: [Direction; 2] = [Direction::Read, Direction::Write];

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

    /// Whether more than one task waits for the direction.
    fn more(&mut self, direction: Direction) -> &mut bool {
        match direction {
            Direction::Read => &mut self.more_readers,
            Direction::Write => &mut self.more_writers,
        }
    }

    /// Registers the task of `context` to be woken, if no other task waits. Returns whether it is
    /// registered.
    #[inline]
    fn wait(&mut self, direction: Direction, task: Option<TaskKey>, context: &Context<'_>) -> bool {
        let wanted = task.map_or(WakeTarget::WAKER, |task| WakeTarget(task.get()));
        let target = self.target(direction);
        match *target {
            WakeTarget::NONE => *target = wanted,
            present if present != wanted => return false,
            WakeTarget::WAKER => {
                let waker = self.waker(direction).as_ref();
                return waker.is_some_and(|waker| waker.will_wake(context.waker()));
            }
            _ => {}
        }
        if wanted == WakeTarget::WAKER {
            let before = self.waker(direction).replace(context.waker().clone());
            debug_assert!(before.is_none(), "a waker is stored only while its future waits");
        }
        true
    }
}

impl Sockets {
    pub fn reserve(&self) -> usize {
        self.slots.borrow_mut().take(|_| SocketSlot::default())
    }

    pub fn release(&self, key: usize) {
        let mut slots = self.slots.borrow_mut();
        let slot = std::mem::take(&mut slots[key]);
        slots.free(key);
        drop(slots);
        if slot.has_more_entries {
            let mut more = self.more.borrow_mut();
            let entries = DIRECTIONS.map(|direction| more.remove(&(key, direction)));
            drop(more);
            drop(entries);
        }
        drop(slot);
    }

    /// Wakes all tasks of other loops, because this loop was closed.
    pub fn close(&self, executor: &Executor) {
        let keys = 0..self.slots.borrow().len();
        for key in keys {
            // The next operation is attempted, and returns the error.
            let mut slots = self.slots.borrow_mut();
            (slots[key].drained, slots[key].watched) = (false, false);
            drop(slots);
            DIRECTIONS.iter().for_each(|direction| self.wake(key, *direction, executor));
        }
    }

    /// Registers the task of `context` to be woken.
    #[inline]
    fn wait(&self, key: usize, direction: Direction, context: &Context<'_>, executor: &Executor) {
        let task = executor.task_of(context);
        if !self.slots.borrow_mut()[key].wait(direction, task, context) {
            self.wait_with_others(key, direction, task, context);
        }
    }

    #[cold]
    fn wait_with_others(
        &self,
        key: usize,
        direction: Direction,
        task: Option<TaskKey>,
        context: &Context<'_>,
    ) {
        let mut slots = self.slots.borrow_mut();
        *slots[key].more(direction) = true;
        slots[key].has_more_entries = true;
        drop(slots);
        let mut more = self.more.borrow_mut();
        let sweep = more.entry((key, direction)).or_default().add(task, context);
        drop(more);
        sweep.finish();
    }

    /// Removes and returns a waker that is not that of a task, because its future was dropped.
    #[cold]
    pub fn remove_waker(
        &self,
        key: usize,
        direction: Direction,
        parts: WakerParts,
    ) -> Option<Waker> {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        let removed = if slot.waker(direction).as_ref().is_some_and(|waker| parts.are_of(waker)) {
            *slot.target(direction) = WakeTarget::NONE;
            slot.waker(direction).take()
        } else if *slot.more(direction) {
            let mut more = self.more.borrow_mut();
            let waiters = &mut more.entry((key, direction)).or_default().list;
            let is_it = |waiter: &Waiter| match waiter {
                Waiter::Task(_) => false,
                Waiter::Waker(waker, _) => parts.are_of(waker),
            };
            match waiters.iter().position(is_it).map(|index| waiters.remove(index)) {
                Some(Waiter::Waker(waker, _)) => Some(waker),
                _ => None,
            }
        } else {
            None
        };
        drop(slots);
        self.promote(key, direction);
        removed
    }

    /// Moves a waiter of the table to the slot, if the slot has none.
    fn promote(&self, key: usize, direction: Direction) {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        if !*slot.more(direction) {
            return;
        }
        let mut more = self.more.borrow_mut();
        let waiters = &mut more.entry((key, direction)).or_default().list;
        let mut before = None;
        if *slot.target(direction) == WakeTarget::NONE && !waiters.is_empty() {
            match waiters.remove(0) {
                Waiter::Task(task) => *slot.target(direction) = WakeTarget(task.get()),
                Waiter::Waker(waker, _) => {
                    *slot.target(direction) = WakeTarget::WAKER;
                    before = slot.waker(direction).replace(waker);
                }
            }
        }
        *slot.more(direction) = !waiters.is_empty();
        drop((more, slots));
        drop(before);
    }

    pub fn set_id(&self, key: usize, id: HandleId) {
        self.slots.borrow_mut()[key].id = id.to_bits();
    }

    #[inline]
    pub fn is_drained(&self, key: usize) -> bool {
        self.slots.borrow()[key].drained
    }

    #[inline]
    pub fn set_drained(&self, key: usize) {
        self.slots.borrow_mut()[key].drained = true;
    }

    /// Registers the task to be woken when the socket is readable. Returns whether the engine
    /// watches it.
    #[inline(always)]
    pub fn wait_readable(&self, key: usize, context: &Context<'_>, executor: &Executor) -> bool {
        let task = executor.task_of(context);
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        let (registered, watched) = (slot.wait(Direction::Read, task, context), slot.watched);
        drop(slots);
        if !registered {
            self.wait_with_others(key, Direction::Read, task, context);
        }
        watched
    }

    pub fn set_watched(&self, key: usize) {
        self.slots.borrow_mut()[key].watched = true;
    }

    /// Registers the task to be woken by the next completion for the read direction.
    pub fn wait_read(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.wait(key, Direction::Read, context, executor);
    }

    /// Registers the task to be woken by the next completion for the write direction.
    pub fn wait_write(&self, key: usize, context: &Context<'_>, executor: &Executor) {
        self.wait(key, Direction::Write, context, executor);
    }

    /// Takes the result of connecting.
    pub fn take_connect_result(&self, key: usize) -> Option<Result<()>> {
        self.slots.borrow_mut()[key].result.take()
    }

    /// Takes the error of accepting.
    #[inline]
    pub fn take_error(&self, key: usize) -> Option<Errno> {
        // Most often there is none, and nothing is written.
        let has_result = self.slots.borrow()[key].result.is_some();
        if has_result { self.slots.borrow_mut()[key].result.take()?.err() } else { None }
    }

    /// Handles a readiness event. Wakes the waiting readers. If there is one and it is a task of this
    /// loop, returns it instead.
    #[inline(always)]
    pub fn readable(&self, key: usize, executor: &Executor) -> ReadableWake {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        slot.drained = false;
        if let Some(task) = slot.reader.task().filter(|_| !slot.more_readers) {
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

    /// Handles any other completion, and wakes the tasks that wait for it.
    pub fn complete(&self, key: usize, completion: &Completion, executor: &Executor) {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        let direction = match *completion {
            Completion::ReadEnd(_) | Completion::ReadFailed { .. } => {
                // The engine has stopped reading. The next read returns the end or the error.
                (slot.drained, slot.watched) = (false, false);
                Direction::Read
            }
            Completion::Connection { result, .. } => {
                // Without a waiting task the error would be out of date when it is returned, for example
                // if there are descriptors again. The next task that waits gets a new event.
                let is_waited_for = slot.reader != WakeTarget::NONE;
                slot.result = Some(result).filter(|result| result.is_err() && is_waited_for);
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

    /// Handles the readiness of a polled descriptor, or the error that has ended polling. Returns the
    /// handle, and the interest of the tasks that still wait.
    pub fn polled(
        &self,
        key: usize,
        result: Result<Readiness>,
        executor: &Executor,
    ) -> Option<(HandleId, Interest)> {
        let ready = result.unwrap_or(Readiness::all());
        if ready.intersects(Readiness::WRITABLE | Readiness::ERROR | Readiness::HANGUP) {
            self.wake(key, Direction::Write, executor);
        }
        if !(ready - Readiness::WRITABLE).is_empty() {
            self.wake(key, Direction::Read, executor);
        }
        let id = HandleId::from_bits(self.slots.borrow()[key].id)?;
        Some((id, self.poll_interest(key)))
    }

    /// The interest of the tasks that wait for a polled descriptor.
    pub fn poll_interest(&self, key: usize) -> Interest {
        let slot = &self.slots.borrow()[key];
        let mut interest = Interest::empty();
        interest.set(Interest::READABLE, slot.reader != WakeTarget::NONE);
        interest.set(Interest::WRITABLE, slot.writer != WakeTarget::NONE);
        interest
    }

    /// Wakes the tasks that wait for `direction`, in the order in which they registered. A waker is
    /// foreign code, so no borrow is held while it runs.
    #[inline]
    fn wake(&self, key: usize, direction: Direction, executor: &Executor) {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[key];
        let target = std::mem::take(slot.target(direction));
        let more = std::mem::take(slot.more(direction));
        if let Some(task) = target.task() {
            drop(slots);
            executor.wake(task);
        } else {
            let waker = slot.waker(direction).take();
            drop(slots);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
        if more {
            self.wake_others(key, direction, executor);
        }
    }

    #[cold]
    fn wake_others(&self, key: usize, direction: Direction, executor: &Executor) {
        let others = |waiters: &mut HashMap<_, Waiters>| {
            waiters.get_mut(&(key, direction)).map(std::mem::take).unwrap_or_default().list
        };
        let mut waiters = others(&mut self.more.borrow_mut());
        for waiter in waiters.drain(..) {
            match waiter {
                Waiter::Task(task) => executor.wake(task),
                Waiter::Waker(waker, _) => waker.wake(),
            }
        }
        // Keep the allocation, unless tasks wait again already.
        if let Some(entry) = self.more.borrow_mut().get_mut(&(key, direction))
            && entry.list.capacity() == 0
        {
            entry.list = waiters;
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
