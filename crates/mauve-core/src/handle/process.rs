//! Process handles: children.
//!
//! [`mauve_sys::child_exit`] chooses how the loop is notified of an exit. A process descriptor leaves
//! the program's handling of `SIGCHLD` alone; without one, the signal is used. In both cases the loop
//! waits only for its own children. Exits are reported after all other events, so that the last output
//! of a child comes first.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use mauve_sys::child_exit::{ChildWatch, ExitNotification};
use mauve_sys::driver::{Driver, Interest};
use mauve_sys::process::{self, ExitStatus, ProcessOptions, SpawnError, StdioFd};
use mauve_sys::signal::{self, Delivery};
use mauve_sys::{Errno, Result, net};

use crate::id::{HandleId, HandleKind, Token};
use crate::registration::Source;
use crate::slab::{Entry, Life};
use crate::{Completion, Engine};

/// The state of one process handle.
pub(crate) struct Process {
    pid: i32,
    wait: Wait,
    pub source: Source,
}

/// How the exit of the child is waited for.
enum Wait {
    /// The loop does not wait: there is no child, it has exited, or it belongs to the process that
    /// this one was forked from.
    None,
    /// The loop no longer waits: the handle is closed, and the program may wait for the child.
    Ended,
    /// By its descriptor.
    Descriptor(ChildWatch),
    /// By `SIGCHLD`, which the loop's signal pipe watches for.
    Signal(ChildWatch),
}

/// Children that have exited.
#[derive(Default)]
pub(crate) struct ExitQueue {
    /// Those that were notified, and may have exited.
    pub notified: Vec<HandleId>,
    /// Those that have, in the order in which they are reported. As with libuv all that have exited
    /// are reaped before the first is reported: one that its callback closes leaves no zombie.
    pub exited: VecDeque<(HandleId, ExitStatus)>,
}

impl ExitQueue {
    pub fn is_pending(&self) -> bool {
        !self.notified.is_empty() || !self.exited.is_empty()
    }
}

/// The source of a descriptor of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_stdio_container_t")]
pub enum Stdio {
    /// Closed. The first three are opened on the null device.
    Ignore,
    /// A duplicate of this descriptor of the parent.
    Inherit(RawFd),
    /// One end of a socket pair whose other end is a stream of the parent, as in libuv.
    Pipe {
        /// A pipe that has no descriptor yet.
        stream: HandleId,
        /// Whether the child reads from it.
        readable: bool,
        /// Whether the child writes to it.
        writable: bool,
    },
    /// One end of a pipe whose other end is a stream of the parent. Unlike a socket, the child can open
    /// it by its path in `/dev/fd`.
    OneWayPipe {
        /// A pipe that has no descriptor yet.
        stream: HandleId,
        /// Whether the child reads from it. Otherwise it writes to it.
        child_reads: bool,
    },
}

/// Both ends of a pipe to a child that is not started yet.
struct Pipe {
    stream: HandleId,
    ours: OwnedFd,
    theirs: OwnedFd,
    readable: bool,
    writable: bool,
}

