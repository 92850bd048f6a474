//! Makes handles and borrows them for one operation: two methods for each kind.

use mauve_sys::Result;
use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::driver::Driver;

use super::async_::Async;
use super::fs_event::{FsEvent, FsEventMut};
use super::fs_poll::{FsPoll, FsPollMut};
use super::hook::{Hook, HookMut};
use super::poll::{Poll, PollMut};
use super::process::{Process, ProcessMut};
use super::signal::{Signal, SignalMut};
use super::stream::{Stream, StreamMut, Terminal};
use super::timer::{Timer, TimerMut};
use super::udp::{Udp, UdpMut};
use crate::Engine;
use crate::id::{HandleId, HandleKind, Token};
use crate::slab::{Body, Slab};
use crate::table::Table;
use crate::wakeups::AsyncSender;

impl<D: Driver> Engine<D> {
    /// Adds a handle to one of the slabs of the table.
    #[inline]
    fn open_handle<T: Body>(
        &mut self,
        token: Token,
        body: T,
        slab: impl FnOnce(&mut Table) -> &mut Slab<T>,
    ) -> HandleId {
        let sequence = self.table.next_sequence();
        let id = slab(&mut self.table).insert(token, sequence, body);
        self.trace_open(id, token);
        id
    }

    /// Makes a timer.
    #[doc(alias = "uv_timer_init")]
    pub fn open_timer(&mut self, token: Token) -> HandleId {
        let sequence = self.table.next_sequence();
        let id = self.table.timers.insert(token, sequence, Timer::default());
        self.timers.forget_repeat(id);
        self.trace_open(id, token);
        id
    }

