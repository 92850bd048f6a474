//! The sockets of tasks.
//!
//! A socket stays watched for readability until an event arrives while no task waits. So a task
//! that reads, writes and waits again does not register anew.
//!
//! Any number of tasks may wait for one direction of a socket. An event wakes all of them, and those
//! that find the socket drained wait again. The first one is stored in the target. The others are in
//! an allocation of their own, because there rarely are any.

use std::cell::RefMut;
use std::num::NonZeroI32;
use std::task::Context;

use mauve_core::{Completion, HandleId};
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::{Errno, Result};

use super::waiters::{Waiters, WakerParts};
use super::{Target, Targets, WakeTarget};
use crate::task::{Executor, TaskKey};

/// The state of one socket. It fills one cache line, so an event of a connection that is not in the
/// cache costs one miss.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct SocketTarget {
    /// `None` until the socket is open.
    id: Option<HandleId>,
    /// The task that waits for each direction.
    first: [WakeTarget; 2],
    /// Further tasks, after the first one. It stays until the socket is closed, so that waiting again
    /// allocates nothing.
    others: Option<Box<[Waiters; 2]>>,
    /// The last read returned less than it could. Another read waits for a readiness event.
    drained: bool,
    /// The engine watches the socket for readability.
    watched: bool,
    /// The socket has connected. Taken by the task that waits for it.
    connected: bool,
    /// The error number of connecting or accepting. Taken by the next operation.
    error: Option<NonZeroI32>,
}

/// The effect of a readiness event.
pub(crate) enum ReadableWake {
    Woken,
    /// No task waits. The caller has to stop watching the socket.
    NoReader(HandleId),
}

/// The direction that a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl SocketTarget {
    /// Handles a readiness event in the common case. Returns the task to poll, if one task of this
    /// loop waits and no other does. Otherwise nothing has changed.
    #[inline(always)]
    pub fn wake_only_reader(&mut self, completion: &Completion) -> Option<TaskKey> {
        match (completion, &mut self.first[Direction::Read as usize]) {
            (Completion::Readable(_) | Completion::Receivable(_), WakeTarget::Task(task))
                if self.others.is_none() =>
            {
                let task = task.take()?;
                self.drained = false;
                Some(task)
            }
            _ => None,
        }
    }

    /// The waiters after the first one, if there were any.
    fn others(&mut self, direction: Direction) -> Option<&mut Waiters> {
        Some(&mut self.others.as_deref_mut()?[direction as usize])
    }

    /// Whether a task waits for the direction.
    fn has_waiter(&self, direction: Direction) -> bool {
        let others = self.others.as_deref();
        !self.first[direction as usize].is_none()
            || others.is_some_and(|others| !others[direction as usize].list.is_empty())
    }

    /// Registers the task of `context` to be woken, if no other task waits. Returns whether it is
    /// registered.
    #[inline]
    fn wait(&mut self, direction: Direction, task: Option<TaskKey>, context: &Context<'_>) -> bool {
        if self.first[direction as usize].is_of(task, context) {
            return true;
        }
        let is_first = !self.has_waiter(direction);
        if is_first {
            self.first[direction as usize] = WakeTarget::new(task, context);
        }
        is_first
    }
}

impl Targets {
    pub fn insert_socket(&self) -> usize {
        self.insert(Target::Socket(Box::default()))
    }

    pub fn set_socket_id(&self, key: usize, id: HandleId) {
        self.socket(key).id = Some(id);
    }

    /// Wakes the tasks of a socket, because the loop was closed. They are tasks of other loops, and
    /// attempt the operation again, which returns the error.
    pub(super) fn close_socket(&self, key: usize, executor: &Executor) {
        let mut socket = self.socket(key);
        (socket.drained, socket.watched) = (false, false);
        drop(socket);
        self.wake(key, Direction::Read, executor);
        self.wake(key, Direction::Write, executor);
    }

    /// Registers the task of `context` to be woken by the next completion for `direction`.
    #[inline]
    pub fn wait(
        &self,
        key: usize,
        direction: Direction,
        context: &Context<'_>,
        executor: &Executor,
    ) {
        let task = executor.task_of(context);
        if !self.socket(key).wait(direction, task, context) {
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
        let mut socket = self.socket(key);
        let others = socket.others.get_or_insert_default();
        let sweep = others[direction as usize].add(task, context);
        drop(socket);
        sweep.finish();
    }

    /// Removes a waker that is not that of a task, because its future was dropped. Wakes it: another
    /// future with the same waker may wait for the socket, and registers again.
    #[cold]
    pub fn remove_waker(&self, key: usize, direction: Direction, parts: WakerParts) {
        let mut socket = self.socket(key);
        let first = &mut socket.first[direction as usize];
        let removed = if parts.are_of(first) {
            std::mem::take(first)
        } else if let Some(Waiters { list, .. }) = socket.others(direction)
            && let Some(index) = list.iter().position(|waiter| parts.are_of(&waiter.target))
        {
            list.remove(index).target
        } else {
            return;
        };
        drop(socket);
        if let WakeTarget::Waker(waker) = removed {
            waker.wake();
        }
    }

    #[inline]
    pub fn is_drained(&self, key: usize) -> bool {
        self.socket(key).drained
    }

    /// Borrows a socket that the last read has drained.
    #[inline]
    pub fn drained(&self, key: usize) -> Option<RefMut<'_, SocketTarget>> {
        let socket = self.socket(key);
        if socket.drained { Some(socket) } else { None }
    }

