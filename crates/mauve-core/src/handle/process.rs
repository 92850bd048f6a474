//! Process handles: children.
//!
//! [`mauve_sys::child_exit`] chooses how the loop is notified of an exit. A process descriptor leaves
//! the program's handling of `SIGCHLD` alone; without one, the signal is used. In both cases the loop
//! waits only for its own children. Exits are reported after all other events, so that the last output
//! of a child comes first.

use mauve_sys::descriptor::{AsDescriptor, CLOSED, Pipe, RawDescriptor};
use std::collections::VecDeque;

use mauve_sys::child_exit::{ChildWatch, ExitNotification};
use mauve_sys::driver::{Driver, Interest};
use mauve_sys::process::{self, ExitStatus, ProcessOptions, SpawnError, StdioFd};
use mauve_sys::signal::{self, Delivery};
use mauve_sys::{Errno, Result, net};

use crate::id::{HandleId, HandleKind};
use crate::registration::Source;
use crate::slab::{Entry, Life, Slab};
use crate::sort::sort_by_number;
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
    notified: Vec<HandleId>,
    /// Those that have, in the order in which they are reported. As with libuv all that have exited
    /// are reaped before the first is reported: one that its callback closes leaves no zombie.
    exited: VecDeque<(HandleId, ExitStatus)>,
}

impl ExitQueue {
    pub fn is_pending(&self) -> bool {
        !self.notified.is_empty() || !self.exited.is_empty()
    }

    /// Reaps the children that were notified, the oldest first, unless there are exits to report.
    /// Returns those that cannot be reaped, because a debugger is attached. `SIGCHLD` follows.
    pub fn reap(&mut self, handles: &Slab<Process>) -> Vec<HandleId> {
        let mut unreaped = Vec::new();
        if !self.exited.is_empty() {
            return unreaped;
        }
        sort_by_number(&mut self.notified, |id| handles.sequence(id.index()));
        self.notified.dedup();
        for id in self.notified.drain(..) {
            let Some(index) = handles.find(id) else { continue };
            let (Wait::Descriptor(child) | Wait::Signal(child)) = &handles[index].body.wait else {
                continue;
            };
            match child.try_wait() {
                Some(exit) => self.exited.push_back((id, exit)),
                None => unreaped.push(id),
            }
        }
        unreaped
    }

    /// The next exit to report.
    pub fn next(&mut self) -> Option<(HandleId, ExitStatus)> {
        self.exited.pop_front()
    }

    /// `SIGCHLD` was delivered: the children without a descriptor may have exited.
    pub fn check_all(&mut self, handles: &Slab<Process>) {
        let waiting =
            handles.iter().filter(|(_, entry)| matches!(entry.body.wait, Wait::Signal(_)));
        self.notified.extend(waiting.map(|(id, _)| id));
    }

    /// Forgets all exits.
    pub fn clear(&mut self) {
        self.notified.clear();
        self.exited.clear();
    }

    /// Takes the exits that are not reported.
    pub fn suspend(&mut self) -> VecDeque<(HandleId, ExitStatus)> {
        std::mem::take(&mut self.exited)
    }

    /// Continues with exits that were suspended.
    pub fn resume(&mut self, exits: VecDeque<(HandleId, ExitStatus)>) {
        self.exited = exits;
    }
}

/// The source of a descriptor of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_stdio_container_t")]
pub enum Stdio {
    /// Closed. The first three are opened on the null device.
    Ignore,
    /// A duplicate of this descriptor of the parent.
    Inherit(RawDescriptor),
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
struct ChildPipe {
    stream: HandleId,
    ours: Pipe,
    theirs: Pipe,
    readable: bool,
    writable: bool,
}

/// One process handle, borrowed for one operation.
pub struct ProcessMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
}

impl Process {
    /// Without a child.
    pub fn new() -> Self {
        Self { pid: 0, wait: Wait::None, source: Source::new(CLOSED) }
    }

    /// Whether the loop waits for a child.
    pub fn is_awaited(&self) -> bool {
        matches!(self.wait, Wait::Descriptor(_) | Wait::Signal(_))
    }
}