    /// Borrows a timer.
    pub fn timer(&mut self, id: HandleId) -> Option<TimerMut<'_, D>> {
        let index = self.table.timers.find(id)?;
        Some(TimerMut { engine: self, index })
    }

    /// Makes an idle handle.
    #[doc(alias = "uv_idle_init")]
    pub fn open_idle(&mut self, token: Token) -> HandleId {
        self.open_handle(token, Hook::default(), |table| &mut table.idles)
    }

    /// Makes a prepare handle.
    #[doc(alias = "uv_prepare_init")]
    pub fn open_prepare(&mut self, token: Token) -> HandleId {
        self.open_handle(token, Hook::default(), |table| &mut table.prepares)
    }

    /// Makes a check handle.
    #[doc(alias = "uv_check_init")]
    pub fn open_check(&mut self, token: Token) -> HandleId {
        self.open_handle(token, Hook::default(), |table| &mut table.checks)
    }

    /// Borrows an idle, prepare or check handle.
    pub fn hook(&mut self, id: HandleId) -> Option<HookMut<'_>> {
        HookMut::find(self, id)
    }

    /// Makes an async handle. It is active at once, and until it is closed.
    #[doc(alias = "uv_async_init")]
    pub fn open_async(&mut self, token: Token) -> HandleId {
        let Self { table, wakeups, run, pool, active, .. } = self;
        let sequence = table.next_sequence();
        let in_work_callback = pool.is_reported_by(run.callback());
        let asyncs = &mut table.asyncs;
        let position = wakeups.position_of_new(asyncs, run.suspended(), in_work_callback);
        let first = |index| wakeups.queue().generation_at(index);
        let id = asyncs.insert_with(token, sequence, Async::new(position), first);
        asyncs[id.index()].head.activate(active);
        wakeups.queue().open(id);
        self.trace_open(id, token);
        id
    }

    /// Returns a sender, with which other threads notify an async handle.
    pub fn sender(&self, id: HandleId) -> AsyncSender {
        AsyncSender::new(self.wakeups.queue().clone(), id)
    }

    /// Makes a poll handle for `fd`, which the program keeps. `EBADF` for a bad descriptor, `EPERM` for
    /// one that cannot be polled, `EEXIST` if the loop watches it already.
    #[doc(alias = "uv_poll_init")]
    pub fn open_poll(&mut self, token: Token, fd: RawDescriptor) -> Result<HandleId> {
        self.registrations.check_unwatched(fd, &mut self.table, &mut self.driver)?;
        self.driver.probe(fd)?;
        Ok(self.open_handle(token, Poll::new(fd), |table| &mut table.polls))
    }

    /// Borrows a poll handle.
    pub fn poll(&mut self, id: HandleId) -> Option<PollMut<'_, D>> {
        self.table.polls.find(id)?;
        Some(PollMut { engine: self, id })
    }

    /// Makes a TCP stream without a socket.
    #[doc(alias = "uv_tcp_init")]
    pub fn open_tcp(&mut self, token: Token) -> HandleId {
        let stream = Stream::tcp(self.schedule.is_some());
        self.open_stream(HandleKind::Tcp, token, stream)
    }

    /// Makes a pipe without a socket. A pipe with `ipc` can pass descriptors.
    #[doc(alias = "uv_pipe_init")]
    pub fn open_pipe(&mut self, token: Token, ipc: bool) -> HandleId {
        let stream = Stream::pipe(self.schedule.is_some(), ipc);
        self.open_stream(HandleKind::Pipe, token, stream)
    }

    /// Makes a terminal out of an open descriptor.
    #[doc(alias = "uv_tty_init")]
    pub fn open_tty(&mut self, token: Token, terminal: Terminal) -> HandleId {
        let stream = Stream::terminal(self.schedule.is_some(), terminal);
        self.open_stream(HandleKind::Tty, token, stream)
    }

    #[inline]
    fn open_stream(&mut self, kind: HandleKind, token: Token, stream: Stream) -> HandleId {
        let sequence = self.table.next_sequence();
        let id = self.table.streams.insert_as(kind, token, sequence, stream);
        self.trace_open(id, token);
        id
    }

    /// Borrows a TCP stream, a pipe or a terminal.
    pub fn stream(&mut self, id: HandleId) -> Option<StreamMut<'_, D>> {
        self.table.streams.find(id)?;
        Some(StreamMut { engine: self, id })
    }

    /// Makes a datagram handle without a socket.
    #[doc(alias = "uv_udp_init")]
    pub fn open_udp(&mut self, token: Token) -> HandleId {
        self.open_handle(token, Udp::new(), |table| &mut table.udps)
    }

    /// Borrows a datagram handle.
    pub fn udp(&mut self, id: HandleId) -> Option<UdpMut<'_, D>> {
        self.table.udps.find(id)?;
        Some(UdpMut { engine: self, id })
    }

    /// Makes a signal handle.
    #[doc(alias = "uv_signal_init")]
    pub fn open_signal(&mut self, token: Token) -> Result<HandleId> {
        self.signals.open_pipe(&mut self.driver)?;
        Ok(self.open_handle(token, Signal::default(), |table| &mut table.signals))
    }

    /// Borrows a signal handle.
    pub fn signal(&mut self, id: HandleId) -> Option<SignalMut<'_, D>> {
        self.table.signals.find(id)?;
        Some(SignalMut { engine: self, id })
    }

    /// Makes a process handle without a process.
    pub fn open_process(&mut self, token: Token) -> HandleId {
        self.open_handle(token, Process::new(), |table| &mut table.processes)
    }

    /// Borrows a process handle.
    pub fn process(&mut self, id: HandleId) -> Option<ProcessMut<'_, D>> {
        self.table.processes.find(id)?;
        Some(ProcessMut { engine: self, id })
    }

    /// Makes a file system event handle.
    #[doc(alias = "uv_fs_event_init")]
    pub fn open_fs_event(&mut self, token: Token) -> HandleId {
        self.open_handle(token, FsEvent::default(), |table| &mut table.fs_events)
    }

    /// Borrows a file system event handle.
    pub fn fs_event(&mut self, id: HandleId) -> Option<FsEventMut<'_, D>> {
        self.table.fs_events.find(id)?;
        Some(FsEventMut { engine: self, id })
    }

    /// Makes a file system poll handle.
    #[doc(alias = "uv_fs_poll_init")]
    pub fn open_fs_poll(&mut self, token: Token) -> HandleId {
        self.open_handle(token, FsPoll::default(), |table| &mut table.fs_polls)
    }

    /// Borrows a file system poll handle.
    pub fn fs_poll(&mut self, id: HandleId) -> Option<FsPollMut<'_, D>> {
        self.table.fs_polls.find(id)?;
        Some(FsPollMut { engine: self, id })
    }
}