/// One process handle, borrowed for one operation.
pub struct ProcessMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a process handle without a process.
    pub fn open_process(&mut self, token: Token) -> HandleId {
        let sequence = self.table.next_sequence();
        let body = Process { pid: 0, wait: Wait::None, source: Source::new(-1) };
        let id = self.table.processes.insert(token, sequence, body);
        self.trace_open(id, token);
        id
    }

    /// Borrows a process handle.
    pub fn process(&mut self, id: HandleId) -> Option<ProcessMut<'_, D>> {
        self.table.processes.find(id)?;
        Some(ProcessMut { engine: self, id })
    }

    /// The next child that has exited.
    #[inline(never)]
    pub(crate) fn next_exit(&mut self) -> Option<Completion> {
        if self.children.exited.is_empty() {
            self.reap_notified();
        }
        while let Some((id, exit)) = self.children.exited.pop_front() {
            let Some(entry) = self.table.processes.get_mut(id) else { continue };
            let token = entry.head.token;
            if entry.head.life() == Life::Active {
                self.process(id)?.stop_waiting();
                return Some(Completion::Exit { token, exit });
            }
        }
        None
    }

    /// Reaps the children that were notified, the oldest first.
    fn reap_notified(&mut self) {
        let mut notified = std::mem::take(&mut self.children.notified);
        notified.sort_unstable_by_key(|id| self.table.processes.sequence(id.index()));
        notified.dedup();
        let mut unreaped = Vec::new();
        for id in notified.drain(..) {
            let Some(entry) = self.table.processes.get_mut(id) else { continue };
            let (Wait::Descriptor(child) | Wait::Signal(child)) = &entry.body.wait else {
                continue;
            };
            // An exited child cannot be reaped while a debugger is attached. `SIGCHLD` follows.
            match child.try_wait() {
                Some(exit) => self.children.exited.push_back((id, exit)),
                None => unreaped.push(id),
            }
        }
        unreaped.into_iter().for_each(|id| self.watch_for_signal(id));
        self.children.notified = notified;
    }

    /// The descriptor of a child is readable. It stays so until the child is reaped, and is not watched
    /// any longer.
    pub(crate) fn child_notified(&mut self, id: HandleId) {
        let Some(Entry { body, .. }) = self.table.processes.get_mut(id) else { return };
        // A forked child shares the driver's registrations with its parent, which still waits.
        if !self.probe.shared.is_inherited() {
            self.registrations.deregister(id, &mut body.source, &mut self.driver);
        }
        self.children.notified.push(id);
    }

    /// `SIGCHLD` was delivered: the children without a descriptor may have exited.
    pub(crate) fn check_children(&mut self) {
        let waiting = self.table.processes.iter();
        let waiting = waiting.filter(|(_, entry)| matches!(entry.body.wait, Wait::Signal(_)));
        self.children.notified.extend(waiting.map(|(id, _)| id));
    }

    /// Waits for `SIGCHLD` instead of a descriptor that the driver cannot watch.
    pub(crate) fn wait_by_signal(&mut self, id: HandleId) {
        self.watch_for_signal(id);
        // The child may have exited before.
        self.children.notified.push(id);
    }

    fn watch_for_signal(&mut self, id: HandleId) {
        let Engine { table, registrations, signals, driver, .. } = self;
        let Some(Entry { body, .. }) = table.processes.get_mut(id) else { return };
        match std::mem::replace(&mut body.wait, Wait::None) {
            Wait::Descriptor(child) => {
                registrations.deregister(id, &mut body.source, driver);
                let pipe = signals.pipe.as_mut().expect("opened by `spawn`");
                pipe.watch(signal::numbers::SIGCHLD, Delivery::Persistent)
                    .expect("it can be caught");
                body.wait = Wait::Signal(child);
            }
            wait => body.wait = wait,
        }
    }

    /// In a forked child: the children belong to the parent, and their exits are not reported here.
    pub(crate) fn disown_children(&mut self) {
        drop(self.take_children(|_| true));
        self.children.notified.clear();
        self.children.exited.clear();
    }

    /// Stops waiting for the children of handles whose token `is_taken`, and returns them. For a host
    /// that drops the loop. A child may be reaped already.
    pub fn take_children(&mut self, is_taken: impl Fn(Token) -> bool) -> Vec<ChildWatch> {
        let Engine { table, registrations, signals, driver, .. } = self;
        let taken = table.processes.iter().filter(|(_, entry)| is_taken(entry.head.token));
        let taken: Vec<_> = taken.map(|(id, _)| id).collect();
        let mut children = Vec::new();
        for id in taken {
            let Some(Entry { body, .. }) = table.processes.get_mut(id) else { continue };
            registrations.deregister(id, &mut body.source, driver);
            body.source = Source::new(-1);
            match std::mem::replace(&mut body.wait, Wait::None) {
                Wait::Descriptor(child) => children.push(child),
                Wait::Signal(child) => {
                    children.push(child);
                    if let Some(pipe) = &mut signals.pipe {
                        pipe.unwatch(signal::numbers::SIGCHLD, Delivery::Persistent);
                    }
                }
                Wait::None | Wait::Ended => {}
            }
        }
        children
    }

    fn make_pipes(&mut self, stdio: &[Stdio]) -> Result<Vec<Pipe>> {
        let mut pipes = Vec::new();
        for place in stdio {
            let (stream, readable, writable) = match *place {
                Stdio::Pipe { stream, readable, writable } => (stream, readable, writable),
                Stdio::OneWayPipe { stream, child_reads } => (stream, child_reads, !child_reads),
                Stdio::Ignore | Stdio::Inherit(_) => continue,
            };
            if stream.kind() != HandleKind::Pipe {
                return Err(Errno::EINVAL);
            }
            let [ours, theirs] = match *place {
                Stdio::OneWayPipe { child_reads, .. } => {
                    let [reader, writer] = net::pipe([!child_reads, child_reads])?;
                    if child_reads { [writer, reader] } else { [reader, writer] }
                }
                _ => net::socket_pair(net::SOCK_STREAM, 0, [true, false])?,
            };
            pipes.push(Pipe { stream, ours, theirs, readable, writable });
        }
        Ok(pipes)
    }

    /// Opens the parent's ends as streams. A pipe that the child reads is writable here.
    fn open_pipes(&mut self, pipes: Vec<Pipe>) -> Result<()> {
        for Pipe { stream, ours, readable, writable, .. } in pipes {
            let mut stream = self.stream(stream).ok_or(Errno::EINVAL)?;
            let adopted = stream.open(ours.as_raw_fd(), writable, readable)?;
            stream.adopt(ours, adopted)?;
        }
        Ok(())
    }
}