    #[inline]
    pub fn set_drained(&self, key: usize) {
        self.socket(key).drained = true;
    }

    /// Registers the task of `context` to be woken when the socket is readable. `task` is its key, if it is
    /// one of this loop. Returns whether the engine watches the socket.
    pub fn wait_readable(&self, key: usize, task: Option<TaskKey>, context: &Context<'_>) -> bool {
        self.wait_borrowed(self.socket(key), key, task, context)
    }

    /// [`wait_readable`](Self::wait_readable) for a socket that is borrowed already.
    #[inline(always)]
    pub fn wait_borrowed(
        &self,
        mut socket: RefMut<'_, SocketTarget>,
        key: usize,
        task: Option<TaskKey>,
        context: &Context<'_>,
    ) -> bool {
        let (registered, watched) = (socket.wait(Direction::Read, task, context), socket.watched);
        drop(socket);
        if !registered {
            self.wait_with_others(key, Direction::Read, task, context);
        }
        watched
    }

    pub fn set_watched(&self, key: usize) {
        self.socket(key).watched = true;
    }

    /// Takes the result of connecting.
    pub fn take_connect_result(&self, key: usize) -> Option<Result<()>> {
        let connected = std::mem::take(&mut self.socket(key).connected);
        if connected { Some(Ok(())) } else { self.take_error(key).map(Err) }
    }

    /// Takes the error of connecting or accepting.
    #[inline]
    pub fn take_error(&self, key: usize) -> Option<Errno> {
        self.socket(key).error.take().map(|error| Errno::from_raw(error.get()))
    }

    /// Handles a readiness event, unless [`SocketTarget::wake_only_reader`] has. Wakes the waiting
    /// readers.
    pub fn readable(&self, key: usize, executor: &Executor) -> ReadableWake {
        let mut socket = self.socket(key);
        socket.drained = false;
        if !socket.has_waiter(Direction::Read) {
            socket.watched = false;
            return socket.id.map_or(ReadableWake::Woken, ReadableWake::NoReader);
        }
        drop(socket);
        self.wake(key, Direction::Read, executor);
        ReadableWake::Woken
    }

    /// Handles any other completion of a socket, and wakes the tasks that wait for it.
    pub fn complete_socket(&self, key: usize, completion: &Completion, executor: &Executor) {
        let mut socket = self.socket(key);
        let direction = match *completion {
            Completion::ReadEnd(_) | Completion::ReadFailed { .. } => {
                // The engine has stopped reading. The next read returns the end or the error.
                (socket.drained, socket.watched) = (false, false);
                Direction::Read
            }
            Completion::Connection { result, .. } => {
                // Without a waiting task the error would be out of date when it is returned, for example
                // if there are descriptors again. The next task that waits gets a new event.
                let is_waited_for = socket.has_waiter(Direction::Read);
                socket.error = error_number(result).filter(|_| is_waited_for);
                Direction::Read
            }
            Completion::Connect { result, .. } => {
                (socket.connected, socket.error) = (result.is_ok(), error_number(result));
                Direction::Write
            }
            Completion::Writable(_) => Direction::Write,
            _ => return,
        };
        drop(socket);
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
        let id = self.socket(key).id?;
        Some((id, self.poll_interest(key)))
    }

    /// The interest of the tasks that wait for a polled descriptor.
    pub fn poll_interest(&self, key: usize) -> Interest {
        let socket = self.socket(key);
        let mut interest = Interest::empty();
        interest.set(Interest::READABLE, socket.has_waiter(Direction::Read));
        interest.set(Interest::WRITABLE, socket.has_waiter(Direction::Write));
        interest
    }

    /// Wakes the tasks that wait for `direction`, in the order in which they registered.
    #[inline]
    fn wake(&self, key: usize, direction: Direction, executor: &Executor) {
        let mut socket = self.socket(key);
        let first = std::mem::take(&mut socket.first[direction as usize]);
        let has_others = socket.others.is_some();
        drop(socket);
        first.wake(executor);
        if has_others {
            self.wake_others(key, direction, executor);
        }
    }

    #[cold]
    fn wake_others(&self, key: usize, direction: Direction, executor: &Executor) {
        let others = |socket: &mut SocketTarget| socket.others(direction).map(std::mem::take);
        let Some(mut woken) = others(&mut self.socket(key)) else { return };
        woken.list.drain(..).for_each(|waiter| waiter.target.wake(executor));
        // Keep the allocation, unless tasks wait again already.
        if let Some(Waiters { list, .. }) = self.socket(key).others(direction)
            && list.capacity() == 0
        {
            *list = woken.list;
        }
    }
}

fn error_number(result: Result<()>) -> Option<NonZeroI32> {
    NonZeroI32::new(result.err()?.raw())
}