/// `passes` is whether a stream passes descriptors.
fn make_pipes(stdio: &[Stdio], mut passes: impl FnMut(HandleId) -> bool) -> Result<Vec<ChildPipe>> {
    let mut pipes = Vec::new();
    for stdio in stdio {
        let (stream, readable, writable) = match *stdio {
            Stdio::Pipe { stream, readable, writable } => (stream, readable, writable),
            Stdio::OneWayPipe { stream, child_reads } => (stream, child_reads, !child_reads),
            Stdio::Ignore | Stdio::Inherit(_) => continue,
        };
        if stream.kind() != HandleKind::Pipe {
            return Err(Errno::EINVAL);
        }
        let [ours, theirs] = match *stdio {
            Stdio::OneWayPipe { child_reads, .. } => {
                let [reader, writer] = net::pipe([!child_reads, child_reads])?;
                if child_reads { [writer, reader] } else { [reader, writer] }
            }
            _ => net::child_pipe(readable, writable, passes(stream))?,
        };
        pipes.push(ChildPipe { stream, ours, theirs, readable, writable });
    }
    Ok(pipes)
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
        let Engine { signals, driver, .. } = &mut *self.engine;
        signals.open_pipe(driver)?;
        let pipes = make_pipes(stdio, |stream| {
            self.engine.stream(stream).is_some_and(|mut stream| stream.is_ipc())
        })?;
        let mut child_ends =
            pipes.iter().map(|pipe| StdioFd::Created(pipe.theirs.raw_descriptor()));
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
                let pid = child.pid();
                self.start_waiting(child);
                if self.engine.kills_child(self.id) {
                    // It may have exited already.
                    let _ = process::kill(pid, signal::numbers::SIGKILL);
                }
                self.open_pipes(pipes)
            }
            // As in libuv, the streams have their ends of the pipes. They read the end of file.
            Err(SpawnError::Fork(error)) => self.open_pipes(pipes).and(Err(error)),
            Err(SpawnError::Exec(error)) => {
                // In libuv the SIGCHLD of the child whose exec failed wakes the loop.
                if self.engine.is_running() {
                    self.engine.wakeups.note_missed();
                } else {
                    // The program may poll the driver's descriptor.
                    self.engine.wakeups.queue().notify();
                }
                self.open_pipes(pipes).and(Err(error))
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
                body.source = Source::new(fd.raw_descriptor());
                let wanted = registrations.register(id, &mut body.source, Interest::READABLE);
                let (fd, registration) = body.source.parts();
                wanted.and_then(|()| registration.reregister(id, fd, driver))
            }
            ExitNotification::Signal => Err(Errno::EBADF),
        };
        body.wait = Wait::Descriptor(child);
        if watched.is_err() {
            self.wait_by_signal();
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
            Wait::Descriptor(_child) if probe.is_inherited() => {
                registrations.rearm(self.id, &mut body.source.registration);
                registrations.deregister(self.id, &mut body.source, driver);
            }
            Wait::Descriptor(_child) => registrations.deregister(self.id, &mut body.source, driver),
            Wait::Signal(_) => {
                if let Some(pipe) = signals.pipe() {
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

    /// The descriptor of the child is readable. It stays so until the child is reaped, and is not watched
    /// any longer.
    pub(crate) fn notified(&mut self) {
        let Engine { table, registrations, driver, probe, children, .. } = &mut *self.engine;
        // A forked child shares the driver's registrations with its parent, which still waits.
        if !probe.is_inherited() {
            let body = &mut table.processes.get_mut(self.id).expect("a borrowed handle").body;
            registrations.deregister(self.id, &mut body.source, driver);
        }
        children.notified.push(self.id);
    }

    /// Waits for `SIGCHLD` instead of a descriptor that the driver cannot watch.
    pub(crate) fn wait_by_signal(&mut self) {
        self.watch_for_signal();
        // The child may have exited before.
        self.engine.children.notified.push(self.id);
    }

    /// Waits for the next `SIGCHLD`.
    pub(crate) fn watch_for_signal(&mut self) {
        let Engine { table, registrations, signals, driver, .. } = &mut *self.engine;
        let body = &mut table.processes.get_mut(self.id).expect("a borrowed handle").body;
        match std::mem::replace(&mut body.wait, Wait::None) {
            Wait::Descriptor(child) => {
                registrations.deregister(self.id, &mut body.source, driver);
                let pipe = signals.pipe().expect("opened by `spawn`");
                pipe.watch(signal::numbers::SIGCHLD, Delivery::Persistent)
                    .expect("it can be caught");
                body.wait = Wait::Signal(child);
            }
            wait => body.wait = wait,
        }
    }

    /// The completion of an exit, unless the handle was closed since.
    pub(crate) fn end(&mut self, exit: ExitStatus) -> Option<Completion> {
        let head = &self.entry().head;
        let (token, life) = (head.token, head.life());
        if life != Life::Active {
            return None;
        }
        self.stop_waiting();
        Some(Completion::Exit { token, exit })
    }

    /// Stops waiting for the child, and returns it. It may be reaped already.
    pub(crate) fn take_child(&mut self) -> Option<ChildWatch> {
        let Engine { table, registrations, signals, driver, .. } = &mut *self.engine;
        let body = &mut table.processes.get_mut(self.id).expect("a borrowed handle").body;
        registrations.deregister(self.id, &mut body.source, driver);
        body.source = Source::new(CLOSED);
        match std::mem::replace(&mut body.wait, Wait::None) {
            Wait::Descriptor(child) => Some(child),
            Wait::Signal(child) => {
                if let Some(pipe) = signals.pipe() {
                    pipe.unwatch(signal::numbers::SIGCHLD, Delivery::Persistent);
                }
                Some(child)
            }
            Wait::None | Wait::Ended => None,
        }
    }

    /// Opens the parent's ends as streams. A pipe that the child reads is writable here.
    fn open_pipes(&mut self, pipes: Vec<ChildPipe>) -> Result<()> {
        let child = self.entry().body.pid.cast_unsigned();
        for ChildPipe { stream, ours, readable, writable, .. } in pipes {
            net::set_peer_process(ours.as_descriptor(), child);
            let mut stream = self.engine.stream(stream).ok_or(Errno::EINVAL)?;
            let adopted = stream.open(ours.raw_descriptor(), writable, readable)?;
            stream.adopt(ours, adopted)?;
        }
        Ok(())
    }
}