impl<D: Driver> ProcessMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Process> {
        self.engine.table.processes.get_mut(self.id).expect("a borrowed handle")
    }

    /// Starts a program. The handle is active until the program has exited.
    ///
    /// If `exec` fails in the child, the pipes are open nevertheless, and at end of file. If a stream
    /// has a descriptor already, this fails, but the program runs.
    #[doc(alias = "uv_spawn")]
    pub fn spawn(&mut self, options: &ProcessOptions, stdio: &[Stdio]) -> Result<()> {
        // `SIGCHLD` is needed when no descriptor is left to open the pipe with.
        self.engine.signal_pipe()?;
        let pipes = self.engine.make_pipes(stdio)?;
        let mut child_ends = pipes.iter().map(|pipe| StdioFd::Created(pipe.theirs.as_raw_fd()));
        let mut descriptors: Vec<_> = stdio
            .iter()
            .map(|stdio| match *stdio {
                Stdio::Ignore => StdioFd::Ignore,
                Stdio::Inherit(fd) => StdioFd::Inherit(fd),
                Stdio::Pipe { .. } | Stdio::OneWayPipe { .. } => {
                    child_ends.next().expect("one for each pipe")
                }
            })
            .collect();
        descriptors.resize(stdio.len().max(3), StdioFd::Ignore);
        match options.spawn(&mut descriptors) {
            Ok(child) => {
                self.start_waiting(child);
                self.engine.open_pipes(pipes)
            }
            Err(SpawnError::Fork(error)) => Err(error),
            Err(SpawnError::Exec(error)) => {
                // In libuv the SIGCHLD of the child whose exec failed wakes the loop.
                if self.engine.is_running() {
                    self.engine.wakeups.missed = true;
                } else {
                    // The program may poll the driver's descriptor.
                    self.engine.wakeups.queue.notify();
                }
                self.engine.open_pipes(pipes).and(Err(error))
            }
        }
    }

    fn start_waiting(&mut self, child: ChildWatch) {
        let id = self.id;
        let Engine { table, active, registrations, driver, .. } = &mut *self.engine;
        let Entry { head, body } = table.processes.get_mut(id).expect("a borrowed handle");
        body.pid = child.pid();
        head.activate(active);
        // Registered at once, for programs that poll the driver's descriptor before the next run.
        let watched = match child.notification() {
            ExitNotification::Descriptor(fd) => {
                body.source = Source::new(fd.as_raw_fd());
                let wanted = registrations.register(id, &mut body.source, Interest::READABLE);
                let (fd, registration) = body.source.parts();
                wanted.and_then(|()| registration.reregister(id, fd, driver))
            }
            ExitNotification::Signal => Err(Errno::EBADF),
        };
        body.wait = Wait::Descriptor(child);
        if watched.is_err() {
            self.engine.wait_by_signal(id);
        }
    }

    /// Reaps the child if it has exited, and returns how. Its exit is then not reported any more.
    pub fn try_wait(&mut self) -> Option<ExitStatus> {
        // It may be reaped and not reported yet.
        let mut reaped = self.engine.children.exited.iter();
        let reaped = reaped.find(|(id, _)| *id == self.id).map(|(_, exit)| *exit);
        let (Wait::Descriptor(child) | Wait::Signal(child)) = &self.entry().body.wait else {
            return None;
        };
        let exit = reaped.or_else(|| child.try_wait())?;
        self.stop_waiting();
        Some(exit)
    }

    /// Stops waiting because the handle is closed. The child can still be sent signals.
    pub(crate) fn stop_waiting_for_close(&mut self) {
        let waits = matches!(self.entry().body.wait, Wait::Descriptor(_) | Wait::Signal(_));
        self.stop_waiting();
        if waits {
            self.entry().body.wait = Wait::Ended;
        }
    }

    /// Stops waiting for the exit of the child. The program may wait for a child that has not exited.
    pub(crate) fn stop_waiting(&mut self) {
        let Engine { table, registrations, driver, active, signals, probe, .. } = &mut *self.engine;
        let Entry { head, body } = table.processes.get_mut(self.id).expect("a borrowed handle");
        match std::mem::replace(&mut body.wait, Wait::None) {
            Wait::None | Wait::Ended => return,
            // A forked child shares the driver's registrations with its parent, which still waits.
            Wait::Descriptor(_child) if probe.shared.is_inherited() => {
                registrations.rearm(self.id, &mut body.source.registration);
                registrations.deregister(self.id, &mut body.source, driver);
            }
            Wait::Descriptor(_child) => registrations.deregister(self.id, &mut body.source, driver),
            Wait::Signal(_) => {
                if let Some(pipe) = &mut signals.pipe {
                    pipe.unwatch(signal::numbers::SIGCHLD, Delivery::Persistent);
                }
            }
        }
        if head.life() == Life::Active {
            head.deactivate(active);
        }
    }

    /// Sends a signal to the child. `ESRCH` if there is none, or it has exited.
    #[doc(alias = "uv_process_kill")]
    pub fn kill(&mut self, signal: i32) -> Result<()> {
        let Entry { head, body } = self.entry();
        match &body.wait {
            Wait::Descriptor(child) | Wait::Signal(child) => child.kill(signal),
            Wait::Ended => process::kill(body.pid, signal),
            Wait::None if head.life() == Life::Active => process::kill(body.pid, signal),
            Wait::None => Err(Errno::ESRCH),
        }
    }

    /// The number of the process, also after its exit. Zero if none was started.
    #[doc(alias = "uv_process_get_pid")]
    pub fn pid(&mut self) -> i32 {
        self.entry().body.pid
    }
}
